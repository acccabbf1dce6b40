// What the models with one bristle share: the rate of its deflection, and when it makes energy.
#include "impedance/bristle.h"

#include <math.h>

#include "law/slip.h"

// The finding prints its number with ten digits; that number must itself pass the check.
static const double printed_precision = 1e-9;

StiImpedanceSize sti_bristle_size(const StiLaw *law)
{
    return (StiImpedanceSize){.velocities = 1, .memory = 1, .signals = sti_law_signals(law)};
}

StiStatus sti_bristle_level(const StiLaw *law, const double *signals, double v, double *F)
{
    *F = sti_law_level(law, fabs(v), sti_sign(v), signals);
    return *F <= 0.0 ? STI_LEVEL_VANISHED : STI_OK;
}

StiStatus sti_bristle_without_level(double tau, double z, double *zdot)
{
    *zdot = z == 0.0 || !(tau > 0.0) ? 0.0 : -z / tau;
    return z == 0.0 || tau > 0.0 ? STI_OK : STI_LEVEL_VANISHED;
}

StiStatus sti_bristle_rate(const StiLaw *law, double K, double tau, const double *signals, double v,
                           double z, double *zdot)
{
    *zdot = 0.0;
    if (v == 0.0) return STI_OK;
    const double speed = fabs(v);
    const double F = sti_law_level_at(law, speed, sti_sign(v), signals);
    const double divisor = F + tau * K * speed;
    if (divisor <= 0.0) return STI_LEVEL_VANISHED;
    *zdot = (F * v - K * z * speed) / divisor;
    return STI_OK;
}

StiStatus sti_bristle_rate_within(const StiLaw *law, double K, double tau, const double *signals,
                                  double v, double z, double *zdot)
{
    const double F = v != 0.0 ? sti_law_level_at(law, fabs(v), sti_sign(v), signals) : 0.0;
    if (v != 0.0 && !(F > 0.0)) return sti_bristle_without_level(tau, z, zdot);
    const StiStatus status = sti_bristle_rate(law, K, 0.0, signals, v, z, zdot);
    if (status != STI_OK || v == 0.0 || !(tau > 0.0)) return status;
    *zdot = sti_bristle_within(tau, sti_sign(v) * F / K - z, *zdot);
    return STI_OK;
}

double sti_bristle_sticks(const StiLaw *law, const double *signals, double v, double force)
{
    return fabs(force) < 0.99 * sti_law_level(law, fabs(v), sti_sign(v), signals) ? 1.0 : 0.0;
}

void sti_check_bristle_form(const StiCheck *check, bool stiff, bool plain)
{
    if (stiff && plain)
        sti_check_error(check, "plain", 1.0, "a bristle is either stiff or plain, not both");
}

// A law seen in one direction only: energy can be made only while deflection and velocity have one
// sign, so each direction must be passive on its own, and that is enough.
typedef struct OneWay {
    const StiLaw *law;
    double direction;
} OneWay;

static double one_way_level(const StiLaw *law, const StiSlip *slip)
{
    const OneWay *way = law->user;
    const StiSlip along = {slip->speed, way->direction, slip->load, slip->signals, slip->viscosity};
    return way->law->kind->level(way->law, &along);
}

static StiLawSurvey survey_one_way(const StiLaw *law, double direction)
{
    if (!law->kind->directional) return sti_law_survey(law);
    const OneWay way = {law, direction};
    const StiLawKind kind = {.table_size = sizeof(StiLawKind), .name = law->kind->name,
                             .signals = law->kind->signals,
                             .level = one_way_level};
    StiLaw seen = sti_law_own(&kind, &way);
    seen.times_load = law->times_load;
    seen = sti_law_scaled(seen, law->scales_level, law->scales_viscous);
    return sti_law_survey(&seen);
}

static double viscous_needed(double sigma1, const StiLawSurvey *level)
{
    const double fall = level->highest - level->lowest;
    return fall > 0.0 ? sigma1 * fall / level->lowest : 0.0;
}

void sti_check_bristle_passive(const StiCheck *check, const StiLaw *law, double sigma1,
                               double sigma2)
{
    if (law->kind == NULL || sigma1 <= 0.0) return;
    const StiLawSurvey forward = survey_one_way(law, 1.0), backward = survey_one_way(law, -1.0);
    const double needed = fmax(viscous_needed(sigma1, &forward), viscous_needed(sigma1, &backward));
    if (sigma2 >= needed * (1.0 - printed_precision)) return;
    if (isfinite(needed))
        sti_check_unphysical(check, "viscous", sigma2,
                             "with damping %g under a level that falls, the bristle makes energy: "
                             "viscous must be at least %.10g",
                             sigma1, needed);
    else
        sti_check_unphysical(check, "damping", sigma1,
                             "under a level that comes down to 0, a damped bristle makes energy: "
                             "damping must be 0");
}
