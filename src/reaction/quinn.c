// Quinn's model: a steep ramp around the velocity that the other forces ask for.  [fixed-step] (7)
#include <math.h>

#include "base/default.h"
#include "base/finite.h"
#include "law/norm.h"
#include "law/slip.h"
#include "reaction/inertia.h"

// Returns F; vbar is the model's own, not the velocity without friction.
static double ask(const StiQuinn *p, const double *signals, const double *v, const double *h,
                  double *vbar)
{
    const double F = sti_law_level(&p->law, 0.0, sti_direction(p->dim, v), signals);
    double limited[3];
    sti_gsat(p->dim, F, h, limited);
    for (int i = 0; i < p->dim; ++i)
        vbar[i] = v[i] + (F > 0.0 ? p->eps * (limited[i] / F) : 0.0); // (7b)
    return F;
}

void sti_quinn(const StiQuinn *p, const double *signals, const double *v, const double *h,
               double *r)
{
    double vbar[3];
    const double F = ask(p, signals, v, h, vbar);
    sti_gsat(p->dim, p->eps, vbar, vbar);
    for (int i = 0; i < p->dim; ++i) r[i] = F * (vbar[i] / p->eps); // (7a)
}

static StiReactionSize size(const void *parameters)
{
    const StiQuinn *p = parameters;
    return (StiReactionSize){.dim = p->dim, .discrete = 1, .signals = sti_law_signals(&p->law)};
}

static StiStatus resolve(const void *parameters, const StiReactionProblem *problem, const double *s,
                         StiReactionAnswer *answer)
{
    (void)s;
    const StiQuinn *p = parameters;
    double h[3];
    *answer = (StiReactionAnswer){0}; // never stuck: on the ramp the velocity only fades
    const StiStatus status = sti_other_forces(problem, h);
    if (status != STI_OK) return status;
    sti_quinn(p, problem->signals, problem->v, h, answer->r);
    return sti_all_finite(answer->r, p->dim) ? STI_OK : STI_NOT_FINITE;
}

// 0 on the ramp.
static void settle(const void *parameters, const StiReactionProblem *problem,
                   const StiReactionAnswer *answer, double *s)
{
    (void)answer;
    const StiQuinn *p = parameters;
    double h[3] = {0.0}, vbar[3];
    sti_other_forces(problem, h);
    ask(p, problem->signals, problem->v, h, vbar);
    s[0] = sti_norm(p->dim, vbar) <= p->eps ? 0.0 : 1.0;
}

static const StiField fields[] = {
    STI_FIELD_OF_DIM(StiQuinn),
    {.name = "law",
     .unit = "N",
     .meaning = "level of sliding",
     .type = STI_FIELD_LAW,
     .offset = offsetof(StiQuinn, law)},
    {.name = "eps",
     .unit = "m/s",
     .meaning = "width of the ramp; T F/M is best",
     .bound = STI_POSITIVE,
     .offset = offsetof(StiQuinn, eps),
     .usual = 1e-2},
};

static void check(const void *parameters, const StiCheck *check)
{
    const StiQuinn *p = parameters;
    sti_check_friction(check, p->dim, &p->law);
    if (p->law.kind != NULL && !p->law.kind->constant)
        sti_check_error(check, "law", NAN,
                        "the law '%s' depends on the speed: Quinn's model needs a constant level "
                        "(coulomb)",
                        p->law.kind->name);
}

static const StiExplanation explanation = {
    .equations = "vbar = v + eps gsat(1, h/F)     h: sum of the other forces\n"
                 "f = F gsat(1, vbar/eps)         a ramp of width eps\n",
    .use = "For comparison. At eps = T F/M it stops as the finite-time rule does; below that "
           "it chatters, above it stops slowly. Constant levels only.",
    .drift = "It does not hold: the velocity fades but is never exactly zero.",
    .source = "[fixed-step] (7); D. D. Quinn 2004.",
};

static const StiQuinn example = {.dim = 1, .law = {.kind = &sti_law_kind_coulomb, .p = {2.0}}, .eps = 2e-3};

const StiReactionKind sti_kind_quinn = {
    .table_size = sizeof(StiReactionKind),
    .info = {.name = "quinn",
             .summary = "a ramp around the speed that the other forces ask for; for comparison",
             .size = sizeof(StiQuinn),
             .fields = fields,
             .field_count = sizeof fields / sizeof fields[0],
             .check = check,
             .explanation = &explanation,
             .example = &example},
    .size = size,
    .resolve = resolve,
    .settle = settle,
};

STI_DEFAULT(StiQuinn, quinn, sti_kind_quinn.info)
