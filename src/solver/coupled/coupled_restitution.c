// Restitution under `coupled`: the step without it shows which points close; then it is solved anew with the
// speeds of departure, less of them where that would make energy.
#include <float.h>
#include <math.h>
#include <string.h>

#include "solver/coupled/coupled.h"
#include "solver/flight.h"

enum { BOUNCES = 6 };

// Normal velocity of a point at the start, before any force of this step.
static double speed_before(const StiNetwork *network, const StiScratch *scratch, int point)
{
    double size;
    const RowSet *set = coupled_data(scratch)->set;
    const RowMotion motion = sti_motion_of(scratch, &scratch->stages[0]);
    return sti_row_velocity(network, set, &set->rows[set->block_nodes[point].row + 2], &motion,
                            &size);
}

// Bodies under smooth forces move with the velocity of the step's end: as if velocities were those of half a step
// before. Others fly with the mean.
static bool lags(const StiNetwork *network, const StiScratch *scratch, const ContactPoint *point)
{
    for (int side = 0; side < 2; ++side)
        if (point->frame[side] >= 0 && point->admittance[side] >= 0 &&
            sti_is_pushed(&network->admittances[point->admittance[side]], &scratch->stages[0]))
            return true;
    return false;
}

// When it strikes, if it does: with the velocity of the start and a constant acceleration.
static void set_strike(const StiNetwork *network, StiScratch *scratch, int index, double before)
{
    const CoupledData *data = coupled_data(scratch);
    ContactPoint *point = &scratch->contacts->points[index];
    const double gap = fmax(point->open, 0.0) / network->step;
    const double free = data->set->c[data->set->block_nodes[index].row + 2] - gap;
    point->gains = free - before;
    point->lags = lags(network, scratch, point) ? 0.5 * point->gains : 0.0;
    const double start = before + point->lags, square = start * start - 2.0 * point->gains * gap;
    const double speed = -start + (square > 0.0 ? sqrt(square) : 0.0);
    point->strikes = gap > 0.0 ? fmin(speed > 0.0 ? 2.0 * gap / speed : 1.0, 1.0) : 0.0;
}

// Velocities at the end of the step, and at the moment at which it strikes.
static double at_end(const ContactPoint *point, double v)
{
    return v + point->gains * (1.0 - point->strikes) - point->lags;
}
static double at_strike(const ContactPoint *point, double before)
{
    return before + point->gains * point->strikes + point->lags;
}

double sti_coupled_overshoot(const StiNetwork *network, const ContactPoint *point)
{
    if (!point->bounces) return 0.0;
    const double T = network->step, flight = (1.0 - point->strikes) * T;
    const double end = sti_vec3_dot(point->velocity, point->touch.normal);
    const double mean = end + point->lags - 0.5 * point->gains * (1.0 - point->strikes);
    return fmax(point->open, 0.0) + T * end - flight * mean;
}

// All points that may strike one after the other; those with a gap if it closes within the step.
static void enter_sequence(const StiNetwork *network, StiScratch *scratch)
{
    CoupledData *data = coupled_data(scratch);
    Sequence *q = &data->sequence;
    q->count = 0;
    for (int i = 0; i < scratch->contacts->point_count; ++i) {
        const ContactPoint *point = &scratch->contacts->points[i];
        const StiContact *p = network->contacts[point->contact].parameters;
        if (!p->sequential) continue;
        q->points[q->count] = i;
        q->e[q->count] =
            sti_contact_rub(&network->contacts[point->contact], point->shape).restitution;
        q->slack[q->count] = fmax(point->open, 0.0) / network->step;
        const double before = speed_before(network, scratch, i);
        set_strike(network, scratch, i, before);
        q->v[q->count++] = at_strike(point, before);
    }
    for (int a = 0; a < q->count; ++a)
        for (int b = 0; b <= a; ++b) {
            const double w = sti_rows_felt(data->set, q->points[a], 2, q->points[b], 2);
            q->W[a * q->count + b] = q->W[b * q->count + a] = w;
        }
}

// The speeds of departure that the sequence leads to. Friction then acts once, with all of its impulses.
static bool set_sequence(const StiNetwork *network, StiScratch *scratch)
{
    CoupledData *data = coupled_data(scratch);
    const Sequence *q = &data->sequence;
    bool any = false;
    if (!sti_sequence_wanted(network)) return false;
    enter_sequence(network, scratch);
    if (!sti_sequence_run(&data->sequence)) ++scratch->figures.unended_sequences;
    for (int i = 0; i < q->count; ++i) {
        ContactPoint *point = &scratch->contacts->points[q->points[i]];
        // 0 would mean that it does not strike, and may use up what gap is left.
        const double end = fmax(at_end(point, q->v[i]), DBL_MIN);
        point->bounces = q->f[i] != 0.0;
        data->bounce[data->set->block_nodes[q->points[i]].row + 2] = point->bounces ? end : 0.0;
        any = any || q->f[i] > 0.0;
    }
    return any;
}

