// W = T J H^-1 J^T and c: the part of all bodies but robots once per step, that of robots with every
// trial.
#include <math.h>
#include <string.h>

#include "step/coupled.h"

// Its own part of W: a square.
static double *square_of(const CoupledData *data, int node)
{
    return data->W + sti_pair_own(data, node)->place;
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
    if (!data->only_robots) {
        memset(data->W_fixed, 0, (size_t)data->W_count * sizeof *data->W_fixed);
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
    const size_t rows = (size_t)data->row_count, numbers = (size_t)data->W_count;
    memcpy(data->c, data->c_fixed, rows * sizeof *data->c);
    memcpy(data->c_size, data->c_size_fixed, rows * sizeof *data->c_size);
    memset(data->W_size, 0, rows * sizeof *data->W_size);
    if (data->only_robots) {
        memset(data->W, 0, numbers * sizeof *data->W);
        return;
    }
    memcpy(data->W, data->W_fixed, numbers * sizeof *data->W);
    for (int i = 0; i < data->node_count; ++i) {
        const StiBlockNode *node = &data->block_nodes[i];
        for (int d = 0; d < node->dim; ++d)
            data->W_size[node->row + d] = square_of(data, i)[d * node->dim + d];
    }
}

static void add_c(double T, const RobotPart *part, CoupledData *data, int a, int row)
{
    const double c = T * ((const double *)part->c)[a];
    data->c[row] += c;
    data->c_size[row] += fabs(c);
    data->W_size[row] += T * ((const double *)part->trial.W_size)[a];
}

// Pushes of one node that stand together.
typedef struct PushGroup {
    int node, first, last; // last excluded; node -1: they only fill up a pair
} PushGroup;

static PushGroup group_from(const CoupledData *data, const RobotPart *part, int first)
{
    const int count = 2 * part->trial.pair_count, row = part->pushes[first].row;
    if (row < 0) return (PushGroup){-1, first, first + 1};
    const int node = data->node_of_row[row];
    const int end = data->block_nodes[node].row + data->block_nodes[node].dim;
    int last = first + 1;
    while (last < count && part->pushes[last].row == part->pushes[last - 1].row + 1 &&
           part->pushes[last].row < end)
        ++last;
    return (PushGroup){node, first, last};
}

// Into the square of the node on both sides of its diagonal; a row that pushes on the robot from both
// its sides meets itself twice.
static void add_square(double T, CoupledData *data, const RobotPart *part, PushGroup A, PushGroup B)
{
    const size_t m = 2 * (size_t)part->trial.pair_count;
    const int dim = data->block_nodes[A.node].dim, row = data->block_nodes[A.node].row;
    double *square = square_of(data, A.node);
    for (int a = A.first; a < A.last; ++a)
        for (int b = B.first; b < B.last && b <= a; ++b) {
            const double felt = T * ((const double *)part->W)[(size_t)a * m + (size_t)b];
            const int r = part->pushes[a].row - row, c = part->pushes[b].row - row;
            square[r * dim + c] += felt;
            if (a != b) square[c * dim + r] += felt;
        }
}

static void add_groups(double T, CoupledData *data, const RobotPart *part, PushGroup A, PushGroup B)
{
    const size_t m = 2 * (size_t)part->trial.pair_count;
    const bool turned = A.node < B.node; // pairs have the later node first
    const StiBlockPair *pair =
        turned ? sti_pair_find(data, B.node, A.node) : sti_pair_find(data, A.node, B.node);
    const int along_a = turned ? 1 : pair->stride, along_b = turned ? pair->stride : 1;
    double *W = data->W + pair->place +
                (part->pushes[A.first].row - data->block_nodes[A.node].row) * along_a +
                (part->pushes[B.first].row - data->block_nodes[B.node].row) * along_b;
    for (int a = A.first; a < A.last; ++a, W += along_a)
        for (int b = B.first; b < B.last; ++b)
            W[(b - B.first) * along_b] += T * ((const double *)part->W)[(size_t)a * m + (size_t)b];
}

static void add_robot(double T, CoupledData *data, const RobotPart *part)
{
    const int count = 2 * part->trial.pair_count;
    PushGroup A, B;
    for (int a = 0; a < count; ++a)
        if (part->pushes[a].row >= 0) add_c(T, part, data, a, part->pushes[a].row);
    for (int a = 0; a < count; a = A.last) {
        A = group_from(data, part, a);
        for (int b = 0; A.node >= 0 && b <= a; b = B.last) {
            B = group_from(data, part, b);
            if (B.node == A.node)
                add_square(T, data, part, A, B);
            else if (B.node >= 0)
                add_groups(T, data, part, A, B);
        }
    }
}

// What a trial leaves is W itself, where one robot has all the rows.
static void take_in_place(double T, CoupledData *data, const RobotPart *part)
{
    const int m = 2 * part->trial.pair_count, twins = m * part->trial.pair_count;
    const double *c = (const double *)part->c, *W_size = (const double *)part->trial.W_size;
    StiTwin *W = part->W;
    for (int a = 0; a < data->row_count; ++a) {
        const double from_robot = T * c[a];
        data->c[a] = data->c_fixed[a] + from_robot;
        data->c_size[a] = data->c_size_fixed[a] + fabs(from_robot);
        data->W_size[a] = T * W_size[a];
    }
    for (int a = 0; a < twins; ++a) W[a] *= T;
    for (int i = 0; i < data->node_count; ++i) { // the squares to the last bit
        const int dim = data->block_nodes[i].dim;
        double *square = square_of(data, i);
        for (int a = 1; a < dim; ++a)
            for (int b = 0; b < a; ++b) square[b * m + a] = square[a * m + b];
    }
}

StiStatus sti_coupled_robots(const StiNetwork *network, StiScratch *scratch)
{
    CoupledData *data = coupled_data(scratch);
    const StageData *now = &scratch->stages[0];
    if (!data->in_place) start_from_fixed(data);
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
        if (data->in_place && part->row_count > 0)
            take_in_place(network->step, data, part);
        else
            add_robot(network->step, data, part);
    }
    return STI_OK;
}
