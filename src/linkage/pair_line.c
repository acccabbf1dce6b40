// Pairs along a line of the other body: prismatic, slot, disc, rolling.
#include "linkage/pair.h"

#include <math.h>

// The line: along and across it, world axes.
typedef struct Line {
    StiVec2 u, n;
} Line;

static Line line_of(const StiPlanarPair *pair, const Posture *other)
{
    StiVec2 along;
    sti_sincos(pair->direction, &along.y, &along.x);
    const StiVec2 u = posture_rotate(other, along);
    return (Line){u, vec2_turn(u)};
}

// Distance of body's point from the line. The other body is met where the point is now, so its arm
// reaches there.
static void across_row(const Arms *arms, const Line *line, double rate, double height, PairRow *row)
{
    const StiVec2 reach = vec2_add(arms->other, arms->d);
    sti_pair_row(line->n, arms->body, reach, row);
    row->C = vec2_dot(line->n, arms->d) - height;
    row->gamma = vec2_dot(line->n, arms->centripetal) + 2.0 * rate * vec2_dot(line->u, arms->rate) +
                 rate * rate * vec2_dot(line->n, arms->d);
}

// Path along the line, measured at a point that is height below body's point.
static void along_row(const Arms *arms, const Line *line, const Posture *body, const Posture *other,
                      double height, PairRow *row)
{
    const StiVec2 below = vec2_scale(-height, line->n);
    const double rate = other->rate;
    sti_pair_row(line->u, vec2_add(arms->body, below),
                 vec2_add(vec2_add(arms->other, arms->d), below), row);
    row->C = vec2_dot(line->u, arms->d) + height * (body->angle - other->angle);
    row->gamma = vec2_dot(line->u, arms->centripetal) - 2.0 * rate * vec2_dot(line->n, arms->rate) +
                 rate * rate * vec2_dot(line->u, arms->d);
}

static void measure_slot(const StiPlanarPair *pair, double reference, const Posture *body,
                         const Posture *other, PairRow *rows, PairRow *coordinate)
{
    (void)reference;
    const Arms arms = sti_pair_arms(pair, body, other);
    const Line line = line_of(pair, other);
    across_row(&arms, &line, other->rate, 0.0, &rows[0]);
    along_row(&arms, &line, body, other, 0.0, coordinate);
}

static void measure_prismatic(const StiPlanarPair *pair, double reference, const Posture *body,
                              const Posture *other, PairRow *rows, PairRow *coordinate)
{
    measure_slot(pair, reference, body, other, rows, coordinate);
    rows[1] = (PairRow){.J = {0.0, 0.0, 1.0, 0.0, 0.0, -1.0},
                        .C = body->angle - other->angle - reference};
}

static void measure_disc(const StiPlanarPair *pair, double reference, const Posture *body,
                         const Posture *other, PairRow *rows, PairRow *coordinate)
{
    (void)reference;
    const Arms arms = sti_pair_arms(pair, body, other);
    const Line line = line_of(pair, other);
    across_row(&arms, &line, other->rate, pair->radius, &rows[0]);
    along_row(&arms, &line, body, other, pair->radius, coordinate);
}

static void measure_rolling(const StiPlanarPair *pair, double reference, const Posture *body,
                            const Posture *other, PairRow *rows, PairRow *coordinate)
{
    (void)coordinate;
    measure_disc(pair, reference, body, other, rows, &rows[1]);
    rows[1].C -= reference;
}

const PairKind sti_pair_prismatic = {.name = "prismatic",
                                     .rows = 2,
                                     .slides = true,
                                     .labels = {"across", "angle"},
                                     .units = {"m", "rad"},
                                     .measure = measure_prismatic};
const PairKind sti_pair_slot = {.name = "slot",
                                .rows = 1,
                                .slides = true,
                                .labels = {"across"},
                                .units = {"m"},
                                .measure = measure_slot};
const PairKind sti_pair_disc = {.name = "disc",
                                .rows = 1,
                                .slides = true,
                                .labels = {"across"},
                                .units = {"m"},
                                .measure = measure_disc};
const PairKind sti_pair_rolling = {.name = "rolling",
                                   .rows = 2,
                                   .labels = {"across", "along"},
                                   .units = {"m", "m"},
                                   .measure = measure_rolling};
