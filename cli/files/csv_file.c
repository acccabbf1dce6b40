#include "files/csv_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "command/load.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

static char *trimmed(char *text)
{
    text += strspn(text, " \t\"");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n\"", text[length - 1]) != NULL) text[--length] = '\0';
    return text;
}

// Commas, or semicolons where there are no commas. Cuts the line into fields; NULL after the last.
static char separator_of(const char *header) { return strchr(header, ',') != NULL ? ',' : ';'; }

static bool is_quoted(const char *field) { return field[strspn(field, " \t")] == '"'; }

// In quotes a separator is text.
static char *next_field(char **rest, char separator)
{
    char *field = *rest, *from = field;
    if (field == NULL) return NULL;
    if (is_quoted(field)) {
        char *quote = strchr(field + strspn(field, " \t") + 1, '"');
        if (quote != NULL) from = quote;
    }
    char *end = strchr(from, separator);
    *rest = end != NULL ? end + 1 : NULL;
    if (end != NULL) *end = '\0';
    return trimmed(field);
}

static bool read_header(CsvFile *csv, const char *path, long number, char *line)
{
    static const char mark[] = "\xef\xbb\xbf"; // of a spreadsheet's UTF-8
    const char separator = separator_of(line);
    if (strncmp(line, mark, 3) == 0) line += 3;
    int most = 1;
    for (const char *c = line; *c != '\0'; ++c) most += *c == separator;
    csv->names = take((size_t)most, sizeof *csv->names);
    for (char *field; (field = next_field(&line, separator)) != NULL;) {
        text_make_printable(field);
        csv->names[csv->count++] = text_new("%s", field);
    }
    char *end;
    strtod(csv->names[0], &end);
    if (csv->names[0][0] != '\0' && *end != '\0') return true;
    terminal_error("%s:%ld: the first line must name the columns (t, block.x, ...), not be '%s'",
                   path, number, csv->names[0]);
    return false;
}

// Texts in quotes are no numbers, and no mistakes: a table of runs says why a run failed.
static bool read_number(const char *field, bool quoted, double *value)
{
    char *end;
    *value = field[0] == '\0' || quoted ? NAN : strtod(field, &end);
    return field[0] == '\0' || quoted || *end == '\0';
}

static bool read_row(CsvFile *csv, const char *path, long number, char *line, char separator,
                     double *row)
{
    int count = 0;
    bool quoted = is_quoted(line);
    for (char *field; (field = next_field(&line, separator)) != NULL; ++count) {
        const bool text = quoted;
        quoted = line != NULL && is_quoted(line);
        if (count >= csv->count) continue;
        char *end;
        const bool number_in_quotes = text && field[0] != '\0' && (strtod(field, &end), *end == '\0');
        if (read_number(field, text && !number_in_quotes, &row[count])) continue;
        terminal_error("%s:%ld: '%s' in the column %s is not a number", path, number, field,
                       csv->names[count]);
        return false;
    }
    if (count == csv->count) return true;
    terminal_error("%s:%ld: the row has %s than the %d columns of the first line", path, number,
                   count < csv->count ? "less" : "more", csv->count);
    return false;
}

static int read_lines(CsvFile *csv, FILE *file, const char *path, bool full)
{
    char *line = NULL;
    size_t size = 0;
    long number = 1; // of the header: notes may stand before it
    int code = CODE_BAD_INPUT;
    for (; code != CODE_GOOD && getline(&line, &size, file) > 0; number += line[0] == '#')
        if (line[0] != '#') code = CODE_GOOD;
    if (code != CODE_GOOD) terminal_error("%s is empty", path);
    const char separator = code == CODE_GOOD ? separator_of(line) : ',';
    if (code == CODE_GOOD && !read_header(csv, path, number, line)) code = CODE_BAD_INPUT;
    double *row = take((size_t)csv->count + 1, sizeof *row);
    if (code == CODE_GOOD) csv->rows = rows_create(csv->count, full);
    while (code == CODE_GOOD && getline(&line, &size, file) > 0) {
        ++number;
        if (trimmed(line)[0] == '\0') continue;
        if (!read_row(csv, path, number, line, separator, row))
            code = CODE_BAD_INPUT;
        else
            rows_add(&csv->rows, row);
    }
    if (code == CODE_GOOD && csv->rows.count == 0) {
        terminal_error("%s has no rows", path);
        code = CODE_BAD_INPUT;
    }
    free(row);
    free(line);
    return code;
}

int csv_file_read(const char *path, bool full, CsvFile *csv)
{
    *csv = (CsvFile){0};
    FILE *file = load_open(path);
    if (file == NULL) return CODE_FILE;
    const int code = read_lines(csv, file, path, full);
    fclose(file);
    return code;
}

void csv_file_release(CsvFile *csv)
{
    for (int i = 0; i < csv->count; ++i) free(csv->names[i]);
    free(csv->names);
    rows_release(&csv->rows);
}
