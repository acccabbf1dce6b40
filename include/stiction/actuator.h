// What drives and limits joints: DC motor with gear, servo, PID controller, soft limits, and the gear
// whose losses grow with the torque it transmits. All are impedances on one coordinate (rad, N m or
// m, N).
#ifndef STICTION_ACTUATOR_H
#define STICTION_ACTUATOR_H

#include "impedance.h"

#ifdef __cplusplus
extern "C" {
#endif

// A DC motor behind a gear: torque gamma K_M/R (e - gamma K_M w) on the joint side, e the voltage
// (signal 0) within the rated one. The rotor's inertia gamma^2 I_M belongs to the joint (armature).
// [semi-implicit] (2)
typedef struct StiDcMotor {
    double K_M;     // torque constant, N m/A (= V s/rad)
    double R;       // winding resistance, ohm
    double gamma;   // gear ratio, motor turns per joint turn
    double voltage; // rated, V; 0: not limited
} StiDcMotor;
STI_API double sti_dc_motor(const StiDcMotor *p, double e, double w); // torque on the joint, N m

// The motor under a PID controller that samples every `period` seconds and holds its voltage in
// between: e = gamma (K_P (q_d - q) + K_I int (q_d - q) dt - K_D w), within the rated voltage; the
// integral grows by error times period at each sample, without anti-windup. Signal 0: target q_d.
// Integral and held voltage are in s. From the time `off` on (<= 0: never) the voltage is 0; the
// motor then still brakes. [semi-implicit] (30)
typedef struct StiServo {
    StiDcMotor motor;
    double K_P, K_I, K_D;
    double off;    // s
    double period; // s, a whole number of steps
} StiServo;

// The controller alone: gives a signal (sti_signal_force) for a motor's voltage or a force source, and
// applies nothing itself. Every `period` seconds K_P (q_d - q) + K_I int (q_d - q) dt - K_D (w - w_d),
// held in between; the integral grows by error times period at each sample. Signal 0: target q_d,
// signal 1: its velocity w_d (0: damping against the ground). Integral and output are in s.
typedef struct StiPid {
    double K_P, K_I, K_D;
    double limit;          // of the output; 0: none
    double integral_limit; // of the part K_I int; 0: none
    double off;            // s; from then on the output is 0; <= 0: never
    double period;         // s, a whole number of steps
} StiPid;

// A drive as robot descriptions give it (MuJoCo's motor, position, velocity and affine actuators):
// gear (gain c - K gear q - B gear w + offset), c the command (signal 0), the effort in parentheses
// within lower and upper. Taken implicitly where it is steep.
typedef struct StiActuator {
    double gain;         // effort per command
    double K, B;         // N m/rad, N m s/rad, or N/m, N s/m
    double offset;       // N m or N
    double gear;         // drive turns per joint turn
    double lower, upper; // N m or N, before the gear; both 0: not limited
} StiActuator;
// Torque on the joint, N m, at command, angle x and speed v.
STI_API double sti_actuator(const StiActuator *p, double command, double x, double v);

// A soft stop: K beyond lower or upper, with damping B that never pulls.
typedef struct StiJointLimit {
    double lower, upper; // rad or m
    double K, B;         // N m/rad, N m s/rad, or N/m, N s/m
} StiJointLimit;

// Play between two parts: a spring and a damper that push on either side of a gap and never pull.
// x > gap/2: f = max(0, K (x - gap/2) + B v);  x < -gap/2 alike;  else 0
typedef struct StiBacklash {
    double gap;    // rad or m, from one side to the other
    double K, B;   // of the flanks: N m/rad, N m s/rad, or N/m, N s/m
    double middle; // rad or m: x in the middle of the gap
} StiBacklash;

// Gear losses that scale with the transmitted torque (signal 0, e.g. the motor's) and differ for
// driving and back-driving: zdot = (w - |w| z)/h, f = mu_avg |tau| z + mu_dif tau z^2. The torque is
// positive along +w: from a motor element it is minus its force (a resistance). 0 <= mu_dif <= mu_avg.
typedef struct StiGearLoss {
    double mu_avg, mu_dif;
    double h; // presliding angle, rad
} StiGearLoss;
// torque and *f in N m, w in rad/s; *zdot is the rate of the memory z, 1/s.
STI_API void sti_gear_loss(const StiGearLoss *p, double torque, double w, double z, double *f,
                           double *zdot);

// The usual values where there are such, zeros elsewhere, and one dimension: what is then set by name
// is all that has to be known.
STI_API StiDcMotor sti_default_dc_motor(void);
STI_API StiServo sti_default_servo(void);
STI_API StiPid sti_default_pid(void);
STI_API StiJointLimit sti_default_joint_limit(void);
STI_API StiBacklash sti_default_backlash(void);
STI_API StiGearLoss sti_default_gear_loss(void);
STI_API StiActuator sti_default_actuator(void);

// For sti_plan_add_impedance, with the structures above.
STI_API extern const StiImpedanceKind sti_kind_dc_motor, sti_kind_servo, sti_kind_pid,
    sti_kind_joint_limit, sti_kind_backlash, sti_kind_gear_loss, sti_kind_actuator;

#ifdef __cplusplus
}
#endif
#endif
