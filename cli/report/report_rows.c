#include "report/report_rows.h"

#include <stdlib.h>
#include <string.h>

#include "report/json.h"
#include "terminal/text.h"

static const int64_t most_values = 4000000; // in memory at any time: 32 MB

Rows rows_create(int columns, bool full)
{
    Rows rows = {.columns = columns, .full = full, .capacity = most_values / columns};
    if (full || rows.capacity < 64) rows.capacity = full ? 1024 : 64;
    rows.values = take((size_t)(rows.capacity * columns), sizeof *rows.values);
    return rows;
}

void rows_release(Rows *rows) { free(rows->values); }

static void grow(Rows *rows)
{
    double *values = take((size_t)(2 * rows->capacity * rows->columns), sizeof *values);
    memcpy(values, rows->values, (size_t)(rows->count * rows->columns) * sizeof *values);
    free(rows->values);
    rows->values = values;
    rows->capacity *= 2;
}

void rows_add(Rows *rows, const double *row)
{
    if (rows->count == rows->capacity && !rows->full) rows_thin(rows, rows->capacity / 2);
    if (rows->count == rows->capacity) grow(rows);
    memcpy(rows->values + rows->count * rows->columns, row, (size_t)rows->columns * sizeof *row);
    ++rows->count;
    ++rows->seen;
}

// Keeps the extremes of one column among the rows of a bucket.
static void mark_extremes(const Rows *rows, int64_t from, int64_t to, int column, bool *kept)
{
    const double *values = rows->values + column;
    int64_t least = from, greatest = from;
    for (int64_t i = from + 1; i < to; ++i) {
        if (values[i * rows->columns] < values[least * rows->columns]) least = i;
        if (values[i * rows->columns] > values[greatest * rows->columns]) greatest = i;
    }
    kept[least] = kept[greatest] = true;
}

static int64_t mark(const Rows *rows, int64_t buckets, bool *kept)
{
    int64_t sum = 0;
    memset(kept, 0, (size_t)rows->count * sizeof *kept);
    for (int64_t bucket = 0; bucket < buckets; ++bucket) {
        const int64_t from = rows->count * bucket / buckets;
        const int64_t to = rows->count * (bucket + 1) / buckets;
        for (int column = 1; column < rows->columns; ++column)
            mark_extremes(rows, from, to, column, kept);
    }
    kept[0] = kept[rows->count - 1] = true;
    for (int64_t i = 0; i < rows->count; ++i) sum += kept[i];
    return sum;
}

static void keep_marked(Rows *rows, const bool *kept)
{
    int64_t count = 0;
    for (int64_t i = 0; i < rows->count; ++i) {
        if (!kept[i]) continue;
        memmove(rows->values + count * rows->columns, rows->values + i * rows->columns,
                (size_t)rows->columns * sizeof *rows->values);
        ++count;
    }
    rows->count = count;
}

// As many buckets as give few enough rows: columns that move alike share their extremes.
void rows_thin(Rows *rows, int64_t most)
{
    if (rows->full || rows->count <= most) return;
    bool *kept = take((size_t)rows->count, sizeof *kept);
    int64_t buckets = most / 2 > 0 ? most / 2 : 1;
    while (mark(rows, buckets, kept) > most && buckets > 1) buckets -= (buckets + 3) / 4;
    keep_marked(rows, kept);
    free(kept);
}

void rows_json(const Rows *rows, FILE *file)
{
    double *columns = take((size_t)(rows->count * rows->columns), sizeof *columns);
    for (int64_t i = 0; i < rows->count; ++i)
        for (int column = 0; column < rows->columns; ++column)
            columns[column * rows->count + i] = rows->values[i * rows->columns + column];
    json_bytes(file, columns, (size_t)(rows->count * rows->columns) * sizeof *columns);
    free(columns);
}
