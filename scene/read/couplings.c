// Gears, racks, screws, belts, differentials: equations between coordinates, and friction in them.
#include "read/couplings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "read/models.h"
#include "stiction/elementary.h"

static const char pair_meaning[] = "two joints, rotors or bodies with one coordinate";

const Key scene_gear_keys[SCENE_GEAR_KEYS] = {
    {"kind", VALUE_TEXT, true, "gear", NULL},
    {"between", VALUE_PAIR, true, pair_meaning, NULL},
    {"ratio", VALUE_NUMBER, true,
     "the first turns ratio times the second; below 0 where they turn against each other", NULL},
    {"offset", VALUE_NUMBER, false,
     "first = ratio x second + offset; default: as they stand at the start", NULL},
    {"loss", VALUE_NUMBER, false, "friction at the first, per unit of the transmitted load", NULL},
    {"loss_static", VALUE_NUMBER, false, "the same while it sticks; default loss", NULL},
};
const Key scene_mimic_keys[SCENE_MIMIC_KEYS] = {
    {"kind", VALUE_TEXT, true, "mimic", NULL},
    {"on", VALUE_BODY, true, "the joint that follows", NULL},
    {"of", VALUE_BODY, true, "the joint that it follows", NULL},
    {"ratio", VALUE_NUMBER, false, "on = ratio x of + offset; default 1", NULL},
    {"offset", VALUE_NUMBER, false, "rad or m; default 0", NULL},
};
const Key scene_rack_keys[SCENE_RACK_KEYS] = {
    {"kind", VALUE_TEXT, true, "rack", NULL},
    {"between", VALUE_PAIR, true, "the pinion, which turns, and the rack, which slides", NULL},
    {"radius", VALUE_NUMBER, true, "of the pinion, m; below 0: the other way", NULL},
    {"offset", VALUE_NUMBER, false,
     "rack = radius x pinion + offset, m; default: as they stand at the start", NULL},
};
const Key scene_screw_keys[SCENE_SCREW_KEYS] = {
    {"kind", VALUE_TEXT, true, "screw", NULL},
    {"between", VALUE_PAIR, true, "what turns, and what slides", NULL},
    {"lead", VALUE_NUMBER, true, "way of the slide per turn, m; below 0: left-handed", NULL},
    {"offset", VALUE_NUMBER, false,
     "slide = lead/(2 pi) x turn + offset, m; default: as they stand at the start", NULL},
    {"mu", VALUE_NUMBER, false, "friction in the thread by its own normal load", NULL},
    {"mu_static", VALUE_NUMBER, false, "the same while it sticks; default mu", NULL},
    {"radius", VALUE_NUMBER, false, "mean radius of the thread, m; needed with mu", NULL},
    {"flank_angle", VALUE_NUMBER, false,
     "half the angle of the thread's profile, rad; default 0, a square thread", NULL},
};
const Key scene_worm_keys[SCENE_WORM_KEYS] = {
    {"kind", VALUE_TEXT, true, "worm", NULL},
    {"between", VALUE_PAIR, true, "the worm and its wheel", NULL},
    {"ratio", VALUE_NUMBER, true, "turns of the worm per turn of the wheel", NULL},
    {"offset", VALUE_NUMBER, false,
     "worm = ratio x wheel + offset, rad; default: as they stand at the start", NULL},
    {"mu", VALUE_NUMBER, false, "friction of the flanks by their own normal load", NULL},
    {"mu_static", VALUE_NUMBER, false, "the same while they stick; default mu", NULL},
    {"lead_angle", VALUE_NUMBER, false, "of the worm, rad; needed with mu", NULL},
    {"pressure_angle", VALUE_NUMBER, false, "of the flanks, rad; default 0", NULL},
};
const Key scene_timing_belt_keys[SCENE_TIMING_BELT_KEYS] = {
    {"kind", VALUE_TEXT, true, "timing-belt", NULL},
    {"between", VALUE_PAIR, true, "two pulleys; or one and what the belt pulls along", NULL},
    {"radii", VALUE_VECTOR, true, "of the pulleys, m; 1 for what slides", NULL},
    {"crossed", VALUE_TRUTH, false, "the belt turns the second the other way; default false", NULL},
    {"offset", VALUE_NUMBER, false,
     "first radius x first - second radius x second, m; default: as they stand at the start", NULL},
};
const Key scene_belt_keys[SCENE_BELT_KEYS] = {
    {"kind", VALUE_TEXT, true, "belt", NULL},
    {"between", VALUE_PAIR, true, "two pulleys; or one and what the belt pulls along", NULL},
    {"radii", VALUE_VECTOR, true, "of the pulleys, m; 1 for what slides", NULL},
    {"crossed", VALUE_TRUTH, false, "the belt turns the second the other way; default false", NULL},
    {"limit", VALUE_NUMBER, true, "force of the belt at which it slips, N", NULL},
    {"limit_static", VALUE_NUMBER, false, "force at which slip begins, N; default limit", NULL},
};
const Key scene_differential_keys[SCENE_DIFFERENTIAL_KEYS] = {
    {"kind", VALUE_TEXT, true, "differential", NULL},
    {"between", VALUE_TEXTS, true, "three: the input, then the two outputs", NULL},
    {"ratio", VALUE_NUMBER, false, "the input turns ratio times the mean of the outputs; default 1",
     NULL},
    {"offset", VALUE_NUMBER, false, "of the input, rad; default: as they stand at the start", NULL},
};
const Key scene_planetary_keys[SCENE_PLANETARY_KEYS] = {
    {"kind", VALUE_TEXT, true, "planetary", NULL},
    {"between", VALUE_TEXTS, true, "three: the sun, the ring, the carrier", NULL},
    {"teeth", VALUE_VECTOR, true, "of the sun and of the ring", NULL},
    {"offset", VALUE_NUMBER, false,
     "teeth x angle of sun and ring less that of the carrier; default: as they stand at the start",
     NULL},
};
const Key scene_drive_keys[SCENE_DRIVE_KEYS] = {
    {"kind", VALUE_TEXT, true, "drive", NULL},
    {"on", VALUE_BODY, true, "a joint, a rotor or a body with one coordinate", NULL},
    {"value", VALUE_FUNCTION, true, "where it is: a function of time, rad or m", NULL},
    {"breaks", VALUE_NUMBERS, false, "times where value has a kink or jump, s", NULL},
};

