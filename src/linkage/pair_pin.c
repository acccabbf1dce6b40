// Pairs about points: revolute, fixed, rod; and gears, which have none.
#include <math.h>
#include <string.h>

#include "linkage/pair.h"

static void pin_rows(const Arms *arms, PairRow *rows)
{
    sti_pair_row((StiVec2){1.0, 0.0}, arms->body, arms->other, &rows[0]);
    sti_pair_row((StiVec2){0.0, 1.0}, arms->body, arms->other, &rows[1]);
    rows[0].C = arms->d.x;
    rows[1].C = arms->d.y;
    rows[0].gamma = arms->centripetal.x;
    rows[1].gamma = arms->centripetal.y;
}

static PairRow turning(double ratio, double C)
{
    return (PairRow){.J = {0.0, 0.0, 1.0, 0.0, 0.0, ratio}, .C = C};
}

static void measure_revolute(const StiPlanarPair *pair, double reference, const Posture *body,
                             const Posture *other, PairRow *rows, PairRow *coordinate)
{
    (void)reference;
    const Arms arms = sti_pair_arms(pair, body, other);
    pin_rows(&arms, rows);
    *coordinate = turning(-1.0, body->angle - other->angle);
}

static void measure_fixed(const StiPlanarPair *pair, double reference, const Posture *body,
                          const Posture *other, PairRow *rows, PairRow *coordinate)
{
    (void)coordinate;
    const Arms arms = sti_pair_arms(pair, body, other);
    pin_rows(&arms, rows);
    rows[2] = turning(-1.0, body->angle - other->angle - reference);
}

static void measure_gear(const StiPlanarPair *pair, double reference, const Posture *body,
                         const Posture *other, PairRow *rows, PairRow *coordinate)
{
    (void)coordinate;
    rows[0] = turning(pair->ratio, body->angle + pair->ratio * other->angle - reference);
}

static void measure_rod(const StiPlanarPair *pair, double reference, const Posture *body,
                        const Posture *other, PairRow *rows, PairRow *coordinate)
{
    (void)reference, (void)coordinate;
    const Arms arms = sti_pair_arms(pair, body, other);
    const double size = sqrt(vec2_dot(arms.d, arms.d));
    const StiVec2 e = size > 0.0 ? vec2_scale(1.0 / size, arms.d) : (StiVec2){1.0, 0.0};
    const double across = vec2_dot(vec2_turn(e), arms.rate);
    sti_pair_row(e, arms.body, arms.other, &rows[0]);
    rows[0].C = size - pair->length;
    rows[0].gamma = vec2_dot(e, arms.centripetal) - (size > 0.0 ? across * across / size : 0.0);
}

const PairKind sti_pair_revolute = {.name = "revolute",
                                    .rows = 2,
                                    .slides = true,
                                    .labels = {"x", "y"},
                                    .units = {"m", "m"},
                                    .measure = measure_revolute};
const PairKind sti_pair_fixed = {.name = "fixed",
                                 .rows = 3,
                                 .labels = {"x", "y", "angle"},
                                 .units = {"m", "m", "rad"},
                                 .measure = measure_fixed};
const PairKind sti_pair_rod = {
    .name = "rod", .rows = 1, .labels = {"length"}, .units = {"m"}, .measure = measure_rod};
const PairKind sti_pair_gear = {
    .name = "gear", .rows = 1, .labels = {"angle"}, .units = {"rad"}, .measure = measure_gear};
