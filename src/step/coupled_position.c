// After the solve: penetration, and the slip that sticking has let pass, are taken back by one
// position projection with the factors at hand. Velocities stay (COUPLED 2.7, 4.6).
#include <math.h>
#include <string.h>

#include "algebra/cholesky.h"
#include "step/coupled.h"

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

// Closed points keep their distance; sticking ones also their place.
static void choose_point(const ContactPoint *point, int row, Choice *choice)
{
    if (point->mode == STI_BLOCK_OPEN) return;
    for (int d = 0; point->mode == STI_BLOCK_STICK && d < 2; ++d)
        choose(choice, row + d, sti_vec3_dot(point->slipped, point->tangent[d]));
    choose(choice, row + 2, point->touch.gap < 0.0 ? point->touch.gap : 0.0);
}

static void choose_reaction(const StiNetwork *network, const StiScratch *scratch, int reaction,
                            int row, Choice *choice)
{
    const Reaction *e = &network->reactions[reaction];
    const CoupledData *data = coupled_data(scratch);
    const AnchorMemory *anchor = sti_anchor_memory(network, data, reaction, scratch->reactions.s);
    const double *x = scratch->stages[0].position + e->wire.x;
    if (!scratch->reactions.answers[reaction].stuck) return;
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
    for (int i = 0; i < data->node_count; ++i) {
        const Node *node = &data->nodes[i];
        const int row = data->block_nodes[i].row;
        if (node->type == NODE_POINT)
            choose_point(&scratch->contacts.points[node->index], row, &choice);
        else if (node->type == NODE_REACTION)
            choose_reaction(network, scratch, node->index, row, &choice);
        else if (data->modes[i] == STI_BLOCK_STICK)
            choose(&choice, row, 0.0);
    }
    return choice.worst > worth_it ? choice.count : 0;
}

static double inertia_of(const CoupledData *data, int a, int b)
{
    const int i = data->chosen[a], k = data->chosen[b];
    return data->W[(size_t)(i > k ? i : k) * (size_t)data->row_count + (size_t)(i > k ? k : i)];
}

// W + a little: rows may depend on each other, the answer then has nearly the smallest norm.
static bool factor(CoupledData *data, int count)
{
    const size_t n = (size_t)count;
    double trace = 0.0;
    for (int i = 0; i < count; ++i) trace += inertia_of(data, i, i);
    for (int i = 0; i < count; ++i)
        for (int k = 0; k <= i; ++k)
            data->factor[(size_t)i * n + (size_t)k] =
                inertia_of(data, i, k) + (i == k ? 1e-9 * trace / count : 0.0);
    return trace > 0.0 && sti_cholesky_factor(count, data->factor);
}

// The impulses that shift, into data->f by row.
static bool solve(CoupledData *data, int count)
{
    double *lambda = data->c, *left = data->c_size; // no longer needed in this step
    if (!factor(data, count)) return false;
    memcpy(lambda, data->shift, (size_t)count * sizeof *lambda);
    sti_cholesky_solve(count, data->factor, lambda);
    for (int i = 0; i < count; ++i) {
        left[i] = data->shift[i];
        for (int k = 0; k < count; ++k) left[i] -= inertia_of(data, i, k) * lambda[k];
    }
    sti_cholesky_solve(count, data->factor, left);
    memset(data->f, 0, (size_t)data->row_count * sizeof *data->f);
    for (int i = 0; i < count; ++i) data->f[data->chosen[i]] = lambda[i] + left[i];
    return true;
}

static void shift_robot(const StiNetwork *network, StiScratch *scratch, RobotPart *part)
{
    const CoupledData *data = coupled_data(scratch);
    const Admittance *a = &network->admittances[part->admittance];
    double *dq = scratch->reactions.response.dv + a->generalized;
    sti_push_forces(data, part);
    sti_trial_respond(&part->trial, part->f, dq);
    for (int k = 0; k < a->dim; ++k) dq[k] *= network->step;
    a->kind->move(a->parameters, dq, 1.0, scratch->next + a->q);
}

void sti_coupled_project(const StiNetwork *network, StiScratch *scratch)
{
    CoupledData *data = coupled_data(scratch);
    const int count = choose_rows(network, scratch);
    if (count == 0 || !solve(data, count)) return;
    sti_coupled_respond(network, scratch);
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (a->size.velocities == 0) continue;
        if (data->robot_of[i] >= 0) {
            shift_robot(network, scratch, &data->robots[data->robot_of[i]]);
            continue;
        }
        double *dq = scratch->reactions.response.dv + a->generalized;
        for (int k = 0; k < a->size.velocities; ++k) dq[k] *= network->step;
        a->kind->move(a->parameters, dq, 1.0, scratch->next + a->q);
    }
}
