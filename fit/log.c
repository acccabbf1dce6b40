// Measured logs: CSV files with a header, and what makes them unusable.
#include "log.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LEAST_ROWS = 8, MOST_BYTES = 1 << 30, TEXT = 512 };

// ---- the text ---------------------------------------------------------------------------------------------

// The whole file, ended by NUL; NULL after a message.
static char *read_text(const char *file, StiMessages *messages)
{
    struct stat about;
    FILE *stream = NULL;
    char *text = NULL;
    if (stat(file, &about) != 0) {
        fit_message(messages, STI_ERROR, file, 0, 0, "%s", strerror(errno));
        return NULL;
    }
    if (!S_ISREG(about.st_mode) || about.st_size > MOST_BYTES) {
        fit_message(messages, STI_ERROR, file, 0, 0, "a log must be a file of at most 1 GB");
        return NULL;
    }
    stream = fopen(file, "rb");
    text = malloc((size_t)about.st_size + 1);
    if (stream == NULL || text == NULL) {
        fit_message(messages, STI_ERROR, file, 0, 0, "%s",
                    stream == NULL ? strerror(errno) : "out of memory");
        free(text);
        text = NULL;
    } else {
        text[fread(text, 1, (size_t)about.st_size, stream)] = '\0';
    }
    if (stream != NULL) fclose(stream);
    return text;
}

typedef struct Place {
    const char *file;
    char *at, *line_start;
    int line;
    char separator;
    StiMessages *messages;
} Place;

static bool complain(const Place *place, const char *at, const char *text, const char *word)
{
    fit_message(place->messages, STI_ERROR, place->file, place->line,
                (int)(at - place->line_start) + 1, text, word);
    return false;
}

// Empty lines and those that begin with # are passed; false at the end.
static bool find_line(Place *place)
{
    for (;;) {
        const size_t blank = strspn(place->at, " \t\r");
        char *first = place->at + blank;
        if (*first == '\0') return false;
        if (*first != '\n' && *first != '#') return true;
        place->at = first + strcspn(first, "\n");
        if (*place->at == '\n') ++place->at;
        place->line_start = place->at;
        ++place->line;
    }
}

// One field, ended in place by NUL; *more: another one follows on this line.
static char *take_field(Place *place, bool *more)
{
    char *field = place->at + strspn(place->at, " \t");
    const char ends[] = {place->separator, '\n', '\0'};
    char *end = field + strcspn(field, ends), *last = end;
    *more = *end == place->separator;
    const bool line_ends = *end == '\n';
    while (last > field && strchr(" \t\r", last[-1]) != NULL) --last;
    place->at = *end != '\0' ? end + 1 : end;
    *last = '\0';
    if (last - field >= 2 && field[0] == '"' && last[-1] == '"') {
        last[-1] = '\0';
        ++field;
    }
    if (line_ends) ++place->line;
    return field;
}

static bool read_header(Place *place, Log *log)
{
    if (!find_line(place)) return complain(place, place->at, "%s", "the log is empty");
    const size_t line = strcspn(place->at, "\n");
    place->separator = memchr(place->at, ',', line) != NULL   ? ','
                       : memchr(place->at, ';', line) != NULL ? ';'
                                                              : '\t';
    int capacity = 1;
    for (size_t i = 0; i < line; ++i) capacity += place->at[i] == place->separator;
    log->names = calloc((size_t)capacity, sizeof *log->names);
    bool more = log->names != NULL;
    while (more) {
        char *field = take_field(place, &more), *end;
        const int before = log->columns;
        strtod(field, &end);
        if (*field != '\0' && *end == '\0') {
            --place->line;
            return complain(place, field,
                            "'%s': the first line must name the columns, as t,position,volts",
                            field);
        }
        for (int i = 0; i < before; ++i)
            if (strcmp(log->names[i], field) == 0)
                return complain(place, field, "column '%s' is there twice", field);
        log->names[log->columns] = strdup(field);
        if (log->names[log->columns++] == NULL) return false;
    }
    place->line_start = place->at;
    return log->names != NULL;
}

