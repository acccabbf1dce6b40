// Where functions of time have a jump or a kink: from their programs, so that few need to be declared. What
// switches at a line in t is solved; the rest is followed over the run, with rates, and located to the last
// bit.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/messages.h"
#include "read/reader.h"

// More than these are not followed, and said so.
enum { MOST_BREAKS = 2000000, MOST_SAMPLES = 200000, MOST_IN_SAMPLE = 1000 };

// An expression and what its variables are; a piece knows that itself.
typedef struct Subject {
    const Program *program;
    const Piece *piece;
    const int *origins; // of the variables, where there is no piece
    int variable_count;
} Subject;

enum { MOST_VARIABLES = 64 };

typedef struct Search {
    const Names *names;
    Workspace *workspace;
    double *breaks;
    int count, room;
    bool failed, too_many;
    bool follows_state; // something switches with a channel
} Search;

static void add_break(Search *search, double t)
{
    if (!isfinite(t)) return;
    if (search->count == MOST_BREAKS) search->too_many = true;
    if (search->count == search->room && !search->too_many) {
        const int room = 2 * search->room + 64;
        double *more = realloc(search->breaks, (size_t)room * sizeof *more);
        search->failed = search->failed || more == NULL;
        if (more == NULL) return;
        search->breaks = more;
        search->room = room;
    }
    if (!search->too_many) search->breaks[search->count++] = t;
}

// ---- lines in t -------------------------------------------------------------------------------------------

static void add_whole_numbers(Search *search, Jet line)
{
    const Names *names = search->names;
    const double a = line.x + line.v * names->start, b = line.x + line.v * names->stop;
    const double first = ceil(fmin(a, b)), last = floor(fmax(a, b));
    if (!(last - first < MOST_BREAKS)) {
        search->too_many = true;
        return;
    }
    for (double n = first; n <= last; n += 1.0) add_break(search, (n - line.x) / line.v);
}

// line: at t = 0.
static void add_crossings(Search *search, const Instruction *in, Jet line)
{
    if (line.v == 0.0 || !isfinite(line.x) || !isfinite(line.v)) return;
    switch (scene_switches(in->operation)) {
    case SWITCH_AT_ZERO:
        add_break(search, -line.x / line.v);
        break;
    case SWITCH_AT_WHOLE:
        add_whole_numbers(search, line);
        break;
    case SWITCH_AT_POINTS:
        for (int i = 0; i < in->table->count; ++i)
            add_break(search, (in->table->t[i] - line.x) / line.v);
        break;
    default:
        break;
    }
}

// ---- everything else --------------------------------------------------------------------------------------

// One margin that is followed.
typedef struct Track {
    const Subject *subject;
    Margin *margins;
    int instruction;
    bool second;
} Track;

// Channels stand still: margins that depend on them are not read.
static void look(const Search *search, const Subject *subject, double t, Margin *margins)
{
    Jet variables[MOST_VARIABLES] = {{0.0, 0.0, 0.0}};
    if (subject->piece != NULL) {
        scene_piece_jet(search->workspace, subject->piece, t, margins);
        return;
    }
    for (int i = 0; i < subject->variable_count; ++i) {
        const int origin = subject->origins[i];
        if (origin == 0) variables[i] = (Jet){t, 1.0, 0.0};
        if (origin > 0)
            variables[i] =
                scene_piece_jet(search->workspace, &search->names->inputs[origin - 1], t, NULL);
    }
    scene_program_jet(subject->program, variables, search->workspace->jet_stack, margins);
}

static Jet margin_at(const Search *search, const Track *track, double t)
{
    look(search, track->subject, t, track->margins);
    const Margin *margin = &track->margins[track->instruction];
    return track->second ? margin->second : margin->first;
}

// Between which switching values it is.
static double cell_of(const Track *track, double x)
{
    const Instruction *in = &track->subject->program->code[track->instruction];
    switch (scene_switches(in->operation)) {
    case SWITCH_AT_WHOLE:
        return floor(x);
    case SWITCH_AT_POINTS:
        return scene_table_row(in->table, x);
    default:
        return (x > 0.0) - (x < 0.0);
    }
}

static double cell_at(const Search *search, const Track *track, double t)
{
    return cell_of(track, margin_at(search, track, t).x);
}