// ---- what they share ---------------------------------------------------------------------------------

bool scene_read_members(Reader *reader, const Node *node, int count, Coordinate *members)
{
    const Node *between = scene_node_find(node, "between");
    if (between == NULL) return false;
    if (between->type != NODE_LIST || between->count != count) {
        scene_error(reader, between->mark, "between must be a list of %d names", count);
        return false;
    }
    bool good = true;
    for (int i = 0; i < count; ++i)
        good = scene_find_coordinate(reader, between->items[i], "an entry of between", &members[i]) &&
               good;
    for (int i = 0; good && i < count; ++i)
        for (int k = 0; k < i; ++k)
            if (memcmp(&members[i].terms[0], &members[k].terms[0], sizeof members[i].terms[0]) == 0) {
                scene_error(reader, between->mark, "between names '%s' twice", members[i].name);
                return false;
            }
    return good;
}

// Must it turn, or slide? Else a radius or a lead would mean nothing.
static bool check_turns(Reader *reader, const Node *node, int entry, const Coordinate *member,
                        bool turns)
{
    if (member->angular == turns) return true;
    scene_error(reader, scene_node_find(node, "between")->items[entry]->mark, "'%s' must %s",
                member->name, turns ? "turn: a revolute joint or a rotor"
                                    : "slide: a prismatic joint or a body with one coordinate in m");
    return false;
}

