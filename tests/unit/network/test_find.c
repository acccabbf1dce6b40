// Names: bodies, joints, elements, inputs and channels of a network. Rollouts and states in memory.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "built.h"
#include "stiction/stiction.h"

// A block under friction, pushed by an input.
static Built pushed(void)
{
    StiPlan *plan = sti_plan_create();
    sti_plan_add_input(plan, "other", 2, (double[]){1.0, 2.0});
    const StiSourceId push = sti_plan_add_input(plan, "push", 1, NULL);
    sti_plan_set_unit(plan, push, "N");
    StiPointMass point = sti_default_point_mass();
    const StiAdmittanceId zone =
        sti_plan_add_admittance(plan, "zone", &sti_kind_point_mass, &point);
    const StiAdmittanceId block =
        sti_plan_add_admittance(plan, "block", &sti_kind_point_mass, &point);
    const StiWire on = sti_wire_coordinate(block, 0, 1), far = sti_wire_coordinate(zone, 0, 1);
    StiFiniteTime friction = sti_default_finite_time();
    friction.law = sti_law_coulomb(2.0);
    sti_plan_add_reaction(plan, "rub", &sti_kind_finite_time, &friction, &on);
    sti_plan_add_reaction(plan, "also", &sti_kind_finite_time, &friction, &far);
    StiForceSource source = sti_default_force_source();
    const StiElementId force =
        sti_plan_add_impedance(plan, "force", &sti_kind_force_source, &source, &on);
    sti_plan_connect(plan, sti_signal_source(push, 0), force, 0);
    return build_and_destroy(plan);
}

static void numbers_of_the_state_are_found_by_channels(void **unused)
{
    (void)unused;
    Built built = pushed();
    const StiNetwork *n = built.network;
    const int x = sti_network_channel_find(n, "block.x"), v = sti_network_channel_find(n, "block.v");
    const StiAdmittanceId block = {2};
    assert_ptr_equal(sti_state_edit_channel(built.state, n, x), sti_state_positions(built.state, n, block));
    assert_ptr_equal(sti_state_edit_channel(built.state, n, v), sti_state_velocities(built.state, n, block));
    assert_null(sti_state_edit_channel(built.state, n, sti_network_channel_find(n, "rub.force")));
    assert_null(sti_state_edit_channel(built.state, n, sti_network_channel_find(n, "push")));
    assert_null(sti_state_edit_channel(built.state, n, -1));
    assert_null(sti_state_edit_channel(built.state, n, 1 << 20));
    double usual[3] = {9.0, 9.0, 9.0};
    sti_network_usual_inputs(n, usual);
    assert_true(usual[0] == 1.0 && usual[1] == 2.0 && usual[2] == 0.0);
    release(&built);
}

static void components_are_found(void **unused)
{
    (void)unused;
    Built built = pushed();
    StiFound found;
    assert_true(sti_network_find(built.network, "block", &found));
    assert_true(found.role == STI_BODY && found.body.number == 2 && found.element.number == 0);
    *sti_state_edit_positions(built.state, built.network, found.body) = 7.0;
    assert_true(*sti_state_positions(built.state, built.network, (StiAdmittanceId){2}) == 7.0);
    StiComponent component;
    assert_true(sti_network_component(built.network, found.number, &component));
    assert_string_equal(component.name, "block");
    assert_true(sti_network_find(built.network, "rub", &found));
    assert_true(found.role == STI_REACTION && found.element.number == 1);
    assert_true(sti_network_find(built.network, "also", &found) && found.element.number == 2);
    assert_true(sti_network_find(built.network, "force", &found));
    assert_true(found.role == STI_IMPEDANCE && found.element.number == 3);
    assert_true(sti_network_find(built.network, "push", &found));
    assert_true(found.role == STI_INPUT && found.number == 2 && found.count == 1);
    assert_true(sti_network_find(built.network, "block.v", &found) && found.role == STI_CHANNEL);
    assert_int_equal(found.number, sti_network_channel_find(built.network, "block.v"));
    assert_false(sti_network_find(built.network, "blocks", &found));
    assert_true(found.role == 0 && found.body.number == 0);
    StiChannel channel;
    sti_network_find(built.network, "push", &found);
    assert_true(sti_network_channel(built.network, sti_network_channel_find(built.network, "push"),
                                    &channel));
    assert_string_equal(channel.unit, "N");
    release(&built);
}

static void joints_are_found(void **unused)
{
    (void)unused;
    const StiLink links[] = {
        {.name = "base",
         .joint_name = "ball",
         .parent = -1,
         .joint = STI_JOINT_SPHERICAL,
         .mass = 1.0,
         .inertia = {0.1, 0.1, 0.1}},
        {.name = "arm",
         .joint_name = "elbow",
         .parent = 0,
         .joint = STI_JOINT_REVOLUTE,
         .axis = {0.0, 1.0, 0.0},
         .mass = 1.0,
         .inertia = {0.1, 0.1, 0.1}},
    };
    StiRobot *robot = sti_robot_create(links, 2, NULL);
    assert_non_null(robot);
    StiPlan *plan = sti_plan_create();
    sti_plan_add_admittance(plan, "arm", &sti_kind_robot, &(StiRobotBody){.robot = robot});
    Built built = build_and_destroy(plan);
    StiFound found;
    assert_true(sti_network_find(built.network, "arm.elbow", &found));
    assert_true(found.role == STI_JOINT && found.body.number == 1 && found.link == 1);
    assert_true(found.position == 4 && found.velocity == 3 && found.count == 1);
    assert_true(sti_network_find(built.network, "arm.ball", &found) && found.count == 3);
    assert_false(sti_network_find(built.network, "arm.wrist", &found));
    release(&built);
    sti_robot_destroy(robot);
}

