// After the solve: penetration, and the slip that sticking has let pass, are taken back by one
// position projection with the factors at hand. Velocities stay (COUPLED 2.7, 4.6).
#include <math.h>
#include <string.h>

#include "algebra/skyline.h"
#include "solver/coupled/coupled.h"

static const double worth_it = 1e-11; // m: smaller errors wait until they have grown
static const double jump = 0.1;       // m: no error of an anchor is as large

// Rows that must not move, or move back.
typedef struct Choice {
    int count;
    int *rows;
    double *shift; // m: minus their errors
    double worst;  // m: largest error
} Choice;

static void choose(Choice *choice, int row, double error)
{
    choice->rows[choice->count] = row;
    choice->shift[choice->count++] = -error;
    if (fabs(error) > choice->worst) choice->worst = fabs(error);
}

// Closed points keep their distance; sticking ones also their place, if they have no bristle that yields.
static void choose_point(const StiNetwork *network, const ContactPoint *point, int row,
                         Choice *choice)
{
    if (point->mode == STI_BLOCK_OPEN) return;
    for (int d = 0; point->mode == STI_BLOCK_STICK && !point->elastic && d < 2; ++d)
        choose(choice, row + d,
               (d == 1 ? point->across : 1.0) * sti_vec3_dot(point->slipped, point->tangent[d]));
    choose(choice, row + 2, fmin(point->touch.gap, 0.0) + sti_coupled_overshoot(network, point));
}

static void choose_reaction(const StiNetwork *network, const StiScratch *scratch, int reaction,
                            int row, Choice *choice)
{
    const Reaction *e = &network->reactions[reaction];
    const CoupledData *data = coupled_data(scratch);
    const AnchorMemory *anchor = sti_anchor_memory(network, data, reaction, scratch->reactions->s);
    const double *x = scratch->stages[0].position + e->wire.x;
    if (!scratch->reactions->answers[reaction].stuck) return;
    const bool anchored = anchor != NULL && anchor->held != 0.0;
    for (int d = 0; d < e->size.dim; ++d) {
        const double error = anchored ? x[d] - anchor->at[d] : 0.0;
        choose(choice, row + d, fabs(error) < jump ? error : 0.0);
    }
}

// Into data->chosen and data->shift; returns how many, 0 if all is well.
static int choose_rows(const StiNetwork *network, const StiScratch *scratch)
{
    const CoupledData *data = coupled_data(scratch);
    Choice choice = {.rows = data->chosen, .shift = data->shift};
    for (int k = 0; k < data->set->node_count; ++k) {
        const int i = data->set->order[k]; // neighbours are close in it
        const RowNode *node = &data->set->nodes[i];
        const int row = data->set->block_nodes[i].row;
        if (node->type == NODE_POINT)
            choose_point(network, &scratch->contacts->points[node->index], row, &choice);
        else if (node->type == NODE_REACTION)
            choose_reaction(network, scratch, node->index, row, &choice);
        else
            for (int d = 0;
                 data->set->modes[i] == STI_BLOCK_STICK && d < data->set->block_nodes[i].dim; ++d)
                choose(&choice, row + d, 0.0);
    }
    return choice.worst > worth_it ? choice.count : 0;
}

// Where two rows of a pair of nodes meet among the chosen ones, which is before and which behind;
// false if one of them is not chosen, or they meet again the other way round.
static bool meet(const CoupledData *data, const StiBlockPair *pair, int r, int c, int *before,
                 int *behind)
{
    const int i = data->place[data->set->block_nodes[pair->a].row + r];
    const int k = data->place[data->set->block_nodes[pair->b].row + c];
    *before = i < k ? i : k;
    *behind = i < k ? k : i;
    return *before >= 0 && (pair->a != pair->b || c <= r);
}

// The envelope of W of the chosen rows; returns how many numbers it has.
static int lay_out(CoupledData *data, int count)
{
    int before, behind, size = 0;
    for (int i = 0; i < data->set->row_count; ++i) data->place[i] = -1;
    for (int i = 0; i < count; ++i) data->place[data->chosen[i]] = i;
    for (int i = 0; i < count; ++i) data->envelope_first[i] = i;
    for (const StiBlockPair *pair = data->set->pairs;
         pair < data->set->pairs + data->set->pair_count; ++pair)
        for (int r = 0; r < data->set->block_nodes[pair->a].dim; ++r)
            for (int c = 0; c < data->set->block_nodes[pair->b].dim; ++c)
                if (meet(data, pair, r, c, &before, &behind) &&
                    before < data->envelope_first[behind])
                    data->envelope_first[behind] = before;
    for (int i = 0; i < count; ++i) {
        data->envelope_start[i] = size;
        size += i - data->envelope_first[i] + 1;
    }
    return size;
}

static void write_envelope(const CoupledData *data, int size, double *A)
{
    int before, behind;
    memset(A, 0, (size_t)size * sizeof *A);
    for (const StiBlockPair *pair = data->set->pairs;
         pair < data->set->pairs + data->set->pair_count; ++pair)
        for (int r = 0; r < data->set->block_nodes[pair->a].dim; ++r)
            for (int c = 0; c < data->set->block_nodes[pair->b].dim; ++c)
                if (meet(data, pair, r, c, &before, &behind))
                    A[data->envelope_start[behind] + before - data->envelope_first[behind]] =
                        data->set->W[pair->place + r * pair->stride + c];
}