// sum of factors x members = offset, which the scene may give.
static StiConstraintId add_coupling(Reader *reader, const char *name, const Node *node, int count,
                                    const Coordinate *members, const double *factors,
                                    double offset_sign)
{
    StiCouplingTerm terms[6];
    StiCoupling coupling = {.terms = terms, .from_start = true};
    const Node *offset = scene_node_find(node, "offset");
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < members[i].count; ++k) {
            terms[coupling.count] = members[i].terms[k];
            terms[coupling.count++].factor *= factors[i];
        }
    if (offset != NULL) {
        if (!scene_number(reader, offset, "offset", &coupling.offset)) return (StiConstraintId){0};
        coupling.offset *= offset_sign;
        coupling.from_start = false;
    }
    const StiConstraintId id = sti_plan_add_coupling(reader->plan, name, &coupling);
    scene_add_element(reader, (Element){.name = name,
                                        .entry = name,
                                        .node = node,
                                        .forces = 1,
                                        .constraint = id});
    return id;
}

static bool need_positive(Reader *reader, const Node *node, const char *key, double value)
{
    const Node *given = scene_node_find(node, key);
    if (value > 0.0) return true;
    scene_error(reader, given != NULL ? given->mark : node->mark, "%s must be above 0, not %g", key,
                value);
    return false;
}

static bool need_other_than_zero(Reader *reader, const Node *node, const char *key, double value)
{
    if (value != 0.0 && isfinite(value)) return true;
    scene_error(reader, scene_node_find(node, key)->mark, "%s must not be 0", key);
    return false;
}

// Friction along a sum of two coordinates, by the force of the coupling; or with a level of its own.
typedef struct Rubbing {
    double mu, mu_static; // per unit of the coupling's force; level and static level without it
    double factors[2];
    bool angular, helix;
    StiConstraintId coupling; // zero: mu is the level
} Rubbing;

static bool one_term_each(Reader *reader, const Node *node, const Coordinate *members)
{
    for (int i = 0; i < 2; ++i)
        if (members[i].count > 1) {
            scene_error(reader, node->mark,
                        "'%s' joins two moving parts: friction of a coupling needs a pin on the ground",
                        members[i].name);
            return false;
        }
    return true;
}

static void add_rubbing(Reader *reader, const char *name, const Node *node,
                        const Coordinate *members, const Rubbing *r)
{
    char full[256];
    if (!one_term_each(reader, node, members)) return;
    const StiCouplingTerm *a = &members[0].terms[0], *b = &members[1].terms[0];
    StiWire wire = (r->helix ? sti_wire_helix : sti_wire_combination)(
        a->body, a->velocity, r->factors[0], b->body, b->velocity, r->factors[1], r->angular);
    if (r->factors[1] == 0.0) wire = sti_wire_coordinate(a->body, a->velocity, 1);
    wire.a.position = a->position;
    if (r->factors[1] != 0.0) wire.b.position = b->position;
    StiFiniteTime p = {.dim = 1, .law = sti_law_coulomb(r->mu), .level_static = r->mu_static};
    const bool by_load = r->coupling.number != 0;
    if (by_load) p.law = sti_law_times_load(p.law);
    snprintf(full, sizeof full, "%s.friction", name);
    const char *own = by_load ? sti_arena_text(reader->arena, full) : name;
    const StiElementId id =
        sti_plan_add_reaction(reader->plan, own, &sti_kind_finite_time, &p, &wire);
    scene_add_element(reader, (Element){.name = own,
                                        .entry = name,
                                        .node = node,
                                        .friction = true,
                                        .id = id});
    if (by_load) sti_plan_connect(reader->plan, sti_signal_constraint(r->coupling, 1), id, 0);
}

