// Rows by bodies, in coordinates in which the inertia of each body is 1: the cone solver then works with
// the velocities of bodies, and W is not needed.
#include <math.h>
#include <string.h>

#include "rows/rows.h"

enum { SIX = STI_BLOCK_BODY };

static void write_wrench(StiWrench wrench, double *x)
{
    x[0] = wrench.force.x, x[1] = wrench.force.y, x[2] = wrench.force.z;
    x[3] = wrench.moment.x, x[4] = wrench.moment.y, x[5] = wrench.moment.z;
}

// Velocities of the body's only link per unit wrench.
static void response_of_link(const StiNetwork *network, const RowSet *set, const Response *response,
                             int body, double R[SIX][SIX])
{
    const Admittance *a = &network->admittances[body];
    for (int k = 0; k < SIX; ++k) {
        const double unit[SIX] = {k == 0, k == 1, k == 2, k == 3, k == 4, k == 5};
        StiFrame *frame = &response->frames[a->link];
        memset(response->force + a->generalized, 0, (size_t)a->dim * sizeof *response->force);
        response->wrenches[a->link] = (StiWrench){.force = {unit[0], unit[1], unit[2]},
                                                  .moment = {unit[3], unit[4], unit[5]}};
        if (a->kind->link_response != NULL) {
            a->kind->link_response(a->parameters, response->prepared + a->prepared,
                                   &response->wrenches[a->link], frame);
        } else {
            sti_response_of(network, set->at, response, body);
            a->kind->pose(a->parameters, set->at->x + a->q, response->dv + a->generalized,
                          set->at->ports + a->port, frame);
        }
        R[0][k] = frame->v.x, R[1][k] = frame->v.y, R[2][k] = frame->v.z;
        R[3][k] = frame->w.x, R[4][k] = frame->w.y, R[5][k] = frame->w.z;
    }
}

// R = S S^T, S lower triangular; directions in which the body cannot move have columns of 0.
static void take_root(double R[SIX][SIX], double S[SIX][SIX])
{
    memset(S, 0, SIX * sizeof *S);
    for (int j = 0; j < SIX; ++j) {
        double pivot = R[j][j];
        for (int k = 0; k < j; ++k) pivot -= S[j][k] * S[j][k];
        if (!(pivot > 1e-14 * R[j][j])) continue;
        S[j][j] = sqrt(pivot);
        for (int i = j + 1; i < SIX; ++i) {
            double sum = R[i][j];
            for (int k = 0; k < j; ++k) sum -= S[i][k] * S[j][k];
            S[i][j] = sum / S[j][j];
        }
    }
}

static void write_sides_of(RowSet *set, int body, int number, double S[SIX][SIX])
{
    const double root = sqrt(set->T);
    for (int n = set->node_first[body]; n < set->node_first[body + 1]; ++n) {
        const StiBlockNode *node = &set->block_nodes[set->nodes_by_body[n]];
        for (int r = node->row; r < node->row + node->dim; ++r)
            for (int k = 0; k < 2; ++k) {
                const RowSide *from = &set->rows[r].sides[k];
                if (from->admittance != body) continue;
                StiBlockSide *side = &set->sides[2 * r + k];
                double wrench[SIX];
                write_wrench(from->wrench, wrench);
                side->body = number;
                for (int j = 0; j < SIX; ++j) {
                    double sum = 0.0;
                    for (int i = j; i < SIX; ++i) sum += S[i][j] * wrench[i];
                    side->J[j] = root * sum;
                }
            }
    }
}

// The squares that W of a row alone is the sum of.
static void write_sizes(RowSet *set)
{
    for (int r = 0; r < set->row_count; ++r) {
        double sum = 0.0;
        for (int k = 0; k < 2; ++k) {
            const StiBlockSide *side = &set->sides[2 * r + k];
            for (int d = 0; side->body >= 0 && d < SIX; ++d) sum += side->J[d] * side->J[d];
        }
        set->W_size[r] = sum;
    }
}

void sti_rows_sides(const StiNetwork *network, RowSet *set, const Response *response)
{
    int number = 0;
    for (int r = 0; r < 2 * set->row_count; ++r) set->sides[r].body = -1;
    for (int i = 0; i < network->admittance_count; ++i) {
        double R[SIX][SIX], S[SIX][SIX];
        if (!set->responds[i] || set->node_first[i + 1] == set->node_first[i]) continue;
        response_of_link(network, set, response, i, R);
        take_root(R, S);
        write_sides_of(set, i, number++, S);
    }
    set->body_count = number;
    write_sizes(set);
}