// Points that strike depart at a share of the speed with which they do, and are on their way for the rest of the
// step; those that would be back within it lie. False: none does.
static bool set_bounces(const StiNetwork *network, StiScratch *scratch)
{
    CoupledData *data = coupled_data(scratch);
    bool any = false;
    for (int i = 0; i < scratch->contacts->point_count; ++i) {
        ContactPoint *point = &scratch->contacts->points[i];
        const double e =
            sti_contact_rub(&network->contacts[point->contact], point->shape).restitution;
        const int row = data->set->block_nodes[i].row + 2;
        data->bounce[row] = 0.0;
        if (e == 0.0 || !(data->set->f[row] > 0.0)) continue;
        if (network->contacts[point->contact].parameters->sequential) continue;
        const double before = speed_before(network, scratch, i);
        if (!(before < 0.0)) continue;
        set_strike(network, scratch, i, before);
        data->bounce[row] = fmax(at_end(point, -e * at_strike(point, before)), 0.0);
        point->bounces = data->bounce[row] > 0.0;
        any = any || point->bounces;
    }
    return set_sequence(network, scratch) || any;
}

// With the half of the speed of departure. False: nothing departs any more.
static bool bounce_less(StiScratch *scratch, bool at_all)
{
    CoupledData *data = coupled_data(scratch);
    bool any = false;
    for (int i = 0; i < scratch->contacts->point_count; ++i) {
        ContactPoint *point = &scratch->contacts->points[i];
        double *bounce = &data->bounce[data->set->block_nodes[i].row + 2];
        if (!point->bounces) continue;
        const double end = at_end(point, 0.0);
        *bounce = at_all ? fmax(0.5 * (*bounce - end) + end, 0.0) : 0.0;
        point->bounces = *bounce > 0.0;
        any = any || point->bounces;
    }
    return any;
}

// Do the points' forces take energy? With the mean of the velocities before and after they strike, but for
// rounding: with restitution 1 they take none.
static bool bounces_take(const StiNetwork *network, const StiScratch *scratch)
{
    static const double rounding = 1e-12;
    const CoupledData *data = coupled_data(scratch);
    const RowMotion motion = sti_motion_of(scratch, &scratch->stages[0]);
    const RowSet *set = data->set;
    double power = 0.0, scale = 0.0, size;
    for (int i = 0; i < 3 * scratch->contacts->point_count; ++i) {
        const ContactPoint *point = &scratch->contacts->points[i / 3];
        const double surface = i % 3 == 2 ? 0.0
                                          : (i % 3 == 1 ? point->across : 1.0) *
                                                sti_vec3_dot(point->surface, point->tangent[i % 3]);
        const double before =
            sti_row_velocity(network, set, &set->rows[i], &motion, &size) + surface;
        power += 0.5 * set->f[i] * (before + set->v[i] + data->bounce[i]);
        if (i % 3 == 2) power += set->f[i] * sti_contact_strike_mean(point);
        scale += fabs(set->f[i]) * size;
    }
    return power <= rounding * scale;
}

void sti_coupled_clear_bounces(StiScratch *scratch)
{
    CoupledData *data = coupled_data(scratch);
    memset(data->bounce, 0, (size_t)data->set->row_room * sizeof *data->bounce);
    for (int i = 0; i < scratch->contacts->point_count; ++i)
        scratch->contacts->points[i].bounces = false;
}

static bool bounces(const StiNetwork *network)
{
    for (int i = 0; i < network->contact_count; ++i)
        if (sti_contact_bounces(network->contacts[i].parameters)) return true;
    return false;
}

StiStatus sti_coupled_resolve(const StiNetwork *network, StiScratch *scratch)
{
    sti_coupled_fixed(network, scratch);
    StiStatus status = sti_coupled_modes(network, scratch);
    scratch->figures.restitution_share = 1.0;
    if (status != STI_OK || !bounces(network)) return status;
    double share = 1.0;
    for (int i = 0; i <= BOUNCES && status == STI_OK; ++i, share *= 0.5) {
        if (i == BOUNCES) share = 0.0;
        if (i == 0 && !set_bounces(network, scratch)) return STI_OK;
        if (i > 0 && !bounce_less(scratch, share > 0.0)) share = 0.0;
        scratch->figures.restitution_share = share;
        sti_coupled_fixed(network, scratch);
        status = sti_coupled_modes(network, scratch);
        if (share == 0.0 || (status == STI_OK && bounces_take(network, scratch))) break;
    }
    return status;
}
