#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "assembly.h"
#include "stiction/spring.h"
#include "support/near.h"
#include "support/random.h"

static const StiImpedanceKind *const kind = &sti_kind_soft_contact;

typedef struct Touch {
    StiSoftContact p;
    double tau, x[3], v[3], e[2], u[3], edot[2];
} Touch;

static Touch random_touch(Random *random)
{
    Touch t = {.p = {.points = 1}};
    t.p.K = random_decades(random, 1e2, 1e4);
    t.p.B = random_decades(random, 1.0, 1e2);
    t.p.mu = random_between(random, 0.0, 1.0);
    t.tau = random_below(random, 3) ? random_decades(random, 1e-4, 1e-1) : 0.0;
    for (int i = 0; i < 3; ++i) {
        t.x[i] = random_between(random, -0.1, 0.05);
        t.v[i] = random_between(random, -1.0, 1.0);
    }
    for (int i = 0; i < 2; ++i) t.e[i] = random_between(random, -0.03, 0.03);
    sti_soft_contact_point(&t.p, t.tau, t.x, t.v, t.e, t.u, t.edot);
    return t;
}

static void it_pushes_only_and_friction_stays_in_the_cone(void **state)
{
    (void)state;
    Random random = {111};
    for (int trial = 0; trial < 20000; ++trial) {
        const Touch t = random_touch(&random);
        assert_true(t.u[2] <= 0.0);
        assert_true(hypot(t.u[0], t.u[1]) <= -t.p.mu * t.u[2] * (1.0 + 4e-16));
        if (t.x[2] >= 0.0) assert_true(t.u[0] == 0.0 && t.u[1] == 0.0 && t.u[2] == 0.0);
    }
}

// In stick the deflection takes the velocity by assignment, so that nothing can drift.
static void a_touching_point_sticks_or_slips(void **state)
{
    (void)state;
    Random random = {112};
    int sticking = 0, slipping = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        const Touch t = random_touch(&random);
        if (t.x[2] >= 0.0) continue;
        const double Z = t.p.B + t.tau * t.p.K, limit = -t.p.mu * t.u[2];
        const double trial_force[2] = {Z * t.v[0] + t.p.K * t.e[0], Z * t.v[1] + t.p.K * t.e[1]};
        if (hypot(trial_force[0], trial_force[1]) < limit * (1.0 - 1e-12)) {
            ++sticking;
            assert_true(t.edot[0] == t.v[0] && t.edot[1] == t.v[1]);
        } else {
            ++slipping;
            assert_near(hypot(t.u[0], t.u[1]), limit, 5e-13);
            for (int i = 0; i < 2; ++i) assert_near(t.p.K * t.e[i] + Z * t.edot[i], t.u[i], 5e-13);
        }
    }
    assert_true(sticking > 1000 && slipping > 1000);
}

// Power taken is never less than the growth of what is stored, at any tau.
static void it_dissipates(void **state)
{
    (void)state;
    Random random = {113};
    for (int trial = 0; trial < 20000; ++trial) {
        const Touch t = random_touch(&random);
        if (t.x[2] >= 0.0) continue;
        double power = 0.0;
        for (int i = 0; i < 3; ++i) power += t.u[i] * t.v[i];
        const double growth = t.p.K * (t.x[2] * t.v[2] + t.e[0] * t.edot[0] + t.e[1] * t.edot[1]);
        assert_true(power >= growth - 1e-12);
    }
}

static void off_the_plane_the_deflection_is_forgotten(void **state)
{
    (void)state;
    const StiSoftContact p = {.points = 1, .K = 1e3, .B = 10.0, .mu = 0.5};
    const double x[3] = {0.0, 0.0, 0.0}, v[3] = {1.0, 2.0, -3.0}, e[2] = {0.25, -0.5};
    double u[3], edot[2];
    sti_soft_contact_point(&p, 0.5, x, v, e, u, edot);
    assert_true(u[0] == 0.0 && u[1] == 0.0 && u[2] == 0.0);
    assert_true(edot[0] == -0.5 && edot[1] == 1.0);
    sti_soft_contact_point(&p, 0.0, x, v, e, u, edot);
    assert_true(edot[0] == 0.0 && edot[1] == 0.0);
}

static void without_damping_there_is_no_continuous_limit(void **state)
{
    (void)state;
    const StiSoftContact p = {.points = 1, .K = 1e3, .mu = 0.5};
    const double x[3] = {0.0, 0.0, -1e-3}, v[3] = {1.0, 0.0, 0.0}, e[2] = {0.0, 0.0};
    const StiMotion xhat = {x, v, NULL};
    const StiStage continuous = {.tau = 0.0}, discrete = {.tau = 1e-3};
    double u[3], edot[2];
    assert_int_equal(kind->eval(&p, &continuous, &xhat, e, NULL, u, edot), STI_NO_CONTINUOUS_LIMIT);
    assert_int_equal(kind->eval(&p, &discrete, &xhat, e, NULL, u, edot), STI_OK);
}