// Values are rounded: around the moment of a jump the sides change places from one time to the next. Both ends of
// that, so that what comes before and after is clear of it.
static void add_jump(Search *search, const Track *track, double t)
{
    const Jet margin = margin_at(search, track, t);
    const double ulps = 8.0 * DBL_EPSILON, most = 1e-10 * search->names->step;
    const double unclear = ulps * (fmax(1.0, fabs(margin.x)) / fabs(margin.v) + fabs(t));
    add_break(search, t - fmin(unclear, most));
    add_break(search, t + fmin(unclear, most));
}

static bool jumps(Operation operation)
{
    return operation != OP_ABS && operation != OP_MIN && operation != OP_MAX &&
           operation != OP_CLAMP && operation != OP_TABLE;
}

// The first times in (from, to] at which the cell is another one.
static void locate(Search *search, const Track *track, double from, double to)
{
    const double last = cell_at(search, track, to);
    for (int n = 0; n < MOST_IN_SAMPLE; ++n) {
        const double cell = cell_at(search, track, from);
        if (cell == last || isnan(cell) || isnan(last)) return;
        double low = from, high = to;
        for (int i = 0; i < 100; ++i) {
            const double middle = 0.5 * (low + high);
            if (!(middle > low && middle < high)) break;
            if (cell_at(search, track, middle) == cell)
                low = middle;
            else
                high = middle;
        }
        if (jumps(track->subject->program->code[track->instruction].operation))
            add_jump(search, track, high);
        else
            add_break(search, high);
        from = high;
    }
    search->too_many = true;
}

// Where the margin turns back between two times; it may have been across and back.
static void look_at_turn(Search *search, const Track *track, double from, double to, double rate)
{
    double low = from, high = to;
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        if (margin_at(search, track, middle).v * rate > 0.0)
            low = middle;
        else
            high = middle;
    }
    if (cell_at(search, track, high) == cell_at(search, track, from)) return;
    locate(search, track, from, high);
    locate(search, track, high, to);
}

static void follow(Search *search, const Track *track)
{
    const Names *names = search->names;
    const double span = names->stop - names->start, steps = ceil(span / names->step);
    if (!(span > 0.0) || !(names->step > 0.0)) return;
    const int samples = steps < MOST_SAMPLES ? (int)steps : MOST_SAMPLES;
    double t = names->start;
    Jet here = margin_at(search, track, t);
    for (int i = 1; i <= samples && !search->too_many; ++i) {
        const double next = names->start + span * i / samples;
        const Jet there = margin_at(search, track, next);
        if (cell_of(track, here.x) != cell_of(track, there.x))
            locate(search, track, t, next);
        else if (here.v * there.v < 0.0)
            look_at_turn(search, track, t, next, here.v);
        t = next;
        here = there;
    }
}

// ---- functions --------------------------------------------------------------------------------------------

static void look_at_instruction(Search *search, const Subject *subject, int i,
                                const Degree degrees[2], Margin *margins, const Margin *at_zero)
{
    const Jet lines[2] = {at_zero->first, at_zero->second};
    for (int k = 0; k < 2; ++k) {
        const Track track = {subject, margins, i, k == 1};
        if (degrees[k] == DEGREE_LINE) add_crossings(search, &subject->program->code[i], lines[k]);
        if (degrees[k] == DEGREE_ANY) follow(search, &track);
        if (degrees[k] == DEGREE_STATE) search->follows_state = true;
    }
}

static void look_at_program(Search *search, const Subject *subject)
{
    const Program *program = subject->program;
    const size_t count = (size_t)program->count;
    Degree(*degrees)[2] = calloc(count, sizeof *degrees), result;
    Margin *margins = calloc(2 * count, sizeof *margins), *at_zero = margins + count;
    search->failed =
        search->failed || degrees == NULL || margins == NULL ||
        !scene_trace_degrees(search->names, program, subject->origins, degrees, &result);
    if (!search->failed) {
        look(search, subject, 0.0, at_zero);
        for (int i = 0; i < program->count; ++i)
            if (scene_switches(program->code[i].operation) != SWITCH_NONE)
                look_at_instruction(search, subject, i, degrees[i], margins, &at_zero[i]);
    }
    free(degrees);
    free(margins);
}

static void look_at_piece(Search *search, const Piece *piece)
{
    if (piece->type == PIECE_TABLE)
        for (int i = 0; i < piece->table->count; ++i) add_break(search, piece->table->t[i]);
    if (piece->type != PIECE_EXPRESSION) return;
    look_at_program(search, &(Subject){.program = &piece->program, .piece = piece});
    for (int i = 0; piece->uses_inputs && i < search->names->input_count; ++i)
        if (scene_program_uses(&piece->program, 1 + i))
            look_at_piece(search, &search->names->inputs[i]);
}

