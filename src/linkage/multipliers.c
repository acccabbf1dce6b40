// Accelerations and multipliers.                                          [dahl] (24), (27)-(32)
#include <math.h>
#include <string.h>

#include "base/finite.h"
#include "linkage/linkage.h"

// Q + Q_a: forces on the bodies, along the coordinates of pairs, and weight.
void sti_linkage_gather(const StiLinkage *linkage, const Memory *m, const StiLinkageForce *force,
                        double *Q)
{
    for (int i = 0; i < linkage->body_count; ++i) {
        const double mass = linkage->bodies[i].mass;
        const double *given = force->bodies != NULL ? force->bodies + 3 * i : NULL;
        Q[3 * i] = mass * force->gravity.x + (given ? given[0] : 0.0);
        Q[3 * i + 1] = mass * force->gravity.y + (given ? given[1] : 0.0);
        Q[3 * i + 2] = given ? given[2] : 0.0;
    }
    for (int k = 0; k < linkage->pair_count; ++k) {
        const StiPlanarPair *pair = &linkage->pairs[k];
        if (!sti_pair_kind(pair->type)->slides) continue;
        const double radius = pair->type == STI_PAIR_REVOLUTE ? pair->radius : 1.0;
        const double f = (force->pairs ? force->pairs[k] : 0.0) +
                         radius * (force->friction ? force->friction[k] : 0.0);
        const double *J = m->coordinate + COORDINATE_SIZE * k;
        for (int d = 0; f != 0.0 && d < 6; ++d) {
            const int body = d < 3 ? pair->body : pair->other;
            if (body >= 0) Q[3 * body + d % 3] += f * J[d];
        }
    }
}

// gamma with the correction of drift that the linkage was made with; C takes the correction.
void sti_linkage_correct_drift(const StiLinkage *linkage, const Layout *layout, const double *v,
                               const StiDriven *driven, Memory *m)
{
    const double a = linkage->baumgarte_rate;
    if (linkage->drift != STI_DRIFT_BAUMGARTE) return;
    for (int p = 0; p < layout->count; ++p) {
        const double error =
            sti_row_rate(layout, m, p, v) - sti_row_wanted(&layout->rows[p], driven);
        m->C[p] = 2.0 * a * error + a * a * m->C[p];
        m->gamma[p] -= m->C[p];
    }
}

// Loads and efforts are those of the constraints alone: what leads back to them is no load.
static void leave_out_correction(const StiLinkage *linkage, const Layout *layout, const Memory *m)
{
    if (linkage->drift != STI_DRIFT_BAUMGARTE) return;
    sti_linkage_solve(layout, m, m->C);
    for (int p = 0; p < layout->count; ++p) m->lambda[p] -= m->C[p];
}

// (31)(32) with L = M^(1/2): lambda = (Psi M^-1 Psi^T)^-1 (Psi M^-1 Q - gamma).
void sti_linkage_solve_split(const StiLinkage *linkage, const Layout *layout, Memory *m,
                             double *vdot)
{
    for (int i = 0; i < 3 * linkage->body_count; ++i) vdot[i] = m->inverse_mass[i] * m->Q[i];
    for (int p = 0; p < layout->count; ++p)
        m->lambda[p] = sti_row_rate(layout, m, p, vdot) - m->gamma[p];
    sti_linkage_solve(layout, m, m->lambda);
    sti_linkage_push(layout, m, m->lambda, -1.0, vdot);
}

void sti_linkage_take_efforts(const StiLinkage *linkage, const Layout *layout, const Memory *m,
                              double *hold, double *efforts)
{
    for (int k = 0; hold != NULL && k < linkage->pair_count; ++k) hold[k] = 0.0;
    for (int p = 0; p < layout->count; ++p) {
        const Row *row = &layout->rows[p];
        if (row->type == ROW_OF_DRIVER && efforts != NULL) efforts[row->index] = -m->lambda[p];
        if (row->type == ROW_OF_LOCK && hold != NULL) hold[row->pair] = -m->lambda[p];
    }
}

