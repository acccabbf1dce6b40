#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "solver/sweeps/sweeps.h"
#include "support/near.h"
#include "support/plan.h"
#include "support/short.h"
#include "unit/network/random_bodies.h"

enum { REACTIONS = 12 };

static StiLaw random_law(Random *random, double level)
{
    switch (random_below(random, 3)) {
    case 0:
        return sti_law_coulomb(level);
    case 1:
        return sti_law_viscous(level, random_decades(random, 0.1, 100.0));
    default: // falls by at most 0.09 N s/m: T W of that stays below 1, and the solution is unique
        return sti_law_stribeck(level, 1.1 * level, level, 2.0, 0.1);
    }
}

// Bodies of all kinds with velocities, and reactions between them and to the ground.
static Built random_network(uint64_t seed)
{
    Random random = {seed};
    StiPlan *plan = plan_in_stages();
    StiAdmittanceId body[BODIES_MOST];
    const int bodies = 2 + random_below(&random, BODIES_MOST - 2);
    const int reactions = 2 + random_below(&random, REACTIONS - 2);
    for (int i = 0; i < bodies; ++i)
        body[i] = add_free_body(plan, (char[]){'m', (char)('a' + i), '\0'}, &random);
    for (int i = 0; i < reactions; ++i) {
        const int a = random_below(&random, bodies), b = random_below(&random, bodies + 1) - 1;
        const StiWire wire =
            random_wire(&random, body[a], b < 0 || b == a ? (StiAdmittanceId){-1} : body[b]);
        sti_plan_add_reaction(
            plan, (char[]){'f', (char)('a' + i), '\0'}, &sti_kind_finite_time,
            &(StiFiniteTime){.dim = velocities_of(&wire),
                             .law = random_law(&random, random_decades(&random, 0.1, 300.0))},
            &wire);
    }
    sti_plan_set_gravity(plan, random_vec3(&random, 10.0));
    sti_plan_set_step(plan, 1e-2);
    Built built = build_and_destroy(plan);
    for (int i = 0; i < bodies; ++i) {
        const int count =
            built.network->admittances[built.network->admittance_places[i]].size.velocities;
        for (int d = 0; d < count; ++d)
            velocity(&built, body[i])[d] = random_between(&random, -0.3, 0.3);
    }
    return built;
}

static double norm(int dim, const double *a)
{
    double sum = 0.0;
    for (int i = 0; i < dim; ++i) sum += a[i] * a[i];
    return sqrt(sum);
}

// Stuck: no velocity, and no more force than the level. Slipping: the level at that speed, along v.
// residual: what the step reports, m/s. The direct solve that ends the search takes stuck rows to
// zero; where they are almost redundant this moves slipping rows by up to the root of the rounding
// it removes.
static void assert_local_law(const Reaction *e, const StiReactionAnswer *answer, const double *v,
                             double W, double residual)
{
    const StiFiniteTime *p = e->parameters;
    const int dim = e->size.dim;
    const double r = norm(dim, answer->r), speed = norm(dim, v), T = 1e-2,
                 close = 1e-10 + 3.0 * residual;
    if (answer->stuck) {
        assert_near(speed, 0.0, 1e-13 + residual);
        assert_true(r <= sti_law_level(&p->law, 0.0, 1.0, NULL) * (1.0 + 1e-9));
    } else {
        const double level = sti_law_level(&p->law, speed, 1.0, NULL);
        assert_near(T * W * (r - level), 0.0, close);
        for (int d = 0; d < dim; ++d)
            assert_near(T * W * (answer->r[d] * speed - level * v[d]), 0.0, close);
    }
}

