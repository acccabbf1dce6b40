// Bodies of a few points of mass: whatever comes out, some body has it.
#ifndef STICTION_TESTS_SUPPORT_RANDOM_INERTIA_H
#define STICTION_TESTS_SUPPORT_RANDOM_INERTIA_H

#include "model/inertia.h"
#include "support/random_space.h"

static inline Inertia random_body(Random *random)
{
    Inertia body = {0};
    for (int i = 0; i < 4; ++i) {
        const double mass = random_between(random, 0.1, 2.0);
        const Inertia point = {.mass = mass, .centre = random_vec3(random, 1.0)};
        body = inertia_joined(&body, &point);
    }
    return body;
}

#endif
