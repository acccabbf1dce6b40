#include "cut/load_zeros.h"

#include <math.h>

enum { ZEROS_MOST = 8, TRIES = 12 };
static const double at_zero = 1e-6;  // of the change over a trial: it starts there; a size has come there
static const double located = 1e-11; // of the same, of a number with a sign

// ---- which numbers ------------------------------------------------------------------------------

static bool follows_load(const StiInfo *info, const void *parameters)
{
    for (int i = 0; i < info->field_count; ++i) {
        if (info->fields[i].type != STI_FIELD_LAW) continue;
        const StiLaw *law =
            (const StiLaw *)((const unsigned char *)parameters + info->fields[i].offset);
        if (law->times_load) return true;
    }
    return false;
}

static const Admittance *owner_of(const StiNetwork *n, int load)
{
    const Admittance *a = n->admittances;
    while (load >= a->load + a->size.loads) ++a;
    return a;
}

static int add(LoadZero zero, LoadZero *zeros, int count)
{
    if (zeros != NULL) zeros[count] = zero;
    return count + 1;
}

// The load that an element listens to with its first signal. Functions of time have their zeros among their breaks.
static int list(const StiNetwork *n, const Connections *connections, int port, LoadZero *zeros,
                int count)
{
    for (int i = 0; i < connections->count; ++i) {
        const Connection *c = &connections->items[i];
        if (c->port != port || c->from == FROM_SOURCE) continue;
        if (c->from != FROM_LOAD) return add((LoadZero){.port = true, .index = port}, zeros, count);
        const Admittance *a = owner_of(n, c->index);
        int parts[STI_LOAD_PARTS];
        const int parted = a->kind->load_parts == NULL
                               ? 0
                               : a->kind->load_parts(a->parameters, c->index - a->load, parts);
        for (int k = 0; k < parted; ++k)
            count = add((LoadZero){.index = a->load + parts[k]}, zeros, count);
        return parted > 0 ? count : add((LoadZero){.index = c->index, .sized = true}, zeros, count);
    }
    return count;
}

int sti_load_zeros_list(const StiNetwork *n, LoadZero *zeros)
{
    int count = 0;
    for (int i = 0; i < n->reaction_count; ++i) {
        const Reaction *e = &n->reactions[i];
        if (follows_load(&e->kind->info, e->parameters))
            count = list(n, &e->connections, e->port, zeros, count);
    }
    for (int i = 0; i < n->impedance_count; ++i) {
        const Impedance *e = &n->impedances[i];
        if (follows_load(&e->kind->info, e->parameters))
            count = list(n, &e->connections, e->port, zeros, count);
    }
    return count;
}

// ---- where they pass zero -----------------------------------------------------------------------

static double value_at(const LoadZero *zero, const StageData *stage)
{
    return zero->port ? stage->ports[zero->index] : stage->loads[zero->index];
}

// The stage nearest to the middle of a trial.
static int middle_stage(const StiMethod *pair)
{
    int best = 0;
    for (int r = 1; r < pair->stages; ++r)
        if (fabs(pair->c[r] - 0.5) < fabs(pair->c[best] - 0.5)) best = r;
    return best;
}

// A size that goes down to zero and up again is a straight line with its end turned over: which of the two it is
// shows in the middle.
static bool came_back(const Progress *c, const LoadZero *zero, double before, double after)
{
    const int middle = middle_stage(c->network->pair);
    const double share = c->network->pair->c[middle];
    const double there = value_at(zero, &c->scratch->stages[middle]);
    const double back = fabs(before - share * (before + after));
    const double on = before + share * (after - before);
    return fabs(there - back) < fabs(there - on);
}

// At the end of the trial, below 0: it has passed zero. *before: at its start, not negative.
static double passed(const Progress *c, const LoadZero *zero, double *before)
{
    const double start = value_at(zero, &c->scratch->stages[0]);
    const double end = value_at(zero, &c->data->close);
    *before = fabs(start);
    if (!zero->sized) return start < 0.0 ? -end : end;
    return came_back(c, zero, start, end) ? -end : end;
}

// Which passes zero first, -1: none; *share: where, of the trial.
static int first_to_pass(const Progress *c, double *share)
{
    int first = -1;
    *share = 1.0;
    for (int i = 0; i < c->data->zero_count; ++i) {
        double before;
        const double after = passed(c, &c->data->zeros[i], &before);
        if (!(after < 0.0) || before <= at_zero * (before - after)) continue;
        if (before / (before - after) >= *share) continue;
        *share = before / (before - after);
        first = i;
    }
    return first;
}

StiStatus sti_load_zeros_end(Progress *c, TrySubstep *try_substep, double *h)
{
    double x, low = 0.0, high = 1.0, g_low, before;
    const int who = c->zeros < ZEROS_MOST ? first_to_pass(c, &x) : -1;
    if (who < 0) return STI_OK;
    const LoadZero *zero = &c->data->zeros[who];
    const double whole = *h;
    double g_high = passed(c, zero, &g_low), last = g_high;
    const double enough = (zero->sized ? at_zero : located) * (g_low - g_high);
    ++c->zeros;
    c->to_break = false;
    for (int i = 0; i < TRIES; ++i) {
        *h = x * whole;
        const StiStatus status = try_substep(c, *h);
        if (status != STI_OK) return status;
        const double g = passed(c, zero, &before);
        if (fabs(g) <= enough) break;
        if (g > 0.0) { // Illinois
            if (last > 0.0) g_high *= 0.5;
            low = x, g_low = g;
        } else {
            if (last < 0.0) g_low *= 0.5;
            high = x, g_high = g;
        }
        last = g;
        x = low + (high - low) * g_low / (g_low - g_high);
    }
    return STI_OK;
}
