// Boxes on a plane under the solver `coupled`: what is stuck does not move, what slides obeys
// Coulomb, whatever the direction.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/scenes/contact_scenes.h"

static const StiVec3 half = {0.1, 0.1, 0.05};
static const double angles[4] = {0.0, 22.5, 30.0, 45.0};

static StiPlan *box_on_plane(double T, StiVec3 gravity, double mu, StiVec3 velocity,
                             StiAdmittanceId *box)
{
    StiPlan *plan = sti_plan_create();
    sti_plan_set_step(plan, T);
    sti_plan_set_gravity(plan, gravity);
    StiRigidBody body = box_body(1.0, half, sti_vec3(0.0, 0.0, half.z));
    body.velocity[0] = velocity.x;
    body.velocity[1] = velocity.y;
    *box = sti_plan_add_admittance(plan, "box", &sti_kind_rigid_body, &body);
    contact_between(plan, "floor", box_shape(*box, half), ground_shape(sti_vec3(0.0, 0.0, 1.0)),
                    mu);
    return plan;
}

static void a_pushed_box_does_not_creep(void **state)
{
    (void)state;
    for (int i = 0; i < 4; ++i) {
        StiAdmittanceId box;
        const Dither dither = {angles[i] * 3.14159265358979323846 / 180.0};
        StiPlan *plan =
            box_on_plane(1e-3, sti_vec3(0.0, 0.0, -GRAVITY), 0.5, sti_vec3(0.0, 0.0, 0.0), &box);
        const StiWire wire =
            sti_wire_point(box, 0, sti_vec3(0.0, 0.0, 0.0), sti_vec3(0.0, 0.0, 0.0), 3);
        sti_plan_add_force(plan, "push", &wire, 3,
                           (StiTimeFunction){.count = 3, .eval = dither_force, .data = &dither});
        Rig rig = rig_of(plan);
        rig_run(&rig, rig_short() ? 3000 : 60000);
        const double *x = rig_x(&rig, box);
        print_message("%g deg: %g %g %g, w %g\n", angles[i], x[0], x[1], x[2] - half.z, x[3] - 1.0);
        assert_true(hypot(x[0], x[1]) <= 1e-12);
        assert_true(fabs(x[2] - half.z) <= 1e-12);
        rig_free(&rig);
    }
}

static void a_sliding_box_stops_where_coulomb_says(void **state)
{
    (void)state;
    for (int i = 0; i < 4; ++i) {
        StiAdmittanceId box;
        const double angle = angles[i] * 3.14159265358979323846 / 180.0;
        StiPlan *plan = box_on_plane(1e-3, sti_vec3(0.0, 0.0, -GRAVITY), 0.3,
                                     sti_vec3(cos(angle), sin(angle), 0.0), &box);
        Rig rig = rig_of(plan);
        double lift = 0.0, stop = 0.0;
        for (int k = 0; k < 500; ++k) {
            rig_step(&rig);
            const double *v = rig_v(&rig, box);
            lift = fmax(lift, fabs(v[2]));
            if (stop == 0.0 && hypot(v[0], v[1]) < 1e-9) stop = rig_time(&rig);
        }
        const double *x = rig_x(&rig, box);
        const double way = x[0] * cos(angle) + x[1] * sin(angle);
        const double beside = x[1] * cos(angle) - x[0] * sin(angle);
        print_message("%g deg: stops %g s after %.6f m, beside %g, lift %g\n", angles[i], stop, way,
                      beside, lift);
        assert_true(fabs(stop - 0.340) < 1e-9);
        assert_true(fabs(way - 0.16939) < 1e-4);
        assert_true(fabs(beside) < 1e-12);
        assert_true(lift < 1e-12);
        rig_free(&rig);
    }
}

static void a_box_on_a_slope(void **state)
{
    (void)state;
    const double slope = 20.0 * 3.14159265358979323846 / 180.0;
    const StiVec3 gravity = {GRAVITY * sin(slope), 0.0, -GRAVITY * cos(slope)};
    StiAdmittanceId box;
    Rig rig = rig_of(box_on_plane(1e-3, gravity, 0.5, sti_vec3(0.0, 0.0, 0.0), &box));
    rig_run(&rig, rig_short() ? 3000 : 60000);
    print_message("stays: %g\n", rig_x(&rig, box)[0]);
    assert_true(fabs(rig_x(&rig, box)[0]) < 1e-12);
    rig_free(&rig);
    rig = rig_of(box_on_plane(1e-3, gravity, 0.3, sti_vec3(0.0, 0.0, 0.0), &box));
    rig_run(&rig, 1000);
    const double exact = GRAVITY * (sin(slope) - 0.3 * cos(slope));
    print_message("slides: %.9f, exact %.9f\n", rig_v(&rig, box)[0], exact);
    assert_true(fabs(rig_v(&rig, box)[0] - exact) < 1e-9);
    rig_free(&rig);
}

static void a_stack_of_ten_boxes_stands(void **state)
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
    double most = 0.0;
    int trouble = 0;
    for (int k = 0; k < (rig_short() ? 500 : 5000); ++k) {
        rig_step(&rig);
        trouble += sti_scratch_figures(rig.scratch).unsolved;
    }
    for (int i = 0; i < 10; ++i) {
        const double *x = rig_x(&rig, boxes[i]);
        most = fmax(most, hypot(hypot(x[0], x[1]), x[2] - half.z * (2.0 * i + 1.0)));
    }
    print_message("stack: moved %g, unsolved %d\n", most, trouble);
    assert_true(most < 1e-9);
    assert_int_equal(trouble, 0);
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pushed_box_does_not_creep),
        cmocka_unit_test(a_sliding_box_stops_where_coulomb_says),
        cmocka_unit_test(a_box_on_a_slope),
        cmocka_unit_test(a_stack_of_ten_boxes_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
