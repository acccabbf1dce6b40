// What a scratch keeps about contacts from step to step saves time and changes nothing: a new scratch
// in every step finds the same points, whether shapes rest, move or start to move.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "support/plan.h"
#include "support/scenes/contact_scenes.h"
#include "support/short.h"

// Steps with a scratch that is kept and with new ones; returns in how many steps nothing moved.
static int run_with_new_scratches(StiPlan *plan, int steps)
{
    Rig rig = rig_of(plan);
    StiState *other = sti_state_create(rig.network);
    int rests = 0;
    for (int k = 0; k < steps; ++k) {
        StiScratch *fresh = sti_scratch_create(rig.network);
        rig_step(&rig);
        assert_int_equal(sti_run(rig.network, NULL, other, fresh, 1), STI_OK);
        assert_true(sti_state_hash(other) == sti_state_hash(rig.state));
        assert_int_equal(rig.scratch->contacts->point_count, fresh->contacts->point_count);
        bool moved = false;
        for (int i = 0; i < rig.network->shape_count; ++i)
            moved = moved || rig.scratch->contacts->poses[i].moved;
        rests += !moved;
        sti_scratch_destroy(fresh);
    }
    sti_state_destroy(other);
    rig_free(&rig);
    return rests;
}

static void a_chain_at_rest(void **state)
{
    (void)state;
    Chain chain = chain_plan(1, 0.05, 1e-3);
    sti_robot_destroy(chain.robot);
    assert_int_equal(run_with_new_scratches(chain.plan, 40), 39);
}

static void late_torque(const void *data, void *workspace, double t, double *f)
{
    (void)data, (void)workspace;
    f[0] = t < 0.015 ? 0.0 : -8.0;
}

static void a_chain_that_is_lifted(void **state)
{
    (void)state;
    Chain chain = chain_plan(1, 0.05, 1e-3);
    const StiWire joint = sti_wire_coordinate(chain.id, 0, 1);
    sti_plan_add_force(chain.plan, "lift", &joint, 1,
                       (StiTimeFunction){.count = 1, .eval = late_torque});
    sti_robot_destroy(chain.robot);
    assert_in_range(run_with_new_scratches(chain.plan, 60), 10, 20);
}

static void a_chain_that_falls(void **state)
{
    (void)state;
    Chain chain = chain_plan(4, 0.05, 1e-3);
    sti_robot_destroy(chain.robot);
    assert_in_range(run_with_new_scratches(chain.plan, 60), 0, 2);
}

static void a_box_that_is_shaken(void **state)
{
    (void)state;
    static const Dither dither = {0.3};
    const StiVec3 half = {0.1, 0.1, 0.05};
    StiPlan *plan = plan_in_stages();
    sti_plan_set_step(plan, 1e-3);
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -GRAVITY));
    const StiRigidBody body = box_body(1.0, half, sti_vec3(0.0, 0.0, half.z));
    const StiAdmittanceId box = sti_plan_add_admittance(plan, "box", &sti_kind_rigid_body, &body);
    contact_between(plan, "floor", box_shape(box, half), ground_shape(sti_vec3(0.0, 0.0, 1.0)),
                    0.5);
    const StiWire centre = sti_wire_coordinate(box, 0, 3);
    sti_plan_add_force(plan, "pull", &centre, 3,
                       (StiTimeFunction){.count = 3, .eval = dither_force, .data = &dither});
    run_with_new_scratches(plan, 60);
}

// Nothing has moved between the two, but one is fast enough to arrive within the step.
static void states_of_different_speed_share_a_scratch(void **state)
{
    (void)state;
    const double radius = 0.05;
    StiPlan *plan = plan_in_stages();
    sti_plan_set_step(plan, 1e-3);
    const StiRigidBody body =
        box_body(1.0, sti_vec3(radius, radius, radius), sti_vec3(0.0, 0.0, radius + 2e-3));
    const StiAdmittanceId id = sti_plan_add_admittance(plan, "ball", &sti_kind_rigid_body, &body);
    const StiContactShape ball = {id, 0, sti_shape_sphere(sti_vec3(0.0, 0.0, 0.0), radius)};
    contact_between(plan, "floor", ball, ground_shape(sti_vec3(0.0, 0.0, 1.0)), 0.5);
    Rig rig = rig_of(plan);
    StiState *fast = sti_state_create(rig.network);
    sti_state_edit_velocities(fast, rig.network, id)[2] = -5.0;
    rig_step(&rig);
    assert_int_equal(rig.scratch->contacts->point_count, 0);
    assert_int_equal(sti_run(rig.network, NULL, fast, rig.scratch, 1), STI_OK);
    assert_int_equal(rig.scratch->contacts->point_count, 1);
    sti_state_destroy(fast);
    rig_free(&rig);
}

