// A run of a scene: opened, stepped, read, changed, saved.
#include "web_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/load.h"
#include "report/json.h"
#include "report/report_parts.h"
#include "terminal/text.h"

void *sti_web_take(size_t size) { return malloc(size); }
void sti_web_free(void *memory) { free(memory); }

void draft_open(Draft *draft)
{
    *draft = (Draft){0};
    draft->file = open_memstream(&draft->text, &draft->length);
    if (draft->file == NULL) end_out_of_memory();
}

char *draft_close(Draft *draft)
{
    if (fclose(draft->file) != 0) end_out_of_memory();
    return draft->text;
}

// Expectations are of the scene as it stands; those of a changed one may name what is not there.
static StiScene *load(const WebRun *run)
{
    const StiSceneOptions *given = &run->sets.options;
    StiScene *scene = sti_scene_load(run->path, given, run->messages);
    if (scene != NULL || given->set_count == 0) return scene;
    char why[LIVE_TEXT];
    return load_or_explain(run->path, given, why, sizeof why);
}

static void begin(WebRun *run, StiScene *scene, bool forever)
{
    const LiveScene live = {.now = scene, .path = run->path, .options = run->sets.options};
    run->good = live_run_begin(&run->live, &live, forever);
    if (run->good) {
        sti_web_speed(run, 1.0);
        return;
    }
    sti_messages_add(run->messages, STI_ERROR, run->path, run->live.fault);
    live_run_release(&run->live);
}

WebRun *sti_web_open(const char *path, const char *sets, const char *variant, bool forever)
{
    WebRun *run = take(1, sizeof *run);
    *run = (WebRun){.path = text_new("%s", path),
                    .sets = sets_of(sets, variant, ""),
                    .messages = sti_messages_create()};
    if (run->messages == NULL) end_out_of_memory();
    StiScene *scene = load(run);
    if (scene != NULL) begin(run, scene, forever);
    return run;
}

void sti_web_close(WebRun *run)
{
    if (run == NULL) return;
    if (run->good) live_run_release(&run->live);
    sti_messages_destroy(run->messages);
    sets_release(&run->sets);
    free(run->path);
    free(run);
}

bool sti_web_good(const WebRun *run) { return run->good; }

char *sti_web_fault(const WebRun *run) { return text_new("%s", run->fault); }

char *sti_web_messages(const WebRun *run)
{
    Draft draft;
    draft_open(&draft);
    fputc('[', draft.file);
    for (int i = 0; i < sti_messages_count(run->messages); ++i) {
        const StiMessage *message = sti_messages_at(run->messages, i);
        fprintf(draft.file, "%s[%d,", i > 0 ? "," : "", (int)message->severity);
        json_text(draft.file, message->file);
        fprintf(draft.file, ",%d,%d,", message->line, message->column);
        json_text(draft.file, message->text);
        fputc(']', draft.file);
    }
    fputc(']', draft.file);
    return draft_close(&draft);
}

static void texts_json(FILE *file, const char *const *texts, int count)
{
    fputc('[', file);
    for (int i = 0; i < count; ++i) {
        if (i > 0) fputc(',', file);
        json_text(file, texts[i]);
    }
    fputc(']', file);
}

static void channels_json(FILE *file, const Channels *channels)
{
    fputc('[', file);
    for (int i = 0; i < channels->count; ++i) {
        fputs(i > 0 ? ",[" : "[", file);
        json_text(file, channels->channels[i].name);
        fputc(',', file);
        json_text(file, channels->channels[i].unit);
        fputc(']', file);
    }
    fputc(']', file);
}

static void parameters_json(FILE *file, const LiveScene *scene)
{
    StiParameter parameter;
    fputc('[', file);
    for (int i = 0; live_scene_parameter(scene, i, &parameter); ++i) {
        if (i > 0) fputc(',', file);
        report_parameter(&parameter, file);
    }
    fputc(']', file);
}

