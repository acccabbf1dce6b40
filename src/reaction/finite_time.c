// The finite-time rule: the friction that brings the velocity to zero within the step, if its limit
// allows; else the law at the velocity that remains.
// [fixed-step] (13)-(18), [regularization] (18)(19), EQUATIONS 2.10
#include <math.h>

#include "base/default.h"
#include "base/finite.h"
#include "law/norm.h"
#include "law/shape.h"
#include "law/slip.h"
#include "reaction/slide.h"

double sti_finite_time_mass(double F, double M, double T, double vbar, double *v)
{
    const bool stuck = fabs(vbar) <= T * F / M;
    const double f = stuck ? M * vbar / T : copysign(F, vbar); // (14b)
    *v = stuck ? 0.0 : vbar - T * f / M;                       // (14c)
    return f;
}

typedef struct Rule {
    const StiLaw *law;
    double at_rest; // the law's level just above zero speed
    double limit;   // of sticking, >= at_rest
    bool approximate;
    const StiReactionProblem *problem;
} Rule;

static double ratio_of(double needed, double available)
{
    return needed > 0.0 ? needed / available : 0.0;
}

// One number g = T W: everything happens along vbar.
static void resolve_along(const Rule *rule, double g, StiReactionAnswer *answer)
{
    const StiReactionProblem *problem = rule->problem;
    const double a = sti_norm(problem->dim, problem->vbar);
    const double direction = sti_direction(problem->dim, problem->vbar);
    answer->ratio = ratio_of(a, g * rule->limit);
    answer->stuck = a <= g * rule->limit;
    if (answer->stuck && a > 0.0)
        for (int i = 0; i < problem->dim; ++i) answer->r[i] = problem->vbar[i] / g;
    if (answer->stuck && (rule->approximate || rule->limit > rule->at_rest)) return;
    const StiSlipSolution slip =
        (rule->approximate ? sti_law_approximate : sti_law_solve)(rule->law, g, a, direction,
                                                                  problem->signals);
    answer->several = slip.several;
    if (answer->stuck) return;
    for (int i = 0; i < problem->dim; ++i) answer->r[i] = slip.level * (problem->vbar[i] / a);
}

// (18) without an axis of its own: the direction comes from slipping at the level at rest.
static void approximate_across(const Rule *rule, const StiInertia *inertia,
                               StiReactionAnswer *answer)
{
    const StiReactionProblem *problem = rule->problem;
    const StiLaw at_rest = sti_law_coulomb(rule->at_rest);
    const StiSlide slide = sti_slide(inertia, &at_rest, NULL, problem->vbar);
    const double *along = rule->at_rest > 0.0 ? slide.r : problem->vbar;
    const double level = sti_law_level(rule->law, slide.speed, 0.0, problem->signals);
    const double size = sti_norm(problem->dim, along);
    for (int i = 0; i < problem->dim; ++i) answer->r[i] = level * (along[i] / size);
}

// What is left of vbar where W cannot act: as much as the rounding of forces within the limit explains?
static bool remainder_is_rounding(const Rule *rule, const StiInertia *inertia, const double *r)
{
    const StiReactionProblem *problem = rule->problem;
    double left[3];
    for (int i = 0; i < problem->dim; ++i) {
        left[i] = problem->vbar[i];
        for (int k = 0; k < problem->dim; ++k)
            left[i] -= problem->T * problem->W[problem->dim * i + k] * r[k];
    }
    return sti_norm(problem->dim, left) <= 1e-13 * inertia->largest * rule->limit;
}

// Any W: the velocity that remains need not be along vbar.                      EQUATIONS 2.10
static void resolve_across(const Rule *rule, const StiInertia *inertia, StiReactionAnswer *answer)
{
    const StiReactionProblem *problem = rule->problem;
    const bool possible = sti_inertia_force(inertia, problem->vbar, answer->r) ||
                          remainder_is_rounding(rule, inertia, answer->r);
    const double needed = possible ? sti_norm(problem->dim, answer->r) : INFINITY;
    answer->ratio = ratio_of(needed, rule->limit);
    answer->stuck = needed <= rule->limit;
    if (answer->stuck && (rule->approximate || rule->limit > rule->at_rest)) return;
    if (answer->stuck) {
        answer->several = sti_slide_exists(inertia, rule->law, problem->signals, problem->vbar);
    } else if (rule->approximate) {
        approximate_across(rule, inertia, answer);
    } else {
        const StiSlide slide = sti_slide(inertia, rule->law, problem->signals, problem->vbar);
        for (int i = 0; i < problem->dim; ++i) answer->r[i] = slide.r[i];
        answer->several = slide.several;
    }
}

