// W = T J H^-1 J^T and c: the part of all bodies but robots once per step, that of robots with every
// trial.
#include <math.h>
#include <string.h>

#include "step/coupled.h"

static double *entry(const CoupledData *data, double *W, int row, int column)
{
    return W + (size_t)row * (size_t)data->row_count + (size_t)column;
}

// c of the three rows of a point, which are the first of all.
static void point_velocity(const StiNetwork *network, StiScratch *scratch, int index)
{
    CoupledData *data = coupled_data(scratch);
    const ContactPoint *point = &scratch->contacts.points[index];
    double *c = data->c_fixed + 3 * index, *c_size = data->c_size_fixed + 3 * index, size = 0.0;
    StiVec3 v = {0.0, 0.0, 0.0};
    for (int side = 0; side < 2; ++side) {
        if (point->frame[side] < 0) continue;
        const StiFrame *frame =
            sti_link_at(scratch, &scratch->end, point->admittance[side], point->frame[side]);
        const StiVec3 arm = point->arm[side];
        v = sti_vec3_add_scaled(v, side == 0 ? 1.0 : -1.0, sti_frame_velocity_at(frame, arm));
        size += sti_vec3_norm(frame->v) + sti_vec3_norm(frame->w) * sti_vec3_norm(arm);
    }
    c[0] = sti_vec3_dot(v, point->tangent[0]);
    c[1] = sti_vec3_dot(v, point->tangent[1]);
    c[2] = sti_vec3_dot(v, point->touch.normal);
    c_size[0] = c_size[1] = c_size[2] = size;
    const double bounce = data->bounce[3 * index + 2];
    c[2] += bounce != 0.0 ? -bounce : point->open / network->step;
}

void sti_coupled_fixed(const StiNetwork *network, StiScratch *scratch)
{
    CoupledData *data = coupled_data(scratch);
    const size_t rows = (size_t)data->row_count;
    if (!data->only_robots) {
        memset(data->W_fixed, 0, rows * rows * sizeof *data->W_fixed);
        sti_coupled_bodies(network, scratch);
    }
    for (int i = 0; i < scratch->contacts.point_count; ++i) point_velocity(network, scratch, i);
    for (int i = 3 * scratch->contacts.point_count; i < data->row_count; ++i)
        data->c_fixed[i] = sti_row_velocity(network, scratch, &data->rows[i], &scratch->end,
                                            &data->c_size_fixed[i]);
}

// W, c and their sizes as they are without robots.
static void start_from_fixed(CoupledData *data)
{
    const size_t rows = (size_t)data->row_count;
    memcpy(data->c, data->c_fixed, rows * sizeof *data->c);
    memcpy(data->c_size, data->c_size_fixed, rows * sizeof *data->c_size);
    if (data->only_robots) {
        memset(data->W, 0, rows * rows * sizeof *data->W);
        memset(data->W_size, 0, rows * sizeof *data->W_size);
        return;
    }
    memcpy(data->W, data->W_fixed, rows * rows * sizeof *data->W);
    for (int i = 0; i < data->row_count; ++i) data->W_size[i] = *entry(data, data->W, i, i);
}

static void add_c(double T, const RobotPart *part, CoupledData *data, int a, int row)
{
    const double c = T * ((const double *)part->c)[a];
    data->c[row] += c;
    data->c_size[row] += fabs(c);
    data->W_size[row] += T * ((const double *)part->trial.W_size)[a];
}

static void add_robot(const StiNetwork *network, CoupledData *data, const RobotPart *part)
{
    const int m = 2 * part->trial.pair_count;
    const double T = network->step, *W = (const double *)part->W;
    for (int a = 0; a < m; ++a) {
        const int row = part->pushes[a].row;
        if (row < 0) continue;
        const double *from = W + (size_t)a * (size_t)m;
        double *line = entry(data, data->W, row, 0);
        add_c(T, part, data, a, row);
        line[row] += T * from[a];
        for (int b = 0; b < a; ++b) {
            const int column = part->pushes[b].row;
            if (column < 0) continue;
            if (row > column)
                line[column] += T * from[b];
            else if (row < column)
                *entry(data, data->W, column, row) += T * from[b];
            else // both sides of a row on one robot: the two products of the square
                line[row] += 2.0 * T * from[b];
        }
    }
}

// The same where the rows follow each other like the pushes; beside the diagonal it writes a little
// more than the lower triangle.
static void add_robot_in_order(double T, CoupledData *data, const RobotPart *part)
{
    const int pairs = part->trial.pair_count, first = part->first_row, stride = data->row_count;
    const StiTwin *from = part->W;
    double *restrict line = entry(data, data->W, first, first);
    for (int a = 0; a < pairs; ++a, from += 2 * pairs, line += 2 * stride)
        for (int b = 0; b <= a; ++b) {
            const StiTwin upper = T * from[b], lower = T * from[b + pairs];
            line[2 * b] += upper[0];
            line[2 * b + 1] += upper[1];
            line[2 * b + stride] += lower[0];
            line[2 * b + stride + 1] += lower[1];
        }
    for (int a = 0; a < 2 * pairs; ++a) add_c(T, part, data, a, first + a);
}

// The block wants the diagonal blocks complete.
static void mirror(CoupledData *data)
{
    for (int i = 0; i < data->node_count; ++i) {
        const int first = data->block_nodes[i].row, dim = data->block_nodes[i].dim;
        double *corner = entry(data, data->W, first, first);
        for (int a = 1; a < dim; ++a)
            for (int b = 0; b < a; ++b)
                corner[b * data->row_count + a] = corner[a * data->row_count + b];
    }
}

StiStatus sti_coupled_robots(const StiNetwork *network, StiScratch *scratch)
{
    CoupledData *data = coupled_data(scratch);
    const StageData *now = &scratch->stages[0];
    start_from_fixed(data);
    for (int i = 0; i < data->robot_count; ++i) {
        RobotPart *part = &data->robots[i];
        const Admittance *a = &network->admittances[part->admittance];
        part->trial.T = network->step;
        part->trial.v = now->x + a->v;
        part->trial.tau = now->generalized + a->generalized;
        part->trial.friction = data->friction + a->generalized;
        if (sti_trial_inward(&part->trial, part->W, part->c) >= 0)
            return sti_fault(scratch, STI_BAD_ARGUMENT, a->name, "inertia", &now->stage);
        scratch->figures.steep += part->trial.steep;
        if (part->first_row >= 0)
            add_robot_in_order(network->step, data, part);
        else
            add_robot(network, data, part);
    }
    mirror(data);
    return STI_OK;
}
