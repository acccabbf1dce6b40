#include "network/stiffness.h"

#include <math.h>

#include "network/fields.h"
#include "network/response.h"
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

typedef struct Survey {
    const StiNetwork *network;
    StiReport *report;
    StageData now;
    Response response;
    double *zeros; // memory and modes at the start
    double *Z, *Z_ahead, *unit, *rate, *position;
} Survey;

static double own_inertia(const Survey *survey, const Wire *wire, int direction)
{
    survey->unit[direction] = 1.0;
    sti_response_push(survey->network, &survey->now, &survey->response, wire, survey->unit);
    survey->unit[direction] = 0.0;
    sti_response_sense(survey->network, &survey->now, &survey->response, wire, wire,
                       survey->position, survey->rate);
    return -survey->rate[direction];
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

// B from the tangent at tau = 0, K from its growth with tau.
static void look_at_impedance(Survey *survey, const Impedance *e)
{
    if (!e->wired || e->kind->tangent == NULL) return;
    const int count = e->wire.size.velocities;
    const StiMotion xhat = {.x = survey->now.position + e->wire.x,
                            .v = survey->now.velocity + e->wire.v,
                            .signals = survey->now.ports + e->port};
    StiStage stage = survey->now.stage;
    stage.tau = 0.0;
    e->kind->tangent(e->parameters, &stage, &xhat, survey->zeros, survey->zeros, survey->Z);
    stage.tau = survey->network->step;
    e->kind->tangent(e->parameters, &stage, &xhat, survey->zeros, survey->zeros, survey->Z_ahead);
    StiffElement worst = {0};
    double worst_radius = 1.0 + radius_tolerance;
    for (int d = 0; d < count; ++d) {
        const int at = d * count + d;
        const StiffElement element = {.K = (survey->Z_ahead[at] - survey->Z[at]) / stage.tau,
                                      .B = survey->Z[at],
                                      .W = own_inertia(survey, &e->wire, d),
                                      .looks_ahead = e->kind->looks_ahead,
                                      .memory = e->size.memory > 0,
                                      .implicit = e->kind->modes != NULL};
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
    const StiInfo *info = &e->kind->info;
    for (int i = 0; i < info->field_count; ++i) {
        if (info->fields[i].type != STI_FIELD_LAW) continue;
        const StiLaw *law =
            (const StiLaw *)((const unsigned char *)e->parameters + info->fields[i].offset);
        const double fall = law->times_load ? 0.0 : sti_law_survey(law).steepest_fall;
        if (g * fall >= 1.0)
            sti_report_add(
                survey->report, STI_WARNING, e->name, "law", NAN,
                "the level falls by up to %.3g per unit of speed, more than %.3g: stick and "
                "slip can both be solutions (16b); a smaller step makes it unique",
                fall, 1.0 / g);
    }
}

static void look_at_reaction(Survey *survey, const Reaction *e)
{
    double W = 0.0;
    for (int d = 0; d < e->size.dim; ++d) W = fmax(W, own_inertia(survey, &e->wire, d));
    // In a driven linkage nothing else can move, and yet friction loads the driver.
    if (W == 0.0 && !survey->network->constrains)
        sti_report_add(survey->report, STI_WARNING, e->name, "wire", NAN,
                       "neither side can move: this reaction has no effect");
    warn_ambiguous(survey, e, survey->network->step * W);
}

static bool take_survey(StiArena *arena, const StiNetwork *network, Survey *survey)
{
    int widest = STI_REACTION_DIM_MAX;
    for (int i = 0; i < network->impedance_count; ++i) {
        const StiWireSize *size = &network->impedances[i].wire.size;
        if (size->velocities > widest) widest = size->velocities;
        if (size->positions > widest) widest = size->positions;
    }
    const size_t wide = (size_t)widest;
    sti_stage_take(arena, network, &survey->now);
    sti_response_take(arena, network, &survey->response);
    survey->zeros =
        sti_arena_take(arena, (size_t)(network->y_count + network->s_count) + 1, sizeof(double));
    survey->Z = sti_arena_take(arena, wide * wide, sizeof(double));
    survey->Z_ahead = sti_arena_take(arena, wide * wide, sizeof(double));
    survey->unit = sti_arena_take(arena, wide, sizeof(double));
    survey->rate = sti_arena_take(arena, wide, sizeof(double));
    survey->position = sti_arena_take(arena, wide, sizeof(double));
    return !arena->failed;
}

// At the start values, with all time functions at zero.
StiStatus sti_network_check_stiffness(const StiNetwork *network, StiReport *report)
{
    StiArena arena = {0};
    Survey survey = {.network = network, .report = report};
    if (network->method->continuous) return STI_OK; // error control sees to it
    if (!take_survey(&arena, network, &survey)) {
        sti_arena_release(&arena);
        return STI_OUT_OF_MEMORY;
    }
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        a->kind->start(a->parameters, survey.now.x + a->q, survey.now.x + a->v);
    }
    sti_psi(network, &survey.now);
    int culprit = 0;
    if (sti_response_prepare(network, &survey.now, NULL, &survey.response, &culprit) == STI_OK) {
        for (int i = 0; i < network->impedance_count; ++i)
            look_at_impedance(&survey, &network->impedances[i]);
        for (int i = 0; i < network->reaction_count; ++i)
            look_at_reaction(&survey, &network->reactions[i]);
    }
    sti_arena_release(&arena);
    return STI_OK;
}
