// Columns of implicit rows where contacts are closed. Under fixed modes accelerations are affine in the resistances
// of all elements, so a column is the difference that a unit of one makes.
#include <string.h>

#include "cut/substep.h"
#include "evaluate/touches.h"
#include "rows/rates.h"

static void read_accelerations(const StiNetwork *network, const StageData *now, double *a)
{
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *body = &network->admittances[i];
        memcpy(a + body->generalized, now->xdot + body->v,
               (size_t)body->size.velocities * sizeof *a);
    }
}

// What the rows feel of a column.
static void fill_W(const StiNetwork *network, StiScratch *scratch, const StageData *now, int row)
{
    SubstepData *data = scratch->substep;
    const Response *response = &scratch->reactions->response;
    const int rows = data->elastic + data->planar, all = network->generalized_count;
    double rates[24];
    memcpy(response->dv, data->columns + row * all, (size_t)all * sizeof(double));
    sti_rates_pose(network, now, false, response);
    for (int r = 0; r < rows; r += data->rows[r].wire->size.velocities) {
        sti_rates_sense(network, scratch, now, data->rows[r].wire, rates);
        for (int d = 0; d < data->rows[r].wire->size.velocities; ++d)
            data->W[(r + d) * rows + row] = -rates[d];
    }
    data->W_free[row] = data->W[row * rows + row];
}

StiStatus sti_implicit_columns_in_contact(const StiNetwork *network, StiScratch *scratch)
{
    SubstepData *data = scratch->substep;
    const StageData *now = &scratch->stages[0];
    StageData *probe = &data->probe;
    const int rows = data->elastic + data->planar, all = network->generalized_count;
    memcpy(probe->x, now->x, (size_t)(network->x_count + network->y_count) * sizeof *probe->x);
    sti_stage_repeat(network, now, probe);
    probe->stage = now->stage;
    data->probed = true;
    StiStatus status = sti_modes_accelerate(network, NULL, data->s, scratch, false, probe);
    read_accelerations(network, probe, data->vbar);
    for (int row = 0; status == STI_OK && row < rows; ++row) {
        double *u = probe->u + data->rows[row].wire->v + data->rows[row].axis;
        double *column = data->columns + row * all;
        const double before = *u;
        *u += 1.0;
        status = sti_modes_accelerate(network, NULL, data->s, scratch, true, probe);
        read_accelerations(network, probe, column);
        *u = before;
        for (int i = 0; i < all; ++i) column[i] -= data->vbar[i];
    }
    for (int row = 0; status == STI_OK && row < rows; ++row) fill_W(network, scratch, probe, row);
    return status;
}
