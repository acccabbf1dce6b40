// A measured level: piecewise linear between points, constant beyond the last.
#include <math.h>

#include "stiction/law.h"

static const double *levels(const StiLaw *law) { return law->table + law->table_points; }

// The last point at or below the speed.
static int point_below(const StiLaw *law, double speed)
{
    int low = 0, high = law->table_points;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (law->table[middle] <= speed)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static double rise(const StiLaw *law, int i)
{
    const double *speeds = law->table;
    return (levels(law)[i + 1] - levels(law)[i]) / (speeds[i + 1] - speeds[i]);
}

static double level(const StiLaw *law, const StiSlip *slip)
{
    const int i = point_below(law, slip->speed);
    if (i + 1 == law->table_points) return levels(law)[i] * slip->load;
    return (levels(law)[i] + rise(law, i) * (slip->speed - law->table[i])) * slip->load;
}

// At a point: the slope towards higher speeds.
static double slope(const StiLaw *law, const StiSlip *slip)
{
    const int i = point_below(law, slip->speed);
    return i + 1 == law->table_points ? 0.0 : rise(law, i) * slip->load;
}

StiLaw sti_law_table(const double *table, int points)
{
    return (StiLaw){.kind = &sti_law_kind_table, .table = table, .table_points = points};
}

static void check_point(const StiLaw *law, int i, const StiCheck *check)
{
    const double *speeds = law->table;
    if (!isfinite(speeds[i]) || !isfinite(levels(law)[i]))
        sti_check_error(check, "table", speeds[i], "point %d (speed %g, level %g) is not finite", i,
                        speeds[i], levels(law)[i]);
    else if (levels(law)[i] < 0.0)
        sti_check_error(check, "table", levels(law)[i],
                        "level %g at speed %g is negative: a level is at least 0", levels(law)[i],
                        speeds[i]);
    if (i > 0 && !(speeds[i] > speeds[i - 1]))
        sti_check_error(check, "table", speeds[i],
                        "speed %g follows %g: speeds increase from point to point", speeds[i],
                        speeds[i - 1]);
}

static void check(const StiLaw *law, const StiCheck *check)
{
    if (law->table == NULL || law->table_points < 1) {
        sti_check_error(check, "table", law->table_points,
                        "the table is empty: it needs at least the level at speed 0");
        return;
    }
    if (law->table[0] != 0.0)
        sti_check_error(check, "table", law->table[0], "the first speed is %g: it must be 0",
                        law->table[0]);
    for (int i = 0; i < law->table_points; ++i) check_point(law, i, check);
}

static const StiExplanation explanation = {
    .equations = "F(v): straight lines between [speed, level] pairs, constant beyond the last\n",
    .use = "Measured curves.",
    .source = "[fixed-step] (16): any curve of the speed.",
};

static const StiLaw example = {.kind = &sti_law_kind_table, .table = (const double[]){0.0, 0.1, 1.0, 2.5, 2.0, 3.0}, .table_points = 3};

const StiLawKind sti_law_kind_table = {
    .table_size = sizeof(StiLawKind),
    .name = "table",
    .summary = "piecewise linear in the speed",
    .table = true,
    .level = level,
    .slope = slope,
    .check = check,
    .explanation = &explanation,
    .example = &example,
};
