#include "network/stiffness.h"

#include <math.h>

#include "base/fields.h"
#include "network/survey.h"
#include "stiction/law.h"

static const double radius_tolerance = 1e-9; // an undamped mode has radius 1
static const double radius_rounding = 1e-13;

static double acceleration(const StiffElement *p, double e, double v, double tau)
{
    return -p->W * (p->B * v + p->K * (e + (p->looks_ahead ? tau * v : 0.0)));
}

static double radius_of(const double M[2][2])
{
    const double half = 0.5 * (M[0][0] + M[1][1]);
    const double determinant = M[0][0] * M[1][1] - M[0][1] * M[1][0];
    const double discriminant = half * half - determinant;
    return discriminant < 0.0 ? sqrt(determinant) : fabs(half) + sqrt(discriminant);
}

// One step on the linear oscillator, column by column.
static void linear_step(const StiMethod *method, const StiffElement *p, double T, double *e,
                        double *v)
{
    double rate[STI_METHOD_STAGES], slope[STI_METHOD_STAGES];
    double e_new = *e, v_new = *v;
    for (int r = 0; r < method->stages; ++r) {
        double e_r = *e, v_r = *v;
        for (int j = 0; j < r; ++j) {
            e_r += T * (method->cuts ? method->AI : method->A)[r][j] * rate[j];
            v_r += T * method->A[r][j] * slope[j];
        }
        e_r += T * method->AI[r][r] * v_r; // pairs take positions with the stage's own velocity
        rate[r] = v_r;
        slope[r] = acceleration(p, e_r, v_r, method->tau[r] * T);
        e_new += T * method->b[r] * rate[r];
        v_new += T * method->b[r] * slope[r];
    }
    *e = method->positions_last && !p->memory ? *e + T * v_new : e_new;
    *v = v_new;
}

double sti_stiff_radius(const StiMethod *method, const StiffElement *element, double T)
{
    double M[2][2];
    for (int i = 0; i < 2; ++i) {
        double e = i == 0, v = i == 1;
        linear_step(method, element, T, &e, &v);
        M[0][i] = e;
        M[1][i] = v;
    }
    return radius_of((const double(*)[2])M);
}

double sti_stiff_radius_reactions(const StiffElement *element, double T)
{
    return sti_stiff_radius(&sti_method_symplectic_euler, element, T);
}

static double radius(const StiNetwork *network, const StiffElement *element, double T)
{
    if (network->method->cuts) {
        const bool implicit = element->implicit && network->pair->gamma > 0.0;
        return implicit ? 0.0 : sti_stiff_radius(network->pair, element, T);
    }
    return network->resolves ? sti_stiff_radius_reactions(element, T)
                             : sti_stiff_radius(network->method, element, T);
}

// By bisection below a step that is not stable; 0 if none is. What grows at every step does so ever
// more slowly at small ones and passes for stable in the end; half that step then still shows it.
static double largest_stable_step(const StiNetwork *network, const StiffElement *element, double T)
{
    double stable = 0.0, unstable = T;
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (stable + unstable);
        if (radius(network, element, middle) <= 1.0 + radius_tolerance)
            stable = middle;
        else
            unstable = middle;
    }
    const bool grows = radius(network, element, 0.5 * stable) > 1.0 + radius_rounding;
    return grows ? 0.0 : stable;
}

// Methods under which an undamped spring does not grow, other than the present one.
static const char *steadier_methods(const StiNetwork *network)
{
    if (network->resolves) return "cut";
    return network->method->positions_last ? "rk4 or cut" : "symplectic-euler or rk4";
}

static void warn_stiff(const Survey *survey, const Impedance *e, const StiffElement *worst)
{
    const double T = survey->network->step;
    const double stable = largest_stable_step(survey->network, worst, T);
    if (stable > 0.0)
        sti_report_add(
            survey->report, STI_WARNING, e->name, "", NAN,
            "too stiff for the step: K = %g, B = %g on %g kg is stable for steps up to %.3g s",
            worst->K, worst->B, 1.0 / worst->W, stable);
    else
        sti_report_add(survey->report, STI_WARNING, e->name, "", NAN,
                       "K = %g, B = %g on %g kg grows with this method at any step; add damping or "
                       "take %s",
                       worst->K, worst->B, 1.0 / worst->W, steadier_methods(survey->network));
}