static bool read_number(const Place *place, const char *field, const char *name, double *value)
{
    char *end, what[TEXT];
    *value = strtod(field, &end);
    if (*field != '\0' && *end == '\0' && isfinite(*value)) return true;
    snprintf(what, sizeof what,
             *field == '\0'                  ? "column %s has no value here"
             : *end == '\0' || isnan(*value) ? "column %s is not finite here"
             : strchr(field, ',') != NULL    ? "column %s: numbers are written with a point"
                                             : "column %s is no number here",
             name);
    return complain(place, field, "%s; leave such rows out, or cut the log into two files", what);
}

static bool read_row(Place *place, const Log *log, double *row)
{
    const int line = place->line;
    bool more = true;
    for (int i = 0; i < log->columns; ++i) {
        char *start = place->at;
        if (!more) return complain(place, start, "this row ends before column '%s'", log->names[i]);
        char *field = take_field(place, &more);
        const Place here = {.file = place->file,
                            .line_start = place->line_start,
                            .line = line,
                            .messages = place->messages};
        if (!read_number(&here, field, log->names[i], &row[i])) return false;
    }
    if (more)
        return complain(place, place->at, "%s", "this row has more fields than the header names");
    place->line_start = place->at;
    return true;
}

static int count_lines(const char *text)
{
    int count = 1;
    for (; *text != '\0'; ++text) count += *text == '\n';
    return count;
}

// lines: where each row stands.
static bool read_rows(Place *place, Log *log, int **lines)
{
    const size_t most = (size_t)count_lines(place->at), width = (size_t)log->columns;
    double *rows = malloc(most * width * sizeof *rows);
    log->values = malloc(most * width * sizeof *log->values);
    *lines = malloc(most * sizeof **lines);
    bool good = rows != NULL && log->values != NULL && *lines != NULL;
    while (good && find_line(place)) {
        (*lines)[log->rows] = place->line;
        good = read_row(place, log, rows + (size_t)log->rows * width);
        ++log->rows;
    }
    for (size_t i = 0; good && i < width; ++i)
        for (size_t k = 0; k < (size_t)log->rows; ++k)
            log->values[i * (size_t)log->rows + k] = rows[k * width + i];
    free(rows);
    return good;
}

// ---- the time ---------------------------------------------------------------------------------------------

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double log_interval(const Log *log)
{
    double *gaps = malloc((size_t)log->rows * sizeof *gaps), middle = NAN;
    if (gaps == NULL || log->rows < 2) {
        free(gaps);
        return middle;
    }
    for (int i = 1; i < log->rows; ++i) gaps[i - 1] = log->t[i] - log->t[i - 1];
    qsort(gaps, (size_t)log->rows - 1, sizeof *gaps, compare_numbers);
    middle = gaps[(log->rows - 1) / 2];
    free(gaps);
    return middle;
}

double log_noise(const Log *log, const double *values)
{
    enum { MOST = 4000 };
    static const double per_difference =
        1.0 / (0.6744897501960817 * 4.47213595499958); // median, sqrt(20)
    const int every = log->rows / MOST + 1;
    double *differences = malloc((size_t)log->rows * sizeof *differences), noise = 0.0;
    int count = 0;
    for (int k = 3; differences != NULL && k < log->rows; k += every)
        differences[count++] =
            fabs(values[k] - 3.0 * values[k - 1] + 3.0 * values[k - 2] - values[k - 3]);
    if (count > 0) {
        qsort(differences, (size_t)count, sizeof *differences, compare_numbers);
        noise = per_difference * differences[count / 2];
    }
    free(differences);
    return noise;
}

static bool check_time(const Log *log, const int *lines, StiMessages *messages)
{
    static const double gap = 5.0; // usual intervals
    if (log->rows < LEAST_ROWS) {
        fit_message(messages, STI_ERROR, log->file, 0, 0,
                    "the log has %d rows; at least %d are needed to find anything from", log->rows,
                    LEAST_ROWS);
        return false;
    }
    for (int i = 1; i < log->rows; ++i) {
        if (log->t[i] > log->t[i - 1]) continue;
        fit_message(messages, STI_ERROR, log->file, lines[i], 1,
                    "time goes back here, from %.9g s to %.9g s: cut the log into two files",
                    log->t[i - 1], log->t[i]);
        return false;
    }
    const double usual = log_interval(log);
    for (int i = 1; i < log->rows; ++i) {
        if (log->t[i] - log->t[i - 1] <= gap * usual) continue;
        fit_message(messages, STI_ERROR, log->file, lines[i], 1,
                    "a gap of %.4g s in the time, from %.9g s to %.9g s, where rows are usually "
                    "%.4g s apart: cut "
                    "the log into two files",
                    log->t[i] - log->t[i - 1], log->t[i - 1], log->t[i], usual);
        return false;
    }
    if (usual >= 0.5)
        fit_message(messages, STI_WARNING, log->file, 0, 0,
                    "rows are %.4g s apart: is the time in milliseconds? It must be in seconds",
                    usual);
    return true;
}

