#include "view/view_run.h"

#include <stdlib.h>
#include <string.h>

#include "terminal/terminal.h"
#include "terminal/text.h"

// Of a frame, and of what a new viewer gets: so many rows, but no more numbers than this.
static const int64_t frame_rows = 600, frame_values = 20000;
static const int64_t history_rows = 6000, history_values = 120000;

static int64_t most_rows(int64_t rows, int64_t values, int columns)
{
    return rows * columns < values ? rows : values / columns;
}

static bool adds_up(const char *name)
{
    static const char *const sums[] = {"energy.work", "energy.numerical", "energy.residual"};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; ++i)
        if (strcmp(name, sums[i]) == 0) return true;
    return dot != NULL && strcmp(dot, ".dissipated") == 0;
}

static void read_row(LiveRun *run)
{
    LiveSystem *system = run->system;
    report_columns_read(&system->columns, live_run_time(run), system->session->recorder, run->row);
    for (int i = 0; i <= system->columns.count; ++i) run->row[i] += run->carried[i];
}

static void add_row(LiveRun *run)
{
    read_row(run);
    rows_add(&run->fresh, run->row);
}

bool live_run_begin(LiveRun *run, const LiveScene *scene, bool forever)
{
    *run = (LiveRun){.scene = *scene, .forever = forever};
    run->system = live_system_create(scene->now, forever, run->fault, sizeof run->fault);
    if (run->system == NULL || !live_system_begin(run->system, NULL, run->fault, LIVE_TEXT)) {
        terminal_error("%s", run->fault);
        return false;
    }
    run->fault[0] = '\0';
    const int columns = run->system->columns.count + 1;
    run->row = take((size_t)columns, sizeof *run->row);
    run->carried = take((size_t)columns, sizeof *run->carried);
    run->fresh = rows_create(columns, false);
    run->history = rows_create(columns, false);
    live_scene_find_followers(&run->scene);
    add_row(run);
    return true;
}

void live_run_release(LiveRun *run)
{
    live_system_destroy(run->system);
    rows_release(&run->fresh);
    rows_release(&run->history);
    free(run->row);
    free(run->carried);
    live_scene_release(&run->scene);
}

double live_run_time(const LiveRun *run) { return session_time(run->system->session); }

void live_run_step(LiveRun *run)
{
    Session *session = run->system->session;
    if (run->phase != LIVE_RUNNING) return;
    if (session_step(session) != STI_OK) {
        live_system_fault(run->system, run->fault, sizeof run->fault);
        run->phase = LIVE_FAILED;
        return;
    }
    if (session_row_due(session)) add_row(run);
    live_system_draw(run->system, false);
    if (sti_state_k(session->state) >= run->system->scene.steps) run->phase = LIVE_ENDED;
}

void live_run_pause(LiveRun *run, bool pause)
{
    if (pause && run->phase == LIVE_RUNNING) run->phase = LIVE_PAUSED;
    if (!pause && run->phase == LIVE_PAUSED) run->phase = LIVE_RUNNING;
}

static void adopt(LiveRun *run, LiveSystem *system)
{
    live_system_destroy(run->system);
    run->system = system;
    run->fault[0] = '\0';
}

bool live_run_restart(LiveRun *run, char *why, size_t size)
{
    LiveSystem *system = live_system_create(run->scene.now, run->forever, why, size);
    if (system == NULL || !live_system_begin(system, NULL, why, size)) {
        live_system_destroy(system);
        return false;
    }
    adopt(run, system);
    run->phase = LIVE_RUNNING;
    ++run->restarts;
    run->fresh.count = run->fresh.seen = run->history.count = run->history.seen = 0;
    memset(run->carried, 0, (size_t)run->fresh.columns * sizeof *run->carried);
    add_row(run);
    return true;
}

// A new ledger begins at zero; what is shown goes on from where it was.
static void carry(LiveRun *run)
{
    const ReportColumns *columns = &run->system->columns;
    read_row(run);
    for (int i = 0; i < columns->count; ++i)
        if (adds_up(columns->columns[i].name)) run->carried[i + 1] = run->row[i + 1];
}

bool live_run_may_set(const char *path)
{
    return strcmp(path, "step") != 0 && strcmp(path, "start") != 0;
}

// A network of the scene under other values goes on where the one so far is.
static bool take_over(LiveRun *run, const StiScene *scene, char *why, size_t size)
{
    LiveSystem *system = live_system_create(scene, run->forever, why, size);
    if (system == NULL || !live_system_begin(system, run->system, why, size)) {
        live_system_destroy(system);
        return false;
    }
    carry(run);
    adopt(run, system);
    if (run->phase == LIVE_FAILED) run->phase = LIVE_PAUSED; // it may go on under the new value
    return true;
}

bool live_run_set(LiveRun *run, const char *path, double value, char *why, size_t size)
{
    double before;
    if (!live_run_may_set(path) || !live_scene_get(&run->scene, path, &before)) {
        snprintf(why, size, "there is no parameter '%s' that can be changed", path);
        return false;
    }
    StiScene *tried = live_scene_try(&run->scene, path, value, why, size);
    if (tried == NULL) return false;
    if (!take_over(run, tried, why, size)) {
        live_scene_give_back(&run->scene, tried, path, before);
        return false;
    }
    live_scene_keep(&run->scene, tried, path, value);
    return true;
}

void live_run_frame(LiveRun *run)
{
    const int columns = run->fresh.columns;
    const int64_t shown = most_rows(history_rows, history_values, columns);
    rows_thin(&run->fresh, most_rows(frame_rows, frame_values, columns));
    for (int64_t i = 0; i < run->fresh.count; ++i)
        rows_add(&run->history, run->fresh.values + i * columns);
    if (run->history.count > shown) rows_thin(&run->history, shown / 2);
    live_system_draw(run->system, true);
}

void live_run_next(LiveRun *run)
{
    run->fresh.count = 0;
    run->system->pictures.count = 0;
}
