// A mass under one reaction, stepped by hand as the papers do: [fixed-step] (17). Include after
// cmocka.h.
#ifndef STICTION_TESTS_UNIT_REACTION_MASS_H
#define STICTION_TESTS_UNIT_REACTION_MASS_H

#include "stiction/reaction.h"

typedef struct Mass {
    int dim;
    double M;
    double x[3], v[3];
    double r[3]; // resistance during the last step
    double s;    // mode: 0 stick, 1 slip
} Mass;

static inline void step_mass(Mass *mass, const StiReactionKind *kind, const void *parameters,
                             double T, const double *h)
{
    double W[9] = {0.0}, vbar[3];
    StiReactionAnswer answer;
    const StiReactionProblem problem = {
        .dim = mass->dim, .T = T, .W = W, .v = mass->v, .vbar = vbar};
    for (int i = 0; i < mass->dim; ++i) {
        W[(mass->dim + 1) * i] = 1.0 / mass->M;
        vbar[i] = mass->v[i] + T * h[i] / mass->M; // (17a)
    }
    do assert_int_equal(kind->resolve(parameters, &problem, &mass->s, &answer), STI_OK); // (17b)
    while (kind->release != NULL && kind->release(parameters, &answer, &mass->s));
    kind->settle(parameters, &problem, &answer, &mass->s);
    for (int i = 0; i < mass->dim; ++i) {
        mass->r[i] = answer.r[i];
        mass->v[i] = answer.stuck ? 0.0 : vbar[i] - T * answer.r[i] / mass->M; // (17c)
        mass->x[i] += T * mass->v[i];
    }
}

#endif
