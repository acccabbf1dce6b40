// Two networks with a component of every kind: all impedances, and all reactions too. Bodies,
// elements and sources can be declared in any order. Include after cmocka.h.
#ifndef STICTION_TESTS_EVERY_KIND_H
#define STICTION_TESTS_EVERY_KIND_H

#include <math.h>
#include <stdio.h>

#include "support/random.h"
#include "unit/network/built.h"

enum { HAND, LINE, PLANE, GUIDED, BALL, BOX, ARM, STACK, BODIES };
enum { SCENE_INPUTS = 3 };

typedef struct Scene {
    StiPlan *plan;
    StiAdmittanceId body[BODIES];
    StiSourceId input;   // SCENE_INPUTS values
    StiSourceId breath;  // of time
    StiElementId spring; // whose force another element listens to
} Scene;

static inline void scene_hand(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace;
    values[0] = 0.02 * sin(7.0 * t);
    values[1] = 0.14 * cos(7.0 * t);
}
static inline void scene_breath(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace;
    values[0] = 2.0 + sin(5.0 * t);
}

static inline void add_body(Scene *s, int which)
{
    const StiPointMass line = {.dim = 1, .mass = 0.5, .velocity = {0.3}};
    const StiPointMass plane = {.dim = 2, .mass = 0.8, .velocity = {0.3, -0.2}};
    const StiPointMass stack = {.dim = 3, .mass = 1.3, .velocity = {0.1, 0.2, -0.1}};
    const StiGuidedBlock guided = {.mass = 0.6, .axis = {1.0, 0.2, 0.0}, .velocity = -0.4};
    const StiRigidBody ball = {.mass = 0.3,
                               .inertia = {0.0048, 0.0048, 0.0048},
                               .position = {0.0, 0.0, 0.1999},
                               .velocity = {0.5, 0.1, 0.0}};
    const StiRigidBody box = {.mass = 1.0,
                              .inertia = {0.02, 0.03, 0.04},
                              .position = {2.0, 0.0, 0.0999},
                              .velocity = {0.2, -0.1, 0.0}};
    const StiRigidBody arm = {.mass = 0.4,
                              .inertia = {0.01, 0.02, 0.02},
                              .position = {0.25, 3.0, 1.0},
                              .angular_velocity = {0.0, 0.0, 1.5}};
    const struct {
        const char *name;
        const StiAdmittanceKind *kind;
        const void *parameters;
    } kinds[BODIES] = {{"hand", NULL, NULL},
                       {"line", &sti_kind_point_mass, &line},
                       {"plane", &sti_kind_point_mass, &plane},
                       {"guided", &sti_kind_guided_block, &guided},
                       {"ball", &sti_kind_rigid_body, &ball},
                       {"box", &sti_kind_rigid_body, &box},
                       {"arm", &sti_kind_rigid_body, &arm},
                       {"stack", &sti_kind_point_mass, &stack}};
    s->body[which] = which == HAND
                         ? sti_plan_add_motion(s->plan, "hand", 1,
                                               (StiTimeFunction){.count = 2, .eval = scene_hand})
                         : sti_plan_add_admittance(s->plan, kinds[which].name, kinds[which].kind,
                                                   kinds[which].parameters);
}

// What an element is declared by; the function returns without effect past the last number.
typedef bool AddElement(Scene *s, int number);

static inline StiElementId add_listening(Scene *s, const char *name, const StiImpedanceKind *kind,
                                         const void *parameters, StiWire wire, StiSignal signal)
{
    const StiElementId id = sti_plan_add_impedance(s->plan, name, kind, parameters, &wire);
    sti_plan_connect(s->plan, signal, id, 0);
    return id;
}

