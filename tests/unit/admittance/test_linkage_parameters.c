// The numbers of a linkage are parameters of the plan: they have paths, can be changed, and the changed
// plan makes the network that the changed linkage would have made, or says which constraint fails.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "stiction/stiction.h"
#include "support/linkages.h"
#include "support/near.h"
#include "support/plan.h"
#include "turned_plan.h"

static StiPlan *plan_of(const StiLinkage *linkage)
{
    StiPlan *plan = plan_in_stages();
    sti_plan_set_gravity(plan, test_gravity);
    sti_plan_add_admittance(plan, "engine", &sti_kind_linkage, &(StiLinkageBody){linkage});
    return plan;
}

static void every_number_has_a_path(void **state)
{
    (void)state;
    SliderCrank s;
    slider_crank(&s, 0.5, 2.0, false);
    s.bodies[1].position.x += 0.01; // paths show the guess, not what was assembled from it
    StiLinkage *linkage = sti_linkage_create(&s.design, NULL);
    StiPlan *plan = plan_of(linkage);
    assert_true(value_at(plan, "engine.crank.mass") == 1.0);
    assert_true(value_at(plan, "engine.slider.inertia") == 0.02);
    assert_true(value_at(plan, "engine.rod.position[0]") == s.bodies[1].position.x);
    assert_true(value_at(plan, "engine.crank.rate") == 2.0);
    assert_true(value_at(plan, "engine.crank_pin.at[0]") == -0.3);
    assert_true(value_at(plan, "engine.crank_pin.at_other[0]") == 0.1);
    assert_true(value_at(plan, "engine.crank_pin.radius") == 0.02);
    assert_true(value_at(plan, "engine.main.anchor[1]") == 0.0);
    assert_true(value_at(plan, "engine.guide.direction") == 0.0);
    assert_true(value_at(plan, "engine.guide.front") == 0.05);
    double value; // a pin has no line, a slider no radius
    assert_int_equal(sti_plan_get(plan, "engine.main.direction", &value), STI_BAD_ARGUMENT);
    assert_int_equal(sti_plan_get(plan, "engine.guide.radius", &value), STI_BAD_ARGUMENT);
    sti_plan_destroy(plan);
    sti_linkage_destroy(linkage);
}

static void the_linkage_may_go_when_it_is_in_the_plan(void **state)
{
    (void)state;
    SliderCrank s;
    slider_crank(&s, 0.5, 2.0, false);
    StiLinkage *linkage = sti_linkage_create(&s.design, NULL);
    const uint64_t hash = hash_after(plan_of(linkage), 50);
    StiPlan *orphan = plan_of(linkage);
    sti_linkage_destroy(linkage);
    assert_true(hash_after(orphan, 50) == hash);
}

typedef struct Change {
    const char *path;
    double *number;
    double factor;
} Change;

// Masses, lengths and pins changed through their paths, against a linkage made of the changed numbers.
static void changed_numbers_make_the_changed_linkage(void **state)
{
    (void)state;
    SliderCrank s;
    slider_crank(&s, 0.5, 2.0, false);
    const Change changes[] = {
        {"engine.crank.mass", &s.bodies[0].mass, 2.0},
        {"engine.rod.inertia", &s.bodies[1].inertia, 1.5},
        {"engine.crank_pin.at[0]", &s.pairs[1].at.x, 1.1}, // a longer rod: assembled anew
        {"engine.crank_pin.at_other[0]", &s.pairs[1].at_other.x, 0.9},
        {"engine.wrist.radius", &s.pairs[2].radius, 3.0},
        {"engine.guide.rear", &s.pairs[3].rear, 2.0},
        {"engine.crank.rate", &s.bodies[0].rate, 0.5},
    };
    StiLinkage *linkage = sti_linkage_create(&s.design, NULL);
    const uint64_t before = hash_after(plan_of(linkage), 20);
    StiPlan *plan = plan_of(linkage);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i) {
        *changes[i].number *= changes[i].factor;
        assert_int_equal(sti_plan_set(plan, changes[i].path, *changes[i].number), STI_OK);
    }
    StiLinkage *changed = sti_linkage_create(&s.design, NULL);
    assert_non_null(changed);
    const uint64_t expected = hash_after(plan_of(changed), 20);
    assert_true(hash_after(plan, 20) == expected);
    assert_true(expected != before);
    assert_true(hash_after(plan_of(linkage), 20) == before); // it did not notice
    sti_linkage_destroy(changed);
    sti_linkage_destroy(linkage);
}

static void assert_refused(const char *path, double value, const char *parameter, const char *text)
{
    SliderCrank s;
    StiNetwork *network = NULL;
    StiReport *report = sti_report_create();
    slider_crank(&s, 0.5, 0.0, false);
    StiLinkage *linkage = sti_linkage_create(&s.design, NULL);
    StiPlan *plan = plan_of(linkage);
    sti_plan_set(plan, path, value);
    assert_int_equal(sti_plan_compile(plan, report, &network), STI_BAD_PLAN);
    const StiFinding *f = sti_report_finding(report, 0);
    assert_string_equal(f->component, "engine");
    assert_string_equal(f->parameter, parameter);
    if (strstr(f->text, text) == NULL) fail_msg("'%s' does not say '%s'", f->text, text);
    sti_report_destroy(report);
    sti_plan_destroy(plan);
    sti_linkage_destroy(linkage);
}

static void what_cannot_be_assembled_is_refused(void **state)
{
    (void)state;
    // The guide is 1 m too high: crank and rod reach 0.8 m.
    assert_refused("engine.guide.anchor[1]", 1.0, "main", "misses by");
    assert_refused("engine.crank.mass", 0.0, "crank.mass", "above");
    assert_refused("engine.wrist.radius", -1.0, "wrist.radius", "");
}

// A running state goes on in the network of the changed plan, back on the constraints after a step.
static void a_running_state_is_taken_over(void **state)
{
    (void)state;
    SliderCrank s;
    slider_crank(&s, 0.5, 2.0, false);
    StiLinkage *linkage = sti_linkage_create(&s.design, NULL);
    StiPlan *plan = plan_of(linkage);
    sti_plan_set(plan, "engine.crank_pin.at[0]", -0.31);
    Rig rig = rig_of(plan_of(linkage)), longer = rig_of(plan);
    rig_run(&rig, 100);
    assert_int_equal(sti_state_copy(longer.state, rig.state), STI_OK);
    rig_step(&longer);
    const double *q = longer.state->values;
    const double reach = hypot(q[6] - 0.2 * cos(q[2]), q[7] - 0.2 * sin(q[2]));
    assert_near(reach, 0.61, 1e-12);
    rig_free(&rig);
    rig_free(&longer);
    sti_linkage_destroy(linkage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_has_a_path),
        cmocka_unit_test(the_linkage_may_go_when_it_is_in_the_plan),
        cmocka_unit_test(changed_numbers_make_the_changed_linkage),
        cmocka_unit_test(what_cannot_be_assembled_is_refused),
        cmocka_unit_test(a_running_state_is_taken_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
