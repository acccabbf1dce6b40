// Steps and the recorder that follows them do not allocate: ten thousand steps of networks that
// have, taken together, every kind of body, impedance, reaction, wire and signal.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "property/friction_models.h"
#include "support/allocations.h"
#include "support/plan.h"
#include "support/scenes/pile.h"
#include "support/scenes/rolling_sphere.h"
#include "support/scenes/two_link_arm.h"
#include "unit/network/built.h"

enum { STEPS = 10000, SEEN_MOST = 60 };

// Names of the kinds that ran, each once.
static char seen[SEEN_MOST][64];
static int seen_count;

static bool was_seen(const char *name)
{
    for (int i = 0; i < seen_count; ++i)
        if (strcmp(seen[i], name) == 0) return true;
    return false;
}

static void see(const char *name)
{
    if (was_seen(name)) return;
    assert_in_range(seen_count, 0, SEEN_MOST - 1);
    snprintf(seen[seen_count++], sizeof seen[0], "%s", name);
}

static void see_kinds_of(const StiNetwork *network)
{
    static const char *const roles[] = {"body", "impedance", "reaction"};
    StiComponent component;
    StiConnection connection;
    char name[64];
    for (int i = 0; sti_network_component(network, i, &component); ++i) {
        snprintf(name, sizeof name, "%s %s", roles[component.role], component.kind);
        see(name);
        if (component.wire == NULL) continue;
        snprintf(name, sizeof name, "wire %s of %s", component.wire, roles[component.role]);
        see(name);
    }
    for (int i = 0; sti_network_connection(network, i, &connection); ++i) {
        snprintf(name, sizeof name, "signal %s", connection.value);
        see(name);
    }
}

static double read_all_channels(const StiRecorder *recorder, int channels)
{
    double sum = sti_recorder_energy(recorder).stored;
    for (int i = 0; i < channels; ++i) sum += sti_recorder_value(recorder, i);
    return sum;
}

// inputs may be NULL. Everything that a run calls once per step is inside the count.
static void assert_no_calls(StiPlan *plan, const double *inputs)
{
    Built built = build_and_destroy(plan);
    StiChannel channel;
    int channels = 0;
    double sum = 0.0;
    StiStatus status = STI_OK;
    see_kinds_of(built.network);
    while (sti_network_channel(built.network, channels, &channel)) ++channels;
    long before = calls;
    StiRecorder *recorder = sti_recorder_create(built.network);
    StiState *copy = sti_state_create(built.network);
    assert_true(calls > before); // the counter counts
    before = calls;
    status = sti_recorder_begin(recorder, built.state, inputs, built.scratch);
    for (int k = 0; k < STEPS && status == STI_OK; ++k) {
        status = sti_run(built.network, inputs, built.state, built.scratch, 1);
        if (status == STI_OK) status = sti_recorder_follow(recorder, built.state, built.scratch);
        if (k % 100 == 0) sum += read_all_channels(recorder, channels);
        if (k % 100 == 0) sti_state_copy(copy, built.state);
    }
    sum += (double)(sti_state_hash(copy) & 1u);
    const long during = calls - before;
    if (status != STI_OK) print_error("%s\n", sti_scratch_fault(built.scratch)->component);
    assert_int_equal(status, STI_OK);
    assert_int_equal(during, 0);
    assert_true(isfinite(sum));
    sti_state_destroy(copy);
    sti_recorder_destroy(recorder);
    release(&built);
}

static void swing(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace;
    values[0] = 0.1 * sin(5.0 * t);
    values[1] = 0.5 * cos(5.0 * t);
}

static StiAdmittanceId add_hand(StiPlan *plan)
{
    return sti_plan_add_motion(plan, "hand", 1, (StiTimeFunction){.count = 2, .eval = swing});
}

