// Boxes under the papers' own solvers: what sticks swings elastically and does not creep, what slides
// obeys Coulomb in every direction and does not hop.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/scenes/contact_scenes.h"

static const double PI = 3.14159265358979323846;
static const StiVec3 half = {0.1, 0.1, 0.05};
static const double angles[4] = {0.0, 22.5, 30.0, 45.0};
enum { SOLVERS = 2 };

static const StiSolver *solver_at(int i)
{
    return i == 0 ? &sti_solver_semi_implicit : &sti_solver_implicit;
}

static StiPlan *box_on_plane(int solver, StiVec3 gravity, double mu, StiVec3 velocity,
                             StiAdmittanceId *box)
{
    StiPlan *plan = sti_plan_create();
    sti_plan_set_solver(plan, solver_at(solver));
    sti_plan_set_gravity(plan, gravity);
    StiRigidBody body = box_body(1.0, half, sti_vec3(0.0, 0.0, half.z));
    body.velocity[0] = velocity.x;
    body.velocity[1] = velocity.y;
    *box = sti_plan_add_admittance(plan, "box", &sti_kind_rigid_body, &body);
    contact_between(plan, "floor", box_shape(*box, half), ground_shape(sti_vec3(0.0, 0.0, 1.0)),
                    mu);
    return plan;
}

// The largest distance from the start during the first period of the load, and during the rest.
static void creep(int solver, double angle, double height)
{
    StiAdmittanceId box;
    const Dither dither = {angle * PI / 180.0};
    StiPlan *plan =
        box_on_plane(solver, sti_vec3(0.0, 0.0, -GRAVITY), 0.5, sti_vec3(0.0, 0.0, 0.0), &box);
    const StiWire wire =
        sti_wire_point(box, 0, sti_vec3(0.0, 0.0, height), sti_vec3(0.0, 0.0, 0.0), 3);
    sti_plan_add_force(plan, "push", &wire, 3,
                       (StiTimeFunction){.count = 3, .eval = dither_force, .data = &dither});
    Rig rig = rig_of(plan);
    double swing = 0.0, later = 0.0;
    const int steps = rig_short() ? 2000 : 60000;
    for (int k = 0; k < steps; ++k) {
        rig_step(&rig);
        const double *x = rig_x(&rig, box);
        const double away = hypot(hypot(x[0], x[1]), x[2] - half.z);
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
    for (int i = 0; i < 4 * SOLVERS; ++i) creep(i / 4, angles[i % 4], -half.z);
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
        StiAdmittanceId box;
        const double angle = angles[i % 4] * PI / 180.0;
        StiPlan *plan = box_on_plane(i / 4, sti_vec3(0.0, 0.0, -GRAVITY), 0.3,
                                     sti_vec3(cos(angle), sin(angle), 0.0), &box);
        Rig rig = rig_of(plan);
        double lift = 0.0, stop = 0.0;
        for (int k = 0; k < 500; ++k) {
            rig_step(&rig);
            const double *v = rig_v(&rig, box);
            lift = fmax(lift, fabs(v[2]));
            if (stop == 0.0 && hypot(v[0], v[1]) < 1e-6) stop = rig_time(&rig);
        }
        const double *x = rig_x(&rig, box);
        const double way = x[0] * cos(angle) + x[1] * sin(angle);
        const double beside = x[1] * cos(angle) - x[0] * sin(angle);
        print_message("%s, %g deg: stops %g s after %.6f m, beside %g, lift %g\n",
                      sti_solver_name(solver_at(i / 4)), angles[i % 4], stop, way, beside, lift);
        assert_true(fabs(stop - 0.3399) < 2e-3);
        assert_true(fabs(way - 0.16989) < 1.7e-4);
        assert_true(fabs(beside) < 1e-12);
        assert_true(lift < 1e-9);
        rig_free(&rig);
    }
}

static void a_box_on_a_slope(void **state)
{
    (void)state;
    const double slope = 20.0 * PI / 180.0;
    const StiVec3 gravity = {GRAVITY * sin(slope), 0.0, -GRAVITY * cos(slope)};
    for (int i = 0; i < SOLVERS; ++i) {
        StiAdmittanceId box;
        Rig rig = rig_of(box_on_plane(i, gravity, 0.5, sti_vec3(0.0, 0.0, 0.0), &box));
        rig_run(&rig, 1000);
        const double early = rig_x(&rig, box)[0];
        rig_run(&rig, rig_short() ? 3000 : 59000);
        print_message("stays: %g m, then %g m\n", early, rig_x(&rig, box)[0] - early);
        assert_true(fabs(early) < 1e-11);
        assert_true(fabs(rig_x(&rig, box)[0] - early) <= 1e-12);
        rig_free(&rig);
        rig = rig_of(box_on_plane(i, gravity, 0.3, sti_vec3(0.0, 0.0, 0.0), &box));
        rig_run(&rig, 1000);
        const double v = GRAVITY * (sin(slope) - 0.3 * cos(slope));
        print_message("slides: %.9f, exact %.9f m/s\n", rig_v(&rig, box)[0], v);
        assert_true(fabs(rig_v(&rig, box)[0] - v) < 1e-3 * v);
        rig_free(&rig);
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
