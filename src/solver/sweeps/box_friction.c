// Few rows along one axis each, under limits that do not depend on speed: |r| <= L. Who sticks and who
// sits at its limit says the cone solver. Where rows outnumber the freedoms (joints of a linkage), W is
// singular and the forces of stuck rows are not unique: then each takes the share of its limit that the
// others take, as far as they can. So loads change smoothly where sticking turns into sliding.
#include <math.h>
#include <string.h>

#include "solver/sweeps/box_friction.h"
#include "rows/envelope.h"
#include "rows/least_norm.h"
#include "rows/reaction_cones.h"

static const double rounding = 1e-13; // of the largest velocity in play
static const double beyond = 1e-12;   // of a limit

typedef enum Mode { FIXED, STUCK, SLIPPING } Mode; // fixed: nothing can move it, or it has no limit

typedef struct Rows {
    const StiNetwork *network;
    StiScratch *scratch;
    const LimitData *data;
    int count;
    double T;
    double scale; // largest velocity in play
} Rows;

static double sign(double v) { return v < 0.0 ? -1.0 : v > 0.0 ? 1.0 : 0.0; }

// Limits under the present loads; false where one depends on speed or direction.
static bool take_limits(const Rows *rows)
{
    for (int i = 0; i < rows->count; ++i) {
        const Reaction *e = &rows->network->reactions[i];
        const bool silent = e->reads_load && rows->scratch->loads_unknown;
        StiReactionLevel level = {.constant = true};
        if (!silent)
            level = e->kind->level(e->parameters, rows->scratch->stages[0].ports + e->port,
                                   rows->scratch->reactions->s + e->s, 0.0, 1.0);
        if (!level.constant || !isfinite(level.sticking)) return false;
        rows->data->limit[i] = level.sticking;
    }
    return true;
}

static double own_W(const Rows *rows, int i) { return rows->data->W[i * rows->count + i]; }

// Velocities under the present forces.
static void take_rates(Rows *rows)
{
    const ReactionData *all = rows->scratch->reactions;
    rows->scale = 0.0;
    for (int i = 0; i < rows->count; ++i) {
        const double *W = rows->data->W + i * rows->count;
        double sum = 0.0, size = 0.0;
        for (int j = 0; j < rows->count; ++j) {
            sum += W[j] * rows->data->r[j];
            size += fabs(W[j] * rows->data->r[j]);
        }
        all->rate[i] = all->free_rate[i] - rows->T * sum;
        const double speed = fabs(all->free_rate[i]) + rows->T * size;
        if (speed > rows->scale) rows->scale = speed;
    }
}

// Everything moves on as it would without friction: then there is nothing to solve.
static bool all_slide(Rows *rows)
{
    const ReactionData *all = rows->scratch->reactions;
    bool slide = true;
    for (int i = 0; i < rows->count; ++i) {
        const double side = sign(all->free_rate[i]);
        const bool fixed = !(own_W(rows, i) > 0.0) || !(rows->data->limit[i] > 0.0);
        rows->data->mode[i] = fixed ? FIXED : SLIPPING;
        rows->data->r[i] = side * rows->data->limit[i];
        slide = slide && (fixed || side != 0.0);
    }
    if (!slide) return false;
    take_rates(rows);
    for (int i = 0; slide && i < rows->count; ++i)
        slide = rows->data->mode[i] == FIXED || all->rate[i] * rows->data->r[i] > 0.0;
    return slide;
}

// ---- forces of the stuck rows -------------------------------------------------------------------

static int choose_stuck(const Rows *rows)
{
    int count = 0;
    for (int i = 0; i < rows->count; ++i)
        if (rows->data->mode[i] == STUCK)
            sti_shares_choose(rows->data, rows->count, count++, i, rows->data->limit[i]);
    return count;
}

static bool hold_stuck(Rows *rows)
{
    const LimitData *d = rows->data;
    const int count = choose_stuck(rows);
    for (int i = 0; i < count; ++i) d->r[d->stuck[i]] = 0.0;
    take_rates(rows);
    if (count == 0) return true;
    const int rank = sti_shares_factor(d, rows->count, count);
    if (rank < 0) return false;
    for (int pass = 0; pass < 2; ++pass) { // the second takes the rounding of the first
        sti_shares_add(d, count, rank, rows->scratch->reactions->rate, 1.0 / rows->T, d->r);
        take_rates(rows);
    }
    for (int i = 0; i < count; ++i)
        if (!(fabs(rows->scratch->reactions->rate[d->stuck[i]]) <= rounding * rows->scale))
            return false;
    return true;
}

