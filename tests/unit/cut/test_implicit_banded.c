// Piles of masses with elastic friction on the ground and between neighbours, in any order of names: rows within
// an envelope give the step of the dense rows.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "support/plan.h"
#include "../network/built.h"
#include "cut/substep_data.h"
#include "support/random.h"

enum { MASSES = 8 };

static void add_elastic(StiPlan *plan, Random *random, const char *name, StiWire wire)
{
    sti_plan_add_impedance(plan, name, &sti_kind_elastic_coulomb,
                           &(StiElasticCoulomb){.dim = 1,
                                                .law =
                                                    sti_law_coulomb(random_between(random, 1, 5)),
                                                .K = 1e4,
                                                .B = 30.0,
                                                .level_static = 0.0},
                           &wire);
}

static Built pile(uint64_t seed, bool rigid_ground)
{
    Random random = {seed};
    StiPlan *plan = plan_in_stages();
    StiAdmittanceId last = {-1};
    for (int i = 0; i < MASSES; ++i) {
        char name[20], spring[16];
        const int letter = random_below(&random, 26);
        snprintf(name, sizeof name, "m%d", i);
        const StiAdmittanceId mass = add_moving_mass(plan, name, random_between(&random, 0.5, 2.0),
                                                     random_between(&random, -1.0, 1.0));
        snprintf(name, sizeof name, "%c-%d", 'a' + letter, i);
        const StiWire wire = i == 0 ? sti_wire_coordinate(mass, 0, 1)
                                    : sti_wire_coordinate_pair(mass, 0, last, 0, 1);
        add_elastic(plan, &random, name, wire);
        snprintf(spring, sizeof spring, "k%d", i);
        add_spring(plan, spring, wire, 400.0, 0.0);
        if (i % 3 == 1) {
            snprintf(name, sizeof name, "ground%d", i);
            if (rigid_ground)
                add_rule(plan, name, sti_wire_coordinate(mass, 0, 1), sti_law_coulomb(3.0), 0.0);
            else
                add_elastic(plan, &random, name, sti_wire_coordinate(mass, 0, 1));
        }
        last = mass;
    }
    sti_plan_set_method(plan, &sti_method_cut);
    sti_plan_set_step(plan, 2e-3);
    return build_and_destroy(plan);
}

static void rows_within_an_envelope_give_the_dense_step(void **state)
{
    (void)state;
    long events = 0;
    for (uint64_t seed = 1; seed <= 8; ++seed) {
        Built near = pile(seed, seed % 2 == 0), dense = pile(seed, seed % 2 == 0);
        const NearRows *rows = &near.scratch->substep->near;
        assert_true(rows->possible);
        dense.scratch->substep->near.possible = false;
        for (int k = 0; k < 300; ++k) {
            sti_state_copy(dense.state, near.state);
            assert_steps(&near, NULL);
            assert_steps(&dense, NULL);
            assert_true(rows->applies);
            for (int i = 0; i < near.state->s; ++i)
                assert_true(fabs(near.state->values[i] - dense.state->values[i]) < 1e-13);
            events += sti_scratch_figures(near.scratch).events;
        }
        release(&near);
        release(&dense);
    }
    assert_true(events > 100);
}

// A row feels the row before and the row after it, whatever their names are.
static void neighbours_are_close(void **state)
{
    (void)state;
    Built built = pile(3, true);
    const NearRows *rows = &built.scratch->substep->near;
    assert_int_equal(rows->count, MASSES);
    for (int i = 0; i < rows->count; ++i) assert_true(i - rows->first[i] <= 1);
    release(&built);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(
                                           rows_within_an_envelope_give_the_dense_step),
                                       cmocka_unit_test(neighbours_are_close)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
