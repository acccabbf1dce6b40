// A step that is stable element by element and not as a whole; motions that grow by nature.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "../network/built.h"

static int warnings(const StiReport *report)
{
    int count = 0;
    for (int i = 0; i < sti_report_count(report); ++i)
        count += sti_report_finding(report, i)->severity == STI_WARNING;
    return count;
}

// Compiles and looks; how many warnings there are, of which compile has none.
static int warnings_as_a_whole(StiPlan *plan)
{
    Built built = build(plan);
    assert_int_equal(warnings(built.report), 0);
    assert_int_equal(sti_network_check_stability(plan, built.network, built.report), STI_OK);
    const int count = warnings(built.report);
    if (count > 0) assert_string_equal(sti_report_finding(built.report, 0)->component, "mass");
    release(&built);
    sti_plan_destroy(plan);
    return count;
}

static StiPlan *springs(int count, double K, double step, const StiMethod *method)
{
    StiPlan *plan = sti_plan_create();
    const StiAdmittanceId mass = add_mass(plan, "mass", 1.0);
    for (int i = 0; i < count; ++i) {
        char name[32];
        snprintf(name, sizeof name, "spring%d", i);
        add_spring(plan, name, sti_wire_coordinate(mass, 0, 1), K, 1.0);
    }
    sti_plan_set_step(plan, step);
    sti_plan_set_method(plan, method);
    return plan;
}

static void springs_are_stable_alone_and_not_together(void **state)
{
    (void)state;
    assert_int_equal(warnings_as_a_whole(springs(1, 4e6, 1e-3, &sti_method_rk4)), 0);
    assert_int_equal(warnings_as_a_whole(springs(3, 4e6, 1e-3, &sti_method_rk4)), 1);
    assert_int_equal(warnings_as_a_whole(springs(3, 4e6, 0.5e-3, &sti_method_rk4)), 0);
    assert_int_equal(warnings_as_a_whole(springs(3, 1.5e6, 1e-3, &sti_method_symplectic_euler)), 1);
    assert_int_equal(warnings_as_a_whole(springs(3, 4e6, 1e-3, &sti_method_cut)), 0);
}

// Upright, it falls: by the factor 1.1 in each of these steps.
static void what_falls_by_nature_is_stable(void **state)
{
    (void)state;
    const StiLink pole = {.name = "mass",
                          .joint_name = "pivot",
                          .parent = -1,
                          .joint = STI_JOINT_REVOLUTE,
                          .axis = {0.0, 1.0, 0.0},
                          .mass = 1.0,
                          .centre = {0.0, 0.0, 0.1},
                          .inertia = {1e-4, 1e-4, 1e-4}};
    const StiMethod *const methods[] = {&sti_method_rk4, &sti_method_cut, &sti_method_euler};
    for (int i = 0; i < 3; ++i) {
        StiRobot *robot = sti_robot_create(&pole, 1, NULL);
        StiPlan *plan = sti_plan_create();
        sti_plan_add_admittance(plan, "mass", &sti_kind_robot, &(StiRobotBody){.robot = robot});
        sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -9.81));
        sti_plan_set_step(plan, 1e-2);
        sti_plan_set_method(plan, methods[i]);
        assert_int_equal(warnings_as_a_whole(plan), 0);
        sti_robot_destroy(robot);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springs_are_stable_alone_and_not_together),
        cmocka_unit_test(what_falls_by_nature_is_stable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
