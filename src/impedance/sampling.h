// Private: controllers that sample every `period` and hold what they gave in between.
//
// Samples belong to the steps 0, N, 2N, ... with N = period/T, and are taken at the start of the
// step. What step k needs is therefore computed when step k-1 settles, from the motion at t_k and
// the target that the last stage of step k-1 saw (at t_k, too, except under the Euler methods).
//
// No step settles before step 0. Its sample is taken by the first evaluation, where the memory is
// still zero, and travels in the memory: every stage of step 0 gives the rates (1, error, rate) of
// the sample, so that any later stage, and settle, finds the sample as a ratio of memories. After
// that step the memory has served its purpose and stays.
#ifndef STICTION_SRC_IMPEDANCE_SAMPLING_H
#define STICTION_SRC_IMPEDANCE_SAMPLING_H

#include "stiction/actuator.h"

// Discrete. DUE: step of the next sample; 0: none was taken yet.
enum { HELD_INTEGRAL, HELD_OUTPUT, HELD_DUE, HELD_COUNT };
enum { SAMPLE_WEIGHT, SAMPLE_ERROR, SAMPLE_RATE, SAMPLE_MEMORY }; // integrated

typedef struct Sample {
    double error; // target - position
    double rate;  // velocity - velocity of the target
} Sample;

typedef struct Sampling {
    const void *parameters;
    double (*command)(const void *parameters, double integral, Sample sample);
    double period, off;   // s
    double integral_most; // |integral| stays within; INFINITY: any
} Sampling;

// What holds during this stage.
double sti_sampling_output(const Sampling *sampling, const StiStage *stage, Sample now,
                           const double *y, const double *s);
void sti_sampling_rates(Sample now, const double *y, const double *s, double *ydot);
void sti_sampling_settle(const Sampling *sampling, const StiStage *stage, Sample now,
                         const double *y, double *s);
// The period is a whole number of steps.
void sti_sampling_check(const StiCheck *check, double period);

#endif