// Rows from..end - 1 that feel each other and nobody else.
typedef struct Part {
    int count;
    const int *rows, *first, *start; // first and start count from the part's beginning
    const double *A, *shift;         // m: the way that each row should go
    double *factor;
    int size;
} Part;

// The last of the parts that end before `end`.
static Part part_before(CoupledData *data, const double *A, int end)
{
    int *first = data->envelope_first, *start = data->envelope_start;
    int from = end - 1, least = first[from];
    const int stop = start[end - 1] + end - first[end - 1]; // behind its last number
    while (least < from) {
        --from;
        if (first[from] < least) least = first[from];
    }
    const int base = start[from];
    for (int i = from; i < end; ++i) {
        first[i] -= from;
        start[i] -= base;
    }
    return (Part){end - from, data->chosen + from, first + from,        start + from,
                  A + base,   data->shift + from,  data->factor + base, stop - base};
}

static bool is_worth_it(const Part *part)
{
    for (int i = 0; i < part->count; ++i)
        if (fabs(part->shift[i]) > worth_it) return true;
    return false;
}

// W + a little: rows may depend on each other, the answer then has nearly the smallest norm.
static bool factor(const Part *part)
{
    double trace = 0.0;
    for (int i = 0; i < part->count; ++i) trace += part->A[part->start[i] + i - part->first[i]];
    memcpy(part->factor, part->A, (size_t)part->size * sizeof *part->A);
    for (int i = 0; i < part->count; ++i)
        part->factor[part->start[i] + i - part->first[i]] += 1e-9 * trace / part->count;
    return trace > 0.0 &&
           sti_skyline_factor(part->count, part->first, part->start, 0.0, part->factor);
}

// The impulses that shift, into f by row; once more for what rounding and that little left.
static bool solve_part(const Part *part, double *lambda, double *left, double *f)
{
    const size_t bytes = (size_t)part->count * sizeof *lambda;
    if (!is_worth_it(part) || !factor(part)) return false;
    memcpy(lambda, part->shift, bytes);
    memcpy(left, part->shift, bytes);
    sti_skyline_solve(part->count, part->first, part->start, part->factor, lambda);
    sti_skyline_take_off(part->count, part->first, part->start, part->A, lambda, left);
    sti_skyline_solve(part->count, part->first, part->start, part->factor, left);
    for (int i = 0; i < part->count; ++i) f[part->rows[i]] = lambda[i] + left[i];
    return true;
}

// Part by part, so that what does not touch does not feel each other here either.
static bool solve(CoupledData *data, int count)
{
    double *A = data->set->W_fixed, *lambda = data->set->c,
           *left = data->set->c_size; // no longer needed otherwise
    const int size = lay_out(data, count);
    bool any = false;
    write_envelope(data, size, A);
    memset(data->set->f, 0, (size_t)data->set->row_count * sizeof *data->set->f);
    for (int end = count; end > 0;) {
        const Part part = part_before(data, A, end);
        any = solve_part(&part, lambda, left, data->set->f) || any;
        end -= part.count;
    }
    return any;
}

// The same by bodies, where there is no W.
static bool shift(CoupledData *data, int count)
{
    double *by_row = data->set->c; // no longer needed otherwise
    memset(by_row, 0, (size_t)data->set->row_count * sizeof *by_row);
    for (int i = 0; i < count; ++i) by_row[data->chosen[i]] = data->shift[i];
    return sti_rows_shift(data->set, by_row, worth_it);
}

static void shift_robot(const StiNetwork *network, StiScratch *scratch, RobotPart *part)
{
    const CoupledData *data = coupled_data(scratch);
    const Admittance *a = &network->admittances[part->admittance];
    double *dq = scratch->reactions->response.dv + a->generalized;
    sti_push_forces(data->set, part);
    sti_trial_respond(&part->trial, part->f, dq);
    for (int k = 0; k < a->dim; ++k) dq[k] *= network->step;
    a->kind->move(a->parameters, dq, 1.0, scratch->next + a->q);
}

void sti_coupled_project(const StiNetwork *network, StiScratch *scratch)
{
    CoupledData *data = coupled_data(scratch);
    const int count = choose_rows(network, scratch);
    const bool moves = count > 0 && (data->set->by_sides ? shift(data, count) : solve(data, count));
    if (!moves) return;
    sti_rows_respond(network, data->set, &scratch->reactions->response);
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (a->size.velocities == 0) continue;
        if (data->set->robot_of[i] >= 0) {
            shift_robot(network, scratch, &data->set->robots[data->set->robot_of[i]]);
            continue;
        }
        double *dq = scratch->reactions->response.dv + a->generalized;
        for (int k = 0; k < a->size.velocities; ++k) dq[k] *= network->step;
        a->kind->move(a->parameters, dq, 1.0, scratch->next + a->q);
    }
}
