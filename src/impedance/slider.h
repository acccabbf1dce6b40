// Private: a spring K and a damper B behind a slider, with its mode fixed (METHODS 2). Shared by the
// friction models that are made of such sliders.
#ifndef STICTION_SRC_IMPEDANCE_SLIDER_H
#define STICTION_SRC_IMPEDANCE_SLIDER_H

#include "stiction/friction.h"

typedef struct Slider {
    int dim;
    const StiLaw *law;
    double level_static; // F_S; 0: the law's at rest
    double K, B;         // B > 0
    const double *signals;
} Slider;

// s: mode and kept direction, 1 + dim numbers. f is added up by the caller.
void sti_slider_eval(const Slider *p, double tau, const double *v, const double *e, const double *s,
                     double *f, double *edot);
StiMargin sti_slider_margin(const Slider *p, const double *v, const double *vdot, const double *e,
                            const double *edot, const double *s);
// dim x dim
void sti_slider_tangent(const Slider *p, double tau, const double *v, const double *e,
                        const double *s, double *Z);
void sti_slider_turn(const Slider *p, const double *v, const double *e, double *s);
// e after a time h of sliding at a constant level along one axis; else as it is.
void sti_slider_relax(const Slider *p, double h, const double *s, const double *e_start, double *e);

#endif
