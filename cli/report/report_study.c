#include "report/report_study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <stiction/version.h>

#include "command/command.h"
#include "command/load.h"
#include "report/json.h"
#include "report/page.h"
#include "report/report_rows.h"
#include "terminal/interrupt.h"
#include "terminal/session.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

enum { MOST_ROWS = 20000, TRACES = 40, TRACE_ROWS = 400 };

typedef struct Page {
    const StiStudy *study;
    const StiDesign *design;
    const SweepRows *rows;
    const StiSceneOptions *options;
    int64_t first, stride;
    int64_t shown, every; // rows on the page: every n-th
    FILE *file;
} Page;

static int64_t run_of(const Page *page, int64_t row) { return page->first + row * page->stride; }

static void put_names(const Page *page)
{
    json_key(page->file, "parameters", false);
    fputc('[', page->file);
    for (int i = 0; i < page->design->varied_count; ++i) {
        if (i > 0) fputc(',', page->file);
        json_text(page->file, page->design->varied[i].path);
    }
    fputc(']', page->file);
    json_key(page->file, "measures", false);
    fputc('[', page->file);
    for (int i = 0; i < page->design->measure_count; ++i) {
        const StiExpectation *measure = &page->design->measures[i];
        static const char *const relations[] = {"near", "under", "over", "none"};
        fputs(i > 0 ? ",{" : "{", page->file);
        json_key(page->file, "name", true);
        json_text(page->file, measure->what);
        json_key(page->file, "relation", false);
        json_text(page->file, relations[measure->relation]);
        json_key(page->file, "value", false);
        json_number(page->file, measure->value);
        json_key(page->file, "tolerance", false);
        json_number(page->file, measure->tolerance);
        json_key(page->file, "goal", false);
        fprintf(page->file, "%d}", page->design->goals[i]);
    }
    fputc(']', page->file);
}

// Columns of the rows that are shown: the run, parameters, measures.
static void put_rows(const Page *page)
{
    const int width = page->design->varied_count + page->design->measure_count;
    Rows rows = rows_create(width + 1, true);
    double *row = take((size_t)width + 1, sizeof *row);
    for (int64_t i = 0; i < page->shown; ++i) {
        row[0] = (double)run_of(page, i * page->every);
        memcpy(row + 1, page->rows->numbers + i * page->every * width, (size_t)width * sizeof *row);
        rows_add(&rows, row);
    }
    json_key(page->file, "data", false);
    rows_json(&rows, page->file);
    free(row);
    rows_release(&rows);
}

static void put_front(const Page *page)
{
    const int n = page->design->varied_count, m = page->design->measure_count;
    int goals = 0;
    for (int i = 0; i < m; ++i) goals += page->design->goals[i] != 0;
    json_key(page->file, "front", false);
    fputc('[', page->file);
    if (goals > 1) {
        double *measures = take((size_t)(page->shown * m) + 1, sizeof *measures);
        bool *front = take((size_t)page->shown + 1, sizeof *front);
        for (int64_t i = 0; i < page->shown; ++i)
            memcpy(measures + i * m, page->rows->numbers + i * page->every * (n + m) + n,
                   (size_t)m * sizeof *measures);
        if (!sti_pareto_front(measures, page->shown, m, page->design->goals, front))
            end_out_of_memory();
        for (int64_t i = 0, count = 0; i < page->shown; ++i)
            if (front[i]) fprintf(page->file, "%s%lld", count++ > 0 ? "," : "", (long long)i);
        free(measures);
        free(front);
    }
    fputc(']', page->file);
}

static void put_interval(FILE *file, StiInterval interval)
{
    const double numbers[3] = {interval.value, interval.low, interval.high};
    json_numbers(file, numbers, 3);
}

// Of each measure: [first, total] of each parameter.
static void put_indices(const Page *page)
{
    const int n = page->design->varied_count;
    if (page->design->sample != STI_SAMPLE_SALTELLI) return;
    StiInterval *first = take((size_t)n, sizeof *first), *total = take((size_t)n, sizeof *total);
    json_key(page->file, "indices", false);
    fputc('[', page->file);
    for (int k = 0; k < page->design->measure_count; ++k) {
        double *values = sweep_rows_column(page->rows, n + k);
        const bool good = sti_sobol_indices(values, page->rows->count, n, first, total);
        fputs(k > 0 ? ",[" : "[", page->file);
        for (int i = 0; good && i < n; ++i) {
            fputs(i > 0 ? ",[" : "[", page->file);
            put_interval(page->file, first[i]);
            fputc(',', page->file);
            put_interval(page->file, total[i]);
            fputc(']', page->file);
        }
        fputc(']', page->file);
        free(values);
    }
    fputc(']', page->file);
    free(first);
    free(total);
}

// ---- plots of some runs -------------------------------------------------------------------------------------

