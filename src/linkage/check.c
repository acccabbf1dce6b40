// What a linkage must be: every finding names the part, the parameter, the value, and what would be
// right.
#include <math.h>
#include <string.h>

#include "linkage/linkage.h"

static bool named(const char *name) { return name != NULL && name[0] != '\0'; }

static void need_positive(StiReport *report, const char *name, const char *parameter, double value,
                          const char *text)
{
    if (!(value > 0.0) || !isfinite(value))
        sti_report_add(report, STI_ERROR, name, parameter, value, "%s", text);
}

static void need_finite(StiReport *report, const char *name, const char *parameter,
                        const double *values, int count)
{
    for (int i = 0; i < count; ++i)
        if (!isfinite(values[i]))
            sti_report_add(report, STI_ERROR, name, parameter, values[i],
                           "must be a finite number");
}

// Names of bodies, pairs and drivers, in one list.
static const char *name_at(const StiLinkageDesign *d, int i)
{
    if (i < d->body_count) return d->bodies[i].name;
    i -= d->body_count;
    return i < d->pair_count ? d->pairs[i].name : d->drivers[i - d->pair_count].name;
}

static void check_names(const StiLinkageDesign *design, StiReport *report)
{
    const int count = design->body_count + design->pair_count + design->driver_count;
    for (int i = 0; i < count; ++i) {
        if (!named(name_at(design, i))) {
            sti_report_add(report, STI_ERROR, "", "name", NAN,
                           "every body, pair and driver needs a name");
            return;
        }
        // Long chains come from loops that number them: comparing all would take longer than the rest.
        for (int j = 0; count <= 2000 && j < i; ++j)
            if (strcmp(name_at(design, i), name_at(design, j)) == 0)
                sti_report_add(report, STI_ERROR, name_at(design, i), "name", NAN,
                               "two parts of the linkage have this name; names must be unique");
    }
}

static void check_body(const StiPlanarBody *body, StiReport *report)
{
    const double start[6] = {body->position.x, body->position.y, body->angle,
                             body->velocity.x, body->velocity.y, body->rate};
    need_positive(report, body->name, "mass", body->mass, "a body needs a mass above 0 kg");
    need_positive(report, body->name, "inertia", body->inertia,
                  "a body needs an inertia about its centre of mass above 0 kg m^2");
    need_finite(report, body->name, "start", start, 6);
}

static void check_pair(const StiLinkageDesign *design, const StiPlanarPair *pair, StiReport *report)
{
    const double numbers[] = {pair->at.x,       pair->at.y,      pair->at_other.x,
                              pair->at_other.y, pair->direction, pair->front,
                              pair->rear,       pair->radius,    pair->ratio};
    if (pair->type < 0 || pair->type >= STI_PAIR_TYPES) {
        sti_report_add(report, STI_ERROR, pair->name, "type", pair->type, "no such type of pair");
        return;
    }
    if (pair->body < 0 || pair->body >= design->body_count)
        sti_report_add(report, STI_ERROR, pair->name, "body", pair->body,
                       "a pair needs a body: 0 to %d", design->body_count - 1);
    if (pair->other < -1 || pair->other >= design->body_count || pair->other == pair->body)
        sti_report_add(report, STI_ERROR, pair->name, "other", pair->other,
                       "the other side is another body, or -1 for the ground");
    need_finite(report, pair->name, "numbers", numbers, sizeof numbers / sizeof numbers[0]);
    if (pair->front < 0.0 || pair->rear < 0.0 || pair->radius < 0.0)
        sti_report_add(report, STI_ERROR, pair->name, pair->radius < 0.0 ? "radius" : "length",
                       pair->radius < 0.0 ? pair->radius : fmin(pair->front, pair->rear),
                       "must be 0 m or more");
    if (pair->type == STI_PAIR_ROD)
        need_positive(report, pair->name, "length", pair->length, "a rod needs a length above 0 m");
    if (pair->type == STI_PAIR_DISC || pair->type == STI_PAIR_ROLLING)
        need_positive(report, pair->name, "radius", pair->radius,
                      "a disc needs a radius above 0 m");
    if (pair->type == STI_PAIR_GEAR && pair->ratio == 0.0)
        sti_report_add(report, STI_ERROR, pair->name, "ratio", 0.0,
                       "gears need a ratio of their radii; negative for an inner gear");
}

static void check_driver(const StiLinkageDesign *design, int i, StiReport *report)
{
    const StiDriver *driver = &design->drivers[i];
    const double numbers[2] = {driver->value, driver->rate};
    need_finite(report, driver->name, "start", numbers, 2);
    if (driver->pair < 0 || driver->pair >= design->pair_count) {
        sti_report_add(report, STI_ERROR, driver->name, "pair", driver->pair,
                       "a driver needs a pair: 0 to %d", design->pair_count - 1);
        return;
    }
    const StiPlanarPair *pair = &design->pairs[driver->pair];
    if (pair->type >= 0 && pair->type < STI_PAIR_TYPES && !sti_pair_kind(pair->type)->slides)
        sti_report_add(report, STI_ERROR, driver->name, "pair", NAN,
                       "'%s' is a %s pair: it leaves nothing free to drive", pair->name,
                       sti_pair_kind(pair->type)->name);
    for (int j = 0; j < i; ++j)
        if (design->drivers[j].pair == driver->pair)
            sti_report_add(report, STI_ERROR, driver->name, "pair", NAN,
                           "'%s' is driven already, by '%s'", pair->name, design->drivers[j].name);
}

bool sti_linkage_check(const StiLinkageDesign *design, StiReport *report)
{
    StiReport *own = sti_report_create();
    if (own == NULL) return false;
    if (design->body_count < 1)
        sti_report_add(own, STI_ERROR, "", "bodies", design->body_count, "a linkage needs a body");
    if (design->baumgarte_rate < 0.0 || !isfinite(design->baumgarte_rate))
        sti_report_add(own, STI_ERROR, "", "baumgarte_rate", design->baumgarte_rate,
                       "must be 0 or more, 1/s");
    check_names(design, own);
    for (int i = 0; i < design->body_count; ++i) check_body(&design->bodies[i], own);
    for (int i = 0; i < design->pair_count; ++i) check_pair(design, &design->pairs[i], own);
    for (int i = 0; i < design->driver_count; ++i) check_driver(design, i, own);
    const bool good = sti_report_error_count(own) == 0;
    for (int i = 0; i < sti_report_count(own); ++i) {
        const StiFinding *f = sti_report_finding(own, i);
        sti_report_add(report, f->severity, f->component, f->parameter, f->value, "%s", f->text);
    }
    sti_report_destroy(own);
    return good;
}
