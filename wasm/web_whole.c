// Whole runs: recordings and reports.
#include <stdlib.h>
#include <string.h>

#include <stiction/registry.h>

#include "command/command.h"
#include "command/load.h"
#include "report/json.h"
#include "report/report_document.h"
#include "terminal/text.h"
#include "web_run.h"

static const int64_t display_values = 300000; // as `stiction run --report` has it

int sti_web_record(const char *path, const char *sets, const char *variant, const char *output)
{
    Sets given = sets_of(sets, variant, "");
    StiScene *scene;
    int code = load_without_expectations(path, &given.options, true, &scene);
    Session *session = code == CODE_GOOD ? session_create(scene) : NULL;
    if (session != NULL) {
        session->options = &given.options;
        code = session_simulate(session, output, scene->title, true);
        if (code == CODE_GOOD) code = session_judge_steps(session);
    } else if (code == CODE_GOOD)
        code = CODE_BAD_INPUT;
    session_destroy(session);
    sti_scene_destroy(scene);
    sets_release(&given);
    return code;
}

// The scene as it stands is judged by its expectations; a changed one has none.
static bool add_run(Report *report, const char *path, Sets *sets, const char *name)
{
    const bool changed = sets->options.set_count > 0;
    StiScene *scene;
    const int code = changed ? load_without_expectations(path, &sets->options, true, &scene)
                             : load_scene(path, &sets->options, true, &scene);
    if (code != CODE_GOOD) return false;
    Session *session = session_create(scene);
    const ReportExtent extent = {.values = display_values};
    ReportRun *run = session != NULL ? report_run_create(session, &extent) : NULL;
    const bool good = run != NULL && session_simulate(session, NULL, name, true) == CODE_GOOD;
    if (good) {
        if (report->simulations == 0) report_simulation(report, scene, scene->path);
        report_add_run(report, run, session, &extent, name, !changed);
    }
    report_run_destroy(run);
    session_destroy(session);
    sti_scene_destroy(scene);
    return good;
}

char *sti_web_report(const char *path, const char *sets, const char *variant, const char *runs)
{
    char *lines = text_new("%s", runs), *json = NULL, *rest = lines;
    Report *report = report_create("run", "Report");
    bool good = report != NULL;
    for (char *line; good && (line = strtok_r(rest, "\n", &rest)) != NULL;) {
        char *more = line + strcspn(line, "\t");
        if (*more != '\0') *more++ = '\0';
        Sets all = sets_of(sets, variant, more);
        good = add_run(report, path, &all, line);
        sets_release(&all);
    }
    if (good && report_finish(report)) json = text_new("%s", report->json);
    report_destroy(report);
    free(lines);
    return json;
}

char *sti_web_schema(void)
{
    const size_t size = sti_scene_schema(NULL, 0) + 1;
    char *text = take(size, 1);
    sti_scene_schema(text, size);
    return text;
}

char *sti_web_models(void)
{
    Draft draft;
    StiEntry entry;
    draft_open(&draft);
    fputc('[', draft.file);
    for (int i = 0; sti_registry_at(STI_ROLE_FRICTION, i, &entry); ++i) {
        fputs(i > 0 ? ",[" : "[", draft.file);
        json_text(draft.file, entry.name);
        fputc(',', draft.file);
        json_text(draft.file, entry.summary);
        fputc(']', draft.file);
    }
    fputc(']', draft.file);
    return draft_close(&draft);
}
