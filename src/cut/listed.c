#include "cut/listed.h"

#include <math.h>
#include <string.h>

#include "base/finite.h"
#include "cut/account.h"
#include "cut/substep.h"

// ---- which networks, and their lists --------------------------------------------------------------------------

static bool wire_is_listed(const Wire *wire) { return wire->plain || wire->wire.kind->coordinates; }

static bool impedances_are_listed(const StiNetwork *n)
{
    for (int i = 0; i < n->impedance_count; ++i) {
        const Impedance *e = &n->impedances[i];
        if (e->kind->modes != NULL || e->reads_load) return false;
        if (e->wired && !wire_is_listed(&e->wire)) return false;
    }
    return true;
}

static bool reactions_are_listed(const StiNetwork *n)
{
    for (int i = 0; i < n->reaction_count; ++i) {
        const Reaction *e = &n->reactions[i];
        if (e->size.dim != 1 || !e->held || !e->wire.plain || e->damper || e->steep ||
            e->reads_load)
            return false;
    }
    return true;
}

static bool bodies_are_listed(const StiNetwork *n)
{
    for (int i = 0; i < n->admittance_count; ++i) {
        const Admittance *a = &n->admittances[i];
        if (a->size.positions != a->size.velocities || a->size.loads > 0) return false;
    }
    return true;
}

bool sti_listed_applies(const StiNetwork *n)
{
    return n->contact_count == 0 && n->load_count == 0 && !n->constrains && !n->poses &&
           !n->counts_turns && n->pair->gamma == 0.0 && n->slope_count == 0 &&
           impedances_are_listed(n) && reactions_are_listed(n) && bodies_are_listed(n);
}

typedef struct Places {
    int q, v, force;
} Places;

static Places places_of(const StiNetwork *n, const StageData *stage, const StiEnd *end)
{
    if (end->admittance < 0) return (Places){NOWHERE, NOWHERE, NOWHERE};
    const Admittance *a = &n->admittances[end->admittance];
    const int ports = (int)(stage->ports - stage->x) + a->port;
    const int forces = (int)(stage->generalized - stage->x) + a->generalized;
    return (Places){.q = (a->kind->prescribed ? ports : a->q) + end->position,
                    .v = (a->kind->prescribed ? ports + a->dim : a->v) + end->place,
                    .force = forces + end->place};
}

static int after(int place, int d) { return place == NOWHERE ? NOWHERE : place + d; }

static void list_wire(const StiNetwork *n, const StageData *stage, const Wire *wire, bool pushes,
                      Listed *lists)
{
    const Places a = places_of(n, stage, &wire->wire.a), b = places_of(n, stage, &wire->wire.b);
    const int x = (int)(stage->position - stage->x) + wire->x,
              v = (int)(stage->velocity - stage->x) + wire->v, u = lists->u + wire->v;
    for (int d = 0; d < wire->wire.dim; ++d) {
        lists->sensed[lists->sensed_count++] = (Sensed){x + d, after(a.q, d), after(b.q, d)};
        lists->sensed[lists->sensed_count++] = (Sensed){v + d, after(a.v, d), after(b.v, d)};
        if (pushes)
            lists->pushed[lists->pushed_count++] =
                (Pushed){u + d, after(a.force, d), after(b.force, d)};
    }
}

Listed *sti_listed_take(StiArena *arena, const StiNetwork *n)
{
    StageData stage;
    if (!sti_listed_applies(n)) return NULL;
    Listed *lists = sti_arena_take(arena, 1, sizeof *lists);
    sti_stage_take(arena, n, &stage);
    if (lists == NULL || arena->failed) return NULL;
    const size_t most = (size_t)n->xhat_velocities + 1;
    lists->sensed = sti_arena_take(arena, 2 * most, sizeof *lists->sensed);
    lists->pushed = sti_arena_take(arena, most, sizeof *lists->pushed);
    if (arena->failed) return NULL;
    lists->u = (int)(stage.u - stage.x);
    for (int i = 0; i < n->impedance_count; ++i) {
        const Impedance *e = &n->impedances[i];
        if (e->wired) list_wire(n, &stage, &e->wire, !e->kind->only_senses, lists);
    }
    for (int i = 0; i < n->reaction_count; ++i)
        list_wire(n, &stage, &n->reactions[i].wire, true, lists);
    return lists;
}

// ---- one evaluation ---------------------------------------------------------------------------------------------

static void sense(const Listed *lists, double *numbers)
{
    for (int i = 0; i < lists->sensed_count; ++i) {
        const Sensed *s = &lists->sensed[i];
        const double a = s->a == NOWHERE ? 0.0 : numbers[s->a];
        numbers[s->to] = s->b == NOWHERE ? a : a - numbers[s->b];
    }
}

