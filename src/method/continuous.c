#include "stiction/method.h"

const StiMethod sti_method_continuous = {
    .table_size = sizeof(StiMethod),
    .name = "continuous",
    .summary = "rates at tau = 0, for integrators with error control",
    .stages = 1,
    .b = {1.0},
    .continuous = true,
};