static int find_column(const Log *log, const char *name)
{
    for (int i = 0; i < log->columns; ++i)
        if (strcmp(log->names[i], name) == 0) return i;
    return -1;
}

static void no_column(const Log *log, const char *name, const char *what, StiMessages *messages)
{
    const char *near = fit_nearest(name, log->names, log->columns);
    char all[TEXT / 2] = "";
    for (int i = 0; i < log->columns; ++i) {
        const size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? ", " : "", log->names[i]);
    }
    if (near != NULL)
        fit_message(messages, STI_ERROR, log->file, 1, 1,
                    "%s: there is no column '%s'; did you mean '%s'?", what, name, near);
    else
        fit_message(messages, STI_ERROR, log->file, 1, 1,
                    "%s: there is no column '%s'; there are %s", what, name, all);
}

bool log_read(Log *log, const char *file, const char *time, StiMessages *messages)
{
    *log = (Log){.file = strdup(file)};
    char *text = log->file != NULL ? read_text(file, messages) : NULL;
    int *lines = NULL, column = 0;
    bool good = text != NULL;
    if (good) {
        char *start = strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text;
        Place place = {
            .file = file, .at = start, .line_start = start, .line = 1, .messages = messages};
        good = read_header(&place, log) && read_rows(&place, log, &lines);
    }
    if (good && time != NULL && (column = find_column(log, time)) < 0) {
        no_column(log, time, "time", messages);
        good = false;
    }
    if (good) log->t = log->values + (size_t)column * (size_t)log->rows;
    good = good && check_time(log, lines, messages);
    free(lines);
    free(text);
    return good;
}

void log_release(Log *log)
{
    for (int i = 0; i < log->columns; ++i) free(log->names[i]);
    free(log->names);
    free(log->values);
    free(log->file);
    *log = (Log){0};
}

// ---- columns ----------------------------------------------------------------------------------------------

static void copy_column(const Log *log, int column, double *values)
{
    memcpy(values, log->values + (size_t)column * (size_t)log->rows,
           (size_t)log->rows * sizeof *values);
}

static bool compute(const Log *log, const char *text, const char *what, double *values,
                    StiMessages *messages)
{
    char error[TEXT];
    StiExpression *expression = sti_expression_create(text, (const char *const *)log->names,
                                                      log->columns, error, sizeof error);
    double *row = malloc((size_t)log->columns * sizeof *row);
    bool good = expression != NULL && row != NULL;
    if (expression == NULL && strpbrk(text, "+-*/()") == NULL)
        no_column(log, text, what, messages);
    else if (expression == NULL)
        fit_message(messages, STI_ERROR, log->file, 1, 1,
                    "%s: '%s' is no expression of the columns: %s", what, text, error);
    for (int k = 0; good && k < log->rows; ++k) {
        for (int i = 0; i < log->columns; ++i)
            row[i] = log->values[(size_t)i * (size_t)log->rows + (size_t)k];
        values[k] = sti_expression_value(expression, row);
        if (isfinite(values[k])) continue;
        fit_message(messages, STI_ERROR, log->file, 0, 0, "%s: '%s' is not finite at t = %.9g s",
                    what, text, log->t[k]);
        good = false;
    }
    free(row);
    sti_expression_destroy(expression);
    return good;
}

double *log_evaluate(const Log *log, const char *expression, const char *what,
                     StiMessages *messages)
{
    double *values = malloc((size_t)log->rows * sizeof *values);
    const int column = find_column(log, expression);
    if (values == NULL) return NULL;
    if (column >= 0) {
        copy_column(log, column, values);
        return values;
    }
    if (compute(log, expression, what, values, messages)) return values;
    free(values);
    return NULL;
}
