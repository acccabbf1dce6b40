#include "command/grid.h"

#include <math.h>
#include <stdlib.h>

#include "command/command.h"
#include "files/format.h"
#include "terminal/interrupt.h"
#include "command/load.h"
#include "files/provenance.h"
#include "terminal/session.h"
#include "files/table_file.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

typedef struct Grid {
    const StiScene *scene;
    const StiSceneOptions *options;
    TableFile *table; // or NULL
    Rows *rows;       // or NULL
    double *numbered; // the number of the run, then its row
    double *row;      // swept values, then channels
    double *worst;
    bool first;
} Grid;

int64_t grid_runs(const StiScene *scene)
{
    int64_t runs = 1;
    for (int i = 0; i < scene->grid_count; ++i) runs *= scene->grid[i].count;
    return runs;
}

// The last name varies fastest.
static void find_values(const StiScene *scene, int64_t run, double *values)
{
    for (int i = scene->grid_count - 1; i >= 0; --i) {
        const StiGridAxis *axis = &scene->grid[i];
        const int64_t place = run % axis->count;
        run /= axis->count;
        values[i] = axis->from;
        if (place > 0) // the last value exactly
            values[i] = place == axis->count - 1
                            ? axis->to
                            : axis->from + (axis->to - axis->from) * (double)place /
                                               (double)(axis->count - 1);
    }
}

// The swept values as further sets.
static int load(const Grid *grid, StiScene **scene)
{
    const StiSceneOptions *given = grid->options;
    const int axes = grid->scene->grid_count;
    const char **sets = take((size_t)(given->set_count + axes), sizeof *sets);
    char **own = take((size_t)axes, sizeof *own);
    for (int i = 0; i < given->set_count; ++i) sets[i] = given->sets[i];
    for (int i = 0; i < axes; ++i)
        sets[given->set_count + i] = own[i] =
            text_new("%s=%.17g", grid->scene->grid[i].path, grid->row[i]);
    const StiSceneOptions options = {.sets = sets,
                                     .set_count = given->set_count + axes,
                                     .variant = given->variant};
    const int code = load_scene(grid->scene->path, &options, true, scene);
    for (int i = 0; i < axes; ++i) free(own[i]);
    free(own);
    free(sets);
    return code;
}

static void keep_worst(const Grid *grid, const Session *session)
{
    for (int i = 0; i < session->scene->expectation_count; ++i) {
        const StiExpectation *expectation = &session->scene->expectations[i];
        const double value = sti_measurement_value(session->measures[i]);
        if (grid->first ||
            sti_expectation_badness(expectation, value) >
                sti_expectation_badness(expectation, grid->worst[i]))
            grid->worst[i] = value;
    }
}

static int simulate_scene(const Grid *grid, const StiScene *scene)
{
    Session *session = session_create(scene);
    if (session == NULL) return CODE_BAD_INPUT;
    int code = CODE_GOOD;
    StiStatus status = session_begin(session);
    for (int64_t k = 0; k < scene->steps && status == STI_OK && code == CODE_GOOD; ++k) {
        status = session_step(session);
        if (interrupt_came()) code = CODE_INTERRUPTED;
    }
    if (status != STI_OK) code = session_fail(session, status);
    if (code == CODE_GOOD) keep_worst(grid, session);
    for (int i = 0; i < scene->record_count; ++i)
        grid->row[scene->grid_count + i] =
            sti_recorder_value(session->recorder, session->recorded[i]);
    session_destroy(session);
    return code;
}

static int simulate_run(const Grid *grid, int64_t run)
{
    StiScene *scene;
    find_values(grid->scene, run, grid->row);
    int code = load(grid, &scene);
    if (code == CODE_GOOD) code = simulate_scene(grid, scene);
    sti_scene_destroy(scene);
    if (code == CODE_GOOD && grid->table != NULL &&
        (!table_file_row(grid->table, grid->row) ||
         !table_file_look_after(grid->table, clock_now())))
        code = CODE_FILE;
    grid->numbered[0] = (double)run;
    if (code == CODE_GOOD && grid->rows != NULL) rows_add(grid->rows, grid->numbered);
    return code;
}

static int simulate_all(Grid *grid, bool quiet)
{
    const int64_t runs = grid_runs(grid->scene);
    int code = CODE_GOOD;
    interrupt_watch();
    Progress progress = progress_begin(grid->scene->title, runs, quiet);
    for (int64_t run = 0; run < runs && code == CODE_GOOD; ++run) {
        code = simulate_run(grid, run);
        grid->first = false;
        progress_show(&progress, run + 1, clock_now());
    }
    progress_end(&progress);
    if (code == CODE_INTERRUPTED) terminal_error("interrupted");
    interrupt_unwatch();
    return code;
}

// Units of the swept values are not known here, those of channels are.
static void find_columns(const StiScene *scene, const Channels *channels, StiColumn *columns)
{
    for (int i = 0; i < scene->grid_count; ++i) columns[i] = (StiColumn){scene->grid[i].path, NULL};
    for (int i = 0; i < scene->record_count; ++i) {
        const int number = channels_find(channels, scene->record[i]);
        columns[scene->grid_count + i] =
            (StiColumn){scene->record[i], channels->channels[number].unit};
    }
}

static TableFile *open_table(const StiScene *scene, const StiSceneOptions *options,
                             const char *output)
{
    const int count = scene->grid_count + scene->record_count;
    StiColumn *columns = take((size_t)count, sizeof *columns);
    Channels channels = channels_of(scene->network);
    Provenance provenance = provenance_of(scene, options);
    find_columns(scene, &channels, columns);
    const StiTable table = {.columns = columns,
                            .column_count = count,
                            .notes = provenance.notes,
                            .note_count = provenance.count,
                            .plan = scene->plan};
    TableFile *file = table_file_open(output, &table);
    provenance_release(&provenance);
    channels_release(&channels);
    free(columns);
    return file;
}

int grid_simulate(const StiScene *scene, const StiSceneOptions *options, const char *output,
                  bool quiet, double *worst, Rows *rows)
{
    Grid grid = {.scene = scene, .options = options, .worst = worst, .first = true, .rows = rows};
    if (output != NULL) {
        if (!format_is_good(output, false)) return CODE_BAD_INPUT;
        grid.table = open_table(scene, options, output);
        if (grid.table == NULL) return CODE_FILE;
    }
    grid.numbered =
        take((size_t)(1 + scene->grid_count + scene->record_count), sizeof *grid.numbered);
    grid.row = grid.numbered + 1;
    int code = simulate_all(&grid, quiet);
    if (grid.table != NULL && !table_file_close(grid.table, code == CODE_GOOD, ""))
        code = CODE_FILE;
    free(grid.numbered);
    return code;
}
