#include "terminal/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stiction/contact.h>

#include "command/command.h"
#include "terminal/interrupt.h"
#include "files/provenance.h"
#include "plot/sketch.h"
#include "files/table_file.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

// "arm.elbow.stick" is "arm.elbow.friction.stick" by another name: counted once.
static bool is_other_name(const Session *session, const char *channel, int length)
{
    char friction[256];
    snprintf(friction, sizeof friction, "%.*s.friction.stick", length, channel);
    return sti_network_channel_find(session->scene->network, friction) >= 0;
}

static void find_sticking(Session *session)
{
    const Channels *channels = &session->channels;
    session->sticking = take((size_t)channels->count, sizeof *session->sticking);
    for (int i = 0; i < channels->count; ++i) {
        int length;
        if (!channels_is_stick(channels->names[i], &length) ||
            is_other_name(session, channels->names[i], length))
            continue;
        session->sticking[session->sticking_count++] =
            (Sticking){.channel = channels->names[i], .name_length = length, .number = i};
    }
}

static void find_recorded(Session *session)
{
    const StiScene *scene = session->scene;
    session->recorded = take((size_t)scene->record_count, sizeof *session->recorded);
    session->row = take((size_t)scene->record_count + 1, sizeof *session->row);
    for (int i = 0; i < scene->record_count; ++i)
        session->recorded[i] = channels_find(&session->channels, scene->record[i]);
}

static void begin_measures(Session *session)
{
    const StiScene *scene = session->scene;
    session->measures = take((size_t)scene->expectation_count, sizeof *session->measures);
    for (int i = 0; i < scene->expectation_count; ++i)
        session->measures[i] =
            sti_measurement_create(scene->network, &scene->expectations[i]);
}

// Between rows, where friction begins to stick or slip: what waits for a condition looks.
static void look_at_event(void *context, double t, const StiState *state, const StiScratch *scratch)
{
    Session *session = context;
    if (sti_recorder_sample_event(session->recorder, state, t, scratch) != STI_OK) return;
    for (int i = 0; i < session->scene->expectation_count; ++i)
        if (session->scene->expectations[i].measure == STI_MEASURE_WHEN)
            sti_measurement_event(session->measures[i], t, session->recorder);
}

static bool is_interrupted(void *context)
{
    (void)context;
    return interrupt_came();
}

static StiAdaptive *follow(Session *session)
{
    StiAdaptiveOptions options = *session->scene->adaptive;
    options.at_event = look_at_event;
    options.context = session;
    StiReport *report = sti_report_create();
    StiAdaptive *adaptive = sti_adaptive_create(session->scene->network, &options, report);
    for (int i = 0; report != NULL && i < sti_report_count(report); ++i) {
        const StiFinding *finding = sti_report_finding(report, i);
        if (finding->severity == STI_ERROR)
            terminal_error("%s %s: %s", options.method, finding->parameter, finding->text);
    }
    sti_report_destroy(report);
    return adaptive;
}

// What takes most of it is named.
static void complain_of_memory(const StiNetwork *network)
{
    enum { LARGE = 10000 };
    StiComponent component;
    for (int i = 0; sti_network_component(network, i, &component); ++i) {
        const StiContact *contact =
            component.role == STI_CONTACT ? sti_network_parameters(network, i) : NULL;
        if (contact == NULL || contact->capacity < LARGE) continue;
        terminal_error("out of memory: %s has room for %d points (capacity)", component.name,
                       contact->capacity);
        return;
    }
    terminal_error("out of memory");
}

Session *session_create(const StiScene *scene)
{
    Session *session = take(1, sizeof *session);
    *session = (Session){.scene = scene,
                         .channels = channels_of(scene->network),
                         .state = sti_state_create(scene->network),
                         .scratch = sti_scratch_create(scene->network),
                         .recorder = sti_recorder_create(scene->network)};
    if (session->scratch != NULL) sti_scratch_watch(session->scratch, is_interrupted, NULL);
    if (scene->adaptive != NULL) session->adaptive = follow(session);
    const bool followed = (session->adaptive != NULL) == (scene->adaptive != NULL);
    find_sticking(session);
    find_recorded(session);
    begin_measures(session);
    if (followed && session->state != NULL && session->scratch != NULL && session->recorder != NULL)
        return session;
    complain_of_memory(scene->network);
    session_destroy(session);
    return NULL;
}

