// Friction of contacts that yields before it slips. A bristle, taken by backward Euler over the step, is a small
// compliance of the point's tangential rows: its tip holds where v + yield f + shift = 0. Then the cone is that
// of rigid friction. elastic-coulomb is linear up to its limit, so that this is exact; lugre and elastoplastic
// have no limit of their own and are made linear at the motion at hand until they repeat, as laws are.
#include <math.h>

#include "solver/coupled/coupled.h"

static const double settled = 1e-11;   // of the friction and of what the normal force allows
static const double least_slope = 0.1; // of the slope without that of the level: W stays definite
static const double no_limit = 1e6;    // in place of mu, where the bristle itself has the limit
enum { PATIENCE = 12 }; // rounds until motions that swing to and fro are followed half the way

void sti_coupled_take_bristles(StiArena *arena, const StiNetwork *network, CoupledData *data)
{
    bool any = false;
    for (int i = 0; i < network->contact_count; ++i)
        any = any || sti_contact_is_elastic(network->contacts[i].parameters);
    if (any)
        data->bristles =
            sti_arena_take(arena, (size_t)network->point_count + 1, sizeof *data->bristles);
}

// ---- one bristle --------------------------------------------------------------------------------

// What counts for a point: its numbers, its level at a speed, where it is bent to (along the tangents).
typedef struct Bristle {
    StiContactBristle p;
    const StiContact *contact;
    double mu, T, z[2];
} Bristle;

static Bristle bristle_of(const StiNetwork *network, const ContactPoint *point)
{
    const Contact *contact = &network->contacts[point->contact];
    return (Bristle){.p = contact->parameters->bristle,
                     .contact = contact->parameters,
                     .mu = sti_contact_rub(contact, point->shape).mu,
                     .T = network->step,
                     .z = {sti_vec3_dot(point->bent, point->tangent[0]),
                           sti_vec3_dot(point->bent, point->tangent[1])}};
}

static double level_of(const Bristle *b, double speed)
{
    const StiLaw *law = &b->contact->law;
    return law->kind == NULL ? b->mu : fmax(sti_law_level(law, speed, 0.0, NULL), 0.0);
}

// Half a sine from 0 at break-away to 1 where sliding is steady.
static double plastic_share(const Bristle *b, double r)
{
    const double pi = 3.14159265358979323846, from = b->p.breakaway;
    if (b->p.model != STI_CONTACT_ELASTOPLASTIC || r >= 1.0) return 1.0;
    return r <= from ? 0.0 : 0.5 + 0.5 * sti_sin(pi * (r - 0.5 * (1.0 + from)) / (1.0 - from));
}

// 1/s: zdot = v - a z. bent: z along the motion.
static double yield_rate(const Bristle *b, double speed, double bent, double fn)
{
    static const double at_once = 1e30; // 1/s: what carries nothing holds no bristle
    const double F = level_of(b, speed) * fn;
    if (!(F * at_once > b->p.stiffness * speed)) return at_once;
    return plastic_share(b, b->p.stiffness * bent / F) * b->p.stiffness * speed / F;
}

// The friction of a bristle at a velocity, and how it grows: across the motion, and along it.
typedef struct BristleForce {
    double F[2], along[2];
    double across_slope, along_slope;
    double after[2]; // m: where it is bent to at the end of the step
} BristleForce;

// z+ = z + T (v - a z+), F = K z+ + B zdot + viscous v.
static BristleForce force_of(const Bristle *b, const double v[2], double fn)
{
    const double T = b->T, Z = b->p.damping + T * b->p.stiffness;
    const double speed = sqrt(v[0] * v[0] + v[1] * v[1]);
    BristleForce to = {
        .along = {speed > 0.0 ? v[0] / speed : 1.0, speed > 0.0 ? v[1] / speed : 0.0}};
    const double *z = b->z, bent = z[0] * to.along[0] + z[1] * to.along[1];
    const double a = yield_rate(b, speed, bent, fn), share = 1.0 / (1.0 + T * a);
    for (int d = 0; d < 2; ++d) {
        to.after[d] = (z[d] + T * v[d]) * share;
        to.F[d] = b->p.stiffness * to.after[d] +
                  b->p.damping * (v[d] * share - z[d] * (1.0 - share) / T) + b->p.viscous * v[d];
    }
    to.across_slope = to.along_slope = Z * share + b->p.viscous;
    if (speed > 0.0) {
        const double step = 1e-6 * speed;
        const double growth =
            (yield_rate(b, speed + step, bent, fn) - yield_rate(b, speed - step, bent, fn)) /
            (2.0 * step);
        to.along_slope -= Z * share * share * (T * speed + bent) * growth;
    }
    to.along_slope = fmax(to.along_slope, least_slope * to.across_slope);
    return to;
}

// ---- as rows ------------------------------------------------------------------------------------

static void hold_elastic(const Bristle *b, PointBristle *to)
{
    const double Z = b->p.damping + b->T * b->p.stiffness;
    for (int d = 0; d < 2; ++d) {
        to->yield[d][d] = 1.0 / Z;
        to->yield[d][1 - d] = 0.0;
        to->shift[d] = b->p.stiffness * b->z[d] / Z;
    }
}

// F(v) = F + slope (v - v0): the row holds where v - v0 + (f + F)/slope = 0.
static void hold_linear(const BristleForce *at, const double v[2], PointBristle *to)
{
    const double *n = at->along;
    const double more = 1.0 / at->along_slope - 1.0 / at->across_slope;
    for (int i = 0; i < 2; ++i) {
        to->shift[i] = -v[i];
        for (int k = 0; k < 2; ++k) {
            to->yield[i][k] = (i == k ? 1.0 / at->across_slope : 0.0) + more * n[i] * n[k];
            to->shift[i] += to->yield[i][k] * at->F[k];
        }
    }
}