// Three points: one sticks, one slips, one is off.
static void channels_sum_over_the_points(void **state)
{
    (void)state;
    const StiSoftContact p = {.points = 3, .K = 1000.0, .B = 1.0, .mu = 0.5};
    double x[9] = {0.0, 0.0, -0.01, 0.0, 0.0, -0.02, 0.0, 0.0, 0.01};
    const double v[9] = {0.3, 0.0, 0.0, 0.0, 50.0, 0.0, 9.0, 9.0, 9.0};
    const double y[6] = {0.001, 0.0, 0.0, 0.0, 0.5, 0.5};
    const StiStage stage = {.tau = 1e-3};
    const StiMotion xhat = {x, v, NULL};
    double u[9], ydot[6], values[5];
    assert_int_equal(kind->eval(&p, &stage, &xhat, y, NULL, u, ydot), STI_OK);
    kind->observe(&p, &stage, &xhat, y, NULL, u, values);
    assert_near(values[0], 30.0, 1e-14);             // fn
    assert_near(values[1], hypot(1.6, 10.0), 1e-14); // ft: Z 0.3 + K 0.001, and mu 20 N
    assert_true(values[2] == 0.0 && values[3] == 0.02 && values[4] == 2.0);
    assert_near(kind->stored(&p, &xhat, y), 500.0 * (1e-4 + 4e-4 + 1e-6), 1e-16);
    x[5] = 1.0; // the slipping one leaves: all that touch stick
    kind->observe(&p, &stage, &xhat, y, NULL, u, values);
    assert_true(values[2] == 1.0 && values[3] == 0.01 && values[4] == 1.0);
    x[2] = 1.0; // none touches
    kind->observe(&p, &stage, &xhat, y, NULL, u, values);
    assert_true(values[2] == 0.0 && values[3] == 0.0 && values[4] == 0.0);
}

static void tangent_is_that_of_sticking_points(void **state)
{
    (void)state;
    const StiSoftContact p = {.points = 2, .K = 1000.0, .B = 3.0, .mu = 0.5};
    const StiStage stage = {.tau = 0.25};
    double Z[36];
    kind->tangent(&p, &stage, NULL, NULL, NULL, Z);
    for (int i = 0; i < 36; ++i) assert_true(Z[i] == (i % 7 == 0 ? 253.0 : 0.0));
}

static void a_contact_needs_points(void **state)
{
    (void)state;
    for (int points = -1; points <= 8; ++points) {
        const StiSoftContact p = {.points = points, .K = 1.0};
        StiReport *report = sti_report_create();
        const StiCheck check = {.report = report, .component = "contact"};
        kind->info.check(&p, &check);
        assert_int_equal(sti_report_error_count(report), points < 1);
        sti_report_destroy(report);
    }
}

// EQUATIONS 3.1: a sphere thrown without spin slips until 2 v0/(7 mu g) = 0.58309 s, then rolls at
// 5 v0/7 = 10/7 m/s.
static const double T = 1e-4, R = 0.2, M = 0.3;
static const StiSoftContact ground = {.points = 1, .K = 1e7, .B = 10.0, .mu = 0.1};

static Assembly thrown_sphere(double height)
{
    const StiVec3 zero = sti_vec3(0.0, 0.0, 0.0), up = sti_vec3(0.0, 0.0, 1.0);
    const double J = 0.4 * M * R * R;
    return (Assembly){
        .bodies = 1,
        .elements = 1,
        .body =
            {{.mass = M, .inertia = {J, J, J}, .position = {0.0, 0.0, height}, .velocity = {2.0}}},
        .element = {{.impedance = {kind, &ground},
                     .wire = sti_wire_sphere_plane((StiAdmittanceId){1}, 0, zero, R, zero, up)}},
        .gravity = sti_vec3(0.0, 0.0, -9.8)};
}

typedef struct Rolling {
    double slip_end;     // s, first time that the contact point does not move forward
    double velocity;     // m/s, at 1 s
    double length_error; // of the quaternion, largest
    double sideways;     // m, largest
} Rolling;

