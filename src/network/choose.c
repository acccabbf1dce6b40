// Compile, and the method that suits a plan which names none: one that keeps its order wherever that is
// possible.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/report.h"
#include "network/network.h"
#include "network/plan.h"

// Rows of friction in planes: that feel each other, and in all. What they cost grows with the square of their
// number.
enum { ROWS_TOGETHER = 24, ROWS_MOST = 96 };

// The first with kinks where no mode ends. Those with memory rely on the step tau to be stable, and
// cut gives them none.
static const Impedance *find_kinked(const StiNetwork *n, bool with_memory)
{
    for (int i = 0; i < n->impedance_count; ++i) {
        const Impedance *e = &n->impedances[i];
        if (e->kind->modes == NULL && !e->kind->smooth && (e->size.memory > 0) == with_memory)
            return e;
    }
    return NULL;
}

static int rows_of(const Reaction *e) { return e->size.dim > 1 ? e->size.dim : 0; }

// Those that are solved with dense factors: all elastic ones, and reactions that share a body.
static int rows_together(const StiNetwork *n)
{
    int elastic = 0, most = 0;
    for (int i = 0; i < n->impedance_count; ++i)
        if (sti_is_implicit(&n->impedances[i]) && n->impedances[i].size.velocities > 1)
            elastic += n->impedances[i].size.velocities;
    for (int i = 0; n->planar && i < n->reaction_count; ++i) {
        const Reaction *e = &n->reactions[i];
        int rows = 0;
        if (i > 0 && e->neighbours == n->reactions[i - 1].neighbours) continue; // the same
        for (int k = 0; k < e->neighbour_count; ++k)
            rows += rows_of(&n->reactions[e->neighbours[k].reaction]);
        if (rows > most) most = rows;
    }
    return elastic + most;
}

// Friction along one axis is left to the bodies, or solved from neighbour to neighbour: that costs little.
static int rows_in_planes(const StiNetwork *n)
{
    int rows = 0;
    for (int i = 0; i < n->reaction_count; ++i) rows += rows_of(&n->reactions[i]);
    return rows;
}

static const StiFinding *first_of(const StiReport *report, StiSeverity severity)
{
    for (int i = 0; i < sti_report_count(report); ++i)
        if (sti_report_finding(report, i)->severity == severity)
            return sti_report_finding(report, i);
    return NULL;
}

static int count_of(const StiReport *report, StiSeverity severity)
{
    int count = 0;
    for (int i = 0; i < sti_report_count(report); ++i)
        count += sti_report_finding(report, i)->severity == severity;
    return count;
}

// The plan under one method, with what compile then finds.
typedef struct Trial {
    StiReport *report;
    StiNetwork *network; // NULL: it does not compile
    StiStatus status;
} Trial;

static Trial try_method(const StiPlan *plan, const StiMethod *method, bool named)
{
    StiPlan under = *plan;
    Trial trial = {.report = sti_report_create(), .status = STI_OUT_OF_MEMORY};
    under.method = method;
    under.method_named = named;
    if (trial.report != NULL)
        trial.status = sti_plan_compile_under(&under, trial.report, &trial.network);
    return trial;
}

// What is not known for want of memory must not decide.
static bool ran_out(const Trial *trial)
{
    return trial->status == STI_OUT_OF_MEMORY || sti_report_failed(trial->report);
}

static void end_trial(Trial *trial)
{
    sti_network_destroy(trial->network);
    sti_report_destroy(trial->report);
}

static void note_reason(StiReport *report, const StiFinding *about, const char *text)
{
    const char *component = about != NULL ? about->component : "";
    sti_report_add(report, STI_NOTE, component, "method", NAN, "%.*s", (int)strcspn(text, ";"),
                   text);
}

