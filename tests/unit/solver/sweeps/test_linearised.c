#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "support/rubbing.h"
#include "support/near.h"
#include "support/plan.h"

// Largest change of velocity that one of the reactions would still make by itself.
static double unrest(const Built *built)
{
    const StiNetwork *n = built->network;
    const ReactionData *data = built->scratch->reactions;
    double most = 0.0;
    for (int i = 0; i < n->reaction_count; ++i) {
        const Reaction *e = &n->reactions[i];
        double vbar[STI_REACTION_DIM_MAX];
        const StiReactionProblem problem = sti_local_problem(n, built->scratch, i, vbar);
        StiReactionAnswer answer = {.r = {0.0}};
        assert_int_equal(e->kind->resolve(e->parameters, &problem, data->s + e->s, &answer),
                         STI_OK);
        for (int d = 0; d < e->size.dim; ++d)
            most = fmax(most, problem.T * problem.W[0] * fabs(answer.r[d] - data->answers[i].r[d]));
    }
    return most;
}

// All resistances off by a part of themselves, with the rates that follow.
static void disturb(Built *built, Random *random, double part)
{
    ReactionData *data = built->scratch->reactions;
    for (int i = 0; i < built->network->reaction_count; ++i) {
        double change[STI_REACTION_DIM_MAX] = {0.0};
        for (int d = 0; d < built->network->reactions[i].size.dim; ++d) {
            change[d] = part * random_between(random, -1.0, 1.0) * data->answers[i].r[d];
            data->answers[i].r[d] += change[d];
        }
        sti_change_resistance(built->network, built->scratch, i, change);
    }
}

// Near a solution in which nothing is about to change its mode, a step leaves the square of the
// error.
static void near_a_solution_one_step_is_almost_enough(void **state)
{
    (void)state;
    int good = 0;
    const int cases = 300;
    for (uint64_t seed = 1; seed <= (uint64_t)cases; ++seed) {
        Random random = {seed};
        StiAdmittanceId mass[RUBBING_MASSES];
        const Rubbing p = {1 + random_below(&random, 3),
                           2 + random_below(&random, 10),
                           2 + random_below(&random, 10),
                           0.1,
                           300.0,
                           0.0,
                           2};
        Built built = build_and_destroy(rubbing_plan(&random, &p, mass));
        assert_steps(&built, NULL);
        disturb(&built, &random, 1e-5);
        const double before = unrest(&built);
        assert_true(sti_solve_linearised(built.network, built.scratch));
        good += unrest(&built) <= 1e-3 * before;
        release(&built);
    }
    assert_true(good >= cases * 9 / 10);
}

// Stuck reactions alone: the system is linear, and a step solves it.
static void what_sticks_is_solved_at_once(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; ++seed) {
        Random random = {seed};
        StiAdmittanceId mass[RUBBING_MASSES];
        const Rubbing p = {1 + random_below(&random, 3), 4, 4, 1e4, 1e5, 0.0, 1};
        Built built = build_and_destroy(rubbing_plan(&random, &p, mass));
        assert_steps(&built, NULL);
        disturb(&built, &random, 1e-3);
        const double before = unrest(&built);
        assert_true(sti_solve_linearised(built.network, built.scratch));
        assert_true(unrest(&built) <= 1e-5 * before); // 1e-6 is what a redundant set is softened by
        release(&built);
    }
}

// At a constant level along one axis there is nothing to adjust.
static void a_constant_level_does_not_move(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId a = add_moving_mass(plan, "a", 1.0, 3.0),
                          b = add_moving_mass(plan, "b", 1.0, -3.0);
    add_rule(plan, "fa", sti_wire_coordinate(a, 0, 1), sti_law_coulomb(5.0), 0.0);
    add_rule(plan, "fab", sti_wire_coordinate_pair(a, 0, b, 0, 1), sti_law_coulomb(2.0), 0.0);
    Built built = build_and_destroy(plan);
    assert_steps(&built, NULL);
    assert_true(sti_solve_linearised(built.network, built.scratch));
    assert_near(built.scratch->reactions->answers[0].r[0], 5.0, 1e-12);
    assert_near(built.scratch->reactions->answers[1].r[0], 2.0, 1e-12);
    release(&built);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_a_solution_one_step_is_almost_enough),
        cmocka_unit_test(what_sticks_is_solved_at_once),
        cmocka_unit_test(a_constant_level_does_not_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
