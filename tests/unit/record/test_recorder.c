// Loads in a recording belong to all forces of the step, also where no element listens to them.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "stiction/stiction.h"
#include "support/near.h"
#include "support/plan.h"

enum { STEPS = 400 };
static const double m = 1.3, l = 0.4, g = 9.81, J = 0.02;

// A pendulum about y with friction at its pivot.
static StiNetwork *pendulum(const StiSolver *solver, double level, double *angle)
{
    const StiLink link = {.name = "rod",
                          .joint_name = "pivot",
                          .parent = -1,
                          .joint = STI_JOINT_REVOLUTE,
                          .axis = {0.0, 1.0, 0.0},
                          .mass = m,
                          .centre = {0.0, 0.0, -l},
                          .inertia = {J, J, J}};
    StiRobot *robot = sti_robot_create(&link, 1, NULL);
    assert_non_null(robot);
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId body = sti_plan_add_admittance(
        plan, "arm", &sti_kind_robot,
        &(StiRobotBody){.robot = robot, .positions = 1, .velocities = 1, .position = angle});
    const StiWire wire = sti_wire_joint(body, robot, 0);
    sti_plan_add_reaction(plan, "friction", &sti_kind_finite_time,
                          &(StiFiniteTime){.dim = 1, .law = sti_law_coulomb(level)}, &wire);
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -g));
    sti_plan_set_solver(plan, solver);
    StiNetwork *network;
    assert_int_equal(sti_plan_compile(plan, NULL, &network), STI_OK);
    sti_plan_destroy(plan);
    sti_robot_destroy(robot);
    return network;
}

// Size of the force at the pivot of a pendulum with friction torque tau (resistance), exactly.
static double load(double q, double w, double tau)
{
    const double alpha = (-m * g * l * sin(q) - tau) / (J + m * l * l);
    return hypot(m * (l * alpha + g * sin(q)), m * (l * w * w + g * cos(q)));
}

// Held by friction and swinging against it; row k + 1 holds the load at the start of that step,
// with the friction that acted in it.
static void loads_are_those_of_all_forces(void **unused)
{
    (void)unused;
    const StiSolver *solvers[] = {&sti_solver_coupled, &sti_solver_sweeps};
    const double levels[] = {50.0, 0.3};
    for (int i = 0; i < 4; ++i) {
        double angle = 0.7;
        StiNetwork *network = pendulum(solvers[i / 2], levels[i % 2], &angle);
        StiState *state = sti_state_create(network);
        StiScratch *scratch = sti_scratch_create(network);
        StiRecorder *recorder = sti_recorder_create(network);
        const int load_channel = sti_network_channel_find(network, "arm.pivot.load"),
                  q_channel = sti_network_channel_find(network, "arm.pivot.q"),
                  w_channel = sti_network_channel_find(network, "arm.pivot.qd"),
                  tau_channel = sti_network_channel_find(network, "friction.force");
        assert_int_equal(sti_recorder_begin(recorder, state, NULL, scratch), STI_OK);
        assert_near(sti_recorder_value(recorder, load_channel),
                    load(0.7, 0.0, sti_recorder_value(recorder, tau_channel)), 1e-12);
        for (int k = 0; k < STEPS; ++k) {
            const double q = sti_recorder_value(recorder, q_channel),
                         w = sti_recorder_value(recorder, w_channel);
            assert_int_equal(sti_run(network, NULL, state, scratch, 1), STI_OK);
            assert_int_equal(sti_recorder_follow(recorder, state, scratch), STI_OK);
            assert_near(sti_recorder_value(recorder, load_channel),
                        load(q, w, sti_recorder_value(recorder, tau_channel)), 1e-11);
        }
        sti_recorder_destroy(recorder);
        sti_scratch_destroy(scratch);
        sti_state_destroy(state);
        sti_network_destroy(network);
    }
}

static const char *unit_of(const StiNetwork *network, const char *name, StiChannel *channel)
{
    const int number = sti_network_channel_find(network, name);
    assert_true(sti_network_channel(network, number, channel));
    return channel->unit;
}

static void units_follow_the_joint(void **unused)
{
    (void)unused;
    double angle = 0.0;
    StiChannel channel;
    StiNetwork *network = pendulum(&sti_solver_coupled, 1.0, &angle);
    assert_string_equal(unit_of(network, "friction.force", &channel), "N m");
    assert_string_equal(unit_of(network, "friction.v", &channel), "rad/s");
    assert_string_equal(unit_of(network, "friction.x", &channel), "rad");
    assert_string_equal(unit_of(network, "arm.pivot.load", &channel), "N");
    sti_network_destroy(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_are_those_of_all_forces),
        cmocka_unit_test(units_follow_the_joint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
