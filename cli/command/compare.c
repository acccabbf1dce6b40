// stiction compare SCENE --models a,b,c: one scene under several friction models, step by step side
// by side, in one table.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stiction/registry.h>

#include "command/command.h"
#include "files/format.h"
#include "terminal/interrupt.h"
#include "command/load.h"
#include "files/provenance.h"
#include "terminal/session.h"
#include "terminal/summary.h"
#include "files/table_file.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

typedef struct Contender {
    char *model;
    StiScene *scene;
    Session *session;
    int *numbers; // of the base scene's recorded channels; -1 where this model has none
    double seconds;
    bool failed; // at `until`, s: its columns are empty from there on
    double until;
} Contender;

typedef struct Comparison {
    const Arguments *arguments;
    StiScene *base; // the scene as it stands: what to record, which elements to change
    Contender *contenders;
    int count;
    int64_t rows; // written
    int columns;
} Comparison;

static bool is_model(const char *name)
{
    enum { MOST = 128 };
    const char *names[MOST];
    int count = 0;
    StiEntry entry;
    if (sti_registry_find(STI_ROLE_FRICTION, name, &entry)) return true;
    while (count < MOST && sti_registry_at(STI_ROLE_FRICTION, count, &entry))
        names[count++] = entry.name;
    const char *nearest = text_nearest(name, names, count);
    if (nearest != NULL)
        terminal_error("there is no friction model '%s'; did you mean %s?", name, nearest);
    else
        terminal_error("there is no friction model '%s'; see stiction list models", name);
    return false;
}

// "a,b,c"
static bool split_models(Comparison *all)
{
    const char *text = all->arguments->models;
    bool good = true;
    if (text == NULL) {
        terminal_error("compare needs --models A,B,C; see stiction list models");
        return false;
    }
    all->contenders = take(strlen(text) + 1, sizeof *all->contenders);
    for (;;) {
        const int length = (int)strcspn(text, ",");
        char *model = text_new("%.*s", length, text);
        all->contenders[all->count++].model = model;
        good = is_model(model) && good;
        if (text[length] == '\0') return good;
        text += length + 1;
    }
}

// The friction elements to change: all of the scene, or the one that was named.
static bool find_elements(const Comparison *all, const char *const **names, int *count)
{
    *count = sti_scene_friction_elements(all->base, names);
    const char *wanted = all->arguments->element;
    if (*count == 0) {
        terminal_error("%s has no friction element to compare", all->base->path);
        return false;
    }
    if (wanted == NULL) return true;
    for (int i = 0; i < *count; ++i) {
        if (strcmp((*names)[i], wanted) != 0) continue;
        *names += i;
        *count = 1;
        return true;
    }
    const char *nearest = text_nearest(wanted, *names, *count);
    terminal_error("there is no friction element '%s'; did you mean %s?", wanted,
                   nearest != NULL ? nearest : (*names)[0]);
    return false;
}

// All channels, because models differ in theirs; no expectations, because they are of one model.
static void load_contender(const Comparison *all, Contender *contender, const char *const *elements,
                           int element_count, char *why, size_t size)
{
    const Arguments *given = all->arguments;
    int count = given->set_count;
    const char **sets = take((size_t)(count + element_count + 1), sizeof *sets);
    char **own = take((size_t)element_count, sizeof *own);
    for (int i = 0; i < count; ++i) sets[i] = given->sets[i];
    for (int i = 0; i < element_count; ++i)
        sets[count++] = own[i] = text_new("%s.model=%s", elements[i], contender->model);
    sets[count++] = "record=[all]";
    const StiSceneOptions options = {.sets = sets, .set_count = count, .variant = given->variant};
    contender->scene = load_or_leave(all->base->path, &options, given->quiet, why, size);
    for (int i = 0; i < element_count; ++i) free(own[i]);
    free(own);
    free(sets);
}

