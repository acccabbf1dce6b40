// A network with a state and a scratch of its own. Include after cmocka.h.
#ifndef STICTION_TESTS_BUILT_H
#define STICTION_TESTS_BUILT_H

#include "stiction/stiction.h"

typedef struct Built {
    StiReport *report;
    StiNetwork *network;
    StiState *state;
    StiScratch *scratch;
} Built;

static inline void show_report(const StiReport *report)
{
    char text[4000];
    sti_report_print(report, text, sizeof text);
    print_error("%s", text);
}

// The plan stays with the caller.
static inline Built build(StiPlan *plan)
{
    Built built = {.report = sti_report_create()};
    const StiStatus status = sti_plan_compile(plan, built.report, &built.network);
    if (status != STI_OK) show_report(built.report);
    assert_int_equal(status, STI_OK);
    built.state = sti_state_create(built.network);
    built.scratch = sti_scratch_create(built.network);
    assert_non_null(built.state);
    assert_non_null(built.scratch);
    return built;
}

static inline Built build_and_destroy(StiPlan *plan)
{
    const Built built = build(plan);
    sti_plan_destroy(plan);
    return built;
}

static inline void release(Built *built)
{
    sti_scratch_destroy(built->scratch);
    sti_state_destroy(built->state);
    sti_network_destroy(built->network);
    sti_report_destroy(built->report);
    *built = (Built){0};
}

static inline void step_or_fail(Built *built, const double *inputs, const char *file, int line)
{
    const StiStatus status = sti_run(built->network, inputs, built->state, built->scratch, 1);
    if (status == STI_OK) return;
    const StiFault *fault = sti_scratch_fault(built->scratch);
    print_error("step %ld: %s (%s: %s)\n", (long)fault->k, sti_status_text(status),
                fault->component, fault->what);
    _fail(file, line);
}
#define assert_steps(built, inputs) step_or_fail((built), (inputs), __FILE__, __LINE__)

static inline double *position(const Built *built, StiAdmittanceId id)
{
    return sti_state_edit_positions(built->state, built->network, id);
}
static inline double *velocity(const Built *built, StiAdmittanceId id)
{
    return sti_state_edit_velocities(built->state, built->network, id);
}
static inline double *memory(const Built *built, StiElementId id)
{
    return sti_state_edit_memory(built->state, built->network, id);
}
static inline double *discrete(const Built *built, StiElementId id)
{
    return sti_state_edit_discrete(built->state, built->network, id);
}

static inline StiAdmittanceId add_mass(StiPlan *plan, const char *name, double mass)
{
    return sti_plan_add_admittance(plan, name, &sti_kind_point_mass,
                                   &(StiPointMass){.dim = 1, .mass = mass});
}
static inline StiAdmittanceId add_moving_mass(StiPlan *plan, const char *name, double mass,
                                              double v)
{
    return sti_plan_add_admittance(plan, name, &sti_kind_point_mass,
                                   &(StiPointMass){.dim = 1, .mass = mass, .velocity = {v}});
}
static inline StiElementId add_spring(StiPlan *plan, const char *name, StiWire wire, double K,
                                      double B)
{
    return sti_plan_add_impedance(plan, name, &sti_kind_spring_damper,
                                  &(StiSpringDamper){.dim = wire.dim, .K = K, .B = B}, &wire);
}
static inline StiElementId add_rule(StiPlan *plan, const char *name, StiWire wire, StiLaw law,
                                    double level_static)
{
    return sti_plan_add_reaction(
        plan, name, &sti_kind_finite_time,
        &(StiFiniteTime){.dim = wire.dim, .law = law, .level_static = level_static}, &wire);
}
// A force on the wire, as large as an input says.
static inline StiElementId add_input_force(StiPlan *plan, const char *name, const char *input,
                                           StiWire wire)
{
    const StiSourceId source = sti_plan_add_input(plan, input, wire.dim, NULL);
    const StiElementId force = sti_plan_add_impedance(plan, name, &sti_kind_force_source,
                                                      &(StiForceSource){wire.dim}, &wire);
    for (int i = 0; i < wire.dim; ++i)
        sti_plan_connect(plan, sti_signal_source(source, i), force, i);
    return force;
}

#endif