static bool is_within(const Rows *rows)
{
    const LimitData *d = rows->data;
    for (int i = 0; i < rows->count; ++i)
        if (d->mode[i] == STUCK && !(fabs(d->r[i]) <= (1.0 + beyond) * d->limit[i])) return false;
    return true;
}

// ---- modes --------------------------------------------------------------------------------------

// What can move sticks; true if that is within the limits.
static bool all_stick(Rows *rows)
{
    const LimitData *d = rows->data;
    ++rows->scratch->figures.limit_rounds;
    for (int i = 0; i < rows->count; ++i)
        if (d->mode[i] == SLIPPING) d->mode[i] = STUCK;
    return hold_stuck(rows) && is_within(rows);
}

// Modes and forces of the rows that can move, by the cone solver.
static bool find_modes(Rows *rows)
{
    const LimitData *d = rows->data;
    ReactionData *all = rows->scratch->reactions;
    const ReactionCones *cones = rows->scratch->cones;
    for (int i = 0; i < rows->count; ++i) all->chosen[i] = d->mode[i] != FIXED;
    const int count = sti_envelope_choose(rows->network, all);
    for (int p = 0; p < count; ++p) {
        cones->limit[p] = d->limit[all->rows[p]];
        d->c[p] = all->free_rate[all->rows[p]];
    }
    if (!sti_reaction_cones_ask(rows->network, rows->scratch, count, rows->T, d->c)) return false;
    ++rows->scratch->figures.limit_rounds;
    for (int p = 0; p < count; ++p) {
        const int i = all->rows[p];
        d->mode[i] = cones->modes[p] == STI_BLOCK_STICK ? STUCK : SLIPPING;
        d->r[i] = d->mode[i] == STUCK ? cones->r[p] : copysign(d->limit[i], cones->r[p]);
        d->from[i] = d->r[i];
    }
    return true;
}

// Under the modes found: forces that hold to rounding. Where equal shares are beyond a limit, those of
// the cone solver.
static void hold_found(Rows *rows)
{
    const LimitData *d = rows->data;
    if (hold_stuck(rows) && is_within(rows)) return;
    memcpy(d->r, d->from, (size_t)rows->count * sizeof *d->r);
    take_rates(rows);
}

static StiReactionAnswer answer_of(const Rows *rows, int i)
{
    const LimitData *d = rows->data;
    const double rate = rows->scratch->reactions->rate[i], limit = d->limit[i];
    const bool rests = fabs(rate) <= rounding * rows->scale;
    StiReactionAnswer answer = {.r = {d->r[i]}};
    answer.stuck = d->mode[i] == FIXED ? rate == 0.0 : d->mode[i] == STUCK || rests;
    const double g = answer.stuck ? 1.0 : rows->T * own_W(rows, i);
    const double needed = answer.stuck ? fabs(d->r[i]) : fabs(rate + g * d->r[i]);
    const double ratio = needed > 0.0 ? needed / (g * limit) : 0.0;
    answer.ratio = answer.stuck && ratio > 1.0 ? 1.0 : ratio;
    return answer;
}

bool sti_resolve_limits(const StiNetwork *network, StiScratch *scratch)
{
    Rows rows = {.network = network,
                 .scratch = scratch,
                 .data = scratch->limits,
                 .count = network->row_count,
                 .T = network->step};
    if (rows.data->W == NULL || !take_limits(&rows)) return false;
    if (!all_slide(&rows) && !all_stick(&rows)) {
        if (!find_modes(&rows)) return false;
        hold_found(&rows);
    }
    for (int i = 0; i < rows.count; ++i) {
        const bool silent = network->reactions[i].reads_load && scratch->loads_unknown;
        scratch->reactions->answers[i] =
            silent ? (StiReactionAnswer){.r = {0.0}} : answer_of(&rows, i);
    }
    return true;
}
