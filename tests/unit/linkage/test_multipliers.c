// Multipliers: (27)-(32) against (33), against minimal coordinates and against statics by hand.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/linkages.h"
#include "support/near.h"
#include "support/random.h"

static StiLinkage *make(const StiLinkageDesign *design)
{
    StiReport *report = sti_report_create();
    StiLinkage *linkage = sti_linkage_create(design, report);
    char text[2000] = "";
    sti_report_print(report, text, sizeof text);
    if (linkage == NULL) print_message("%s\n", text);
    sti_report_destroy(report);
    assert_non_null(linkage);
    return linkage;
}

// The reduced equation of a slider-crank: M(phi) phidd = Q, by kinetic energy and its derivative.
static double kinetic(const SliderCrank *s, double phi, double rate)
{
    const double psi = asin(-0.2 * sin(phi) / 0.6),
                 dpsi = -0.2 * cos(phi) / (0.6 * cos(psi)) * rate;
    const double vx = -0.2 * sin(phi) * rate, vy = 0.2 * cos(phi) * rate;
    const double rx = vx - 0.3 * sin(psi) * dpsi, ry = vy + 0.3 * cos(psi) * dpsi;
    const double bx = vx - 0.6 * sin(psi) * dpsi;
    return 0.5 * (s->bodies[0].inertia + s->bodies[0].mass * 0.01) * rate * rate +
           0.5 * s->bodies[1].mass * (rx * rx + ry * ry) +
           0.5 * s->bodies[1].inertia * dpsi * dpsi + 0.5 * s->bodies[2].mass * bx * bx;
}

static double height_energy(const SliderCrank *s, double phi)
{
    return 9.81 * (s->bodies[0].mass * 0.1 + s->bodies[1].mass * 0.1) *
           sin(phi); // rod: half of A's
}

static void a_slider_crank_moves_as_minimal_coordinates_say(void **state)
{
    (void)state;
    for (double phi = 0.3; phi < 6.2; phi += 0.61) {
        SliderCrank s;
        slider_crank(&s, phi, 7.0, false);
        StiLinkage *linkage = make(&s.design);
        double *w = calloc((size_t)sti_linkage_workspace(linkage), sizeof *w);
        double q[9], v[9], vdot[9], bodies[9] = {0.0, 0.0, 3.0};
        const StiLinkageForce force = {.bodies = bodies, .gravity = test_gravity};
        sti_linkage_start(linkage, q, v);
        assert_near(v[2], 7.0, 7.0); // made consistent: the given rate is only a guess
        assert_int_equal(sti_linkage_forward(linkage, q, v, NULL, &force, NULL, vdot, NULL, NULL,
                                             NULL, w),
                         STI_OK);
        const double h = 1e-3, rate = v[2];
        const double mass = 2.0 * kinetic(&s, phi, 1.0);
        // Five points: the derivative is good to 1e-11.
        double slope = 0.0, weight = 0.0;
        static const double c[5] = {1.0 / 12, -8.0 / 12, 0.0, 8.0 / 12, -1.0 / 12};
        for (int i = 0; i < 5; ++i) {
            slope += c[i] * 2.0 * kinetic(&s, phi + (i - 2) * h, 1.0) / h;
            weight += c[i] * height_energy(&s, phi + (i - 2) * h) / h;
        }
        const double expected = (3.0 - weight - 0.5 * slope * rate * rate) / mass;
        assert_near(vdot[2], expected, 1e-8 * fabs(expected));
        free(w);
        sti_linkage_destroy(linkage);
    }
}