void session_destroy(Session *session)
{
    if (session == NULL) return;
    for (int i = 0; i < session->scene->expectation_count; ++i)
        sti_measurement_destroy(session->measures[i]);
    free(session->measures);
    free(session->recorded);
    free(session->row);
    free(session->sticking);
    channels_release(&session->channels);
    sti_adaptive_destroy(session->adaptive);
    sti_recorder_destroy(session->recorder);
    sti_scratch_destroy(session->scratch);
    sti_state_destroy(session->state);
    free(session);
}

double session_time(const Session *session)
{
    return sti_network_time(session->scene->network, sti_state_k(session->state));
}

bool session_row_due(const Session *session)
{
    const int64_t k = sti_state_k(session->state);
    return k % session->scene->every == 0 || k == session->scene->steps;
}

static void look(Session *session)
{
    const int64_t k = sti_state_k(session->state);
    for (int i = 0; i < session->sticking_count; ++i) {
        Sticking *sticking = &session->sticking[i];
        const double now = sti_recorder_value(session->recorder, sticking->number);
        if (k > 0 && now != sticking->now) ++sticking->changes;
        sticking->now = now;
    }
    for (int i = 0; i < session->scene->expectation_count; ++i)
        sti_measurement_row(session->measures[i], k, session_time(session), session->recorder);
    sketch_row(session->sketch, session);
    if (session->watch.row != NULL) session->watch.row(session->watch.context, session);
}

StiStatus session_begin(Session *session)
{
    const StiStatus status =
        sti_recorder_begin(session->recorder, session->state, session->driven.inputs,
                           session->scratch);
    if (status == STI_OK) look(session);
    return status;
}

StiStatus session_step(Session *session)
{
    StiStatus status =
        session->adaptive != NULL
            ? sti_adaptive_step(session->adaptive, session->driven.inputs, session->state, session->scratch)
            : sti_run(session->scene->network, session->driven.inputs, session->state,
                      session->scratch, 1);
    if (status == STI_OK)
        status = sti_recorder_follow(session->recorder, session->state, session->scratch);
    const StiStepFigures figures = sti_scratch_figures(session->scratch);
    session->pieces += figures.substeps;
    session->events += figures.events;
    session->fallbacks += figures.fallbacks;
    session->together += figures.together;
    session->newton += figures.load_newton > 0;
    session->soft += figures.soft > 0;
    if (figures.creep > session->creep) session->creep = figures.creep;
    session->unended += figures.unended_sequences > 0;
    if (figures.unsolved > 0 && session->unsolved++ == 0)
        session->unsolved_at = figures.unsolved_at;
    if (status == STI_OK) look(session);
    if (status == STI_OK && sti_recorder_runaway(session->recorder) != NULL) status = STI_RUNS_AWAY;
    return status;
}

void session_complain(const Session *session)
{
    const StiFault *runaway = sti_recorder_runaway(session->recorder);
    const StiFault *fault = runaway != NULL ? runaway : sti_scratch_fault(session->scratch);
    const char *component = fault->component != NULL ? fault->component : "";
    const char *what = fault->what != NULL ? fault->what : "";
    terminal_error("stopped at t = %.9g s (step %lld): %s%s%s%s%s", fault->t, (long long)fault->k,
                   sti_status_text(fault->status), component[0] != '\0' ? ", in " : "", component,
                   what[0] != '\0' ? ": " : "", what);
    const StiFault *suspect = sti_recorder_suspect(session->recorder);
    if (runaway == NULL && suspect != NULL)
        terminal_error("from t = %.9g s on most of the energy was made by the method (%s moves most): take "
                       "shorter steps, or another method",
                       suspect->t, suspect->component);
}

int session_fail(const Session *session, StiStatus status)
{
    if (status == STI_INTERRUPTED) return CODE_INTERRUPTED;
    session_complain(session);
    return CODE_FAILED;
}

void session_measured(const Session *session, double *values)
{
    for (int i = 0; i < session->scene->expectation_count; ++i)
        values[i] = sti_measurement_value(session->measures[i]);
}

typedef enum Outcome { COMPLETE, STEP_FAILED, DRIVE_FAILED, INTERRUPTED, NOT_WRITTEN } Outcome;

static bool write_row(Session *session, TableFile *table)
{
    if (table == NULL || !session_row_due(session)) return true;
    ++session->rows;
    session->row[0] = session_time(session);
    for (int i = 0; i < session->scene->record_count; ++i)
        session->row[i + 1] = sti_recorder_value(session->recorder, session->recorded[i]);
    return table_file_row(table, session->row);
}

