#include "table_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"
#include "progress.h"
#include "terminal.h"
#include "text.h"

struct TableFile {
    FILE *file;
    char *path, *partial;
    int columns;
    int64_t rows;
    double flushed; // s, of clock_now
};

static void release(TableFile *table)
{
    free(table->path);
    free(table->partial);
    free(table);
}

static bool write_header(FILE *file, const char *const *columns, int count)
{
    bool good = true;
    for (int i = 0; i < count; ++i)
        good = fprintf(file, "%s%s", i > 0 ? "," : "", columns[i]) > 0 && good;
    return fputc('\n', file) != EOF && good;
}

static FILE *open_partial(const TableFile *table)
{
    if (load_is_folder(table->path)) {
        errno = EISDIR;
        return NULL;
    }
    return fopen(table->partial, "w");
}

TableFile *table_file_open(const char *path, const char *const *columns, int count)
{
    TableFile *table = take(1, sizeof *table);
    *table = (TableFile){.path = text_new("%s", path),
                         .partial = text_new("%s.partial", path),
                         .columns = count,
                         .flushed = clock_now()};
    table->file = open_partial(table);
    if (table->file != NULL && write_header(table->file, columns, count)) return table;
    terminal_error("cannot write %s: %s", path, strerror(errno));
    if (table->file != NULL) {
        fclose(table->file);
        remove(table->partial);
    }
    release(table);
    return NULL;
}

bool table_file_row(TableFile *table, const double *values)
{
    bool good = true;
    for (int i = 0; i < table->columns; ++i)
        good = fprintf(table->file, "%s%.17g", i > 0 ? "," : "", values[i]) > 0 && good;
    good = fputc('\n', table->file) != EOF && good;
    ++table->rows;
    const double now = clock_now();
    if (now - table->flushed >= 0.5) {
        good = fflush(table->file) == 0 && good;
        table->flushed = now;
    }
    return good;
}

int64_t table_file_rows(const TableFile *table) { return table->rows; }

bool table_file_close(TableFile *table, bool complete)
{
    bool good = ferror(table->file) == 0;
    good = fclose(table->file) == 0 && good;
    if (good && complete) good = rename(table->partial, table->path) == 0;
    if (!good) terminal_error("cannot write %s: %s", table->path, strerror(errno));
    if (!good || !complete)
        fprintf(stderr, "The rows so far (%lld) are in %s\n", (long long)table->rows,
                table->partial);
    release(table);
    return good;
}
