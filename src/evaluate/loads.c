// Loads that depend on the friction that depends on them: the forces are computed again until the
// loads repeat. Plain iteration; where that is slow or goes away, Newton's method (load_search.c);
// where neither settles, the body is asked why (painleve.c).
#include <math.h>
#include <string.h>

#include "evaluate/load_search.h"

enum { ITERATIONS = 1000 };            // enough for a contraction factor of 0.97
static const double tolerance = 1e-12; // relative
static const double divergence = 1e12; // of the first change
enum { STALLS = 4 };                   // so often may a change that is below
static const double noise = 1e-9;      // this not shrink to
static const double stall = 0.999;     // this before it counts as rounding
static const double slow = 0.7;        // contraction factor, twice in a row
static const double fast = 0.05;       // secants would cost more than they save

// How far the loads that forces gave are from those that they assumed.
static LoadChange compare(const StiScratch *scratch, const StageData *now)
{
    LoadChange change = {.most = 0.0};
    double at_start = 0.0;
    const LoadSearch *search = &scratch->evaluate->load_search;
    for (int k = 0; k < search->count; ++k) { // others are for the record only
        const int i = search->heard[k];
        const double was = fabs(now->loads[i]), is = fabs(scratch->evaluate->new_loads[i]);
        const double difference = fabs(scratch->evaluate->new_loads[i] - now->loads[i]);
        if (difference > change.most) {
            change.most = difference;
            change.worst = i;
        }
        at_start = fmax(at_start, fabs(scratch->evaluate->start_loads[i]));
        if (was > change.size) change.size = was;
        if (is > change.size) change.size = is;
    }
    change.small = change.most <= noise * fmax(change.size, at_start); // a load may pass zero here
    return change;
}

static void take_new(const StiNetwork *network, const StiScratch *scratch, StageData *now)
{
    memcpy(now->loads, scratch->evaluate->new_loads,
           (size_t)network->load_count * sizeof *now->loads);
}

// How much further apart the last two loads are that came out than those that went in: the
// contraction factor, 0 where it is not known. Where the loads that came out went in again, the
// changes tell.
static double contraction(StiScratch *scratch, const StageData *now, double change)
{
    const double ratio =
        scratch->evaluate->load_change > 0.0 ? change / scratch->evaluate->load_change : 0.0;
    if (!scratch->evaluate->load_search.mixed && !(ratio > fast)) return ratio;
    const double noted = sti_load_secants_note(scratch, now);
    return scratch->evaluate->load_search.mixed ? noted : ratio;
}

static void begin(StiScratch *scratch, double change)
{
    scratch->evaluate->first_load_change = change;
    scratch->evaluate->load_growths = scratch->evaluate->load_stalls = 0;
    scratch->evaluate->load_change = 0.0;
    sti_load_search_clear(&scratch->evaluate->load_search);
}

// Loads that vanish are compared with those they came from.
static bool is_settled(const StiScratch *scratch, const LoadChange *change)
{
    return !(change->most >
             tolerance * fmax(change->size, 1e-3 * scratch->evaluate->first_load_change));
}

// Figures of the plain iteration; returns its contraction factor. Forces that stuck joints share
// may be known to rounding only.
static double note(StiScratch *scratch, const StageData *now, const LoadChange *change)
{
    const double before = scratch->evaluate->load_change,
                 ratio = contraction(scratch, now, change->most);
    if (before > 0.0) scratch->figures.load_contraction = ratio;
    scratch->evaluate->load_growths += before > 0.0 && !change->small && change->most > before;
    scratch->evaluate->load_stalls +=
        before > 0.0 && change->small && change->most > stall * before;
    return ratio;
}

// Slow or going away, and secants do not help.
static bool needs_search(const StiScratch *scratch, const LoadChange *change, double ratio,
                         double before)
{
    const bool stalls = change->most > 0.5 * scratch->evaluate->load_change && !change->small;
    const bool may =
        scratch->evaluate->load_search.possible && !scratch->evaluate->load_search.failed;
    return may && scratch->evaluate->load_change > 0.0 && stalls &&
           (ratio > 1.0 || fmin(ratio, before) > slow);
}

static bool iterate(const StiNetwork *network, StiScratch *scratch, StageData *now, int iteration,
                    const LoadChange *change, StiStatus *status)
{
    LoadSearch *search = &scratch->evaluate->load_search;
    const double before = iteration > 0 ? search->ratio : 0.0;
    const double ratio = note(scratch, now, change);
    const bool search_now = iteration > 1 && needs_search(scratch, change, ratio, before);
    search->ratio = ratio;
    scratch->evaluate->load_change = change->most;
    if (change->settled || scratch->evaluate->load_stalls > STALLS) {
        take_new(network, scratch, now);
        if (scratch->evaluate->load_growths > 2)
            *status = sti_loads_suspect(network, scratch, now, change->worst);
        return false;
    }
    search->largest = fmax(search->largest, ratio);
    const bool in_vain = search->failed && sti_load_all_stick(network, scratch, NULL);
    if (iteration >= ITERATIONS || in_vain ||
        change->most > divergence * scratch->evaluate->first_load_change) {
        take_new(network, scratch, now);
        scratch->figures.load_contraction = search->largest;
        return sti_loads_given_up(network, scratch, now, change->worst, status);
    }
    if (search_now) {
        search->ratio = fmax(ratio, before);
        sti_load_search_begin(network, scratch, now, change);
        return true;
    }
    take_new(network, scratch, now);
    search->mixed = !search->failed && ratio > fast && ratio < 1.0 && search->past > 1;
    if (search->mixed) sti_load_secants_mix(scratch, now);
    return true;
}

bool sti_loads_moved(const StiNetwork *network, StiScratch *scratch, StageData *now,
                     int *iterations, StiStatus *status)
{
    StiStepFigures *figures = &scratch->figures;
    if (!network->iterates_loads || scratch->evaluate->gave_up || scratch->evaluate->loads_chosen) {
        take_new(network, scratch, now); // those that forces under chosen loads gave
        scratch->evaluate->loads_chosen = false;
        return false;
    }
    if (scratch->loads_unknown) { // these are the first; now those who listen join in
        take_new(network, scratch, now);
        scratch->loads_unknown = false;
        return true;
    }
    LoadChange change = compare(scratch, now);
    figures->load_residual = change.size > 0.0 ? change.most / change.size : 0.0;
    const int iteration = (*iterations)++;
    if (iteration == 0) begin(scratch, change.most);
    change.settled = is_settled(scratch, &change);
    if (*iterations > figures->load_iterations) figures->load_iterations = *iterations;
    if (scratch->evaluate->load_search.phase == LOADS_PLAIN)
        return iterate(network, scratch, now, iteration, &change, status);
    return sti_load_search_continue(network, scratch, now, &change);
}
