// A run through the scene reader is the same, to the last bit, as that of the same system built
// in C.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "stiction/scene.h"
#include "support/plan.h"
#include "support/scenes/rig.h"

static StiPlan *new_plan(double T)
{
    StiPlan *plan = plan_in_stages();
    assert_non_null(plan);
    sti_plan_set_step(plan, T);
    return plan;
}

static StiAdmittanceId add_mass(StiPlan *plan, const char *name, double mass, double velocity)
{
    const StiPointMass p = {.dim = 1, .mass = mass, .velocity = {velocity}};
    return sti_plan_add_admittance(plan, name, &sti_kind_point_mass, &p);
}

static void add_finite_time(StiPlan *plan, const char *name, int dim, double level, StiWire wire)
{
    const StiFiniteTime p = {.dim = dim, .law = sti_law_coulomb(level)};
    sti_plan_add_reaction(plan, name, &sti_kind_finite_time, &p, &wire);
}

static void move_hand(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace;
    values[0] = 2.0 * fmin(t, 2.0);
    values[1] = t < 2.0 ? 2.0 : 0.0; // the undamped spring does not feel it
}

static StiPlan *spring_pull(void)
{
    StiPlan *plan = new_plan(1e-3);
    const StiAdmittanceId hand =
        sti_plan_add_motion(plan, "hand", 1, (StiTimeFunction){.count = 2, .eval = move_hand});
    const StiAdmittanceId block = add_mass(plan, "block", 1.0, 0.0);
    const StiWire pull = sti_wire_coordinate_pair(hand, 0, block, 0, 1);
    sti_plan_add_impedance(plan, "spring", &sti_kind_spring_damper,
                           &(StiSpringDamper){.dim = 1, .K = 90.0}, &pull);
    add_finite_time(plan, "friction", 1, 10.0, sti_wire_coordinate(block, 0, 1));
    return plan;
}

static StiPlan *planar_spring(void)
{
    StiPlan *plan = new_plan(1e-3);
    const StiPointMass p = {.dim = 2,
                            .mass = 1.0,
                            .position = {10.0, 0.0},
                            .velocity = {0.0, 30.0}};
    const StiAdmittanceId block = sti_plan_add_admittance(plan, "block", &sti_kind_point_mass, &p);
    const StiWire wire = sti_wire_coordinate(block, 0, 2);
    sti_plan_add_impedance(plan, "spring", &sti_kind_spring_damper,
                           &(StiSpringDamper){.dim = 2, .K = 3.0}, &wire);
    add_finite_time(plan, "friction", 2, 10.0, wire);
    return plan;
}

static StiPlan *two_bodies(void)
{
    StiPlan *plan = new_plan(1e-3);
    const StiAdmittanceId a = add_mass(plan, "a", 1.0, 3.0), b = add_mass(plan, "b", 2.0, 0.0);
    add_finite_time(plan, "friction", 1, 4.0, sti_wire_coordinate_pair(a, 0, b, 0, 1));
    return plan;
}

static StiPlan *mass_pile(void)
{
    static const double velocities[10] = {2, -1, 3, 0, 1, -2, 4, 1, 0, -3};
    static const double mu[10] = {0.10, 0.13, 0.16, 0.19, 0.22, 0.25, 0.28, 0.31, 0.34, 0.37};
    StiPlan *plan = new_plan(1e-4);
    StiAdmittanceId below = {-1};
    for (int i = 0; i < 10; ++i) {
        char mass[32], interface[32];
        snprintf(mass, sizeof mass, "mass%d", i);
        snprintf(interface, sizeof interface, "interface%d", i);
        const StiAdmittanceId id = add_mass(plan, mass, 1.0, velocities[i]);
        add_finite_time(plan, interface, 1, mu[i] * (10 - i) * 9.81,
                        i == 0 ? sti_wire_coordinate(id, 0, 1)
                               : sti_wire_coordinate_pair(id, 0, below, 0, 1));
        below = id;
    }
    return plan;
}

