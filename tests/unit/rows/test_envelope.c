#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "algebra/cholesky.h"
#include "support/rubbing.h"
#include "rows/envelope.h"
#include "support/near.h"
#include "support/plan.h"

// A network after one step, so that W is there.
static Built random_rubbing(Random *random, int dim, int masses, int reactions)
{
    StiAdmittanceId mass[RUBBING_MASSES];
    const Rubbing p = {dim, masses, reactions, 0.1, 10.0, 0.0, 1};
    Built built = build_and_destroy(rubbing_plan(random, &p, mass));
    assert_steps(&built, NULL);
    return built;
}

// A pile of masses in a random order of names: never redundant.
static Built random_pile(Random *random, int dim, int masses)
{
    StiPlan *plan = plan_in_stages();
    StiAdmittanceId last = {-1};
    char name[16];
    for (int i = 0; i < masses; ++i) {
        const int number = (7 * i + 3) % masses;
        snprintf(name, sizeof name, "m%02d", number);
        const StiAdmittanceId mass =
            sti_plan_add_admittance(plan, name, &sti_kind_point_mass,
                                    &(StiPointMass){.dim = dim,
                                                    .mass = random_decades(random, 0.1, 10.0),
                                                    .velocity = {1.0}});
        snprintf(name, sizeof name, "f%02d", number);
        add_rule(plan, name, sti_wire_coordinate_pair(mass, 0, last, 0, dim), sti_law_coulomb(1.0),
                 0.0);
        last = mass;
    }
    Built built = build_and_destroy(plan);
    assert_steps(&built, NULL);
    return built;
}

static void the_envelope_solves_as_a_dense_factor_does(void **state)
{
    (void)state;
    static double W[RUBBING_ROWS][RUBBING_ROWS], dense[RUBBING_ROWS * RUBBING_ROWS];
    for (uint64_t seed = 1; seed <= 300; ++seed) {
        Random random = {seed};
        Built built = random_pile(&random, 1 + random_below(&random, 3), 12);
        ReactionData *data = built.scratch->reactions;
        double x[RUBBING_ROWS], y[RUBBING_ROWS], size = 0.0;
        for (int i = 0; i < built.network->reaction_count; ++i)
            data->chosen[i] = random_below(&random, 4) > 0;
        const int count = sti_envelope_choose(built.network, data);
        if (count == 0) data->chosen[0] = true;
        dense_W(&built, W);
        for (int i = 0; i < count; ++i)
            for (int j = 0; j < count; ++j) dense[i * count + j] = W[data->rows[i]][data->rows[j]];
        for (int i = 0; i < count; ++i) x[i] = y[i] = random_between(&random, -1.0, 1.0);
        assert_true(sti_envelope_factor(built.network, data, count, NULL));
        sti_envelope_solve(data, count, x);
        assert_true(sti_cholesky_factor(count, dense));
        sti_cholesky_solve(count, dense, y);
        for (int i = 0; i < count; ++i) size = fmax(size, fabs(y[i]));
        for (int i = 0; i < count; ++i) assert_near(x[i], y[i], 1e-12 * size);
        release(&built);
    }
}

static void rows_of_the_chosen_stand_in_order(void **state)
{
    (void)state;
    Random random = {3};
    Built built = random_rubbing(&random, 2, 6, 10);
    ReactionData *data = built.scratch->reactions;
    for (int i = 0; i < 10; ++i) data->chosen[i] = i % 3 == 0;
    assert_int_equal(sti_envelope_choose(built.network, data), 8);
    for (int p = 0; p < 8; ++p) {
        const int reaction = 3 * (p / 2);
        assert_int_equal(data->owner[p], reaction);
        assert_int_equal(data->rows[p], built.network->reactions[reaction].row + p % 2);
    }
    for (int i = 0; i < 10; ++i) assert_int_equal(data->place[i], i % 3 == 0 ? 2 * (i / 3) : -1);
    release(&built);
}

// Own blocks take the place of the diagonal blocks of W.
static void own_blocks_replace_those_of_W(void **state)
{
    (void)state;
    static double W[RUBBING_ROWS][RUBBING_ROWS];
    Random random = {4};
    Built built = random_pile(&random, 2, 8);
    ReactionData *data = built.scratch->reactions;
    const int rows = built.network->row_count;
    double x[RUBBING_ROWS], b[RUBBING_ROWS], blocks[STI_REACTION_DIM_MAX * RUBBING_ROWS];
    dense_W(&built, W);
    for (int i = 0; i < built.network->reaction_count; ++i) {
        const int row = built.network->reactions[i].row;
        double *own = blocks + STI_REACTION_DIM_MAX * row;
        data->chosen[i] = true;
        for (int d = 0; d < 2; ++d)
            for (int k = 0; k < 2; ++k)
                own[2 * d + k] = W[row + d][row + k] += d == k ? 3.0 + d : 0.5;
    }
    for (int i = 0; i < rows; ++i) x[i] = b[i] = random_between(&random, -1.0, 1.0);
    assert_int_equal(sti_envelope_choose(built.network, data), rows);
    assert_true(sti_envelope_factor(built.network, data, rows, blocks));
    sti_envelope_solve(data, rows, x);
    for (int i = 0; i < rows; ++i) {
        double sum = 0.0;
        for (int j = 0; j < rows; ++j) sum += W[i][j] * x[j];
        assert_near(sum, b[i], 1e-14);
    }
    release(&built);
}

// Many reactions on few masses: W is singular, and what can be reached is reached.
static void a_redundant_set_is_solved_in_its_range(void **state)
{
    (void)state;
    static double W[RUBBING_ROWS][RUBBING_ROWS];
    for (uint64_t seed = 1; seed <= 200; ++seed) {
        Random random = {seed};
        Built built = random_rubbing(&random, 1, 3, 12);
        ReactionData *data = built.scratch->reactions;
        const int rows = built.network->row_count;
        double r[RUBBING_ROWS], x[RUBBING_ROWS], b[RUBBING_ROWS];
        dense_W(&built, W);
        for (int i = 0; i < rows; ++i) {
            data->chosen[i] = true;
            r[i] = random_between(&random, -1.0, 1.0);
        }
        for (int i = 0; i < rows; ++i) {
            b[i] = 0.0;
            for (int j = 0; j < rows; ++j) b[i] += W[i][j] * r[j];
            x[i] = b[i];
        }
        assert_int_equal(sti_envelope_choose(built.network, data), rows);
        assert_true(sti_envelope_factor(built.network, data, rows, NULL));
        sti_envelope_solve(data, rows, x);
        double change = 0.0, smallest = 0.0, size = 0.0;
        for (int i = 0; i < rows; ++i) {
            double sum = 0.0;
            for (int j = 0; j < rows; ++j) sum += W[i][j] * x[j];
            size = fmax(size, fabs(b[i]));
            assert_near(sum, b[i], 1e-6 * fmax(size, 1.0));
            change += x[i] * x[i];
            smallest += r[i] * r[i];
        }
        assert_true(change <= smallest * (1.0 + 1e-6)); // the smallest of all that do it
        release(&built);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_envelope_solves_as_a_dense_factor_does),
        cmocka_unit_test(rows_of_the_chosen_stand_in_order),
        cmocka_unit_test(own_blocks_replace_those_of_W),
        cmocka_unit_test(a_redundant_set_is_solved_in_its_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