// Is there a reason against cutting? It is reported.
static bool cannot_cut(const StiPlan *plan, const Trial *cut, const Trial *usual, StiReport *report)
{
    const StiFinding *error = first_of(cut->report, STI_ERROR);
    if (error != NULL) {
        note_reason(report, error, error->text);
        return true;
    }
    if (plan->solver != NULL) {
        sti_report_add(report, STI_NOTE, "", "method", NAN, "the solver %s is named",
                       sti_solver_name(plan->solver));
        return true;
    }
    const int warnings = count_of(cut->report, STI_WARNING),
              usual_warnings = count_of(usual->report, STI_WARNING);
    const Impedance *bristle = find_kinked(cut->network, true);
    if (bristle != NULL && warnings >= usual_warnings) {
        sti_report_add(report, STI_NOTE, bristle->name, "method", NAN,
                       "%s has no modes of stick and slip, at which cut could cut",
                       bristle->kind->info.name);
        return true;
    }
    if (warnings > usual_warnings) {
        const StiFinding *warning = first_of(cut->report, STI_WARNING);
        sti_report_add(report, STI_NOTE, warning->component, "method", NAN,
                       "too stiff for cut with this step");
        return true;
    }
    const int rows = rows_in_planes(cut->network), together = rows_together(cut->network);
    if (rows <= ROWS_MOST && together <= ROWS_TOGETHER) return false;
    const bool many = rows > ROWS_MOST;
    sti_report_add(report, STI_NOTE, "", "method", NAN,
                   "%d rows of friction in planes%s, more than %d, make it slow",
                   many ? rows : together, many ? "" : " together",
                   many ? ROWS_MOST : ROWS_TOGETHER);
    return true;
}

static void tell_order(const StiNetwork *n, StiReport *report)
{
    const Impedance *kinked = find_kinked(n, false);
    if (kinked == NULL && n->contact_count > 0)
        sti_report_add(
            report, STI_NOTE, "", "method", NAN,
            "order 4 through impacts, in stick, in slip and across, 2 to 3 where contacts "
            "slip slowly in a plane");
    else if (kinked == NULL)
        sti_report_add(report, STI_NOTE, "", "method", NAN, "order 4 in stick, in slip and across");
    else
        sti_report_add(report, STI_NOTE, "", "method", NAN,
                       "order 4 in stick, in slip and across, about 2 where %s (%s) has a kink",
                       kinked->name, kinked->kind->info.name);
}

static bool resolves(const StiPlan *plan)
{
    for (int i = 0; i < plan->elements.count; ++i)
        if (sti_plan_element(plan, i)->contact || sti_plan_element(plan, i)->reaction != NULL)
            return true;
    return false;
}

// The reason, as the network keeps it: "component: text".
static const char *reason(StiNetwork *network, const StiReport *reasons)
{
    const StiFinding *why = sti_report_finding(reasons, 0);
    char text[sizeof why->component + sizeof why->text + 2] = "";
    if (why != NULL)
        snprintf(text, sizeof text, "%s%s%s", why->component, why->component[0] != '\0' ? ": " : "",
                 why->text);
    return sti_arena_text(&network->arena, text);
}

// cut where all elements can run under it, else the usual method.
static Trial choose(const StiPlan *plan)
{
    Trial cut = try_method(plan, &sti_method_cut, false);
    Trial usual = try_method(plan, resolves(plan) ? &sti_method_rule : &sti_method_rk4, false);
    StiReport *reasons = sti_report_create();
    if (ran_out(&cut) || ran_out(&usual) || reasons == NULL) {
        end_trial(&cut);
        end_trial(&usual);
        usual = (Trial){.status = STI_OUT_OF_MEMORY};
    } else if (usual.network == NULL) {
        end_trial(&cut);
    } else if (cannot_cut(plan, &cut, &usual, reasons)) {
        usual.network->why_method = reason(usual.network, reasons);
        end_trial(&cut);
    } else {
        tell_order(cut.network, reasons);
        cut.network->why_method = reason(cut.network, reasons);
        end_trial(&usual);
        usual = cut;
    }
    if (usual.network != NULL && sti_report_failed(reasons)) {
        end_trial(&usual);
        usual = (Trial){.status = STI_OUT_OF_MEMORY};
    }
    sti_report_destroy(reasons);
    return usual;
}

StiStatus sti_plan_compile(StiPlan *plan, StiReport *report, StiNetwork **network)
{
    *network = NULL;
    if (plan->arena.failed || plan->findings == NULL) return STI_OUT_OF_MEMORY;
    const Trial made = plan->method == NULL ? choose(plan) : try_method(plan, plan->method, true);
    sti_report_clear(plan->findings);
    if (made.report != NULL) sti_report_append(plan->findings, made.report);
    if (report != NULL && made.report != NULL) sti_report_append(report, made.report);
    const bool lost = sti_report_failed(plan->findings) ||
                      (report != NULL && sti_report_failed(report)) ||
                      (made.network != NULL && made.network->arena.failed);
    sti_report_destroy(made.report);
    if (lost) {
        sti_network_destroy(made.network);
        return STI_OUT_OF_MEMORY;
    }
    *network = made.network;
    return made.status;
}

const StiReport *sti_plan_findings(const StiPlan *plan) { return plan->findings; }
