#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "built.h"
#include "network/network.h"
#include "support/plan.h"

static const Reaction *reaction_named(const StiNetwork *network, const char *name)
{
    for (int i = 0; i < network->reaction_count; ++i)
        if (strcmp(network->reactions[i].name, name) == 0) return &network->reactions[i];
    fail_msg("no reaction %s", name);
    return NULL;
}

static void assert_neighbours(const StiNetwork *network, const char *name, const char *expected)
{
    const Reaction *reaction = reaction_named(network, name);
    char found[200] = "";
    for (int i = 0; i < reaction->neighbour_count; ++i) {
        strcat(found, network->reactions[sti_neighbour(reaction, i)].name);
        strcat(found, " ");
    }
    assert_string_equal(found, expected);
}

// ground - a - b - c, and d alone; all reactions in one dimension except that of d.
static Built pile(void)
{
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId a = add_mass(plan, "ma", 1.0), b = add_mass(plan, "mb", 1.0);
    const StiAdmittanceId c = add_mass(plan, "mc", 1.0);
    const StiAdmittanceId d = sti_plan_add_admittance(plan, "md", &sti_kind_point_mass,
                                                      &(StiPointMass){.dim = 2, .mass = 1.0});
    const StiLaw law = sti_law_coulomb(1.0);
    add_rule(plan, "a", sti_wire_coordinate(a, 0, 1), law, 0.0);
    add_rule(plan, "ab", sti_wire_coordinate_pair(a, 0, b, 0, 1), law, 0.0);
    add_rule(plan, "bc", sti_wire_coordinate_pair(b, 0, c, 0, 1), law, 0.0);
    add_rule(plan, "d", sti_wire_coordinate(d, 0, 2), law, 0.0);
    return build_and_destroy(plan);
}

static void each_reaction_is_its_own_first_neighbour(void **state)
{
    (void)state;
    Built built = pile();
    assert_neighbours(built.network, "a", "a ab ");
    assert_neighbours(built.network, "ab", "ab a bc ");
    assert_neighbours(built.network, "bc", "bc ab ");
    assert_neighbours(built.network, "d", "d ");
    release(&built);
}

static void blocks_of_W_do_not_overlap(void **state)
{
    (void)state;
    Built built = pile();
    const StiNetwork *n = built.network;
    bool used[100] = {false};
    int total = 0;
    for (int i = 0; i < n->reaction_count; ++i)
        for (int j = 0; j < n->reactions[i].neighbour_count; ++j) {
            const Reaction *e = &n->reactions[i];
            const int block = sti_neighbour_block(e, j);
            const int size = e->size.dim * n->reactions[sti_neighbour(e, j)].size.dim;
            for (int k = 0; k < size; ++k, ++total) {
                assert_in_range(block + k, 0, n->W_count - 1);
                assert_false(used[block + k]);
                used[block + k] = true;
            }
        }
    assert_int_equal(total, n->W_count);
    assert_int_equal(n->W_count, 2 + 3 + 2 + 4);
    assert_int_equal(n->row_count, 5);
    release(&built);
}

// A chain of n rows has an envelope of 2 n - 1 numbers, whatever the names.
static void the_envelope_of_a_chain_grows_with_its_length(void **state)
{
    (void)state;
    enum { COUNT = 40 };
    StiPlan *plan = plan_in_stages();
    StiAdmittanceId last = {-1};
    for (int i = 0; i < COUNT; ++i) {
        char name[8] = {'m', (char)('a' + (17 * i) % 26), (char)('a' + i % 26),
                        (char)('a' + i / 26)};
        const StiAdmittanceId mass = add_mass(plan, name, 1.0);
        name[0] = 'f';
        add_rule(plan, name, sti_wire_coordinate_pair(mass, 0, last, 0, 1), sti_law_coulomb(1.0),
                 0.0);
        last = mass;
    }
    Built built = build_and_destroy(plan);
    assert_int_equal(built.network->envelope_count, 2 * COUNT - 1);
    release(&built);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_reaction_is_its_own_first_neighbour),
        cmocka_unit_test(blocks_of_W_do_not_overlap),
        cmocka_unit_test(the_envelope_of_a_chain_grows_with_its_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