static bool prepare(const Comparison *all, Contender *contender)
{
    contender->session = session_create(contender->scene);
    if (contender->session == NULL) return false;
    contender->numbers = take((size_t)all->base->record_count, sizeof *contender->numbers);
    for (int i = 0; i < all->base->record_count; ++i)
        contender->numbers[i] = channels_find(&contender->session->channels, all->base->record[i]);
    return true;
}

static void leave_out(Comparison *all, int i, const char *why)
{
    if (!all->arguments->quiet)
        terminal_warning("%s is left out: %s", all->contenders[i].model, why);
    sti_scene_destroy(all->contenders[i].scene);
    free(all->contenders[i].numbers);
    free(all->contenders[i].model);
    memmove(&all->contenders[i], &all->contenders[i + 1],
            (size_t)(all->count - i - 1) * sizeof *all->contenders);
    all->contenders[--all->count] = (Contender){0};
}

// A model that does not suit the scene is left out; one at least must.
static int load_all(Comparison *all)
{
    const char *const *elements;
    char why[600] = "";
    int count;
    if (!find_elements(all, &elements, &count)) return CODE_BAD_INPUT;
    for (int i = 0; i < all->count;) {
        Contender *contender = &all->contenders[i];
        load_contender(all, contender, elements, count, why, sizeof why);
        if (contender->scene != NULL && !prepare(all, contender)) return CODE_BAD_INPUT;
        if (contender->scene != NULL)
            ++i;
        else
            leave_out(all, i, why);
    }
    if (all->count > 0) return CODE_GOOD;
    terminal_error("no model suits %s: %s", all->base->path, why);
    return CODE_BAD_INPUT;
}

// t, then CHANNEL@MODEL, model after model.
static int find_columns(const Comparison *all, StiColumn *columns, char **names)
{
    const StiScene *base = all->base;
    int count = 0;
    columns[count++] = (StiColumn){"t", "s"};
    for (int m = 0; m < all->count; ++m) {
        const Contender *contender = &all->contenders[m];
        for (int i = 0; i < base->record_count; ++i) {
            if (contender->numbers[i] < 0) continue;
            const StiChannel *channel =
                &contender->session->channels.channels[contender->numbers[i]];
            names[count] = text_new("%s@%s", channel->name, contender->model);
            columns[count] = (StiColumn){names[count], channel->unit};
            ++count;
        }
    }
    return count;
}

static TableFile *open_table(const Comparison *all, int *count)
{
    const size_t most = (size_t)(all->count * all->base->record_count + 1);
    char **names = take(most, sizeof *names);
    StiColumn *columns = take(most, sizeof *columns);
    const StiSceneOptions options = load_options(all->arguments);
    Provenance provenance = provenance_of(all->base, &options);
    *count = find_columns(all, columns, names);
    const StiTable table = {.columns = columns,
                            .column_count = *count,
                            .notes = provenance.notes,
                            .note_count = provenance.count,
                            .plan = all->base->plan};
    TableFile *file = table_file_open(all->arguments->output, &table);
    provenance_release(&provenance);
    for (int i = 0; i < *count; ++i) free(names[i]);
    free(names);
    free(columns);
    return file;
}

// The first that still runs; NULL: none does.
static const Session *running(const Comparison *all)
{
    for (int m = 0; m < all->count; ++m)
        if (!all->contenders[m].failed) return all->contenders[m].session;
    return NULL;
}

// Of a recorded channel; NAN where this model has none, or has failed.
static double channel_value(const Comparison *all, int model, int channel)
{
    const Contender *contender = &all->contenders[model];
    return contender->numbers[channel] >= 0 && !contender->failed
               ? sti_recorder_value(contender->session->recorder, contender->numbers[channel])
               : NAN;
}

static bool write_row(const Comparison *all, TableFile *table, double *row)
{
    const Session *session = running(all);
    int column = 0;
    if (table == NULL || !session_row_due(session)) return true;
    row[column++] = session_time(session);
    for (int m = 0; m < all->count; ++m)
        for (int i = 0; i < all->base->record_count; ++i)
            if (all->contenders[m].numbers[i] >= 0) row[column++] = channel_value(all, m, i);
    return table_file_row(table, row);
}