static bool read_friction(Reader *reader, const Node *node, const char *key, const char *key_static,
                          double *mu, double *mu_static)
{
    bool good = scene_number_at(reader, node, key, mu);
    good = scene_number_at(reader, node, key_static, mu_static) && good;
    const Node *given = scene_node_find(node, *mu < 0.0 ? key : key_static);
    if (good && (*mu < 0.0 || *mu_static < 0.0)) {
        scene_error(reader, given->mark, "%s must be 0 or more", *mu < 0.0 ? key : key_static);
        return false;
    }
    return good;
}

// ---- one by one --------------------------------------------------------------------------------------

// The transmitted load is that of the first member: its own friction is loss times that.
void scene_read_gear(Reader *reader, const char *name, const Node *node, bool complete)
{
    Coordinate members[2];
    double ratio = 1.0;
    Rubbing r = {.factors = {1.0, 0.0}};
    bool good = scene_number_at(reader, node, "ratio", &ratio) && complete;
    good = read_friction(reader, node, "loss", "loss_static", &r.mu, &r.mu_static) && good;
    if (!scene_read_members(reader, node, 2, members) || !good ||
        !need_other_than_zero(reader, node, "ratio", ratio))
        return;
    r.angular = members[0].angular;
    r.coupling = add_coupling(reader, name, node, 2, members, (const double[]){1.0, -ratio}, 1.0);
    if (r.mu > 0.0 && r.coupling.number != 0) add_rubbing(reader, name, node, members, &r);
}

void scene_read_mimic(Reader *reader, const char *name, const Node *node, bool complete)
{
    Coordinate members[2];
    double ratio = 1.0, offset = 0.0;
    const Node *on = scene_node_find(node, "on"), *of = scene_node_find(node, "of");
    bool good = scene_number_at(reader, node, "ratio", &ratio) && complete;
    good = scene_number_at(reader, node, "offset", &offset) && good;
    good = on != NULL && scene_find_coordinate(reader, on, "on", &members[0]) && good;
    good = of != NULL && scene_find_coordinate(reader, of, "of", &members[1]) && good;
    if (!good) return;
    StiCouplingTerm terms[4];
    StiCoupling coupling = {.terms = terms, .offset = offset};
    const double factors[2] = {1.0, -ratio};
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < members[i].count; ++k) {
            terms[coupling.count] = members[i].terms[k];
            terms[coupling.count++].factor *= factors[i];
        }
    scene_add_element(reader,
                      (Element){.name = name,
                                .entry = name,
                                .node = node,
                                .forces = 1,
                                .constraint = sti_plan_add_coupling(reader->plan, name, &coupling)});
}

void scene_read_rack(Reader *reader, const char *name, const Node *node, bool complete)
{
    Coordinate members[2];
    double radius = 0.0;
    const bool good = scene_number_at(reader, node, "radius", &radius) && complete;
    if (!scene_read_members(reader, node, 2, members) || !good ||
        !need_other_than_zero(reader, node, "radius", radius))
        return;
    if (!check_turns(reader, node, 0, &members[0], true) ||
        !check_turns(reader, node, 1, &members[1], false))
        return;
    const Coordinate slide_first[2] = {members[1], members[0]};
    add_coupling(reader, name, node, 2, slide_first, (const double[]){1.0, -radius}, 1.0);
}

// The force of the equation slide - lead/(2 pi) turn = 0 is the axial part of the normal force N of the
// flanks: N = force/(cos a cos b), a the lead angle, b the flank angle. Friction mu N acts along the
// helix, whose way is cos a r turn + sin a slide.
static void add_thread(Reader *reader, const char *name, const Node *node, const Coordinate *members,
                       double lead_angle, double flank_angle, double radius, double slide, Rubbing r)
{
    double sine, cosine, flank_sine, flank_cosine;
    sti_sincos(lead_angle, &sine, &cosine);
    sti_sincos(flank_angle, &flank_sine, &flank_cosine);
    r.mu /= cosine * flank_cosine;
    r.mu_static /= cosine * flank_cosine;
    r.helix = true;
    r.factors[0] = cosine * radius;
    r.factors[1] = sine * slide;
    add_rubbing(reader, name, node, members, &r);
}

