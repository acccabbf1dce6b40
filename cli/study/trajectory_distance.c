// Trajectories as data: their times, how far they are from each other, their end.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/trajectory.h"

double trajectory_time(const Trajectory *trajectory, int64_t row)
{
    return trajectory->rows.values[row * trajectory->rows.columns];
}

static bool same_time(double a, double b, double step) { return fabs(a - b) < 1e-6 * step; }

void trajectory_release(Trajectory *trajectory)
{
    for (int i = 0; i < trajectory->count; ++i) free(trajectory->names[i]);
    free(trajectory->names);
    free(trajectory->is_rate);
    rows_release(&trajectory->rows);
    *trajectory = (Trajectory){0};
}

static int column_of(const Trajectory *trajectory, const char *name)
{
    for (int i = 0; i < trajectory->count; ++i)
        if (strcmp(trajectory->names[i], name) == 0) return i + 1;
    return -1;
}

static double row_distance(const Trajectory *trajectory, int64_t row, const Trajectory *reference,
                           int64_t reference_row, double scale)
{
    const double *ours = trajectory->rows.values + row * trajectory->rows.columns;
    const double *exact = reference->rows.values + reference_row * reference->rows.columns;
    double sum = 0.0;
    for (int i = 0; i < trajectory->count; ++i) {
        const int column = column_of(reference, trajectory->names[i]);
        if (column < 0) return NAN;
        sum = hypot(sum, (ours[i + 1] - exact[column]) / (trajectory->is_rate[i] ? scale : 1.0));
    }
    return sum;
}

Distance trajectory_distance(const Trajectory *trajectory, const Trajectory *reference,
                             double scale)
{
    Distance distance = {.end = NAN};
    int64_t j = 0;
    for (int64_t i = 0; i < trajectory->rows.count; ++i) {
        const double t = trajectory_time(trajectory, i);
        while (j < reference->rows.count &&
               trajectory_time(reference, j) < t - 1e-6 * trajectory->step)
            ++j;
        distance.end = NAN;
        if (j == reference->rows.count) break;
        if (!same_time(t, trajectory_time(reference, j), trajectory->step)) continue;
        distance.end = row_distance(trajectory, i, reference, j, scale);
        if (!isnan(distance.greatest) && !(distance.end <= distance.greatest))
            distance.greatest = distance.end; // what is not known is not small
    }
    return distance;
}
