// The methods' tables. Where stage r+1 uses only slope r, tau_r is the time to that stage; Gill
// mixes slopes and takes the same tau as the classical method. [modular] (21)
#include "stiction/method.h"

#include <stddef.h>
#include <string.h>

const StiMethod sti_method_euler = {
    .name = "euler",
    .summary = "explicit Euler",
    .stages = 1,
    .order = 1,
    .b = {1.0},
    .tau = {1.0},
};

const StiMethod sti_method_symplectic_euler = {
    .name = "symplectic-euler",
    .summary = "Euler with positions from the new velocities",
    .stages = 1,
    .order = 1,
    .b = {1.0},
    .tau = {1.0},
    .positions_last = true,
};

const StiMethod sti_method_heun = {
    .name = "heun",
    .summary = "Heun, order 2",
    .stages = 2,
    .order = 2,
    .A = {{0.0}, {1.0}},
    .b = {0.5, 0.5},
    .c = {0.0, 1.0},
    .tau = {1.0, 1.0},
};

const StiMethod sti_method_rk4 = {
    .name = "rk4",
    .summary = "classical Runge-Kutta, order 4 in smooth motion",
    .stages = 4,
    .order = 4,
    .A = {{0.0}, {0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}},
    .b = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0},
    .c = {0.0, 0.5, 0.5, 1.0},
    .tau = {0.5, 0.5, 1.0, 1.0},
};

const StiMethod sti_method_gill = {
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
};

const StiMethod sti_method_continuous = {
    .name = "continuous",
    .summary = "rates at tau = 0, for integrators with error control",
    .stages = 1,
    .b = {1.0},
};

const StiMethod *const sti_methods[] = {
    &sti_method_euler, &sti_method_symplectic_euler, &sti_method_heun,
    &sti_method_rk4,   &sti_method_gill,             NULL,
};

const StiMethod *sti_method_find(const char *name)
{
    for (int i = 0; sti_methods[i] != NULL; ++i)
        if (strcmp(sti_methods[i]->name, name) == 0) return sti_methods[i];
    return NULL;
}
