// Rate- and state-dependent friction (Dieterich 1979, Ruina 1983): the level rises with the logarithm of the
// slip speed at once, and follows the age theta of the contacts, which slip renews.
//
//     F(u, theta) = law(u) (1 + a ln((u + vc)/v0) + b ln(v0 theta/Dc))
//     aging form:  d theta/dt = 1 - u theta/Dc
//     slip form:   d theta/dt = -(u theta/Dc) ln(u theta/Dc)
//
// a and b are those of the literature over its mu0. The logarithm ends at the speed vc: slower creep is not
// resolved, and what sticks under F(0, theta) does not move. theta changes at the end of a step, exactly for
// the speed at its start: of order 1, stable at any step. s = (mode, ln(theta/theta at the start)).
#include <math.h>

#include "base/default.h"
#include "law/norm.h"
#include "law/shape.h"
#include "law/slip.h"
#include "stiction/elementary.h"
#include "stiction/reaction.h"

typedef struct RateAndState {
    int dim;
    StiLaw law;
    double a, b;
    double v0;  // m/s
    double vc;  // m/s
    double Dc;  // m
    double age; // s, at the start; 0: Dc/v0, steady at v0
    bool slip_form;
} RateAndState;

enum { MODE, AGE, MEMORY };

static double first_age(const RateAndState *p) { return p->age > 0.0 ? p->age : p->Dc / p->v0; }

// What the memory makes of a law; an own law may not be written to, so it is seen through this one.
typedef struct Seen {
    const RateAndState *p;
    double aged; // b ln(v0 theta/Dc)
} Seen;

static double factor(const Seen *seen, double u)
{
    const RateAndState *p = seen->p;
    return fmax(1.0 + p->a * sti_log((u + p->vc) / p->v0) + seen->aged, 0.0);
}

static double seen_level(const StiLaw *law, const StiSlip *slip)
{
    const Seen *seen = law->user;
    const double level = seen->p->law.kind->level(&seen->p->law, slip);
    return fmax(level, 0.0) * factor(seen, slip->speed);
}

static double seen_slope(const StiLaw *law, const StiSlip *slip)
{
    const Seen *seen = law->user;
    const StiLaw *own = &seen->p->law;
    const double grows = factor(seen, slip->speed);
    return grows > 0.0 ? own->kind->slope(own, slip) * grows +
                             own->kind->level(own, slip) * seen->p->a / (slip->speed + seen->p->vc)
                       : 0.0;
}

static StiLawKind seen_kind(const RateAndState *p)
{
    return (StiLawKind){.table_size = sizeof(StiLawKind),
                        .name = p->law.kind->name,
                        .signals = p->law.kind->signals,
                        .directional = p->law.kind->directional,
                        .level = seen_level,
                        .slope = p->law.kind->slope != NULL ? seen_slope : NULL,
                        .steepest = p->law.kind->constant ? sti_law_steepest_at_rest : NULL};
}

static Seen seen_with(const RateAndState *p, const double *s)
{
    return (Seen){p, p->b * (sti_log(p->v0 * first_age(p) / p->Dc) + s[AGE])};
}

static StiReactionSize size(const void *parameters)
{
    const RateAndState *p = parameters;
    return (
        StiReactionSize){.dim = p->dim, .discrete = MEMORY, .signals = sti_law_signals(&p->law)};
}

static StiStatus resolve(const void *parameters, const StiReactionProblem *problem, const double *s,
                         StiReactionAnswer *answer)
{
    const RateAndState *p = parameters;
    const Seen seen = seen_with(p, s);
    const StiLawKind kind = seen_kind(p);
    const StiLaw law = {.kind = &kind,
                        .user = &seen,
                        .times_load = p->law.times_load,
                        .scales_level = p->law.scales_level,
                        .scales_viscous = p->law.scales_viscous};
    const double direction = sti_direction(p->dim, problem->vbar);
    return sti_finite_time(&law, sti_law_level(&law, 0.0, direction, problem->signals), false,
                           problem, answer);
}

static StiReactionLevel level(const void *parameters, const double *signals, const double *s,
                              double speed, double direction)
{
    const RateAndState *p = parameters;
    const Seen seen = seen_with(p, s);
    const StiLawKind kind = seen_kind(p);
    const StiLaw law = {.kind = &kind,
                        .user = &seen,
                        .times_load = p->law.times_load,
                        .scales_level = p->law.scales_level,
                        .scales_viscous = p->law.scales_viscous};
    return (StiReactionLevel){.sticking = sti_law_level(&law, 0.0, direction, signals),
                              .slipping = sti_law_level(&law, speed, direction, signals),
                              .slope = sti_law_slope(&law, speed, direction, signals)};
}