enum { ROWS = 200 };

// The same steps one by one, row by row to the last bit; forces through a recorder.
static void a_rollout_is_its_steps(void **unused)
{
    (void)unused;
    Built one = pushed(), many = pushed();
    const int n = sti_network_input_count(one.network);
    double inputs[ROWS * 3], out[ROWS * 4];
    for (int i = 0; i < ROWS * n; ++i) inputs[i] = 5.0 * sin(0.1 * i);
    int channels[4];
    const char *const names[4] = {"block.x", "block.v", "rub.force", "zone.x"};
    for (int i = 0; i < 4; ++i) channels[i] = sti_network_channel_find(one.network, names[i]);
    StiRecorder *recorder = sti_recorder_create(many.network),
                *own = sti_recorder_create(one.network);
    assert_int_equal(sti_recorder_begin(recorder, many.state, inputs, many.scratch), STI_OK);
    assert_int_equal(sti_recorder_begin(own, one.state, inputs, one.scratch), STI_OK);
    StiRollout rollout = {.rows = ROWS,
                          .inputs = inputs,
                          .channels = channels,
                          .channel_count = 4,
                          .out = out,
                          .recorder = recorder};
    int64_t done;
    assert_int_equal(sti_rollout(many.network, &rollout, many.state, many.scratch, &done), STI_OK);
    assert_int_equal(done, ROWS);
    for (int k = 0; k < ROWS; ++k) {
        assert_int_equal(sti_step(one.network, inputs + k * n, one.state, one.scratch), STI_OK);
        sti_recorder_follow(own, one.state, one.scratch);
        for (int i = 0; i < 4; ++i)
            assert_true(out[4 * k + i] == sti_recorder_value(own, channels[i]));
    }
    assert_true(sti_state_hash(one.state) == sti_state_hash(many.state));
    sti_recorder_destroy(recorder);
    sti_recorder_destroy(own);
    release(&one);
    release(&many);
}

static void bodies_need_no_recorder(void **unused)
{
    (void)unused;
    Built built = pushed();
    const int n = sti_network_input_count(built.network);
    double inputs[ROWS * 3] = {0}, out[ROWS * 2];
    for (int k = 0; k < ROWS; ++k) inputs[k * n + 2] = 3.0; // N, against 2 N of friction on 1 kg
    int channels[2] = {sti_network_channel_find(built.network, "block.v"),
                       sti_network_channel_find(built.network, "zone.v")};
    StiRollout rollout = {
        .rows = ROWS, .inputs = inputs, .channels = channels, .channel_count = 2, .out = out};
    int64_t done;
    assert_int_equal(sti_rollout(built.network, &rollout, built.state, built.scratch, &done),
                     STI_OK);
    for (int k = 0; k < ROWS; ++k) {
        assert_true(fabs(out[2 * k] - 1e-3 * (k + 1)) < 1e-12);
        assert_true(out[2 * k + 1] == 0.0);
    }
    channels[1] = sti_network_channel_find(built.network, "rub.force");
    assert_int_equal(sti_rollout(built.network, &rollout, built.state, built.scratch, &done),
                     STI_BAD_ARGUMENT);
    assert_int_equal(done, 0);
    channels[1] = 9999;
    assert_int_equal(sti_rollout(built.network, &rollout, built.state, built.scratch, &done),
                     STI_BAD_ARGUMENT);
    // A row that is not finite ends it, with the state of the row before.
    channels[1] = channels[0];
    inputs[10 * n] = NAN;
    assert_int_equal(sti_rollout(built.network, &rollout, built.state, built.scratch, &done),
                     STI_NOT_FINITE);
    assert_int_equal(done, 10);
    assert_int_equal(sti_state_k(built.state), ROWS + 10);
    release(&built);
}

static void states_go_to_memory_and_back(void **unused)
{
    (void)unused;
    Built built = pushed(), other = pushed();
    const double inputs[3] = {0.0, 0.0, 5.0};
    assert_int_equal(sti_run(built.network, inputs, built.state, built.scratch, 17), STI_OK);
    const size_t size = sti_state_write(built.state, NULL, 0);
    unsigned char *buffer = malloc(size + 2), *odd = buffer + 1; // not aligned
    assert_int_equal(sti_state_write(built.state, odd, size - 1), size);
    assert_int_equal(sti_state_write(built.state, odd, size), size);
    const uint64_t before = sti_state_hash(other.state);
    assert_int_equal(sti_state_read(other.state, odd, size - 1), STI_FILE_ERROR);
    odd[size / 2] ^= 1;
    assert_int_equal(sti_state_read(other.state, odd, size), STI_FILE_ERROR);
    assert_true(sti_state_hash(other.state) == before);
    odd[size / 2] ^= 1;
    assert_int_equal(sti_state_read(other.state, odd, size), STI_OK);
    assert_true(sti_state_hash(other.state) == sti_state_hash(built.state));
    assert_int_equal(sti_state_k(other.state), 17);
    free(buffer);
    release(&built);
    release(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_the_state_are_found_by_channels),
        cmocka_unit_test(components_are_found),         cmocka_unit_test(joints_are_found),
        cmocka_unit_test(a_rollout_is_its_steps),       cmocka_unit_test(bodies_need_no_recorder),
        cmocka_unit_test(states_go_to_memory_and_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
