#include "report/report_run.h"

#include <stdlib.h>

#include "report/json.h"
#include "report/report_parts.h"
#include "report/report_scene.h"
#include "terminal/summary.h"
#include "terminal/text.h"

static void watch(void *context, const Session *session)
{
    ReportRun *run = context;
    const bool last = sti_state_k(session->state) == session->scene->steps;
    if (session_row_due(session)) {
        report_columns_read(&run->columns, session_time(session), session->recorder, run->row);
        rows_add(&run->rows, run->row);
    }
    if (run->replay) drawing_row(&run->drawing, session, last);
}

ReportRun *report_run_create(Session *session, const ReportExtent *extent)
{
    ReportRun *run = take(1, sizeof *run);
    *run = (ReportRun){.scene = session->scene,
                       .columns =
                           report_columns_of(session->scene, &session->channels, extent->figures),
                       .replay = !extent->figures};
    run->rows = rows_create(run->columns.count + 1, extent->full);
    run->row = take((size_t)run->columns.count + 1, sizeof *run->row);
    if (run->replay) run->drawing = drawing_create(session->scene->network, session->scene->steps);
    session->watch = (Watch){.row = watch, .context = run};
    return run;
}

void report_run_destroy(ReportRun *run)
{
    if (run == NULL) return;
    report_columns_release(&run->columns);
    rows_release(&run->rows);
    drawing_release(&run->drawing);
    free(run->row);
    free(run);
}

static void parameters_json(const StiPlan *plan, FILE *file)
{
    StiParameter parameter;
    fputc('[', file);
    for (int i = 0; sti_plan_parameter(plan, i, &parameter); ++i) {
        if (i > 0) fputc(',', file);
        report_parameter(&parameter, file);
    }
    fputc(']', file);
}

static void sticking_json(const Session *session, FILE *file)
{
    fputc('[', file);
    for (int i = 0; i < session->sticking_count; ++i) {
        const Sticking *sticking = &session->sticking[i];
        char *name = text_new("%.*s", sticking->name_length, sticking->channel);
        fputs(i > 0 ? ",[" : "[", file);
        json_text(file, name);
        fprintf(file, ",%lld,", (long long)sticking->changes);
        json_number(file, sticking->now);
        fputc(']', file);
        free(name);
    }
    fputc(']', file);
}

static void energy_json(const StiRecorder *recorder, FILE *file)
{
    const StiEnergy e = sti_recorder_energy(recorder);
    const double values[] = {e.work,       e.stored_start, e.stored,
                             e.dissipated, e.numerical,    e.residual};
    json_numbers(file, values, 6);
}

static void time_json(const ReportRun *run, FILE *file)
{
    const StiScene *scene = run->scene;
    const double values[] = {scene->start, scene->stop, sti_network_step(scene->network),
                             (double)scene->steps};
    json_key(file, "time", false);
    json_numbers(file, values, 4);
    json_key(file, "method", false);
    json_text(file, scene->adaptive != NULL ? scene->adaptive->method : summary_method_name(scene));
    json_key(file, "seen", false);
    fprintf(file, "%lld", (long long)run->rows.seen);
}

void report_run_json(ReportRun *run, const Session *session, const ReportExtent *extent,
                     const char *name, bool judged, FILE *file)
{
    double *measured = take((size_t)run->scene->expectation_count, sizeof *measured);
    session_measured(session, measured);
    rows_thin(&run->rows, extent->values / (run->columns.count + 1));
    fputc('{', file);
    json_key(file, "name", true);
    json_text(file, name);
    time_json(run, file);
    json_key(file, "channels", false);
    report_columns_json(&run->columns, file);
    json_key(file, "data", false);
    rows_json(&run->rows, file);
    json_key(file, "expectations", false);
    report_expectations_json(run->scene, measured, judged, file);
    json_key(file, "sticking", false);
    sticking_json(session, file);
    json_key(file, "energy", false);
    energy_json(session->recorder, file);
    if (run->replay) {
        json_key(file, "frictions", false);
        report_frictions_json(run->scene->network, &run->columns, file);
        json_key(file, "parameters", false);
        parameters_json(run->scene->plan, file);
        json_key(file, "drawing", false);
        drawing_json(&run->drawing, file);
    }
    fputc('}', file);
    free(measured);
}
