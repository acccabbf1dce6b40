// A compiled scene with all that a run needs. Include after cmocka.h.
#ifndef STICTION_TESTS_SCENES_RIG_H
#define STICTION_TESTS_SCENES_RIG_H

#include <stdlib.h>

#include "stiction/stiction.h"
#include "contact/points.h"
#include "rows/reactions.h"

typedef struct Rig {
    StiNetwork *network;
    StiState *state;
    StiScratch *scratch;
    int findings; // warnings and notes of compile
} Rig;

// Compiles the plan and destroys it; errors fail the test and print the report.
static inline Rig rig_of(StiPlan *plan)
{
    Rig rig = {0};
    StiReport *report = sti_report_create();
    if (sti_plan_compile(plan, report, &rig.network) != STI_OK) {
        char text[4096];
        sti_report_print(report, text, sizeof text);
        print_error("%s", text);
        fail();
    }
    rig.findings = sti_report_count(report);
    sti_report_destroy(report);
    sti_plan_destroy(plan);
    rig.state = sti_state_create(rig.network);
    rig.scratch = sti_scratch_create(rig.network);
    assert_non_null(rig.state);
    assert_non_null(rig.scratch);
    return rig;
}

static inline void rig_free(Rig *rig)
{
    sti_scratch_destroy(rig->scratch);
    sti_state_destroy(rig->state);
    sti_network_destroy(rig->network);
}

static inline void rig_run(const Rig *rig, int64_t steps)
{
    const StiStatus status = sti_run(rig->network, NULL, rig->state, rig->scratch, steps);
    if (status == STI_OK) return;
    const StiFault *fault = sti_scratch_fault(rig->scratch);
    print_error("%s: %s of '%s' at %g s\n", sti_status_text(status), fault->what, fault->component,
                fault->t);
    fail();
}

static inline void rig_step(const Rig *rig) { rig_run(rig, 1); }

static inline void rig_step_with(const Rig *rig, const double *inputs)
{
    assert_int_equal(sti_run(rig->network, inputs, rig->state, rig->scratch, 1), STI_OK);
}

static inline double rig_time(const Rig *rig)
{
    return sti_network_time(rig->network, sti_state_k(rig->state));
}
static inline double *rig_x(const Rig *rig, StiAdmittanceId id)
{
    return sti_state_edit_positions(rig->state, rig->network, id);
}
static inline double *rig_v(const Rig *rig, StiAdmittanceId id)
{
    return sti_state_edit_velocities(rig->state, rig->network, id);
}
static inline double *rig_y(const Rig *rig, StiElementId id)
{
    return sti_state_edit_memory(rig->state, rig->network, id);
}

// The resistance that acted during the last step; over stages weighted with b.
static inline double rig_resistance(const Rig *rig, StiElementId id, int direction)
{
    const StiNetwork *network = rig->network;
    const Place place = network->element_places[id.number - 1];
    if (place.role == STI_REACTION) return rig->scratch->reactions->answers[place.index].r[direction];
    const int stages = network->resolves ? 1 : network->method->stages;
    const int at = network->impedances[place.index].wire.v + direction;
    double sum = 0.0;
    for (int r = 0; r < stages; ++r)
        sum += (stages > 1 ? network->method->b[r] : 1.0) * rig->scratch->stages[r].u[at];
    return sum;
}

// Long loops are cut where the environment asks for it (sanitizers).
static inline bool rig_short(void) { return getenv("STI_TEST_SHORT") != NULL; }

#endif
