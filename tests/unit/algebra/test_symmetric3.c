#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "algebra/symmetric3.h"
#include "support/near.h"
#include "support/random_space.h"

// R diag(moments) R^T for a random rotation R.
static void random_matrix(Random *random, const double moments[3], double A[6])
{
    const StiQuat turn = random_attitude(random);
    for (int i = 0; i < 6; ++i) A[i] = 0.0;
    for (int k = 0; k < 3; ++k) {
        const StiVec3 e = sti_quat_rotate(turn, sti_vec3(k == 0, k == 1, k == 2));
        const double products[6] = {e.x * e.x, e.y * e.y, e.z * e.z,
                                    e.x * e.y, e.x * e.z, e.y * e.z};
        for (int i = 0; i < 6; ++i) A[i] += moments[k] * products[i];
    }
}

static void inverse_undoes_the_product(void **state)
{
    (void)state;
    Random random = {3};
    for (int trial = 0; trial < 2000; ++trial) {
        double moments[3], A[6], inverse[6];
        for (int i = 0; i < 3; ++i) moments[i] = random_between(&random, 0.1, 1.0);
        random_matrix(&random, moments, A);
        assert_true(sti_symmetric3_invert(A, inverse));
        const StiVec3 a = random_vec3(&random, 1.0);
        const StiVec3 back = sti_symmetric3_times(inverse, sti_symmetric3_times(A, a));
        assert_near(sti_vec3_norm(sti_vec3_sub(back, a)), 0.0, 5e-15);
    }
}

static void product_is_that_of_the_matrix(void **state)
{
    (void)state;
    const double A[6] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0}; // rows 1 4 5, 4 2 6, 5 6 3
    const StiVec3 product = sti_symmetric3_times(A, sti_vec3(1.0, 10.0, 100.0));
    assert_true(product.x == 541.0 && product.y == 624.0 && product.z == 365.0);
}

static void what_is_not_positive_definite_is_refused(void **state)
{
    (void)state;
    const double bad[][6] = {{-1.0, 1.0, 1.0, 0.0, 0.0, 0.0}, {1.0, -1.0, 1.0, 0.0, 0.0, 0.0},
                             {1.0, 1.0, -1.0, 0.0, 0.0, 0.0}, {-1.0, -1.0, 1.0, 0.0, 0.0, 0.0},
                             {1.0, 1.0, 0.0, 0.0, 0.0, 0.0},  {1.0, 1.0, 1.0, 2.0, 0.0, 0.0},
                             {1.0, 1.0, 1.0, 0.0, 0.0, NAN},  {NAN, 1.0, 1.0, 0.0, 0.0, 0.0},
                             {1.0, -1.0, -1.0, 0.0, 0.0, 0.0}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        double inverse[6] = {7.0, 7.0, 7.0, 7.0, 7.0, 7.0};
        assert_false(sti_symmetric3_invert(bad[i], inverse));
        for (int j = 0; j < 6; ++j) assert_true(inverse[j] == 7.0);
    }
}

static void eigenvalues_are_those_put_in(void **state)
{
    (void)state;
    Random random = {4};
    for (int trial = 0; trial < 2000; ++trial) {
        const double low = random_between(&random, -1.0, 1.0);
        const double middle = trial % 3 == 0 ? low : low + random_decades(&random, 1e-6, 1.0);
        const double high = trial % 5 == 0 ? middle : middle + random_decades(&random, 1e-6, 1.0);
        const double moments[3] = {middle, high, low};
        double A[6], values[3];
        random_matrix(&random, moments, A);
        sti_symmetric3_eigenvalues(A, values);
        // Near a double value the closed form keeps half of the digits of their distance.
        assert_near(values[0], low, 3e-8);
        assert_near(values[1], middle, 3e-8);
        assert_near(values[2], high, 3e-8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inverse_undoes_the_product),
        cmocka_unit_test(product_is_that_of_the_matrix),
        cmocka_unit_test(what_is_not_positive_definite_is_refused),
        cmocka_unit_test(eigenvalues_are_those_put_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
