// What a contact is asked for: its numbers, what they must be, its explanation.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/default.h"
#include "impedance/bristle.h"
#include "network/contacts.h"

static const StiField fields[] = {
    {.name = "mu",
     .unit = "",
     .meaning = "coefficient of friction while sliding",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiContact, mu)},
    {.name = "mu_static",
     .unit = "",
     .meaning = "coefficient of friction while sticking; 0: mu",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiContact, mu_static)},
    {.name = "mu_across",
     .unit = "",
     .meaning = "coefficient across the direction `along`; 0: mu in all directions",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiContact, mu_across)},
    {.name = "rolling",
     .unit = "m",
     .meaning = "most moment against rolling, over fn",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiContact, rolling)},
    {.name = "spinning",
     .unit = "m",
     .meaning = "most moment against spinning about the normal, over fn",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiContact, spinning)},
    {.name = "restitution",
     .unit = "",
     .meaning = "speed of departure over speed of approach",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiContact, restitution)},
};

static void check_shapes(const StiCheck *check, const char *side, const StiContactShape *shapes,
                         int count)
{
    if (count < 0 || (count > 0 && shapes == NULL))
        sti_check_error(check, side, count, "the shapes are missing");
    for (int i = 0; shapes != NULL && i < count; ++i) sti_shape_check(&shapes[i].shape, check);
}

static void check_excluded(const StiCheck *check, const StiContact *p)
{
    const int count = p->a_count + p->b_count;
    if (p->excluded_count < 0 || (p->excluded_count > 0 && p->excluded == NULL))
        sti_check_error(check, "excluded", p->excluded_count, "the pairs are missing");
    for (int i = 0; p->excluded != NULL && i < p->excluded_count; ++i) {
        const StiPair pair = p->excluded[i];
        if (pair.a >= 0 && pair.a < pair.b && pair.b < count) continue;
        sti_check_error(check, "excluded", pair.b,
                        "a pair is two numbers a < b below %d, the number of shapes", count);
        return;
    }
}

static void check_materials(const StiCheck *check, const StiContact *p)
{
    for (int i = 0; p->materials != NULL && i < p->material_count; ++i) {
        const StiMaterialPair *pair = &p->materials[i];
        if (!(pair->mu >= 0.0 && pair->rolling >= 0.0 && pair->spinning >= 0.0))
            sti_check_unphysical(check, "materials", pair->mu, "coefficients must be 0 or more");
        if (pair->mu_static != 0.0 && !(pair->mu_static >= pair->mu))
            sti_check_unphysical(check, "materials", pair->mu_static,
                                 "mu_static must not be below mu, which is %g; 0 means mu",
                                 pair->mu);
        if (!(pair->restitution >= 0.0 && pair->restitution <= 1.0))
            sti_check_unphysical(check, "materials", pair->restitution,
                                 "restitution must be between 0 and 1");
    }
}

// Its numbers are coefficients, and stand under their own names.
static void check_law(const StiCheck *check, const StiLaw *law)
{
    bool sound = true;
    if (law->kind->directional || sti_law_signals(law) > 0)
        sti_check_error(check, "law", 0.0, "a contact needs a law of the speed of slip alone");
    for (int i = 0; i < law->kind->field_count; ++i) {
        const StiField *field = &law->kind->fields[i];
        const double value = law->p[field->offset];
        const bool good = isfinite(value) && (field->bound != STI_POSITIVE || value > 0.0) &&
                          (field->bound != STI_NOT_NEGATIVE || value >= 0.0);
        if (!good)
            sti_check_error(check, field->name, value, "must be %s",
                            field->bound == STI_POSITIVE ? "above 0" : "finite and 0 or more");
        sound = sound && good;
    }
    if (sound && law->kind->check != NULL) law->kind->check(law, check);
}

static void check_directions(const StiCheck *check, const StiContact *p)
{
    if (p->mu_across == 0.0) return;
    if (!(p->mu > 0.0))
        sti_check_error(check, "mu_across", p->mu_across, "needs a mu above 0 along 'along'");
    if (!(sti_vec3_norm(p->along) > 0.0))
        sti_check_error(check, "along", 0.0, "a direction must not be zero");
}