// A limit below the law's own level at rest would leave velocities without an answer: it is raised.
StiStatus sti_finite_time(const StiLaw *law, double limit, bool approximate,
                          const StiReactionProblem *problem, StiReactionAnswer *answer)
{
    StiInertia inertia;
    *answer = (StiReactionAnswer){0};
    const StiStatus status = sti_inertia_prepare(problem, &inertia);
    if (status != STI_OK) return status;
    const double direction = sti_direction(problem->dim, problem->vbar);
    const double at_rest = sti_law_level(law, 0.0, direction, problem->signals);
    const Rule rule = {.law = law,
                       .at_rest = at_rest,
                       .limit = limit > at_rest ? limit : at_rest,
                       .approximate = approximate,
                       .problem = problem};
    if (inertia.isotropic)
        resolve_along(&rule, inertia.g[0], answer);
    else
        resolve_across(&rule, &inertia, answer);
    return sti_all_finite(answer->r, problem->dim) ? STI_OK : STI_NOT_FINITE;
}

static StiReactionSize size(const void *parameters)
{
    const StiFiniteTime *p = parameters;
    return (StiReactionSize){.dim = p->dim,
                             .discrete = 1 + p->dim,
                             .signals = sti_law_signals(&p->law)};
}

// While it sticks under a static level above the law's own, only it counts: an answer beyond
// it is provisional, until release lets the element slip.                     [regularization] (19)
static StiStatus resolve(const void *parameters, const StiReactionProblem *problem, const double *s,
                         StiReactionAnswer *answer)
{
    const StiFiniteTime *p = parameters;
    const double direction = sti_direction(p->dim, problem->vbar);
    const double at_rest = sti_law_level(&p->law, 0.0, direction, problem->signals);
    const double load = sti_law_dry(&p->law, problem->signals);
    const StiLaw held = sti_law_coulomb(p->level_static * load);
    if (s[0] == STI_STICK && p->level_static * load > at_rest)
        return sti_finite_time(&held, p->level_static * load, false, problem, answer);
    return sti_finite_time(&p->law, at_rest, p->approximate, problem, answer);
}

// Without a static level above the law's own, both modes give the same answer. Levels and static
// level grow alike with the load; a law that depends on further signals cannot be judged here.
static bool static_matters(const StiFiniteTime *p, double direction)
{
    const double units[3] = {1.0, 1.0, 1.0}; // load and scales
    if (p->law.kind->signals > 0) return p->level_static > 0.0;
    return p->level_static > sti_law_level(&p->law, 0.0, direction, units);
}

static bool release(const void *parameters, const StiReactionAnswer *answer, double *s)
{
    const StiFiniteTime *p = parameters;
    if (s[0] != STI_STICK || answer->stuck || !(answer->ratio > 1.0)) return false;
    if (!static_matters(p, sti_direction(p->dim, answer->r))) return false;
    s[0] = STI_SLIP;
    return true;
}

static bool arrest(const void *parameters, const double *v_start, const double *v_end, double *s)
{
    const StiFiniteTime *p = parameters;
    double along = 0.0;
    for (int d = 0; d < p->dim; ++d) along += v_start[d] * v_end[d];
    if (p->literal || s[0] == STI_STICK || !(along < 0.0)) return false;
    if (!static_matters(p, sti_direction(p->dim, v_end))) return false;
    s[0] = STI_STICK;
    return true;
}

static StiReactionLevel level(const void *parameters, const double *signals, const double *s,
                              double speed, double direction)
{
    const StiFiniteTime *p = parameters;
    const double at_rest = sti_law_level_at(&p->law, 0.0, direction, signals);
    const double held = p->level_static * sti_law_dry(&p->law, signals);
    const bool moves = speed > 0.0 && !p->law.kind->constant;
    return (StiReactionLevel){
        .sticking = s[0] == STI_STICK && held > at_rest ? held : at_rest,
        .slipping = moves ? sti_law_level(&p->law, speed, direction, signals) : at_rest,
        .slope = p->law.kind->constant ? 0.0 : sti_law_slope(&p->law, speed, direction, signals),
        .constant = p->law.kind->constant,
        .fixed = p->law.kind->constant && held <= at_rest && sti_law_signals(&p->law) == 0};
}

static void settle(const void *parameters, const StiReactionProblem *problem,
                   const StiReactionAnswer *answer, double *s)
{
    (void)parameters, (void)problem;
    s[0] = answer->stuck ? STI_STICK : STI_SLIP; // (19b)
}

static double level_of_slip(const void *parameters, double speed, double direction,
                            const double *signals)
{
    const StiFiniteTime *p = parameters;
    return sti_law_level_through(&p->law, speed, direction, signals);
}

