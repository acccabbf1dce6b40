// W and c with the part of the robots, whose recursion gives both in one pass to the root; and what
// their axes end with.
#include <math.h>
#include <string.h>

#include "rows/rows.h"

void sti_rows_place_robots(const StiNetwork *network, RowSet *set, StiFrame *frames)
{
    for (int i = 0; i < set->robot_count; ++i) {
        RobotPart *part = &set->robots[i];
        const Admittance *a = &network->admittances[part->admittance];
        const RobotMemory memory = sti_robot_memory(a->robot, part->placed);
        sti_robot_place(a->robot, set->at->x + a->q, memory.spots, memory.axes);
    }
    sti_rows_pose_robots(network, set, frames);
}

void sti_rows_pose_robots(const StiNetwork *network, const RowSet *set, StiFrame *frames)
{
    for (int i = 0; i < set->robot_count; ++i) {
        const RobotPart *part = &set->robots[i];
        const Admittance *a = &network->admittances[part->admittance];
        const RobotMemory memory = sti_robot_memory(a->robot, part->placed);
        if (a->posed && frames != NULL)
            sti_robot_frames_at(a->robot, set->at->x + a->v, memory.spots, memory.axes,
                                frames + a->link);
    }
}

void sti_rows_load_robots(const StiNetwork *network, RowSet *set)
{
    for (int i = 0; i < set->robot_count; ++i) {
        RobotPart *part = &set->robots[i];
        const Admittance *a = &network->admittances[part->admittance];
        sti_robot_apply_biased(a->robot, network->gravity, set->at->x + a->v, part->trial.spots,
                               part->trial.axes, set->at->wrenches + a->link, part->applied,
                               set->bias + a->link);
    }
}

void sti_rows_unload_robots(RowSet *set)
{
    for (int i = 0; i < set->robot_count; ++i)
        memset(set->robots[i].applied, 0,
               (size_t)set->robots[i].trial.robot->count * sizeof *set->robots[i].applied);
}

// Its own part of W: a square.
static double *square_of(const RowSet *set, int node)
{
    return set->W + sti_pair_own(set, node)->place;
}

void sti_rows_take_fixed_W(RowSet *set)
{
    const size_t rows = (size_t)set->row_count, numbers = (size_t)set->W_count;
    memset(set->W_size, 0, rows * sizeof *set->W_size);
    if (set->only_robots) {
        memset(set->W, 0, numbers * sizeof *set->W);
        return;
    }
    memcpy(set->W, set->W_fixed, numbers * sizeof *set->W);
    for (int i = 0; i < set->node_count; ++i) {
        const StiBlockNode *node = &set->block_nodes[i];
        for (int d = 0; d < node->dim; ++d)
            set->W_size[node->row + d] = square_of(set, i)[d * node->dim + d];
    }
}

// W, c and their sizes as they are without robots.
static void start_from_fixed(RowSet *set)
{
    const size_t rows = (size_t)set->row_count;
    memcpy(set->c, set->c_fixed, rows * sizeof *set->c);
    memcpy(set->c_size, set->c_size_fixed, rows * sizeof *set->c_size);
    if (!set->by_sides) sti_rows_take_fixed_W(set);
}

static void add_c(double T, const RobotPart *part, RowSet *set, int a, int row)
{
    const double c = T * ((const double *)part->c)[a];
    set->c[row] += c;
    set->c_size[row] += fabs(c);
    set->W_size[row] += T * ((const double *)part->trial.W_size)[a];
}

// Pushes of one node that stand together.
typedef struct PushGroup {
    int node, first, last; // last excluded; node -1: they only fill up a pair
} PushGroup;

static PushGroup group_from(const RowSet *set, const RobotPart *part, int first)
{
    const int count = 2 * part->trial.pair_count, row = part->pushes[first].row;
    if (row < 0) return (PushGroup){-1, first, first + 1};
    const int node = set->node_of_row[row];
    const int end = set->block_nodes[node].row + set->block_nodes[node].dim;
    int last = first + 1;
    while (last < count && part->pushes[last].row == part->pushes[last - 1].row + 1 &&
           part->pushes[last].row < end)
        ++last;
    return (PushGroup){node, first, last};
}

