// Two masses with three frictions, redundant when all stick, at random: the methods that cut the step
// agree with themselves at a far smaller step, keep their books, and never give friction power.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "../unit/network/built.h"
#include "support/near.h"
#include "support/plan.h"
#include "support/random.h"
#include "support/short.h"

enum { SETS = 20 };

typedef struct Push {
    double size, frequency, phase;
} Push;

static void push_at(const void *data, void *workspace, double t, double *values)
{
    (void)workspace;
    const Push *p = data;
    values[0] = p->size * sin(p->frequency * t + p->phase);
}

typedef struct Pair {
    Push push[2];
    Built built;
    StiAdmittanceId mass[2];
} Pair;

static void add_some_friction(StiPlan *plan, const char *name, StiWire wire, bool elastic,
                              Random *random)
{
    const double F = random_between(random, 3.0, 10.0);
    const double FS = F * (random_below(random, 2) == 0 ? 1.0 : random_between(random, 1.0, 1.3));
    const double K = 2e4;
    if (elastic)
        sti_plan_add_impedance(plan, name, &sti_kind_elastic_coulomb,
                               &(StiElasticCoulomb){.dim = 1,
                                                    .law = sti_law_coulomb(F),
                                                    .K = K,
                                                    .B = 30.0,
                                                    .level_static = FS > F ? FS : 0.0},
                               &wire);
    else
        add_rule(plan, name, wire, sti_law_coulomb(F), FS > F ? FS : 0.0);
}

static void make(Pair *pair, uint64_t seed, double T, int elastic)
{
    Random random = {seed};
    StiPlan *plan = plan_in_stages();
    for (int i = 0; i < 2; ++i) {
        pair->mass[i] = add_mass(plan, i == 0 ? "a" : "b", random_between(&random, 0.5, 2.0));
        pair->push[i] =
            (Push){random_between(&random, 10.0, 25.0), random_between(&random, 3.0, 8.0),
                   random_between(&random, 0.0, 3.0)};
        const StiWire ground = sti_wire_coordinate(pair->mass[i], 0, 1);
        add_spring(plan, i == 0 ? "ka" : "kb", ground, random_between(&random, 20.0, 90.0), 0.0);
        add_some_friction(plan, i == 0 ? "fa" : "fb", ground, elastic > i, &random);
        sti_plan_add_force(plan, i == 0 ? "ha" : "hb", &ground, 1,
                           (StiTimeFunction){.count = 1, .eval = push_at, .data = &pair->push[i]});
    }
    add_some_friction(plan, "fab", sti_wire_coordinate_pair(pair->mass[0], 0, pair->mass[1], 0, 1),
                      elastic > 2, &random);
    sti_plan_set_step(plan, T);
    sti_plan_set_method(plan, &sti_method_cut);
    pair->built = build_and_destroy(plan);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double difference(const Pair *a, const Pair *b)
{
    double sum = 0.0;
    for (int i = 0; i < 2; ++i)
        sum += fabs(position(&a->built, a->mass[i])[0] - position(&b->built, b->mass[i])[0]);
    return sum;
}

// elastic: how many of the three frictions are.
static void compare(int elastic, double median, double most)
{
    double errors[SETS];
    int events = 0, fallbacks = 0;
    const int sets = (int)steps_or(SETS, 4);
    for (int set = 0; set < sets; ++set) {
        Pair coarse, fine;
        make(&coarse, 100 + (uint64_t)set, 1e-2, elastic);
        make(&fine, 100 + (uint64_t)set, 5e-4, elastic);
        for (int k = 0; k < 300; ++k) {
            assert_steps(&coarse.built, NULL);
            const StiStepFigures figures = sti_scratch_figures(coarse.built.scratch);
            events += figures.events;
            fallbacks += figures.fallbacks;
        }
        for (int k = 0; k < 6000; ++k) assert_steps(&fine.built, NULL);
        errors[set] = difference(&coarse, &fine);
        release(&coarse.built);
        release(&fine.built);
    }
    qsort(errors, (size_t)sets, sizeof *errors, by_size);
    if (getenv("STI_TEST_SHOW") != NULL)
        print_message("%d elastic: median %.1e, most %.1e, %d events, %d fallbacks\n", elastic,
                      errors[sets / 2], errors[sets - 1], events, fallbacks);
    assert_true(sets < SETS || errors[sets / 2] <= median);
    assert_true(errors[sets - 1] <= most);
    assert_true(events > 20 * sets && fallbacks == 0);
}

static void elastic_ones(void **state)
{
    (void)state;
    compare(3, 5e-5, 1e-3);
}

static void rigid_ones(void **state)
{
    (void)state;
    compare(0, 2e-6, 2e-5);
}

static void both_in_one_network(void **state)
{
    (void)state;
    compare(1, 1e-5, 2e-4);
    compare(2, 2e-5, 4e-4);
}

static void the_books_close(void **state)
{
    (void)state;
    for (int elastic = 0; elastic <= 3; ++elastic)
        for (int set = 0; set < 5; ++set) {
            Pair pair;
            make(&pair, 100 + (uint64_t)set, 5e-3, elastic);
            StiRecorder *recorder = sti_recorder_create(pair.built.network);
            assert_int_equal(sti_recorder_begin(recorder, pair.built.state, NULL,
                                                pair.built.scratch),
                             STI_OK);
            for (int k = 0; k < 400; ++k) {
                assert_steps(&pair.built, NULL);
                assert_int_equal(sti_recorder_follow(recorder, pair.built.state,
                                                     pair.built.scratch),
                                 STI_OK);
            }
            const StiEnergy energy = sti_recorder_energy(recorder);
            assert_near(energy.residual, 0.0, 1e-11);
            assert_true(energy.dissipated > 1.0);
            assert_true(fabs(energy.numerical) < 1e-3 * energy.dissipated);
            sti_recorder_destroy(recorder);
            release(&pair.built);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elastic_ones),
        cmocka_unit_test(rigid_ones),
        cmocka_unit_test(both_in_one_network),
        cmocka_unit_test(the_books_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
