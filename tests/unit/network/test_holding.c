#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "built.h"
#include "network/network.h"
#include "support/plan.h"

static void add_elastic(StiPlan *plan, const char *name, StiWire wire)
{
    sti_plan_add_impedance(
        plan, name, &sti_kind_elastic_coulomb,
        &(StiElasticCoulomb){.dim = 1, .law = sti_law_coulomb(1.0), .K = 1e4, .B = 10.0}, &wire);
}

// Components are laid out in the order of their names: a, b.
static void coordinates_on_the_ground_are_held_and_added(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId a = add_mass(plan, "a", 1.0);
    add_rule(plan, "rule", sti_wire_coordinate(a, 0, 1), sti_law_coulomb(1.0), 0.0);
    add_elastic(plan, "elastic", sti_wire_coordinate(a, 0, 1));
    sti_plan_set_method(plan, &sti_method_cut);
    Built built = build_and_destroy(plan);
    assert_true(built.network->admittances[0].holds && built.network->reactions[0].held);
    assert_true(built.network->admittances[0].adds && built.network->impedances[0].diagonal);
    release(&built);
}

static void friction_between_bodies_is_not(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId a = add_mass(plan, "a", 1.0), b = add_mass(plan, "b", 1.0);
    add_rule(plan, "on-a", sti_wire_coordinate(a, 0, 1), sti_law_coulomb(1.0), 0.0);
    add_elastic(plan, "between", sti_wire_coordinate_pair(a, 0, b, 0, 1));
    sti_plan_set_method(plan, &sti_method_cut);
    Built built = build_and_destroy(plan);
    assert_true(built.network->reactions[0].held);
    assert_false(built.network->admittances[0].adds);
    assert_false(built.network->admittances[1].adds);
    assert_false(built.network->impedances[0].diagonal);
    release(&built);
}

// Their shares of the load are not unique.
static void two_on_one_coordinate_are_solved_from_outside(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId a = add_mass(plan, "a", 1.0), b = add_mass(plan, "b", 1.0);
    add_rule(plan, "first", sti_wire_coordinate(a, 0, 1), sti_law_coulomb(1.0), 0.0);
    add_rule(plan, "second", sti_wire_coordinate(a, 0, 1), sti_law_coulomb(1.0), 0.0);
    add_rule(plan, "third", sti_wire_coordinate(b, 0, 1), sti_law_coulomb(1.0), 0.0);
    sti_plan_set_method(plan, &sti_method_cut);
    Built built = build_and_destroy(plan);
    assert_false(built.network->admittances[0].holds);
    assert_true(built.network->admittances[1].holds);
    for (int i = 0; i < 3; ++i)
        assert_true(built.network->reactions[i].held ==
                    (built.network->reactions[i].wire.wire.a.admittance == 1));
    release(&built);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coordinates_on_the_ground_are_held_and_added),
        cmocka_unit_test(friction_between_bodies_is_not),
        cmocka_unit_test(two_on_one_coordinate_are_solved_from_outside)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
