#include "impedance/sampling.h"

#include <math.h>

static const double rounding = 1e-6; // of a step, in times and in periods

static Sample first_sample(Sample now, const double *y)
{
    if (y[SAMPLE_WEIGHT] == 0.0) return now;
    return (Sample){.error = y[SAMPLE_ERROR] / y[SAMPLE_WEIGHT],
                    .rate = y[SAMPLE_RATE] / y[SAMPLE_WEIGHT]};
}

static bool switched_off(const Sampling *sampling, const StiStage *stage)
{
    return sampling->off > 0.0 && stage->t > sampling->off - rounding * stage->step;
}

// The integral includes the sample itself.
static double integral_after(const Sampling *sampling, double integral, Sample sample)
{
    const double grown = integral + sample.error * sampling->period;
    return fabs(grown) > sampling->integral_most ? copysign(sampling->integral_most, grown) : grown;
}

double sti_sampling_output(const Sampling *sampling, const StiStage *stage, Sample now,
                           const double *y, const double *s)
{
    if (s[HELD_DUE] > 0.0) return s[HELD_OUTPUT];
    if (switched_off(sampling, stage)) return 0.0;
    const Sample first = first_sample(now, y);
    return sampling->command(sampling->parameters, integral_after(sampling, 0.0, first), first);
}

void sti_sampling_rates(Sample now, const double *y, const double *s, double *ydot)
{
    const bool first_step = s[HELD_DUE] == 0.0;
    const Sample first = first_sample(now, y);
    ydot[SAMPLE_WEIGHT] = first_step ? 1.0 : 0.0;
    ydot[SAMPLE_ERROR] = first_step ? first.error : 0.0;
    ydot[SAMPLE_RATE] = first_step ? first.rate : 0.0;
}

static void take(const Sampling *sampling, Sample sample, double due, double *s)
{
    s[HELD_INTEGRAL] = integral_after(sampling, s[HELD_INTEGRAL], sample);
    s[HELD_OUTPUT] = sampling->command(sampling->parameters, s[HELD_INTEGRAL], sample);
    s[HELD_DUE] = due;
}

// The step that begins now is k + 1.
void sti_sampling_settle(const Sampling *sampling, const StiStage *stage, Sample now,
                         const double *y, double *s)
{
    const double k = (double)stage->k, N = round(sampling->period / stage->step);
    if (s[HELD_DUE] == 0.0) take(sampling, first_sample(now, y), k + N, s);
    if (k + 1.0 >= s[HELD_DUE]) take(sampling, now, k + 1.0 + N, s);
    if (switched_off(sampling, stage)) s[HELD_OUTPUT] = 0.0;
}

void sti_sampling_check(const StiCheck *check, double period)
{
    if (!(check->step > 0.0)) return;
    const double steps = period / check->step, whole = fmax(1.0, round(steps));
    if (!(fabs(steps - whole) <= rounding))
        sti_check_error(check, "period", period,
                        "must be a whole number of steps of %g s, for example %g s", check->step,
                        whole * check->step);
}
