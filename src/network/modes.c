#include "network/modes.h"

#include <math.h>

#include "base/report.h"
#include "network/places.h"
#include "network/survey.h"
#include "stiction/law.h"

// Parameters may take the continuous form away (a mass behind the slider): asked at rest.
static bool works_in_continuous_time(const StiNetwork *n, const Impedance *e)
{
    StiArena arena = {0};
    const int most = e->wire.size.positions + e->wire.size.velocities + e->size.memory +
                     e->size.discrete + e->size.signals;
    double *zeros = sti_arena_numbers(&arena, most), *u = sti_arena_numbers(&arena, most);
    double *ydot = sti_arena_numbers(&arena, most);
    double *workspace = sti_arena_numbers(&arena, n->workspace_count);
    const StiStage stage = {.step = n->step, .gravity = n->gravity, .workspace = workspace};
    const StiMotion xhat = {zeros, zeros, zeros};
    const bool works = arena.failed || e->kind->eval(e->parameters, &stage, &xhat, zeros, zeros, u,
                                                     ydot) != STI_NO_CONTINUOUS_LIMIT;
    sti_arena_release(&arena);
    return works;
}

static bool check_impedance(const StiNetwork *n, const Impedance *e, StiReport *report)
{
    const char *reason =
        e->kind->modes != NULL ? e->kind->modes->unsupported_reason(e->parameters) : NULL;
    if (reason != NULL) {
        sti_report_add(report, STI_ERROR, e->name, "", NAN,
                       "%s under the method %s needs %s; the papers' methods (rk4, euler) do not",
                       e->kind->info.name, n->method->name, reason);
        return false;
    }
    if (e->kind->modes != NULL) return true;
    if (e->kind->continuous && works_in_continuous_time(n, e)) return true;
    sti_report_add(
        report, STI_ERROR, e->name, "", NAN,
        "%s has no continuous-time form, which the method %s needs; rk4 or euler can run "
        "it",
        e->kind->info.name, n->method->name);
    return false;
}

static bool check_reaction(const StiNetwork *n, const Reaction *e, StiReport *report)
{
    if (e->kind->modes == NULL) {
        sti_report_add(report, STI_ERROR, e->name, "", NAN,
                       "%s has no modes of stick and slip, which the method %s needs; with rule it "
                       "is resolved once per step",
                       e->kind->info.name, n->method->name);
        return false;
    }
    if (e->size.dim == 1 || n->method->gamma > 0.0 || n->method->stiff != NULL) return true;
    sti_report_add(report, STI_ERROR, e->name, "", NAN,
                   "friction in a plane is stiff near rest: it needs the method cut, ark4 or ark3, "
                   "not %s",
                   n->method->name);
    return false;
}

// Of a law that is a table the level bends at each point.
static void note_table(const StiNetwork *n, const char *name, const StiInfo *info,
                       const void *parameters, StiReport *report)
{
    for (int i = 0; i < info->field_count; ++i) {
        if (info->fields[i].type != STI_FIELD_LAW) continue;
        const StiLaw *law =
            (const StiLaw *)((const unsigned char *)parameters + info->fields[i].offset);
        if (!law->kind->table || law->table_points < 3) continue;
        sti_report_add(
            report, STI_NOTE, name, "table", NAN,
            "the level bends at the points of the table: the order of %s falls from %d to "
            "about 2 there",
            n->method->name, n->method->order);
    }
}

void sti_network_note_kinks(const StiNetwork *n, StiReport *report)
{
    for (int i = 0; i < n->reaction_count; ++i)
        note_table(n, n->reactions[i].name, &n->reactions[i].kind->info, n->reactions[i].parameters,
                   report);
    for (int i = 0; i < n->impedance_count; ++i)
        if (n->impedances[i].kind->modes != NULL)
            note_table(n, n->impedances[i].name, &n->impedances[i].kind->info,
                       n->impedances[i].parameters, report);
    for (int i = 0; i < n->impedance_count; ++i) {
        const Impedance *e = &n->impedances[i];
        if (e->kind->modes != NULL || e->kind->smooth) continue;
        sti_report_add(
            report, STI_NOTE, e->name, "", NAN,
            "%s has no modes: %s cannot cut the step where its force has a kink, and the "
            "order falls from %d to about 2 there",
            e->kind->info.name, n->method->name, n->method->order);
    }
}

// Proportional to speed, alike in both directions, and nothing at rest.
static bool is_damper(const Reaction *e)
{
    static const double shares[] = {0.0, 0.01, 0.3, 0.5, 1.7, 3.0, 100.0};
    const StiLaw *law = sti_reaction_law(e);
    if (e->size.dim > 1 || e->kind->modes == NULL || law == NULL) return false;
    if (sti_law_signals(law) > 0 || law->kind->table) return false;
    for (int side = -1; side <= 1; side += 2) {
        const double unit = e->kind->modes->level(e->parameters, 1.0, side, NULL);
        if (e->kind->modes->limit(e->parameters, side, NULL) != 0.0) return false;
        for (size_t i = 0; i < sizeof shares / sizeof shares[0]; ++i) {
            const double level = e->kind->modes->level(e->parameters, shares[i], side, NULL);
            if (!(fabs(level - shares[i] * unit) <= 1e-12 * shares[i] * unit)) return false;
        }
        if (unit != e->kind->modes->level(e->parameters, 1.0, -side, NULL)) return false;
    }
    return true;
}

void sti_network_mark_dampers(StiNetwork *n)
{
    for (int i = 0; i < n->reaction_count; ++i) n->reactions[i].damper = is_damper(&n->reactions[i]);
}

bool sti_network_check_modes(StiNetwork *n, StiReport *report)
{
    bool good = true, stiff = false;
    for (int i = 0; i < n->contact_count; ++i) {
        const char *reason = sti_contact_not_followed(n, &n->contacts[i], true);
        if (reason == NULL) continue;
        sti_report_add(report, STI_ERROR, n->contacts[i].name, "", NAN, "%s", reason);
        good = false;
    }
    for (int i = 0; i < n->impedance_count; ++i) {
        good = check_impedance(n, &n->impedances[i], report) && good;
        const StiImpedanceModes *modes = n->impedances[i].kind->modes;
        stiff = stiff || (modes != NULL && !modes->one_sided);
    }
    for (int i = 0; i < n->reaction_count; ++i) {
        good = check_reaction(n, &n->reactions[i], report) && good;
        stiff = stiff || n->reactions[i].size.dim > 1;
    }
    if (stiff && n->method->stiff != NULL) n->pair = sti_method_find(n->method->stiff);
    return good;
}

void sti_network_note_modes(const StiNetwork *n, StiReport *report)
{
    if (n->method->continuous) return; // with events, which keep modes
    for (int i = 0; i < n->impedance_count; ++i) {
        const Impedance *e = &n->impedances[i];
        const StiImpedanceModes *modes = e->kind->modes;
        if (modes == NULL || modes->one_sided || !modes->jumps(e->parameters)) continue;
        sti_report_add(report, STI_WARNING, e->name, "static", NAN,
                       "a static level above the kinetic one is not used: %s keeps no modes; the "
                       "methods cut, ark4, ark3 and rk4-split do",
                       n->method->name);
    }
}
