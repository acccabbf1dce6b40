// The cases of METHODS 5 and 6 as plans. Include after cmocka.h.
#ifndef STICTION_TESTS_KEEP_ORDER_H
#define STICTION_TESTS_KEEP_ORDER_H

#include <math.h>

#include "../unit/network/built.h"
#include "support/plan.h"

enum { CASE_BODIES = 2, CASE_NUMBERS = 8 };

typedef enum Friction { ELASTIC, RIGID, MIXED } Friction; // mixed: ground elastic, the rest rigid

typedef struct Case {
    StiPlan *plan;
    StiAdmittanceId body[CASE_BODIES];
    int bodies, dim;
} Case;

typedef Case MakeCase(Friction friction, bool static_above);

static inline void add_friction(StiPlan *plan, const char *name, StiWire wire, Friction friction,
                                const StiElasticCoulomb *p)
{
    StiElasticCoulomb element = *p;
    element.dim = wire.dim;
    if (friction == ELASTIC)
        sti_plan_add_impedance(plan, name, &sti_kind_elastic_coulomb, &element, &wire);
    else
        add_rule(plan, name, wire, p->law, p->level_static);
}

typedef struct Sine {
    double size, frequency, phase;
} Sine;

static inline void sine_at(const void *data, void *workspace, double t, double *values)
{
    (void)workspace;
    const Sine *p = data;
    values[0] = p->size * sin(p->frequency * t + p->phase);
}

static inline void add_sine(StiPlan *plan, const char *name, StiWire wire, const Sine *sine)
{
    sti_plan_add_force(plan, name, &wire, 1,
                       (StiTimeFunction){.count = 1, .eval = sine_at, .data = sine});
}

// (i) K = 1e4, B = 20, M = 1, never slips.
static inline Case stick(Friction friction, bool static_above)
{
    (void)static_above;
    static const Sine push = {3.0, 30.0, 0.0};
    Case c = {.plan = plan_in_stages(), .bodies = 1, .dim = 1};
    c.body[0] = add_mass(c.plan, "mass", 1.0);
    const StiWire ground = sti_wire_coordinate(c.body[0], 0, 1);
    add_sine(c.plan, "push", ground, &push);
    add_friction(c.plan, "friction", ground, friction,
                 &(StiElasticCoulomb){.law = sti_law_coulomb(10.0), .K = 1e4, .B = 20.0});
    return c;
}

// (iii) free vibration, energy 50 J at the start.
static inline Case vibration(Friction friction, bool static_above)
{
    Case c = {.plan = plan_in_stages(), .bodies = 1, .dim = 1};
    c.body[0] = sti_plan_add_admittance(c.plan, "mass", &sti_kind_point_mass,
                                        &(StiPointMass){.dim = 1, .mass = 1.0, .position = {1.0}});
    const StiWire ground = sti_wire_coordinate(c.body[0], 0, 1);
    add_spring(c.plan, "spring", ground, 100.0, 0.0);
    add_friction(c.plan, "friction", ground, friction,
                 &(StiElasticCoulomb){.law = sti_law_coulomb(3.0),
                                      .K = 1e4,
                                      .B = 20.0,
                                      .level_static = static_above ? 3.6 : 0.0});
    return c;
}

// (v) the spring-pulled mass; its pull ends at 2 s.
static inline void pull_at(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace;
    values[0] = 2.0 * fmin(t, 2.0);
    values[1] = t < 2.0 ? 2.0 : 0.0;
}

static inline Case spring_pull(Friction friction, bool static_above)
{
    static const double breaks[] = {2.0};
    Case c = {.plan = plan_in_stages(), .bodies = 1, .dim = 1};
    c.body[0] = add_mass(c.plan, "mass", 1.0);
    const StiAdmittanceId hand = sti_plan_add_motion(
        c.plan, "hand", 1,
        (StiTimeFunction){.count = 2, .eval = pull_at, .breaks = breaks, .break_count = 1});
    add_spring(c.plan, "spring", sti_wire_coordinate_pair(hand, 0, c.body[0], 0, 1), 90.0, 0.0);
    add_friction(c.plan, "friction", sti_wire_coordinate(c.body[0], 0, 1), friction,
                 &(StiElasticCoulomb){.law = sti_law_coulomb(10.0),
                                      .K = 1e4,
                                      .B = 20.0,
                                      .level_static = static_above ? 13.0 : 0.0});
    return c;
}

