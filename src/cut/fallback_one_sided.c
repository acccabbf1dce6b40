// Springs that push and never pull, in a step that is not cut further: their own function at the end of the step.
#include <math.h>
#include <string.h>

#include "cut/fallback.h"

enum { HALVINGS = 100, WIDEST = 24 };

// The resistance of one axis at the end of the step, if the wire moves with v until then.
static StiStatus force_ahead(const Sweep *w, const Impedance *e, const double *v, double *f)
{
    const StageData *now = &w->scratch->stages[0];
    const int width = e->wire.size.velocities;
    double x[WIDEST];
    StiStage stage = now->stage;
    stage.tau = w->h;
    for (int d = 0; d < width; ++d) x[d] = now->position[e->wire.x + d] + w->h * v[d];
    const StiMotion xhat = {.x = x, .v = v, .signals = now->ports + e->port};
    return e->kind->eval(e->parameters, &stage, &xhat, now->y + e->y, w->data->s + e->s, f,
                         w->data->close.ydot + e->y);
}

// f(v) - f along v = bar - h W (f - phi), which falls with f: halved until nothing changes.
StiStatus sti_fallback_sweep_one_sided(Sweep *w, int first)
{
    SubstepData *data = w->data;
    const Impedance *e = &w->network->impedances[data->rows[first].element];
    const int width = e->wire.size.velocities;
    for (int d = 0; d < width; ++d) {
        const double W = w->h * data->W[(first + d) * w->rows + first + d];
        double v[WIDEST], f[WIDEST], low, high;
        memcpy(v, data->bar + first, (size_t)width * sizeof *v);
        if (!(W > 0.0)) continue;
        StiStatus status = force_ahead(w, e, v, f); // v and f lie on either side of the solution
        low = fmin(f[d], data->phi[first + d]);
        high = fmax(f[d], data->phi[first + d]);
        for (int i = 0; status == STI_OK && i < HALVINGS && low < high; ++i) {
            const double middle = 0.5 * (low + high);
            if (!(middle > low) || !(middle < high)) break;
            v[d] = data->bar[first + d] - W * (middle - data->phi[first + d]);
            status = force_ahead(w, e, v, f);
            if (f[d] > middle)
                low = middle;
            else
                high = middle;
        }
        if (status != STI_OK)
            return sti_fault(w->scratch, status, e->name, "force", &w->scratch->stages[0].stage);
        sti_fallback_change_force(w, first + d, 0.5 * (low + high) - data->phi[first + d]);
    }
    return STI_OK;
}

bool sti_fallback_is_pressed(const Sweep *w, int r, double *compliance, double *carried)
{
    const SubstepRow *row = &w->data->rows[r];
    const Impedance *e = &w->network->impedances[row->element];
    const int width = e->wire.size.velocities, first = r - row->axis;
    double v[WIDEST], f[WIDEST], ahead[WIDEST];
    memcpy(v, w->data->bar + first, (size_t)width * sizeof *v);
    const double own = w->h * w->data->W[r * w->rows + r] * fabs(w->data->phi[r]);
    const double dv = 1e-6 * fmax(fabs(v[row->axis]), own);
    if (!(dv > 0.0) || force_ahead(w, e, v, f) != STI_OK) return false;
    v[row->axis] += dv;
    if (force_ahead(w, e, v, ahead) != STI_OK) return false;
    const double Z = (ahead[row->axis] - f[row->axis]) / dv;
    if (!(Z * w->h * w->data->W[r * w->rows + r] > 1e-3)) return false;
    *compliance = 1.0 / Z;
    *carried = f[row->axis] / Z - w->data->bar[r];
    return true;
}
