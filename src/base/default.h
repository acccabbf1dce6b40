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

// The field of a structure's `dim`, first among its fields. One dimension is usual.
#define STI_FIELD_OF_DIM(Type)                                                                     \
    {                                                                                              \
        .name = "dim", .unit = "", .meaning = "axes that it acts along: 1, 2 or 3",                \
        .type = STI_FIELD_COUNT, .offset = offsetof(Type, dim), .usual = 1.0                       \
    }

// A field that is a switch.
#define STI_FIELD_OF_SWITCH(Type, member, what)                                                    \
    {                                                                                              \
        .name = #member, .unit = "", .meaning = what, .type = STI_FIELD_SWITCH,                    \
        .offset = offsetof(Type, member)                                                           \
    }

// The field of a bank's `elements`.
#define STI_FIELD_OF_ELEMENTS(Type)                                                                \
    {                                                                                              \
        .name = "elements", .unit = "", .meaning = "elements of the bank",                         \
        .type = STI_FIELD_COUNT, .offset = offsetof(Type, elements)                                \
    }

#endif
