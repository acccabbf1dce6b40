// Coulomb friction at a state of sliding, beside friction that does not follow the load.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/linkages.h"
#include "support/near.h"

static const double mass = 2.0, length = 0.8, angle = -0.6, radius = 0.02, g = 9.81;

// N of the pin of a rod that turns at w under the friction F at the pin's surface, against w where F < 0.
static double pin_load(double w, double F)
{
    const double l = 0.5 * length, I = mass * length * length / 3.0, c = cos(angle), s = sin(angle);
    const double wd = (-mass * g * l * c + radius * F) / I;
    const double Rx = mass * l * (-s * wd - c * w * w);
    const double Ry = mass * l * (c * wd - s * w * w) + mass * g;
    return sqrt(fmax(Rx * Rx + Ry * Ry - F * F, 0.0));
}

// F + mu N(F + given) sgn(w) = 0, by bisection.
static double root(double w, double mu, double given)
{
    double low = 0.0, high = 1e3; // size of the part that follows the load
    const double against = w > 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 200; ++i) {
        const double size = 0.5 * (low + high);
        if (mu * pin_load(w, against * size + given) > size)
            low = size;
        else
            high = size;
    }
    return against * low;
}

static void given_friction_enters_the_load(void **state)
{
    (void)state;
    static const double mus[] = {0.2, 0.8, 1.5}, givens[] = {0.0, 3.0, -3.0};
    const StiVec2 o = {0.0, 0.0}, end = {length * cos(angle), length * sin(angle)};
    const StiPlanarPair pin = pin_of("pin", 0, -0.5 * length, -1, o);
    for (int i = 0; i < 18; ++i) {
        const double mu = mus[i % 3], given = givens[i / 3 % 3], w = i < 9 ? 4.0 : -4.0;
        StiPlanarBody rod = rod_between("rod", mass, o, end);
        rod.rate = w;
        rod.velocity = (StiVec2){-w * 0.5 * end.y, w * 0.5 * end.x};
        const StiLinkageDesign design = {.bodies = &rod,
                                         .body_count = 1,
                                         .pairs = &pin,
                                         .pair_count = 1};
        StiLinkage *linkage = sti_linkage_create(&design, NULL);
        const StiLinkageForce force = {.gravity = test_gravity, .friction = &given};
        double q[3], v[3], friction, workspace[200];
        StiCoulombAnswer answer;
        assert_non_null(linkage);
        assert_true(sti_linkage_workspace(linkage) <= 200);
        sti_linkage_start(linkage, q, v);
        sti_linkage_coulomb(linkage, q, v, NULL, &force, &mu, 1, &friction, &answer, workspace);
        assert_int_equal(answer.outcome, STI_COULOMB_ONE);
        assert_near(friction, root(w, mu, given), 1e-9);
        sti_linkage_destroy(linkage);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(given_friction_enters_the_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
