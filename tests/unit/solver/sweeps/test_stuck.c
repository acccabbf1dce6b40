#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "support/rubbing.h"
#include "support/near.h"
#include "support/plan.h"
#include "support/short.h"

// Every reaction flagged as stuck, without resistance yet, at random velocities.
static Built all_stuck(Random *random, const Rubbing *p)
{
    StiAdmittanceId mass[RUBBING_MASSES];
    Built built = build_and_destroy(rubbing_plan(random, p, mass));
    sti_run(built.network, NULL, built.state, built.scratch, 1); // for W
    ReactionData *data = built.scratch->reactions;
    for (int i = 0; i < p->masses; ++i)
        for (int d = 0; d < p->dim; ++d)
            velocity(&built, mass[i])[d] = random_between(random, -1.0, 1.0);
    memcpy(built.scratch->end.x, built.state->values,
           (size_t)built.network->x_count * sizeof(double));
    sti_psi(built.network, &built.scratch->end);
    for (int i = 0; i < p->reactions; ++i) {
        const Reaction *e = &built.network->reactions[i];
        data->answers[i] = (StiReactionAnswer){.stuck = true};
        memcpy(data->rate + e->row, built.scratch->end.velocity + e->wire.v,
               (size_t)e->size.dim * sizeof(double));
    }
    return built;
}

static void levels_that_hold_bring_all_rows_to_rest(void **state)
{
    (void)state;
    const uint64_t seeds = (uint64_t)steps_or(500, 60);
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
        Random random = {seed};
        const Rubbing p = {1 + random_below(&random, 3),
                           1 + random_below(&random, 12),
                           1 + random_below(&random, 36),
                           1e5,
                           1e6,
                           0.0,
                           1};
        Built built = all_stuck(&random, &p);
        sti_solve_stuck(built.network, built.scratch);
        for (int i = 0; i < built.network->row_count; ++i)
            assert_near(built.scratch->reactions->rate[i], 0.0, 1e-13);
        release(&built);
    }
}

static double length(int dim, const double *r)
{
    double sum = 0.0;
    for (int i = 0; i < dim; ++i) sum += r[i] * r[i];
    return sqrt(sum);
}

// 1/2 r.T W r - r.vbar, which all of this makes smaller.
static double dual(const Built *built, const double *start)
{
    const ReactionData *data = built->scratch->reactions;
    double sum = 0.0;
    for (int i = 0; i < built->network->reaction_count; ++i)
        for (int d = 0; d < built->network->reactions[i].size.dim; ++d) {
            const int row = built->network->reactions[i].row + d;
            sum -= 0.5 * data->answers[i].r[d] * (data->rate[row] + start[row]);
        }
    return sum;
}

static void limits_are_kept_and_the_way_leads_down(void **state)
{
    (void)state;
    int at_limit = 0;
    const int seeds = (int)steps_or(500, 60);
    for (uint64_t seed = 1; seed <= (uint64_t)seeds; ++seed) {
        Random random = {seed};
        const Rubbing p = {1 + random_below(&random, 3),
                           1 + random_below(&random, 12),
                           1 + random_below(&random, 36),
                           0.1,
                           1e3,
                           0.0,
                           1};
        Built built = all_stuck(&random, &p);
        const ReactionData *data = built.scratch->reactions;
        double start[RUBBING_ROWS];
        memcpy(start, data->rate, (size_t)built.network->row_count * sizeof *start);
        sti_solve_stuck(built.network, built.scratch);
        for (int i = 0; i < p.reactions; ++i) {
            const StiFiniteTime *rule = built.network->reactions[i].parameters;
            const double r = length(p.dim, data->answers[i].r), limit = rule->law.p[0];
            assert_true(r <= limit * (1.0 + 1e-12));
            at_limit += r > limit * (1.0 - 1e-12);
        }
        assert_true(dual(&built, start) < 0.0);
        release(&built);
    }
    assert_true(at_limit > seeds);
}

// The rates that are kept are those of the resistances: vbar - T W r.
static void rates_follow_the_resistances(void **state)
{
    (void)state;
    static double W[RUBBING_ROWS][RUBBING_ROWS];
    Random random = {9};
    const Rubbing p = {2, 8, 20, 0.1, 1e3, 0.0, 1};
    Built built = all_stuck(&random, &p);
    const ReactionData *data = built.scratch->reactions;
    double expected[RUBBING_ROWS];
    memcpy(expected, data->rate, (size_t)built.network->row_count * sizeof *expected);
    sti_solve_stuck(built.network, built.scratch);
    dense_W(&built, W);
    for (int i = 0; i < built.network->row_count; ++i) {
        for (int j = 0; j < p.reactions; ++j)
            for (int d = 0; d < 2; ++d)
                expected[i] -=
                    1e-2 * W[i][built.network->reactions[j].row + d] * data->answers[j].r[d];
        assert_near(data->rate[i], expected[i], 1e-13);
    }
    release(&built);
}