// Springs, forces, joints and contacts. Element 0 comes first: another one listens to it.
static inline bool add_plain(Scene *s, int number)
{
    const StiVec3 origin = {0, 0, 0}, up = {0.0, 0.0, 1.0};
    const StiAdmittanceId ground = {-1};
    const StiFrame at_end = {.p = {-0.25, 0.0, 0.0}, .q = STI_QUAT_IDENTITY};
    const StiFrame at_wall = {.p = {0.0, 3.0, 1.0}, .q = STI_QUAT_IDENTITY};
    switch (number) {
    case 0:
        s->spring =
            add_spring(s->plan, "spring",
                       sti_wire_coordinate_pair(s->body[HAND], 0, s->body[LINE], 0, 1), 40.0, 0.1);
        return true;
    case 1:
        add_spring(s->plan, "oblique",
                   sti_wire_point(s->body[GUIDED], 0, origin, sti_vec3(0.1, 0.0, 0.4), 3), 30.0,
                   0.2);
        return true;
    case 2:
        add_spring(s->plan, "tether",
                   sti_wire_point_pair(s->body[STACK], 0, origin, s->body[PLANE], 0, origin, 3),
                   20.0, 0.3);
        return true;
    case 3:
        add_listening(s, "push", &sti_kind_force_source, &(StiForceSource){1},
                      sti_wire_coordinate(s->body[LINE], 0, 1), sti_signal_source(s->input, 0));
        return true;
    case 4: {
        const StiWire wire = sti_wire_coordinate(s->body[PLANE], 0, 2);
        const StiElementId shove = sti_plan_add_impedance(s->plan, "shove", &sti_kind_force_source,
                                                          &(StiForceSource){2}, &wire);
        sti_plan_connect(s->plan, sti_signal_source(s->input, 1), shove, 0);
        sti_plan_connect(s->plan, sti_signal_scaled(sti_signal_source(s->input, 2), -0.5), shove,
                         1);
        return true;
    }
    case 5: {
        const StiWire wire = sti_wire_frame(s->body[ARM], 0, at_end, ground, 0, at_wall);
        sti_plan_add_impedance(s->plan, "joint", &sti_kind_penalty_joint,
                               &(StiPenaltyJoint){.Kp = 2e4, .Bp = 30.0, .Kr = 50.0, .Br = 0.1},
                               &wire);
        return true;
    }
    case 6: {
        const StiWire wire = sti_wire_sphere_plane(s->body[BALL], 0, origin, 0.2, origin, up);
        sti_plan_add_impedance(s->plan, "ball-contact", &sti_kind_soft_contact,
                               &(StiSoftContact){.points = 1, .K = 3e4, .B = 20.0, .mu = 0.2},
                               &wire);
        return true;
    }
    case 7: {
        const StiFrame centre = {.q = STI_QUAT_IDENTITY};
        const StiWire wire =
            sti_wire_box_plane(s->body[BOX], 0, centre, sti_vec3(0.2, 0.15, 0.1), origin, up);
        sti_plan_add_impedance(s->plan, "box-contact", &sti_kind_soft_contact,
                               &(StiSoftContact){.points = 8, .K = 2e4, .B = 20.0, .mu = 0.3},
                               &wire);
        return true;
    }
    default:
        return false;
    }
}