// Into the square of the node on both sides of its diagonal; a row that pushes on the robot from both
// its sides meets itself twice.
static void add_square(double T, RowSet *set, const RobotPart *part, PushGroup A, PushGroup B)
{
    const size_t m = 2 * (size_t)part->trial.pair_count;
    const int dim = set->block_nodes[A.node].dim, row = set->block_nodes[A.node].row;
    double *square = square_of(set, A.node);
    for (int a = A.first; a < A.last; ++a)
        for (int b = B.first; b < B.last && b <= a; ++b) {
            const double felt = T * ((const double *)part->W)[(size_t)a * m + (size_t)b];
            const int r = part->pushes[a].row - row, c = part->pushes[b].row - row;
            square[r * dim + c] += felt;
            if (a != b) square[c * dim + r] += felt;
        }
}

static void add_groups(double T, RowSet *set, const RobotPart *part, PushGroup A, PushGroup B)
{
    const size_t m = 2 * (size_t)part->trial.pair_count;
    const bool turned = A.node < B.node; // pairs have the later node first
    const StiBlockPair *pair =
        turned ? sti_pair_find(set, B.node, A.node) : sti_pair_find(set, A.node, B.node);
    const int along_a = turned ? 1 : pair->stride, along_b = turned ? pair->stride : 1;
    double *W = set->W + pair->place +
                (part->pushes[A.first].row - set->block_nodes[A.node].row) * along_a +
                (part->pushes[B.first].row - set->block_nodes[B.node].row) * along_b;
    for (int a = A.first; a < A.last; ++a, W += along_a)
        for (int b = B.first; b < B.last; ++b)
            W[(b - B.first) * along_b] += T * ((const double *)part->W)[(size_t)a * m + (size_t)b];
}

static void add_robot(double T, RowSet *set, const RobotPart *part)
{
    const int count = 2 * part->trial.pair_count;
    PushGroup A, B;
    for (int a = 0; a < count; ++a)
        if (part->pushes[a].row >= 0) add_c(T, part, set, a, part->pushes[a].row);
    for (int a = 0; a < count; a = A.last) {
        A = group_from(set, part, a);
        for (int b = 0; A.node >= 0 && b <= a; b = B.last) {
            B = group_from(set, part, b);
            if (B.node == A.node)
                add_square(T, set, part, A, B);
            else if (B.node >= 0)
                add_groups(T, set, part, A, B);
        }
    }
}

// What a trial leaves is W itself, where one robot has all the rows.
static void take_in_place(double T, RowSet *set, const RobotPart *part)
{
    const int m = 2 * part->trial.pair_count, twins = m * part->trial.pair_count;
    const double *c = (const double *)part->c, *W_size = (const double *)part->trial.W_size;
    StiDouble2 *W = part->W;
    const bool scaled = set->robots_weighed;
    for (int a = 0; a < set->row_count; ++a) {
        const double from_robot = T * c[a];
        set->c[a] = set->c_fixed[a] + from_robot;
        set->c_size[a] = set->c_size_fixed[a] + fabs(from_robot);
        set->W_size[a] = T * W_size[a];
    }
    for (int a = 0; !scaled && a < twins; ++a) W[a] *= T;
    for (int i = 0; !scaled && i < set->node_count; ++i) { // the squares to the last bit
        const int dim = set->block_nodes[i].dim;
        double *square = square_of(set, i);
        for (int a = 1; a < dim; ++a)
            for (int b = 0; b < a; ++b) square[b * m + a] = square[a * m + b];
    }
}

int sti_rows_robots(const StiNetwork *network, RowSet *set, const double *v, const double *tau,
                    int *steep)
{
    if (!set->in_place) start_from_fixed(set);
    for (int i = 0; i < set->robot_count; ++i) {
        RobotPart *part = &set->robots[i];
        const Admittance *a = &network->admittances[part->admittance];
        part->trial.T = set->T;
        part->trial.v = v != NULL ? v + a->v : set->still;
        part->trial.tau = tau != NULL ? tau + a->generalized : set->still;
        part->trial.friction = set->friction + a->generalized;
        if (set->robots_weighed)
            sti_trial_reload(&part->trial, part->c);
        else if (sti_trial_inward(&part->trial, part->W, part->c) >= 0)
            return part->admittance;
        *steep += part->trial.steep;
        if (set->in_place && part->row_count > 0)
            take_in_place(set->T, set, part);
        else
            add_robot(set->T, set, part);
    }
    return -1;
}

void sti_rows_end_robots(const StiNetwork *network, RowSet *set)
{
    for (int r = 0; r < set->robot_count; ++r) {
        RobotPart *part = &set->robots[r];
        sti_push_forces(set, part);
        sti_trial_outward(&part->trial, part->f,
                          set->ends + network->admittances[part->admittance].generalized);
    }
}