static void cholesky_and_udwadia_kalaba_agree(void **state)
{
    (void)state;
    for (int i = 0; i < 40; ++i) {
        SliderCrank s;
        slider_crank(&s, 0.2 + 0.15 * i, 5.0, i % 2 == 0);
        StiLinkage *a = make(&s.design);
        s.design.form = STI_FORM_UDWADIA_KALABA;
        StiLinkage *b = make(&s.design);
        double *w = calloc((size_t)sti_linkage_workspace(b), sizeof *w);
        double q[9], v[9], x[9], y[9], effort[2] = {0.0}, friction[4] = {3.0, -2.0, 1.0, 4.0};
        StiPairLoad loads[2][4];
        const StiLinkageForce force = {.friction = friction, .gravity = test_gravity};
        const StiDriven driven = {s.driver.value, 5.0, 2.0};
        sti_linkage_start(a, q, v);
        sti_linkage_forward(a, q, v, &driven, &force, NULL, x, loads[0], NULL, &effort[0], w);
        sti_linkage_forward(b, q, v, &driven, &force, NULL, y, loads[1], NULL, &effort[1], w);
        for (int d = 0; d < 9; ++d) assert_near(x[d], y[d], 1e-10 * (1.0 + fabs(x[d])));
        for (int k = 0; k < 4; ++k)
            assert_near(loads[0][k].normal, loads[1][k].normal, 1e-10 * (1.0 + loads[0][k].normal));
        assert_near(effort[0], effort[1], 1e-10 * (1.0 + fabs(effort[0])));
        free(w);
        sti_linkage_destroy(a);
        sti_linkage_destroy(b);
    }
}

// Baumgarte leads back in either form, and is no load: those are what they would be without it.
static void baumgarte_is_no_load(void **state)
{
    (void)state;
    for (int i = 0; i < 20; ++i) {
        SliderCrank s;
        double q[9], v[9], vdot[3][9], effort[3];
        StiPairLoad loads[3][4];
        const StiLinkageForce force = {.gravity = test_gravity};
        slider_crank(&s, 0.2 + 0.3 * i, 5.0, true);
        const StiDriven driven = {s.driver.value, 5.0, 2.0};
        for (int way = 0; way < 3; ++way) { // none, Baumgarte, Baumgarte with (33)
            s.design.drift = way == 0 ? STI_DRIFT_NONE : STI_DRIFT_BAUMGARTE;
            s.design.form = way == 2 ? STI_FORM_UDWADIA_KALABA : STI_FORM_CHOLESKY;
            s.design.baumgarte_rate = 40.0;
            StiLinkage *linkage = make(&s.design);
            double *w = calloc((size_t)sti_linkage_workspace(linkage), sizeof *w);
            sti_linkage_start(linkage, q, v);
            for (int d = 0; d < 9; ++d) { // off the constraints
                q[d] += 1e-3 * sin(3.0 * d + i);
                v[d] += 1e-2 * cos(2.0 * d + i);
            }
            sti_linkage_forward(linkage, q, v, &driven, &force, NULL, vdot[way], loads[way], NULL,
                                &effort[way], w);
            free(w);
            sti_linkage_destroy(linkage);
        }
        assert_true(fabs(vdot[1][2] - vdot[0][2]) > 1e-3);
        for (int way = 1; way < 3; ++way) {
            for (int k = 0; k < 4; ++k)
                assert_near(loads[way][k].reaction, loads[0][k].reaction,
                            1e-9 * (1.0 + loads[0][k].reaction));
            assert_near(effort[way], effort[0], 1e-9 * (1.0 + fabs(effort[0])));
        }
        for (int d = 0; d < 9; ++d)
            assert_near(vdot[2][d], vdot[1][d], 1e-10 * (1.0 + fabs(vdot[1][d])));
    }
}

// At rest, driven: torque = piston force times lever; rod force, side force and pin forces by hand.
static void loads_are_those_of_statics(void **state)
{
    (void)state;
    const double phi = 0.9, P = 100.0;
    SliderCrank s;
    slider_crank(&s, phi, 0.0, true);
    StiLinkage *linkage = make(&s.design);
    double *w = calloc((size_t)sti_linkage_workspace(linkage), sizeof *w);
    double q[9], v[9], vdot[9], effort, bodies[9] = {0.0};
    StiPairLoad loads[4];
    const StiLinkageForce force = {.bodies = bodies};
    const StiDriven driven = {phi, 0.0, 0.0};
    bodies[6] = -P;
    sti_linkage_start(linkage, q, v);
    assert_int_equal(sti_linkage_forward(linkage, q, v, &driven, &force, NULL, vdot, loads, NULL,
                                         &effort, w),
                     STI_OK);
    const double psi = asin(0.2 * sin(phi) / 0.6); // of the rod below the line of centres
    assert_near(loads[1].reaction, P / cos(psi), 1e-10);
    assert_near(loads[2].reaction, P / cos(psi), 1e-10);
    assert_near(loads[0].reaction, P / cos(psi), 1e-10);
    assert_near(loads[3].normal, P * tan(psi), 1e-10);
    assert_int_equal(loads[3].mode, loads[3].N1 > 0.0 ? 1 : 2);
    assert_near(effort, -P / cos(psi) * 0.2 * sin(phi + psi), 1e-10);
    free(w);
    sti_linkage_destroy(linkage);
}

