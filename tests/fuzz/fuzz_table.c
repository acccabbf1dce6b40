// Any bytes as a CSV file.
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "expression/table.h"

// Finite everywhere, and no value outside of those in the table.
static void look_up(const Table *table)
{
    const double ends[] = {-1e300, table->t[0], table->t[table->count - 1], 1e300};
    for (int i = 0; i < 4; ++i)
        if (!isfinite(scene_table_value(table, ends[i]))) abort();
    for (int i = 0; i < table->count; ++i)
        if (scene_table_value(table, table->t[i]) != table->x[i]) abort();
    scene_table_rate(table, table->t[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const times[] = {NULL, "t", "time"};
    static int file = -1;
    if (file < 0) file = memfd_create("table", 0);
    if (file < 0 || ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != (ssize_t)size)
        abort();
    char path[64], error[200];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    for (int i = 0; i < 3; ++i) {
        StiArena arena = {0};
        error[0] = '\0';
        const Table *table = scene_table_read(path, times[i], i == 0 ? "force" : "x", i == 1,
                                              &arena, error, sizeof error);
        if (table != NULL) look_up(table);
        if (table == NULL && error[0] == '\0') abort();
        sti_arena_release(&arena);
    }
    return 0;
}
