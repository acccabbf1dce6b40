#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "network/wires.h"
#include "random_bodies.h"
#include "support/near.h"
#include "support/plan.h"

static void listening_takes_the_right_value_times_its_gain(void **state)
{
    (void)state;
    double sources[2] = {1.0, 2.0}, loads[2] = {3.0, 4.0}, u[2] = {5.0, 6.0}, ports[4] = {0.0};
    StageData now = {.sources = sources, .loads = loads, .u = u, .ports = ports};
    const Connection items[] = {{FROM_SOURCE, 1, 10.0, 2},
                                {FROM_LOAD, 0, -1.0, 0},
                                {FROM_FORCE, 1, 0.5, 3}};
    sti_listen(&(Connections){items, 3}, &now);
    assert_true(ports[0] == -3.0 && ports[1] == 0.0 && ports[2] == 20.0 && ports[3] == 3.0);
}

typedef struct Scene {
    Built built;
    StiArena arena;
    StageData now;
} Scene;

static void open_stage(Scene *s)
{
    sti_stage_take(&s->arena, s->built.network, &s->now);
    for (int i = 0; i < s->built.network->x_count; ++i) s->now.x[i] = s->built.state->values[i];
}

static void close_scene(Scene *s)
{
    sti_arena_release(&s->arena);
    release(&s->built);
}

// The hand's motion comes in through its signals: x at once, v behind it.
static void psi_senses_bodies_and_motions(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    const StiSourceId motion = sti_plan_add_input(plan, "motion", 2, NULL);
    const StiAdmittanceId hand =
        sti_plan_add_admittance(plan, "hand", &sti_kind_motion_source, &(StiMotionSource){.dim = 1});
    for (int i = 0; i < 2; ++i)
        sti_plan_connect_admittance(plan, sti_signal_source(motion, i), hand, i);
    const StiAdmittanceId block = sti_plan_add_admittance(
        plan, "block", &sti_kind_point_mass,
        &(StiPointMass){.dim = 1, .mass = 1.0, .position = {2.0}, .velocity = {3.0}});
    const StiVec3 origin = {0, 0, 0};
    add_spring(plan, "a", sti_wire_coordinate_pair(hand, 0, block, 0, 1), 1.0, 1.0);
    add_spring(plan, "b", sti_wire_coordinate(block, 0, 1), 1.0, 1.0);
    add_spring(plan, "c", sti_wire_point_pair(block, 0, origin, hand, 0, origin, 1), 1.0, 1.0);
    add_rule(plan, "d", sti_wire_coordinate_pair(block, 0, hand, 0, 1), sti_law_coulomb(1.0), 0.0);
    Scene s = {.built = build_and_destroy(plan)};
    open_stage(&s);
    s.now.ports[0] = 10.0;
    s.now.ports[1] = 20.0;
    sti_psi(s.built.network, &s.now);
    static const double x[4] = {8.0, 2.0, -8.0, -8.0}, v[4] = {17.0, 3.0, -17.0, -17.0};
    for (int i = 0; i < 4; ++i) assert_true(s.now.position[i] == x[i] && s.now.velocity[i] == v[i]);
    memset(s.now.velocity, 0, 4 * sizeof(double));
    sti_psi_reactions(s.built.network, &s.now);
    assert_true(s.now.velocity[0] == 0.0 && s.now.velocity[3] == -17.0);
    close_scene(&s);
}

// Forces of all wires add up; an element without one pushes nothing.
static void phi_adds_all_forces(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId a = add_mass(plan, "a", 1.0), b = add_mass(plan, "b", 1.0);
    const StiSourceId zero = sti_plan_add_input(plan, "zero", 1, NULL);
    const StiVec3 origin = {0, 0, 0};
    add_spring(plan, "f1", sti_wire_coordinate(a, 0, 1), 1.0, 1.0);
    add_spring(plan, "f2", sti_wire_coordinate_pair(a, 0, b, 0, 1), 1.0, 1.0);
    add_spring(plan, "f3", sti_wire_point(b, 0, origin, origin, 1), 1.0, 1.0);
    const StiElementId relay =
        sti_plan_add_impedance(plan, "f4", &sti_kind_force_source, &(StiForceSource){1}, NULL);
    sti_plan_connect(plan, sti_signal_source(zero, 0), relay, 0);
    Scene s = {.built = build_and_destroy(plan)};
    open_stage(&s);
    sti_psi(s.built.network, &s.now);
    for (int i = 0; i < 4; ++i) s.now.u[i] = pow(10.0, i);
    for (int twice = 0; twice < 2; ++twice) sti_phi(s.built.network, &s.now); // starts from zero
    assert_true(s.now.generalized[0] == -11.0 && s.now.generalized[1] == 10.0);
    assert_true(s.now.wrenches[1].force.x == -100.0 && s.now.wrenches[0].force.x == 0.0);
    close_scene(&s);
}

// Phi is the transpose of Psi: u.v over the wires is minus the power on the bodies, in any network.
static void wires_carry_power_and_keep_none(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; ++seed) {
        Random random = {seed};
        StiPlan *plan = plan_in_stages();
        StiAdmittanceId body[4];
        for (int i = 0; i < 4; ++i)
            body[i] = add_random_body(plan, (char[]){'m', (char)('a' + i), '\0'}, &random);
        for (int i = 0; i < 8; ++i) {
            const int a = random_below(&random, 4), b = random_below(&random, 5) - 1;
            const StiWire wire =
                random_wire(&random, body[a], b < 0 || b == a ? (StiAdmittanceId){-1} : body[b]);
            sti_plan_add_reaction(plan, (char[]){'f', (char)('a' + i), '\0'}, &sti_kind_finite_time,
                                  &(StiFiniteTime){.dim = velocities_of(&wire),
                                                   .law = sti_law_coulomb(1.0)},
                                  &wire);
        }
        Scene s = {.built = build_and_destroy(plan)};
        const StiNetwork *n = s.built.network;
        StiReactionAnswer answers[8] = {0};
        double absorbed = 0.0, given = 0.0, size = 0.0;
        open_stage(&s);
        for (int i = 0; i < n->x_count; ++i) s.now.x[i] = random_between(&random, -1.0, 1.0);
        sti_psi(n, &s.now);
        for (int i = 0; i < n->reaction_count; ++i)
            for (int d = 0; d < n->reactions[i].size.dim; ++d) {
                answers[i].r[d] = random_between(&random, -10.0, 10.0);
                const double power = answers[i].r[d] * s.now.velocity[n->reactions[i].wire.v + d];
                absorbed += power;
                size += fabs(power);
            }
        sti_phi_reactions(n, answers, &s.now, s.now.generalized, s.now.wrenches);
        for (int i = 0; i < n->admittance_count; ++i) {
            const Admittance *a = &n->admittances[i];
            const StiFrame *frame = &s.now.frames[a->link];
            const StiWrench *wrench = &s.now.wrenches[a->link];
            for (int d = 0; d < a->size.velocities; ++d)
                given += s.now.generalized[a->generalized + d] * s.now.x[a->v + d];
            given += sti_vec3_dot(wrench->force, frame->v) + sti_vec3_dot(wrench->moment, frame->w);
        }
        assert_near(given, -absorbed, 1e-14 * (size + 100.0));
        close_scene(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(listening_takes_the_right_value_times_its_gain),
        cmocka_unit_test(psi_senses_bodies_and_motions),
        cmocka_unit_test(phi_adds_all_forces),
        cmocka_unit_test(wires_carry_power_and_keep_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
