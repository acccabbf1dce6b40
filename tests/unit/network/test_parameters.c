#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "built.h"
#include "support/near.h"
#include "support/plan.h"

static const double bank_K[2] = {100.0, 200.0}, bank_F[2] = {1.0, 2.0};

static StiPlan *scene(void)
{
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId block =
        sti_plan_add_admittance(plan, "block", &sti_kind_point_mass,
                                &(StiPointMass){.dim = 1, .mass = 2.0, .velocity = {0.5}});
    const StiWire wire = sti_wire_coordinate(block, 0, 1);
    const StiMaxwellSlip bank = {.elements = 2, .K = bank_K, .F = bank_F};
    const StiDahl dahl = {.law = sti_law_coulomb(3.0), .K = 4.0, .alpha = 1.0};
    const StiImpedance parts[] = {{&sti_kind_maxwell_slip, &bank}, {&sti_kind_dahl, &dahl}};
    sti_plan_add_impedance(plan, "pair", &sti_kind_compound, &(StiCompound){2, parts}, &wire);
    add_rule(plan, "ground.rub", wire, sti_law_stribeck(5.0, 6.0, 7.0, 2.0, 8.0), 0.0);
    return plan;
}

static void assert_has(const StiPlan *plan, const char *path, double expected)
{
    double value = NAN;
    assert_int_equal(sti_plan_get(plan, path, &value), STI_OK);
    assert_true(value == expected);
}

static void every_number_has_a_path(void **state)
{
    (void)state;
    StiPlan *plan = scene();
    assert_has(plan, "step", 1e-3);
    assert_has(plan, "start", 0.0);
    assert_has(plan, "gravity[2]", 0.0);
    assert_has(plan, "block.mass", 2.0);
    assert_has(plan, "block.velocity[0]", 0.5);
    assert_has(plan, "pair.0.stiffness[1]", 200.0);
    assert_has(plan, "pair.1.level", 3.0);
    assert_has(plan, "ground.rub.level", 5.0);
    assert_has(plan, "ground.rub.law.static", 6.0); // the rule has a static level of its own
    assert_has(plan, "ground.rub.static", 0.0);
    sti_plan_destroy(plan);
}

static void set_changes_what_get_reads(void **state)
{
    (void)state;
    StiPlan *plan = scene();
    static const char *const paths[] = {
        "step",         "start",           "gravity[0]",        "block.mass",
        "pair.1.level", "pair.0.level[1]", "ground.rub.viscous"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; ++i) {
        assert_int_equal(sti_plan_set(plan, paths[i], 40.0 + (double)i), STI_OK);
        assert_has(plan, paths[i], 40.0 + (double)i);
    }
    assert_true(bank_F[1] == 2.0); // the plan has its own copy
    sti_plan_destroy(plan);
}

static void wrong_paths_are_refused(void **state)
{
    (void)state;
    StiPlan *plan = scene();
    static const char *const wrong[] = {
        "",
        "Step",
        "step ",
        "gravity",
        "gravity[3]",
        "block",
        "block.",
        "mass",
        "block.masse",
        "block.mass[0]",
        "other.mass",
        "block.mass.x",
        "pair.level",
        "pair.2.level",
        "pair.0.level",
        "pair.0.level[2]",
        "ground.rub",
        "ground.level",
        ".mass",
        "block.velocity",
        "block..mass",
        "pair.-1.level",
    };
    double value = 17.0;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        assert_int_equal(sti_plan_get(plan, wrong[i], &value), STI_BAD_ARGUMENT);
        assert_int_equal(sti_plan_set(plan, wrong[i], 1.0), STI_BAD_ARGUMENT);
        assert_true(value == 17.0);
    }
    sti_plan_destroy(plan);
}

static void the_listing_is_complete_and_has_no_path_twice(void **state)
{
    (void)state;
    StiPlan *plan = scene();
    StiParameter parameter, other;
    int count = 0;
    for (; sti_plan_parameter(plan, count, &parameter); ++count) {
        assert_has(plan, parameter.path, parameter.value);
        assert_non_null(parameter.unit);
        assert_true(strlen(parameter.meaning) > 0);
        for (int i = 0; i < count; ++i) {
            assert_true(sti_plan_parameter(plan, i, &other));
            assert_string_not_equal(other.path, parameter.path);
        }
    }
    // plan 5; block 1 + 1 + 1; bank 2 + 2; dahl 3; rule 5 + 1
    assert_int_equal(count, 5 + 3 + 4 + 3 + 6);
    assert_false(sti_plan_parameter(plan, -1, &parameter));
    assert_false(sti_plan_parameter(plan, 1000, &parameter));
    sti_plan_destroy(plan);
}

static void units_come_with_the_numbers(void **state)
{
    (void)state;
    StiPlan *plan = scene();
    StiParameter parameter;
    for (int i = 0; sti_plan_parameter(plan, i, &parameter); ++i) {
        if (strcmp(parameter.path, "step") == 0) assert_string_equal(parameter.unit, "s");
        if (strcmp(parameter.path, "block.mass") == 0) assert_string_equal(parameter.unit, "kg");
        if (strcmp(parameter.path, "pair.0.stiffness[0]") == 0)
            assert_string_equal(parameter.unit, "N/m");
    }
    sti_plan_destroy(plan);
}

// What is set is what runs: half the mass under one force moves twice as far.
static void a_set_parameter_is_compiled(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId block = add_mass(plan, "block", 2.0);
    double travelled[2];
    sti_plan_set_gravity(plan, sti_vec3(3.0, 0.0, 0.0));
    add_spring(plan, "spring", sti_wire_coordinate(block, 0, 1), 0.0, 4.0);
    for (int i = 0; i < 2; ++i) {
        Built built = build(plan);
        for (int k = 0; k < 20000; ++k) assert_steps(&built, NULL);
        travelled[i] = *velocity(&built, block); // ends at g M/B
        release(&built);
        assert_int_equal(sti_plan_set(plan, "block.mass", 1.0), STI_OK);
    }
    assert_near(travelled[0], 1.5, 1e-12);
    assert_near(travelled[1], 0.75, 1e-12);
    sti_plan_destroy(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_has_a_path),
        cmocka_unit_test(set_changes_what_get_reads),
        cmocka_unit_test(wrong_paths_are_refused),
        cmocka_unit_test(the_listing_is_complete_and_has_no_path_twice),
        cmocka_unit_test(units_come_with_the_numbers),
        cmocka_unit_test(a_set_parameter_is_compiled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
