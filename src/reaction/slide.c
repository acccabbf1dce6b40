// (T W + s I) r = vbar with |r| = level(|v|) and v = s r, in the principal axes of W.
#include "law/balance.h"
#include "law/norm.h"
#include "reaction/slide.h"

static StiBalance balance_of(const StiInertia *inertia, const StiLaw *law, const double *signals,
                             const double *vbar)
{
    StiBalance balance = {.law = law, .signals = signals, .axes = inertia->dim};
    for (int k = 0; k < inertia->dim; ++k) balance.g[k] = inertia->g[k];
    sti_inertia_resolve(inertia, vbar, balance.c);
    balance.a = sti_norm(inertia->dim, balance.c);
    return balance;
}

StiSlide sti_slide(const StiInertia *inertia, const StiLaw *law, const double *signals,
                   const double *vbar)
{
    const StiBalance balance = balance_of(inertia, law, signals, vbar);
    const StiBalanceSlip slip = sti_balance_slip(&balance, false);
    const double F = sti_law_level(law, slip.speed, 0.0, signals);
    StiSlide slide = {.speed = slip.speed, .several = slip.several};
    double along[3];
    for (int k = 0; k < inertia->dim; ++k)
        along[k] = balance.c[k] * (F / (slip.speed + inertia->g[k] * F));
    sti_inertia_compose(inertia, along, slide.r);
    return slide;
}

bool sti_slide_exists(const StiInertia *inertia, const StiLaw *law, const double *signals,
                      const double *vbar)
{
    const StiBalance balance = balance_of(inertia, law, signals, vbar);
    return balance.a > 0.0 && sti_balance_slip(&balance, true).several;
}
