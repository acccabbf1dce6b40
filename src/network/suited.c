// The method that suits a plan: one that keeps its order wherever that is possible.
#include <math.h>
#include <string.h>

#include "network/network.h"
#include "network/plan.h"

enum { ROWS_MOST = 24 }; // of friction: pieces solve for them densely, which costs their number cubed

// Elements with memory rely on the step tau to be stable; without modes they get none from cut.
static const Impedance *bristle_without_modes(const StiNetwork *n)
{
    for (int i = 0; i < n->impedance_count; ++i) {
        const Impedance *e = &n->impedances[i];
        if (e->kind->modes == NULL && !e->kind->smooth && e->size.memory > 0) return e;
    }
    return NULL;
}

static int friction_rows(const StiNetwork *n)
{
    int rows = n->row_count;
    for (int i = 0; i < n->impedance_count; ++i)
        if (n->impedances[i].kind->modes != NULL) rows += n->impedances[i].size.velocities;
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

// The plan under another method, with what compile then finds.
typedef struct Trial {
    StiPlan plan;
    StiReport *report;
    StiNetwork *network; // NULL: it does not compile
} Trial;

static Trial try_method(const StiPlan *plan, const StiMethod *method)
{
    Trial trial = {.plan = *plan, .report = sti_report_create()};
    trial.plan.method = method;
    trial.plan.method_chosen = false;
    sti_plan_compile(&trial.plan, trial.report, &trial.network);
    return trial;
}

static void end_trial(Trial *trial)
{
    sti_network_destroy(trial->network);
    sti_report_destroy(trial->report);
}

static void tell(StiReport *report, const StiFinding *about, const char *text)
{
    const char *component = about != NULL ? about->component : "";
    sti_report_add(report, STI_NOTE, component, "method", NAN, "%.*s", (int)strcspn(text, ";"),
                   text);
}

// Is there a reason against cutting? It is told.
static bool cannot_cut(const StiPlan *plan, const Trial *cut, const Trial *usual, StiReport *report)
{
    const StiFinding *error = first_of(cut->report, STI_ERROR);
    if (error != NULL) {
        tell(report, error, error->text);
        return true;
    }
    if (plan->solver != NULL) {
        sti_report_add(report, STI_NOTE, "", "method", NAN, "the solver %s is named",
                       sti_solver_name(plan->solver));
        return true;
    }
    const Impedance *bristle = bristle_without_modes(cut->network);
    if (bristle != NULL) {
        sti_report_add(report, STI_NOTE, bristle->name, "method", NAN,
                       "%s has no modes of stick and slip, at which cut could cut",
                       bristle->kind->info.name);
        return true;
    }
    if (cut->network->constrains && cut->network->iterates_loads) {
        sti_report_add(report, STI_NOTE, "", "method", NAN,
                       "friction of a linkage depends on loads that depend on friction");
        return true;
    }
    if (count_of(cut->report, STI_WARNING) > count_of(usual->report, STI_WARNING)) {
        const StiFinding *warning = first_of(cut->report, STI_WARNING);
        sti_report_add(report, STI_NOTE, warning->component, "method", NAN,
                       "too stiff for cut with this step");
        return true;
    }
    if (friction_rows(cut->network) <= ROWS_MOST) return false;
    sti_report_add(report, STI_NOTE, "", "method", NAN,
                   "%d rows of friction, above %d, make cut slow", friction_rows(cut->network),
                   ROWS_MOST);
    return true;
}

const StiMethod *sti_plan_suited_method(const StiPlan *plan, StiReport *report)
{
    Trial cut = try_method(plan, &sti_method_cut), usual = try_method(plan, &sti_method_rk4);
    const StiMethod *method = &sti_method_rk4;
    if (usual.network == NULL || cut.report == NULL) {
        sti_report_add(report, STI_NOTE, "", "method", NAN, "the plan does not compile");
    } else if (!cannot_cut(plan, &cut, &usual, report)) {
        method = &sti_method_cut;
        sti_report_add(report, STI_NOTE, "", "method", NAN,
                       "order 4 in stick, in slip and across");
    } else if (usual.network->resolves) {
        method = &sti_method_rule;
    }
    end_trial(&cut);
    end_trial(&usual);
    return method;
}
