#include "table.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// Sorting needs to know the table: what counts as zero.
static double judged(const Column *column, double value)
{
    if (isnan(value)) return INFINITY;
    return fabs(value) <= column->floor ? 0.0 : fabs(value);
}

static int first_judged(const Table *table)
{
    int i = 0;
    while (i < table->column_count - 1 && !table->columns[i].judged) ++i;
    return i;
}

static bool comes_before(const Table *table, const Row *a, const Row *b)
{
    const int first = first_judged(table), last = table->column_count - 1;
    const double x = judged(&table->columns[first], a->values[first]),
                 y = judged(&table->columns[first], b->values[first]);
    if (x != y) return x < y;
    return a->values[last] < b->values[last];
}

static void sort_rows(Table *table)
{
    for (int i = 1; i < table->row_count; ++i)
        for (int j = i; j > 0 && comes_before(table, &table->rows[j], &table->rows[j - 1]); --j) {
            const Row row = table->rows[j];
            table->rows[j] = table->rows[j - 1];
            table->rows[j - 1] = row;
        }
}

// The best row of a column, of stiction's own or of the others'; NULL: none.
static const Row *best(const Table *table, int column, bool own)
{
    const Row *found = NULL;
    for (int i = 0; i < table->row_count; ++i) {
        const Row *row = &table->rows[i];
        if (entrant_is_stiction(&row->entrant) != own || isnan(row->values[column])) continue;
        const Column *c = &table->columns[column];
        if (found == NULL || judged(c, row->values[column]) < judged(c, found->values[column]))
            found = row;
    }
    return found;
}

// Two costs that differ by less than the noise of a shared machine are not called better or worse.
static void write_losses(const Table *table, FILE *file, const char *before)
{
    for (int i = 0; i < table->column_count; ++i) {
        const Column *column = &table->columns[i];
        const Row *own = best(table, i, true), *other = best(table, i, false);
        if (!column->judged || own == NULL || other == NULL) continue;
        const double x = judged(column, own->values[i]), y = judged(column, other->values[i]);
        if (x <= 1.02 * y) continue;
        char own_name[64], other_name[64];
        fprintf(file, "%s**%s, %s:** %s is better, %.3g against %.3g of %s.\n", before,
                table->title, column->name,
                entrant_label(&other->entrant, other_name, sizeof other_name), other->values[i],
                own->values[i], entrant_label(&own->entrant, own_name, sizeof own_name));
    }
}

static void write_number(FILE *file, double value)
{
    if (isnan(value))
        fprintf(file, " - |");
    else
        fprintf(file, value == 0.0 ? " 0 |" : " %.3g |", value);
}

static void write_versions(const Table *table, FILE *file)
{
    const Peer *last = NULL;
    fprintf(file, "\nVersions:");
    for (int p = 0; peers[p] != NULL; ++p)
        for (int i = 0; i < table->row_count; ++i)
            if (table->rows[i].entrant.peer == peers[p] && last != peers[p]) {
                char text[64];
                peers[p]->version(text, sizeof text);
                fprintf(file, "%s %s", last == NULL ? "" : ",", text);
                last = peers[p];
            }
    fprintf(file, ".\n");
}

static void write_markdown(const Table *table, FILE *file)
{
    fprintf(file, "\n## %s\n\n%s\n\n", table->title, table->about);
    write_losses(table, file, "- ");
    fprintf(file, "\n| simulator | settings |");
    for (int i = 0; i < table->column_count; ++i) fprintf(file, " %s |", table->columns[i].name);
    fprintf(file, "\n|---|---|");
    for (int i = 0; i < table->column_count; ++i) fprintf(file, "---:|");
    for (int i = 0; i < table->row_count; ++i) {
        const Row *row = &table->rows[i];
        const bool own = entrant_is_stiction(&row->entrant);
        fprintf(file, own ? "\n| **%s** | %s |" : "\n| %s | %s |", row->entrant.peer->name,
                row->entrant.peer->variants[row->entrant.variant].name);
        for (int j = 0; j < table->column_count; ++j) write_number(file, row->values[j]);
    }
    fprintf(file, "\n");
    write_versions(table, file);
}

static void write_csv(const Table *table, const char *folder)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s.csv", folder, table->id);
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        fprintf(stderr, "cannot write %s\n", path);
        exit(1);
    }
    fprintf(file, "simulator,settings");
    for (int i = 0; i < table->column_count; ++i) fprintf(file, ",\"%s\"", table->columns[i].name);
    for (int i = 0; i < table->row_count; ++i) {
        const Row *row = &table->rows[i];
        fprintf(file, "\n%s,%s", row->entrant.peer->name,
                row->entrant.peer->variants[row->entrant.variant].name);
        for (int j = 0; j < table->column_count; ++j) fprintf(file, ",%.6g", row->values[j]);
    }
    fprintf(file, "\n");
    fclose(file);
}

void table_write(Table *table, const Report *report)
{
    sort_rows(table);
    write_losses(table, report->losses, "- ");
    write_markdown(table, report->tables);
    write_markdown(table, stdout);
    fflush(stdout);
    write_csv(table, report->folder);
}

bool report_wants(const Report *report, const char *id)
{
    return report->only == NULL || strncmp(id, report->only, strlen(report->only)) == 0;
}

void report_progress(const char *format, ...)
{
    static double start = 0.0;
    if (start == 0.0) start = clock_wall();
    const int seconds = (int)(clock_wall() - start);
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "[%3d:%02d] ", seconds / 60, seconds % 60);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
}
