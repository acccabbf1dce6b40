#include "impedance/one_sided.h"

#include <math.h>

double sti_one_sided_force(const OneSided *p) { return p->K * p->d + p->B * p->v; }

StiMargin sti_one_sided_margin_beyond(const OneSided *p, double scale)
{
    return (StiMargin){.g = p->d, .rate = p->v, .scale = scale};
}

// Without a damper the force ends with the depth, which has its own margin.
StiMargin sti_one_sided_margin_of_force(const OneSided *p, bool pushes)
{
    const double side = pushes ? 1.0 : -1.0;
    if (p->B == 0.0) return sti_endless;
    return (StiMargin){.g = side * sti_one_sided_force(p),
                       .rate = side * (p->K * p->v + p->B * p->vdot),
                       .scale = fabs(p->K * p->d) + fabs(p->B * p->v)};
}

bool sti_one_sided_begins(const OneSided *p) { return p->B == 0.0 || sti_one_sided_force(p) > 0.0; }
