// Hours of holding under `coupled`: nothing creeps.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "support/scenes/contact_scenes.h"

static const StiVec3 half = {0.1, 0.1, 0.05};

static void a_stack_for_a_minute(void **state)
{
    (void)state;
    StiPlan *plan = sti_plan_create();
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -GRAVITY));
    StiContactShape shapes[11];
    StiAdmittanceId boxes[10];
    for (int i = 0; i < 10; ++i) {
        char name[16];
        snprintf(name, sizeof name, "box%d", i);
        const StiRigidBody body = box_body(1.0, half, sti_vec3(0.0, 0.0, half.z * (2.0 * i + 1.0)));
        boxes[i] = sti_plan_add_admittance(plan, name, &sti_kind_rigid_body, &body);
        shapes[i] = box_shape(boxes[i], half);
    }
    shapes[10] = ground_shape(sti_vec3(0.0, 0.0, 1.0));
    sti_plan_add_contact(plan, "stack", &(StiContact){.a = shapes, .a_count = 11, .mu = 0.5});
    Rig rig = rig_of(plan);
    rig_run(&rig, 60000);
    for (int i = 0; i < 10; ++i) {
        const double *x = rig_x(&rig, boxes[i]);
        assert_true(hypot(hypot(x[0], x[1]), x[2] - half.z * (2.0 * i + 1.0)) < 1e-9);
    }
    rig_free(&rig);
}

static void a_box_on_a_slope_for_ten_minutes(void **state)
{
    (void)state;
    const double slope = 20.0 * 3.14159265358979323846 / 180.0;
    StiPlan *plan = sti_plan_create();
    sti_plan_set_gravity(plan, sti_vec3(GRAVITY * sin(slope), 0.0, -GRAVITY * cos(slope)));
    const StiRigidBody body = box_body(1.0, half, sti_vec3(0.0, 0.0, half.z));
    const StiAdmittanceId box = sti_plan_add_admittance(plan, "box", &sti_kind_rigid_body, &body);
    contact_between(plan, "floor", box_shape(box, half), ground_shape(sti_vec3(0.0, 0.0, 1.0)),
                    0.5);
    Rig rig = rig_of(plan);
    rig_run(&rig, 600000);
    assert_true(fabs(rig_x(&rig, box)[0]) < 1e-12);
    rig_free(&rig);
}

static void small_torque(const void *data, void *workspace, double t, double *torque)
{
    (void)data, (void)workspace;
    *torque = 0.9 * sin(3.0 * t);
}

// A geared joint below its level for ten hours.
static void a_joint_for_ten_hours(void **state)
{
    (void)state;
    const StiLink link = {.name = "arm",
                          .joint_name = "joint",
                          .parent = -1,
                          .joint = STI_JOINT_REVOLUTE,
                          .axis = {0.0, 0.0, 1.0},
                          .mass = 1.0,
                          .inertia = {0.01, 0.01, 0.01},
                          .armature = 0.5};
    StiRobot *robot = sti_robot_create(&link, 1, NULL);
    StiPlan *plan = sti_plan_create();
    const StiAdmittanceId arm =
        sti_plan_add_admittance(plan, "arm", &sti_kind_robot, &(StiRobotBody){.robot = robot});
    const StiWire wire = sti_wire_joint(arm, robot, 0);
    sti_plan_add_reaction(plan, "friction", &sti_kind_finite_time,
                          &(StiFiniteTime){.dim = 1, .law = sti_law_coulomb(1.0)}, &wire);
    sti_plan_add_force(plan, "torque", &wire, 1,
                       (StiTimeFunction){.count = 1, .eval = small_torque});
    Rig rig = rig_of(plan);
    rig_run(&rig, 36000000);
    assert_true(rig_x(&rig, arm)[0] == 0.0);
    rig_free(&rig);
    sti_robot_destroy(robot);
}

static void a_fallen_chain_for_a_million_steps(void **state)
{
    (void)state;
    Chain chain = chain_plan(5, 0.05, 1e-3);
    Rig rig = rig_of(chain.plan);
    rig_run(&rig, 20000);
    double q[5];
    for (int i = 0; i < 5; ++i) q[i] = rig_x(&rig, chain.id)[i];
    rig_run(&rig, 1000000);
    for (int i = 0; i < 5; ++i) assert_true(rig_x(&rig, chain.id)[i] == q[i]);
    rig_free(&rig);
    sti_robot_destroy(chain.robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_for_a_minute),
        cmocka_unit_test(a_box_on_a_slope_for_ten_minutes),
        cmocka_unit_test(a_joint_for_ten_hours),
        cmocka_unit_test(a_fallen_chain_for_a_million_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
