// Spheres and capsules under the solver `coupled`: rolling, pinching, bouncing, holding a point.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/plan.h"
#include "support/scenes/contact_scenes.h"

static const double pi = 3.14159265358979323846;

// Slips from 1 m/s without spin: ends at 5/7 of the speed after 2 v/(7 mu g), then rolls.
static void a_sphere_slips_then_rolls(void **state)
{
    (void)state;
    const double R = 0.1, mu = 0.1, v0 = 2.0;
    StiPlan *plan = plan_in_stages();
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -GRAVITY));
    const double J = 0.4 * R * R;
    const StiAdmittanceId ball = sti_plan_add_admittance(plan, "ball", &sti_kind_rigid_body,
                                                         &(StiRigidBody){.mass = 1.0,
                                                                         .inertia = {J, J, J},
                                                                         .position = {0, 0, R},
                                                                         .velocity = {v0}});
    const StiContactShape sphere = {ball, 0, sti_shape_sphere(sti_vec3(0, 0, 0), R)};
    contact_between(plan, "floor", sphere, ground_shape(sti_vec3(0, 0, 1)), mu);
    Rig rig = rig_of(plan);
    double end = 0.0;
    for (int k = 0; k < 2000; ++k) {
        rig_step(&rig);
        const double *v = rig_v(&rig, ball);
        const double slip = v[0] - R * v[4];
        if (end == 0.0 && fabs(slip) < 1e-9) end = rig_time(&rig);
        if (end > 0.0) assert_true(fabs(slip) < 1e-12);
    }
    const double exact = 2.0 * v0 / (7.0 * mu * GRAVITY);
    const double x0 = rig_x(&rig, ball)[0];
    print_message("slip ends %.4f (exact %.4f), v %.12f\n", end, exact, rig_v(&rig, ball)[0]);
    assert_true(fabs(end - exact) < 1.5e-3);
    assert_true(fabs(rig_v(&rig, ball)[0] - 5.0 / 7.0 * v0) < 1e-9);
    // The way of rolling is that of the velocity: the anchor rolls along.
    rig_run(&rig, 1000);
    const double way = rig_x(&rig, ball)[0] - x0, height = rig_x(&rig, ball)[2] - R;
    print_message("rolled %.12f, height %g\n", way, height);
    assert_true(fabs(way - 5.0 / 7.0 * v0) < 1e-8);
    assert_true(fabs(height) < 1e-12);
    rig_free(&rig);
}

// Two fingers on guides, pushed together, hold a capsule with a twentyfold margin.
static void squeeze(const void *data, void *workspace, double t, double *values)
{
    (void)workspace, (void)t;
    values[0] = *(const double *)data;
}

static void a_pinched_capsule_does_not_sink(void **state)
{
    (void)state;
    static const double left = 98.1, right = -98.1;
    const double R = 0.02, L = 0.05, mu = 1.0;
    StiPlan *plan = plan_in_stages();
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -GRAVITY));
    StiAdmittanceId fingers[2];
    for (int i = 0; i < 2; ++i) {
        const double x = i == 0 ? -(R + 0.02) : R + 0.02;
        fingers[i] = sti_plan_add_admittance(
            plan, i == 0 ? "left" : "right", &sti_kind_guided_block,
            &(StiGuidedBlock){.mass = 0.5, .axis = {1, 0, 0}, .origin = {x, 0, 0}});
        const StiWire wire = sti_wire_coordinate(fingers[i], 0, 1);
        sti_plan_add_force(plan, i == 0 ? "push" : "pull", &wire, 1,
                           (StiTimeFunction){.count = 1,
                                             .eval = squeeze,
                                             .data = i == 0 ? &left : &right});
    }
    const StiAdmittanceId capsule =
        sti_plan_add_admittance(plan, "capsule", &sti_kind_rigid_body,
                                &(StiRigidBody){.mass = 1.0, .inertia = {1e-3, 1e-3, 2e-4}});
    const StiContactShape held = {capsule, 0,
                                  sti_shape_capsule((StiFrame){.q = STI_QUAT_IDENTITY}, R, L)};
    for (int i = 0; i < 2; ++i)
        contact_between(plan, i == 0 ? "grip_left" : "grip_right", held,
                        box_shape(fingers[i], sti_vec3(0.02, 0.1, 0.1)), mu);
    Rig rig = rig_of(plan);
    rig_run(&rig, rig_short() ? 3000 : 60000);
    const double *x = rig_x(&rig, capsule);
    const StiStepFigures f = sti_scratch_figures(rig.scratch);
    print_message("capsule: %g %g %g, unsolved %d, points %d\n", x[0], x[1], x[2], f.unsolved,
                  f.points);
    assert_true(fabs(x[2]) < 1e-9 && fabs(x[0]) < 1e-9 && fabs(x[1]) < 1e-9);
    rig_free(&rig);
}

