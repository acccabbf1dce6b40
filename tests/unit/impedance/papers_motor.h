// The motor of [semi-implicit], EQUATIONS 5.1.
#ifndef STICTION_TESTS_PAPERS_MOTOR_H
#define STICTION_TESTS_PAPERS_MOTOR_H

#include "stiction/actuator.h"

static const StiDcMotor papers_motor = {.K_M = 2.58e-2, .R = 2.36, .gamma = 120.0, .voltage = 24.0};
static const double papers_rotor = 120.0 * 120.0 * 7.03e-6; // kg m^2, on the joint's side

static inline double motor_E(const StiDcMotor *p) { return p->gamma * p->K_M / p->R; }
static inline double motor_D(const StiDcMotor *p)
{
    return p->gamma * p->gamma * p->K_M * p->K_M / p->R;
}

#endif