static void friction_models_allocate_nothing(void **state)
{
    (void)state;
    for (int which = 0; which < MODEL_COUNT; ++which) {
        Random random = {1};
        FrictionModel model;
        StiPlan *plan = plan_in_stages();
        choose_model(&model, which, &random, 2.0, 1000.0, 0.1);
        const StiAdmittanceId hand = add_hand(plan);
        const StiAdmittanceId mass =
            sti_plan_add_admittance(plan, "mass", &sti_kind_point_mass,
                                    &(StiPointMass){.dim = model.dim, .mass = 1.0});
        const StiWire wire = sti_wire_coordinate(mass, 0, model.dim);
        add_spring(plan, "rope", sti_wire_coordinate_pair(hand, 0, mass, 0, 1), 100.0, 1.0);
        sti_plan_add_impedance(plan, "friction", model.kind, model.parameters, &wire);
        sti_plan_set_method(plan, sti_methods[which % 5]);
        assert_no_calls(plan, NULL);
    }
}

static void contacts_and_joints_allocate_nothing(void **state)
{
    (void)state;
    const StiElasticCoulomb rub = {.dim = 1, .law = sti_law_coulomb(0.5), .K = 5000.0, .B = 1.0};
    const StiPenaltyJoint joint = {.Kp = 1e5, .Bp = 300.0, .Kr = 1000.0, .Br = 1.0};
    assert_no_calls(scene_two_link_arm(1e-4, &joint,
                                       (SceneFriction){.impedance = &sti_kind_elastic_coulomb,
                                                       .parameters = &rub})
                        .plan,
                    NULL);
    assert_no_calls(scene_rolling_sphere(1e-4, rolling_sphere_rest_height()).plan, NULL);
    StiPlan *plan = plan_in_stages();
    const StiVec3 origin = {0.0, 0.0, 0.0}, up = {0.0, 0.0, 1.0};
    const StiAdmittanceId box = sti_plan_add_admittance(
        plan, "box", &sti_kind_rigid_body,
        &(StiRigidBody){.mass = 1.0, .inertia = {0.01, 0.02, 0.02}, .position = {0, 0, 0.12}});
    const StiWire corners = sti_wire_box_plane(box, 0, (StiFrame){.q = STI_QUAT_IDENTITY},
                                               sti_vec3(0.2, 0.1, 0.1), origin, up);
    sti_plan_add_impedance(plan, "contact", &sti_kind_soft_contact,
                           &(StiSoftContact){.points = 8, .K = 1e4, .B = 5.0, .mu = 0.4}, &corners);
    add_spring(plan, "hook", sti_wire_point(box, 0, sti_vec3(0.2, 0.1, 0.1), up, 3), 30.0, 0.1);
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -9.81));
    assert_no_calls(plan, NULL);
}

static void actuators_allocate_nothing(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    const StiWire wire = sti_wire_coordinate(add_mass(plan, "load", 1.0), 0, 1);
    const StiDcMotor small = {.K_M = 0.01, .R = 2.0, .gamma = 50.0, .voltage = 24.0};
    const StiElementId drive =
        sti_plan_add_impedance(plan, "drive", &sti_kind_dc_motor, &small, &wire);
    const StiElementId gear =
        sti_plan_add_impedance(plan, "gear", &sti_kind_gear_loss,
                               &(StiGearLoss){.mu_avg = 0.2, .mu_dif = 0.05, .h = 0.01}, &wire);
    const StiElementId servo = sti_plan_add_impedance(
        plan, "servo", &sti_kind_servo,
        &(StiServo){.motor = small, .K_P = 2.0, .K_I = 1.0, .K_D = 0.1, .period = 5e-3}, &wire);
    sti_plan_add_impedance(plan, "stop", &sti_kind_joint_limit,
                           &(StiJointLimit){.lower = -0.05, .upper = 0.02, .K = 500.0, .B = 1.0},
                           &wire);
    const StiSourceId wish =
        sti_plan_add_time_function(plan, "wish", (StiTimeFunction){.count = 2, .eval = swing});
    sti_plan_connect(plan, sti_signal_source(wish, 0), servo, 0);
    const StiElementId control =
        sti_plan_add_impedance(plan, "control", &sti_kind_pid,
                               &(StiPid){.K_P = 9.0, .K_I = 1.0, .K_D = 0.1, .period = 3e-3},
                               &wire);
    sti_plan_connect(plan, sti_signal_source(wish, 0), control, 0);
    sti_plan_connect(plan, sti_signal_source(wish, 1), control, 1);
    sti_plan_connect(plan, sti_signal_force(control, 0), drive, 0);
    sti_plan_connect(plan, sti_signal_scaled(sti_signal_force(drive, 0), -1.0), gear, 0);
    assert_no_calls(plan, NULL);
}

