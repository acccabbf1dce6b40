// Linkages that several tests use.
#ifndef STICTION_TESTS_LINKAGES_H
#define STICTION_TESTS_LINKAGES_H

#include <math.h>
#include <stdlib.h>

#include "stiction/linkage.h"

static const StiVec3 test_gravity = {0.0, -9.81, 0.0};

static inline StiPlanarBody rod_between(const char *name, double mass, StiVec2 a, StiVec2 b)
{
    const double length = hypot(b.x - a.x, b.y - a.y);
    return (StiPlanarBody){.name = name,
                           .mass = mass,
                           .inertia = mass * length * length / 12.0,
                           .position = {0.5 * (a.x + b.x), 0.5 * (a.y + b.y)},
                           .angle = atan2(b.y - a.y, b.x - a.x)};
}

static inline StiPlanarPair pin_of(const char *name, int body, double at, int other, StiVec2 at_other)
{
    return (StiPlanarPair){.name = name,
                           .type = STI_PAIR_REVOLUTE,
                           .body = body,
                           .other = other,
                           .at = {at, 0.0},
                           .at_other = at_other,
                           .radius = 0.02};
}

// Crank 0.2 m, rod 0.6 m, slider on the x axis; the crank at an angle.
typedef struct SliderCrank {
    StiPlanarBody bodies[3];
    StiPlanarPair pairs[4];
    StiDriver driver;
    StiLinkageDesign design;
} SliderCrank;

static inline void slider_crank(SliderCrank *s, double angle, double rate, bool driven)
{
    const StiVec2 o = {0.0, 0.0}, a = {0.2 * cos(angle), 0.2 * sin(angle)};
    const StiVec2 b = {a.x + sqrt(0.36 - a.y * a.y), 0.0};
    s->bodies[0] = rod_between("crank", 1.0, o, a);
    s->bodies[1] = rod_between("rod", 0.8, a, b);
    s->bodies[2] = (StiPlanarBody){.name = "slider", .mass = 2.0, .inertia = 0.02, .position = b};
    s->bodies[0].rate = rate;
    s->pairs[0] = pin_of("main", 0, -0.1, -1, o);
    s->pairs[1] = pin_of("crank_pin", 1, -0.3, 0, (StiVec2){0.1, 0.0});
    s->pairs[2] = pin_of("wrist", 2, 0.0, 1, (StiVec2){0.3, 0.0});
    s->pairs[3] = (StiPlanarPair){.name = "guide",
                                  .type = STI_PAIR_PRISMATIC,
                                  .body = 2,
                                  .other = -1,
                                  .front = 0.05,
                                  .rear = 0.05};
    s->driver = (StiDriver){.name = "motor", .pair = 0, .value = angle, .rate = rate};
    s->design = (StiLinkageDesign){.bodies = s->bodies,
                                   .body_count = 3,
                                   .pairs = s->pairs,
                                   .pair_count = 4,
                                   .drivers = &s->driver,
                                   .driver_count = driven ? 1 : 0};
}

#endif
