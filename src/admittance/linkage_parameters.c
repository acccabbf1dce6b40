// A plan changes the numbers that its own linkage was made from; a copy, as the network's, is assembled
// from them anew. What a step reads therefore never changes.
#include "admittance/linkage_parameters.h"

#include <math.h>
#include <stdio.h>

#include "base/report.h"

#include "linkage/linkage.h"

typedef struct Listing {
    const char *owner; // body or pair; "": the linkage
    StiVisit visit;
    void *context;
} Listing;

static bool list(const Listing *listing, const char *name, const char *unit, const char *meaning,
                 StiBound bound, double *value)
{
    char path[192];
    snprintf(path, sizeof path, listing->owner[0] != '\0' ? "%s.%s" : "%s%s", listing->owner, name);
    const StiNumber number = {path, unit, meaning, bound, value};
    return listing->visit(listing->context, &number);
}

static bool list_point(const Listing *listing, const char *name, const char *unit,
                       const char *meaning, StiVec2 *point)
{
    char indexed[2][32];
    for (int i = 0; i < 2; ++i) snprintf(indexed[i], sizeof indexed[i], "%s[%d]", name, i);
    return list(listing, indexed[0], unit, meaning, STI_ANY, &point->x) &&
           list(listing, indexed[1], unit, meaning, STI_ANY, &point->y);
}

static bool list_body(const Listing *l, StiPlanarBody *body)
{
    return list(l, "mass", "kg", "mass of the body", STI_POSITIVE, &body->mass) &&
           list(l, "inertia", "kg m^2", "about the centre of mass", STI_POSITIVE, &body->inertia) &&
           list_point(l, "position", "m", "centre of mass at the start, a guess",
                      &body->position) &&
           list(l, "angle", "rad", "at the start, a guess", STI_ANY, &body->angle) &&
           list_point(l, "velocity", "m/s", "at the start, a guess", &body->velocity) &&
           list(l, "rate", "rad/s", "at the start, a guess", STI_ANY, &body->rate);
}

static bool has_points(StiPlanarPairType type) { return type != STI_PAIR_GEAR; }

static bool has_line(StiPlanarPairType type)
{
    return type == STI_PAIR_PRISMATIC || type == STI_PAIR_SLOT || type == STI_PAIR_DISC ||
           type == STI_PAIR_ROLLING;
}

static bool has_radius(StiPlanarPairType type)
{
    return type == STI_PAIR_REVOLUTE || type == STI_PAIR_DISC || type == STI_PAIR_ROLLING;
}

// Only the numbers that its type reads.
static bool list_pair(const Listing *l, StiPlanarPair *pair)
{
    const char *other = pair->other < 0 ? "anchor" : "at_other";
    const StiPlanarPairType type = pair->type;
    if (has_points(type) &&
        !(list_point(l, "at", "m", "point of the body, from its centre of mass", &pair->at) &&
          list_point(l, other, "m", "point of the other body or of the ground", &pair->at_other)))
        return false;
    if (has_line(type) && !list(l, "direction", "rad", "of the line", STI_ANY, &pair->direction))
        return false;
    if (has_radius(type) && !list(l, "radius", "m", "of the pin, where it rubs, or of the disc",
                                  STI_NOT_NEGATIVE, &pair->radius))
        return false;
    if (type == STI_PAIR_PRISMATIC)
        return list(l, "rear", "m", "from the slider's point to its rear corners", STI_NOT_NEGATIVE,
                    &pair->rear) &&
               list(l, "front", "m", "from the slider's point to its front corners",
                    STI_NOT_NEGATIVE, &pair->front);
    if (type == STI_PAIR_ROD)
        return list(l, "length", "m", "of the rod", STI_POSITIVE, &pair->length);
    return type != STI_PAIR_GEAR || list(l, "ratio", "1", "of the radii", STI_ANY, &pair->ratio);
}

static bool visit_all(void *parameters, StiVisit visit, void *context)
{
    const StiLinkageBody *body = parameters;
    StiLinkage *linkage = (StiLinkage *)(uintptr_t)body->linkage;
    Listing listing = {.owner = "", .visit = visit, .context = context};
    if (linkage == NULL) return true;
    if (linkage->drift == STI_DRIFT_BAUMGARTE &&
        !list(&listing, "drift_rate", "1/s", "at which errors of the constraints decay",
              STI_NOT_NEGATIVE, &linkage->baumgarte_rate))
        return false;
    for (int i = 0; i < linkage->body_count; ++i) {
        listing.owner = linkage->given[i].name;
        if (!list_body(&listing, &linkage->given[i])) return false;
    }
    for (int k = 0; k < linkage->pair_count; ++k) {
        listing.owner = linkage->pairs[k].name;
        if (!list_pair(&listing, &linkage->pairs[k])) return false;
    }
    return true;
}

static StiLinkage *make_anew(const StiLinkage *from, StiReport *report)
{
    const StiLinkageDesign design = {.bodies = from->given,
                                     .body_count = from->body_count,
                                     .pairs = from->pairs,
                                     .pair_count = from->pair_count,
                                     .drivers = from->drivers,
                                     .driver_count = from->driver_count,
                                     .drift = from->drift,
                                     .baumgarte_rate = from->baumgarte_rate,
                                     .form = from->form};
    return sti_linkage_create(&design, report);
}

static void release(void *parameters)
{
    const StiLinkageBody *body = parameters;
    sti_linkage_destroy((StiLinkage *)(uintptr_t)body->linkage);
}

static bool own(void *parameters)
{
    StiLinkageBody *body = parameters;
    if (body->linkage == NULL) return true;
    body->linkage = make_anew(body->linkage, NULL);
    return body->linkage != NULL;
}

const StiInside sti_linkage_inside = {.table_size = sizeof(StiInside), .visit = visit_all, .own = own, .release = release};

void sti_linkage_check_parameters(const StiLinkageBody *body, const StiCheck *check)
{
    StiReport *report = sti_report_create();
    if (report == NULL) {
        sti_check_error(check, "", NAN, "out of memory");
        return;
    }
    sti_linkage_destroy(make_anew(body->linkage, report));
    for (int i = 0; i < sti_report_count(report); ++i) {
        const StiFinding *finding = sti_report_finding(report, i);
        const bool named = finding->parameter[0] != '\0';
        char path[sizeof finding->component + sizeof finding->parameter + 1];
        snprintf(path, sizeof path, "%s%s%s", finding->component, named ? "." : "",
                 finding->parameter);
        if (finding->severity == STI_ERROR)
            sti_check_error(check, path, finding->value, "%s", finding->text);
    }
    if (sti_report_failed(report)) sti_check_error(check, "", NAN, "out of memory");
    sti_report_destroy(report);
}