static StiRobot *two_links(void)
{
    static const StiLink links[2] = {
        {.name = "upper",
         .joint_name = "shoulder",
         .parent = -1,
         .joint = STI_JOINT_SPHERICAL,
         .placement = {.q = {1, 0, 0, 0}},
         .mass = 1.0,
         .centre = {0, 0, -0.2},
         .inertia = {0.02, 0.02, 0.01}},
        {.name = "lower",
         .joint_name = "elbow",
         .parent = 0,
         .joint = STI_JOINT_REVOLUTE,
         .placement = {.p = {0, 0, -0.4}, .q = {1, 0, 0, 0}},
         .axis = {0, 1, 0},
         .mass = 0.5,
         .centre = {0, 0, -0.2},
         .inertia = {0.01, 0.01, 0.01}},
    };
    StiRobot *robot = sti_robot_create(links, 2, NULL);
    assert_non_null(robot);
    return robot;
}

// A robot and a block on a guide, with friction that listens to their loads, and a motor that
// repeats the force of another element; as impedances or as reactions.
static void loads_and_signals(bool reactions)
{
    StiRobot *robot = two_links();
    const double v[4] = {1.0, 0.5, -1.0, 2.0}, wind = 0.7;
    const StiLaw law = sti_law_times_load(sti_law_stribeck(0.1, 0.12, 0.1, 2.0, 0.0));
    const StiElasticCoulomb elastic = {.dim = 1, .law = law, .K = 1e3, .B = 3.0};
    const StiFiniteTime rule = {.dim = 1, .law = law};
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId bodies[2] = {
        sti_plan_add_admittance(plan, "arm", &sti_kind_robot,
                                &(StiRobotBody){.robot = robot, .velocities = 4, .velocity = v}),
        sti_plan_add_admittance(
            plan, "block", &sti_kind_guided_block,
            &(StiGuidedBlock){.mass = 1.0, .axis = {1.0, 0.3, 0.0}, .velocity = 0.5}),
    };
    const StiWire wires[2] = {sti_wire_joint(bodies[0], robot, 1),
                              sti_wire_coordinate(bodies[1], 0, 1)};
    for (int i = 0; i < 2; ++i) {
        const char *name = i == 0 ? "elbow.rub" : "block.rub";
        const StiElementId rub =
            reactions ? sti_plan_add_reaction(plan, name, &sti_kind_finite_time, &rule, &wires[i])
                      : sti_plan_add_impedance(plan, name, &sti_kind_elastic_coulomb, &elastic,
                                               &wires[i]);
        sti_plan_connect(plan, sti_signal_load(bodies[i], i == 0 ? 1 : 0), rub, 0);
    }
    const StiElementId spring = add_spring(plan, "spring", wires[1], 50.0, 0.0);
    const StiElementId motor = sti_plan_add_impedance(plan, "motor", &sti_kind_force_source,
                                                      &(StiForceSource){1}, &wires[0]);
    sti_plan_connect(plan, sti_signal_scaled(sti_signal_force(spring, 0), 0.01), motor, 0);
    add_input_force(plan, "wind", "gusts", wires[1]);
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -9.81));
    assert_no_calls(plan, &wind);
    sti_robot_destroy(robot);
}

static void loads_and_signals_allocate_nothing(void **state)
{
    (void)state;
    loads_and_signals(false);
    loads_and_signals(true);
}

// Along one axis, at most one position.
static bool fits_a_mass(const StiEntry *entry)
{
    if (entry->info->example == NULL) return false;
    if (entry->reaction != NULL) return true;
    const StiImpedanceSize size = entry->impedance->size(entry->info->example);
    return size.velocities == 1 && size.positions <= 1;
}