static bool is_acute(Reader *reader, const Node *node, const char *key, double angle)
{
    if (angle >= 0.0 && angle < 1.57) return true;
    scene_error(reader, scene_node_find(node, key)->mark,
                "%s must be 0 or more and below pi/2 rad, not %g", key, angle);
    return false;
}

void scene_read_screw(Reader *reader, const char *name, const Node *node, bool complete)
{
    Coordinate members[2];
    Rubbing r = {0};
    double lead = 0.0, radius = 0.0, flank = 0.0;
    bool good = scene_number_at(reader, node, "lead", &lead) && complete;
    good = scene_number_at(reader, node, "radius", &radius) && good;
    good = scene_number_at(reader, node, "flank_angle", &flank) && good;
    good = read_friction(reader, node, "mu", "mu_static", &r.mu, &r.mu_static) && good;
    if (!scene_read_members(reader, node, 2, members) || !good ||
        !need_other_than_zero(reader, node, "lead", lead))
        return;
    if (!check_turns(reader, node, 0, &members[0], true) ||
        !check_turns(reader, node, 1, &members[1], false) ||
        !is_acute(reader, node, "flank_angle", flank) ||
        (r.mu > 0.0 && !need_positive(reader, node, "radius", radius)))
        return;
    const double per_rad = lead / (2.0 * 3.14159265358979323846);
    const Coordinate slide_first[2] = {members[1], members[0]};
    r.coupling = add_coupling(reader, name, node, 2, slide_first, (const double[]){1.0, -per_rad}, 1.0);
    if (r.mu > 0.0 && r.coupling.number != 0)
        add_thread(reader, name, node, members, sti_atan2(per_rad, radius), flank, radius, 1.0, r);
}

// The wheel's pitch radius does not matter: with the worm's as unit of length the wheel's is
// ratio tan(lead angle).
void scene_read_worm(Reader *reader, const char *name, const Node *node, bool complete)
{
    Coordinate members[2];
    Rubbing r = {.angular = true};
    double ratio = 1.0, lead_angle = 0.0, pressure = 0.0;
    bool good = scene_number_at(reader, node, "ratio", &ratio) && complete;
    good = scene_number_at(reader, node, "lead_angle", &lead_angle) && good;
    good = scene_number_at(reader, node, "pressure_angle", &pressure) && good;
    good = read_friction(reader, node, "mu", "mu_static", &r.mu, &r.mu_static) && good;
    if (!scene_read_members(reader, node, 2, members) || !good ||
        !need_other_than_zero(reader, node, "ratio", ratio) ||
        !check_turns(reader, node, 0, &members[0], true) ||
        !check_turns(reader, node, 1, &members[1], true))
        return;
    if (r.mu > 0.0 && !need_positive(reader, node, "lead_angle", lead_angle)) return;
    if (!is_acute(reader, node, "lead_angle", lead_angle) ||
        !is_acute(reader, node, "pressure_angle", pressure))
        return;
    r.coupling = add_coupling(reader, name, node, 2, members, (const double[]){1.0, -ratio}, 1.0);
    if (!(r.mu > 0.0) || r.coupling.number == 0) return;
    // The coupling's force is a moment on the worm: force x tan(lead angle) of the axial one.
    const double slope = sti_tan(lead_angle);
    r.mu /= slope;
    r.mu_static /= slope;
    add_thread(reader, name, node, members, lead_angle, pressure, 1.0, ratio * slope, r);
}

