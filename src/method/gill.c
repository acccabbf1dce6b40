// Gill mixes slopes and takes the same tau as the classical method.                 [modular] (21)
#include "stiction/kind.h"
#include "stiction/method.h"

static const StiExplanation explanation = {
    .equations = "Runge-Kutta-Gill, four stages\n"
                 "tau = T/2, T/2, T, T\n",
    .use = "Comparison with [semi-implicit]; otherwise as rk4.",
    .source = "[semi-implicit] integrates with it; tau as in [modular] (21).",
};

const StiMethod sti_method_gill = {
    .table_size = sizeof(StiMethod),
    .name = "gill",
    .summary = "Runge-Kutta-Gill, order 4 in smooth motion",
    .stages = 4,
    .order = 4,
    .A = {{0.0},
          {0.5},
          {(1.41421356237309504880 - 1.0) / 2.0, (2.0 - 1.41421356237309504880) / 2.0},
          {0.0, -1.41421356237309504880 / 2.0, 1.0 + 1.41421356237309504880 / 2.0}},
    .b = {1.0 / 6.0, (2.0 - 1.41421356237309504880) / 6.0, (2.0 + 1.41421356237309504880) / 6.0,
          1.0 / 6.0},
    .c = {0.0, 0.5, 0.5, 1.0},
    .tau = {0.5, 0.5, 1.0, 1.0},
    .explanation = &explanation,
};
