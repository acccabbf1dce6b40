#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "../unit/network/built.h"
#include "support/plan.h"

// Two masses on springs under two forces: elastic friction on the ground, rigid friction between
// them, and a third mass in a plane.
static void sine(const void *data, void *workspace, double t, double *values)
{
    (void)workspace;
    values[0] = *(const double *)data * sin(6.0 * t);
}

static StiPlan *rubbing(const StiMethod *method)
{
    static const double forces[2] = {14.0, 20.0};
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId a = add_mass(plan, "a", 1.0), b = add_mass(plan, "b", 2.0);
    const StiAdmittanceId c = sti_plan_add_admittance(
        plan, "c", &sti_kind_point_mass,
        &(StiPointMass){.dim = 2, .mass = 1.0, .position = {1.0, 0.0}, .velocity = {0.0, 3.0}});
    const StiWire ground_a = sti_wire_coordinate(a, 0, 1), ground_b = sti_wire_coordinate(b, 0, 1);
    const StiWire plane = sti_wire_coordinate(c, 0, 2);
    add_spring(plan, "ka", ground_a, 50.0, 0.0);
    add_spring(plan, "kb", ground_b, 30.0, 0.0);
    add_spring(plan, "kc", plane, 3.0, 0.0);
    sti_plan_add_force(plan, "ha", &ground_a, 1,
                       (StiTimeFunction){.count = 1, .eval = sine, .data = &forces[0]});
    sti_plan_add_force(plan, "hb", &ground_b, 1,
                       (StiTimeFunction){.count = 1, .eval = sine, .data = &forces[1]});
    sti_plan_add_impedance(
        plan, "fa", &sti_kind_elastic_coulomb,
        &(StiElasticCoulomb){.dim = 1, .law = sti_law_coulomb(6.0), .K = 2e4, .B = 30.0},
        &ground_a);
    add_rule(plan, "fab", sti_wire_coordinate_pair(a, 0, b, 0, 1), sti_law_coulomb(4.0), 5.0);
    add_rule(plan, "fc", plane, sti_law_coulomb(4.0), 0.0);
    sti_plan_set_method(plan, method);
    sti_plan_set_step(plan, 5e-3);
    return plan;
}

// A robot that sticks and slips in all joints, rigid and elastic, or rigid only.
static StiPlan *shaken_robot(const StiMethod *method)
{
    static const double forces[3] = {30.0, 12.0, 3.0};
    static const char *const names[3] = {"turn", "lift", "elbow"};
    StiLink links[3];
    StiPlan *plan = plan_in_stages();
    for (int i = 0; i < 3; ++i)
        links[i] = (StiLink){.name = names[i],
                             .joint_name = names[i],
                             .parent = i - 1,
                             .joint = STI_JOINT_REVOLUTE,
                             .placement = {.p = {0.0, 0.0, 0.3}},
                             .axis = {0.0, i > 0, i == 0},
                             .mass = 1.0,
                             .centre = {0.05, 0.0, 0.15},
                             .inertia = {0.02, 0.02, 0.02}};
    StiRobot *robot = sti_robot_create(links, 3, NULL);
    const StiAdmittanceId arm =
        sti_plan_add_admittance(plan, "arm", &sti_kind_robot, &(StiRobotBody){.robot = robot});
    for (int i = 0; i < 3; ++i) {
        const StiWire joint = sti_wire_joint(arm, robot, i);
        if (i == 1 && method != &sti_method_cut)
            sti_plan_add_impedance(
                plan, names[i], &sti_kind_elastic_coulomb,
                &(StiElasticCoulomb){.dim = 1, .law = sti_law_coulomb(2.0), .K = 1e4, .B = 20.0},
                &joint);
        else
            add_rule(plan, names[i], joint, sti_law_coulomb(2.0 - 0.5 * i), 2.2 - 0.5 * i);
        char force[16];
        snprintf(force, sizeof force, "h%d", i);
        sti_plan_add_force(plan, force, &joint, 1,
                           (StiTimeFunction){.count = 1, .eval = sine, .data = &forces[i]});
    }
    sti_robot_destroy(robot);
    sti_plan_set_method(plan, method);
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -9.81));
    sti_plan_set_step(plan, 5e-3);
    return plan;
}

enum { STEPS = 400 };

static void hashes_of_run(const Built *built, uint64_t *hashes, int from)
{
    for (int k = from; k < STEPS; ++k) {
        assert_int_equal(sti_run(built->network, NULL, built->state, built->scratch, 1), STI_OK);
        hashes[k] = sti_state_hash(built->state);
    }
}

static void compare_bits(StiPlan *(*plan)(const StiMethod *))
{
    const StiMethod *const methods[] = {&sti_method_cut, &sti_method_ark4, &sti_method_ark3};
    for (int m = 0; m < 3; ++m) {
        uint64_t first[STEPS], again[STEPS];
        Built built = build_and_destroy(plan(methods[m]));
        hashes_of_run(&built, first, 0);
        release(&built);
        built = build_and_destroy(plan(methods[m]));
        for (int k = 0; k < STEPS; ++k) {
            if (k % 3 == 0) { // nothing is known from the step before
                sti_scratch_destroy(built.scratch);
                built.scratch = sti_scratch_create(built.network);
            }
            if (k % 37 == 5) { // a new scratch, and a state that went through a file
                char path[64];
                snprintf(path, sizeof path, "cut-bits-%ld", (long)getpid());
                assert_int_equal(sti_state_save(built.state, path), STI_OK);
                sti_state_destroy(built.state);
                sti_scratch_destroy(built.scratch);
                built.state = sti_state_create(built.network);
                built.scratch = sti_scratch_create(built.network);
                assert_int_equal(sti_state_load(built.state, path), STI_OK);
                remove(path);
            }
            assert_int_equal(sti_run(built.network, NULL, built.state, built.scratch, 1), STI_OK);
            again[k] = sti_state_hash(built.state);
        }
        assert_memory_equal(first, again, sizeof first);
        release(&built);
    }
}

static void runs_saves_and_scratches_change_no_bit(void **state)
{
    (void)state;
    compare_bits(rubbing);
}

static void nor_do_they_with_a_robot(void **state)
{
    (void)state;
    compare_bits(shaken_robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(runs_saves_and_scratches_change_no_bit),
                                       cmocka_unit_test(nor_do_they_with_a_robot)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