// Row 0 is taken once more, with what the drive answers to it.
static Outcome begin_driven(Session *session)
{
    if (session->driven.begin == NULL) return COMPLETE;
    if (sti_recorder_begin(session->recorder, session->state, session->driven.inputs,
                           session->scratch) != STI_OK)
        return STEP_FAILED;
    return session->driven.begin(session->driven.context) ? COMPLETE : DRIVE_FAILED;
}

static bool drive_step(Session *session)
{
    return session->driven.before_step == NULL ||
           session->driven.before_step(session->driven.context);
}

static Outcome step_through(Session *session, TableFile *table, Progress *progress)
{
    const Outcome begun = begin_driven(session);
    if (begun != COMPLETE) return begun;
    if (session_begin(session) != STI_OK) return STEP_FAILED;
    if (!write_row(session, table)) return NOT_WRITTEN;
    for (int64_t k = 1; k <= session->scene->steps; ++k) {
        if (interrupt_came()) return INTERRUPTED;
        if (!drive_step(session)) return DRIVE_FAILED;
        const StiStatus status = session_step(session);
        if (status != STI_OK) return status == STI_INTERRUPTED ? INTERRUPTED : STEP_FAILED;
        if (!write_row(session, table)) return NOT_WRITTEN;
        const double now = clock_now();
        if (table != NULL && !table_file_look_after(table, now)) return NOT_WRITTEN;
        progress_show(progress, k, now);
    }
    return COMPLETE;
}

// Takes its final name only after a complete run.
static Outcome finish_file(const Session *session, TableFile *table, Outcome outcome)
{
    if (table == NULL) return outcome;
    char extent[64];
    snprintf(extent, sizeof extent, ", up to t = %.9g s", session_time(session));
    return table_file_close(table, outcome == COMPLETE, extent) ? outcome : NOT_WRITTEN;
}

static int code_of(Outcome outcome)
{
    switch (outcome) {
    case COMPLETE:
        return CODE_GOOD;
    case STEP_FAILED:
    case DRIVE_FAILED:
        return CODE_FAILED;
    case INTERRUPTED:
        return CODE_INTERRUPTED;
    case NOT_WRITTEN:
        break;
    }
    return CODE_FILE;
}

static TableFile *open_file(const Session *session, const char *output)
{
    const StiScene *scene = session->scene;
    StiColumn *columns = take((size_t)scene->record_count + 1, sizeof *columns);
    columns[0] = (StiColumn){"t", "s"};
    for (int i = 0; i < scene->record_count; ++i) {
        const StiChannel *channel = &session->channels.channels[session->recorded[i]];
        columns[i + 1] = (StiColumn){channel->name, channel->unit};
    }
    Provenance provenance = provenance_of(scene, session->options);
    const StiTable table = {.columns = columns,
                            .column_count = scene->record_count + 1,
                            .notes = provenance.notes,
                            .note_count = provenance.count,
                            .plan = scene->plan};
    TableFile *file = table_file_open(output, &table);
    provenance_release(&provenance);
    free(columns);
    return file;
}

int session_simulate(Session *session, const char *output, const char *label, bool quiet)
{
    TableFile *table = output != NULL ? open_file(session, output) : NULL;
    if (output != NULL && table == NULL) return CODE_FILE;
    interrupt_watch();
    Progress progress = progress_begin(label, session->scene->steps, quiet);
    Outcome outcome = step_through(session, table, &progress);
    session->seconds = clock_now() - progress.began;
    progress_end(&progress);
    if (outcome == STEP_FAILED) session_complain(session);
    if (outcome == INTERRUPTED)
        terminal_error("interrupted at t = %.9g s (step %lld of %lld)", session_time(session),
                       (long long)sti_state_k(session->state), (long long)session->scene->steps);
    outcome = finish_file(session, table, outcome);
    interrupt_unwatch();
    return code_of(outcome);
}

int session_judge_steps(const Session *session)
{
    enum { ONE_IN = 1000 };
    if (session->unsolved * ONE_IN <= session->scene->steps) return CODE_GOOD;
    terminal_error("in %lld of %lld steps contacts had no answer with friction and were resolved "
                   "without (the first at %s): take shorter steps, or another method",
                   (long long)session->unsolved, (long long)session->scene->steps,
                   session->unsolved_at);
    return CODE_FAILED;
}