static void all_reactions_obey_their_laws_at_once(void **state)
{
    (void)state;
    int stuck = 0, slipping = 0, rough = 0;
    const uint64_t seeds = (uint64_t)steps_or(2000, 100);
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
        Built built = random_network(seed);
        const StiNetwork *n = built.network;
        for (int k = 0; k < 5; ++k) {
            assert_steps(&built, NULL);
            const ReactionData *data = built.scratch->reactions;
            const double residual = sti_scratch_figures(built.scratch).reaction_residual;
            rough += residual > 1e-12;
            for (int i = 0; i < n->reaction_count; ++i) {
                const Reaction *e = &n->reactions[i];
                const double W = data->W[sti_neighbour_block(e, 0)];
                assert_local_law(e, &data->answers[i], data->rate + e->row, W, residual);
                *(data->answers[i].stuck ? &stuck : &slipping) += 1;
            }
        }
        release(&built);
    }
    assert_true(stuck > (int)seeds && slipping > (int)seeds);
    assert_true(rough <= (int)seeds / 500); // settled to rounding in all but a few steps
}

// The rows' velocities are those of the bodies: vbar - T W r, through the wires.
static void rates_are_the_motion_of_the_bodies(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; ++seed) {
        Built built = random_network(seed);
        const StiNetwork *n = built.network;
        assert_steps(&built, NULL);
        StageData *now = &built.scratch->stages[0];
        for (int i = 0; i < n->admittance_count;
             ++i) { // positions of the start, velocities of the end
            const Admittance *a = &n->admittances[i];
            memcpy(now->x + a->v, built.state->values + a->v,
                   (size_t)a->size.velocities * sizeof(double));
        }
        sti_psi(n, now);
        for (int i = 0; i < n->reaction_count; ++i)
            for (int d = 0; d < n->reactions[i].size.dim; ++d)
                assert_near(now->velocity[n->reactions[i].wire.v + d],
                            built.scratch->reactions->rate[n->reactions[i].row + d], 1e-12);
        release(&built);
    }
}

// With static levels the elements that break away do so one after the other, the furthest first. Here
// both are beyond theirs: upper at 7.5 of 4 N, lower at 11 of 10 N. Once the upper one slips it
// carries 1 N, and the lower one holds; the other way round the upper one would hold.
static void the_furthest_beyond_its_level_breaks_first(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId a = add_mass(plan, "a", 1.0), b = add_mass(plan, "b", 1.0);
    const StiWire on_a = sti_wire_coordinate(a, 0, 1);
    const StiElementId lower = add_rule(plan, "lower", on_a, sti_law_coulomb(1.0), 10.0);
    const StiElementId upper =
        add_rule(plan, "upper", sti_wire_coordinate_pair(a, 0, b, 0, 1), sti_law_coulomb(1.0), 4.0);
    add_input_force(plan, "push_a", "input_a", on_a);
    add_input_force(plan, "push_b", "input_b", sti_wire_coordinate(b, 0, 1));
    Built built = build_and_destroy(plan);
    static const double forces[2] = {7.0, 12.0};
    assert_steps(&built, forces);
    assert_int_equal(sti_scratch_figures(built.scratch).releases, 1);
    assert_true(*discrete(&built, upper) == 1.0 && *discrete(&built, lower) == 0.0);
    assert_true(*velocity(&built, a) == 0.0);
    assert_near(*velocity(&built, b), 11e-3, 1e-16);
    release(&built);
}

// A reaction from outside the library that never answers twice alike: no two of them can agree.
static StiReactionSize one_row(const void *parameters)
{
    (void)parameters;
    return (StiReactionSize){.dim = 1};
}
static StiStatus hesitate(const void *parameters, const StiReactionProblem *problem,
                          const double *s, StiReactionAnswer *answer)
{
    (void)parameters, (void)s;
    answer->r[0] = sin(1e9 * problem->vbar[0] + 1.0);
    return STI_OK;
}
static const StiReactionKind hesitating = {.table_size = sizeof(StiReactionKind), .info = {.name = "hesitating",
                                                    .summary = "does not converge"},
                                           .size = one_row,
                                           .resolve = hesitate};