// ln theta after a time T at the speed u.
static double aged(const RateAndState *p, double log_age, double u, double T)
{
    const double decay = sti_exp(-u * T / p->Dc);
    if (p->slip_form)
        return u > 0.0 ? log_age * decay + (1.0 - decay) * sti_log(p->Dc / u) : log_age;
    const double age = sti_exp(log_age);
    // (1 - exp(-u T/Dc)) Dc/u, whose limit at rest is T.
    const double renewed = u * T > 1e-9 * p->Dc ? (1.0 - decay) * p->Dc / u : T;
    return sti_log(age * decay + renewed);
}

static void settle(const void *parameters, const StiReactionProblem *problem,
                   const StiReactionAnswer *answer, double *s)
{
    const RateAndState *p = parameters;
    const double u = answer->stuck ? 0.0 : sti_norm(p->dim, problem->v);
    const double start = sti_log(first_age(p));
    s[AGE] = aged(p, start + s[AGE], u, problem->T) - start;
    s[MODE] = answer->stuck ? STI_STICK : STI_SLIP;
}

static const StiField fields[] = {
    STI_FIELD_OF_DIM(RateAndState),
    {.name = "law",
     .unit = "N",
     .meaning = "level at the reference speed in steady sliding",
     .type = STI_FIELD_LAW,
     .offset = offsetof(RateAndState, law)},
    {.name = "direct",
     .unit = "",
     .meaning = "direct effect a/mu0: rise of the level per e-fold of speed",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(RateAndState, a),
     .usual = 0.015},
    {.name = "evolution",
     .unit = "",
     .meaning = "evolution effect b/mu0: rise of the level per e-fold of age",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(RateAndState, b),
     .usual = 0.02},
    {.name = "reference_speed",
     .unit = "m/s",
     .meaning = "speed v0 at which the law's level holds",
     .bound = STI_POSITIVE,
     .offset = offsetof(RateAndState, v0),
     .usual = 1e-3},
    {.name = "creep_speed",
     .unit = "m/s",
     .meaning = "speed vc at which the logarithm ends: slower creep is stick",
     .bound = STI_POSITIVE,
     .offset = offsetof(RateAndState, vc),
     .usual = 1e-7},
    {.name = "slip_distance",
     .unit = "m",
     .meaning = "way Dc over which slip renews the contacts",
     .bound = STI_POSITIVE,
     .offset = offsetof(RateAndState, Dc),
     .usual = 1e-5},
    {.name = "age",
     .unit = "s",
     .meaning = "of the contacts at the start; 0: slip distance over reference speed",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(RateAndState, age)},
    STI_FIELD_OF_SWITCH(RateAndState, slip_form,
                        "Ruina's form: contacts change by slip only; else they age at rest, too"),
};

static void check(const void *parameters, const StiCheck *check)
{
    const RateAndState *p = parameters;
    sti_check_friction(check, p->dim, &p->law);
    const Seen seen = seen_with(p, (const double[MEMORY]){0.0});
    if (!(factor(&seen, 0.0) > 0.0))
        sti_check_error(
            check, "direct", p->a,
            "the level at rest would be 0: less direct effect, or a creep speed that is "
            "nearer to the reference speed");
}

static const StiExplanation explanation = {
    .equations = "F = law(u) (1 + a ln((u + vc)/v0) + b ln(v0 theta/Dc))     u: slip speed\n"
                 "aging form:  d theta/dt = 1 - u theta/Dc\n"
                 "slip form:   d theta/dt = -(u theta/Dc) ln(u theta/Dc)\n"
                 "steady:      theta = Dc/u, F = law(u) (1 + (a - b) ln(u/v0)) for u >> vc\n"
                 "a: direct, b: evolution (both over mu0), v0: reference_speed, vc: creep_speed\n"
                 "Dc: slip_distance; stuck while |f| <= F(0, theta)\n",
    .use = "Rock, paper, wood, rubber, bare metal: friction that grows with the time of rest and "
           "weakens or strengthens with speed only after some slip. a < b can stick and slip "
           "behind a soft spring, a > b cannot. Under the method rule, of order 1: theta changes "
           "between steps, so u T should stay well below Dc where that matters.",
    .drift = "No: below the level of its age it is stuck. Creep slower than vc is cut off.",
    .source = "J. H. Dieterich 1979, A. Ruina 1983.",
};

static const RateAndState example = {.dim = 1,
                                     .law = {.kind = &sti_law_kind_coulomb, .p = {2.0}},
                                     .a = 0.015,
                                     .b = 0.02,
                                     .v0 = 1e-3,
                                     .vc = 1e-7,
                                     .Dc = 1e-4};

extern const StiReactionKind sti_kind_rate_and_state;
const StiReactionKind sti_kind_rate_and_state = {
    .table_size = sizeof(StiReactionKind),
    .info = {.name = "rate-and-state",
             .summary = "Dieterich and Ruina: stronger by age, renewed by slip; aging or slip form",
             .size = sizeof(RateAndState),
             .fields = fields,
             .field_count = sizeof fields / sizeof fields[0],
             .check = check,
             .explanation = &explanation,
             .example = &example},
    .holds = true,
    .size = size,
    .resolve = resolve,
    .level = level,
    .settle = settle,
};