// A model that fails is left out from there on; the others go on.
static int advance(const Comparison *all, bool begin)
{
    for (int m = 0; m < all->count; ++m) {
        Contender *contender = &all->contenders[m];
        if (contender->failed) continue;
        const double began = clock_now();
        const StiStatus status =
            begin ? session_begin(contender->session) : session_step(contender->session);
        contender->seconds += clock_now() - began;
        if (status == STI_OK) continue;
        const int code = session_fail(contender->session, status);
        if (code != CODE_FAILED) return code;
        fprintf(stderr, "  under the model %s, which is left out from here on\n", contender->model);
        contender->failed = true;
        contender->until = session_time(contender->session);
    }
    return running(all) != NULL ? CODE_GOOD : CODE_FAILED;
}

static int step_through(const Comparison *all, TableFile *table, double *row, Progress *progress)
{
    int code = advance(all, true);
    if (code == CODE_GOOD && !write_row(all, table, row)) return CODE_FILE;
    for (int64_t k = 1; k <= all->base->steps && code == CODE_GOOD; ++k) {
        if (interrupt_came()) return CODE_INTERRUPTED;
        code = advance(all, false);
        const double now = clock_now();
        if (code == CODE_GOOD && !write_row(all, table, row)) return CODE_FILE;
        if (table != NULL && !table_file_look_after(table, now)) return CODE_FILE;
        progress_show(progress, k, now);
    }
    return code;
}

static int simulate(Comparison *all)
{
    int columns = 0;
    TableFile *table = all->arguments->output != NULL ? open_table(all, &columns) : NULL;
    if (all->arguments->output != NULL && table == NULL) return CODE_FILE;
    double *row = take((size_t)columns, sizeof *row);
    interrupt_watch();
    Progress progress = progress_begin(all->base->title, all->base->steps, all->arguments->quiet);
    int code = step_through(all, table, row, &progress);
    progress_end(&progress);
    if (code == CODE_INTERRUPTED)
        terminal_error("interrupted at t = %.9g s", session_time(running(all)));
    all->rows = table != NULL ? table_file_rows(table) : 0;
    all->columns = columns;
    if (table != NULL && !table_file_close(table, code == CODE_GOOD, "")) code = CODE_FILE;
    interrupt_unwatch();
    free(row);
    return code;
}

// ---- the summary: quantities down, models across ------------------------------------------------

enum { LABEL = 24, CELL = 14, COLUMNS = 80 };

// Room for a number and for the longest name.
static int cell_width(const Comparison *all)
{
    int width = CELL;
    for (int m = 0; m < all->count; ++m) {
        const int needed = (int)strlen(all->contenders[m].model) + 2;
        if (needed > width) width = needed;
    }
    return width;
}

static void print_cell(int width, double value)
{
    char number[NUMBER_SIZE];
    printf("%*s", width, text_number(number, value, CELL - 2));
}

static double stick_changes(const Contender *contender)
{
    const Session *session = contender->session;

    double sum = 0.0;
    for (int i = 0; i < session->sticking_count; ++i) sum += (double)session->sticking[i].changes;
    return session->sticking_count > 0 && !contender->failed ? sum : NAN;
}

static double dissipated(const Contender *contender)
{
    return contender->failed ? NAN : sti_recorder_energy(contender->session->recorder).dissipated;
}

static bool any_failed(const Comparison *all)
{
    for (int m = 0; m < all->count; ++m)
        if (all->contenders[m].failed) return true;
    return false;
}

static double microseconds(const Contender *contender)
{
    if (contender->failed) return NAN;
    return round(1e8 * contender->seconds / (double)(contender->scene->steps + 1)) / 100.0;
}

