// Karnopp's model: inside a band of speeds it balances the other forces.        [fixed-step] (5)
#include <math.h>

#include "base/default.h"
#include "base/finite.h"
#include "law/norm.h"
#include "law/shape.h"
#include "law/slip.h"
#include "reaction/inertia.h"

static double limit_of(const StiKarnopp *p, const double *signals, const double *h)
{
    if (!(p->level_static > 0.0))
        return sti_law_level(&p->law, 0.0, sti_direction(p->dim, h), signals);
    return p->level_static * sti_law_dry(&p->law, signals);
}

static bool in_band(const StiKarnopp *p, const double *v) { return sti_norm(p->dim, v) <= p->eps; }

void sti_karnopp(const StiKarnopp *p, const double *signals, const double *v, const double *h,
                 double *r)
{
    if (in_band(p, v)) {
        sti_gsat(p->dim, limit_of(p, signals, h), h, r);
        return;
    }
    const double speed = sti_norm(p->dim, v);
    const double level = sti_law_level(&p->law, speed, sti_direction(p->dim, v), signals);
    for (int i = 0; i < p->dim; ++i) r[i] = level * (v[i] / speed);
}

static StiReactionSize size(const void *parameters)
{
    const StiKarnopp *p = parameters;
    return (StiReactionSize){.dim = p->dim, .discrete = 1, .signals = sti_law_signals(&p->law)};
}

static StiStatus resolve(const void *parameters, const StiReactionProblem *problem, const double *s,
                         StiReactionAnswer *answer)
{
    (void)s;
    const StiKarnopp *p = parameters;
    double h[3];
    *answer = (StiReactionAnswer){0}; // never stuck: within the band the velocity remains
    const StiStatus status = sti_other_forces(problem, h);
    if (status != STI_OK) return status;
    sti_karnopp(p, problem->signals, problem->v, h, answer->r);
    return sti_all_finite(answer->r, p->dim) ? STI_OK : STI_NOT_FINITE;
}

// 0 where the model believes to stick.
static void settle(const void *parameters, const StiReactionProblem *problem,
                   const StiReactionAnswer *answer, double *s)
{
    (void)answer;
    const StiKarnopp *p = parameters;
    double h[3] = {0.0};
    sti_other_forces(problem, h);
    const bool balanced = sti_norm(p->dim, h) <= limit_of(p, problem->signals, h);
    s[0] = in_band(p, problem->v) && balanced ? 0.0 : 1.0;
}

static const StiField fields[] = {
    STI_FIELD_OF_DIM(StiKarnopp),
    {.name = "law",
     .unit = "N",
     .meaning = "level of sliding",
     .type = STI_FIELD_LAW,
     .offset = offsetof(StiKarnopp, law)},
    {.name = "static",
     .unit = "N",
     .meaning = "level FS within the band; 0: the law's at rest",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiKarnopp, level_static)},
    {.name = "eps",
     .unit = "m/s",
     .meaning = "speed below which the mass counts as stuck",
     .bound = STI_POSITIVE,
     .offset = offsetof(StiKarnopp, eps),
     .usual = 1e-2},
};

static void check(const void *parameters, const StiCheck *check)
{
    const StiKarnopp *p = parameters;
    sti_check_friction(check, p->dim, &p->law);
    if (p->law.kind != NULL && p->level_static > 0.0)
        sti_check_static(check, p->level_static, sti_law_survey(&p->law).at_rest);
}

static const StiExplanation explanation = {
    .equations = "|v| <= eps:  f = gsat(FS, h)    h: sum of the other forces\n"
                 "else:        f = F(|v|) v/|v|\n",
    .use = "For comparison with literature and other programs. eps must be tuned: too large "
           "and the mass keeps creeping, too small and it jumps over the band and chatters.",
    .drift = "Yes: inside the band a velocity up to eps remains indefinitely.",
    .source = "[fixed-step] (5); D. Karnopp 1985.",
};

static const StiKarnopp example = {.dim = 1, .law = {.kind = &sti_law_kind_coulomb, .p = {2.0}}, .eps = 1e-3};

const StiReactionKind sti_kind_karnopp = {
    .table_size = sizeof(StiReactionKind),
    .info = {.name = "karnopp",
             .summary = "stuck below a speed threshold: creeps or chatters; for comparison",
             .size = sizeof(StiKarnopp),
             .fields = fields,
             .field_count = sizeof fields / sizeof fields[0],
             .check = check,
             .explanation = &explanation,
             .example = &example},
    .size = size,
    .resolve = resolve,
    .settle = settle,
};

STI_DEFAULT(StiKarnopp, karnopp, sti_kind_karnopp.info)
