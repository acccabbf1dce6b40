// W = J H^-1 J^T through prepare and respond, against the accelerations that eval gives.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "network/response.h"
#include "random_bodies.h"
#include "support/near.h"
#include "support/plan.h"

enum { WIRES = 10, ROWS = 3 * WIRES };

typedef struct Bench {
    Built built;
    StiArena arena;
    StageData now;
    Response response;
} Bench;

// A random network with a reaction on every wire, at a random motion.
static Bench random_bench(uint64_t seed)
{
    Random random = {seed};
    StiPlan *plan = plan_in_stages();
    StiAdmittanceId body[BODIES_MOST];
    const int bodies = 2 + random_below(&random, BODIES_MOST - 2);
    for (int i = 0; i < bodies; ++i)
        body[i] = add_random_body(plan, (char[]){'m', (char)('a' + i), '\0'}, &random);
    for (int i = 0; i < WIRES; ++i) {
        const int a = random_below(&random, bodies), b = random_below(&random, bodies + 1) - 1;
        const StiWire wire =
            random_wire(&random, body[a], b < 0 || b == a ? (StiAdmittanceId){-1} : body[b]);
        const int dim = velocities_of(&wire);
        sti_plan_add_reaction(plan, (char[]){'f', (char)('a' + i), '\0'}, &sti_kind_finite_time,
                              &(StiFiniteTime){.dim = dim, .law = sti_law_coulomb(1.0)}, &wire);
    }
    Bench bench = {.built = build_and_destroy(plan)};
    sti_stage_take(&bench.arena, bench.built.network, &bench.now);
    sti_response_take(&bench.arena, bench.built.network, &bench.response);
    for (int i = 0; i < bench.built.network->x_count; ++i)
        bench.now.x[i] = random_between(&random, -1.0, 1.0);
    sti_psi(bench.built.network, &bench.now);
    return bench;
}

static void close_bench(Bench *bench)
{
    sti_arena_release(&bench->arena);
    release(&bench->built);
}

// Accelerations of all bodies under the forces in now, into vdot (laid out like generalized).
static void accelerations(const Bench *bench, double *vdot)
{
    const StiNetwork *n = bench->built.network;
    for (int i = 0; i < n->admittance_count; ++i) {
        const Admittance *a = &n->admittances[i];
        const StiForce uhat = {bench->now.generalized + a->generalized,
                               bench->now.wrenches + a->link};
        double qdot[7], loads[4];
        a->kind->eval(a->parameters, &bench->now.stage, bench->now.x + a->q, bench->now.x + a->v,
                      NULL, &uhat, qdot, vdot + a->generalized, loads);
    }
}

// The velocities of all rows if the bodies moved with v + factor dv.
static void sense_rows(const Bench *bench, const double *dv, double factor, double *rows)
{
    const StiNetwork *n = bench->built.network;
    StiArena arena = {0};
    StageData other;
    sti_stage_take(&arena, n, &other);
    memcpy(other.x, bench->now.x, (size_t)n->x_count * sizeof *other.x);
    for (int i = 0; i < n->admittance_count; ++i) {
        const Admittance *a = &n->admittances[i];
        for (int d = 0; d < a->size.velocities; ++d)
            other.x[a->v + d] += factor * dv[a->generalized + d];
    }
    sti_psi(n, &other);
    for (int i = 0; i < n->reaction_count; ++i)
        memcpy(rows + n->reactions[i].row, other.velocity + n->reactions[i].wire.v,
               (size_t)n->reactions[i].size.dim * sizeof *rows);
    sti_arena_release(&arena);
}