// A sliding bristle relaxes in the time B/K, which explicit stages at tau = 0 must resolve; those of
// elastic elements are implicit, or exact along one axis.
static void warn_relaxation(const Survey *survey, const Impedance *e, const StiffElement *p)
{
    const StiNetwork *n = survey->network;
    const bool handled =
        e->kind->modes != NULL && (n->pair->gamma > 0.0 || e->wire.size.velocities == 1);
    if (!n->method->cuts || handled || !p->looks_ahead || !p->memory || !(p->B > 0.0)) return;
    const StiffElement relaxation = {.B = p->K / p->B, .W = 1.0};
    if (radius(n, &relaxation, n->step) <= 1.0 + radius_tolerance) return;
    sti_report_add(survey->report, STI_WARNING, e->name, "", NAN,
                   "too stiff for the step: sliding, its spring relaxes in B/K = %.3g s; %s takes "
                   "steps up to %.3g s; rk4 and euler look ahead and do not mind",
                   p->B / p->K, n->method->name, largest_stable_step(n, &relaxation, n->step));
}

static void look_at_impedance(Survey *survey, const Impedance *e)
{
    if (!e->wired || e->kind->tangent == NULL) return;
    StiffElement worst = {0};
    double worst_radius = 1.0 + radius_tolerance;
    sti_survey_slopes(survey, e);
    for (int d = 0; d < e->wire.size.velocities; ++d) {
        const StiffElement element = sti_survey_element(survey, e, d);
        if (d == 0) warn_relaxation(survey, e, &element);
        const double r = radius(survey->network, &element, survey->network->step);
        if (!(r > worst_radius) || !(element.W > 0.0)) continue;
        worst_radius = r;
        worst = element;
    }
    if (worst.W > 0.0) warn_stiff(survey, e, &worst);
}

// Elements with memory say this themselves; a reaction does not know the inertia behind it.
static void warn_ambiguous(const Survey *survey, const Reaction *e, double g)
{
    const StiLaw *law = sti_reaction_law(e);
    const double fall = law == NULL || law->times_load ? 0.0 : sti_law_survey(law).steepest_fall;
    if (g * fall >= 1.0)
        sti_report_add(survey->report, STI_WARNING, e->name, "law", NAN,
                       "the level falls by up to %.3g per unit of speed, more than %.3g: stick and "
                       "slip can both be solutions (16b); a smaller step makes it unique",
                       fall, 1.0 / g);
}

// Where slip is explicit, its law is a damper like any other.
static void warn_steep(const Survey *survey, const Reaction *e, double W)
{
    const StiNetwork *n = survey->network;
    const StiffElement damper = {.B = sti_survey_rise(survey, e, W), .W = W};
    if (!n->method->cuts || e->size.dim > 1 || (e->steep && n->pair->gamma > 0.0)) return;
    if (sti_stiff_radius(n->pair, &damper, n->step) <= 1.0 + radius_tolerance) return;
    sti_report_add(
        survey->report, STI_WARNING, e->name, "law", NAN,
        "too steep for the step: a level that rises by %.3g per unit of speed on %.3g kg "
        "is stable for steps up to %.3g s",
        damper.B, 1.0 / W, largest_stable_step(n, &damper, n->step));
}

// A coordinate of a free body gives way in any case, and a level that is the same at all speeds asks no more.
static bool needs_no_inertia(const StiNetwork *n, const Reaction *e)
{
    const StiLaw *law = sti_reaction_law(e);
    return e->wire.plain && n->admittances[e->wire.wire.a.admittance].kind->constrain == NULL &&
           (law == NULL || law->kind->constant);
}

static void look_at_reaction(Survey *survey, const Reaction *e)
{
    double W = 0.0;
    if (needs_no_inertia(survey->network, e)) return;
    for (int d = 0; d < e->size.dim; ++d) W = fmax(W, sti_survey_inertia(survey, &e->wire, d));
    // In a driven linkage nothing else can move, and yet friction loads the driver.
    if (W == 0.0 && !survey->network->constrains)
        sti_report_add(survey->report, STI_WARNING, e->name, "wire", NAN,
                       "neither side can move: this reaction has no effect");
    warn_ambiguous(survey, e, survey->network->step * W);
    warn_steep(survey, e, W);
}

StiStatus sti_network_check_stiffness(const StiNetwork *network, StiReport *report)
{
    Survey survey;
    if (network->method->continuous) return STI_OK; // error control sees to it
    const StiStatus status = sti_survey_open(network, report, &survey);
    if (status == STI_OK && survey.prepared) {
        for (int i = 0; i < network->impedance_count; ++i)
            look_at_impedance(&survey, &network->impedances[i]);
        for (int i = 0; i < network->reaction_count; ++i)
            look_at_reaction(&survey, &network->reactions[i]);
    }
    sti_survey_close(&survey);
    return status;
}
