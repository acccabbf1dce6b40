// Shapes that overlap at the start are named, with their depth; those that touch are not.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "support/plan.h"
#include "support/random.h"
#include "support/scenes/contact_scenes.h"

static const StiVec3 half = {0.1, 0.2, 0.3};

// Two boxes along x, their faces this far apart, m; the warning, or NULL.
static const StiFinding *warning_of(double gap, StiReport *report)
{
    StiPlan *plan = plan_in_stages();
    StiContactShape shapes[2];
    for (int i = 0; i < 2; ++i) {
        const StiRigidBody body = box_body(1.0, half, sti_vec3(i * (0.2 + gap), 0.02 * i, 0.0));
        shapes[i] = box_shape(sti_plan_add_admittance(plan, i == 0 ? "left" : "right",
                                                      &sti_kind_rigid_body, &body),
                              half);
    }
    sti_plan_add_contact(plan, "sides", &(StiContact){.a = shapes, .a_count = 2, .mu = 0.5});
    StiNetwork *network;
    assert_int_equal(sti_plan_compile(plan, report, &network), STI_OK);
    sti_network_destroy(network);
    sti_plan_destroy(plan);
    for (int i = 0; i < sti_report_count(report); ++i)
        if (sti_report_finding(report, i)->severity == STI_WARNING)
            return sti_report_finding(report, i);
    return NULL;
}

static void overlaps_are_named_with_their_depth(void **state)
{
    (void)state;
    Random random = {15};
    for (int i = 0; i < 40; ++i) {
        const double depth = random_decades(&random, 1e-3, 0.05);
        StiReport *report = sti_report_create();
        const StiFinding *warning = warning_of(-depth, report);
        assert_non_null(warning);
        assert_string_equal(warning->component, "sides");
        const char *said = strstr(warning->text, "left and right overlap by ");
        assert_non_null(said);
        const double read = strtod(said + strlen("left and right overlap by "), NULL);
        assert_true(fabs(read - depth) <= 5.1e-3 * depth); // printed with three digits
        sti_report_destroy(report);
    }
}

static void what_touches_or_is_apart_is_not(void **state)
{
    (void)state;
    Random random = {16};
    for (int i = 0; i < 40; ++i) {
        StiReport *report = sti_report_create();
        // rounded input, exact touch, apart
        const double gap = i % 3 == 0   ? -random_decades(&random, 1e-12, 1e-4)
                           : i % 3 == 1 ? 0.0
                                        : random_decades(&random, 1e-9, 1.0);
        assert_null(warning_of(gap, report));
        sti_report_destroy(report);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlaps_are_named_with_their_depth),
        cmocka_unit_test(what_touches_or_is_apart_is_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
