#include "expression/table.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/file.h"
#include "text/messages.h"
#include "text/number.h"

// A CSV file while it is read. The text ends with NUL.
typedef struct Reader {
    const char *path;
    char *text;
    const char *at, *line_start, *end;
    int line;
    int fields;                    // in the header
    int time_column, value_column; // from 0
    char *error;
    size_t error_size;
} Reader;

// One field, without the blanks and quotes around it.
typedef struct Field {
    const char *text;
    size_t length;
    bool quoted;
} Field;

static bool fail(const Reader *reader, const char *place, const char *text, ...)
    __attribute__((format(printf, 3, 4)));

// Writes "hand.csv:12:5: ..."; place NULL leaves out the line. Always false.
static bool fail(const Reader *reader, const char *place, const char *text, ...)
{
    char what[400];
    va_list arguments;
    va_start(arguments, text);
    vsnprintf(what, sizeof what, text, arguments);
    va_end(arguments);
    if (reader->error_size == 0) return false;
    if (place == NULL)
        snprintf(reader->error, reader->error_size, "%s: %s", reader->path, what);
    else
        snprintf(reader->error, reader->error_size, "%s:%d:%d: %s", reader->path, reader->line,
                 (int)(place - reader->line_start) + 1, what);
    return false;
}

static bool load(Reader *reader)
{
    enum { MOST_BYTES = 1 << 30 };
    size_t length;
    const char *why;
    reader->text = scene_file_read(reader->path, MOST_BYTES, &length, &why);
    if (reader->text == NULL) return fail(reader, NULL, "%s", why);
    if (length > MOST_BYTES) return fail(reader, NULL, "longer than 1 GB");
    reader->end = reader->text + length;
    reader->at = reader->text;
    if (length >= 3 && memcmp(reader->text, "\xef\xbb\xbf", 3) == 0) reader->at += 3;
    reader->line_start = reader->at;
    reader->line = 1;
    return true;
}

static bool at_line_end(const Reader *reader)
{
    return reader->at == reader->end || *reader->at == '\n' || *reader->at == '\r';
}

static void skip_blanks(Reader *reader)
{
    while (*reader->at == ' ' || *reader->at == '\t') ++reader->at;
}

static void skip_line_end(Reader *reader)
{
    if (reader->at == reader->end) return;
    reader->at += reader->at[0] == '\r' && reader->at[1] == '\n' ? 2 : 1;
    reader->line_start = reader->at;
    ++reader->line;
}

// Goes to the next line that holds something; false at the end of the file.
static bool find_row(Reader *reader)
{
    for (;;) {
        skip_blanks(reader);
        if (reader->at == reader->end) return false;
        if (!at_line_end(reader)) return true;
        skip_line_end(reader);
    }
}

static bool read_quoted(Reader *reader, Field *field)
{
    const char *opening = reader->at++;
    field->text = reader->at;
    field->quoted = true;
    while (!at_line_end(reader) && (*reader->at != '"' || reader->at[1] == '"'))
        reader->at += *reader->at == '"' ? 2 : 1;
    if (at_line_end(reader)) return fail(reader, opening, "this quote is not closed on its line");
    field->length = (size_t)(reader->at - field->text);
    ++reader->at;
    skip_blanks(reader);
    if (!at_line_end(reader) && *reader->at != ',')
        return fail(reader, reader->at, "a comma is expected after a field in quotes");
    return true;
}

// Reads up to the comma or the end of the line.
static bool read_field(Reader *reader, Field *field)
{
    skip_blanks(reader);
    if (*reader->at == '"') return read_quoted(reader, field);
    *field = (Field){.text = reader->at};
    const char *last = reader->at;
    for (; !at_line_end(reader) && *reader->at != ','; ++reader->at)
        if (*reader->at != ' ' && *reader->at != '\t') last = reader->at + 1;
    field->length = (size_t)(last - field->text);
    return true;
}

// True if another field of the same row follows.
static bool skip_comma(Reader *reader)
{
    if (reader->at == reader->end || *reader->at != ',') return false;
    ++reader->at;
    return true;
}

static char *field_text(const Field *field, StiArena *arena)
{
    char *text = sti_arena_take(arena, field->length + 1, 1);
    if (text == NULL) return NULL;
    size_t length = 0;
    for (size_t i = 0; i < field->length; ++i) {
        text[length++] = field->text[i];
        if (field->quoted && field->text[i] == '"') ++i; // "" stands for "
    }
    return text;
}

static bool find_column(const Reader *reader, const char *name, const char *const *names,
                        int *column)
{
    *column = -1;
    for (int i = 0; i < reader->fields; ++i) {
        if (strcmp(names[i], name) != 0) continue;
        if (*column >= 0) return fail(reader, NULL, "two columns are called '%s'", name);
        *column = i;
    }
    if (*column >= 0) return true;
    const char *nearest = scene_nearest(name, names, reader->fields);
    if (nearest != NULL)
        return fail(reader, NULL, "no column is called '%s'; did you mean '%s'?", name, nearest);
    if (reader->fields == 1 && strpbrk(names[0], ";\t") != NULL)
        return fail(reader, NULL, "the fields of a row must be separated by commas");
    return fail(reader, NULL, "no column is called '%s'; the header begins with '%s'", name,
                names[0]);
}

