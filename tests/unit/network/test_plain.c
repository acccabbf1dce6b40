#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "built.h"
#include "network/wires.h"
#include "stiction/actuator.h"
#include "support/plan.h"

typedef struct Masses {
    StiPlan *plan;
    StiAdmittanceId a, b;
} Masses;

// Friction on both, and a spring from b to the world.
static Masses masses(void)
{
    Masses m = {.plan = plan_in_stages()};
    m.a = add_moving_mass(m.plan, "a", 1.0, 0.1);
    m.b = add_moving_mass(m.plan, "b", 2.0, 0.7);
    add_rule(m.plan, "rule-a", sti_wire_coordinate(m.a, 0, 1), sti_law_coulomb(1.0), 0.0);
    add_rule(m.plan, "rule-b", sti_wire_coordinate(m.b, 0, 1), sti_law_coulomb(1.0), 0.0);
    add_spring(m.plan, "spring", sti_wire_coordinate(m.b, 0, 1), 3.0, 0.3);
    return m;
}

static StageData stage_of(const Built *built, StiArena *arena)
{
    StageData now;
    sti_stage_take(arena, built->network, &now);
    for (int i = 0; i < built->network->x_count; ++i) now.x[i] = built->state->values[i];
    for (int i = 0; i < built->network->xhat_velocities; ++i) now.u[i] = 1.0 / (3.0 + i);
    return now;
}

// What all wires push, one by one through their general way.
static void assert_pushed(const StiNetwork *n, const StageData *now)
{
    double force[8] = {0.0};
    assert_true(n->generalized_count <= 8);
    for (int i = 0; i < n->impedance_count; ++i)
        if (!n->impedances[i].kind->only_senses)
            sti_wire_push_any(n, &n->impedances[i].wire, now, now->u + n->impedances[i].wire.v,
                              force, now->wrenches);
    for (int i = 0; i < n->reaction_count; ++i)
        sti_wire_push_any(n, &n->reactions[i].wire, now, now->u + n->reactions[i].wire.v, force,
                          now->wrenches);
    for (int i = 0; i < n->generalized_count; ++i) assert_true(now->generalized[i] == force[i]);
}

static void assert_carries(StiPlan *plan, int plain, bool senses, bool pushes)
{
    StiArena arena = {0};
    Built built = build_and_destroy(plan);
    const StiNetwork *n = built.network;
    StageData now = stage_of(&built, &arena);
    assert_int_equal(n->plain_count, plain);
    assert_int_equal(n->senses_plainly, senses);
    assert_int_equal(n->pushes_plainly, pushes);
    sti_psi(n, &now);
    for (int i = 0; i < n->reaction_count; ++i) { // of the first body's own
        const Wire *wire = &n->reactions[i].wire;
        const Admittance *a = &n->admittances[wire->wire.a.admittance];
        assert_true(now.velocity[wire->v] == now.x[a->v] && now.velocity[wire->v] != 0.0);
        assert_true(now.position[wire->x] == now.x[a->q]);
    }
    sti_phi_all(n, &now);
    assert_pushed(n, &now);
    sti_arena_release(&arena);
    release(&built);
}

static void coordinates_against_the_world_are_listed(void **state)
{
    (void)state;
    assert_carries(masses().plan, 3, true, true);
}

static void those_between_bodies_are_not(void **state)
{
    (void)state;
    const Masses m = masses();
    add_spring(m.plan, "between", sti_wire_coordinate_pair(m.a, 0, m.b, 0, 1), 5.0, 0.5);
    assert_carries(m.plan, 3, false, false);
}

static void nor_those_of_motions(void **state)
{
    (void)state;
    const Masses m = masses();
    const StiSourceId motion = sti_plan_add_input(m.plan, "motion", 2, NULL);
    const StiAdmittanceId hand =
        sti_plan_add_admittance(m.plan, "hand", &sti_kind_motion_source, &(StiMotionSource){.dim = 1});
    for (int i = 0; i < 2; ++i)
        sti_plan_connect_admittance(m.plan, sti_signal_source(motion, i), hand, i);
    add_spring(m.plan, "stand", sti_wire_coordinate(hand, 0, 1), 5.0, 0.5);
    assert_carries(m.plan, 3, false, false);
}

static void who_only_senses_pushes_nothing(void **state)
{
    (void)state;
    const Masses m = masses();
    const StiWire wire = sti_wire_coordinate(m.a, 0, 1);
    const StiSourceId target = sti_plan_add_input(m.plan, "target", 2, NULL);
    const StiElementId pid = sti_plan_add_impedance(m.plan, "pid", &sti_kind_pid,
                                                    &(StiPid){.K_P = 2.0, .period = 1e-3}, &wire);
    for (int i = 0; i < 2; ++i) sti_plan_connect(m.plan, sti_signal_source(target, i), pid, i);
    assert_carries(m.plan, 4, true, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coordinates_against_the_world_are_listed),
        cmocka_unit_test(those_between_bodies_are_not),
        cmocka_unit_test(nor_those_of_motions),
        cmocka_unit_test(who_only_senses_pushes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