static void a_ball_bounces_no_higher(void **state)
{
    (void)state;
    const double R = 0.05;
    StiPlan *plan = plan_in_stages();
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -GRAVITY));
    const StiAdmittanceId ball =
        sti_plan_add_admittance(plan, "ball", &sti_kind_rigid_body,
                                &(StiRigidBody){.mass = 1.0,
                                                .inertia = {1e-3, 1e-3, 1e-3},
                                                .position = {0, 0, 0.5 + R},
                                                .angular_velocity = {0, 50, 0}});
    const StiContactShape a = {ball, 0, sti_shape_sphere(sti_vec3(0, 0, 0), R)};
    const StiContactShape b = ground_shape(sti_vec3(0, 0, 1));
    sti_plan_add_contact(
        plan, "floor",
        &(StiContact){.a = &a, .a_count = 1, .b = &b, .b_count = 1, .mu = 0.4, .restitution = 0.8});
    Rig rig = rig_of(plan);
    double top = 0.0, rise = 0.0, before = 1e300;
    bool bounced = false;
    for (int k = 0; k < 800; ++k) {
        rig_step(&rig);
        const double *x = rig_x(&rig, ball), *v = rig_v(&rig, ball);
        const double E = 0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) +
                         0.5e-3 * (v[3] * v[3] + v[4] * v[4] + v[5] * v[5]) + GRAVITY * x[2];
        rise = fmax(rise, E - before);
        before = E;
        bounced = bounced || v[2] > 0.5;
        if (bounced) top = fmax(top, x[2] - R);
    }
    print_message("bounce: top %g (exact 0.32), energy rose by %g\n", top, rise);
    assert_true(bounced && fabs(top - 0.32) < 5e-3);
    assert_true(rise < 1e-9);
    rig_free(&rig);
}

// A body spins about a point that friction holds to the world: the point must not wander.
static void a_held_point_stays(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -GRAVITY));
    const StiAdmittanceId body =
        sti_plan_add_admittance(plan, "body", &sti_kind_rigid_body,
                                &(StiRigidBody){.mass = 1.0,
                                                .inertia = {0.01, 0.01, 0.02},
                                                .position = {0.3, 0, 0},
                                                .velocity = {0, 0.6, 0},
                                                .angular_velocity = {0, 0, 2.0}});
    const StiWire wire = sti_wire_point(body, 0, sti_vec3(-0.3, 0, 0), sti_vec3(0, 0, 0), 3);
    sti_plan_add_reaction(plan, "pin", &sti_kind_finite_time,
                          &(StiFiniteTime){.dim = 3, .law = sti_law_coulomb(500.0)}, &wire);
    sti_plan_set_solver(plan, &sti_solver_coupled);
    Rig rig = rig_of(plan);
    double most = 0.0;
    for (int k = 0; k < 5000; ++k) {
        rig_step(&rig);
        const double *x = rig_x(&rig, body);
        const StiQuat q = {x[3], x[4], x[5], x[6]};
        const StiVec3 arm = sti_quat_rotate(q, sti_vec3(-0.3, 0, 0));
        most = fmax(most, sti_vec3_norm(sti_vec3_add(arm, sti_vec3(x[0], x[1], x[2]))));
    }
    print_message("held point: %g m at most\n", most);
    assert_true(most < 1e-4);
    (void)pi;
    rig_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sphere_slips_then_rolls),
        cmocka_unit_test(a_pinched_capsule_does_not_sink),
        cmocka_unit_test(a_ball_bounces_no_higher),
        cmocka_unit_test(a_held_point_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
