// Random moving links for tests of wires, and what a wire senses of and does to them.
#ifndef STICTION_TESTS_MOVING_LINKS_H
#define STICTION_TESTS_MOVING_LINKS_H

#include "stiction/wire.h"
#include "support/random_space.h"

static const StiFrame GROUND = {.q = {1.0, 0.0, 0.0, 0.0}};

static inline StiFrame random_link(Random *random)
{
    StiFrame link = random_frame(random, 2.0);
    link.v = random_vec3(random, 2.0);
    link.w = random_vec3(random, 3.0);
    return link;
}

// Where the link is after a time h at constant velocities.
static inline StiFrame link_after(StiFrame link, double h)
{
    const StiQuat turn = sti_quat_exp(sti_vec3_scale(h, link.w)); // world axes: from the left
    link.p = sti_vec3_add(link.p, sti_vec3_scale(h, link.v));
    link.q = sti_quat_multiply(turn, link.q);
    return link;
}

typedef struct Sensed { double x[24], v[24]; } Sensed;

static inline Sensed sense_links(const StiWire *wire, const StiFrame *a, const StiFrame *b)
{
    const StiSide side_a = {.link = a}, side_b = {.link = b};
    Sensed sensed;
    wire->kind->sense(wire, &side_a, &side_b, sensed.x, sensed.v);
    return sensed;
}

// By how much row i of v misses the rate at which row i of x changes.
static inline double rate_error(const StiWire *wire, StiFrame a, StiFrame b, int row)
{
    const double h = 2e-6;
    const StiFrame a0 = link_after(a, -h), a1 = link_after(a, h);
    const StiFrame b0 = link_after(b, -h), b1 = link_after(b, h);
    const double change = sense_links(wire, &a1, &b1).x[row] - sense_links(wire, &a0, &b0).x[row];
    return fabs(change / (2.0 * h) - sense_links(wire, &a, &b).v[row]);
}

typedef struct Wrenches { StiWrench a, b; } Wrenches;

// Both ends must name link 0.
static inline Wrenches apply_links(const StiWire *wire, const StiFrame *a, const StiFrame *b,
                                   const double *u)
{
    const StiSide side_a = {.link = a}, side_b = {.link = b};
    Wrenches wrenches = {.a = {.force = {.x = 0.0}}};
    const StiForce force_a = {.links = &wrenches.a}, force_b = {.links = &wrenches.b};
    wire->kind->apply(wire, &side_a, &side_b, u, &force_a, &force_b);
    return wrenches;
}

// Of the wrenches on both links about the world's origin.
static inline StiVec3 total_moment_of(const Wrenches *w, const StiFrame *a, const StiFrame *b)
{
    const StiVec3 of_a = sti_vec3_add(w->a.moment, sti_vec3_cross(a->p, w->a.force));
    const StiVec3 of_b = sti_vec3_add(w->b.moment, sti_vec3_cross(b->p, w->b.force));
    return sti_vec3_add(of_a, of_b);
}

static inline double distance(StiVec3 a, StiVec3 b) { return sti_vec3_norm(sti_vec3_sub(a, b)); }

#endif
