// Private: what the motor and the servo that feeds it share.
#ifndef STICTION_SRC_IMPEDANCE_DC_MOTOR_H
#define STICTION_SRC_IMPEDANCE_DC_MOTOR_H

#include "stiction/actuator.h"

double sti_dc_motor_limit(const StiDcMotor *p, double e);             // V, within the rated voltage
double sti_dc_motor_current(const StiDcMotor *p, double e, double w); // A
double sti_dc_motor_damping(const StiDcMotor *p);                     // N m s/rad, of the back-EMF

#endif
