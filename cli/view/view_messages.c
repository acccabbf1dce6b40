#include "view/view_messages.h"

#include <stdlib.h>

#include "report/json.h"
#include "report/page.h"
#include "report/report_document.h"
#include "report/report_parts.h"
#include "report/report_shapes.h"
#include "terminal/terminal.h"

static FILE *text_open(Text *text)
{
    FILE *file = open_memstream(&text->bytes, &text->length);
    if (file != NULL) return file;
    terminal_error("out of memory");
    exit(EXIT_FAILURE);
}

// Not what would move the time, nor what another parameter moves.
static bool is_shown(const LiveRun *run, int number, const StiParameter *parameter)
{
    return live_run_may_set(parameter->path) && !live_scene_follows(&run->scene, number);
}

static void parameters_json(const LiveRun *run, FILE *file)
{
    StiParameter parameter;
    bool first = true;
    fputc('[', file);
    for (int i = 0; live_scene_parameter(&run->scene, i, &parameter); ++i) {
        if (!is_shown(run, i, &parameter)) continue;
        if (!first) fputc(',', file);
        report_parameter(&parameter, file);
        first = false;
    }
    fputc(']', file);
}

static void parts_json(const StiNetwork *network, FILE *file)
{
    json_key(file, "bodies", true);
    report_bodies(network, file);
    json_key(file, "elements", false);
    report_elements(network, file);
    json_key(file, "shapes", false);
    report_shapes(network, file);
}

static void run_json(const LiveRun *run, FILE *file)
{
    const LiveSystem *system = run->system;
    const double time[] = {run->scene.now->start, run->forever ? -1.0 : run->scene.now->stop,
                           sti_network_step(system->network)};
    fputs("{\"name\":\"live\",\"time\":", file);
    json_numbers(file, time, 3);
    json_key(file, "channels", false);
    report_columns_json(&system->columns, file);
    json_key(file, "frictions", false);
    report_frictions_json(system->network, &system->columns, file);
    json_key(file, "parameters", false);
    parameters_json(run, file);
    json_key(file, "drawing", false);
    fputc('{', file);
    parts_json(system->network, file);
    fputs("}}", file);
}

Text message_page(const LiveRun *run)
{
    Text page = {0};
    Report *report = report_create("live", run->scene.now->title);
    FILE *file = text_open(&page);
    if (report != NULL) {
        report_simulation(report, run->scene.now, run->scene.now->path);
        run_json(run, report_next_run(report));
        if (report_finish(report)) page_print(file, report->json, report->length);
    }
    fclose(file);
    report_destroy(report);
    return page;
}

static const char *phase_name(LivePhase phase)
{
    static const char *const names[] = {"running", "paused", "ended", "failed"};
    return names[phase];
}

static void pictures_json(const Drawing *pictures, FILE *file)
{
    json_key(file, "pictures", false);
    fputc('{', file);
    drawing_pictures_json(pictures, file);
    fputc('}', file);
}

Text message_frame(const LiveRun *run, const LiveClock *clock, bool whole)
{
    Text text = {0};
    FILE *file = text_open(&text);
    const Session *session = run->system->session;
    fprintf(file,
            "event: frame\ndata: {\"restarts\":%d,\"whole\":%s,\"k\":%lld,\"t\":", run->restarts,
            whole ? "true" : "false", (long long)sti_state_k(session->state));
    json_number(file, live_run_time(run));
    json_key(file, "phase", false);
    json_text(file, phase_name(run->phase));
    json_key(file, "fault", false);
    json_text(file, run->fault);
    json_key(file, "speed", false);
    json_number(file, clock->speed);
    json_key(file, "rate", false);
    json_number(file, clock->rate);
    json_key(file, "rows", false);
    rows_json(whole ? &run->history : &run->fresh, file);
    pictures_json(&run->system->pictures, file);
    fputs("}\n\n", file);
    fclose(file);
    return text;
}

Text message_parameters(const LiveRun *run)
{
    Text text = {0};
    FILE *file = text_open(&text);
    StiParameter parameter;
    bool first = true;
    fputs("event: parameters\ndata: [", file);
    for (int i = 0; live_scene_parameter(&run->scene, i, &parameter); ++i) {
        if (!is_shown(run, i, &parameter)) continue;
        if (!first) fputc(',', file);
        json_number(file, parameter.value);
        first = false;
    }
    fputs("]\n\n", file);
    fclose(file);
    return text;
}

Text message_parts(const LiveRun *run)
{
    Text text = {0};
    FILE *file = text_open(&text);
    fputs("event: parts\ndata: {", file);
    parts_json(run->system->network, file);
    fputs("}\n\n", file);
    fclose(file);
    return text;
}