// (viii) two masses on springs, friction on the ground and between them.
static inline Case two_masses(Friction friction, bool static_above)
{
    static const Sine pushes[2] = {{14.0, 6.0, 0.0}, {20.0, 5.0, 0.4}};
    Case c = {.plan = plan_in_stages(), .bodies = 2, .dim = 1};
    c.body[0] = add_mass(c.plan, "a", 1.0);
    c.body[1] = add_mass(c.plan, "b", 2.0);
    const StiWire a = sti_wire_coordinate(c.body[0], 0, 1),
                  b = sti_wire_coordinate(c.body[1], 0, 1);
    const StiWire between = sti_wire_coordinate_pair(c.body[0], 0, c.body[1], 0, 1);
    add_spring(c.plan, "spring_a", a, 50.0, 0.0);
    add_spring(c.plan, "spring_ab", between, 80.0, 0.0);
    add_spring(c.plan, "spring_b", b, 30.0, 0.0);
    add_sine(c.plan, "push_a", a, &pushes[0]);
    add_sine(c.plan, "push_b", b, &pushes[1]);
    add_friction(c.plan, "ground", a, friction == RIGID ? RIGID : ELASTIC,
                 &(StiElasticCoulomb){.law = sti_law_coulomb(6.0),
                                      .K = 2e4,
                                      .B = 30.0,
                                      .level_static = static_above ? 6.6 : 0.0});
    add_friction(c.plan, "mutual", between, friction == ELASTIC ? ELASTIC : RIGID,
                 &(StiElasticCoulomb){.law = sti_law_coulomb(9.0),
                                      .K = 2e4,
                                      .B = 30.0,
                                      .level_static = static_above ? 9.9 : 0.0});
    return c;
}

// (x) Simulation III of [fixed-step]: a mass in a plane on a spring.
static inline Case plane(Friction friction, bool static_above)
{
    (void)static_above;
    Case c = {.plan = plan_in_stages(), .bodies = 1, .dim = 2};
    c.body[0] = sti_plan_add_admittance(
        c.plan, "mass", &sti_kind_point_mass,
        &(StiPointMass){.dim = 2, .mass = 1.0, .position = {10.0, 0.0}, .velocity = {0.0, 30.0}});
    const StiWire ground = sti_wire_coordinate(c.body[0], 0, 2);
    add_spring(c.plan, "spring", ground, 3.0, 0.0);
    add_friction(c.plan, "friction", ground, friction,
                 &(StiElasticCoulomb){.law = sti_law_coulomb(10.0), .K = 1e3, .B = 20.0});
    return c;
}

// Positions, and velocities over 10 as METHODS scales them, after the time.
static inline void run_case(MakeCase *make, Friction friction, bool static_above,
                            const StiMethod *method, double T, double time, double *numbers)
{
    Case c = make(friction, static_above);
    sti_plan_set_step(c.plan, T);
    sti_plan_set_method(c.plan, method);
    Built built = build_and_destroy(c.plan);
    const long steps = lround(time / T);
    for (long k = 0; k < steps; ++k) assert_steps(&built, NULL);
    for (int i = 0; i < CASE_NUMBERS; ++i) numbers[i] = 0.0;
    for (int i = 0; i < c.bodies; ++i)
        for (int d = 0; d < c.dim; ++d) {
            numbers[(2 * i) * c.dim + d] = position(&built, c.body[i])[d];
            numbers[(2 * i + 1) * c.dim + d] = velocity(&built, c.body[i])[d] / 10.0;
        }
    release(&built);
}

static inline double distance(const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < CASE_NUMBERS; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

#endif