// Every friction model and element of the registry that fits, as its example, on a mass that a hand pulls.
static void examples_allocate_nothing(void **state)
{
    (void)state;
    enum { SIGNALS = 4 };
    for (int role = STI_ROLE_FRICTION; role <= STI_ROLE_ELEMENT; role += STI_ROLE_ELEMENT) {
        StiEntry entry;
        for (int i = 0; sti_registry_at((StiKindRole)role, i, &entry); ++i) {
            if (!fits_a_mass(&entry)) continue;
            StiPlan *plan = plan_in_stages();
            const StiAdmittanceId hand = add_hand(plan), mass = add_mass(plan, "mass", 1.0);
            const StiWire wire = sti_wire_coordinate(mass, 0, 1);
            const StiSourceId input =
                sti_plan_add_input(plan, "in", SIGNALS, (const double[SIGNALS]){0.5, 0.5});
            add_spring(plan, "rope", sti_wire_coordinate_pair(hand, 0, mass, 0, 1), 100.0, 1.0);
            const StiElementId it =
                entry.reaction != NULL
                    ? sti_plan_add_reaction(plan, "it", entry.reaction, entry.info->example, &wire)
                    : sti_plan_add_impedance(plan, "it", entry.impedance, entry.info->example,
                                             &wire);
            const int signals = entry.reaction != NULL
                                    ? entry.reaction->size(entry.info->example).signals
                                    : entry.impedance->size(entry.info->example).signals;
            for (int k = 0; k < signals; ++k)
                sti_plan_connect(plan, sti_signal_source(input, k), it, k);
            assert_no_calls(plan, NULL);
        }
    }
}

// The rule in space on a rigid body.
static void reactions_allocate_nothing(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId body = sti_plan_add_admittance(
        plan, "body", &sti_kind_rigid_body,
        &(StiRigidBody){.mass = 1.0, .inertia = {0.01, 0.02, 0.02}, .velocity = {1.0, 0.5, 0.0}});
    const StiFrame at = {.p = {0.1, 0.0, 0.0}};
    StiWire point = sti_wire_point(body, 0, sti_vec3(0.1, 0.2, 0.0), sti_vec3(0, 0, 0), 3);
    add_rule(plan, "rub", point, sti_law_coulomb(1.0), 0.0);
    StiWire turn = sti_wire_hinge(body, 0, at, (StiAdmittanceId){-1}, 0, at);
    turn.dim = 1;
    add_rule(plan, "turn", turn, sti_law_coulomb(0.1), 0.0);
    assert_no_calls(plan, NULL);
    assert_no_calls(scene_ten_mass_pile(1e-3).plan, NULL);
}

// Whatever of the registry has an example must have run above; tests of scenes run the others.
static void every_kind_took_part(void **state)
{
    (void)state;
    static const struct {
        StiKindRole role;
        const char *name;
    } roles[] = {{STI_ROLE_FRICTION, NULL},
                 {STI_ROLE_ELEMENT, "impedance"},
                 {STI_ROLE_BODY, "body"}};
    static const char *const others[] = {"wire coordinate of impedance",
                                         "wire coordinate of reaction",
                                         "wire point of impedance",
                                         "wire point of reaction",
                                         "wire hinge of impedance",
                                         "wire hinge of reaction",
                                         "wire frame of impedance",
                                         "wire sphere-plane of impedance",
                                         "wire box-plane of impedance",
                                         "signal source",
                                         "signal load",
                                         "signal force"};
    for (size_t r = 0; r < sizeof roles / sizeof *roles; ++r) {
        StiEntry entry;
        for (int i = 0; sti_registry_at(roles[r].role, i, &entry); ++i) {
            const char *role = roles[r].name != NULL    ? roles[r].name
                               : entry.reaction != NULL ? "reaction"
                                                        : "impedance";
            char name[64];
            snprintf(name, sizeof name, "%s %s", role, entry.name);
            if (entry.info->example != NULL && !was_seen(name)) fail_msg("%s did not run", name);
        }
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
        if (!was_seen(others[i])) print_error("%s is missing\n", others[i]);
        assert_true(was_seen(others[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_models_allocate_nothing),
        cmocka_unit_test(contacts_and_joints_allocate_nothing),
        cmocka_unit_test(actuators_allocate_nothing),
        cmocka_unit_test(loads_and_signals_allocate_nothing),
        cmocka_unit_test(examples_allocate_nothing),
        cmocka_unit_test(reactions_allocate_nothing),
        cmocka_unit_test(every_kind_took_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