static double limit_of_stick(const void *parameters, double direction, const double *signals)
{
    const StiFiniteTime *p = parameters;
    const double load = sti_law_dry(&p->law, signals);
    return fmax(p->level_static * load, sti_law_level(&p->law, 0.0, direction, signals));
}

static const StiReactionModes modes = {.table_size = sizeof(StiReactionModes), .level = level_of_slip, .limit = limit_of_stick};

static const StiField fields[] = {
    STI_FIELD_OF_DIM(StiFiniteTime),
    {.name = "law",
     .unit = "N",
     .meaning = "level of sliding",
     .type = STI_FIELD_LAW,
     .offset = offsetof(StiFiniteTime, law)},
    {.name = "static",
     .unit = "N",
     .meaning = "level FS that ends sticking; 0: the law's at rest",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiFiniteTime, level_static)},
    STI_FIELD_OF_SWITCH(StiFiniteTime, approximate, "takes F at the speed |vbar| - T F(0)/M without solving (18); wrong once T B/M > 1"),
    STI_FIELD_OF_SWITCH(StiFiniteTime, literal, "(19) word by word: slip that changes its sign in a step goes on at the lower level"),
};

static void check(const void *parameters, const StiCheck *check)
{
    const StiFiniteTime *p = parameters;
    sti_check_friction(check, p->dim, &p->law);
    if (p->law.kind != NULL && p->level_static > 0.0)
        sti_check_static(check, p->level_static, sti_law_survey(&p->law).at_rest);
}

static const StiExplanation explanation = {
    .equations = "vbar = v + T h/M          velocity at the step's end without friction\n"
                 "|vbar| <= T F/M:          f = M vbar/T, and the new v is set to 0: stick\n"
                 "else:                     f = F vbar/|vbar|, new v = vbar - T f/M: slip\n"
                 "With a law F(v) in slip:  u + (T/M) F(u) = |vbar| gives the new speed u.\n"
                 "In general 1/M is W, the velocity per force and time behind the element, a\n"
                 "matrix for several axes; with several elements all are solved together.\n"
                 "static: it sticks up to this level and slips at the other. Slip that would\n"
                 "change its sign comes to rest in between: there the static level acts.\n",
    .use = "The first choice at a fixed step: nothing to tune, exact rest, any number of "
           "dimensions, laws of the speed, loads.",
    .drift = "No: what is stuck has velocity zero, exactly.",
    .source = "[fixed-step] (13)-(18), [regularization] (11)-(19).",
};

static const StiFiniteTime example = {.dim = 1, .law = {.kind = &sti_law_kind_coulomb, .p = {2.0}}, .level_static = 2.5};

const StiReactionKind sti_kind_finite_time = {
    .table_size = sizeof(StiReactionKind),
    .info = {.name = "finite-time",
             .summary = "brings the velocity to exactly zero within the step; nothing to tune",
             .size = sizeof(StiFiniteTime),
             .fields = fields,
             .field_count = sizeof fields / sizeof fields[0],
             .check = check,
             .explanation = &explanation,
             .example = &example},
    .holds = true,
    .size = size,
    .resolve = resolve,
    .release = release,
    .arrest = arrest,
    .level = level,
    .settle = settle,
    .modes = &modes,
};

STI_DEFAULT(StiFiniteTime, finite_time, sti_kind_finite_time.info)

// The same under the name of what is meant, without the switches of how it is computed.
enum { SWITCHES = 2 };

static const StiExplanation coulomb_explanation = {
    .equations = "f = F v/|v|    while it slips\n"
                 "|f| <= F       while it sticks: whatever keeps v = 0\n",
    .use = "When you mean dry friction and not a particular way to compute it. A static level or a "
           "law of the speed may be added.",
    .drift = "No: what is stuck has velocity zero, exactly.",
    .source = "[fixed-step] (1)-(3). Resolved at each step by the finite-time rule: see finite-time.",
};

const StiReactionKind sti_kind_coulomb = {
    .table_size = sizeof(StiReactionKind),
    .info = {.name = "coulomb",
             .summary = "dry friction as physics has it; resolved by the finite-time rule",
             .size = sizeof(StiFiniteTime),
             .fields = fields,
             .field_count = sizeof fields / sizeof fields[0] - SWITCHES,
             .check = check,
             .explanation = &coulomb_explanation,
             .example = &example},
    .holds = true,
    .size = size,
    .resolve = resolve,
    .release = release,
    .arrest = arrest,
    .level = level,
    .settle = settle,
    .modes = &modes,
};
