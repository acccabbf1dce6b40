// A good plan, and what the report says when it is spoilt in one way. Include after cmocka.h.
#ifndef STICTION_TESTS_SPOILT_PLANS_H
#define STICTION_TESTS_SPOILT_PLANS_H

#include <stdio.h>
#include <string.h>

#include "built.h"
#include "support/plan.h"

static inline void no_motion(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace, (void)t;
    values[0] = values[1] = 0.0;
}

typedef struct Scene {
    StiPlan *plan;
    StiAdmittanceId hand, block;
    StiElementId spring, friction, pusher;
    StiSourceId push;
    StiWire on_block;
} Scene;

// A good plan; each case spoils it in one way.
static inline Scene good_scene(void)
{
    Scene s = {.plan = plan_under_rule()};
    s.hand =
        sti_plan_add_motion(s.plan, "hand", 1, (StiTimeFunction){.count = 2, .eval = no_motion});
    s.block = add_mass(s.plan, "block", 1.0);
    s.on_block = sti_wire_coordinate(s.block, 0, 1);
    s.spring =
        add_spring(s.plan, "spring", sti_wire_coordinate_pair(s.hand, 0, s.block, 0, 1), 90.0, 1.0);
    s.friction = add_rule(s.plan, "friction", s.on_block, sti_law_coulomb(10.0), 0.0);
    s.push = sti_plan_add_input(s.plan, "push", 1, NULL);
    s.pusher = sti_plan_add_impedance(s.plan, "pusher", &sti_kind_force_source,
                                      &(StiForceSource){1}, &s.on_block);
    sti_plan_connect(s.plan, sti_signal_source(s.push, 0), s.pusher, 0);
    return s;
}

typedef struct Case {
    void (*spoil)(Scene *s);
    const char *component, *parameter;
    double value;
    const char *words; // part of what would be right
} Case;

static inline bool agrees(const StiFinding *finding, const Case *expected)
{
    const bool same_value =
        isnan(expected->value) ? isnan(finding->value) : finding->value == expected->value;
    return finding->severity == STI_ERROR && strcmp(finding->component, expected->component) == 0 &&
           strcmp(finding->parameter, expected->parameter) == 0 && same_value &&
           strstr(finding->text, expected->words) != NULL;
}

// Exactly one error, the expected one, and no network.
static inline void assert_refused(const Case *expected, int number)
{
    Scene s = good_scene();
    StiReport *report = sti_report_create();
    StiNetwork *network = (StiNetwork *)(uintptr_t)&s;
    expected->spoil(&s);
    assert_int_equal(sti_plan_compile(s.plan, report, &network), STI_BAD_PLAN);
    assert_null(network);
    if (sti_report_error_count(report) != 1 || !agrees(sti_report_finding(report, 0), expected)) {
        print_error("case %d, expected %s.%s = %g: %s\n", number, expected->component,
                    expected->parameter, expected->value, expected->words);
        show_report(report);
        fail();
    }
    assert_int_equal(sti_plan_compile(s.plan, NULL, &network), STI_BAD_PLAN);
    assert_null(network);
    sti_report_destroy(report);
    sti_plan_destroy(s.plan);
}

static inline void assert_all_refused(const Case *cases, size_t count)
{
    for (size_t i = 0; i < count; ++i) assert_refused(&cases[i], (int)i);
}
#define ASSERT_ALL_REFUSED(cases) assert_all_refused((cases), sizeof(cases) / sizeof(cases)[0])

#endif
