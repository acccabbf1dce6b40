// Hours of holding under `coupled`: nothing creeps.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "support/scenes/boxes.h"
#include "support/scenes/geared_joint.h"

static void a_stack_for_a_minute(void **state)
{
    (void)state;
    const Stack stack = stack_of_boxes();
    Rig rig = rig_of(stack.plan);
    rig_run(&rig, 60000);
    assert_true(stack_moved(&rig, &stack) < 1e-9);
    rig_free(&rig);
}

static void a_box_on_a_slope_for_ten_minutes(void **state)
{
    (void)state;
    StiAdmittanceId box;
    Rig rig = rig_of(box_on_plane(NULL, slope_gravity(20.0), 0.5, sti_vec3(0.0, 0.0, 0.0), &box));
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
    const GearedJoint joint = geared_joint(&(StiFiniteTime){.dim = 1, .law = sti_law_coulomb(1.0)},
                                           (StiTimeFunction){.count = 1, .eval = small_torque});
    Rig rig = rig_of(joint.plan);
    rig_run(&rig, 36000000);
    assert_true(rig_x(&rig, joint.arm)[0] == 0.0);
    rig_free(&rig);
    sti_robot_destroy(joint.robot);
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
