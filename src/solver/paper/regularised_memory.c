// Sizes, arrays and refusals of the papers' own solvers.
#include <math.h>

#include "solver/paper/regularised.h"

enum { FRICTION = sizeof(FrictionMemory) / sizeof(double) };

static const double usual_share = 0.05;  // of a displacement is taken back per step
static const double largest_share = 1.0; // more would overshoot

int sti_regular_discrete(const StiNetwork *network) { return FRICTION * network->reaction_count; }

FrictionMemory *sti_friction_memory(const StiNetwork *network, int reaction, double *s)
{
    return (FrictionMemory *)(void *)(s + network->solver_s + FRICTION * reaction);
}

Compliance sti_compliance(const StiNetwork *network, double k, double lambda)
{
    return (Compliance){.k = k < 0.0 ? usual_share / network->step : k, .lambda = lambda};
}

// lambda_q is given on the motor's side of the gear, as in (25).
static double gear_ratio_at(const StiNetwork *network, const StiEnd *joint)
{
    for (int i = 0; i < network->impedance_count; ++i) {
        const Impedance *e = &network->impedances[i];
        const StiEnd *end = &e->wire.wire.a;
        if (!e->wired || end->admittance != joint->admittance || end->place != joint->place)
            continue;
        if (e->kind->gear_ratio != NULL) return e->kind->gear_ratio(e->parameters);
    }
    return 1.0;
}

static int widest_body(const StiNetwork *network)
{
    int most = 1;
    for (int i = 0; i < network->admittance_count; ++i)
        if (network->admittances[i].dim > most) most = network->admittances[i].dim;
    return most;
}

static void take_problem(StiArena *arena, size_t rows, RegularData *data)
{
    data->not_negative = sti_arena_take(arena, rows, sizeof(bool));
    data->column_row = sti_arena_take(arena, rows, sizeof(int));
    data->problem = (LeastSquares){.B = sti_arena_take(arena, rows * rows, sizeof(double)),
                                   .g = sti_arena_take(arena, rows, sizeof(double)),
                                   .lambda = sti_arena_take(arena, rows, sizeof(double)),
                                   .not_negative = data->not_negative,
                                   .f = sti_arena_take(arena, rows, sizeof(double)),
                                   .M = sti_arena_take(arena, rows * rows, sizeof(double)),
                                   .factor = sti_arena_take(arena, rows * rows, sizeof(double)),
                                   .rhs = sti_arena_take(arena, rows, sizeof(double)),
                                   .dual = sti_arena_take(arena, rows, sizeof(double)),
                                   .free = sti_arena_take(arena, rows, sizeof(int)),
                                   .fixed = sti_arena_take(arena, rows, sizeof(bool))};
}

static void take_rows(StiArena *arena, RegularData *data)
{
    const size_t rows = (size_t)data->row_room + 1, numbers = rows * 2 * (size_t)data->width;
    data->nodes = sti_arena_take(arena, (size_t)data->node_room + 1, sizeof *data->nodes);
    data->rows = sti_arena_take(arena, rows, sizeof *data->rows);
    data->J = sti_arena_take(arena, numbers, sizeof(double));
    data->response = sti_arena_take(arena, numbers, sizeof(double));
    data->A = sti_arena_take(arena, rows * rows, sizeof(double));
    double **vectors[] = {&data->c, &data->d, &data->start, &data->f};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i)
        *vectors[i] = sti_arena_take(arena, rows, sizeof(double));
    take_problem(arena, rows, data);
}

void *sti_regular_take(StiArena *arena, const StiNetwork *network, bool friction_rows)
{
    RegularData *data = sti_arena_take(arena, 1, sizeof *data);
    if (data == NULL) return NULL;
    const size_t reactions = (size_t)network->reaction_count + 1;
    const size_t links = (size_t)network->link_count + 1;
    data->node_room = network->point_count + (friction_rows ? network->reaction_count : 0);
    data->row_room = 3 * network->point_count + (friction_rows ? network->row_count : 0);
    data->width = widest_body(network);
    take_rows(arena, data);
    data->unit = sti_arena_numbers(arena, data->width);
    data->frames = sti_arena_take(arena, links, sizeof(StiFrame));
    data->gear_ratio = sti_arena_take(arena, reactions, sizeof(double));
    data->torque = sti_arena_take(arena, reactions, sizeof(double));
    data->held = sti_arena_numbers(arena, network->generalized_count);
    data->held_wrenches = sti_arena_take(arena, links, sizeof(StiWrench));
    for (int r = 0; r < STI_METHOD_STAGES - 1; ++r) sti_stage_take(arena, network, &data->later[r]);
    for (int i = 0; !arena->failed && i < network->reaction_count; ++i)
        data->gear_ratio[i] = gear_ratio_at(network, &network->reactions[i].wire.wire.a);
    return data;
}

static const char *refuse_constants(const StiNetwork *network)
{
    const StiSolverConstants *p = &network->solver_constants;
    const double fastest = largest_share / network->step;
    if (p->lambda_q > 0.0 && !(p->k_q > 0.0))
        return "lambda_q without k_q lets stuck joints creep: give k_q, too";
    if ((p->lambda_v > 0.0 && p->k_v == 0.0) || (p->lambda_M > 0.0 && p->k_M == 0.0))
        return "lambda without k lets what sticks creep: give k_v (k_M), too";
    if (p->k_q > fastest || p->k_v > fastest || p->k_M > fastest)
        return "k_q, k_v and k_M must not be above 1/step: they would overshoot";
    if (isnan(p->k_q + p->k_v + p->k_M + p->lambda_q + p->lambda_v + p->lambda_M))
        return "its constants must be numbers";
    return NULL;
}

const char *sti_regular_refuse(const StiNetwork *network, const char **element)
{
    *element = "";
    const char *refusal = refuse_constants(network);
    for (int i = 0; refusal == NULL && i < network->contact_count; ++i) {
        *element = network->contacts[i].name;
        if (sti_contact_bounces(network->contacts[i].parameters))
            refusal = "knows no restitution; coupled does";
        if (sti_contact_turns(network->contacts[i].parameters).nodes > 0)
            refusal = "knows no resistance to rolling or spinning; coupled does";
        if (sti_contact_has_own_law(network->contacts[i].parameters))
            refusal = "knows Coulomb's circular cone only; coupled knows other laws of contacts";
        if (sti_contact_is_elastic(network->contacts[i].parameters))
            refusal = "knows no bristles at contacts; coupled does";
        if (network->contacts[i].surfaces_run) refusal = "knows no surfaces that run; coupled does";
    }
    for (int i = 0; refusal == NULL && i < network->reaction_count; ++i) {
        *element = network->reactions[i].name;
        if (network->reactions[i].kind->level == NULL)
            refusal = "resolves friction with a level, such as finite-time";
    }
    return refusal;
}
