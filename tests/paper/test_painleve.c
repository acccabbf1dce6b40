// Painleve's rods and disc: several solutions, none, and where the fixed point converges.
// [dahl] (1)-(7), EQUATIONS 4.4
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/linkages.h"
#include "support/near.h"

typedef struct Rods {
    StiLinkage *linkage;
    double *workspace, q[6], v[6], friction[8];
    StiCoulombAnswer answer;
} Rods;

// Two masses on horizontal lines, a rod at the angle a between them; F1 on the first.
static void solve_rods(Rods *r, double a, double mu1, double mu2, double speed, double F1)
{
    const StiPlanarBody bodies[2] = {
        {.name = "m1", .mass = 1.0, .inertia = 1.0, .velocity = {speed, 0.0}},
        {.name = "m2",
         .mass = 1.0,
         .inertia = 1.0,
         .position = {cos(a), sin(a)},
         .velocity = {speed, 0.0}}};
    const StiPlanarPair pairs[3] = {
        {.name = "line1", .type = STI_PAIR_PRISMATIC, .body = 0, .other = -1},
        {.name = "line2",
         .type = STI_PAIR_PRISMATIC,
         .body = 1,
         .other = -1,
         .at_other = {0.0, sin(a)}},
        {.name = "rod", .type = STI_PAIR_ROD, .body = 1, .other = 0, .length = 1.0}};
    const StiLinkageDesign design = {.bodies = bodies,
                                     .body_count = 2,
                                     .pairs = pairs,
                                     .pair_count = 3};
    const double mu[3] = {mu1, mu2, 0.0}, forces[6] = {F1};
    const StiLinkageForce force = {.bodies = forces};
    r->linkage = sti_linkage_create(&design, NULL);
    assert_non_null(r->linkage);
    r->workspace = calloc((size_t)sti_linkage_workspace(r->linkage), sizeof(double));
    sti_linkage_start(r->linkage, r->q, r->v);
    assert_int_equal(sti_linkage_coulomb(r->linkage, r->q, r->v, NULL, &force, mu, 2, r->friction,
                                         &r->answer, r->workspace),
                     STI_OK);
}

static void release(Rods *r)
{
    free(r->workspace);
    sti_linkage_destroy(r->linkage);
}

static void rods_have_one_two_or_no_solution(void **state)
{
    (void)state;
    const double a = 1.2, F1 = 3.0;
    for (double q = 0.2; q < 2.0; q += 0.3) {
        const double mu2 = 0.1, mu1 = mu2 + 2.0 * q / tan(a);
        for (int direction = 1; direction >= -1; direction -= 2) {
            Rods r;
            solve_rods(&r, a, mu1, mu2, direction, F1);
            const int expected = q < 1.0 ? 1 : direction > 0 ? 2 : 0;
            assert_int_equal(r.answer.solutions, expected);
            assert_int_equal(r.answer.outcome, expected == 1   ? STI_COULOMB_ONE
                                               : expected == 2 ? STI_COULOMB_SEVERAL
                                                               : STI_COULOMB_NONE);
            assert_int_equal(r.answer.settled, q < 1.0);
            for (int s = 0; s < expected; ++s) { // (3), with the sign of R that belongs to it
                const double f = r.friction[3 * s] / (-direction * mu1);
                double nearest = INFINITY;
                for (int eps = -1; eps <= 1; eps += 2) {
                    const double R = F1 / (2.0 * cos(a) + eps * (mu1 - mu2) * sin(a));
                    if (eps * R * direction > 0.0)
                        nearest = fmin(nearest, fabs(fabs(R) * sin(a) - f));
                }
                assert_near(nearest, 0.0, 1e-9);
            }
            if (q < 1.0) assert_near(r.answer.contraction, q, 0.02);
            release(&r);
        }
    }
}

// The disc: centre of mass at height b, a beside the contact. N of (6), infinite at (k^2 + a^2)/(a b).
static void the_disc_is_lifted_without_bound(void **state)
{
    (void)state;
    const double a = 0.3, b = 0.8, radius = 1.0, M = 2.0, k = 0.4, w = 1.5;
    const double critical = (k * k + a * a) / (a * b);
    for (double share = 0.2; share < 1.6; share += 0.2) {
        const double mu = share * critical;
        // Contact at x = 0, centre of the disc above it; sliding to the left, so friction points right.
        const StiPlanarBody disc = {.name = "disc",
                                    .mass = M,
                                    .inertia = M * k * k,
                                    .position = {a, b},
                                    .rate = w,
                                    .velocity = {-8.0, 0.0}};
        const StiPlanarPair ground = {.name = "ground",
                                      .type = STI_PAIR_DISC,
                                      .body = 0,
                                      .other = -1,
                                      .at = {-a, radius - b},
                                      .radius = radius};
        const StiLinkageDesign design = {.bodies = &disc,
                                         .body_count = 1,
                                         .pairs = &ground,
                                         .pair_count = 1};
        StiLinkage *linkage = sti_linkage_create(&design, NULL);
        assert_non_null(linkage);
        double *workspace = calloc((size_t)sti_linkage_workspace(linkage), sizeof(double));
        double q[3], v[3], friction[2];
        StiCoulombAnswer answer;
        const StiLinkageForce force = {.gravity = test_gravity};
        sti_linkage_start(linkage, q, v);
        assert_int_equal(sti_linkage_coulomb(linkage, q, v, NULL, &force, &mu, 2, friction, &answer,
                                             workspace),
                         STI_OK);
        const double rate = v[2];
        const double N =
            M * ((radius - b) * rate * rate + 9.81) * k * k / (a * a + k * k - mu * a * b);
        assert_int_equal(answer.settled, share < 0.99);
        if (share < 0.99) {
            assert_int_equal(answer.outcome, STI_COULOMB_ONE);
            assert_near(friction[0], mu * N, 1e-9 * mu * N);
        } else if (share > 1.01) { // N would be negative: pushed by a guide that pulls, or nothing
            assert_true(N < 0.0);
            assert_int_not_equal(answer.outcome, STI_COULOMB_ONE);
        }
        free(workspace);
        sti_linkage_destroy(linkage);
    }
}

