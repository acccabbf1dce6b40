// Coulomb friction at a state of sliding: F_k = -mu_k N_k sgn(rate_k), where the loads N depend on all
// F through the multipliers. The multipliers are affine in F, so a few evaluations give them for any
// F: z = z0 + Z F, z being the signed parts of which the loads are made. Then: the fixed point of
// [dahl] (31); where it does not contract, every combination of signs of the parts is a smooth
// problem of its own, linear unless a pin rubs, and all of them are looked at.      EQUATIONS 4.4
#include <math.h>
#include <string.h>

#include "algebra/lu.h"
#include "linkage/linkage.h"

enum {
    RUBBING_MOST = 12,
    PARTS_MOST = 2 * RUBBING_MOST,
    ITERATIONS = 1000,
    LOOK_BACK = 32,
    NEWTON_STEPS = 60
};
static const double tolerance = 1e-12, same = 1e-8;

typedef struct Rub {
    int pair;
    double mu, sign; // sign of the rate
    int part;        // its first part
    int parts;       // 1 of a line, 2 of a pin (fx, fy) or a slider (N1, N2)
    double given;    // friction there that does not follow the load, N
    bool pin, torque_only;
} Rub;

typedef struct Problem {
    Rub rubs[RUBBING_MOST];
    int count, parts;
    double z0[PARTS_MOST], Z[PARTS_MOST][RUBBING_MOST];
} Problem;

static void take_parts(const Problem *p, const StiPairLoad *loads, const StiLinkage *linkage,
                       double *z)
{
    for (int i = 0; i < p->count; ++i) {
        const Rub *rub = &p->rubs[i];
        const StiPairLoad *load = &loads[rub->pair];
        const StiPlanarPairType type = linkage->pairs[rub->pair].type;
        z[rub->part] = type == STI_PAIR_PRISMATIC ? load->N1 : load->force.x;
        if (rub->parts == 2)
            z[rub->part + 1] = type == STI_PAIR_PRISMATIC ? load->N2 : load->force.y;
        // On a line the force has one direction: its signed size is what is linear.
        if (rub->parts == 1) z[rub->part] = copysign(load->reaction, load->moment);
    }
}

// N of one pair from its parts. signs: of the parts (lines and sliders), or NULL for what they are.
static double load_of(const Rub *rub, const double *z, double F, const double *signs)
{
    if (rub->pin) {
        const double R2 = z[rub->part] * z[rub->part] + z[rub->part + 1] * z[rub->part + 1];
        const double all = F + rub->given;
        return rub->torque_only ? sqrt(R2) : sqrt(fmax(R2 - all * all, 0.0));
    }
    double N = 0.0;
    for (int k = rub->part; k < rub->part + rub->parts; ++k)
        N += signs != NULL ? signs[k] * z[k] : fabs(z[k]);
    return N;
}

static void parts_at(const Problem *p, const double *F, double *z)
{
    for (int k = 0; k < p->parts; ++k) {
        z[k] = p->z0[k];
        for (int i = 0; i < p->count; ++i) z[k] += p->Z[k][i] * F[i];
    }
}

// A pin whose friction enters its load, solved for N: N^2 + (given - mu N sgn)^2 = R^2. The root of it, which
// is N (1 + mu^2) less what is given.
static double pin_root(const Rub *rub, const double *z)
{
    const double *f = z + rub->part;
    const double R2 = f[0] * f[0] + f[1] * f[1];
    return sqrt(fmax((1.0 + rub->mu * rub->mu) * R2 - rub->given * rub->given, 0.0));
}

static double pin_load(const Rub *rub, const double *z)
{
    const double mu = rub->mu;
    return fmax(pin_root(rub, z) + rub->sign * mu * rub->given, 0.0) / (1.0 + mu * mu);
}

static bool is_solved(const Rub *rub) { return rub->pin && !rub->torque_only; }

// Residual F + mu N sgn.
static void residual(const Problem *p, const double *F, const double *signs, double *r)
{
    double z[PARTS_MOST];
    parts_at(p, F, z);
    for (int i = 0; i < p->count; ++i) {
        const Rub *rub = &p->rubs[i];
        const double N = is_solved(rub) ? pin_load(rub, z) : load_of(rub, z, F[i], signs);
        r[i] = F[i] + rub->mu * N * rub->sign;
    }
}

