// Runs of a study side by side: each row is the one of the run alone, whatever is measured, and where runs fail.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "stiction/lanes.h"
#include "stiction/study.h"

enum { RUNS = 24, MEASURES = 7 };

// The hand stops at a break. A least mass below 0 lets some runs fail.
static const char text[] =
    "step: 2e-3\nstop: 1.5\nparameters: {g: 1}\n"
    "bodies:\n"
    "  hand: {kind: motion, x: \"0.8*min(t, 0.7) + 0.1*sin(9*t)\", breaks: [0.7]}\n"
    "  block: {kind: point, mass: 1}\n"
    "  tail: {kind: point, mass: 0.5}\n"
    "elements:\n"
    "  spring: {kind: spring-damper, between: [hand, block], stiffness: 90}\n"
    "  tow: {kind: spring-damper, between: [block, tail], stiffness: 60, damping: 0.3}\n"
    "  friction: {kind: friction, on: block, model: coulomb, level: 6}\n"
    "  bearing: {kind: friction, on: tail, model: coulomb, level: 1, static: 1.2, viscous: 0.4}\n"
    "study:\n"
    "  sample: random\n  runs: 24\n"
    "  parameters:\n"
    "    friction.level: {uniform: [2, 12]}\n"
    "    tow.stiffness: {uniform: [20, 100]}\n"
    "    tail.mass: {uniform: [LEAST, 1]}\n"
    "  measures:\n"
    "    rest: {channel: block.x, at: 1.5}\n"
    "    peak: {channel: tail.v, during: [0, 1.5], measure: maxabs}\n"
    "    moves: {when: block.v > 0.1}\n"
    "    heat: {channel: energy.dissipated, at: 1.2}\n"
    "    force: {channel: friction.force, during: [0.2, 1], measure: mean}\n"
    "    sticks: {channel: bearing.stick, during: [0, 1.5], measure: mean}\n"
    "    lag: {channel: \"hand.x - tail.x\", during: [0.3, 0.9], measure: range}\n";

static StiStudy *load(double least_mass)
{
    char scene[sizeof text + 32];
    const char *place = strstr(text, "LEAST");
    StiMessages *messages = sti_messages_create();
    snprintf(scene, sizeof scene, "%.*s%g%s", (int)(place - text), text, least_mass,
             place + strlen("LEAST"));
    StiStudy *study = sti_study_read(scene, strlen(scene), "together.yaml", NULL, messages);
    if (study == NULL) fail_msg("%s", sti_messages_at(messages, 0)->text);
    sti_messages_destroy(messages);
    return study;
}

// How many runs failed.
static int compare(const StiStudy *study, int at_once)
{
    StiStudyWorker *one = sti_study_worker_create(study), *many = sti_study_worker_create(study);
    int failed = 0;
    assert_non_null(one);
    assert_non_null(many);
    assert_int_equal(sti_study_together(study), STI_LANES);
    for (int64_t first = 0; first < RUNS; first += at_once) {
        int64_t runs[STI_LANES];
        int count = 0;
        for (; count < at_once && first + count < RUNS; ++count) runs[count] = first + count;
        const StiStudyRow *rows = sti_study_worker_run_together(many, runs, count);
        for (int i = 0; i < count; ++i) {
            const StiStudyRow *row = sti_study_worker_run(one, runs[i]);
            assert_int_equal(rows[i].run, row->run);
            assert_int_equal(rows[i].status, row->status);
            assert_string_equal(rows[i].reason, row->reason);
            assert_memory_equal(rows[i].values, row->values, 3 * sizeof(double));
            assert_memory_equal(rows[i].measures, row->measures, MEASURES * sizeof(double));
            failed += row->status != STI_OK;
        }
    }
    sti_study_worker_destroy(one);
    sti_study_worker_destroy(many);
    return failed;
}

static void rows_are_those_of_runs_alone(void **state)
{
    (void)state;
    StiStudy *study = load(0.1);
    assert_int_equal(compare(study, STI_LANES), 0);
    assert_int_equal(compare(study, 5), 0);
    sti_study_destroy(study);
}

static void failures_are_rows_of_their_own(void **state)
{
    (void)state;
    StiStudy *study = load(-0.5);
    const int failed = compare(study, STI_LANES);
    assert_true(failed > 0 && failed < RUNS);
    sti_study_destroy(study);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_those_of_runs_alone),
                                       cmocka_unit_test(failures_are_rows_of_their_own)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