static int count_commas(const Reader *reader)
{
    int count = 0;
    for (const char *at = reader->at; at < reader->end && *at != '\n' && *at != '\r'; ++at)
        count += *at == ',';
    return count;
}

static bool read_header(Reader *reader, const char *time, const char *column, StiArena *arena)
{
    if (!find_row(reader))
        return fail(reader, NULL, "the file is empty: a header row and numbers are expected");
    const char **names = sti_arena_take(arena, (size_t)count_commas(reader) + 1, sizeof *names);
    if (names == NULL) return fail(reader, NULL, "out of memory");
    do {
        Field field;
        double number;
        if (!read_field(reader, &field)) return false;
        if (!field.quoted && scene_number_read(field.text, field.length, &number))
            return fail(reader, field.text,
                        "the first row must name the columns, but this is a number");
        names[reader->fields] = field_text(&field, arena);
        if (names[reader->fields++] == NULL) return fail(reader, NULL, "out of memory");
    } while (skip_comma(reader));
    if (time != NULL && !find_column(reader, time, names, &reader->time_column)) return false;
    return find_column(reader, column, names, &reader->value_column);
}

static bool read_number(Reader *reader, const Field *field, double *number)
{
    const int shown = field->length < 40 ? (int)field->length : 40;
    if (field->length == 0) return fail(reader, field->text, "a number is missing");
    if (!scene_number_read(field->text, field->length, number))
        return fail(reader, field->text, "'%.*s' is not a number", shown, field->text);
    if (!isfinite(*number))
        return fail(reader, field->text, "%.*s is too large", shown, field->text);
    return true;
}

static bool read_row(Reader *reader, double *t, double *x, int *time_at)
{
    const char *start = reader->at;
    int count = 0;
    do {
        Field field;
        if (!read_field(reader, &field)) return false;
        if (count == reader->time_column) {
            *time_at = (int)(field.text - start);
            if (!read_number(reader, &field, t)) return false;
        }
        if (count == reader->value_column && !read_number(reader, &field, x)) return false;
        ++count;
    } while (skip_comma(reader));
    if (count == reader->fields) return true;
    return fail(reader, start, "this row has %d %s, the header has %d", count,
                count == 1 ? "field" : "fields", reader->fields);
}

static bool read_rows(Reader *reader, double *t, double *x, int *count)
{
    for (int n = 0;; ++n) {
        skip_line_end(reader);
        if (!find_row(reader)) {
            *count = n;
            return n > 0 || fail(reader, NULL, "there are no rows below the header");
        }
        const char *start = reader->at;
        int time_at = 0;
        if (!read_row(reader, &t[n], &x[n], &time_at)) return false;
        if (n > 0 && t[n] <= t[n - 1])
            return fail(reader, start + time_at,
                        "times must increase from row to row, but %.12g follows %.12g", t[n],
                        t[n - 1]);
    }
}

// More than there are rows, because empty lines count too.
static size_t count_lines(const Reader *reader)
{
    size_t count = 1;
    for (const char *at = reader->at; at < reader->end; ++at) count += *at == '\n' || *at == '\r';
    return count;
}

static Table *read_table(Reader *reader, const char *time, const char *column, StiArena *arena)
{
    if (!load(reader) || !read_header(reader, time, column, arena)) return NULL;
    const size_t lines = count_lines(reader);
    Table *table = sti_arena_take(arena, 1, sizeof *table);
    double *t = sti_arena_take(arena, lines, sizeof *t);
    double *x = sti_arena_take(arena, lines, sizeof *x);
    if (table == NULL || t == NULL || x == NULL || lines > INT_MAX) {
        fail(reader, NULL, "the table does not fit into memory");
        return NULL;
    }
    table->t = t;
    table->x = x;
    return read_rows(reader, t, x, &table->count) ? table : NULL;
}

const Table *scene_table_read(const char *path, const char *time, const char *column, bool hold,
                              StiArena *arena, char *error, size_t error_size)
{
    Reader reader = {.path = path, .error = error, .error_size = error_size};
    Table *table = read_table(&reader, time, column, arena);
    free(reader.text);
    if (table != NULL) table->hold = hold;
    return table;
}

int scene_table_row(const Table *table, double t)
{
    int low = -1, high = table->count;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (table->t[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

double scene_table_value(const Table *table, double t)
{
    if (isnan(t)) return t;
    const int i = scene_table_row(table, t);
    if (i < 0) return table->x[0];
    if (i == table->count - 1 || table->hold) return table->x[i];
    const double share = (t - table->t[i]) / (table->t[i + 1] - table->t[i]);
    return table->x[i] + share * (table->x[i + 1] - table->x[i]);
}

double scene_table_rate(const Table *table, double t)
{
    if (isnan(t)) return t;
    const int i = scene_table_row(table, t);
    if (table->hold || i < 0 || i == table->count - 1) return 0.0;
    return (table->x[i + 1] - table->x[i]) / (table->t[i + 1] - table->t[i]);
}