// Every friction model with memory, each on some body.
static inline bool add_friction(Scene *s, int number)
{
    static const double K[3] = {200.0, 300.0, 500.0}, F[3] = {0.1, 0.2, 0.4},
                        B[3] = {0.2, 0.3, 0.5};
    static const double share[3] = {0.2, 0.3, 0.5};
    const StiLaw constant = sti_law_coulomb(0.4),
                 falling = sti_law_stribeck(0.4, 0.5, 0.05, 2.0, 0.0);
    const StiLaw coefficient = sti_law_times_load(sti_law_coulomb(0.1));
    const StiWire line = sti_wire_coordinate(s->body[LINE], 0, 1),
                  plane = sti_wire_coordinate(s->body[PLANE], 0, 2);
    const StiWire stack = sti_wire_coordinate(s->body[STACK], 0, 3),
                  guide = sti_wire_coordinate(s->body[GUIDED], 0, 1);
    const StiFrame at_end = {.p = {-0.25, 0.0, 0.0}, .q = STI_QUAT_IDENTITY};
    const StiFrame at_wall = {.p = {0.0, 3.0, 1.0}, .q = STI_QUAT_IDENTITY};
    const StiWire hinge =
        sti_wire_hinge(s->body[ARM], 0, at_end, (StiAdmittanceId){-1}, 0, at_wall);
    switch (number) {
    case 0:
        sti_plan_add_impedance(s->plan, "viscous", &sti_kind_viscous_approximation,
                               &(StiViscousApproximation){.dim = 2, .law = falling, .eps = 0.01},
                               &plane);
        return true;
    case 1:
        sti_plan_add_impedance(s->plan, "dahl", &sti_kind_dahl,
                               &(StiDahl){.law = constant, .K = 300.0, .alpha = 1.3}, &line);
        return true;
    case 2:
        sti_plan_add_impedance(
            s->plan, "lugre", &sti_kind_lugre,
            &(StiLuGre){.law = falling, .sigma0 = 300.0, .sigma1 = 0.5, .sigma2 = 0.2}, &line);
        return true;
    case 3:
        sti_plan_add_impedance(
            s->plan, "plastic", &sti_kind_elastoplastic,
            &(StiElastoplastic){.law = constant, .sigma0 = 300.0, .sigma1 = 0.5, .breakaway = 0.7},
            &line);
        return true;
    case 4:
        sti_plan_add_impedance(s->plan, "elastic", &sti_kind_elastic_coulomb,
                               &(StiElasticCoulomb){.dim = 3, .law = constant, .K = 2e3, .B = 2.0},
                               &stack);
        return true;
    case 5:
        sti_plan_add_impedance(s->plan, "bank", &sti_kind_maxwell_slip,
                               &(StiMaxwellSlip){.elements = 3, .K = K, .F = F, .B = B}, &line);
        return true;
    case 6:
        sti_plan_add_impedance(s->plan, "leuven", &sti_kind_leuven,
                               &(StiLeuven){.law = constant,
                                            .elements = 3,
                                            .K = K,
                                            .F = F,
                                            .exponent = 2.0,
                                            .sigma1 = 0.1},
                               &line);
        return true;
    case 7:
        sti_plan_add_impedance(s->plan, "gms", &sti_kind_gms,
                               &(StiGms){.law = falling,
                                         .elements = 3,
                                         .K = K,
                                         .share = share,
                                         .Q = 20.0,
                                         .sigma2 = 0.1},
                               &guide);
        return true;
    case 8:
        sti_plan_add_impedance(
            s->plan, "continuous", &sti_kind_linear_continuous,
            &(StiLinearContinuous){.dim = 1, .law = constant, .K = 500.0, .B = 1.0, .M = 0.01},
            &hinge);
        return true;
    case 9: {
        const StiElasticCoulomb elastic = {.dim = 1, .law = constant, .K = 400.0, .B = 1.0};
        const StiDahl dahl = {.law = constant, .K = 200.0, .alpha = 1.0, .stiff = true};
        const StiImpedance parts[] = {{&sti_kind_elastic_coulomb, &elastic},
                                      {&sti_kind_dahl, &dahl}};
        sti_plan_add_impedance(s->plan, "both", &sti_kind_compound, &(StiCompound){2, parts},
                               &line);
        return true;
    }
    case 10: // a level that follows a load, one that follows time, and one that follows a force
        add_listening(s, "guide-friction", &sti_kind_elastic_coulomb,
                      &(StiElasticCoulomb){.dim = 1, .law = coefficient, .K = 1e3, .B = 1.0}, guide,
                      sti_signal_load(s->body[GUIDED], 0));
        return true;
    case 11:
        add_listening(s, "brake", &sti_kind_elastic_coulomb,
                      &(StiElasticCoulomb){.dim = 2, .law = coefficient, .K = 1e3, .B = 1.0}, plane,
                      sti_signal_source(s->breath, 0));
        return true;
    case 12:
        add_listening(s, "clutch", &sti_kind_elastic_coulomb,
                      &(StiElasticCoulomb){.dim = 1, .law = coefficient, .K = 1e3, .B = 1.0}, line,
                      sti_signal_force(s->spring, 0));
        return true;
    default:
        return false;
    }
}