static void a_search_that_does_not_end_is_a_fault(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId a = add_moving_mass(plan, "a", 1.0, 1.0), b = add_mass(plan, "b", 1.0);
    const StiWire wires[2] = {sti_wire_coordinate(a, 0, 1),
                              sti_wire_coordinate_pair(a, 0, b, 0, 1)};
    sti_plan_add_reaction(plan, "good", &sti_kind_finite_time,
                          &(StiFiniteTime){.dim = 1, .law = sti_law_coulomb(1.0)}, &wires[0]);
    sti_plan_add_reaction(plan, "wild", &hesitating, NULL, &wires[0]);
    sti_plan_add_reaction(plan, "wilder", &hesitating, NULL, &wires[1]);
    Built built = build_and_destroy(plan);
    const uint64_t before = sti_state_hash(built.state);
    const StiStatus status = sti_step(built.network, NULL, built.state, built.scratch);
    assert_int_equal(status, STI_REACTIONS_UNSOLVED);
    assert_memory_equal(sti_scratch_fault(built.scratch)->component, "wild", 4);
    assert_true(sti_state_hash(built.state) == before);
    release(&built);
}

static void a_status_of_a_reaction_names_it(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId a = add_moving_mass(plan, "a", 1.0, 1.0),
                          b = add_moving_mass(plan, "b", 1.0, 1.0);
    add_rule(plan, "first", sti_wire_coordinate(a, 0, 1), sti_law_coulomb(1.0), 0.0);
    add_rule(plan, "second", sti_wire_coordinate(b, 0, 1), sti_law_coulomb(1.0), 0.0);
    Built built = build_and_destroy(plan);
    *velocity(&built, b) = INFINITY; // written between steps, by mistake
    const uint64_t before = sti_state_hash(built.state);
    assert_int_equal(sti_step(built.network, NULL, built.state, built.scratch),
                     STI_NOT_FINITE);
    assert_true(sti_state_hash(built.state) == before);
    *velocity(&built, b) = 1.0;
    assert_steps(&built, NULL);
    release(&built);
}

static void laws_with_several_solutions_are_counted(void **state)
{
    (void)state;
    const StiLaw steep = sti_law_stribeck(5.0, 8.0, 1e-4, 2.0, 0.0);
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId a = add_mass(plan, "a", 1.0), b = add_mass(plan, "b", 1.0);
    add_rule(plan, "ra", sti_wire_coordinate(a, 0, 1), steep, 0.0);
    add_rule(plan, "rb", sti_wire_coordinate(b, 0, 1), steep, 0.0);
    add_input_force(plan, "fa", "push_a", sti_wire_coordinate(a, 0, 1));
    add_input_force(plan, "fb", "push_b", sti_wire_coordinate(b, 0, 1));
    Built built = build_and_destroy(plan);
    static const double forces[3][2] = {{1.0, 1.0},
                                        {7.9, 1.0},
                                        {7.9, 7.9}}; // 7.9 N: stick and slip both
    for (int i = 0; i < 3; ++i) {
        *velocity(&built, a) = *velocity(&built, b) = 0.0;
        assert_steps(&built, forces[i]);
        assert_int_equal(sti_scratch_figures(built.scratch).several, i);
    }
    release(&built);
}

static void the_local_problem_leaves_out_its_own_resistance(void **state)
{
    (void)state;
    Built built = random_network(5);
    const StiNetwork *n = built.network;
    assert_steps(&built, NULL);
    const ReactionData *data = built.scratch->reactions;
    for (int i = 0; i < n->reaction_count; ++i) {
        const Reaction *e = &n->reactions[i];
        double vbar[3];
        const StiReactionProblem problem = sti_local_problem(n, built.scratch, i, vbar);
        for (int d = 0; d < e->size.dim; ++d) {
            double v = problem.vbar[d];
            for (int k = 0; k < e->size.dim; ++k)
                v -= problem.T * problem.W[d * e->size.dim + k] * data->answers[i].r[k];
            assert_near(v, data->rate[e->row + d], 1e-15);
        }
    }
    release(&built);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_reactions_obey_their_laws_at_once),
        cmocka_unit_test(rates_are_the_motion_of_the_bodies),
        cmocka_unit_test(the_furthest_beyond_its_level_breaks_first),
        cmocka_unit_test(a_search_that_does_not_end_is_a_fault),
        cmocka_unit_test(a_status_of_a_reaction_names_it),
        cmocka_unit_test(laws_with_several_solutions_are_counted),
        cmocka_unit_test(the_local_problem_leaves_out_its_own_resistance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