static StiPlan *rolling_sphere(void)
{
    const double M = 0.3, R = 0.2, g = 9.8, K = 1e7, J = 0.4 * M * R * R;
    StiPlan *plan = new_plan(1e-4);
    sti_plan_set_method(plan, &sti_method_rk4);
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -g));
    const StiRigidBody p = {.mass = M,
                            .inertia = {J, J, J},
                            .position = {0.0, 0.0, R - M * g / K},
                            .velocity = {2.0, 0.0, 0.0}};
    const StiSoftContact soft = {.points = 1, .K = K, .B = 10.0, .mu = 0.1};
    const StiAdmittanceId ball = sti_plan_add_admittance(plan, "ball", &sti_kind_rigid_body, &p);
    const StiWire wire = sti_wire_sphere_plane(ball, 0, sti_vec3(0.0, 0.0, 0.0), R,
                                               sti_vec3(0.0, 0.0, 0.0), sti_vec3(0.0, 0.0, 1.0));
    sti_plan_add_impedance(plan, "contact", &sti_kind_soft_contact, &soft, &wire);
    return plan;
}

static StiScene *load(const char *path)
{
    StiMessages *messages = sti_messages_create();
    StiScene *scene = sti_scene_load(path, NULL, messages);
    for (int i = 0; i < sti_messages_count(messages); ++i)
        if (scene == NULL) print_error("%s: %s\n", path, sti_messages_at(messages, i)->text);
    sti_messages_destroy(messages);
    assert_non_null(scene);
    return scene;
}

// All of the run, compared every 100 steps.
static void compare_runs(const char *path, StiPlan *plan)
{
    StiScene *scene = load(path);
    Rig rig = rig_of(plan);
    StiState *state = sti_state_create(scene->network);
    StiScratch *scratch = sti_scratch_create(scene->network);
    assert_true(sti_network_layout(scene->network) == sti_network_layout(rig.network));
    assert_true(sti_state_hash(state) == sti_state_hash(rig.state));
    const int64_t steps = rig_short() ? scene->steps / 10 : scene->steps;
    for (int64_t k = 0; k < steps; k += 100) {
        assert_int_equal(sti_run(scene->network, NULL, state, scratch, 100), STI_OK);
        rig_run(&rig, 100);
        if (sti_state_hash(state) != sti_state_hash(rig.state)) {
            print_error("%s: other bits in the steps up to %lld\n", path, (long long)k + 100);
            fail();
        }
    }
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    rig_free(&rig);
    sti_scene_destroy(scene);
}

static void spring_pull_has_the_same_bits(void **unused)
{
    (void)unused;
    compare_runs(SOURCE_DIR "/papers/fixed-step/spring-pull/scene.yaml", spring_pull());
}

static void planar_spring_has_the_same_bits(void **unused)
{
    (void)unused;
    compare_runs(SOURCE_DIR "/papers/fixed-step/planar-spring/scene.yaml", planar_spring());
}

static void two_bodies_have_the_same_bits(void **unused)
{
    (void)unused;
    compare_runs(SOURCE_DIR "/papers/fixed-step/two-bodies/scene.yaml", two_bodies());
}

static void mass_pile_has_the_same_bits(void **unused)
{
    (void)unused;
    compare_runs(SOURCE_DIR "/papers/dahl/mass-pile/scene.yaml", mass_pile());
}

static void rolling_sphere_has_the_same_bits(void **unused)
{
    (void)unused;
    compare_runs(SOURCE_DIR "/papers/modular/rolling-sphere-rest/scene.yaml", rolling_sphere());
}

// The comparison itself sees a change in the eleventh digit.
static void another_number_is_seen(void **unused)
{
    (void)unused;
    StiPlan *plan = two_bodies();
    assert_int_equal(sti_plan_set(plan, "friction.level", 4.00000000001), STI_OK);
    Rig rig = rig_of(plan), same = rig_of(two_bodies());
    rig_run(&rig, 100);
    rig_run(&same, 100);
    assert_true(sti_state_hash(rig.state) != sti_state_hash(same.state));
    rig_free(&rig);
    rig_free(&same);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spring_pull_has_the_same_bits),
        cmocka_unit_test(planar_spring_has_the_same_bits),
        cmocka_unit_test(two_bodies_have_the_same_bits),
        cmocka_unit_test(mass_pile_has_the_same_bits),
        cmocka_unit_test(rolling_sphere_has_the_same_bits),
        cmocka_unit_test(another_number_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