static int by_time(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// In order, and times that differ by rounding only once: the later, from which on all have switched.
static void sort(Search *search)
{
    int kept = 0;
    if (search->count > 0)
        qsort(search->breaks, (size_t)search->count, sizeof *search->breaks, by_time);
    for (int i = 0; i < search->count; ++i) {
        const double t = search->breaks[i];
        if (kept > 0 && t - search->breaks[kept - 1] <= 4e-16 * fmax(fabs(t), search->names->step))
            --kept;
        search->breaks[kept++] = t;
    }
    search->count = kept;
}

static void say_too_many(Reader *reader, const Node *node)
{
    scene_message(reader->messages, STI_NOTE, node->mark,
                  "'%s' has more jumps and kinks than are followed: steps cross them, which costs "
                  "accuracy there",
                  node->text != NULL ? node->text : "the table");
}

static Search begin(Reader *reader)
{
    Search search = {.names = &reader->names, .workspace = scene_workspace_open(&reader->names)};
    search.failed = search.workspace == NULL;
    return search;
}

// The breaks, in memory of the scene.
static const double *end(Reader *reader, Search *search, int *found)
{
    sort(search);
    const double *kept = search->count > 0 && !search->failed
                             ? sti_arena_copy(reader->arena, search->breaks,
                                              (size_t)search->count * sizeof *search->breaks)
                             : NULL;
    reader->arena->failed = reader->arena->failed || search->failed;
    *found = kept != NULL ? search->count : 0;
    free(search->breaks);
    scene_workspace_close(search->workspace);
    return kept;
}

const double *scene_find_breaks(Reader *reader, const Piece *pieces, int count, const double *given,
                                int given_count, int *found)
{
    Search search = begin(reader);
    for (int i = 0; i < given_count; ++i) add_break(&search, given[i]);
    for (int i = 0; !search.failed && i < count; ++i) {
        const bool before = search.too_many;
        look_at_piece(&search, &pieces[i]);
        if (search.too_many && !before && pieces[i].node != NULL)
            say_too_many(reader, pieces[i].node);
    }
    return end(reader, &search, found);
}

// Straight lines between the points.
static void add_zeros_of_table(Search *search, const Table *table)
{
    for (int i = 0; !table->hold && i + 1 < table->count; ++i) {
        const double a = table->x[i], b = table->x[i + 1];
        if ((a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0))
            add_break(search, table->t[i] + (table->t[i + 1] - table->t[i]) * (a / (a - b)));
    }
}

// An expression changes its sign where its absolute value has a kink.
const double *scene_find_zeros(Reader *reader, const Piece *piece, int *found)
{
    Search search = begin(reader);
    if (piece->type == PIECE_TABLE) add_zeros_of_table(&search, piece->table);
    if (piece->type == PIECE_EXPRESSION && !search.failed) {
        Piece size = *piece;
        size.program.code = calloc((size_t)piece->program.count + 1, sizeof(Instruction));
        search.failed = size.program.code == NULL;
        if (!search.failed) {
            memcpy(size.program.code, piece->program.code,
                   (size_t)piece->program.count * sizeof(Instruction));
            size.program.code[size.program.count++] =
                (Instruction){.operation = OP_ABS, .operands = 1};
            look_at_program(&search, &(Subject){.program = &size.program, .piece = &size});
        }
        free(size.program.code);
    }
    return end(reader, &search, found);
}

const double *scene_find_state_breaks(Reader *reader, const Program *programs,
                                      const Node *const *nodes, int count, const int *origins,
                                      int variable_count, int *found)
{
    Search search = begin(reader);
    for (int i = 0; !search.failed && i < count; ++i) {
        const bool before = search.too_many;
        search.follows_state = false;
        look_at_program(&search, &(Subject){.program = &programs[i],
                                            .origins = origins,
                                            .variable_count = variable_count});
        if (search.too_many && !before) say_too_many(reader, nodes[i]);
        if (search.follows_state)
            scene_message(
                reader->messages, STI_NOTE, nodes[i]->mark,
                "'%s' has a kink or jump where a channel crosses a value: steps cross it, "
                "which costs accuracy there",
                nodes[i]->text);
    }
    return end(reader, &search, found);
}
