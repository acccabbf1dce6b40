// Speeds and gaps that are too small to be known.
#include <math.h>

#include "evaluate/modes.h"
#include "evaluate/touches.h"
#include "law/norm.h"

enum { UNTRUSTED = 100 };

double sti_modes_untrusted(const StiScratch *scratch, double speed)
{
    return fmin(UNTRUSTED * scratch->relative, 0.1) * speed + UNTRUSTED * scratch->absolute;
}

// Below it the speed of a place is not known to be any.
double sti_touch_least_speed(const StiScratch *scratch, const StageData *now, int i)
{
    const ContactPlace *place = &scratch->touches->places[i];
    const Touch *touch = &scratch->touches->touches[i];
    double most = 0.0;
    for (int k = 0; k < 2; ++k) {
        if (place->frame[k] < 0) continue;
        const StiFrame *frame = &now->frames[place->frame[k]];
        most = fmax(most, sti_vec3_norm(frame->v) +
                              sti_vec3_norm(frame->w) * sti_vec3_norm(touch->arm[k]));
    }
    return sti_modes_untrusted(scratch, most);
}

bool sti_touch_slides_on(const StiNetwork *network, const StiScratch *scratch, const StageData *now,
                         int i)
{
    static const double stopped = 1e-6; // of the speed that friction takes in a step
    const Touch *touch = &scratch->touches->touches[i];
    const double lost = network->step * sti_hypot(touch->rate[0], touch->rate[1]);
    return sti_hypot(touch->v[0], touch->v[1]) >
           fmax(sti_touch_least_speed(scratch, now, i), stopped * lost);
}

double sti_touch_nearness(const Touch *touch)
{
    return 1e-8 * (sti_vec3_norm(touch->arm[0]) + 1e-3);
}

bool sti_touch_is_near(const Touch *touch) { return touch->touch.gap <= sti_touch_nearness(touch); }