static Rolling roll(double height)
{
    const Assembly sphere = thrown_sphere(height);
    Rolling result = {.slip_end = INFINITY};
    double x[BODY_STATES + 2];
    const int n = assembly_start(&sphere, x);
    for (int k = 1; k <= 10000; ++k) {
        assembly_step(&sphere, n, (k - 1) * T, T, x);
        StiFrame link;
        ElementView view;
        assembly_poses(&sphere, x, &link);
        assembly_view(&sphere, &link, 0.0, 0, &view);
        if (view.v[0] <= 0.0) result.slip_end = fmin(result.slip_end, k * T);
        const double length = sqrt(x[3] * x[3] + x[4] * x[4] + x[5] * x[5] + x[6] * x[6]);
        result.length_error = fmax(result.length_error, fabs(length - 1.0));
        result.sideways = fmax(result.sideways, fabs(x[1]));
    }
    result.velocity = x[7];
    return result;
}

static void a_sphere_at_rest_height_rolls_at_the_exact_time(void **state)
{
    (void)state;
    const Rolling rolling = roll(R - M * 9.8 / ground.K);
    assert_near(rolling.slip_end, 0.58309, 1.1 * T);
    assert_near(rolling.velocity, 10.0 / 7.0, 1e-12);
    assert_true(rolling.length_error < 1e-11);
    assert_true(rolling.sideways == 0.0);
}

// Dropped from 1.01 R as in the paper it bounces for long, and which bounce ends the slip depends
// on the last bit (0.565 to 0.601 s for changes of 1e-13): the mean over some heights counts.
static void a_dropped_sphere_bounces_and_rolls(void **state)
{
    (void)state;
    enum { HEIGHTS = 20 };
    double mean = 0.0;
    for (int i = 0; i < HEIGHTS; ++i) {
        const Rolling rolling = roll(1.01 * R * (1.0 + 1e-13 * i));
        mean += rolling.slip_end / HEIGHTS;
        assert_near(rolling.slip_end, 0.58309, 0.03);
        assert_near(rolling.velocity, 10.0 / 7.0, 1e-12);
        assert_true(rolling.length_error < 1e-11);
        assert_true(rolling.sideways == 0.0);
    }
    assert_near(mean, 0.58309, 0.008);
}

// A box with a side load below mu m g moves by nothing but its elastic swing.
static void swinging_load(double t, double *values)
{
    const double F = 3.0 + 1.5 * sin(2.0 * 3.14159265358979323846 * 5.0 * t);
    values[0] = F * cos(0.4);
    values[1] = F * sin(0.4);
    values[2] = 0.0;
}

static void a_loaded_box_stays(void **state)
{
    (void)state;
    const StiVec3 zero = sti_vec3(0.0, 0.0, 0.0), up = sti_vec3(0.0, 0.0, 1.0);
    const StiSoftContact feet = {.points = 8, .K = 1e5, .B = 100.0, .mu = 0.5};
    const StiForceSource push = {3};
    const StiAdmittanceId box = {1};
    const StiFrame centred = {.p = zero};
    const StiVec3 half = sti_vec3(0.1, 0.1, 0.1);
    const double sunk = 9.8 / (4.0 * feet.K);
    const Assembly assembly = {
        .bodies = 1,
        .elements = 2,
        .body = {{.mass = 1.0, .inertia = {0.01, 0.01, 0.01}, .position = {0.0, 0.0, 0.1 - sunk}}},
        .element = {{.impedance = {kind, &feet},
                     .wire = sti_wire_box_plane(box, 0, centred, half, zero, up)},
                    {.impedance = {&sti_kind_force_source, &push},
                     .wire = sti_wire_point(box, 0, sti_vec3(0.0, 0.0, -0.1), zero, 3),
                     .signals = swinging_load}},
        .gravity = sti_vec3(0.0, 0.0, -9.8)};
    double x[BODY_STATES + 16], after_2_s[2] = {0.0, 0.0};
    const int n = assembly_start(&assembly, x);
    for (int k = 0; k < 40000; ++k) {
        if (k == 20000) after_2_s[0] = x[0], after_2_s[1] = x[1];
        assembly_step(&assembly, n, k * T, T, x);
    }
    // Ten periods apart the box stands where it stood, at the load over four springs.
    for (int i = 0; i < 2; ++i) assert_near(x[i], after_2_s[i], 1e-17);
    assert_near(hypot(x[0], x[1]), 3.0 / (4.0 * feet.K), 3e-7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_pushes_only_and_friction_stays_in_the_cone),
        cmocka_unit_test(a_touching_point_sticks_or_slips),
        cmocka_unit_test(it_dissipates),
        cmocka_unit_test(off_the_plane_the_deflection_is_forgotten),
        cmocka_unit_test(without_damping_there_is_no_continuous_limit),
        cmocka_unit_test(channels_sum_over_the_points),
        cmocka_unit_test(tangent_is_that_of_sticking_points),
        cmocka_unit_test(a_contact_needs_points),
        cmocka_unit_test(a_sphere_at_rest_height_rolls_at_the_exact_time),
        cmocka_unit_test(a_dropped_sphere_bounces_and_rolls),
        cmocka_unit_test(a_loaded_box_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