static void push(const StiNetwork *n, const Listed *lists, StageData *now)
{
    double *numbers = now->x;
    for (int i = 0; i < n->generalized_count; ++i) now->generalized[i] = 0.0;
    for (int i = 0; i < lists->pushed_count; ++i) {
        const Pushed *p = &lists->pushed[i];
        if (p->a != NOWHERE) numbers[p->a] -= numbers[p->u];
        if (p->b != NOWHERE) numbers[p->b] += numbers[p->u];
    }
}

static bool answer_impedances(const StiNetwork *n, const double *s, StageData *now)
{
    StiStage stage = now->stage;
    for (int i = 0; i < n->impedance_count; ++i) {
        const Impedance *e = &n->impedances[i];
        const StiMotion xhat = {.x = now->position + e->wire.x,
                                .v = now->velocity + e->wire.v,
                                .signals = now->ports + e->port};
        sti_listen(&e->connections, now);
        stage.tau = e->kind->stays_within ? n->step : 0.0;
        if (e->kind->eval(e->parameters, &stage, &xhat, now->y + e->y, s + e->s, now->u + e->wire.v,
                          now->ydot + e->y) != STI_OK)
            return false;
    }
    return true;
}

// Slip keeps its direction; what sticks gives nothing yet.
static void answer_reactions(const StiNetwork *n, const double *s, StageData *now)
{
    for (int i = 0; i < n->reaction_count; ++i) {
        const Reaction *e = &n->reactions[i];
        const double kept = s[e->s + 1], length = fabs(kept);
        double *u = now->u + e->wire.v;
        *u = 0.0;
        sti_listen(&e->connections, now);
        if (s[e->s] == STI_STICK || !(length > 0.0)) continue;
        const double speed = 0.0 + kept * now->velocity[e->wire.v];
        const double level = e->kind->modes->level(e->parameters, speed, kept > 0.0 ? 1.0 : -1.0,
                                                   now->ports + e->port);
        *u = level * (kept / length);
    }
}

static bool accelerate(const StiNetwork *n, const StiScratch *scratch, StageData *now)
{
    const Holding *holding = scratch->holding;
    for (int i = 0; i < n->admittance_count; ++i) {
        const Admittance *a = &n->admittances[i];
        const StiForce uhat = {now->generalized + a->generalized, now->wrenches + a->link};
        const bool *held = holding->any[i] ? holding->held + a->generalized : NULL;
        if (a->size.velocities == 0) continue; // nothing of it changes
        const StiStatus status =
            a->holds ? a->kind->hold->eval(a->parameters, &now->stage, now->x + a->q, now->x + a->v,
                                           now->ports + a->port, &uhat, held,
                                           holding->memory + a->memory, now->xdot + a->q,
                                           now->xdot + a->v, NULL, holding->taken + a->generalized)
                     : a->kind->eval(a->parameters, &now->stage, now->x + a->q, now->x + a->v,
                                     now->ports + a->port, &uhat, now->xdot + a->q,
                                     now->xdot + a->v, NULL);
        if (status != STI_OK) return false;
    }
    return true;
}

// What sticks carries what its body had to be held with.
static void take_held(const StiNetwork *n, const double *s, const StiScratch *scratch,
                      StageData *now)
{
    for (int i = 0; i < n->reaction_count; ++i) {
        const Reaction *e = &n->reactions[i];
        if (s[e->s] != STI_STICK) continue;
        const double taken = scratch->holding->taken[e->wire.own_force];
        now->u[e->wire.v] = taken;
        now->generalized[e->wire.own_force] -= taken;
    }
}

static bool evaluate(const StiNetwork *n, StiScratch *scratch, StageData *now)
{
    const SubstepData *data = scratch->substep;
    sense(data->listed, now->x);
    if (!answer_impedances(n, data->s, now)) return false;
    answer_reactions(n, data->s, now);
    push(n, data->listed, now);
    if (!accelerate(n, scratch, now)) return false;
    take_held(n, data->s, scratch, now);
    ++scratch->figures.evaluations;
    return sti_all_finite(now->u, n->xhat_velocities) && sti_all_finite(now->xdot, n->x_count);
}

// ---- the trial ----------------------------------------------------------------------------------------------------

static void set_stage(const StiNetwork *n, StiScratch *scratch, StageData *now, double t)
{
    now->stage = (StiStage){.t = t,
                            .step = n->step,
                            .k = scratch->stages[0].stage.k,
                            .gravity = n->gravity,
                            .workspace = scratch->workspace};
}