static void scene_json(FILE *file, const StiScene *scene)
{
    json_key(file, "title", true);
    json_text(file, scene->title);
    const double time[] = {scene->start, scene->stop, sti_network_step(scene->network),
                           (double)scene->steps};
    json_key(file, "time", false);
    json_numbers(file, time, 4);
    json_key(file, "method", false);
    json_text(file, scene->adaptive != NULL ? scene->adaptive->method
                                            : sti_network_method(scene->network)->name);
    json_key(file, "record", false);
    texts_json(file, scene->record, scene->record_count);
    json_key(file, "frictions", false);
    texts_json(file, scene->friction, scene->friction_count);
    json_key(file, "variants", false);
    fputc('[', file);
    for (int i = 0; i < scene->variant_count; ++i) {
        if (i > 0) fputc(',', file);
        json_text(file, scene->variants[i].name);
    }
    fputc(']', file);
}

char *sti_web_describe(const WebRun *run)
{
    Draft draft;
    draft_open(&draft);
    fputc('{', draft.file);
    scene_json(draft.file, run->live.scene.now);
    json_key(draft.file, "channels", false);
    channels_json(draft.file, &run->live.system->session->channels);
    json_key(draft.file, "parameters", false);
    parameters_json(draft.file, &run->live.scene);
    fputc('}', draft.file);
    return draft_close(&draft);
}

static bool failed(WebRun *run, StiStatus status)
{
    run->fault[0] = '\0';
    if (status == STI_OK) return false;
    live_system_fault(run->live.system, run->fault, sizeof run->fault);
    return true;
}

static StiStatus many_steps(Session *session, int64_t n)
{
    StiStatus status = STI_OK;
    if (session->adaptive == NULL)
        return sti_run(session->scene->network, NULL, session->state, session->scratch, n);
    for (int64_t k = 0; k < n && status == STI_OK; ++k)
        status = sti_adaptive_step(session->adaptive, NULL, session->state, session->scratch);
    return status;
}

bool sti_web_steps(WebRun *run, double n)
{
    Session *session = run->live.system->session;
    if (failed(run, many_steps(session, (int64_t)n))) return false;
    return !failed(run,
                   sti_recorder_begin(session->recorder, session->state, NULL, session->scratch));
}

static double value_of(const Session *session, int channel)
{
    const bool known = channel >= 0 && channel < session->channels.count;
    return known ? sti_recorder_value(session->recorder, channel) : NAN;
}

int sti_web_rows(WebRun *run, int rows, int every, const int *channels, int count, double *out)
{
    Session *session = run->live.system->session;
    for (int row = 0; row < rows; ++row) {
        for (int k = 0; k < every; ++k)
            if (failed(run, session_step(session))) return row;
        *out++ = session_time(session);
        for (int i = 0; i < count; ++i) *out++ = value_of(session, channels[i]);
    }
    return rows;
}

double sti_web_value(const WebRun *run, int channel)
{
    return value_of(run->live.system->session, channel);
}

double sti_web_time(const WebRun *run) { return live_run_time(&run->live); }

double sti_web_step_number(const WebRun *run)
{
    return (double)sti_state_k(run->live.system->session->state);
}

uint64_t sti_web_hash(const WebRun *run)
{
    return sti_state_hash(run->live.system->session->state);
}

bool sti_web_set(WebRun *run, const char *path, double value)
{
    run->fault[0] = '\0';
    return live_run_set(&run->live, path, value, run->fault, sizeof run->fault);
}

size_t sti_web_save(const WebRun *run, void *bytes, size_t size)
{
    return sti_state_write(run->live.system->session->state, bytes, size);
}

bool sti_web_restore(WebRun *run, const void *bytes, size_t size)
{
    Session *session = run->live.system->session;
    const StiStatus status = sti_state_read(session->state, bytes, size);
    snprintf(run->fault, sizeof run->fault, "%s", status == STI_OK ? "" : sti_status_text(status));
    if (status != STI_OK) return false;
    return !failed(run, session_begin(session));
}
