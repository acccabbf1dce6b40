#include "transform.h"

#include <math.h>

#include "stiction/elementary.h"

static const double wide = 50.0;   // most/least from where on a range is one of magnitudes
static const double inside = 1e-3; // of the range: how near to a bound a search may start
static const double half_pi = 1.57079632679489661923;

Transform transform_of(double least, double most, double start, double scale)
{
    Transform t = {.least = least, .most = most, .centre = start, .scale = scale};
    if (isfinite(least) && isfinite(most))
        t.type = least > 0.0 && most > wide * least ? TRANSFORM_LOG : TRANSFORM_WITHIN;
    else if (isfinite(least))
        t.type = TRANSFORM_ABOVE;
    else if (isfinite(most))
        t.type = TRANSFORM_BELOW;
    return t;
}

// From 0 to 1.
static double share_of(double u) { return 0.5 * (1.0 + sti_sin(u)); }

double transform_value(const Transform *t, double u)
{
    switch (t->type) {
    case TRANSFORM_ABOVE:
        return t->least + t->scale * (sqrt(1.0 + u * u) - 1.0);
    case TRANSFORM_BELOW:
        return t->most - t->scale * (sqrt(1.0 + u * u) - 1.0);
    case TRANSFORM_WITHIN:
        return fmin(fmax(t->least + (t->most - t->least) * share_of(u), t->least), t->most);
    case TRANSFORM_LOG:
        return fmin(fmax(t->least * sti_exp(sti_log(t->most / t->least) * share_of(u)), t->least),
                    t->most);
    case TRANSFORM_PLAIN:
        break;
    }
    return t->centre + t->scale * u;
}

static double inverse_share(double share)
{
    const double within = fmin(fmax(share, inside), 1.0 - inside);
    return sti_asin(2.0 * within - 1.0);
}

static double inverse_root(double distance)
{
    const double root = 1.0 + fmax(distance, inside);
    return sqrt(root * root - 1.0);
}

double transform_inverse(const Transform *t, double x)
{
    switch (t->type) {
    case TRANSFORM_ABOVE:
        return inverse_root((x - t->least) / t->scale);
    case TRANSFORM_BELOW:
        return inverse_root((t->most - x) / t->scale);
    case TRANSFORM_WITHIN:
        return inverse_share((x - t->least) / (t->most - t->least));
    case TRANSFORM_LOG:
        return inverse_share(sti_log(fmax(x, t->least) / t->least) / sti_log(t->most / t->least));
    case TRANSFORM_PLAIN:
        break;
    }
    return (x - t->centre) / t->scale;
}

double transform_share(const Transform *t, double share)
{
    static const double far =
        4.0; // where there is no bound: from a quarter to four times the start
    switch (t->type) {
    case TRANSFORM_WITHIN:
        return t->least + (t->most - t->least) * share;
    case TRANSFORM_LOG:
        return t->least * sti_exp(sti_log(t->most / t->least) * share);
    case TRANSFORM_ABOVE:
        return t->least + (t->centre - t->least) * sti_pow(far, 2.0 * share - 1.0);
    case TRANSFORM_BELOW:
        return t->most - (t->most - t->centre) * sti_pow(far, 2.0 * share - 1.0);
    case TRANSFORM_PLAIN:
        break;
    }
    return t->centre + t->scale * sti_tan(half_pi * 0.7 * (2.0 * share - 1.0));
}

double transform_width(const Transform *t, double x)
{
    switch (t->type) {
    case TRANSFORM_WITHIN:
        return t->most - t->least;
    case TRANSFORM_LOG: // a factor of e, where the range has many of them
        return fmin(t->most - t->least, x);
    case TRANSFORM_ABOVE:
        return fmax(x - t->least, 1e-3 * t->scale);
    case TRANSFORM_BELOW:
        return fmax(t->most - x, 1e-3 * t->scale);
    case TRANSFORM_PLAIN:
        break;
    }
    return fmax(fabs(x), t->scale);
}

bool transform_at_bound(const Transform *t, double x)
{
    static const double near = 1e-4;
    if (t->type == TRANSFORM_LOG)
        return sti_log(x / t->least) < near * sti_log(t->most / t->least) ||
               sti_log(t->most / x) < near * sti_log(t->most / t->least);
    const double width = t->type == TRANSFORM_WITHIN ? t->most - t->least : t->scale;
    return x - t->least < near * width || t->most - x < near * width;
}