// A pin that sticks: the two bodies move as one. (25)(26)
static void a_held_pair_is_a_constraint(void **state)
{
    (void)state;
    SliderCrank s;
    slider_crank(&s, 0.7, 3.0, false);
    StiLinkage *linkage = make(&s.design);
    double *w = calloc((size_t)sti_linkage_workspace(linkage), sizeof *w);
    double q[9], v[9] = {0.0}, vdot[9], hold[4];
    const bool held[4] = {false, true, false, false};
    const StiLinkageForce force = {.gravity = test_gravity};
    double start[9];
    sti_linkage_start(linkage, q, start);
    assert_int_equal(sti_linkage_forward(linkage, q, v, NULL, &force, held, vdot, NULL, hold, NULL,
                                         w),
                     STI_OK);
    for (int d = 0; d < 9; ++d) assert_near(vdot[d], 0.0, 1e-10); // one freedom less: none
    // The torque that holds, applied as a force of the pair, gives the same.
    const StiLinkageForce pushed = {.pairs = hold, .gravity = test_gravity};
    assert_true(fabs(hold[1]) > 0.1);
    sti_linkage_forward(linkage, q, v, NULL, &pushed, NULL, vdot, NULL, NULL, NULL, w);
    for (int d = 0; d < 9; ++d) assert_near(vdot[d], 0.0, 1e-10);
    free(w);
    sti_linkage_destroy(linkage);
}

// respond is the derivative of forward by the force.
static void respond_is_the_change_of_acceleration(void **state)
{
    (void)state;
    SliderCrank s;
    slider_crank(&s, 1.1, 4.0, false);
    StiLinkage *linkage = make(&s.design);
    double *w = calloc((size_t)sti_linkage_workspace(linkage), sizeof *w);
    double *p = calloc((size_t)sti_linkage_prepared(linkage), sizeof *p);
    double q[9], v[9], a[9], b[9], dv[9], f[9], friction[4];
    for (int i = 0; i < 9; ++i) f[i] = sin(3.0 * i + 1.0);
    for (int i = 0; i < 4; ++i) friction[i] = cos(2.0 * i);
    const StiLinkageForce none = {.gravity = {0.0, 0.0, 0.0}},
                          force = {.bodies = f, .friction = friction};
    sti_linkage_start(linkage, q, v);
    sti_linkage_forward(linkage, q, v, NULL, &none, NULL, a, NULL, NULL, NULL, w);
    sti_linkage_forward(linkage, q, v, NULL, &force, NULL, b, NULL, NULL, NULL, w);
    assert_int_equal(sti_linkage_prepare(linkage, q, NULL, NULL, p), STI_OK);
    sti_linkage_respond(linkage, p, &force, dv, w);
    for (int i = 0; i < 9; ++i) assert_near(dv[i], b[i] - a[i], 1e-10 * (1.0 + fabs(b[i])));
    free(p);
    free(w);
    sti_linkage_destroy(linkage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slider_crank_moves_as_minimal_coordinates_say),
        cmocka_unit_test(cholesky_and_udwadia_kalaba_agree),
        cmocka_unit_test(baumgarte_is_no_load),
        cmocka_unit_test(loads_are_those_of_statics),
        cmocka_unit_test(a_held_pair_is_a_constraint),
        cmocka_unit_test(respond_is_the_change_of_acceleration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
