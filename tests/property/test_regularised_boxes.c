// Boxes under the papers' own solvers: what sticks swings elastically and does not creep, what slides
// obeys Coulomb in every direction and does not hop.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/scenes/boxes.h"

enum { SOLVERS = 2 };

static const StiSolver *solver_at(int i)
{
    return i == 0 ? &sti_solver_semi_implicit : &sti_solver_implicit;
}

// The largest distance from the start during the first period of the load, and during the rest.
static void creep(int solver, double angle, double height)
{
    StiAdmittanceId box;
    const Dither dither = {angle * PI / 180.0};
    Rig rig = rig_of(pushed_box(solver_at(solver), &dither, height, &box));
    double swing = 0.0, later = 0.0;
    const int steps = rig_short() ? 2000 : 60000;
    for (int k = 0; k < steps; ++k) {
        rig_step(&rig);
        const double *x = rig_x(&rig, box);
        const double away = hypot(hypot(x[0], x[1]), x[2] - box_half.z);
        *(k < 200 ? &swing : &later) = fmax(k < 200 ? swing : later, away);
    }
    print_message("%s, %g deg, at %g m: swing %.3e m, later %+.1e m\n",
                  sti_solver_name(solver_at(solver)), angle, height, swing, later - swing);
    assert_true(swing < 1e-11);
    assert_true(later - swing <= 1e-12);
    rig_free(&rig);
}

static void a_pushed_box_does_not_creep(void **state)
{
    (void)state;
    for (int i = 0; i < 4 * SOLVERS; ++i) creep(i / 4, directions[i % 4], -box_half.z);
}

static void nor_does_one_that_is_pushed_higher_up(void **state)
{
    (void)state;
    for (int i = 0; i < SOLVERS; ++i) creep(i, 22.5, 0.0);
}

static void a_sliding_box_stops_where_coulomb_says(void **state)
{
    (void)state;
    for (int i = 0; i < 4 * SOLVERS; ++i) {
        const Slide slide = slide_of(solver_at(i / 4), directions[i % 4], 1e-6);
        assert_true(fabs(slide.stop - 0.3399) < 2e-3);
        assert_true(fabs(slide.way - 0.16989) < 1.7e-4);
        assert_true(fabs(slide.beside) < 1e-12);
        assert_true(slide.lift < 1e-9);
    }
}

static void a_box_on_a_slope(void **state)
{
    (void)state;
    for (int i = 0; i < SOLVERS; ++i) {
        StiAdmittanceId box;
        double exact;
        Rig rig = rig_of(
            box_on_plane(solver_at(i), slope_gravity(20.0), 0.5, sti_vec3(0.0, 0.0, 0.0), &box));
        rig_run(&rig, 1000);
        const double early = rig_x(&rig, box)[0];
        rig_run(&rig, rig_short() ? 3000 : 59000);
        print_message("stays: %g m, then %g m\n", early, rig_x(&rig, box)[0] - early);
        assert_true(fabs(early) < 1e-11);
        assert_true(fabs(rig_x(&rig, box)[0] - early) <= 1e-12);
        rig_free(&rig);
        const double v = speed_on_slope(solver_at(i), &exact);
        assert_true(fabs(v - exact) < 1e-3 * exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pushed_box_does_not_creep),
        cmocka_unit_test(nor_does_one_that_is_pushed_higher_up),
        cmocka_unit_test(a_sliding_box_stops_where_coulomb_says),
        cmocka_unit_test(a_box_on_a_slope),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
