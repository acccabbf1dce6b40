// A mass that answers a force with an acceleration W f in another direction, as a mechanism does,
// on a surface with friction. Its kind is written here, outside the library.
#ifndef STICTION_TESTS_SCENES_OBLIQUE_MASS_H
#define STICTION_TESTS_SCENES_OBLIQUE_MASS_H

#include <string.h>

#include "support/plan.h"
#include "support/scenes/friction.h"

typedef struct ObliqueMass {
    int dim;            // 1, 2, 3
    double W[9];        // 1/kg, dim x dim, symmetric, positive semi-definite
    double velocity[3]; // m/s, at the start
} ObliqueMass;

static inline StiAdmittanceSize oblique_mass_size(const void *parameters)
{
    const ObliqueMass *p = parameters;
    return (
        StiAdmittanceSize){.positions = p->dim, .velocities = p->dim, .prepared = p->dim * p->dim};
}

static inline void oblique_mass_start(const void *parameters, double *q, double *v)
{
    const ObliqueMass *p = parameters;
    memset(q, 0, (size_t)p->dim * sizeof *q);
    memcpy(v, p->velocity, (size_t)p->dim * sizeof *v);
}

static inline void oblique_mass_pose(const void *parameters, const double *q, const double *v,
                                     const double *signals, StiFrame *links)
{
    (void)parameters, (void)q, (void)v, (void)signals, (void)links; // it has no links
}

static inline void oblique_mass_times(int dim, const double *W, const double *f, double *a)
{
    for (int i = 0; i < dim; ++i) {
        a[i] = 0.0;
        for (int j = 0; j < dim; ++j) a[i] += W[i * dim + j] * f[j];
    }
}

static inline StiStatus oblique_mass_eval(const void *parameters, const StiStage *stage,
                                          const double *q, const double *v, const double *signals,
                                          const StiForce *uhat, double *qdot, double *vdot,
                                          double *loads)
{
    (void)stage, (void)q, (void)signals, (void)loads;
    const ObliqueMass *p = parameters;
    memcpy(qdot, v, (size_t)p->dim * sizeof *qdot);
    oblique_mass_times(p->dim, p->W, uhat->generalized, vdot);
    return STI_OK;
}

static inline StiStatus oblique_mass_prepare(const void *parameters, const double *q,
                                             const bool *locked, const double *added,
                                             double *prepared)
{
    (void)q;
    const ObliqueMass *p = parameters;
    if (locked != NULL || added != NULL) return STI_BAD_ARGUMENT; // knows W only, not H
    memcpy(prepared, p->W, (size_t)(p->dim * p->dim) * sizeof *prepared);
    return STI_OK;
}

static inline void oblique_mass_respond(const void *parameters, const double *prepared,
                                        const double *q, const StiForce *force, double *dv)
{
    (void)q;
    const ObliqueMass *p = parameters;
    oblique_mass_times(p->dim, prepared, force->generalized, dv);
}

static inline void oblique_mass_move(const void *parameters, const double *v, double T, double *q)
{
    const ObliqueMass *p = parameters;
    for (int i = 0; i < p->dim; ++i) q[i] += T * v[i];
}

static const StiAdmittanceKind oblique_mass_kind = {
    .table_size = sizeof(StiAdmittanceKind),
    .info = {.name = "oblique-mass",
             .summary = "a mass that moves across the force",
             .size = sizeof(ObliqueMass)},
    .size = oblique_mass_size,
    .start = oblique_mass_start,
    .pose = oblique_mass_pose,
    .eval = oblique_mass_eval,
    .prepare = oblique_mass_prepare,
    .respond = oblique_mass_respond,
    .move = oblique_mass_move,
};

typedef struct ObliqueSlide {
    StiPlan *plan;
    StiAdmittanceId mass;
    StiElementId friction;
} ObliqueSlide;

static inline ObliqueSlide scene_oblique_mass(double T, const ObliqueMass *mass,
                                              SceneFriction friction)
{
    ObliqueSlide scene = {.plan = plan_in_stages()};
    sti_plan_set_step(scene.plan, T);
    scene.mass = sti_plan_add_admittance(scene.plan, "mass", &oblique_mass_kind, mass);
    scene.friction = scene_add_friction(scene.plan, "friction", friction,
                                        sti_wire_coordinate(scene.mass, 0, mass->dim));
    return scene;
}

#endif
