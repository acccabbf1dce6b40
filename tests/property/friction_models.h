// Every friction model of the library with random parameters. Include after cmocka.h.
#ifndef STICTION_TESTS_FRICTION_MODELS_H
#define STICTION_TESTS_FRICTION_MODELS_H

#include "stiction/stiction.h"
#include "support/random.h"

enum {
    VISCOUS_APPROXIMATION,
    DAHL,
    DAHL_STIFF,
    DAHL_OTHER_ALPHA,
    LUGRE,
    LUGRE_STIFF,
    ELASTOPLASTIC,
    ELASTIC_COULOMB,
    ELASTIC_COULOMB_PLANAR,
    ELASTIC_COULOMB_SPATIAL,
    MAXWELL_SLIP,
    MAXWELL_SLIP_DAMPED,
    LEUVEN,
    GMS,
    LINEAR_CONTINUOUS,
    LINEAR_CONTINUOUS_WITH_MASS,
    COMPOUND,
    MODEL_COUNT
};

static const char *const model_names[MODEL_COUNT] = {
    "viscous approximation",
    "Dahl",
    "Dahl, stiff",
    "Dahl, other alpha",
    "LuGre",
    "LuGre, stiff",
    "elastoplastic",
    "elastic Coulomb",
    "elastic Coulomb, planar",
    "elastic Coulomb, spatial",
    "Maxwell slip",
    "Maxwell slip, damped",
    "Leuven",
    "GMS",
    "linear continuous",
    "linear continuous with a mass",
    "compound",
};

enum { BANK = 4 };

// One model with room for its parameters; level: what it slides at, N.
typedef struct FrictionModel {
    const StiImpedanceKind *kind;
    const void *parameters;
    int dim;
    double level, stiffness;
    union {
        StiViscousApproximation viscous;
        StiDahl dahl;
        StiLuGre lugre;
        StiElastoplastic elastoplastic;
        StiElasticCoulomb elastic;
        StiMaxwellSlip bank;
        StiLeuven leuven;
        StiGms gms;
        StiLinearContinuous continuous;
        StiCompound compound;
    } p;
    double K[BANK], F[BANK], B[BANK], share[BANK];
    StiElasticCoulomb part_elastic;
    StiDahl part_dahl;
    StiImpedance parts[2];
} FrictionModel;

static inline StiLaw falling_law(double level, double v)
{
    return sti_law_stribeck(level, 1.3 * level, v, 2.0, 0.0);
}

// Banks whose levels add up to the highest level of the law.
static inline void fill_bank(FrictionModel *m, Random *random, double level, double K)
{
    double sum = 0.0;
    for (int i = 0; i < BANK; ++i) sum += m->share[i] = random_between(random, 0.2, 1.0);
    for (int i = 0; i < BANK; ++i) {
        m->share[i] /= sum;
        m->F[i] = 1.3 * level * m->share[i];
        m->K[i] = K / BANK * random_between(random, 0.5, 1.5);
        m->B[i] = 1e-3 * m->K[i];
    }
}

// level and stiffness K are given; v: a speed that matters in the motion to come. m must stay where
// it is: parameters point into it.
static inline void choose_model(FrictionModel *m, int which, Random *random, double level, double K,
                                double v)
{
    const StiLaw constant = sti_law_coulomb(level), falling = falling_law(level, v);
    const double B = random_decades(random, 1e-4, 1e-2) * K;
    *m = (FrictionModel){.dim = 1, .level = level, .stiffness = K};
    m->parameters = &m->p;
    fill_bank(m, random, level, K);
    switch (which) {
    case VISCOUS_APPROXIMATION:
        m->kind = &sti_kind_viscous_approximation;
        m->p.viscous = (StiViscousApproximation){.dim = 1, .law = falling, .eps = 0.1 * v};
        break;
    case DAHL:
    case DAHL_STIFF:
    case DAHL_OTHER_ALPHA:
        m->kind = &sti_kind_dahl;
        m->p.dahl =
            (StiDahl){.law = constant,
                      .K = K,
                      .alpha = which == DAHL_OTHER_ALPHA ? random_between(random, 0.5, 2.0) : 1.0,
                      .stiff = which == DAHL_STIFF};
        break;
    case LUGRE:
    case LUGRE_STIFF: // passive: sigma2 >= sigma1 (FS - FC)/FC
        m->kind = &sti_kind_lugre;
        m->p.lugre = (StiLuGre){.law = falling,
                                .sigma0 = K,
                                .sigma1 = B,
                                .sigma2 = 0.31 * B,
                                .stiff = which == LUGRE_STIFF};
        break;
    case ELASTOPLASTIC:
        m->kind = &sti_kind_elastoplastic;
        m->p.elastoplastic = (StiElastoplastic){
            .law = falling, .sigma0 = K, .sigma1 = B, .sigma2 = 0.31 * B, .breakaway = 0.7};
        break;
    case ELASTIC_COULOMB:
    case ELASTIC_COULOMB_PLANAR:
    case ELASTIC_COULOMB_SPATIAL:
        m->kind = &sti_kind_elastic_coulomb;
        m->dim = 1 + which - ELASTIC_COULOMB;
        m->p.elastic = (StiElasticCoulomb){.dim = m->dim, .law = constant, .K = K, .B = B};
        break;
    case MAXWELL_SLIP:
    case MAXWELL_SLIP_DAMPED:
        m->kind = &sti_kind_maxwell_slip;
        m->p.bank = (StiMaxwellSlip){.elements = BANK,
                                     .K = m->K,
                                     .F = m->F,
                                     .B = which == MAXWELL_SLIP_DAMPED ? m->B : NULL};
        break;
    case LEUVEN:
        m->kind = &sti_kind_leuven;
        m->p.leuven = (StiLeuven){.law = falling,
                                  .elements = BANK,
                                  .K = m->K,
                                  .F = m->F,
                                  .exponent = 2.0,
                                  .sigma1 = B,
                                  .sigma2 = 0.7 * B};
        break;
    case GMS:
        m->kind = &sti_kind_gms;
        m->p.gms = (StiGms){.law = falling,
                            .elements = BANK,
                            .K = m->K,
                            .share = m->share,
                            .Q = 10.0 * K * v,
                            .sigma2 = 0.01 * B};
        break;
    case LINEAR_CONTINUOUS:
    case LINEAR_CONTINUOUS_WITH_MASS:
        m->kind = &sti_kind_linear_continuous;
        m->p.continuous = (StiLinearContinuous){.dim = 1,
                                                .law = constant,
                                                .K = K,
                                                .B = B,
                                                .M = which == LINEAR_CONTINUOUS_WITH_MASS
                                                         ? random_decades(random, 1e-4, 1e-2)
                                                         : 0.0};
        break;
    default:
        m->kind = &sti_kind_compound;
        m->part_elastic =
            (StiElasticCoulomb){.dim = 1, .law = constant, .K = 0.5 * K, .B = 0.5 * B};
        m->part_dahl = (StiDahl){.law = constant, .K = 0.5 * K, .alpha = 1.0};
        m->parts[0] = (StiImpedance){&sti_kind_elastic_coulomb, &m->part_elastic};
        m->parts[1] = (StiImpedance){&sti_kind_dahl, &m->part_dahl};
        m->p.compound = (StiCompound){2, m->parts};
    }
}

#endif