// x and y together.
static int number_count(const StiNetwork *n) { return n->x_count + n->y_count; }

static void add_slopes(const StiNetwork *n, const StiScratch *scratch, int stages,
                       const double *weights, double h, double *to)
{
    for (int k = 0; k < number_count(n); ++k) {
        double sum = scratch->substep->x[k];
        for (int r = 0; r < stages; ++r) {
            const double weight = h * weights[r];
            if (weight != 0.0) sum += weight * scratch->stages[r].xdot[k];
        }
        to[k] = sum;
    }
}

static bool stands_still(const StiNetwork *n, const StageData *before, const StageData *now)
{
    return before->stage.t == now->stage.t &&
           memcmp(before->x, now->x, (size_t)number_count(n) * sizeof *now->x) == 0;
}

// What is known from the stage before is not asked again.
static bool evaluate_after(const StiNetwork *n, const double *inputs, StiScratch *scratch,
                           const StageData *before, StageData *now)
{
    if (stands_still(n, before, now)) {
        sti_stage_repeat(n, before, now);
        return true;
    }
    if (before->stage.t == now->stage.t)
        sti_sources_again(n, before, now);
    else if (sti_sources(n, inputs, scratch, now) != STI_OK)
        return false;
    return evaluate(n, scratch, now);
}

static void stop_held(const StiNetwork *n, const SubstepData *data)
{
    for (int i = 0; i < n->reaction_count; ++i) {
        const Reaction *e = &n->reactions[i];
        double *v = &data->x_end[e->wire.own_v];
        if (data->s[e->s] == STI_STICK && *v != 0.0) *v = 0.0;
    }
}

// The rates of the wires' velocities, from which margins have theirs.
static void take_rates(const StiNetwork *n, const StiScratch *scratch, const StageData *close)
{
    for (int i = 0; i < n->reaction_count; ++i) {
        const Wire *wire = &n->reactions[i].wire;
        scratch->evaluate->wire_rate[wire->v] = close->xdot[wire->own_v];
    }
}

static double time_at(const SubstepData *data, double c, double h)
{
    return c == 1.0 && h == data->rest ? data->t_end : data->t + c * h;
}

static bool try_stages(const StiNetwork *n, const double *inputs, StiScratch *scratch, double h)
{
    SubstepData *data = scratch->substep;
    const StiMethod *pair = n->pair;
    for (int i = 1; i < pair->stages; ++i) {
        StageData *now = &scratch->stages[i];
        set_stage(n, scratch, now, time_at(data, pair->c[i], h));
        add_slopes(n, scratch, i, pair->A[i], h, now->x);
        if (!evaluate_after(n, inputs, scratch, &scratch->stages[i - 1], now)) return false;
    }
    add_slopes(n, scratch, pair->stages, pair->b, h, data->x_end);
    stop_held(n, data);
    set_stage(n, scratch, &data->close, time_at(data, 1.0, h));
    memcpy(data->close.x, data->x_end, (size_t)number_count(n) * sizeof *data->x_end);
    return evaluate_after(n, inputs, scratch, &scratch->stages[pair->stages - 1], &data->close);
}

static void prepare_modes(const StiNetwork *n, StiScratch *scratch)
{
    sti_modes_hold_coordinates(n, scratch->substep->s, scratch); // for all stages, and the end
    scratch->evaluate->modes = scratch->substep->s;
    scratch->holding->at_ease = false;
}

bool sti_listed_start(const StiNetwork *n, StiScratch *scratch, StiMargin *margins)
{
    SubstepData *data = scratch->substep;
    StageData *now = &scratch->stages[0];
    const StiStepFigures figures = scratch->figures;
    prepare_modes(n, scratch);
    if (!evaluate(n, scratch, now)) {
        scratch->figures = figures;
        return false;
    }
    take_rates(n, scratch, now);
    data->probed = false;
    sti_modes_margins(n, data->s, scratch, now, margins);
    return true;
}

bool sti_listed_substep(const StiNetwork *n, const double *inputs, StiScratch *scratch, double h,
                        StiMargin *margins)
{
    SubstepData *data = scratch->substep;
    const StiStepFigures figures = scratch->figures;
    data->rested = false;
    ++scratch->figures.substeps;
    sti_account_enter(n, scratch);
    prepare_modes(n, scratch);
    if (!try_stages(n, inputs, scratch, h)) {
        scratch->figures = figures;
        return false;
    }
    take_rates(n, scratch, &data->close);
    data->probed = false;
    sti_modes_margins(n, data->s, scratch, &data->close, margins);
    return true;
}
