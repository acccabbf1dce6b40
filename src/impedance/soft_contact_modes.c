// A soft contact with its modes fixed: per point a one-sided spring across, and behind it a slider along whose
// level is mu times the normal force. Both modes of a point take three numbers of s.
#include "impedance/soft_contact_modes.h"

#include <math.h>

#include "impedance/one_sided.h"
#include "impedance/slider.h"
#include "law/norm.h"

enum { NORMAL = 2, BELOW = STI_SOFT_BELOW, FORCE = STI_SOFT_FORCE, FRICTION = STI_SOFT_FRICTION };
enum { MODES = 3 };
static const double metre = 1.0; // what gaps are compared with

static bool pushes(const double *s) { return s[BELOW] != 0.0 && s[FORCE] == STI_PUSHES; }

bool sti_soft_contact_holds(const double *s) { return pushes(s) && s[FRICTION] == STI_STICK; }

static const char *unsupported_reason(const void *parameters)
{
    return ((const StiSoftContact *)parameters)->B > 0.0 ? NULL : "damping above 0";
}

static int count(const void *parameters)
{
    return MODES * ((const StiSoftContact *)parameters)->points;
}

static bool jumps(const void *parameters)
{
    (void)parameters;
    return true; // the damper's force begins at once
}

static OneSided normal_of(const StiSoftContact *p, const double *x, const double *v,
                          const double *vdot)
{
    return (OneSided){.K = p->K,
                      .B = p->B,
                      .d = -x[NORMAL],
                      .v = -v[NORMAL],
                      .vdot = vdot != NULL ? -vdot[NORMAL] : 0.0};
}

// law: room for its level, mu times the normal force.
static Slider slider_of(const StiSoftContact *p, double normal_force, StiLaw *law)
{
    *law = sti_law_coulomb(p->mu * fmax(normal_force, 0.0));
    return (Slider){.dim = 2, .law = law, .K = p->K, .B = p->B};
}

static StiStatus eval(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                      const double *y, const double *s, double *u, double *ydot)
{
    const StiSoftContact *p = parameters;
    for (int i = 0; i < p->points; ++i, s += STI_SOFT_DISCRETE) {
        const double *x = xhat->x + 3 * i, *v = xhat->v + 3 * i, *e = y + 2 * i;
        const OneSided normal = normal_of(p, x, v, NULL);
        const double f = pushes(s) ? sti_one_sided_force(&normal) : 0.0;
        StiLaw law;
        const Slider slider = slider_of(p, f, &law);
        u[3 * i + NORMAL] = 0.0 - f;
        // Apart the spring along relaxes: a slider without a level.
        const double apart[3] = {STI_SLIP};
        sti_slider_eval(&slider, stage->tau, v, e, pushes(s) ? s + FRICTION : apart,
                        u + 3 * i, ydot + 2 * i);
    }
    return STI_OK;
}

// The level grows with the normal force.
static StiMargin friction_margin(const StiSoftContact *p, const OneSided *normal, const double *v,
                                 const double *vdot, const double *e, const double *edot,
                                 const double *s)
{
    StiLaw law;
    const Slider slider = slider_of(p, sti_one_sided_force(normal), &law);
    const StiMargin force = sti_one_sided_margin_of_force(normal, true);
    const double growth = force.g > 0.0 ? p->mu * force.rate : 0.0;
    if (p->mu == 0.0) return sti_endless;
    StiMargin margin = sti_slider_margin(&slider, v, vdot, e, edot, s);
    margin.rate += s[0] == STI_STICK ? growth : -growth;
    return margin;
}

static void margin(const void *parameters, const StiMotion *xhat, const double *vdot,
                   const double *y, const double *ydot, const double *s, StiMargin *margins)
{
    const StiSoftContact *p = parameters;
    for (int i = 0; i < p->points; ++i, s += STI_SOFT_DISCRETE, margins += MODES) {
        const double *x = xhat->x + 3 * i, *v = xhat->v + 3 * i;
        const OneSided normal = normal_of(p, x, v, vdot + 3 * i);
        margins[0] = sti_one_sided_margin_beyond(&normal, metre);
        if (s[BELOW] == 0.0)
            margins[0] = (StiMargin){.g = x[NORMAL], .rate = v[NORMAL], .scale = metre};
        margins[1] = s[BELOW] == 0.0 ? sti_endless
                                     : sti_one_sided_margin_of_force(&normal, pushes(s));
        margins[2] = pushes(s) ? friction_margin(p, &normal, v, vdot + 3 * i, y + 2 * i,
                                                 ydot + 2 * i, s + FRICTION)
                               : sti_endless;
    }
}