enum { BODIES = 24, SHAPES = BODIES + 5 };

// Boxes and balls that fall between walls and on steps, all in one element.
static StiPlan *heap(int bodies, bool against_each_other)
{
    StiPlan *plan = plan_in_stages();
    StiContactShape shapes[SHAPES];
    sti_plan_set_step(plan, 1e-3);
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -GRAVITY));
    for (int i = 0; i < bodies; ++i) {
        char name[16];
        const StiVec3 half = {0.05, 0.05, 0.05};
        const StiVec3 at = {0.12 * (i % 4), 0.12 * (i / 4 % 3), 0.06 + 0.12 * (i / 12)};
        snprintf(name, sizeof name, "body%02d", i);
        const StiRigidBody body = box_body(0.5, half, at);
        const StiAdmittanceId id = sti_plan_add_admittance(plan, name, &sti_kind_rigid_body, &body);
        shapes[i] = i % 2 == 0
                        ? box_shape(id, half)
                        : (StiContactShape){id, 0, sti_shape_sphere(sti_vec3(0, 0, 0), 0.05)};
    }
    StiContactShape *fixed = shapes + bodies;
    for (int i = 0; i < 4; ++i) {
        const StiFrame place = {.p = {0.12 * i, 0.12, -0.02 - 0.01 * i}, .q = STI_QUAT_IDENTITY};
        fixed[i] = (StiContactShape){{-1}, 0, sti_shape_box(place, sti_vec3(0.05, 0.3, 0.02))};
    }
    fixed[4] = ground_shape(sti_vec3(0.0, 0.1, 1.0));
    const StiContact contact = {.a = shapes,
                                .a_count = against_each_other ? bodies + 5 : bodies,
                                .b = against_each_other ? NULL : fixed,
                                .b_count = against_each_other ? 0 : 5,
                                .mu = 0.4};
    sti_plan_add_contact(plan, "heap", &contact);
    return plan;
}

static void heaps(void **state)
{
    (void)state;
    const int steps = (int)steps_or(60, 12);
    run_with_new_scratches(heap(1, false), steps);      // every pair, without bounds
    run_with_new_scratches(heap(6, true), steps);       // listed, with bounds
    run_with_new_scratches(heap(BODIES, false), steps); // a sweep
    run_with_new_scratches(heap(BODIES, true), steps);
}

static void pairs_that_may_touch_are_listed(void **state)
{
    (void)state;
    Rig few = rig_of(heap(6, true)), many = rig_of(heap(BODIES, true));
    const Contact *contact = &few.network->contacts[0];
    assert_int_equal(contact->pair_count, 6 * 5 / 2 + 6 * 5); // not the fixed ones among each other
    for (int i = 0; i < contact->pair_count; ++i) {
        const StiPair pair = contact->pairs[i];
        assert_true(pair.a < pair.b && pair.a < 6);
        if (i > 0)
            assert_true(contact->pairs[i - 1].a < pair.a || contact->pairs[i - 1].b < pair.b);
    }
    assert_true(contact->bounded);
    assert_null(many.network->contacts[0].pairs);
    rig_free(&few), rig_free(&many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_at_rest),
        cmocka_unit_test(a_chain_that_is_lifted),
        cmocka_unit_test(a_chain_that_falls),
        cmocka_unit_test(a_box_that_is_shaken),
        cmocka_unit_test(states_of_different_speed_share_a_scratch),
        cmocka_unit_test(heaps),
        cmocka_unit_test(pairs_that_may_touch_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
