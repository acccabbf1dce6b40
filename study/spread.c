#include "spread.h"

#include <math.h>

#include "stiction/elementary.h"

typedef struct Ratio {
    double up[8], down[8]; // coefficients, the constant first
} Ratio;

static double evaluate(const Ratio *ratio, double x)
{
    double up = ratio->up[7], down = ratio->down[7];
    for (int i = 6; i >= 0; --i) {
        up = up * x + ratio->up[i];
        down = down * x + ratio->down[i];
    }
    return up / down;
}

// Approximations by M. J. Wichura, Algorithm AS 241, Appl. Statistics 37 (1988): around the middle, then in
// sqrt(-log) of the smaller tail.
static const Ratio middle = {
    {3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3,
     1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
     3.3430575583588128105e+4, 2.5090809287301226727e+3},
    {1.0, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
     2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4,
     5.2264952788528545610e+3}};
static const Ratio tail = {
    {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
     3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
     2.27238449892691845833e-2, 7.74545014278341407640e-4},
    {1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
     1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
     1.05075007164441684324e-9}};
static const Ratio far_tail = {
    {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
     2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
     2.71155556874348757815e-5, 2.01033439929228813265e-7},
    {1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
     7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
     2.04426310338993978564e-15}};

double study_normal_quantile(double share)
{
    const double q = share - 0.5;
    if (fabs(q) <= 0.425) return q * evaluate(&middle, 0.180625 - q * q);
    const double r = sqrt(-sti_log(q < 0.0 ? share : 1.0 - share));
    const double x = r <= 5.0 ? evaluate(&tail, r - 1.6) : evaluate(&far_tail, r - 5.0);
    return q < 0.0 ? -x : x;
}

// Below x: the quantile turned around by Newton's method, which needs no error function.
double study_normal_share(double x)
{
    if (x > 0.0) return 1.0 - study_normal_share(-x);
    if (x < -37.0) return 0.0;
    // A bound of Mills' ratio to begin with, then a concave search in the log of the share.
    double log_share = -0.5 * x * x - sti_log(0.5 * (sqrt(x * x + 8.0 / 3.14159265358979324) - x)) -
                       0.91893853320467274;
    for (int i = 0; i < 60; ++i) {
        const double share = fmin(sti_exp(log_share), 0.5), at = study_normal_quantile(share);
        const double density = sti_exp(-0.5 * at * at) * 0.39894228040143268;
        const double change = (x - at) * density / share;
        log_share += change;
        if (!(fabs(change) > 1e-15)) break;
    }
    return fmin(sti_exp(log_share), 0.5);
}

// The share of the untruncated distribution that belongs to a share of what lies within the limits.
static double within(const StiVaried *varied, double share)
{
    const double mean = varied->a, deviation = varied->b;
    const double low = study_normal_share((varied->least - mean) / deviation);
    const double high = study_normal_share((varied->most - mean) / deviation);
    return low + share * (high - low);
}

static double normal(const StiVaried *varied, double share)
{
    if (varied->least == -INFINITY && varied->most == INFINITY)
        return varied->a + varied->b * study_normal_quantile(share);
    const double value = varied->a + varied->b * study_normal_quantile(within(varied, share));
    return fmax(varied->least, fmin(varied->most, value));
}

// a, the most frequent b, c.
static double triangular(const StiVaried *varied, double share)
{
    const double a = varied->a, b = varied->b, c = varied->c;
    const double rising = (b - a) / (c - a);
    if (share < rising) return a + sqrt(share * (c - a) * (b - a));
    return c - sqrt((1.0 - share) * (c - a) * (c - b));
}

double study_spread_value(const StiVaried *varied, double share)
{
    switch (varied->spread) {
    case STI_SPREAD_UNIFORM:
        return varied->a + share * (varied->b - varied->a);
    case STI_SPREAD_LOG:
        return varied->a * sti_exp(share * sti_log(varied->b / varied->a));
    case STI_SPREAD_NORMAL:
        return normal(varied, share);
    case STI_SPREAD_TRIANGULAR:
        return triangular(varied, share);
    case STI_SPREAD_VALUES:
        break;
    }
    const int place = (int)(share * varied->count);
    return varied->values[place < varied->count ? place : varied->count - 1];
}
