// Private: the speed at which friction and inertia balance. Along one axis that is (16b) of
// [fixed-step], u + g level(u) = a. Along several axes (EQUATIONS 2.10 with s = u/level):
// r_k = c_k level(u)/(u + g_k level(u)) has the length level(u), the velocity u r/|r| is along it.
#ifndef STICTION_SRC_LAW_BALANCE_H
#define STICTION_SRC_LAW_BALANCE_H

#include "stiction/law.h"

typedef struct StiBalance {
    const StiLaw *law;
    double direction;
    const double *signals;
    int axes;    // 1, 2, 3
    double g[3]; // velocity per effort along each axis, >= 0
    double c[3]; // velocity without friction along each axis; with one axis only a is read
    double a;    // its length
} StiBalance;

typedef struct StiBalanceSlip {
    double speed; // u of the fastest slip, 0 < u <= a; 0 if sticking is a solution
    bool several; // there is another solution
} StiBalanceSlip;

// stuck: is sticking a solution? It is taken then.
StiBalanceSlip sti_balance_slip(const StiBalance *balance, bool stuck);

#endif
