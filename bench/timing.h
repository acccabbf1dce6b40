// For programs that measure: clocks that only run forward, and the median.
#ifndef STICTION_BENCH_TIMING_H
#define STICTION_BENCH_TIMING_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // clock_gettime; so include this file first
#endif

#include <stdlib.h>
#include <time.h>

static inline double timing_read(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static inline double timing_nanoseconds(void) { return timing_read(CLOCK_MONOTONIC); }
// Of the processor, for long measurements: others may use the machine, too.
static inline double timing_processor_nanoseconds(void)
{
    return timing_read(CLOCK_PROCESS_CPUTIME_ID);
}

static inline int timing_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Sorts the values.
static inline double timing_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, timing_compare);
    return count % 2 == 1 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

#endif
