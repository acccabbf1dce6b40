// The elastic Coulomb element with its mode fixed: sticking is a spring and a damper, slipping a
// level along a direction (METHODS 2).
#include "impedance/elastic_modes.h"

#include "impedance/slider.h"

static Slider slider_of(const void *parameters, const double *signals)
{
    const StiElasticCoulomb *p = parameters;
    return (Slider){.dim = p->dim,
                    .law = &p->law,
                    .level_static = p->level_static,
                    .K = p->K,
                    .B = p->B,
                    .signals = signals};
}

static const char *unsupported_reason(const void *parameters)
{
    return ((const StiElasticCoulomb *)parameters)->B > 0.0 ? NULL : "damping above 0";
}

static int count(const void *parameters)
{
    (void)parameters;
    return 1;
}

static bool jumps(const void *parameters)
{
    return ((const StiElasticCoulomb *)parameters)->level_static > 0.0;
}

static StiStatus eval(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                      const double *y, const double *s, double *u, double *ydot)
{
    const Slider slider = slider_of(parameters, xhat->signals);
    sti_slider_eval(&slider, stage->tau, xhat->v, y, s, u, ydot);
    return STI_OK;
}

static void margin(const void *parameters, const StiMotion *xhat, const double *vdot,
                   const double *y, const double *ydot, const double *s, StiMargin *margins)
{
    const Slider slider = slider_of(parameters, xhat->signals);
    margins[0] = sti_slider_margin(&slider, xhat->v, vdot, y, ydot, s);
}

static void tangent(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, double *Z)
{
    const Slider slider = slider_of(parameters, xhat->signals);
    sti_slider_tangent(&slider, stage->tau, xhat->v, y, s, Z);
}

static void carried(const void *parameters, const double *y, const double *s, const double *moved,
                    double *k)
{
    (void)moved;
    const StiElasticCoulomb *p = parameters;
    for (int i = 0; i < p->dim; ++i) k[i] = s[0] == STI_STICK ? p->K * y[i] : 0.0;
}

static void turn(const void *parameters, int mode, const StiMotion *xhat, const double *y,
                 double *s)
{
    (void)mode;
    const Slider slider = slider_of(parameters, xhat->signals);
    sti_slider_turn(&slider, xhat->v, y, s);
}

static void relax(const void *parameters, double h, const double *signals, const double *s,
                  const double *y_start, double *y)
{
    const Slider slider = slider_of(parameters, signals);
    sti_slider_relax(&slider, h, s, y_start, y);
}

const StiImpedanceModes sti_elastic_modes = {
    .table_size = sizeof(StiImpedanceModes),
    .unsupported_reason = unsupported_reason,
    .count = count,
    .jumps = jumps,
    .eval = eval,
    .margin = margin,
    .tangent = tangent,
    .carried = carried,
    .turn = turn,
    .relax = relax,
};
