// The numbers of a robot are parameters of the plan: they have paths, can be changed, and the
// changed plan makes the network that the changed robot would have made.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "../robot/random_tree.h"
#include "stiction/stiction.h"
#include "support/plan.h"
#include "turned_plan.h"

static StiPlan *plan_of(const StiRobot *robot, const double *q, const double *v)
{
    StiPlan *plan = plan_in_stages();
    sti_plan_set_gravity(plan, (StiVec3){0.3, -0.2, -9.81});
    sti_plan_add_admittance(plan, "arm", &sti_kind_robot,
                            &(StiRobotBody){.robot = robot,
                                            .positions = sti_robot_positions(robot),
                                            .velocities = sti_robot_velocities(robot),
                                            .position = q,
                                            .velocity = v});
    return plan;
}

static const StiLink base_and_arm[] = {
    {.name = "base",
     .joint_name = "free",
     .parent = -1,
     .joint = STI_JOINT_FLOATING,
     .mass = 5.0,
     .inertia = {0.1, 0.2, 0.25}},
    {.name = "plate",
     .parent = 0,
     .joint = STI_JOINT_FIXED,
     .mass = 0.5,
     .placement = {.p = {0.1, 0.0, 0.0}}},
    {.name = "upper",
     .joint_name = "elbow",
     .parent = 1,
     .joint = STI_JOINT_REVOLUTE,
     .axis = {0.0, 2.0, 0.0},
     .placement = {.p = {0.0, 0.25, 0.0}, .q = {1.0, 0.0, 0.0, 0.0}},
     .mass = 2.0,
     .centre = {0.2, 0.0, 0.1},
     .inertia = {0.02, 0.03, 0.04, 0.001, 0.002, 0.003},
     .armature = 0.05},
};

static void every_number_has_a_path(void **state)
{
    (void)state;
    StiRobot *robot = sti_robot_create(base_and_arm, 3, NULL);
    const StiRobotBody body = {.robot = robot}; // at rest
    StiPlan *plan = plan_in_stages();
    sti_plan_add_admittance(plan, "arm", &sti_kind_robot, &body);
    assert_true(value_at(plan, "arm.base.mass") == 5.0);
    assert_true(value_at(plan, "arm.upper.centre[2]") == 0.1);
    assert_true(value_at(plan, "arm.upper.inertia[5]") == 0.003);
    assert_true(value_at(plan, "arm.elbow.armature") == 0.05);
    assert_true(value_at(plan, "arm.elbow.axis[1]") == 2.0);
    assert_true(value_at(plan, "arm.elbow.at[1]") == 0.25);
    assert_true(value_at(plan, "arm.elbow.attitude[0]") == 1.0);
    assert_true(value_at(plan, "arm.plate.at[0]") == 0.1); // a joint without a name
    assert_true(value_at(plan, "arm.free.position[3]") == 1.0);
    assert_true(value_at(plan, "arm.free.velocity[5]") == 0.0);
    assert_true(value_at(plan, "arm.elbow.position") == 0.0);
    double value;
    assert_int_equal(sti_plan_get(plan, "arm.free.armature", &value), STI_BAD_ARGUMENT);
    StiParameter parameter;
    for (int i = 0; sti_plan_parameter(plan, i, &parameter); ++i) {
        if (strcmp(parameter.path, "arm.free.position[2]") == 0)
            assert_string_equal(parameter.unit, "m");
        if (strcmp(parameter.path, "arm.elbow.velocity") == 0)
            assert_string_equal(parameter.unit, "rad/s");
    }
    sti_plan_destroy(plan);
    sti_robot_destroy(robot);
}

// Nothing points to the user's robot any more.
static void the_robot_may_go_when_it_is_in_the_plan(void **state)
{
    (void)state;
    StiRobot *robot = sti_robot_create(base_and_arm, 3, NULL);
    StiPlan *kept = plan_of(robot, NULL, NULL), *orphan = plan_of(robot, NULL, NULL);
    const uint64_t hash = hash_after(kept, 50);
    sti_robot_destroy(robot);
    assert_true(hash_after(orphan, 50) == hash);
}

// Random trees: every number changed through its path, against a robot made of the changed numbers.
static void changed_numbers_make_the_changed_robot(void **state)
{
    (void)state;
    Random random = {11};
    for (int trial = 0; trial < 20; ++trial) {
        Tree *tree = random_tree(&random, 1 + trial, any_joint);
        tree_randomise(&random, tree);
        StiPlan *plan = plan_of(tree->robot, tree->q, tree->v);
        const uint64_t before = hash_after(plan_of(tree->robot, tree->q, tree->v), 5);
        for (int i = 0; i < tree->links; ++i) {
            StiLink *link = &tree->given[i];
            char path[64];
            link->mass *= 1.25;
            snprintf(path, sizeof path, "arm.%s.mass", link->name);
            assert_int_equal(sti_plan_set(plan, path, link->mass), STI_OK);
            link->centre.y += 0.125;
            snprintf(path, sizeof path, "arm.%s.centre[1]", link->name);
            assert_int_equal(sti_plan_set(plan, path, link->centre.y), STI_OK);
            link->placement.p.x -= 0.25;
            snprintf(path, sizeof path, "arm.%s.at[0]", link->joint_name);
            assert_int_equal(sti_plan_set(plan, path, link->placement.p.x), STI_OK);
        }
        StiRobot *changed = sti_robot_create(tree->given, tree->links, NULL);
        const uint64_t expected = hash_after(plan_of(changed, tree->q, tree->v), 5);
        assert_true(hash_after(plan, 5) == expected);
        // a robot whose only joint is fixed has no state that could differ
        assert_true(tree->velocities == 0 || expected != before);
        // the robot that the plan was made from did not notice
        assert_true(hash_after(plan_of(tree->robot, tree->q, tree->v), 5) == before);
        sti_robot_destroy(changed);
        tree_destroy(tree);
    }
}

