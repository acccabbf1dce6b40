#include "linkage/pair.h"

#include <string.h>

const PairKind *sti_pair_kind(StiPlanarPairType type)
{
    static const PairKind *const kinds[STI_PAIR_TYPES] = {
        [STI_PAIR_REVOLUTE] = &sti_pair_revolute, [STI_PAIR_PRISMATIC] = &sti_pair_prismatic,
        [STI_PAIR_FIXED] = &sti_pair_fixed,       [STI_PAIR_SLOT] = &sti_pair_slot,
        [STI_PAIR_DISC] = &sti_pair_disc,         [STI_PAIR_ROLLING] = &sti_pair_rolling,
        [STI_PAIR_ROD] = &sti_pair_rod,           [STI_PAIR_GEAR] = &sti_pair_gear,
    };
    return kinds[type];
}

Arms sti_pair_arms(const StiPlanarPair *pair, const Posture *body, const Posture *other)
{
    const StiVec2 a = posture_rotate(body, pair->at), b = posture_rotate(other, pair->at_other);
    const StiVec2 va = vec2_add(body->v, vec2_scale(body->rate, vec2_turn(a)));
    const StiVec2 vb = vec2_add(other->v, vec2_scale(other->rate, vec2_turn(b)));
    return (Arms){.body = a,
                  .other = b,
                  .d = vec2_sub(vec2_add(body->p, a), vec2_add(other->p, b)),
                  .rate = vec2_sub(va, vb),
                  .centripetal = vec2_sub(vec2_scale(body->rate * body->rate, a),
                                          vec2_scale(other->rate * other->rate, b))};
}

void sti_pair_row(StiVec2 along, StiVec2 arm_body, StiVec2 arm_other, PairRow *row)
{
    row->J[0] = along.x;
    row->J[1] = along.y;
    row->J[2] = vec2_dot(along, vec2_turn(arm_body));
    row->J[3] = -along.x;
    row->J[4] = -along.y;
    row->J[5] = -vec2_dot(along, vec2_turn(arm_other));
}
