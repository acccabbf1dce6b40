// Linkages in scenes: a design from its parts, assembled, and its parts found by name.
#include "read/linkage_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const drift_words[] = {"projection", "baumgarte", "none", NULL};
static const char *const form_words[] = {"cholesky", "udwadia-kalaba", NULL};

const Key scene_linkage_keys[SCENE_LINKAGE_KEYS] = {
    {"kind", VALUE_TEXT, true, "linkage", NULL},
    {"bodies", VALUE_ANY, true,
     "planar bodies by name: {mass: m, inertia: I, position: [x, y], angle: a}", NULL},
    {"joints", VALUE_ANY, false,
     "joints by name: {type: revolute, on: BODY or between: [A, B], at: ...}", NULL},
    {"drivers", VALUE_ANY, false, "driven joints by name: {on: JOINT, value: a function of time}",
     NULL},
    {"drift", VALUE_WORD, false, "of the constraints; default projection", drift_words},
    {"drift_rate", VALUE_NUMBER, false, "baumgarte: how fast errors decay, 1/s; default 1/(5 step)",
     NULL},
    {"multipliers", VALUE_WORD, false, "the form; default cholesky", form_words},
};
// Parts have names of the scene: nothing else may have them.
static bool check_names(LinkageDraft *d)
{
    const Node *maps[3] = {d->bodies_node, d->joints_node, d->drivers_node};
    static const char *const sections[] = {"bodies", "elements", "parameters", "inputs"};
    bool good = true;
    for (int m = 0; m < 3; ++m)
        for (int i = 0; maps[m] != NULL && i < maps[m]->count; ++i)
            for (int s = 0; s < 4; ++s) {
                const Entry *entry = &maps[m]->entries[i];
                if (scene_node_entry(scene_node_find(d->reader->root, sections[s]), entry->key) ==
                    NULL)
                    continue;
                scene_error(d->reader, entry->mark, "the name '%s' is taken, under '%s'",
                            entry->key, sections[s]);
                good = false;
            }
    return good;
}

static Mark mark_of(const LinkageDraft *d, const Node *otherwise, const char *part)
{
    const Node *maps[3] = {d->bodies_node, d->joints_node, d->drivers_node};
    for (int m = 0; m < 3; ++m) {
        const Entry *entry = maps[m] != NULL ? scene_node_entry(maps[m], part) : NULL;
        if (entry != NULL) return entry->mark;
    }
    return otherwise->mark;
}

static StiLinkage *make_linkage(LinkageDraft *d, const Body *body, const StiLinkageDesign *design)
{
    StiReport *report = sti_report_create();
    if (report == NULL) return NULL;
    StiLinkage *linkage = sti_linkage_create(design, report);
    for (int i = 0; i < sti_report_count(report); ++i) {
        const StiFinding *f = sti_report_finding(report, i);
        scene_message(d->reader->messages, f->severity, mark_of(d, body->node, f->component),
                      "%s: %s%s%s: %s", body->name, f->component,
                      f->parameter[0] != '\0' ? "." : "", f->parameter, f->text);
    }
    sti_report_destroy(report);
    return linkage;
}

static bool read_ways(LinkageDraft *d, const Node *node, StiLinkageDesign *design)
{
    const Node *drift = scene_node_find(node, "drift"),
               *form = scene_node_find(node, "multipliers");
    const Entry *rate = scene_node_entry(node, "drift_rate");
    double step = 1e-3;
    const int drift_word = drift != NULL ? scene_word(d->reader, drift, "drift", drift_words) : 0;
    const int form_word = form != NULL ? scene_word(d->reader, form, "multipliers", form_words) : 0;
    bool good = scene_number_at(d->reader, d->reader->root, "step", &step) && drift_word >= 0 &&
                form_word >= 0;
    if (!good) return false;
    design->drift = (StiDrift)drift_word;
    design->form = (StiMultiplierForm)form_word;
    design->baumgarte_rate = 1.0 / (5.0 * step);
    if (rate != NULL && design->drift != STI_DRIFT_BAUMGARTE) {
        scene_error(d->reader, rate->mark, "'drift_rate' belongs to 'drift: baumgarte'");
        return false;
    }
    return scene_number_at(d->reader, node, "drift_rate", &design->baumgarte_rate);
}

static bool keep(Reader *reader, StiLinkage *linkage)
{
    KeptLinkage *kept = sti_arena_take(reader->arena, 1, sizeof *kept);
    if (kept == NULL) {
        sti_linkage_destroy(linkage);
        return false;
    }
    *kept = (KeptLinkage){linkage, reader->linkages};
    reader->linkages = kept;
    return true;
}

void scene_build_linkage(Reader *reader, Body *body)
{
    LinkageDraft d = {.reader = reader, .name = body->name};
    d.bodies_node = scene_node_find(body->node, "bodies");
    d.joints_node = scene_node_find(body->node, "joints");
    d.drivers_node = scene_node_find(body->node, "drivers");
    StiLinkageDesign design = {.body_count = 0};
    const bool ways = read_ways(&d, body->node, &design);
    if (!scene_read_linkage_parts(&d) || !check_names(&d) || !ways || !body->complete) return;
    design.bodies = d.bodies;
    design.body_count = d.body_count;
    design.pairs = d.pairs;
    design.pair_count = d.pair_count;
    design.drivers = d.drivers;
    design.driver_count = d.driver_count;
    StiLinkage *linkage = make_linkage(&d, body, &design);
    if (linkage == NULL || !keep(reader, linkage)) return;
    body->shape = BODY_LINKAGE;
    body->linkage = linkage;
    body->dim = sti_linkage_velocities(linkage);
    body->id = sti_plan_add_admittance(reader->plan, body->name, &sti_kind_linkage,
                                       &(StiLinkageBody){linkage});
    for (int i = 0; i < d.driver_count; ++i) {
        char name[192];
        snprintf(name, sizeof name, "%s.drive", d.drivers[i].name);
        const StiSourceId source = sti_plan_add_time_function(reader->plan, name, d.functions[i]);
        for (int k = 0; k < 3; ++k)
            sti_plan_connect_admittance(reader->plan, sti_signal_source(source, k), body->id,
                                        3 * i + k);
    }
}

bool scene_find_part(const Reader *reader, const char *name, Part *part)
{
    for (int i = 0; reader->linkages != NULL && i < reader->body_count; ++i) {
        const Body *body = &reader->bodies[i];
        if (body->linkage == NULL) continue;
        const size_t length = strlen(body->name);
        const bool prefixed = strncmp(name, body->name, length) == 0 && name[length] == '.';
        const char *own = prefixed ? name + length + 1 : name;
        *part = (Part){body, sti_linkage_find_pair(body->linkage, own),
                       sti_linkage_find_body(body->linkage, own)};
        if (part->pair >= 0 || part->body >= 0) return true;
    }
    return false;
}

bool scene_is_part(const Reader *reader, const char *name, size_t length)
{
    char own[128];
    Part part;
    if (reader->linkages == NULL) return false;
    snprintf(own, sizeof own, "%.*s", (int)length, name);
    if (scene_find_part(reader, own, &part)) return true;
    for (int i = 0; i < reader->body_count; ++i)
        if (reader->bodies[i].linkage != NULL &&
            sti_linkage_find_driver(reader->bodies[i].linkage, own) >= 0)
            return true;
    return false;
}

void scene_destroy_linkages(Reader *reader)
{
    for (KeptLinkage *kept = reader->linkages; kept != NULL; kept = kept->next)
        sti_linkage_destroy(kept->linkage);
}