// Masses 0 - 1 - 2 - 3 in a row, ground and a belt; which of the joints hold is up to the case.
typedef struct Line {
    Built built;
    StiAdmittanceId mass[4];
} Line;

enum { GROUND_0, PAIR_01, PAIR_12, PAIR_23, BELT_3 };

static void constant_belt(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace;
    values[0] = 0.7 * t;
    values[1] = 0.7;
}

static Line row_of_masses(unsigned holding)
{
    StiPlan *plan = plan_in_stages();
    Line row;
    const StiAdmittanceId belt =
        sti_plan_add_motion(plan, "belt", 1, (StiTimeFunction){.count = 2, .eval = constant_belt});
    for (int i = 0; i < 4; ++i)
        row.mass[i] =
            add_moving_mass(plan, (char[]){'m', (char)('0' + i), '\0'}, 1.0 + i, 0.1 * (i + 1));
    const StiWire wires[5] = {sti_wire_coordinate(row.mass[0], 0, 1),
                              sti_wire_coordinate_pair(row.mass[0], 0, row.mass[1], 0, 1),
                              sti_wire_coordinate_pair(row.mass[1], 0, row.mass[2], 0, 1),
                              sti_wire_coordinate_pair(row.mass[2], 0, row.mass[3], 0, 1),
                              sti_wire_coordinate_pair(row.mass[3], 0, belt, 0, 1)};
    for (int i = 0; i < 5; ++i)
        add_rule(plan, (char[]){'f', (char)('0' + i), '\0'}, wires[i],
                 sti_law_coulomb(holding >> i & 1u ? 1e4 : 1e-3), 0.0);
    row.built = build_and_destroy(plan);
    assert_steps(&row.built, NULL);
    return row;
}

static double speed(const Line *row, int i) { return *velocity(&row->built, row->mass[i]); }

static void zero_spreads_from_the_ground(void **state)
{
    (void)state;
    Line row = row_of_masses(1u << GROUND_0 | 1u << PAIR_01 | 1u << PAIR_12);
    for (int i = 0; i < 3; ++i) assert_true(speed(&row, i) == 0.0);
    assert_true(speed(&row, 3) > 0.3);
    release(&row.built);
}

static void a_belts_velocity_spreads(void **state)
{
    (void)state;
    Line row = row_of_masses(1u << BELT_3 | 1u << PAIR_23);
    assert_true(speed(&row, 3) == 0.7 && speed(&row, 2) == 0.7);
    assert_true(speed(&row, 1) < 0.3);
    release(&row.built);
}

static void a_group_that_floats_has_one_velocity(void **state)
{
    (void)state;
    Line row = row_of_masses(1u << PAIR_12 | 1u << PAIR_23);
    assert_true(speed(&row, 1) == speed(&row, 2) && speed(&row, 2) == speed(&row, 3));
    assert_near(speed(&row, 2), (2.0 * 0.2 + 3.0 * 0.3 + 4.0 * 0.4) / 9.0,
                1e-5); // 1 mN at its ends
    release(&row.built);
}

static void groups_do_not_touch_each_other(void **state)
{
    (void)state;
    Line row = row_of_masses(1u << PAIR_01 | 1u << PAIR_23);
    assert_true(speed(&row, 0) == speed(&row, 1) && speed(&row, 2) == speed(&row, 3));
    assert_true(speed(&row, 0) < 0.2 && speed(&row, 2) > 0.3);
    release(&row.built);
}

// In two dimensions each axis is assigned by itself.
static void every_axis_is_assigned(void **state)
{
    (void)state;
    Random random = {5};
    const Rubbing p = {3, 6, 30, 1e4, 1e5, 0.0, 1};
    StiAdmittanceId mass[RUBBING_MASSES];
    Built built = build_and_destroy(rubbing_plan(&random, &p, mass));
    assert_steps(&built, NULL);
    for (int i = 0; i < p.masses; ++i) // so many hold that all of them hang on the ground
        for (int d = 0; d < 3; ++d) assert_true(velocity(&built, mass[i])[d] == 0.0);
    release(&built);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_that_hold_bring_all_rows_to_rest),
        cmocka_unit_test(limits_are_kept_and_the_way_leads_down),
        cmocka_unit_test(rates_follow_the_resistances),
        cmocka_unit_test(zero_spreads_from_the_ground),
        cmocka_unit_test(a_belts_velocity_spreads),
        cmocka_unit_test(a_group_that_floats_has_one_velocity),
        cmocka_unit_test(groups_do_not_touch_each_other),
        cmocka_unit_test(every_axis_is_assigned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
