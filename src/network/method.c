// The methods' tables. Where stage r+1 uses only slope r, tau_r is the time to that stage; Gill
// mixes slopes and takes the same tau as the classical method. [modular] (21)
#include "stiction/method.h"

#include <stddef.h>
#include <string.h>

const StiMethod sti_method_euler = {
    .table_size = sizeof(StiMethod),
    .name = "euler",
    .summary = "explicit Euler",
    .stages = 1,
    .order = 1,
    .b = {1.0},
    .tau = {1.0},
};

const StiMethod sti_method_symplectic_euler = {
    .table_size = sizeof(StiMethod),
    .name = "symplectic-euler",
    .summary = "Euler with positions from the new velocities",
    .stages = 1,
    .order = 1,
    .b = {1.0},
    .tau = {1.0},
    .positions_last = true,
};

const StiMethod sti_method_rule = {
    .table_size = sizeof(StiMethod),
    .name = "rule",
    .summary = "one evaluation per step, reactions by the finite-time rule: fast, order 1",
    .stages = 1,
    .order = 1,
    .b = {1.0},
    .tau = {1.0},
    .positions_last = true,
    .finite_time = true,
};

const StiMethod sti_method_heun = {
    .table_size = sizeof(StiMethod),
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
    .table_size = sizeof(StiMethod),
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
};

const StiMethod sti_method_continuous = {
    .table_size = sizeof(StiMethod),
    .name = "continuous",
    .summary = "rates at tau = 0, for integrators with error control",
    .stages = 1,
    .b = {1.0},
    .continuous = true,
};

// Kennedy and Carpenter 2003, ARK4(3)6L[2]SA
const StiMethod sti_method_ark4 = {
    .table_size = sizeof(StiMethod),
    .name = "ark4",
    .summary = "implicit for stiff friction, cut at stick and slip: order 4 in both and across",
    .stages = 6,
    .order = 4,
    .A = {{0.0},
          {0.5},
          {13861.0 / 62500.0, 6889.0 / 62500.0},
          {-116923316275.0 / 2393684061468.0, -2731218467317.0 / 15368042101831.0,
           9408046702089.0 / 11113171139209.0},
          {-451086348788.0 / 2902428689909.0, -2682348792572.0 / 7519795681897.0,
           12662868775082.0 / 11960479115383.0, 3355817975965.0 / 11060851509271.0},
          {647845179188.0 / 3216320057751.0, 73281519250.0 / 8382639484533.0,
           552539513391.0 / 3454668386233.0, 3354512671639.0 / 8306763924573.0, 4040.0 / 17871.0}},
    .b = {82889.0 / 524892.0, 0.0, 15625.0 / 83664.0, 69875.0 / 102672.0, -2260.0 / 8211.0, 0.25},
    .c = {0.0, 0.5, 83.0 / 250.0, 31.0 / 50.0, 17.0 / 20.0, 1.0},
    .tau = {0.0, 0.25, 0.25, 0.25, 0.25, 0.25},
    .cuts = true,
    .AI = {{0.0},
           {0.25, 0.25},
           {8611.0 / 62500.0, -1743.0 / 31250.0, 0.25},
           {5012029.0 / 34652500.0, -654441.0 / 2922500.0, 174375.0 / 388108.0, 0.25},
           {15267082809.0 / 155376265600.0, -71443401.0 / 120774400.0, 730878875.0 / 902184768.0,
            2285395.0 / 8070912.0, 0.25},
           {82889.0 / 524892.0, 0.0, 15625.0 / 83664.0, 69875.0 / 102672.0, -2260.0 / 8211.0,
            0.25}},
    .gamma = 0.25,
};

// ARK3(2)4L[2]SA
const StiMethod sti_method_ark3 = {
    .table_size = sizeof(StiMethod),
    .name = "ark3",
    .summary = "like ark4 with order 3: damps what the step does not resolve more strongly",
    .stages = 4,
    .order = 3,
    .A = {{0.0},
          {2.0 * 0.4358665215084589994},
          {0.52758901197630041156, 0.07241098802369958844},
          {0.39909600767607013206, -0.43755765461351944372, 1.03846164693744931166}},
    .b = {0.18764102434672382516, -0.59529747357695494805, 0.97178992772177212347,
          0.4358665215084589994},
    .c = {0.0, 2.0 * 0.4358665215084589994, 0.6, 1.0},
    .tau = {0.0, 0.4358665215084589994, 0.4358665215084589994, 0.4358665215084589994},
    .cuts = true,
    .AI = {{0.0},
           {0.4358665215084589994, 0.4358665215084589994},
           {0.2576482460664272458, -0.09351476757488624522, 0.4358665215084589994},
           {0.18764102434672382516, -0.59529747357695494805, 0.97178992772177212347,
            0.4358665215084589994}},
    .gamma = 0.4358665215084589994,
};

const StiMethod sti_method_rk4_split = {
    .table_size = sizeof(StiMethod),
    .name = "rk4-split",
    .summary = "classical Runge-Kutta, cut at stick and slip: order 4 where friction is not stiff",
    .stages = 4,
    .order = 4,
    .A = {{0.0}, {0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}},
    .b = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0},
    .c = {0.0, 0.5, 0.5, 1.0},
    .cuts = true,
    .AI = {{0.0}, {0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}},
};

const StiMethod sti_method_cut = {
    .table_size = sizeof(StiMethod),
    .name = "cut",
    .summary = "order 4 in stick, in slip and across: rk4-split, or ark4 for elastic and planar "
               "friction",
    .stages = 4,
    .order = 4,
    .A = {{0.0}, {0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}},
    .b = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0},
    .c = {0.0, 0.5, 0.5, 1.0},
    .cuts = true,
    .AI = {{0.0}, {0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}},
    .stiff = "ark4",
};

const StiMethod *const sti_methods[] = {
    &sti_method_euler, &sti_method_symplectic_euler, &sti_method_heun, &sti_method_rk4,
    &sti_method_gill,  &sti_method_rule,             &sti_method_cut,  &sti_method_ark4,
    &sti_method_ark3,  &sti_method_rk4_split,        NULL,
};

const StiMethod *sti_method_find(const char *name)
{
    for (int i = 0; sti_methods[i] != NULL; ++i)
        if (strcmp(sti_methods[i]->name, name) == 0) return sti_methods[i];
    return NULL;
}