static void a_changed_network_adopts_a_running_state(void **state)
{
    (void)state;
    StiRobot *robot = sti_robot_create(base_and_arm, 3, NULL);
    StiPlan *plan = plan_of(robot, NULL, NULL);
    StiNetwork *heavier;
    assert_int_equal(sti_plan_set(plan, "arm.upper.mass", 4.0), STI_OK);
    assert_int_equal(sti_plan_set(plan, "arm.elbow.velocity", 3.0), STI_OK);
    assert_int_equal(sti_plan_compile(plan, NULL, &heavier), STI_OK);
    sti_plan_destroy(plan);
    Rig rig = rig_of(plan_of(robot, NULL, NULL));
    rig_run(&rig, 10);
    assert_true(sti_network_layout(heavier) == sti_network_layout(rig.network));
    StiState *adopted = sti_state_create(heavier);
    StiScratch *scratch = sti_scratch_create(heavier);
    assert_int_equal(sti_state_copy(adopted, rig.state), STI_OK);
    assert_true(sti_state_hash(adopted) == sti_state_hash(rig.state));
    assert_int_equal(sti_run(heavier, NULL, adopted, scratch, 10), STI_OK);
    sti_scratch_destroy(scratch);
    sti_state_destroy(adopted);
    sti_network_destroy(heavier);
    rig_free(&rig);
    sti_robot_destroy(robot);
}

static void assert_refused(const char *path, double value, const char *named, const char *text)
{
    StiRobot *robot = sti_robot_create(base_and_arm, 3, NULL);
    StiPlan *plan = plan_of(robot, NULL, NULL);
    StiReport *report = sti_report_create();
    StiNetwork *network;
    assert_int_equal(sti_plan_set(plan, path, value), STI_OK);
    assert_int_equal(sti_plan_compile(plan, report, &network), STI_BAD_PLAN);
    assert_int_equal(sti_report_error_count(report), 1);
    const StiFinding *finding = sti_report_finding(report, 0);
    assert_string_equal(finding->component, "arm");
    assert_string_equal(finding->parameter, named);
    assert_non_null(strstr(finding->text, text));
    sti_report_destroy(report);
    sti_plan_destroy(plan);
    sti_robot_destroy(robot);
}

static void numbers_that_make_no_robot_are_refused(void **state)
{
    (void)state;
    assert_refused("arm.upper.mass", -1.0, "upper.mass", "0 or more kg");
    assert_refused("arm.upper.mass", NAN, "upper.mass", "finite");
    assert_refused("arm.upper.inertia[0]", 3.0, "upper.inertia", "exceed their sum");
    assert_refused("arm.elbow.axis[1]", 0.0, "upper.axis", "needs an axis");
    assert_refused("arm.elbow.armature", -0.1, "elbow.armature", "0 or more");
    assert_refused("arm.elbow.position", INFINITY, "elbow.position", "finite");
}

// An element may be called like a joint: where both have a number of one name, compile says so.
static void a_path_of_two_components_is_reported(void **state)
{
    (void)state;
    StiRobot *robot = sti_robot_create(base_and_arm, 3, NULL);
    StiPlan *plan = plan_of(robot, NULL, NULL);
    sti_plan_add_admittance(plan, "arm.upper", &sti_kind_point_mass,
                            &(StiPointMass){.dim = 1, .mass = 1.0});
    StiReport *report = sti_report_create();
    StiNetwork *network;
    assert_int_equal(sti_plan_compile(plan, report, &network), STI_OK);
    assert_int_equal(sti_report_count(report), 1);
    assert_string_equal(sti_report_finding(report, 0)->parameter, "arm.upper.mass");
    assert_true(value_at(plan, "arm.upper.mass") == 2.0); // the first
    sti_network_destroy(network);
    sti_report_destroy(report);
    sti_plan_destroy(plan);
    sti_robot_destroy(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_has_a_path),
        cmocka_unit_test(the_robot_may_go_when_it_is_in_the_plan),
        cmocka_unit_test(changed_numbers_make_the_changed_robot),
        cmocka_unit_test(a_changed_network_adopts_a_running_state),
        cmocka_unit_test(numbers_that_make_no_robot_are_refused),
        cmocka_unit_test(a_path_of_two_components_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
