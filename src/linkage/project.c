// Errors of the constraints, and the way back.
#include <math.h>
#include <string.h>

#include "linkage/linkage.h"

enum { NEWTON_STEPS = 12 };
static const double tight = 1e-14;    // of the linkage's size: no better can be asked for
static const double accepted = 1e-10; // what is still taken where Newton's method stalls
static const double little =
    1e-2; // of the velocities: what rounds no worse than they do themselves
static const double nearby = 1e-6; // so little changes the rows that their factor is as good as new

static Memory begin(const StiLinkage *linkage, double *workspace)
{
    const Memory m = sti_linkage_memory(linkage, workspace);
    memcpy(m.inverse_mass, linkage->inverse_mass,
           (size_t)(3 * linkage->body_count) * sizeof(double));
    return m;
}

// A lock that the other constraints already determine is dropped: a driven joint that stands still for a moment.
static bool in_force(const Layout *layout, const bool *held, const Memory *m, int p)
{
    const Row *row = &layout->rows[p];
    return row->type != ROW_OF_LOCK || (held != NULL && held[row->pair] && m->dropped[p] == 0.0);
}

static double largest_error(const Layout *layout, const bool *held, const Memory *m, int *worst)
{
    double error = 0.0;
    *worst = 0;
    for (int p = 0; p < layout->count; ++p) {
        if (!in_force(layout, held, m, p) || fabs(m->C[p]) <= error) continue;
        error = fabs(m->C[p]);
        *worst = p;
    }
    return error;
}

StiLinkageError sti_linkage_error(const StiLinkage *linkage, const double *q, const double *v,
                                  const StiDriven *driven, double *workspace)
{
    Memory m = begin(linkage, workspace);
    const Layout *layout = &linkage->plain;
    StiLinkageError error = {.name = ""};
    int worst;
    sti_linkage_measure(linkage, layout, q, v, driven, NULL, &m);
    error.position = largest_error(layout, NULL, &m, &worst);
    if (layout->count > 0) error.name = sti_row_name(linkage, &layout->rows[worst]);
    for (int p = 0; p < layout->count; ++p)
        error.velocity = fmax(error.velocity, fabs(sti_row_rate(layout, &m, p, v) -
                                                   sti_row_wanted(&layout->rows[p], driven)));
    return error;
}

// Newton's method in the metric of the masses: the nearest configuration that fits.
// *factored: the factor belongs to where q ends, or to a place nearby.
static StiStatus project_positions(const StiLinkage *linkage, const Layout *layout,
                                   const StiDriven *driven, const bool *held, const double *q_held,
                                   double *q, Memory *m, bool *factored)
{
    double best = INFINITY;
    int worst;
    *factored = false;
    for (int i = 0; i < NEWTON_STEPS; ++i) {
        sti_linkage_measure(linkage, layout, q, NULL, driven, q_held, m);
        if (held != NULL) sti_linkage_factor(layout, held, m);
        const double error = largest_error(layout, held, m, &worst);
        *factored = held != NULL || (i > 0 && best <= nearby * linkage->scale);
        if (!(error > tight * linkage->scale)) return STI_OK;
        if (!(error < 0.5 * best) && i > 2) break;
        best = fmin(best, error);
        if (held == NULL) sti_linkage_factor(layout, held, m);
        memcpy(m->lambda, m->C, (size_t)layout->count * sizeof *m->lambda);
        sti_linkage_solve(layout, m, m->lambda);
        sti_linkage_push(layout, m, m->lambda, -1.0, q);
    }
    sti_linkage_measure(linkage, layout, q, NULL, driven, q_held, m);
    return largest_error(layout, held, m, &worst) <= accepted * linkage->scale
               ? STI_OK
               : STI_CONSTRAINTS_UNMET;
}

static bool all_at_rest(const StiLinkage *linkage, const StiDriven *driven)
{
    for (int i = 0; i < linkage->driver_count; ++i)
        if (driven == NULL || driven[i].rate != 0.0) return false;
    return true;
}

// A second pass removes the rounding of the first, where that changed much. Without any freedom left and
// without a driver that moves, nothing moves, exactly: true.
bool sti_linkage_fit_velocities(const StiLinkage *linkage, const Layout *layout,
                                const StiDriven *driven, double *v, Memory *m)
{
    const int velocities = 3 * linkage->body_count;
    int rank = 0;
    for (int p = 0; p < layout->count; ++p) rank += m->dropped[p] == 0.0;
    if (rank == velocities && all_at_rest(linkage, driven)) {
        memset(v, 0, (size_t)velocities * sizeof *v);
        return true;
    }
    double speed = 0.0, error = INFINITY;
    for (int i = 0; i < velocities; ++i)
        if (fabs(v[i]) > speed) speed = fabs(v[i]);
    for (int pass = 0; pass < 2 && error > little * speed; ++pass) {
        error = 0.0;
        for (int p = 0; p < layout->count; ++p) {
            m->lambda[p] = sti_row_rate(layout, m, p, v) - sti_row_wanted(&layout->rows[p], driven);
            if (fabs(m->lambda[p]) > error) error = fabs(m->lambda[p]);
        }
        sti_linkage_solve(layout, m, m->lambda);
        sti_linkage_push(layout, m, m->lambda, -1.0, v);
    }
    return false;
}

void sti_linkage_project_velocities(const StiLinkage *linkage, const double *q,
                                    const StiDriven *driven, double *v, double *workspace)
{
    Memory m = begin(linkage, workspace);
    sti_linkage_measure(linkage, &linkage->plain, q, NULL, driven, NULL, &m);
    sti_linkage_factor(&linkage->plain, NULL, &m);
    sti_linkage_fit_velocities(linkage, &linkage->plain, driven, v, &m);
}

StiStatus sti_linkage_project(const StiLinkage *linkage, const StiDriven *driven, const bool *held,
                              const double *q_held, double *q, double *v, double *workspace)
{
    bool factored;
    const Layout *layout = held != NULL ? &linkage->lockable : &linkage->plain;
    const size_t size = (size_t)(3 * linkage->body_count) * sizeof *q;
    Memory m = begin(linkage, workspace);
    memcpy(m.spare, q, size);
    StiStatus status = project_positions(linkage, layout, driven, held, q_held, q, &m, &factored);
    if (status != STI_OK && held != NULL) { // a driver moves what stood still for a moment
        memcpy(q, m.spare, size);
        held = NULL;
        layout = &linkage->plain;
        status = project_positions(linkage, layout, driven, NULL, NULL, q, &m, &factored);
    }
    if (status != STI_OK) return status;
    if (!factored) sti_linkage_factor(layout, held, &m);
    const bool jammed = sti_linkage_fit_velocities(linkage, layout, driven, v, &m);
    if (jammed && held != NULL && q_held != NULL) memcpy(q, q_held, size);
    return STI_OK;
}