// A row of W the long way round: forces through the wire, eval, motion back through all wires.
static void row_by_eval(const Bench *bench, const Wire *wire, int direction, double *rows)
{
    const StiNetwork *n = bench->built.network;
    double still[6 * BODIES_MOST], pushed[6 * BODIES_MOST], before[ROWS], after[ROWS],
        unit[3] = {0.0};
    const size_t generalized = (size_t)n->generalized_count * sizeof(double);
    const size_t wrenches = (size_t)n->link_count * sizeof(StiWrench);
    unit[direction] = 1.0;
    memset(bench->now.generalized, 0, generalized);
    memset(bench->now.wrenches, 0, wrenches);
    accelerations(bench, still);
    sti_wire_push(n, wire, &bench->now, unit, bench->now.generalized, bench->now.wrenches);
    accelerations(bench, pushed);
    for (int i = 0; i < n->generalized_count; ++i) pushed[i] -= still[i];
    sense_rows(bench, pushed, 0.0, before);
    sense_rows(bench, pushed, 1.0, after);
    for (int i = 0; i < n->row_count; ++i) rows[i] = before[i] - after[i]; // a unit resistance
}

static void W_is_what_eval_does(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; ++seed) {
        Bench bench = random_bench(seed);
        const StiNetwork *n = bench.built.network;
        int culprit;
        assert_int_equal(sti_response_prepare(n, &bench.now, NULL, &bench.response, &culprit),
                         STI_OK);
        for (int i = 0; i < n->reaction_count; ++i)
            for (int d = 0; d < n->reactions[i].size.dim; ++d) {
                const Wire *wire = &n->reactions[i].wire;
                double expected[ROWS], unit[3] = {0.0};
                unit[d] = 1.0;
                row_by_eval(&bench, wire, d, expected);
                sti_response_push(n, &bench.now, &bench.response, wire, unit);
                for (int j = 0; j < n->reaction_count; ++j) {
                    double x[3], rate[3];
                    sti_response_sense(n, &bench.now, &bench.response, wire, &n->reactions[j].wire,
                                       x, rate);
                    for (int e = 0; e < n->reactions[j].size.dim; ++e)
                        assert_near(-rate[e], expected[n->reactions[j].row + e], 1e-12);
                }
            }
        close_bench(&bench);
    }
}

// The wire as compile would place it.
static StiWire placed(const StiNetwork *n, StiWire wire)
{
    StiEnd *const ends[2] = {&wire.a, &wire.b};
    for (int i = 0; i < 2; ++i)
        ends[i]->admittance =
            ends[i]->body.number > 0 ? n->admittance_places[ends[i]->body.number - 1] : -1;
    return wire;
}

static void bodies_of_a_wire(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    const StiSourceId zero = sti_plan_add_input(plan, "zero", 1, NULL);
    const StiAdmittanceId a = add_mass(plan, "a", 1.0), b = add_mass(plan, "b", 1.0);
    const StiAdmittanceId hand =
        sti_plan_add_admittance(plan, "hand", &sti_kind_motion_source, &(StiMotionSource){.dim = 1});
    for (int i = 0; i < 2; ++i)
        sti_plan_connect_admittance(plan, sti_signal_source(zero, 0), hand, i);
    Built built = build_and_destroy(plan);
    const StiNetwork *n = built.network; // places are those of the names: a, b, hand
    int bodies[2];
    StiWire wire = placed(n, sti_wire_coordinate(a, 0, 1));
    assert_int_equal(sti_wire_bodies(n, &wire, bodies), 1);
    assert_int_equal(bodies[0], 0);
    wire = placed(n, sti_wire_coordinate_pair(b, 0, a, 0, 1));
    assert_int_equal(sti_wire_bodies(n, &wire, bodies), 2);
    assert_true(bodies[0] == 1 && bodies[1] == 0);
    wire = placed(n, sti_wire_coordinate_pair(hand, 0, b, 0, 1));
    assert_int_equal(sti_wire_bodies(n, &wire, bodies), 1);
    assert_int_equal(bodies[0], 1);
    wire = placed(n, sti_wire_coordinate_pair(a, 0, a, 0, 1));
    assert_int_equal(sti_wire_bodies(n, &wire, bodies), 1);
    wire = placed(n, sti_wire_coordinate(hand, 0, 1));
    assert_int_equal(sti_wire_bodies(n, &wire, bodies), 0);
    release(&built);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(W_is_what_eval_does),
        cmocka_unit_test(bodies_of_a_wire),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
