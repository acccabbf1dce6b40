// Random vectors, attitudes and frames. One number per statement: the order in which arguments and
// initialisers are evaluated is the choice of the compiler, and all shall see the same numbers.
#ifndef STICTION_TESTS_RANDOM_SPACE_H
#define STICTION_TESTS_RANDOM_SPACE_H

#include "stiction/vector.h"
#include "support/random.h"

static inline StiVec3 random_vec3(Random *random, double size)
{
    const double x = random_between(random, -size, size);
    const double y = random_between(random, -size, size);
    const double z = random_between(random, -size, size);
    return sti_vec3(x, y, z);
}

static inline StiQuat random_attitude(Random *random)
{
    const StiVec3 axis = random_vec3(random, 1.0);
    const double w = random_between(random, -1.0, 1.0);
    return sti_quat_normalise((StiQuat){w, axis.x, axis.y, axis.z});
}

// At rest.
static inline StiFrame random_frame(Random *random, double size)
{
    const StiVec3 p = random_vec3(random, size);
    return (StiFrame){.p = p, .q = random_attitude(random)};
}

#endif