static StiScene *load_run(const Page *page, int64_t row)
{
    const StiDesign *design = page->design;
    const int width = design->varied_count + design->measure_count;
    const int given = page->options->set_count, count = given + design->varied_count;
    const char **sets = take((size_t)count, sizeof *sets);
    char **own = take((size_t)design->varied_count, sizeof *own);
    for (int i = 0; i < given; ++i) sets[i] = page->options->sets[i];
    for (int i = 0; i < design->varied_count; ++i)
        sets[given + i] = own[i] = text_new("%s=%.17g", design->varied[i].path,
                                            page->rows->numbers[row * width + i]);
    StiSceneOptions options = *page->options;
    options.sets = sets;
    options.set_count = count;
    StiScene *scene = load_quietly(sti_study_scene(page->study)->path, &options);
    for (int i = 0; i < design->varied_count; ++i) free(own[i]);
    free(own);
    free(sets);
    return scene;
}

static void put_channels(const Page *page, const Session *session)
{
    const StiScene *scene = session->scene;
    json_key(page->file, "channels", false);
    fputc('[', page->file);
    for (int i = 0; i < scene->record_count; ++i) {
        fputs(i > 0 ? ",{" : "{", page->file);
        json_key(page->file, "name", true);
        json_text(page->file, scene->record[i]);
        json_key(page->file, "unit", false);
        json_text(page->file, session->channels.channels[session->recorded[i]].unit);
        fputc('}', page->file);
    }
    fputc(']', page->file);
}

static void put_trace(const Page *page, int64_t row, Session *session, int *count)
{
    const StiScene *scene = session->scene;
    Rows rows = rows_create(scene->record_count + 1, false);
    StiStatus status = session_begin(session);
    for (int64_t k = 0; status == STI_OK && !interrupt_came(); ++k) {
        session->row[0] = session_time(session);
        for (int i = 0; i < scene->record_count; ++i)
            session->row[i + 1] = sti_recorder_value(session->recorder, session->recorded[i]);
        rows_add(&rows, session->row);
        if (k == scene->steps) break;
        status = session_step(session);
    }
    rows_thin(&rows, TRACE_ROWS);
    fprintf(page->file, "%s{\"row\":%lld", (*count)++ > 0 ? "," : "", (long long)(row / page->every));
    put_channels(page, session);
    json_key(page->file, "data", false);
    rows_json(&rows, page->file);
    fputc('}', page->file);
    rows_release(&rows);
}

// Runs that stand for all: equally far apart in their numbers. They are run once more, with what the scene records.
static void put_traces(const Page *page)
{
    const int64_t step = page->shown > TRACES ? page->shown / TRACES : 1;
    int count = 0;
    json_key(page->file, "traces", false);
    fputc('[', page->file);
    interrupt_watch();
    for (int64_t i = 0; i < page->shown && count < TRACES && !interrupt_came(); i += step) {
        StiScene *scene = load_run(page, i * page->every);
        Session *session =
            scene != NULL && scene->record_count > 0 ? session_create(scene) : NULL;
        if (session != NULL) put_trace(page, i * page->every, session, &count);
        session_destroy(session);
        sti_scene_destroy(scene);
    }
    interrupt_unwatch();
    fputc(']', page->file);
}

static void put_page(const Page *page)
{
    const StiScene *scene = sti_study_scene(page->study);
    FILE *file = page->file;
    fputc('{', file);
    json_key(file, "kind", true);
    json_text(file, "study");
    json_key(file, "title", false);
    json_text(file, scene->title);
    json_key(file, "description", false);
    json_text(file, scene->description);
    json_key(file, "version", false);
    json_text(file, STI_VERSION);
    json_key(file, "scene", false);
    json_text(file, scene->path);
    json_key(file, "runs", false);
    fprintf(file, "%lld", (long long)page->rows->count);
    json_key(file, "failures", false);
    fprintf(file, "%lld", (long long)page->rows->failures);
    put_names(page);
    put_rows(page);
    put_front(page);
    put_indices(page);
    put_traces(page);
    fputc('}', file);
}

int report_study(const StiStudy *study, const SweepRows *rows, int64_t first, int64_t stride,
                 const StiSceneOptions *options, const char *path)
{
    Page page = {.study = study,
                 .design = sti_study_design(study),
                 .rows = rows,
                 .options = options,
                 .first = first,
                 .stride = stride};
    char *json = NULL;
    size_t length = 0;
    if (!page_is_there()) return CODE_FILE;
    page.every = (rows->count + MOST_ROWS - 1) / MOST_ROWS;
    if (page.every < 1) page.every = 1;
    page.shown = (rows->count + page.every - 1) / page.every;
    page.file = open_memstream(&json, &length);
    if (page.file == NULL) end_out_of_memory();
    put_page(&page);
    const bool good = fclose(page.file) == 0;
    const int code = good ? page_write(path, json, length) : CODE_FILE;
    free(json);
    return code;
}