static bool read_belt(Reader *reader, const Node *node, bool complete, Coordinate *members,
                      double *factors)
{
    bool crossed = false;
    const Node *cross = scene_node_find(node, "crossed");
    bool good = scene_vector_at(reader, node, "radii", 2, 2, factors) && complete;
    if (cross != NULL) good = scene_truth(reader, cross, "crossed", &crossed) && good;
    if (!scene_read_members(reader, node, 2, members) || !good) return false;
    if (factors[0] == 0.0 || factors[1] == 0.0) {
        scene_error(reader, scene_node_find(node, "radii")->mark, "radii must not be 0");
        return false;
    }
    factors[1] = crossed ? factors[1] : -factors[1];
    return true;
}

void scene_read_timing_belt(Reader *reader, const char *name, const Node *node, bool complete)
{
    Coordinate members[2];
    double factors[3];
    if (read_belt(reader, node, complete, members, factors))
        add_coupling(reader, name, node, 2, members, factors, 1.0);
}

void scene_read_belt(Reader *reader, const char *name, const Node *node, bool complete)
{
    Coordinate members[2];
    double factors[3];
    Rubbing r = {0};
    const bool good = read_friction(reader, node, "limit", "limit_static", &r.mu, &r.mu_static);
    if (!read_belt(reader, node, complete, members, factors) || !good) return;
    r.factors[0] = factors[0];
    r.factors[1] = factors[1];
    add_rubbing(reader, name, node, members, &r);
}

void scene_read_differential(Reader *reader, const char *name, const Node *node, bool complete)
{
    Coordinate members[3];
    double ratio = 1.0;
    const bool good = scene_number_at(reader, node, "ratio", &ratio) && complete;
    if (!scene_read_members(reader, node, 3, members) || !good ||
        !need_other_than_zero(reader, node, "ratio", ratio))
        return;
    add_coupling(reader, name, node, 3, members,
                 (const double[]){1.0, -0.5 * ratio, -0.5 * ratio}, 1.0);
}

// Willis: sun teeth x (sun - carrier) = -ring teeth x (ring - carrier).
void scene_read_planetary(Reader *reader, const char *name, const Node *node, bool complete)
{
    Coordinate members[3];
    double teeth[3] = {0.0};
    const bool good = scene_vector_at(reader, node, "teeth", 2, 2, teeth) && complete;
    if (!scene_read_members(reader, node, 3, members) || !good) return;
    if (!(teeth[0] > 0.0) || !(teeth[1] > 0.0)) {
        scene_error(reader, scene_node_find(node, "teeth")->mark,
                    "teeth must be two numbers above 0: of the sun and of the ring");
        return;
    }
    add_coupling(reader, name, node, 3, members,
                 (const double[]){teeth[0], teeth[1], -teeth[0] - teeth[1]}, 1.0);
}

void scene_read_drive(Reader *reader, const char *name, const Node *node, bool complete)
{
    Coordinate member;
    Piece piece;
    double breaks[64];
    int break_count = 0;
    const Node *on = scene_node_find(node, "on"), *value = scene_node_find(node, "value"),
               *times = scene_node_find(node, "breaks");
    if (times != NULL && !scene_vector(reader, times, "breaks", 1, 64, breaks, &break_count)) return;
    bool good = on != NULL && scene_find_coordinate(reader, on, "on", &member);
    good = value != NULL && scene_read_piece(reader, value, "value", &piece) && good;
    if (!good || !complete) return;
    const StiCoupling coupling = {.terms = member.terms, .count = member.count, .driven = true};
    const StiConstraintId id = sti_plan_add_coupling(reader->plan, name, &coupling);
    char source_name[192];
    snprintf(source_name, sizeof source_name, "%s.value", name);
    const StiSourceId source = sti_plan_add_time_function(
        reader->plan, sti_arena_text(reader->arena, source_name),
        scene_drive_function(reader, &piece, 1, breaks, break_count));
    for (int i = 0; i < 3; ++i)
        sti_plan_drive_coupling(reader->plan, sti_signal_source(source, i), id, i);
    scene_add_element(
        reader,
        (Element){.name = name, .entry = name, .node = node, .forces = 1, .constraint = id});
}
