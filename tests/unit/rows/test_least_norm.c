// Forces of rows that hold fewer freedoms than they are: each takes the same share of its limit.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "rows/least_norm.h"
#include "support/near.h"
#include "support/random.h"

enum { MOST = 8 };

typedef struct Memory {
    double W[MOST * MOST], limit[MOST], unit[MOST], left[MOST], G[MOST * MOST];
    double square[MOST * MOST], c[MOST];
    int stuck[MOST], pivot[MOST];
    LimitData data;
} Memory;

// W = J J^T of n rows on some freedoms, all of them held; returns the rank.
static int hold(Memory *m, Random *random, int n, int freedoms, const double *limits)
{
    double J[MOST][MOST];
    memset(m, 0, sizeof *m);
    m->data = (LimitData){.W = m->W,
                          .limit = m->limit,
                          .unit = m->unit,
                          .left = m->left,
                          .G = m->G,
                          .square = m->square,
                          .c = m->c,
                          .stuck = m->stuck,
                          .pivot = m->pivot};
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < freedoms; ++k)
            J[i][k] = random_between(random, 0.1, 2.0) * (random_below(random, 2) ? 1.0 : -1.0);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (int k = 0; k < freedoms; ++k) m->W[i * n + j] += J[i][k] * J[j][k];
    for (int i = 0; i < n; ++i) sti_shares_choose(&m->data, n, i, i, limits[i]);
    return sti_shares_factor(&m->data, n, n);
}

static void multiply(const Memory *m, int n, const double *r, double *rate)
{
    for (int i = 0; i < n; ++i) {
        rate[i] = 0.0;
        for (int j = 0; j < n; ++j) rate[i] += m->W[i * n + j] * r[j];
    }
}

// Whatever forces brought the rates about, on one freedom they are held by equal shares.
static void one_freedom_is_held_by_equal_shares(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; ++seed) {
        Random random = {seed};
        const int n = 1 + random_below(&random, MOST);
        double limits[MOST], push[MOST], rate[MOST], r[MOST] = {0.0}, held[MOST];
        for (int i = 0; i < n; ++i) {
            limits[i] = random_decades(&random, 1e-3, 1e3);
            push[i] = random_between(&random, -1.0, 1.0);
        }
        Memory m;
        assert_int_equal(hold(&m, &random, n, 1, limits), 1);
        multiply(&m, n, push, rate);
        sti_shares_add(&m.data, n, 1, rate, 1.0, r);
        multiply(&m, n, r, held);
        for (int i = 0; i < n; ++i) {
            assert_near(held[i], rate[i], 1e-11 * fabs(rate[i]) + 1e-13);
            assert_near(fabs(r[i]) / limits[i], fabs(r[0]) / limits[0],
                        1e-9 * fabs(r[0]) / limits[0]);
        }
    }
}

// As many freedoms as rows: there is nothing to share out.
static void forces_that_are_unique_are_found(void **state)
{
    (void)state;
    static const double limits[MOST] = {1.0, 10.0, 0.1, 3.0, 1.0, 1.0, 1.0, 1.0};
    for (uint64_t seed = 1; seed <= 50; ++seed) {
        Random random = {seed};
        double push[3], rate[3], r[3] = {0.0};
        Memory m;
        for (int i = 0; i < 3; ++i) push[i] = random_between(&random, -1.0, 1.0);
        const int rank = hold(&m, &random, 3, 6, limits);
        assert_int_equal(rank, 3);
        multiply(&m, 3, push, rate);
        sti_shares_add(&m.data, 3, rank, rate, 1.0, r);
        for (int i = 0; i < 3; ++i) assert_near(r[i], push[i], 1e-7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_freedom_is_held_by_equal_shares),
        cmocka_unit_test(forces_that_are_unique_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
