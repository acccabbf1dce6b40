// Boxes on a plane under the solver `coupled`: what is stuck does not move, what slides obeys
// Coulomb, whatever the direction.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/scenes/boxes.h"

static void a_pushed_box_does_not_creep(void **state)
{
    (void)state;
    for (int i = 0; i < 4; ++i) {
        StiAdmittanceId box;
        const Dither dither = {directions[i] * PI / 180.0};
        Rig rig = rig_of(pushed_box(NULL, &dither, 0.0, &box));
        rig_run(&rig, rig_short() ? 3000 : 60000);
        const double *x = rig_x(&rig, box);
        print_message("%g deg: %g %g %g, w %g\n", directions[i], x[0], x[1], x[2] - box_half.z,
                      x[3] - 1.0);
        assert_true(hypot(x[0], x[1]) <= 1e-12);
        assert_true(fabs(x[2] - box_half.z) <= 1e-12);
        rig_free(&rig);
    }
}

static void a_sliding_box_stops_where_coulomb_says(void **state)
{
    (void)state;
    for (int i = 0; i < 4; ++i) {
        const Slide slide = slide_of(NULL, directions[i], 1e-9);
        assert_true(fabs(slide.stop - 0.340) < 1e-9);
        assert_true(fabs(slide.way - 0.16939) < 1e-4);
        assert_true(fabs(slide.beside) < 1e-12);
        assert_true(slide.lift < 1e-12);
    }
}

static void a_box_on_a_slope(void **state)
{
    (void)state;
    StiAdmittanceId box;
    double exact;
    Rig rig = rig_of(box_on_plane(NULL, slope_gravity(20.0), 0.5, sti_vec3(0.0, 0.0, 0.0), &box));
    rig_run(&rig, rig_short() ? 3000 : 60000);
    print_message("stays: %g\n", rig_x(&rig, box)[0]);
    assert_true(fabs(rig_x(&rig, box)[0]) < 1e-12);
    rig_free(&rig);
    const double v = speed_on_slope(NULL, &exact);
    assert_true(fabs(v - exact) < 1e-9);
}

static void a_stack_of_ten_boxes_stands(void **state)
{
    (void)state;
    const Stack stack = stack_of_boxes();
    Rig rig = rig_of(stack.plan);
    int trouble = 0;
    for (int k = 0; k < (rig_short() ? 500 : 5000); ++k) {
        rig_step(&rig);
        trouble += sti_scratch_figures(rig.scratch).unsolved;
    }
    print_message("stack: moved %g, unsolved %d\n", stack_moved(&rig, &stack), trouble);
    assert_true(stack_moved(&rig, &stack) < 1e-9);
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