static inline bool add_reaction_kind(Scene *s, int number)
{
    const StiWire line = sti_wire_coordinate(s->body[LINE], 0, 1),
                  plane = sti_wire_coordinate(s->body[PLANE], 0, 2);
    const StiWire guide = sti_wire_coordinate(s->body[GUIDED], 0, 1);
    const StiWire pair = sti_wire_coordinate_pair(s->body[STACK], 0, s->body[PLANE], 0, 2);
    const StiWire point =
        sti_wire_point(s->body[BALL], 0, sti_vec3(0, 0, 0.2), sti_vec3(0, 0, 0.4), 2);
    switch (number) {
    case 0:
        add_rule(s->plan, "rule", line, sti_law_coulomb(0.3), 0.4);
        return true;
    case 1:
        add_rule(s->plan, "planar-rule", plane, sti_law_stribeck(0.3, 0.35, 0.1, 2.0, 0.1), 0.0);
        return true;
    case 2:
        add_rule(s->plan, "pair-rule", pair, sti_law_viscous(0.2, 0.1), 0.0);
        return true;
    case 3: {
        const StiElementId id =
            add_rule(s->plan, "guide-rule", guide, sti_law_times_load(sti_law_coulomb(0.05)), 0.06);
        sti_plan_connect(s->plan, sti_signal_load(s->body[GUIDED], 0), id, 0);
        return true;
    }
    case 4:
        sti_plan_add_reaction(s->plan, "karnopp", &sti_kind_karnopp,
                              &(StiKarnopp){.dim = 2, .law = sti_law_coulomb(0.1), .eps = 0.01},
                              &point);
        return true;
    case 5:
        sti_plan_add_reaction(s->plan, "quinn", &sti_kind_quinn,
                              &(StiQuinn){.dim = 1, .law = sti_law_coulomb(0.1), .eps = 0.01},
                              &guide);
        return true;
    default:
        return false;
    }
}

static inline void shuffle(Random *random, int *items, int count)
{
    for (int i = 0; i < count; ++i) items[i] = i;
    for (int i = count - 1; random != NULL && i > 0; --i) {
        const int j = random_below(random, i + 1), swap = items[i];
        items[i] = items[j];
        items[j] = swap;
    }
}

static inline void add_all(Scene *s, Random *random, AddElement *add, int first, int count)
{
    int order[32];
    shuffle(random, order, count - first);
    for (int i = 0; i < count - first; ++i) assert_true(add(s, first + order[i]));
    assert_false(add(s, count));
}

// random: NULL for the order of the lists above.
static inline StiPlan *every_kind(bool reactions, Random *random)
{
    Scene s = {.plan = sti_plan_create()};
    int order[BODIES];
    s.input = sti_plan_add_input(s.plan, "input", SCENE_INPUTS, (const double[]){0.1, -0.1, 0.2});
    s.breath = sti_plan_add_time_function(s.plan, "breath",
                                          (StiTimeFunction){.count = 1, .eval = scene_breath});
    shuffle(random, order, BODIES);
    for (int i = 0; i < BODIES; ++i) add_body(&s, order[i]);
    add_plain(&s, 0);
    add_all(&s, random, add_plain, 1, 8);
    add_all(&s, random, add_friction, 0, 13);
    if (reactions) add_all(&s, random, add_reaction_kind, 0, 6);
    sti_plan_set_gravity(s.plan, sti_vec3(0.0, 0.0, -9.81));
    sti_plan_set_step(s.plan, 5e-4);
    return s.plan;
}

// Inputs that change in every step, the same for every run.
static inline void scene_inputs(long k, double inputs[SCENE_INPUTS])
{
    Random random = {(uint64_t)k + 17};
    for (int i = 0; i < SCENE_INPUTS; ++i) inputs[i] = random_between(&random, -2.0, 2.0);
}

#endif
