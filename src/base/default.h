// Private: the function that gives a parameter structure its usual values, one line at the end of the
// file of its kind.
#ifndef STICTION_SRC_BASE_DEFAULT_H
#define STICTION_SRC_BASE_DEFAULT_H

#include "stiction/kind.h"

#define STI_DEFAULT(Type, name, info)                                                              \
    Type sti_default_##name(void)                                                                  \
    {                                                                                              \
        Type parameters = {0};                                                                     \
        sti_kind_default(&(info), &parameters);                                                    \
        return parameters;                                                                         \
    }

// Of a kind in 1, 2 or 3 dimensions: one.
#define STI_DEFAULT_IN_ONE_DIMENSION(Type, name, info)                                             \
    Type sti_default_##name(void)                                                                  \
    {                                                                                              \
        Type parameters = {.dim = 1};                                                              \
        sti_kind_default(&(info), &parameters);                                                    \
        return parameters;                                                                         \
    }

#endif
