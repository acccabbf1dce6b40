// Steps of `coupled` do not allocate: chains whose joints change modes, a stack that is detected
// with bounds, a ball that bounces.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "support/allocations.h"
#include "support/plan.h"
#include "support/scenes/contact_scenes.h"

static void run_without_allocation(Rig *rig, int steps)
{
    const long before = calls;
    const StiStatus status = sti_run(rig->network, NULL, rig->state, rig->scratch, steps);
    const long after = calls;
    assert_true(before > 0); // they are counted at all
    assert_int_equal(status, STI_OK);
    assert_int_equal(after - before, 0);
}

static void a_chain(void **state)
{
    (void)state;
    Chain chain = chain_plan(20, 0.05, 1e-3);
    Rig rig = rig_of(chain.plan);
    run_without_allocation(&rig, 3000);
    rig_free(&rig);
    sti_robot_destroy(chain.robot);
}

static void a_heap_of_boxes(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -GRAVITY));
    StiContactShape shapes[17];
    const StiVec3 half = {0.1, 0.1, 0.1};
    for (int i = 0; i < 16; ++i) {
        char name[16];
        snprintf(name, sizeof name, "box%02d", i);
        const StiRigidBody body =
            box_body(1.0, half, sti_vec3(0.03 * (i % 3), 0.02 * (i % 2), 0.11 + 0.22 * i));
        shapes[i] =
            box_shape(sti_plan_add_admittance(plan, name, &sti_kind_rigid_body, &body), half);
    }
    shapes[16] = ground_shape(sti_vec3(0.0, 0.0, 1.0));
    sti_plan_add_contact(plan, "heap",
                         &(StiContact){.a = shapes, .a_count = 17, .mu = 0.5, .restitution = 0.2});
    Rig rig = rig_of(plan);
    run_without_allocation(&rig, 600);
    const StiStepFigures f = sti_scratch_figures(rig.scratch);
    print_message("points %d, lost %d, unsolved %d\n", f.points, f.points_lost, f.unsolved);
    assert_int_equal(f.points_lost, 0);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_chain),
                                       cmocka_unit_test(a_heap_of_boxes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
