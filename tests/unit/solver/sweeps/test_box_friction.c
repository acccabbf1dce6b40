#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/rubbing.h"
#include "rows/least_norm.h"
#include "solver/sweeps/box_friction.h"
#include "support/near.h"
#include "support/plan.h"
#include "support/short.h"

// Masses on a line that rub on the ground and on each other, after one step.
static Built rubbed(Random *random, const Rubbing *p)
{
    StiAdmittanceId mass[RUBBING_MASSES];
    Built built = build_and_destroy(rubbing_plan(random, p, mass));
    assert_steps(&built, NULL);
    return built;
}

// Within the limit; at rest unless at the limit; never pushed along its own motion.
static void assert_conditions(const Built *built)
{
    const StiNetwork *n = built->network;
    const ReactionData *data = built->scratch->reactions;
    double scale = 0.0;
    for (int i = 0; i < n->row_count; ++i) scale = fmax(scale, fabs(data->free_rate[i]));
    for (int i = 0; i < n->row_count; ++i) {
        const StiFiniteTime *p = n->reactions[i].parameters;
        const double limit = sti_law_level(&p->law, 0.0, 1.0, NULL);
        const double r = data->answers[i].r[0], v = data->rate[i];
        assert_true(fabs(r) <= limit * (1.0 + 1e-11));
        if (data->answers[i].stuck)
            assert_near(v, 0.0, 1e-11 * scale);
        else
            assert_true(r == copysign(limit, v));
    }
}

// If neither all slide nor all stick, the cone solver is asked once.
static void modes_are_found_without_sweeps(void **state)
{
    (void)state;
    const int seeds = (int)steps_or(3000, 300);
    int together = 0, direct = 0, stuck = 0, slipping = 0, asked = 0;
    for (int seed = 1; seed <= seeds; ++seed) {
        Random random = {(uint64_t)seed};
        const Rubbing p = {1,
                           1 + random_below(&random, 12),
                           2 + random_below(&random, 30),
                           seed % 2 == 0 ? 0.1 : 10.0,
                           seed % 3 == 0 ? 300.0 : 30.0,
                           0.0,
                           1};
        Built built = rubbed(&random, &p);
        const StiStepFigures figures = sti_scratch_figures(built.scratch);
        together += built.network->coupled;
        direct += built.network->coupled && figures.sweeps == 0;
        asked += figures.limit_rounds == 2;
        assert_conditions(&built);
        for (int i = 0; i < built.network->row_count; ++i)
            *(built.scratch->reactions->answers[i].stuck ? &stuck : &slipping) += 1;
        release(&built);
    }
    assert_true(direct == together && together > seeds / 2);
    assert_true(asked > seeds / 10);
    assert_true(stuck > seeds && slipping > seeds);
}

// Rates follow from the forces, whichever way these were found.
static void sweeps_find_the_same_motion(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; ++seed) {
        Random random = {seed}, again = {seed};
        const Rubbing p = {1, 2 + (int)(seed % 10), 3 + (int)(seed % 20), 1.0, 100.0, 0.0, 1};
        StiAdmittanceId mass[RUBBING_MASSES];
        Built direct = rubbed(&random, &p);
        Built swept = build_and_destroy(rubbing_plan(&again, &p, mass));
        swept.scratch->limits->W = NULL; // as for a network with too many rows
        assert_steps(&swept, NULL);
        assert_true(sti_scratch_figures(swept.scratch).sweeps > 0);
        for (int i = 0; i < p.masses; ++i)
            assert_near(*velocity(&direct, mass[i]), *velocity(&swept, mass[i]), 1e-11);
        release(&direct);
        release(&swept);
    }
}

// Three elements between one mass and the ground: what they hold together they share as their
// limits.
static void redundant_rows_take_equal_shares(void **state)
{
    (void)state;
    static const double limits[3] = {1.0, 2.0, 5.0};
    static const char *const names[3] = {"a", "b", "c"};
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId mass = add_mass(plan, "mass", 2.0);
    const StiWire wire = sti_wire_coordinate(mass, 0, 1);
    for (int i = 0; i < 3; ++i) add_rule(plan, names[i], wire, sti_law_coulomb(limits[i]), 0.0);
    add_input_force(plan, "push", "input", wire);
    Built built = build_and_destroy(plan);
    for (double push = -7.999; push < 8.0; push += 0.5) {
        assert_steps(&built, &push);
        assert_true(*velocity(&built, mass) == 0.0);
        for (int i = 0; i < 3; ++i) {
            const StiReactionAnswer *answer = &built.scratch->reactions->answers[i];
            const double limit =
                sti_law_level(&((const StiFiniteTime *)built.network->reactions[i].parameters)->law,
                              0.0, 1.0, NULL);
            assert_true(answer->stuck);
            assert_near(answer->r[0], push * limit / 8.0, 1e-13);
            assert_near(answer->ratio, fabs(push) / 8.0, 1e-13);
        }
    }
    const double more = 8.5; // all let go together
    assert_steps(&built, &more);
    for (int i = 0; i < 3; ++i) assert_false(built.scratch->reactions->answers[i].stuck);
    assert_near(*velocity(&built, mass), 1e-3 * 0.5 / 2.0, 1e-16);
    release(&built);
}

// Laws that depend on speed, planar friction and large networks are left to the sweeps.
static void other_networks_sweep(void **state)
{
    (void)state;
    Random random = {3};
    const Rubbing planar = {2, 3, 5, 1.0, 100.0, 0.0, 1}, many = {1, 12, 33, 1.0, 100.0, 0.0, 1};
    Built built = rubbed(&random, &planar);
    assert_null(built.scratch->limits->W);
    assert_true(sti_scratch_figures(built.scratch).sweeps > 0);
    release(&built);
    built = rubbed(&random, &many);
    assert_null(built.scratch->limits->W);
    release(&built);
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId mass = add_moving_mass(plan, "mass", 2.0, 1.0);
    for (int i = 0; i < 2; ++i)
        add_rule(plan, i == 0 ? "a" : "b", sti_wire_coordinate(mass, 0, 1),
                 sti_law_viscous(1.0, 2.0), 0.0);
    built = build_and_destroy(plan);
    assert_steps(&built, NULL);
    assert_true(sti_scratch_figures(built.scratch).sweeps > 0);
    assert_near(*velocity(&built, mass), (1.0 - 1e-3) / (1.0 + 2e-3), 1e-12);
    release(&built);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_are_found_without_sweeps),
        cmocka_unit_test(sweeps_find_the_same_motion),
        cmocka_unit_test(redundant_rows_take_equal_shares),
        cmocka_unit_test(other_networks_sweep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
