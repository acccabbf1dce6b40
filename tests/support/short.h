// How long a test runs: shorter under sanitizers, where STI_TEST_SHORT is set.
#ifndef STICTION_TESTS_SHORT_H
#define STICTION_TESTS_SHORT_H

#include <stdlib.h>

static inline long steps_or(long steps, long steps_when_short)
{
    return getenv("STI_TEST_SHORT") != NULL ? steps_when_short : steps;
}

#endif
