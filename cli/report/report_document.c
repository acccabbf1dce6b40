#include "report/report_document.h"

#include <stdlib.h>

#include <stiction/version.h>

#include "command/command.h"
#include "report/json.h"
#include "report/page.h"
#include "report/report_scene.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

Report *report_create(const char *kind, const char *title)
{
    Report *report = take(1, sizeof *report);
    report->file = open_memstream(&report->json, &report->length);
    if (report->file == NULL) {
        terminal_error("out of memory");
        free(report);
        return NULL;
    }
    fputc('{', report->file);
    json_key(report->file, "version", true);
    json_text(report->file, STI_VERSION);
    json_key(report->file, "kind", false);
    json_text(report->file, kind);
    json_key(report->file, "title", false);
    json_text(report->file, title);
    json_key(report->file, "simulations", false);
    fputc('[', report->file);
    return report;
}

void report_destroy(Report *report)
{
    if (report == NULL) return;
    if (report->file != NULL) fclose(report->file);
    free(report->json);
    free(report);
}

static void end_simulation(Report *report)
{
    if (report->simulations > 0) fputs("]}", report->file);
}

void report_simulation(Report *report, const StiScene *scene, const char *name)
{
    end_simulation(report);
    if (report->simulations++ > 0) fputc(',', report->file);
    if (scene != NULL) {
        report_scene_json(scene, name, report->file);
    } else {
        fputc('{', report->file);
        json_key(report->file, "name", true);
        json_text(report->file, name);
    }
    json_key(report->file, "runs", false);
    fputc('[', report->file);
    report->runs = 0;
}

FILE *report_next_run(Report *report)
{
    if (report->runs++ > 0) fputc(',', report->file);
    return report->file;
}

void report_add_run(Report *report, ReportRun *run, const Session *session,
                    const ReportExtent *extent, const char *name, bool judged)
{
    report_run_json(run, session, extent, name, judged, report_next_run(report));
}

static void grid_channels(const StiScene *scene, FILE *file)
{
    fputc('[', file);
    for (int i = 0; i < scene->grid_count + scene->record_count; ++i) {
        const bool swept = i < scene->grid_count;
        StiChannel channel = {.unit = ""};
        if (!swept) {
            const char *name = scene->record[i - scene->grid_count];
            sti_network_channel(scene->network, sti_network_channel_find(scene->network, name),
                                &channel);
        }
        fputs(i > 0 ? ",{" : "{", file);
        json_key(file, "name", true);
        json_text(file, swept ? scene->grid[i].path : scene->record[i - scene->grid_count]);
        json_key(file, "unit", false);
        json_text(file, channel.unit);
        json_key(file, "role", false);
        json_text(file, swept ? "swept" : "record");
        fputc('}', file);
    }
    fputc(']', file);
}

void report_add_grid(Report *report, const StiScene *scene, Rows *rows, const double *measured,
                     const char *name, bool judged)
{
    FILE *file = report_next_run(report);
    fputc('{', file);
    json_key(file, "name", true);
    json_text(file, name);
    json_key(file, "grid", false);
    fputc('[', file);
    for (int i = 0; i < scene->grid_count; ++i)
        fprintf(file, "%s%d", i > 0 ? "," : "", scene->grid[i].count);
    fputc(']', file);
    json_key(file, "channels", false);
    grid_channels(scene, file);
    json_key(file, "data", false);
    rows_json(rows, file);
    json_key(file, "expectations", false);
    report_expectations_json(scene, measured, judged, file);
    fputc('}', file);
}

bool report_finish(Report *report)
{
    end_simulation(report);
    fputs("]}", report->file);
    const bool good = fflush(report->file) == 0 && ferror(report->file) == 0;
    if (!good) terminal_error("out of memory");
    return good;
}

int report_write(Report *report, const char *path)
{
    return report_finish(report) ? page_write(path, report->json, report->length) : CODE_FILE;
}