// Along which friction follows the normal force: that of the spring, which follows the slip.
static void slip_direction(const double *e, const double *s, double *n)
{
    const double size = sti_norm(2, e);
    for (int d = 0; d < 2; ++d) n[d] = size > 0.0 ? e[d] / size : s[1 + d];
}

static void tangent(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, double *Z)
{
    const StiSoftContact *p = parameters;
    const int rows = 3 * p->points;
    for (int i = 0; i < rows * rows; ++i) Z[i] = 0.0;
    for (int i = 0; i < p->points; ++i, s += STI_SOFT_DISCRETE) {
        const double *x = xhat->x + 3 * i, *v = xhat->v + 3 * i, *e = y + 2 * i;
        const OneSided normal = normal_of(p, x, v, NULL);
        const double own = p->B + stage->tau * p->K;
        double *block = Z + 3 * i * rows + 3 * i, along[4], n[2];
        StiLaw law;
        if (!pushes(s)) continue;
        const Slider slider = slider_of(p, sti_one_sided_force(&normal), &law);
        sti_slider_tangent(&slider, stage->tau, v, e, s + FRICTION, along);
        slip_direction(e, s + FRICTION, n);
        block[NORMAL * rows + NORMAL] = own;
        for (int d = 0; d < 2; ++d) {
            for (int k = 0; k < 2; ++k) block[d * rows + k] = along[2 * d + k];
            if (s[FRICTION] == STI_SLIP) block[d * rows + NORMAL] = -p->mu * own * n[d];
        }
    }
}

static void carried(const void *parameters, const double *y, const double *s, const double *moved,
                    double *k)
{
    const StiSoftContact *p = parameters;
    for (int i = 0; i < p->points; ++i, s += STI_SOFT_DISCRETE, k += 3) {
        const double *e = y + 2 * i, normal = p->K * moved[3 * i + NORMAL];
        double n[2];
        k[0] = k[1] = k[NORMAL] = 0.0;
        if (!pushes(s)) continue;
        slip_direction(e, s + FRICTION, n);
        k[NORMAL] = normal;
        for (int d = 0; d < 2; ++d)
            k[d] = s[FRICTION] == STI_STICK ? p->K * e[d] : -p->mu * normal * n[d];
    }
}

// What the friction does first where the point begins to push.
static void begin_friction(const StiSoftContact *p, const OneSided *normal, const double *v,
                           const double *e, double *s)
{
    StiLaw law;
    const Slider slider = slider_of(p, sti_one_sided_force(normal), &law);
    const double w[2] = {p->B * v[0] + p->K * e[0], p->B * v[1] + p->K * e[1]};
    s[0] = STI_STICK;
    if (p->mu == 0.0 || sti_norm(2, w) > law.p[0]) sti_slider_turn(&slider, v, e, s);
}

static void turn(const void *parameters, int mode, const StiMotion *xhat, const double *y,
                 double *s)
{
    const StiSoftContact *p = parameters;
    const int i = mode / MODES, which = mode % MODES;
    const double *x = xhat->x + 3 * i, *v = xhat->v + 3 * i, *e = y + 2 * i;
    const OneSided normal = normal_of(p, x, v, NULL);
    s += STI_SOFT_DISCRETE * i;
    const bool pushed = pushes(s);
    if (which == 2 && pushed) {
        StiLaw law;
        const Slider slider = slider_of(p, sti_one_sided_force(&normal), &law);
        sti_slider_turn(&slider, v, e, s + FRICTION);
    } else if (which == 1 && s[BELOW] != 0.0) {
        s[FORCE] = s[FORCE] == STI_PUSHES ? STI_LET_GO : STI_PUSHES;
    } else if (which == 0) {
        s[BELOW] = s[BELOW] == 0.0;
        s[FORCE] = s[BELOW] != 0.0 && sti_one_sided_begins(&normal) ? STI_PUSHES : STI_LET_GO;
    }
    if (pushes(s) && !pushed) begin_friction(p, &normal, v, e, s + FRICTION);
    if (!pushes(s)) s[FRICTION] = STI_STICK;
}

const StiImpedanceModes sti_soft_contact_modes = {
    .table_size = sizeof(StiImpedanceModes),
    .one_sided = true,
    .unsupported_reason = unsupported_reason,
    .count = count,
    .jumps = jumps,
    .eval = eval,
    .margin = margin,
    .tangent = tangent,
    .carried = carried,
    .turn = turn,
};
