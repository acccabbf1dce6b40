// Private: a column of a CSV file as a function of time.
#ifndef STICTION_SCENE_TABLE_H
#define STICTION_SCENE_TABLE_H

#include "base/arena.h"
#include "stiction/scene.h"

typedef struct Table {
    int count;
    const double *t; // strictly increasing
    const double *x;
    bool hold; // the last value holds; else linear in between
} Table;

// NULL after writing what is wrong (file, line, column of the CSV) to error. time NULL: the first column.
const Table *scene_table_read(const char *path, const char *time, const char *column, bool hold,
                              StiArena *arena, char *error, size_t error_size);
int scene_table_row(const Table *table, double t); // the last at or before t; -1 before the first
double scene_table_value(const Table *table, double t);
double scene_table_rate(const Table *table, double t); // right derivative; 0 outside and for hold

#endif
