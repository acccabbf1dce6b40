// Rigid bodies, wires and impedances put together by hand: Psi, I, Phi and A of [modular] (13).
// State: q and v of each body, then the memories of the elements. Include after cmocka.h.
#ifndef STICTION_TESTS_ASSEMBLY_H
#define STICTION_TESTS_ASSEMBLY_H

#include "stiction/body.h"
#include "stiction/impedance.h"
#include "stiction/wire.h"
#include "support/runge_kutta.h"

enum { BODIES_MAX = 2, ELEMENTS_MAX = 6, BODY_STATES = 13, ROWS_MAX = 24 };

typedef struct JoinedElement {
    StiImpedance impedance;
    StiWire wire;
    void (*signals)(double t, double *values); // NULL: none
} JoinedElement;

typedef struct Assembly {
    int bodies, elements;
    StiRigidBody body[BODIES_MAX];
    JoinedElement element[ELEMENTS_MAX];
    StiVec3 gravity;
} Assembly;

typedef struct ElementView {
    double x[ROWS_MAX], v[ROWS_MAX], signals[ROWS_MAX];
} ElementView;

// Writes the start and returns how many states there are.
static inline int assembly_start(const Assembly *assembly, double *state)
{
    int n = BODY_STATES * assembly->bodies;
    for (int i = 0; i < assembly->bodies; ++i)
        sti_kind_rigid_body.start(&assembly->body[i], state + BODY_STATES * i,
                                  state + BODY_STATES * i + 7);
    for (int i = 0; i < assembly->elements; ++i) {
        const StiImpedance *impedance = &assembly->element[i].impedance;
        const int memory = impedance->kind->size(impedance->parameters).memory;
        for (int j = 0; j < memory; ++j) state[n++] = 0.0;
    }
    return n;
}

static inline void assembly_poses(const Assembly *assembly, const double *state, StiFrame *links)
{
    for (int i = 0; i < assembly->bodies; ++i) {
        const double *q = state + BODY_STATES * i;
        sti_kind_rigid_body.pose(&assembly->body[i], q, q + 7, NULL, &links[i]);
    }
}

static inline StiSide assembly_side(const StiFrame *links, const StiEnd *end)
{
    static const StiFrame ground = {.q = {1.0, 0.0, 0.0, 0.0}};
    return (StiSide){.link = end->body.number < 0 ? &ground : &links[end->body.number - 1]};
}

static inline void assembly_view(const Assembly *assembly, const StiFrame *links, double t, int i,
                                 ElementView *view)
{
    const JoinedElement *element = &assembly->element[i];
    const StiSide a = assembly_side(links, &element->wire.a);
    const StiSide b = assembly_side(links, &element->wire.b);
    element->wire.kind->sense(&element->wire, &a, &b, view->x, view->v);
    if (element->signals) element->signals(t, view->signals);
}

static inline void assembly_apply(const JoinedElement *element, const StiFrame *links,
                                  const double *u, StiWrench *wrenches)
{
    const StiEnd *ends[2] = {&element->wire.a, &element->wire.b};
    StiForce forces[2] = {{NULL, NULL}, {NULL, NULL}};
    for (int i = 0; i < 2; ++i)
        if (ends[i]->body.number > 0) forces[i].links = &wrenches[ends[i]->body.number - 1];
    const StiSide a = assembly_side(links, ends[0]), b = assembly_side(links, ends[1]);
    element->wire.kind->apply(&element->wire, &a, &b, u, &forces[0], &forces[1]);
}

static inline void assembly_slope(const void *context, double t, double tau, const double *state,
                                  double *rate)
{
    const Assembly *assembly = context;
    const StiStage stage = {.t = t, .tau = tau, .gravity = assembly->gravity};
    StiFrame links[BODIES_MAX];
    StiWrench wrenches[BODIES_MAX] = {{.force = {.x = 0.0}}};
    assembly_poses(assembly, state, links);
    int memory = BODY_STATES * assembly->bodies;
    for (int i = 0; i < assembly->elements; ++i) {
        const StiImpedance *impedance = &assembly->element[i].impedance;
        ElementView view;
        double u[ROWS_MAX];
        assembly_view(assembly, links, t, i, &view);
        const StiMotion xhat = {view.x, view.v, view.signals};
        assert_int_equal(impedance->kind->eval(impedance->parameters, &stage, &xhat, state + memory,
                                               NULL, u, rate + memory),
                         STI_OK);
        assembly_apply(&assembly->element[i], links, u, wrenches);
        memory += impedance->kind->size(impedance->parameters).memory;
    }
    for (int i = 0; i < assembly->bodies; ++i) {
        const double *q = state + BODY_STATES * i;
        double *qdot = rate + BODY_STATES * i, none[6] = {0.0};
        const StiForce uhat = {.generalized = none, .links = &wrenches[i]};
        sti_kind_rigid_body.eval(&assembly->body[i], &stage, q, q + 7, NULL, &uhat, qdot, qdot + 7,
                                 NULL);
    }
}

static inline void assembly_step(const Assembly *assembly, int n, double t, double T, double *state)
{
    runge_kutta_step(assembly_slope, assembly, n, t, T, state);
}

// Of the bodies, and what the elements store.
static inline double assembly_energy(const Assembly *assembly, const double *state)
{
    double sum = 0.0;
    StiFrame links[BODIES_MAX];
    assembly_poses(assembly, state, links);
    for (int i = 0; i < assembly->bodies; ++i) {
        const double *q = state + BODY_STATES * i;
        sum += sti_kind_rigid_body.stored(&assembly->body[i], assembly->gravity, q, q + 7, NULL);
    }
    int memory = BODY_STATES * assembly->bodies;
    for (int i = 0; i < assembly->elements; ++i) {
        const StiImpedance *impedance = &assembly->element[i].impedance;
        ElementView view;
        assembly_view(assembly, links, 0.0, i, &view);
        const StiMotion xhat = {view.x, view.v, NULL};
        if (impedance->kind->stored)
            sum += impedance->kind->stored(impedance->parameters, &xhat, state + memory);
        memory += impedance->kind->size(impedance->parameters).memory;
    }
    return sum;
}

#endif
