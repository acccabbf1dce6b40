// One factor for many forces: within a step the rows of Psi stand still, so multipliers and
// accelerations are affine in the forces.
#include <string.h>

#include "base/finite.h"
#include "linkage/linkage.h"

int sti_linkage_carried(const StiLinkage *linkage)
{
    return linkage->form == STI_FORM_CHOLESKY ? linkage->plain.count + linkage->pair_count : 0;
}

void sti_linkage_prepare_moving(const StiLinkage *linkage, const double *q, const double *v,
                                const StiDriven *driven, double *prepared)
{
    const Layout *layout = &linkage->plain;
    Memory m = sti_linkage_memory(linkage, prepared);
    memcpy(m.inverse_mass, linkage->inverse_mass,
           (size_t)(3 * linkage->body_count) * sizeof(double));
    sti_linkage_measure(linkage, layout, q, v, driven, NULL, &m);
    sti_linkage_correct_drift(linkage, layout, v, driven, &m);
    sti_linkage_factor(layout, NULL, &m);
    if (linkage->drift == STI_DRIFT_BAUMGARTE) sti_linkage_solve(layout, &m, m.C);
}

static void keep_friction(const StiLinkage *linkage, const StiLinkageForce *force, double *carried)
{
    memcpy(carried + linkage->plain.count, force->friction,
           (size_t)linkage->pair_count * sizeof *carried);
}

// What is prepared, with room of one's own for what depends on forces.
static Memory memory_with(const StiLinkage *linkage, double *prepared, double *workspace)
{
    const Memory own = sti_linkage_memory(linkage, workspace);
    Memory m = sti_linkage_memory(linkage, prepared);
    m.Q = own.Q;
    m.lambda = own.lambda;
    m.spare = own.spare;
    return m;
}

StiStatus sti_linkage_accelerate(const StiLinkage *linkage, double *prepared,
                                 const StiLinkageForce *force, double *vdot, double *carried,
                                 double *workspace)
{
    Memory m = memory_with(linkage, prepared, workspace);
    m.lambda = carried;
    keep_friction(linkage, force, carried);
    sti_linkage_gather(linkage, &m, force, m.Q);
    sti_linkage_solve_split(linkage, &linkage->plain, &m, vdot);
    for (int p = 0; linkage->drift == STI_DRIFT_BAUMGARTE && p < linkage->plain.count; ++p)
        carried[p] -= m.C[p]; // what leads back to the constraints is no load
    return sti_all_finite(vdot, 3 * linkage->body_count) ? STI_OK : STI_NOT_FINITE;
}

void sti_linkage_collect(const StiLinkage *linkage, double *prepared, const StiLinkageForce *force,
                         double *Q, double *carried)
{
    const Memory m = sti_linkage_memory(linkage, prepared);
    sti_linkage_gather(linkage, &m, force, Q);
    keep_friction(linkage, force, carried);
}

// A few columns at a time: each waits for its own last result, so they share the time.
void sti_linkage_strain(const StiLinkage *linkage, double *prepared, int count,
                        const StiResponseColumn *columns, double *workspace)
{
    enum { TOGETHER = 4 };
    const Layout *layout = &linkage->plain;
    Memory m = memory_with(linkage, prepared, workspace);
    for (int first = 0; first < count; first += TOGETHER) {
        double *lambdas[TOGETHER];
        const int some = count - first < TOGETHER ? count - first : TOGETHER;
        for (int j = 0; j < some; ++j) {
            const StiResponseColumn *column = &columns[first + j];
            lambdas[j] = column->carried;
            for (int i = 0; i < 3 * linkage->body_count; ++i)
                column->dv[i] = m.inverse_mass[i] * column->force[i];
            for (int p = 0; p < layout->count; ++p)
                lambdas[j][p] = sti_row_rate(layout, &m, p, column->dv);
        }
        sti_linkage_solve_each(layout, &m, some, lambdas);
        for (int j = 0; j < some; ++j) {
            m.Q = columns[first + j].force;
            m.lambda = lambdas[j];
            sti_linkage_push(layout, &m, m.lambda, -1.0, columns[first + j].dv);
            sti_linkage_forget_rounding(linkage, layout, &m, m.spare, columns[first + j].dv);
        }
    }
}

void sti_linkage_loads_of(const StiLinkage *linkage, double *prepared, const double *v,
                          const double *carried, StiPairLoad *loads, double *efforts)
{
    const Layout *layout = &linkage->plain;
    Memory m = sti_linkage_memory(linkage, prepared);
    memcpy(m.lambda, carried, (size_t)layout->count * sizeof *carried);
    sti_linkage_loads(linkage, layout, &m, v, carried + layout->count, loads);
    sti_linkage_take_efforts(linkage, layout, &m, NULL, efforts);
}

void sti_linkage_fit(const StiLinkage *linkage, double *prepared, const StiDriven *driven,
                     double *v, double *workspace)
{
    Memory m = memory_with(linkage, prepared, workspace);
    sti_linkage_fit_velocities(linkage, &linkage->plain, driven, v, &m);
}
