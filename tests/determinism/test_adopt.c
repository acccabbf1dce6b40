// A network with other parameters takes over a running state; one of another layout is refused.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "every_case.h"
#include "support/near.h"
#include "support/plan.h"

static const char path[] = "adopted.state";

// What may not be multiplied: parts that add up to 1, exponents, whole numbers of steps.
static bool is_free(const StiParameter *parameter)
{
    static const char *const tied[] = {"share", "alpha", "attitude", "period", "step", "start"};
    for (size_t i = 0; i < sizeof tied / sizeof tied[0]; ++i)
        if (strstr(parameter->path, tied[i]) != NULL) return false;
    return parameter->value != 0.0; // what is not there may stay away
}

// The running state goes on under another network from where it is, and under the first one as if nothing had been.
static void states_go_on(const EveryCase *c, const uint64_t *hashes)
{
    StiPlan *plan = every_plan(c, 0);
    Built first = build(plan);
    StiParameter parameter;
    int changed = 0;
    for (int i = 0; sti_plan_parameter(plan, i, &parameter); ++i) {
        if (!is_free(&parameter)) continue;
        assert_int_equal(sti_plan_set(plan, parameter.path, 1.001 * parameter.value), STI_OK);
        ++changed;
    }
    assert_true(changed > 80);
    Built second = build_and_destroy(plan);
    assert_true(sti_network_layout(first.network) == sti_network_layout(second.network));
    const int half = every_steps() / 2;
    for (int k = 0; k < half; ++k) every_step(&first);
    assert_int_equal(sti_state_copy(second.state, first.state), STI_OK);
    assert_true(sti_state_hash(second.state) == hashes[half - 1]);
    every_step(&second);
    assert_true(sti_state_hash(second.state) != hashes[half]);
    assert_int_equal(sti_state_k(second.state), half + 1);
    // the very state, stepped by the other network; and back again
    double inputs[EVERY_INPUTS];
    every_inputs(first.network, half, inputs);
    StiState *running = sti_state_create(first.network);
    assert_int_equal(sti_state_copy(running, first.state), STI_OK);
    assert_int_equal(sti_run(second.network, inputs, running, second.scratch, 1), STI_OK);
    assert_true(sti_state_hash(running) == sti_state_hash(second.state));
    assert_int_equal(sti_state_copy(running, first.state), STI_OK);
    assert_int_equal(sti_run(first.network, inputs, running, first.scratch, 1), STI_OK);
    assert_true(sti_state_hash(running) == hashes[half]);
    assert_int_equal(sti_run(second.network, inputs, running, first.scratch, 1),
                     STI_BAD_ARGUMENT); // a scratch belongs to its network
    sti_state_destroy(running);
    release(&first);
    release(&second);
}

static void other_parameters_adopt_a_running_state(void **state)
{
    (void)state;
    for_every_case(states_go_on);
}

// Changing a parameter and changing it back gives the network of before.
static void same_bits_when_undone(const EveryCase *c, const uint64_t *hashes)
{
    StiPlan *plan = every_plan(c, 0);
    double level = NAN;
    assert_int_equal(sti_plan_get(plan, "guide.rub.level", &level), STI_OK);
    assert_int_equal(sti_plan_set(plan, "guide.rub.level", 0.1), STI_OK);
    assert_int_equal(sti_plan_set(plan, "guide.rub.level", level), STI_OK);
    Built built = build_and_destroy(plan);
    for (int k = 0; k < every_steps(); ++k) {
        every_step(&built);
        assert_true(sti_state_hash(built.state) == hashes[k]);
    }
    release(&built);
}

static void a_change_can_be_undone(void **state)
{
    (void)state;
    for_every_case(same_bits_when_undone);
}

// Only the changed number is felt: a mass under a level of 0.5 in place of 2 from half time on
// slides on at (F - 0.5)/M.
static void an_adopted_state_feels_the_new_level(void **state)
{
    (void)state;
    const double force = 1.5;
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId mass = add_mass(plan, "mass", 2.0);
    add_rule(plan, "rub", sti_wire_coordinate(mass, 0, 1), sti_law_coulomb(2.0), 0.0);
    add_input_force(plan, "push", "force", sti_wire_coordinate(mass, 0, 1));
    Built built = build(plan);
    assert_int_equal(sti_plan_set(plan, "rub.level", 0.5), STI_OK);
    Built changed = build_and_destroy(plan);
    for (int k = 0; k < 100; ++k) assert_steps(&built, &force);
    assert_true(*position(&built, mass) == 0.0);
    for (int k = 0; k < 100; ++k)
        assert_int_equal(sti_run(changed.network, &force, built.state, changed.scratch, 1), STI_OK);
    assert_near(*velocity(&built, mass), 0.1 * (force - 0.5) / 2.0, 1e-15);
    release(&changed);
    release(&built);
}

// Another name, another kind, another size: the state stays as it was, and so does the stranger.
static void states_of_another_layout_are_refused(void **state)
{
    (void)state;
    for (int other = 0; other < 3; ++other) {
        StiPlan *plans[2];
        for (int i = 0; i < 2; ++i) {
            const bool odd = i == 1;
            plans[i] = plan_in_stages();
            const StiAdmittanceId mass = sti_plan_add_admittance(
                plans[i], odd && other == 0 ? "block" : "mass", &sti_kind_point_mass,
                &(StiPointMass){.dim = odd && other == 1 ? 2 : 1, .mass = 1.0, .velocity = {1.0}});
            const StiWire wire = sti_wire_coordinate(mass, 0, 1);
            const StiDahl dahl = {.law = sti_law_coulomb(1.0), .K = 10.0, .alpha = 1.0};
            const StiLuGre lugre = {.law = sti_law_coulomb(1.0), .sigma0 = 10.0};
            if (odd && other == 2)
                sti_plan_add_impedance(plans[i], "f", &sti_kind_lugre, &lugre, &wire);
            else
                sti_plan_add_impedance(plans[i], "f", &sti_kind_dahl, &dahl, &wire);
        }
        Built ours = build_and_destroy(plans[0]), theirs = build_and_destroy(plans[1]);
        assert_true(sti_network_layout(ours.network) != sti_network_layout(theirs.network));
        assert_steps(&ours, NULL);
        const uint64_t hash = sti_state_hash(ours.state);
        assert_int_equal(sti_run(theirs.network, NULL, ours.state, theirs.scratch, 1),
                         STI_LAYOUT_MISMATCH);
        assert_int_equal(sti_scratch_fault(theirs.scratch)->status, STI_LAYOUT_MISMATCH);
        assert_int_equal(sti_state_copy(ours.state, theirs.state), STI_LAYOUT_MISMATCH);
        assert_int_equal(sti_state_save(theirs.state, path), STI_OK);
        assert_int_equal(sti_state_load(ours.state, path), STI_LAYOUT_MISMATCH);
        assert_true(sti_state_hash(ours.state) == hash);
        assert_steps(&ours, NULL);
        release(&ours);
        release(&theirs);
    }
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_parameters_adopt_a_running_state),
        cmocka_unit_test(a_change_can_be_undone),
        cmocka_unit_test(an_adopted_state_feels_the_new_level),
        cmocka_unit_test(states_of_another_layout_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