StiStatus sti_linkage_forward(const StiLinkage *linkage, const double *q, const double *v,
                              const StiDriven *driven, const StiLinkageForce *force,
                              const bool *held, double *vdot, StiPairLoad *loads, double *hold,
                              double *efforts, double *workspace)
{
    static const StiLinkageForce none = {NULL, NULL, NULL, {0.0, 0.0, 0.0}};
    const Layout *layout = held != NULL ? &linkage->lockable : &linkage->plain;
    const int velocities = 3 * linkage->body_count;
    Memory m = sti_linkage_memory(linkage, workspace);
    if (force == NULL) force = &none;
    memcpy(m.inverse_mass, linkage->inverse_mass, (size_t)velocities * sizeof(double));
    sti_linkage_measure(linkage, layout, q, v, driven, NULL, &m);
    sti_linkage_correct_drift(linkage, layout, v, driven, &m);
    sti_linkage_gather(linkage, &m, force, m.Q);
    if (linkage->form == STI_FORM_CHOLESKY || held != NULL) {
        sti_linkage_factor(layout, held, &m);
        sti_linkage_solve_split(linkage, layout, &m, vdot);
    } else {
        sti_linkage_udwadia_kalaba(layout, velocities, &m, vdot);
        if (linkage->drift == STI_DRIFT_BAUMGARTE) sti_linkage_factor(layout, held, &m);
    }
    leave_out_correction(linkage, layout, &m);
    if (!sti_all_finite(vdot, velocities)) return STI_NOT_FINITE;
    if (loads != NULL) sti_linkage_loads(linkage, layout, &m, v, force->friction, loads);
    sti_linkage_take_efforts(linkage, layout, &m, hold, efforts);
    return STI_OK;
}

int sti_linkage_dependent(const StiLinkage *linkage, const double *workspace, const char **names,
                          int most)
{
    // The workspace is only read.
    const Memory m = sti_linkage_memory(linkage, (double *)(size_t)workspace);
    const Layout *layout = &linkage->plain;
    int count = 0;
    for (int p = 0; p < layout->count; ++p) {
        if (m.dropped[p] == 0.0) continue;
        if (count < most && names != NULL) names[count] = sti_row_name(linkage, &layout->rows[p]);
        ++count;
    }
    return count;
}

// ---- inertia with constraints ---------------------------------------------------------------------

int sti_linkage_prepared(const StiLinkage *linkage) { return linkage->memory; }

StiStatus sti_linkage_prepare(const StiLinkage *linkage, const double *q, const bool *locked,
                              const double *added, double *prepared)
{
    Memory m = sti_linkage_memory(linkage, prepared);
    for (int i = 0; i < 3 * linkage->body_count; ++i) {
        const double mass = 1.0 / linkage->inverse_mass[i] + (added ? added[i] : 0.0);
        if (!(mass > 0.0)) return STI_BAD_ARGUMENT;
        m.inverse_mass[i] = locked != NULL && locked[i] ? 0.0 : 1.0 / mass;
    }
    sti_linkage_measure(linkage, &linkage->plain, q, NULL, NULL, NULL, &m);
    sti_linkage_factor(&linkage->plain, NULL, &m);
    return STI_OK;
}

// What constraints and drivers hold does not move: what is left of it is rounding. Small numbers of
// either sign would look like an inertia.
void sti_linkage_forget_rounding(const StiLinkage *linkage, const Layout *layout, const Memory *m,
                                 double *size, double *dv)
{
    for (int i = 0; i < 3 * linkage->body_count; ++i) size[i] = m->inverse_mass[i] * fabs(m->Q[i]);
    for (int p = 0; p < layout->count; ++p)
        for (int side = 0; side < 2; ++side) {
            const int body = layout->rows[p].body[side];
            const double *JM = m->JM + 6 * p + 3 * side;
            for (int d = 0; body >= 0 && d < 3; ++d)
                size[3 * body + d] += fabs(JM[d] * m->lambda[p]);
        }
    for (int i = 0; i < 3 * linkage->body_count; ++i)
        if (fabs(dv[i]) <= 1e-13 * size[i]) dv[i] = 0.0;
}

void sti_linkage_respond(const StiLinkage *linkage, const double *prepared,
                         const StiLinkageForce *force, double *dv, double *workspace)
{
    const Layout *layout = &linkage->plain;
    const Memory own = sti_linkage_memory(linkage, workspace);
    Memory m = sti_linkage_memory(linkage, (double *)(size_t)prepared); // only read
    m.Q = own.Q;
    m.lambda = own.lambda;
    sti_linkage_gather(linkage, &m, force, m.Q);
    for (int i = 0; i < 3 * linkage->body_count; ++i) dv[i] = m.inverse_mass[i] * m.Q[i];
    for (int p = 0; p < layout->count; ++p) m.lambda[p] = sti_row_rate(layout, &m, p, dv);
    sti_linkage_solve(layout, &m, m.lambda);
    sti_linkage_push(layout, &m, m.lambda, -1.0, dv);
    sti_linkage_forget_rounding(linkage, layout, &m, own.spare, dv);
}