// dr/dF, exactly.
static void slopes(const Problem *p, const double *F, const double *signs, double *A)
{
    double z[PARTS_MOST];
    parts_at(p, F, z);
    for (int i = 0; i < p->count; ++i) {
        const Rub *rub = &p->rubs[i];
        const int k = rub->part;
        const double R = is_solved(rub) ? pin_root(rub, z)
                         : rub->pin     ? sti_hypot(z[k], z[k + 1])
                                        : 1.0;
        for (int j = 0; j < p->count; ++j) {
            double dN = 0.0;
            if (rub->pin)
                dN = R > 0.0 ? (z[k] * p->Z[k][j] + z[k + 1] * p->Z[k + 1][j]) / R : 0.0;
            else
                for (int m = k; m < k + rub->parts; ++m) dN += signs[m] * p->Z[m][j];
            A[i * p->count + j] = (i == j ? 1.0 : 0.0) + rub->mu * rub->sign * dN;
        }
    }
}

static double size_of(const Problem *p, const double *F)
{
    double z[PARTS_MOST], size = 0.0;
    parts_at(p, F, z);
    for (int k = 0; k < p->parts; ++k) size = fmax(size, fmax(fabs(z[k]), fabs(p->z0[k])));
    return size;
}

// With the signs of the parts fixed; then they must be what was assumed.
static bool solve_case(const Problem *p, const double *signs, double *F)
{
    double A[RUBBING_MOST * RUBBING_MOST], r[RUBBING_MOST], z[PARTS_MOST];
    int pivots[RUBBING_MOST];
    for (int step = 0; step < NEWTON_STEPS; ++step) {
        double change = 0.0;
        residual(p, F, signs, r);
        slopes(p, F, signs, A);
        if (!sti_lu_factor(p->count, A, pivots)) return false;
        sti_lu_solve(p->count, A, pivots, r);
        for (int i = 0; i < p->count; ++i) {
            F[i] -= r[i];
            change = fmax(change, fabs(r[i]));
        }
        if (!(change < 1e200)) return false;
        if (change <= tolerance * size_of(p, F)) break;
        if (step == NEWTON_STEPS - 1) return false;
    }
    const double size = size_of(p, F);
    parts_at(p, F, z);
    for (int i = 0; i < p->count; ++i)
        for (int k = p->rubs[i].part; !p->rubs[i].pin && k < p->rubs[i].part + p->rubs[i].parts;
             ++k)
            if (signs[k] * z[k] < -1e-10 * size) return false;
    return true;
}

// Found before?
static bool is_known(const Problem *p, const double *F, const double *found, int count)
{
    const double size = size_of(p, F);
    for (int s = 0; s < count; ++s) {
        double apart = 0.0;
        for (int i = 0; i < p->count; ++i)
            apart = fmax(apart, fabs(F[i] - found[s * p->count + i]));
        if (apart <= same * size) return true;
    }
    return false;
}

// All combinations of signs; a pin is asked from two sides. Returns how many solutions there are.
static int look_at_all(const Problem *p, double *found, int most)
{
    double signs[PARTS_MOST], F[RUBBING_MOST];
    int bits = 0, count = 0, where[PARTS_MOST];
    bool pins = false;
    for (int i = 0; i < p->count; ++i) {
        pins = pins || p->rubs[i].pin;
        for (int k = 0; !p->rubs[i].pin && k < p->rubs[i].parts; ++k)
            where[bits++] = p->rubs[i].part + k;
    }
    for (int combination = 0; combination < 1 << bits; ++combination)
        for (int start = 0; start < (pins ? 2 : 1); ++start) {
            for (int b = 0; b < bits; ++b) signs[where[b]] = combination >> b & 1 ? -1.0 : 1.0;
            for (int i = 0; i < p->count; ++i)
                F[i] = start == 0 ? 0.0
                                  : -p->rubs[i].sign * 1e3 * p->rubs[i].mu *
                                        size_of(p, (double[RUBBING_MOST]){0});
            if (!solve_case(p, signs, F) || is_known(p, F, found, count < most ? count : most))
                continue;
            if (count < most) memcpy(found + count * p->count, F, (size_t)p->count * sizeof *F);
            ++count;
        }
    return count;
}

static void fixed_point(const Problem *p, double *F, StiCoulombAnswer *answer)
{
    double z[PARTS_MOST], before = 0.0, kept = INFINITY;
    for (int i = 0; i < p->count; ++i) F[i] = 0.0;
    for (answer->iterations = 1; answer->iterations <= ITERATIONS; ++answer->iterations) {
        double change = 0.0;
        parts_at(p, F, z);
        for (int i = 0; i < p->count; ++i) {
            const double next =
                -p->rubs[i].mu * p->rubs[i].sign * load_of(&p->rubs[i], z, F[i], NULL);
            if (fabs(next - F[i]) > change) answer->pair = p->rubs[i].pair;
            change = fmax(change, fabs(next - F[i]));
            F[i] = next;
        }
        answer->contraction = before > 0.0 ? change / before : 0.0;
        before = change;
        answer->settled = change <= tolerance * size_of(p, F);
        if (answer->settled || !(change < 1e100)) return;
        if (answer->iterations % LOOK_BACK != 0) continue;
        if (change > 0.5 * kept) return; // it does not contract, or hardly
        kept = change;
    }
}

