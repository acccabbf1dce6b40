#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "built.h"
#include "support/plan.h"

static void time_is_counted_and_never_added_up(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    add_mass(plan, "block", 1.0);
    sti_plan_set_step(plan, 0.1);
    sti_plan_set_start(plan, 5.0);
    Built built = build_and_destroy(plan);
    assert_true(sti_network_step(built.network) == 0.1);
    assert_true(sti_network_time(built.network, 0) == 5.0);
    assert_true(sti_network_time(built.network, 10) == 6.0);
    assert_true(sti_network_time(built.network, -10) == 4.0);
    assert_true(sti_network_time(built.network, INT64_C(10000000000)) == 5.0 + 1e9);
    release(&built);
}

static void a_network_knows_its_method_and_its_step(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId block = add_mass(plan, "block", 1.0);
    Built usual = build(plan);
    assert_ptr_equal(sti_network_method(usual.network), &sti_method_rk4);
    assert_false(sti_network_has_reactions(usual.network));
    assert_true(sti_network_step(usual.network) == 1e-3);
    sti_plan_set_method(plan, &sti_method_heun);
    add_rule(plan, "rule", sti_wire_coordinate(block, 0, 1), sti_law_coulomb(1.0), 0.0);
    Built other = build_and_destroy(plan);
    assert_ptr_equal(sti_network_method(other.network), &sti_method_heun);
    assert_true(sti_network_has_reactions(other.network));
    release(&usual);
    release(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_is_counted_and_never_added_up),
        cmocka_unit_test(a_network_knows_its_method_and_its_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
