// Play between two coordinates at a ratio: a gear whose flanks have a gap and a stiffness.
#include <math.h>

#include "read/couplings.h"
#include "stiction/actuator.h"
#include "stiction/wire.h"

const Key scene_backlash_keys[SCENE_BACKLASH_KEYS] = {
    {"kind", VALUE_TEXT, true, "backlash", NULL},
    {"between", VALUE_PAIR, true, "two joints, rotors or bodies with one coordinate", NULL},
    {"ratio", VALUE_NUMBER, false, "the first turns ratio times as far as the second; default 1",
     NULL},
    {"gap", VALUE_NUMBER, true, "play of the first, from one flank to the other, rad or m", NULL},
    {"stiffness", VALUE_NUMBER, true, "of the flanks, at the first, N m/rad or N/m", NULL},
    {"damping", VALUE_NUMBER, false, "of the flanks, at the first, N m s/rad or N s/m", NULL},
    {"middle", VALUE_NUMBER, false,
     "first - ratio x second in the middle of the gap, rad or m; default 0", NULL},
};

// A pin between two moving parts of a linkage is a difference already.
static bool one_term_each(Reader *reader, const Node *node, const Coordinate *members)
{
    for (int i = 0; i < 2; ++i)
        if (members[i].count > 1) {
            scene_error(reader, scene_node_find(node, "between")->items[i]->mark,
                        "'%s' joins two moving parts: backlash needs a pin on the ground",
                        members[i].name);
            return false;
        }
    return true;
}

static StiWire wire_between(const Coordinate *members, double ratio)
{
    const StiCouplingTerm *a = &members[0].terms[0], *b = &members[1].terms[0];
    StiWire wire = sti_wire_combination(a->body, a->velocity, a->factor, b->body, b->velocity,
                                        -ratio * b->factor, members[0].angular);
    wire.a.position = a->position;
    wire.b.position = b->position;
    return wire;
}

void scene_read_backlash(Reader *reader, const char *name, const Node *node, bool complete)
{
    Coordinate members[2];
    StiBacklash p = {0};
    double ratio = 1.0;
    bool good = scene_number_at(reader, node, "ratio", &ratio) && complete;
    good = scene_number_at(reader, node, "gap", &p.gap) && good;
    good = scene_number_at(reader, node, "stiffness", &p.K) && good;
    good = scene_number_at(reader, node, "damping", &p.B) && good;
    good = scene_number_at(reader, node, "middle", &p.middle) && good;
    if (!scene_read_members(reader, node, 2, members) || !good) return;
    if (ratio == 0.0) {
        scene_error(reader, scene_node_find(node, "ratio")->mark, "ratio must not be 0");
        return;
    }
    if (!one_term_each(reader, node, members)) return;
    const StiWire wire = wire_between(members, ratio);
    scene_add_element(reader,
                      (Element){.name = name,
                                .entry = name,
                                .node = node,
                                .forces = 1,
                                .id = sti_plan_add_impedance(reader->plan, name, &sti_kind_backlash,
                                                             &p, &wire)});
}
