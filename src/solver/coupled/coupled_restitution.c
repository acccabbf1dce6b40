// Restitution under `coupled`: the step without it shows which points close; then it is solved anew with the
// speeds of departure, less of them where that would make energy.
#include <float.h>
#include <math.h>
#include <string.h>

#include "solver/coupled/coupled.h"

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
        q->v[q->count++] = speed_before(network, scratch, i);
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
        // 0 would mean that it does not strike, and may use up what gap is left.
        data->bounce[data->set->block_nodes[q->points[i]].row + 2] = q->f[i] == 0.0   ? 0.0
                                                                     : q->v[i] != 0.0 ? q->v[i]
                                                                                      : DBL_MIN;
        any = any || q->f[i] > 0.0;
    }
    return any;
}

// Closed points that came nearer at the start depart at a share of that speed. False: none does.
static bool set_bounces(const StiNetwork *network, StiScratch *scratch, double share)
{
    CoupledData *data = coupled_data(scratch);
    bool any = false;
    for (int i = 0; i < scratch->contacts->point_count; ++i) {
        const ContactPoint *point = &scratch->contacts->points[i];
        const double e =
            sti_contact_rub(&network->contacts[point->contact], point->shape).restitution;
        const int row = data->set->block_nodes[i].row + 2;
        data->bounce[row] = 0.0;
        if (e == 0.0 || !(data->set->f[row] > 0.0)) continue;
        if (network->contacts[point->contact].parameters->sequential) continue;
        const double before = speed_before(network, scratch, i);
        if (before < 0.0) data->bounce[row] = -share * e * before;
        any = any || before < 0.0;
    }
    return set_sequence(network, scratch) || any;
}

// Do the points' forces take energy? With the mean of the velocities before and after, but for rounding:
// with restitution 1 they take none.
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
        scale += fabs(set->f[i]) * size;
    }
    return power <= rounding * scale;
}

void sti_coupled_clear_bounces(StiScratch *scratch)
{
    CoupledData *data = coupled_data(scratch);
    memset(data->bounce, 0, (size_t)data->set->row_room * sizeof *data->bounce);
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
        if (i == 0 && !set_bounces(network, scratch, share)) return STI_OK;
        for (int row = 0; i > 0 && row < coupled_data(scratch)->set->row_count; ++row)
            coupled_data(scratch)->bounce[row] *= i == BOUNCES ? 0.0 : 0.5;
        scratch->figures.restitution_share = share;
        sti_coupled_fixed(network, scratch);
        status = sti_coupled_modes(network, scratch);
        if (status == STI_OK && bounces_take(network, scratch)) break;
    }
    return status;
}
