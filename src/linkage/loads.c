// What the pairs carry, from the multipliers. Forces on body are -Psi^T lambda; without the friction
// force itself, which is added where the sum is asked for.           [dahl] (42)-(48), (53)-(55)
#include <math.h>
#include <string.h>

#include "linkage/linkage.h"

// Constraint force, moment about the pair's point and power, on body.
static void add_row(const Layout *layout, const Memory *m, int p, StiVec2 arm, const double *v,
                    StiPairLoad *load)
{
    const double *J = m->J + 6 * p, *own = v + 3 * layout->rows[p].body[0];
    const double f = -m->lambda[p];
    load->force.x += f * J[0];
    load->force.y += f * J[1];
    load->moment += f * (J[2] - vec2_dot((StiVec2){J[0], J[1]}, vec2_turn(arm)));
    load->power += f * (J[0] * own[0] + J[1] * own[1] + J[2] * own[2]);
}

// A pin: R is the whole force through it. Friction F is tangential to N, so R^2 = N^2 + F^2: the
// corrected (48)-(52) in a form without an iteration on directions. Torque only: N = R.
static void load_pin(const StiPlanarPair *pair, double friction, StiPairLoad *load)
{
    const double R = load->reaction, rest = R * R - friction * friction;
    load->normal = pair->torque_only ? R : rest > 0.0 ? sqrt(rest) : 0.0;
}

double sti_linkage_normal(const StiLinkage *linkage, const Memory *m, int pair,
                          const StiPairLoad *load)
{
    const double *along = m->coordinate + COORDINATE_SIZE * pair;
    if (!sti_pair_kind(linkage->pairs[pair].type)->slides) return 0.0;
    return vec2_dot(vec2_turn((StiVec2){along[0], along[1]}), load->force);
}

static void load_slider(const StiPlanarPair *pair, double N0, StiPairLoad *load)
{
    const StiSliderContact contact = sti_slider_contact(N0, load->moment, pair->front, pair->rear);
    load->N1 = contact.N_front;
    load->N2 = contact.N_rear;
    load->mode = contact.mode;
    load->normal = fabs(contact.N_front) + fabs(contact.N_rear);
}

// Along the coordinate of the pair: rate of one of its bodies.
static double rate_of_side(const Memory *m, int k, int side, int body, const double *v)
{
    const double *J = m->coordinate + COORDINATE_SIZE * k + 3 * side, *own = v + 3 * body;
    return body >= 0 ? J[0] * own[0] + J[1] * own[1] + J[2] * own[2] : 0.0;
}

// f acts on body along the coordinate.
static void add_friction(const Memory *m, const StiPlanarPair *pair, int k, double f,
                         const double *v, StiPairLoad *load)
{
    const double own = rate_of_side(m, k, 0, pair->body, v);
    load->power += f * own;
    load->loss = -f * (own + rate_of_side(m, k, 1, pair->other, v));
}

void sti_linkage_loads(const StiLinkage *linkage, const Layout *layout, const Memory *m,
                       const double *v, const double *friction, StiPairLoad *loads)
{
    memset(loads, 0, (size_t)linkage->pair_count * sizeof *loads);
    for (int p = 0; p < layout->count; ++p) {
        const Row *row = &layout->rows[p];
        const StiPlanarPair *pair = &linkage->pairs[row->pair];
        if (row->type != ROW_OF_PAIR) continue;
        add_row(layout, m, p, posture_rotate(&m->postures[pair->body], pair->at), v,
                &loads[row->pair]);
    }
    for (int k = 0; k < linkage->pair_count; ++k) {
        const StiPlanarPair *pair = &linkage->pairs[k];
        const double F = friction != NULL ? friction[k] : 0.0;
        StiPairLoad *load = &loads[k];
        load->reaction = pair->type == STI_PAIR_GEAR ? fabs(load->moment)
                                                     : sqrt(vec2_dot(load->force, load->force));
        load->normal = load->reaction;
        if (pair->type == STI_PAIR_REVOLUTE) load_pin(pair, F, load);
        if (pair->type == STI_PAIR_PRISMATIC)
            load_slider(pair, sti_linkage_normal(linkage, m, k, load), load);
        if (sti_pair_kind(pair->type)->slides)
            add_friction(m, pair, k, F * (pair->type == STI_PAIR_REVOLUTE ? pair->radius : 1.0), v,
                         load);
    }
}
