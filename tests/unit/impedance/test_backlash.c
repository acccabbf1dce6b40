// Play: nothing within the gap, flanks that push and never pull on either side of it.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "stiction/actuator.h"
#include "support/near.h"
#include "support/random.h"

static const StiImpedanceKind *const kind = &sti_kind_backlash;
static const StiBacklash mesh = {.gap = 0.02, .K = 100.0, .B = 5.0, .middle = 0.3};

static double resistance(const StiBacklash *p, double x, double v)
{
    const StiStage stage = {.tau = 0.0};
    const StiMotion xhat = {.x = &x, .v = &v};
    double u;
    assert_int_equal(kind->eval(p, &stage, &xhat, NULL, NULL, &u, NULL), STI_OK);
    return u;
}

static void pushes_beyond_the_gap_only(void **state)
{
    (void)state;
    for (int i = 1; i < 100; ++i) {
        const double x = 0.29 + 0.02 * i / 100.0;
        assert_true(resistance(&mesh, x, 10.0) == 0.0 && resistance(&mesh, x, -10.0) == 0.0);
    }
    assert_near(resistance(&mesh, 0.41, 0.0), 10.0, 1e-12);
    assert_near(resistance(&mesh, 0.41, 1.0), 15.0, 1e-12);
    assert_true(resistance(&mesh, 0.41, -3.0) == 0.0);
    assert_near(resistance(&mesh, 0.19, 0.0), -10.0, 1e-12);
    assert_true(resistance(&mesh, 0.19, 3.0) == 0.0);
}

// Mirrored about the middle, and never a source of more than was stored.
static void is_symmetric_and_stores_what_it_gives(void **state)
{
    (void)state;
    Random random = {.state = 3};
    for (int i = 0; i < 1000; ++i) {
        const double d = random_between(&random, -0.1, 0.1), v = random_between(&random, -5.0, 5.0);
        const double x = mesh.middle + d, image = mesh.middle - d;
        assert_near(resistance(&mesh, x, v), -resistance(&mesh, image, -v), 1e-12);
        const StiMotion xhat = {.x = &x, .v = &v};
        const double h = 1e-7, ahead = x + h;
        const StiMotion later = {.x = &ahead, .v = &v};
        const double slope =
            (kind->stored(&mesh, &later, NULL) - kind->stored(&mesh, &xhat, NULL)) / h;
        assert_true(resistance(&mesh, x, v) * v >= slope * v - 1e-4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pushes_beyond_the_gap_only),
        cmocka_unit_test(is_symmetric_and_stores_what_it_gives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