static void check_bristle(const StiCheck *check, const StiContact *p)
{
    const StiContactBristle *b = &p->bristle;
    const bool limited = b->model == STI_CONTACT_ELASTIC_COULOMB;
    if (b->model == STI_CONTACT_RIGID) return;
    if (!(b->stiffness > 0.0))
        sti_check_error(check, "bristle.stiffness", b->stiffness, "a bristle needs one above 0");
    if (p->mu_across > 0.0)
        sti_check_error(check, "mu_across", p->mu_across,
                        "bristles are the same in all directions");
    if (!limited && p->law.kind == NULL && p->mu_static > p->mu)
        sti_check_error(check, "mu_static", p->mu_static,
                        "needs a law between it and mu here: law: {kind: stribeck, "
                        "stribeck_speed: ...}");
    if (b->model == STI_CONTACT_ELASTOPLASTIC && !(b->breakaway > 0.0 && b->breakaway < 1.0))
        sti_check_error(check, "bristle.breakaway", b->breakaway,
                        "it is a share of the level: above 0 and below 1");
    if (!limited) sti_check_bristle_passive(check, &p->law, b->damping, b->viscous);
}

static void check(const void *parameters, const StiCheck *check)
{
    const StiContact *p = parameters;
    check_bristle(check, p);
    check_materials(check, p);
    check_directions(check, p);
    if (p->law.kind != NULL) check_law(check, &p->law);
    if (p->mu_static > 0.0 && p->mu_static < p->mu)
        sti_check_unphysical(check, "mu_static", p->mu_static,
                             "must not be below mu, which is %g; 0 means mu", p->mu);
    if (p->restitution > 1.0)
        sti_check_unphysical(check, "restitution", p->restitution,
                             "must be between 0 and 1: more makes energy");
    if (p->sequential && p->restitution == 0.0)
        sti_check_warning(check, "restitution_model", 1.0,
                          "sequential has no effect without restitution");
    if (p->capacity < 0)
        sti_check_error(check, "capacity", p->capacity,
                        "must be the number of points at once, or 0: by the shapes");
    if (p->a_count < 1) sti_check_error(check, "a", p->a_count, "side a needs a shape");
    check_shapes(check, "a", p->a, p->a_count);
    check_shapes(check, "b", p->b, p->b_count);
    check_excluded(check, p);
}

// ---- numbers that not all contacts have: those of its law and its bristle ------------------------------------------------------------------------------

// Laws have forces where a contact has coefficients.
static const char *unit_of_coefficient(const char *unit)
{
    if (strcmp(unit, "N") == 0) return "";
    return strcmp(unit, "N s/m") == 0 ? "s/m" : unit;
}

static const StiField bristle_fields[] = {
    {.name = "bristle.stiffness",
     .unit = "N/m",
     .meaning = "stiffness of the bristle of a point",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiContact, bristle.stiffness)},
    {.name = "bristle.damping",
     .unit = "N s/m",
     .meaning = "damping of the bristle of a point",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiContact, bristle.damping)},
    {.name = "bristle.viscous",
     .unit = "N s/m",
     .meaning = "viscous friction beside the bristle",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiContact, bristle.viscous)},
    {.name = "bristle.breakaway",
     .unit = "",
     .meaning = "share of the level up to which an elastoplastic bristle is elastic",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiContact, bristle.breakaway)},
};

static bool visit_bristle(StiContact *p, StiVisit visit, void *context)
{
    const int count = sizeof bristle_fields / sizeof bristle_fields[0];
    for (int i = 0; sti_contact_is_elastic(p) && i < count; ++i) {
        const StiField *field = &bristle_fields[i];
        double *value = (double *)(void *)((unsigned char *)p + field->offset);
        const StiNumber number = {field->name, field->unit, field->meaning, field->bound, value};
        if (!visit(context, &number)) return false;
    }
    return true;
}