static void print_block(const Comparison *all, int width, int first, int last)
{
    printf("\n  %s%-*s", terminal_ink(stdout, INK_BOLD), LABEL - 2, "at the end");
    for (int m = first; m < last; ++m) printf("%*s", width, all->contenders[m].model);
    printf("%s\n", terminal_ink(stdout, INK_PLAIN));
    for (int i = 0; i < all->base->record_count; ++i) {
        printf("  %-*s", LABEL - 2, all->base->record[i]);
        for (int m = first; m < last; ++m) print_cell(width, channel_value(all, m, i));
        putchar('\n');
    }
    printf("  %-*s", LABEL - 2, "dissipated, J");
    for (int m = first; m < last; ++m) print_cell(width, dissipated(&all->contenders[m]));
    printf("\n  %-*s", LABEL - 2, "stick/slip changes");
    for (int m = first; m < last; ++m) print_cell(width, stick_changes(&all->contenders[m]));
    printf("\n  %-*s", LABEL - 2, "us per step");
    for (int m = first; m < last; ++m) print_cell(width, microseconds(&all->contenders[m]));
    if (any_failed(all)) printf("\n  %-*s", LABEL - 2, "failed at, s");
    for (int m = first; any_failed(all) && m < last; ++m)
        print_cell(width, all->contenders[m].failed ? all->contenders[m].until : NAN);
    putchar('\n');
}

static void print_summary(const Comparison *all)
{
    summary_title(all->base, all->arguments->variant);
    printf("  %lld steps of %g s, t = %g to %g s\n", (long long)all->base->steps,
           sti_network_step(all->base->network), all->base->start, all->base->stop);
    const int width = cell_width(all), across = (COLUMNS - LABEL) / width;
    for (int first = 0; first < all->count; first += across)
        print_block(all, width, first, first + across < all->count ? first + across : all->count);
    if (all->arguments->output != NULL)
        printf("\n  wrote %s: %lld rows of %d columns\n", all->arguments->output,
               (long long)all->rows, all->columns);
}

static int compare(Comparison *all)
{
    if (all->base->grid_count > 0) {
        terminal_error("%s has a grid: compare runs one simulation", all->base->path);
        return CODE_BAD_INPUT;
    }
    int code = load_all(all);
    if (code == CODE_GOOD) code = simulate(all);
    if (code == CODE_GOOD && !all->arguments->quiet) print_summary(all);
    return code == CODE_GOOD && any_failed(all) ? CODE_FAILED : code;
}

static void release(Comparison *all)
{
    for (int i = 0; i < all->count; ++i) {
        session_destroy(all->contenders[i].session);
        sti_scene_destroy(all->contenders[i].scene);
        free(all->contenders[i].numbers);
        free(all->contenders[i].model);
    }
    free(all->contenders);
    sti_scene_destroy(all->base);
}

static int run(const Arguments *arguments)
{
    Comparison all = {.arguments = arguments};
    const StiSceneOptions options = load_options(arguments);
    const bool good = format_is_good(arguments->output, true) && split_models(&all);
    int code = good ? CODE_GOOD : CODE_BAD_INPUT;
    if (code == CODE_GOOD)
        code = load_without_expectations(arguments->words[0], &options, true, &all.base);
    if (code == CODE_GOOD) code = compare(&all);
    release(&all);
    return code;
}

const Command command_compare = {
    .name = "compare",
    .summary = "run a scene under several friction models, into one table",
    .words = "SCENE",
    .fewest = 1,
    .most = 1,
    .text =
        "Runs the scene once for each friction model, all step by step side by side. With -o the "
        "recorded channels go to one file: the column t, then CHANNEL@MODEL; a channel that "
        "a model does not have (deflection, of models without a bristle) is left out for it. A "
        "model that "
        "does not suit the scene is left out with its reason; one that fails during the run is "
        "left "
        "out from there on (its columns are NaN), the others go on, and the exit code is 1. The "
        "summary shows the final values, what was dissipated, how often stick and slip changed "
        "and what a step costs.",
    .options = {OPTION_MODELS, OPTION_OUTPUT, OPTION_ELEMENT, OPTION_SET, OPTION_STEP, OPTION_STOP,
                OPTION_VARIANT, OPTION_CONFINE, OPTION_QUIET},
    .run = run,
};