// Slider and bar at a state, Coulomb in both joints, against bisection of the same two equations.
static void the_fixed_point_is_the_root(void **state)
{
    (void)state;
    const StiPlanarBody bodies[2] = {
        {.name = "slider", .mass = 1.0, .inertia = 0.1, .velocity = {0.7, 0.0}},
        {.name = "bar",
         .mass = 1.0,
         .inertia = 0.1,
         .position = {0.5 * cos(-0.6), 0.5 * sin(-0.6)},
         .angle = -0.6,
         .velocity = {0.7 + 2.0 * 0.5 * sin(-0.6) * -1.0, 2.0 * 0.5 * cos(-0.6)},
         .rate = 2.0}};
    const StiPlanarPair pairs[2] = {{.name = "guide",
                                     .type = STI_PAIR_PRISMATIC,
                                     .body = 0,
                                     .other = -1,
                                     .front = 0.1,
                                     .rear = 0.1},
                                    {.name = "pin",
                                     .type = STI_PAIR_REVOLUTE,
                                     .body = 1,
                                     .other = 0,
                                     .at = {-0.5, 0.0},
                                     .radius = 0.3}};
    const StiLinkageDesign design = {.bodies = bodies,
                                     .body_count = 2,
                                     .pairs = pairs,
                                     .pair_count = 2};
    StiLinkage *linkage = sti_linkage_create(&design, NULL);
    assert_non_null(linkage);
    double *workspace = calloc((size_t)sti_linkage_workspace(linkage), sizeof(double));
    double q[6], v[6], friction[2];
    const double mu[2] = {0.1, 0.1};
    const StiLinkageForce force = {.gravity = test_gravity};
    StiCoulombAnswer answer;
    sti_linkage_start(linkage, q, v);
    sti_linkage_coulomb(linkage, q, v, NULL, &force, mu, 1, friction, &answer, workspace);
    assert_true(answer.settled);
    assert_true(answer.iterations <= 14);
    // Minimal coordinates: for given F1, F2 accelerations, then the loads; nested bisection.
    const double l = 0.5, s = sin(-0.6), c = cos(-0.6), om = v[5], g = 9.81;
    double F1 = 0.0, F2 = 0.0, low1 = 0.0, high1 = 50.0;
    for (int i = 0; i < 200; ++i) {
        double low2 = 0.0, high2 = 50.0, Ry = 0.0;
        F1 = 0.5 * (low1 + high1);
        for (int j = 0; j < 200; ++j) {
            F2 = 0.5 * (low2 + high2);
            const double b1 = -F1 + l * c * om * om, b2 = -g * l * c - 0.3 * F2;
            const double det = 2.0 * (0.1 + l * l) - l * l * s * s;
            const double xdd = (b1 * (0.1 + l * l) + l * s * b2) / det,
                         tdd = (2.0 * b2 + l * s * b1) / det;
            const double Rx = xdd - l * s * tdd - l * c * om * om;
            Ry = l * c * tdd - l * s * om * om + g;
            const double N = sqrt(fmax(Rx * Rx + Ry * Ry - F2 * F2, 0.0));
            if (F2 > 0.1 * N)
                high2 = F2;
            else
                low2 = F2;
        }
        const double N0 = g + Ry, M0 = -0.3 * F2;
        const double N = fabs((0.1 * N0 + M0) / 0.2) + fabs((0.1 * N0 - M0) / 0.2);
        if (F1 > 0.1 * N)
            high1 = F1;
        else
            low1 = F1;
    }
    assert_near(-friction[0], F1, 1e-10);
    assert_near(-friction[1], F2, 1e-10);
    free(workspace);
    sti_linkage_destroy(linkage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rods_have_one_two_or_no_solution),
        cmocka_unit_test(the_disc_is_lifted_without_bound),
        cmocka_unit_test(the_fixed_point_is_the_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