static bool visit_law(StiContact *p, StiVisit visit, void *context)
{
    const StiLawKind *kind = p->law.kind;
    for (int i = 0; kind != NULL && i < kind->field_count; ++i) {
        const StiField *field = &kind->fields[i];
        char path[64];
        if (strcmp(field->name, "level") == 0 || strcmp(field->name, "static") == 0) continue;
        snprintf(path, sizeof path, "law.%s", field->name);
        const StiNumber number = {path, unit_of_coefficient(field->unit), field->meaning,
                                  field->bound, &p->law.p[field->offset]};
        if (!visit(context, &number)) return false;
    }
    return true;
}

static bool visit_inside(void *parameters, StiVisit visit, void *context)
{
    return visit_law(parameters, visit, context) && visit_bristle(parameters, visit, context);
}

// Copies are made by sti_contact_copy.
static bool own_nothing(void *parameters)
{
    (void)parameters;
    return false;
}

static const StiInside inside_numbers = {.table_size = sizeof(StiInside),
                                         .visit = visit_inside,
                                         .own = own_nothing};

static const StiExplanation explanation = {
    .equations =
        "hard, without stiffness, at every point where shapes touch:\n"
        "    fn >= 0,  vn + max(gap, 0)/T >= 0,  one of them 0    vn: opening speed\n"
        "    |ft| <= mu_static fn without slip,  or  ft = mu fn v/|v|    v: slip\n"
        "    |mr| <= rolling fn where w = 0,  or  mr = rolling fn w/|w|\n"
        "    w: rate of rolling; spinning the same about the normal\n"
        "bristle with stiffness K, damping B; ft as a vector along the surface:\n"
        "    elastic-coulomb  ft = K e + B edot; edot = v in stick, |ft| <= mu fn\n"
        "    lugre            zdot = v - K |v| z/(mu(v) fn)\n"
        "                     ft = K z + B zdot + viscous v\n"
        "    elastoplastic    the same with a share of the second term that is 0 below\n"
        "                     breakaway\n"
        "soft, with stiffness K and damping B, at every point below the plane:\n"
        "    fn = max(0, K depth + B rate);  ft = gsat(mu fn, (B + tau K) v + K e)\n"
        "    edot = v in stick, else (ft - K e)/(B + tau K)\n",
    .keys = "on: BODY            its shapes against the plane z = 0, another plane, or what\n"
            "                    'against' names\n"
            "between: [A, B]     the shapes of two bodies, links or robots\n"
            "among: all          each shape of the scene against each; or a list;\n"
            "                    exclude: [[A, B]] leaves pairs out\n"
            "shape: {kind: ...}  point, sphere, capsule, cylinder, box, hull, plane;\n"
            "                    default: the shapes of the body or link\n"
            "mu_across, along    mu along a direction of the first body, mu_across across\n"
            "law: {kind: ...}    mu over the speed of slip\n"
            "bristle: {kind: ...}  elastic-coulomb, lugre, elastoplastic: friction yields\n"
            "                    before it slips; stiffness, damping of each point\n"
            "material: NAME      of a shape; materials: [{between: [A, B], mu: ...}]\n"
            "capacity: n         most points at once; default: by the shapes\n"
            "surface_velocity, surface_spin    of a shape or plane: its surface runs, as a\n"
            "                    conveyor's or a turntable's; v is the slip over it\n",
    .use = "Hard for things that rest, slide and tip: nothing to tune, and what sticks "
           "stays. Soft where the compliance matters.",
    .drift = "No. Hard: what a sticking point has let pass is taken back; with a bristle: as the "
             "element of its kind. Soft: within the "
             "deflection of its spring.",
    .source = "Hard: complementarity and Coulomb's cone at the end of the step, with joint "
              "friction in one system (solver coupled). Soft: [modular] (23).",
};

const StiInfo sti_info_contact = {.name = "contact",
                                  .summary = "hard contact with Coulomb's cone between shapes",
                                  .size = sizeof(StiContact),
                                  .fields = fields,
                                  .field_count = sizeof fields / sizeof fields[0],
                                  .inside = &inside_numbers,
                                  .check = check,
                                  .explanation = &explanation};

STI_DEFAULT(StiContact, contact, sti_info_contact)