bool sti_bristle_moved(const StiNetwork *network, StiScratch *scratch, int node)
{
    CoupledData *data = coupled_data(scratch);
    StiBlockNode *n = &data->set->block_nodes[node];
    const Bristle b = bristle_of(network, &scratch->contacts->points[data->set->nodes[node].index]);
    PointBristle *to = &data->bristles[node];
    if (b.p.model == STI_CONTACT_ELASTIC_COULOMB) {
        hold_elastic(&b, to);
        return false;
    }
    const double *f = data->set->f + n->row, *v = data->set->v + n->row;
    const double fn = fmax(f[2], 0.0);
    const BristleForce at = force_of(&b, v, fn);
    const double miss =
        sqrt((at.F[0] + f[0]) * (at.F[0] + f[0]) + (at.F[1] + f[1]) * (at.F[1] + f[1]));
    const double size = sqrt(f[0] * f[0] + f[1] * f[1]) + level_of(&b, 0.0) * fn;
    const double share = data->law_round < PATIENCE ? 1.0 : 0.5;
    to->fn = share == 1.0 ? fn : to->fn + share * (fn - to->fn);
    if (fn == 0.0 && data->law_round == 0)
        to->fn = INFINITY; // new: it holds, until its load is known
    for (int d = 0; d < 2; ++d) to->v[d] += share * (v[d] - to->v[d]);
    const BristleForce from = force_of(&b, to->v, to->fn);
    hold_linear(&from, to->v, to);
    n->limit = n->limit_static = no_limit;
    n->stuck_before = false;
    return fn > 0.0 && miss > settled * size;
}

static double *own_W(const RowSet *set, int node, int r, int c)
{
    const StiBlockPair *pair = sti_pair_own(set, node);
    return &set->W[pair->place + r * pair->stride + c];
}

void sti_bristles_enter(const StiScratch *scratch)
{
    const CoupledData *data = coupled_data(scratch);
    for (int i = 0; data->bristles != NULL && i < scratch->contacts->point_count; ++i) {
        PointBristle *b = &data->bristles[i];
        double *c = data->set->c + data->set->block_nodes[i].row;
        if (!scratch->contacts->points[i].elastic) continue;
        for (int r = 0; r < 2; ++r) {
            b->c[r] = c[r];
            c[r] += b->shift[r];
            for (int k = 0; k < 2; ++k) {
                b->W[r][k] = *own_W(data->set, i, r, k);
                *own_W(data->set, i, r, k) += b->yield[r][k];
            }
        }
    }
}

void sti_bristles_leave(const StiScratch *scratch)
{
    const CoupledData *data = coupled_data(scratch);
    const RowSet *set = data->set;
    for (int i = 0; data->bristles != NULL && i < scratch->contacts->point_count; ++i) {
        PointBristle *b = &data->bristles[i];
        const int row = set->block_nodes[i].row;
        if (!scratch->contacts->points[i].elastic) continue;
        for (int r = 0; r < 2; ++r) {
            set->c[row + r] = b->c[r];
            b->slip[r] = set->v[row + r];
            set->v[row + r] -=
                b->shift[r] + b->yield[r][0] * set->f[row] + b->yield[r][1] * set->f[row + 1];
            for (int k = 0; k < 2; ++k) *own_W(set, i, r, k) = b->W[r][k];
        }
    }
}

// ---- what comes out -----------------------------------------------------------------------------

// N: where a bristle that is bent by as much no longer counts as stuck.
static double stuck_up_to(const Bristle *b, double speed, double fn)
{
    const double share = b->p.model == STI_CONTACT_ELASTOPLASTIC ? b->p.breakaway : 0.99;
    return share * level_of(b, speed) * fn;
}

// What the load of this step does not hold is let go: when it falls, the damper would drive the motion else.
static double share_kept(const Bristle *b, double bent, double fn)
{
    const double most = level_of(b, 0.0) * fn;
    return bent > most ? most / bent : 1.0;
}

static void read_bristle(const StiNetwork *network, const RowSet *set, int node,
                         ContactPoint *point)
{
    const Bristle b = bristle_of(network, point);
    const double *f = set->f + set->block_nodes[node].row, *v = set->v + set->block_nodes[node].row;
    double after[2];
    if (b.p.model == STI_CONTACT_ELASTIC_COULOMB) {
        const double Z = b.p.damping + b.T * b.p.stiffness;
        for (int d = 0; d < 2; ++d) after[d] = b.z[d] - b.T * (f[d] + b.p.stiffness * b.z[d]) / Z;
    } else {
        const BristleForce at = force_of(&b, v, f[2]);
        const double bent =
            b.p.stiffness * sqrt(at.after[0] * at.after[0] + at.after[1] * at.after[1]);
        const double speed = sqrt(v[0] * v[0] + v[1] * v[1]);
        for (int d = 0; d < 2; ++d) after[d] = share_kept(&b, bent, f[2]) * at.after[d];
        point->mode = bent < stuck_up_to(&b, speed, f[2]) ? STI_BLOCK_STICK : STI_BLOCK_SLIDE;
    }
    point->bent_after = sti_vec3_add_scaled(sti_vec3_scale(after[0], point->tangent[0]), after[1],
                                            point->tangent[1]);
}

void sti_coupled_read_bristles(const StiNetwork *network, StiScratch *scratch)
{
    const CoupledData *data = coupled_data(scratch);
    for (int i = 0; data->bristles != NULL && i < scratch->contacts->point_count; ++i) {
        ContactPoint *point = &scratch->contacts->points[i];
        if (point->elastic && point->mode != STI_BLOCK_OPEN)
            read_bristle(network, data->set, i, point);
    }
}