// Which pairs rub, and how the parts of their loads depend on the friction of each.
static StiStatus set_up(const StiLinkage *linkage, const double *q, const double *v,
                        const StiDriven *driven, const StiLinkageForce *force, const double *mu,
                        double *workspace, Problem *p, bool *too_many)
{
    Memory m = sti_linkage_memory(linkage, workspace);
    const int pairs = linkage->pair_count;
    double *rest = workspace + m.size, *friction = rest;
    double *vdot = friction + pairs, *rate = vdot + 3 * linkage->body_count;
    double *coordinate = rate + pairs;
    StiPairLoad *loads = (StiPairLoad *)(void *)(coordinate + pairs);
    StiLinkageForce with = *force;
    with.friction = friction;
    sti_linkage_coordinates(linkage, q, v, coordinate, rate, workspace);
    for (int k = 0; k < pairs; ++k) {
        const StiPlanarPairType type = linkage->pairs[k].type;
        friction[k] = force->friction != NULL ? force->friction[k] : 0.0;
        if (mu[k] == 0.0 || rate[k] == 0.0 || !sti_pair_kind(type)->slides) continue;
        *too_many = p->count == RUBBING_MOST;
        if (*too_many) return STI_OK;
        Rub *rub = &p->rubs[p->count++];
        *rub = (Rub){.pair = k,
                     .mu = fabs(mu[k]),
                     .sign = copysign(1.0, mu[k] < 0.0 ? -rate[k] : rate[k]),
                     .part = p->parts};
        rub->pin = type == STI_PAIR_REVOLUTE;
        rub->torque_only = linkage->pairs[k].torque_only;
        rub->given = friction[k];
        rub->parts = rub->pin || type == STI_PAIR_PRISMATIC ? 2 : 1;
        p->parts += rub->parts;
    }
    for (int i = -1; i < p->count; ++i) { // without friction, then with one newton at each
        double z[PARTS_MOST];
        if (i >= 0) friction[p->rubs[i].pair] = p->rubs[i].given + 1.0;
        const StiStatus status = sti_linkage_forward(linkage, q, v, driven, &with, NULL, vdot,
                                                     loads, NULL, NULL, workspace);
        if (status != STI_OK) return status;
        for (int k = 0; k < pairs; ++k) // where a line's force acts: up or down
            loads[k].moment = sti_linkage_normal(linkage, &m, k, &loads[k]);
        take_parts(p, loads, linkage, i < 0 ? p->z0 : z);
        for (int k = 0; i >= 0 && k < p->parts; ++k) p->Z[k][i] = z[k] - p->z0[k];
        if (i >= 0) friction[p->rubs[i].pair] = p->rubs[i].given;
    }
    return STI_OK;
}

StiStatus sti_linkage_coulomb(const StiLinkage *linkage, const double *q, const double *v,
                              const StiDriven *driven, const StiLinkageForce *force,
                              const double *mu, int most, double *friction,
                              StiCoulombAnswer *answer, double *workspace)
{
    enum { KEPT = 64 };
    static const StiLinkageForce none = {NULL, NULL, NULL, {0.0, 0.0, 0.0}};
    Problem p = {.count = 0};
    double F[RUBBING_MOST], found[KEPT * RUBBING_MOST];
    bool too_many = false;
    *answer = (StiCoulombAnswer){.outcome = STI_COULOMB_UNKNOWN, .pair = -1};
    const StiStatus status =
        set_up(linkage, q, v, driven, force != NULL ? force : &none, mu, workspace, &p, &too_many);
    if (status != STI_OK || too_many) return status;
    fixed_point(&p, F, answer);
    // A contraction has one solution; otherwise all cases are looked at.
    int count = answer->settled ? 1 : 0;
    if (answer->settled && answer->contraction < 0.9)
        memcpy(found, F, (size_t)p.count * sizeof *F);
    else
        count = look_at_all(&p, found, KEPT);
    answer->solutions = count;
    answer->outcome = count == 1  ? STI_COULOMB_ONE
                      : count > 1 ? STI_COULOMB_SEVERAL
                                  : STI_COULOMB_NONE;
    for (int s = 0; s < count && s < most && s < KEPT; ++s)
        for (int k = 0; k < linkage->pair_count; ++k) {
            double *to = friction + s * linkage->pair_count + k;
            *to = 0.0;
            for (int i = 0; i < p.count; ++i)
                if (p.rubs[i].pair == k) *to = found[s * p.count + i];
        }
    return STI_OK;
}
