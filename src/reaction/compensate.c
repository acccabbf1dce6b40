// Friction models as parts of controllers.
#include "stiction/compensate.h"

#include <math.h>

#include "stiction/elementary.h"

static double sign_of(double x) { return (double)((x > 0.0) - (x < 0.0)); }

double sti_compensate_law(const StiLaw *law, double velocity, double acceleration,
                          const double *signals)
{
    const double direction = velocity != 0.0 ? sign_of(velocity) : sign_of(acceleration);
    if (direction == 0.0) return 0.0;
    return direction * sti_law_level(law, fabs(velocity), direction, signals);
}

double sti_compensate_finite_time(const StiLaw *law, double M, double T, double velocity,
                                  double force, const double *signals)
{
    const double ahead = velocity + T * force / M;
    const double level = sti_law_level(law, fabs(velocity), sign_of(ahead), signals);
    double unused;
    return sti_finite_time_mass(level, M, T, ahead, &unused);
}

StiStatus sti_compensate_model(const StiImpedanceKind *kind, const void *parameters, double T,
                               double velocity, const double *signals, double *y, double *s,
                               double *force)
{
    enum { MOST_MEMORY = 64 };
    const StiImpedanceSize size = kind->size(parameters);
    if (size.velocities != 1 || size.positions != 0 || size.memory > MOST_MEMORY)
        return STI_BAD_ARGUMENT;
    const StiStage stage = {.tau = T, .step = T};
    const StiMotion motion = {.v = &velocity, .signals = signals};
    double rates[MOST_MEMORY] = {0};
    const StiStatus status = kind->eval(parameters, &stage, &motion, y, s, force, rates);
    if (status != STI_OK) return status;
    for (int i = 0; i < size.memory; ++i) y[i] += T * rates[i];
    if (kind->settle != NULL) kind->settle(parameters, &stage, &motion, y, s);
    return STI_OK;
}

// With p = f + L M v: dp/dt = L (u + L M v - p), in which no derivative of v is left.
double sti_observer_start(const StiFrictionObserver *observer, double velocity)
{
    return observer->bandwidth * observer->M * velocity;
}

double sti_compensate_observer(const StiFrictionObserver *observer, double velocity, double u,
                               double *state)
{
    const double L = observer->bandwidth, kept = sti_exp(-L * observer->T),
                 momentum = L * observer->M * velocity;
    *state = kept * *state + (1.0 - kept) * (u + momentum);
    const double f = *state - momentum;
    return observer->most > 0.0 ? fmin(fmax(f, -observer->most), observer->most) : f;
}
