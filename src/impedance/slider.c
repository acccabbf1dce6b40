#include "impedance/slider.h"

#include <math.h>

#include "law/norm.h"
#include "law/slip.h"

// w = Z v + K e, the force that sticking takes.
static void force_of_stick(const Slider *p, double Z, const double *v, const double *e, double *w)
{
    for (int i = 0; i < p->dim; ++i) w[i] = Z * v[i] + p->K * e[i];
}

// Size of w along the slip; n is its direction: the kept sign on one axis, that of w on more.
static double along_slip(const Slider *p, const double *w, const double *s, double *n)
{
    if (p->dim == 1) {
        n[0] = s[1];
        return s[1] * w[0];
    }
    const double size = sti_norm(p->dim, w);
    for (int i = 0; i < p->dim; ++i) n[i] = size > 0.0 ? w[i] / size : s[1 + i];
    return size;
}

// The level where Z u + level(u) = size, u the speed of slip; *slope: of the level there.
static double level_of_slip(const Slider *p, double Z, double size, const double *n, double *slope)
{
    const double direction = sti_direction(p->dim, n);
    const double at_rest = sti_law_level_at(p->law, 0.0, direction, p->signals);
    *slope = 0.0;
    if (p->law->kind->constant) return at_rest;
    *slope = sti_law_slope(p->law, 0.0, direction, p->signals);
    if (size <= at_rest) { // a trial has run past the end of slip: the level goes on, bounded as it is itself
        *slope = fmax(*slope, -0.9 * Z); // steeper (without end, of a Stribeck curve with an exponent below 1): no slow slip
        const double level = at_rest + *slope * (size - at_rest) / (Z + *slope);
        return level > 2.0 * at_rest ? 2.0 * at_rest : level;
    }
    const StiSlipSolution slip = sti_law_solve(p->law, 1.0 / Z, size / Z, direction, p->signals);
    *slope = sti_law_slope(p->law, slip.speed, direction, p->signals);
    return slip.level;
}

void sti_slider_eval(const Slider *p, double tau, const double *v, const double *e, const double *s,
                     double *f, double *edot)
{
    const double Z = p->B + tau * p->K;
    double w[3], n[3], slope;
    force_of_stick(p, Z, v, e, w);
    if (s[0] == STI_STICK) {
        for (int i = 0; i < p->dim; ++i) f[i] = w[i], edot[i] = v[i];
        return;
    }
    const double level = level_of_slip(p, Z, along_slip(p, w, s, n), n, &slope);
    for (int i = 0; i < p->dim; ++i) {
        f[i] = level * n[i];
        edot[i] = (f[i] - p->K * e[i]) / Z;
    }
}

static double limit_of_stick(const Slider *p, const double *w)
{
    if (!(p->level_static > 0.0))
        return sti_law_level_at(p->law, 0.0, sti_direction(p->dim, w), p->signals);
    return p->level_static * sti_law_dry(p->law, p->signals);
}

// In stick F_S - |w|; in slip |w| - F, which is B times the speed of slip.
StiMargin sti_slider_margin(const Slider *p, const double *v, const double *vdot, const double *e,
                            const double *edot, const double *s)
{
    double w[3], n[3], slope, growth = 0.0;
    force_of_stick(p, p->B, v, e, w);
    if (s[0] == STI_STICK) {
        const double size = sti_norm(p->dim, w), limit = limit_of_stick(p, w);
        for (int i = 0; i < p->dim && size > 0.0; ++i)
            growth += w[i] / size * (p->B * vdot[i] + p->K * edot[i]);
        return (StiMargin){.g = limit - size, .rate = -growth, .scale = limit};
    }
    const double size = along_slip(p, w, s, n);
    const double level = level_of_slip(p, p->B, size, n, &slope);
    for (int i = 0; i < p->dim; ++i) growth += n[i] * (p->B * vdot[i] + p->K * edot[i]);
    return (StiMargin){.g = size - level,
                       .rate = growth * (p->B / fmax(p->B + slope, 0.1 * p->B)),
                       .scale = level};
}

void sti_slider_tangent(const Slider *p, double tau, const double *v, const double *e,
                        const double *s, double *Z)
{
    const double stuck = p->B + tau * p->K;
    double w[3], n[3], slope, across = 0.0;
    force_of_stick(p, stuck, v, e, w);
    if (s[0] == STI_SLIP && p->dim > 1) {
        const double size = along_slip(p, w, s, n);
        const double level = level_of_slip(p, stuck, size, n, &slope);
        across = size > 0.0 ? stuck * fmin(1.0, level / size) : stuck;
    }
    for (int i = 0; i < p->dim; ++i)
        for (int k = 0; k < p->dim; ++k)
            Z[i * p->dim + k] = s[0] == STI_STICK ? (i == k ? stuck : 0.0)
                                : p->dim == 1     ? 0.0
                                                  : across * ((i == k) - n[i] * n[k]);
}

void sti_slider_turn(const Slider *p, const double *v, const double *e, double *s)
{
    double w[3];
    force_of_stick(p, p->B, v, e, w);
    const double size = sti_norm(p->dim, w);
    if (s[0] == STI_STICK)
        for (int i = 0; i < p->dim; ++i) s[1 + i] = size > 0.0 ? w[i] / size : i == 0;
    s[0] = s[0] == STI_STICK ? STI_SLIP : STI_STICK;
}

// e -> F s/K with the time constant B/K.
void sti_slider_relax(const Slider *p, double h, const double *s, const double *e_start, double *e)
{
    if (s[0] == STI_STICK || p->dim > 1 || !p->law->kind->constant) return;
    const double end = sti_law_level_at(p->law, 0.0, s[1], p->signals) * s[1] / p->K;
    e[0] = end + (e_start[0] - end) * sti_exp(-p->K * h / p->B);
}
