// A run under error control that remembers the times of its events.
#ifndef STICTION_TESTS_SUPPORT_EVENT_RUN_H
#define STICTION_TESTS_SUPPORT_EVENT_RUN_H

#include "stiction/adaptive.h"
#include "stiction/stiction.h"

enum { EVENT_RUN_MOST = 400 };

typedef struct EventRun {
    StiNetwork *network;
    StiState *state;
    StiScratch *scratch;
    StiAdaptive *adaptive;
    double t[EVENT_RUN_MOST]; // of the first events
    double last;              // of the last one
    int events;
} EventRun;

static inline void event_run_note(void *context, double t, const StiState *state,
                                  const StiScratch *scratch)
{
    (void)state, (void)scratch;
    EventRun *run = context;
    if (run->events < EVENT_RUN_MOST) run->t[run->events] = t;
    run->last = t;
    ++run->events;
}

// Takes the plan.
static inline void event_run_begin(EventRun *run, StiPlan *plan, const char *method,
                                   double tolerance, double stop)
{
    sti_plan_set_method(plan, &sti_method_continuous);
    assert_int_equal(sti_plan_compile(plan, NULL, &run->network), STI_OK);
    sti_plan_destroy(plan);
    run->state = sti_state_create(run->network);
    run->scratch = sti_scratch_create(run->network);
    run->events = 0;
    run->adaptive = sti_adaptive_create(run->network,
                                        &(StiAdaptiveOptions){.method = method,
                                                              .rtol = tolerance,
                                                              .atol = 0.1 * tolerance,
                                                              .stop = stop,
                                                              .at_event = event_run_note,
                                                              .context = run},
                                        NULL);
    assert_non_null(run->adaptive);
}

static inline StiStatus event_run_follow(EventRun *run, int rows)
{
    StiStatus status = STI_OK;
    for (int k = 0; k < rows && status == STI_OK; ++k)
        status = sti_adaptive_step(run->adaptive, NULL, run->state, run->scratch);
    return status;
}

static inline void event_run_end(EventRun *run)
{
    sti_adaptive_destroy(run->adaptive);
    sti_scratch_destroy(run->scratch);
    sti_state_destroy(run->state);
    sti_network_destroy(run->network);
}

#endif
