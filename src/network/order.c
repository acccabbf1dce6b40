#include "network/order.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/neighbours.h"

static const char *element_name(const StiPlan *plan, int index)
{
    return sti_plan_element(plan, index)->name;
}

static const char *admittance_name(const StiPlan *plan, int index)
{
    return sti_plan_admittance(plan, index)->name;
}

typedef struct Item {
    const char *name;
    int index;
} Item;

static int by_name(const void *a, const void *b)
{
    return strcmp(((const Item *)a)->name, ((const Item *)b)->name);
}

// Names are unique, so that the order does not depend on how a library sorts.
static bool sort_by_name(const StiPlan *plan, StiArena *arena, int *items, int count,
                         const char *(*name)(const StiPlan *, int))
{
    Item *named = sti_arena_take(arena, (size_t)count + 1, sizeof *named);
    if (named == NULL) return false;
    for (int i = 0; i < count; ++i) named[i] = (Item){name(plan, items[i]), items[i]};
    qsort(named, (size_t)count, sizeof *named, by_name);
    for (int i = 0; i < count; ++i) items[i] = named[i].index;
    return true;
}

typedef struct Waiting {
    const StiPlan *plan;
    const PlanInputs *inputs;
    bool *placed; // by the plan's index
} Waiting;

// An impedance that this one listens to and that is not placed yet; -1 if there is none.
static int awaited(const Waiting *waiting, int element)
{
    int count;
    const int *connections = sti_inputs_of(waiting->inputs, false, element, &count);
    for (int i = 0; i < count; ++i) {
        const StiSignal *signal = &sti_plan_connection(waiting->plan, connections[i])->signal;
        if (signal->type == STI_SIGNAL_FORCE && !waiting->placed[signal->component])
            return signal->component;
    }
    return -1;
}

// All of them wait. From any of them, following what it waits for leads into a loop and stays there.
static int member_of_loop(const Waiting *waiting, int element)
{
    for (int i = 0; i < waiting->plan->elements.count; ++i) element = awaited(waiting, element);
    return element;
}

// "a listens to b listens to a"
static void write_loop(const Waiting *waiting, int first, char *path, size_t size)
{
    int length = snprintf(path, size, "%s", element_name(waiting->plan, first));
    int element = first;
    do {
        element = awaited(waiting, element);
        if (length < 0 || (size_t)length >= size) return;
        length += snprintf(path + length, size - (size_t)length, " listens to %s",
                           element_name(waiting->plan, element));
    } while (element != first);
}

static bool sort_impedances(const Waiting *waiting, StiReport *report, int *items, int count)
{
    const StiPlan *plan = waiting->plan;
    for (int done = 0; done < count; ++done) {
        int next = done;
        while (next < count && awaited(waiting, items[next]) >= 0) ++next;
        if (next == count) {
            const int looping = member_of_loop(waiting, items[done]);
            char path[200];
            write_loop(waiting, looping, path, sizeof path);
            sti_report_add(
                report, STI_ERROR, element_name(plan, looping), "signal", NAN,
                "forces listen to each other in a loop (%s); only loads may close a loop", path);
            return false;
        }
        const int item = items[next];
        memmove(&items[done + 1], &items[done], (size_t)(next - done) * sizeof *items);
        items[done] = item;
        waiting->placed[item] = true;
    }
    return true;
}

static bool moves(const StiPlan *plan, int admittance)
{
    return admittance > 0 && !sti_plan_admittance(plan, admittance - 1)->kind->prescribed;
}

bool sti_reactions_touch(const StiPlan *plan, const PlanElement *a, const PlanElement *b)
{
    const int ends_a[2] = {a->wire.a.body.number, a->wire.b.body.number};
    const int ends_b[2] = {b->wire.a.body.number, b->wire.b.body.number};
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j)
            if (ends_a[i] == ends_b[j] && moves(plan, ends_a[i])) return true;
    return false;
}

// The bodies that it pushes on and moves.
static void bodies_of(const StiPlan *plan, const StiWire *wire, int bodies[2])
{
    const int ends[2] = {wire->a.body.number, wire->b.body.number};
    for (int k = 0; k < 2; ++k) bodies[k] = moves(plan, ends[k]) ? ends[k] - 1 : -1;
    if (bodies[1] == bodies[0]) bodies[1] = -1;
}

static bool sort_by_neighbours(const StiPlan *plan, StiArena *arena, int *items, int count)
{
    Memberships pushes;
    int *places = sti_arena_take(arena, (size_t)count + 1, sizeof *places);
    int *named = sti_arena_copy(arena, items, (size_t)count * sizeof *items);
    if (!sti_memberships_take(arena, count, plan->admittances.count, &pushes)) return false;
    for (int i = 0; i < count; ++i)
        bodies_of(plan, &sti_plan_element(plan, items[i])->wire, pushes.of[i]);
    sti_memberships_list(&pushes);
    if (!sti_order_neighbours(arena, &pushes, places)) return false;
    for (int i = 0; i < count; ++i) items[i] = named[places[i]];
    return true;
}

bool sti_plan_order(const StiPlan *plan, StiReport *report, StiArena *arena, Order *order)
{
    const size_t admittances = (size_t)plan->admittances.count,
                 elements = (size_t)plan->elements.count;
    *order = (Order){.admittances = sti_arena_take(arena, admittances + 1, sizeof(int)),
                     .impedances = sti_arena_take(arena, elements + 1, sizeof(int)),
                     .reactions = sti_arena_take(arena, elements + 1, sizeof(int)),
                     .contacts = sti_arena_take(arena, elements + 1, sizeof(int))};
    const Waiting waiting = {plan, &order->inputs,
                             sti_arena_take(arena, elements + 1, sizeof(bool))};
    if (!sti_plan_inputs(plan, arena, &order->inputs) || arena->failed) return false;
    for (int i = 0; i < plan->admittances.count; ++i) order->admittances[i] = i;
    for (int i = 0; i < plan->elements.count; ++i) {
        if (sti_plan_element(plan, i)->impedance != NULL)
            order->impedances[order->impedance_count++] = i;
        else if (sti_plan_element(plan, i)->contact)
            order->contacts[order->contact_count++] = i;
        else
            order->reactions[order->reaction_count++] = i;
    }
    if (!sort_by_name(plan, arena, order->admittances, plan->admittances.count, admittance_name) ||
        !sort_by_name(plan, arena, order->impedances, order->impedance_count, element_name) ||
        !sort_by_name(plan, arena, order->reactions, order->reaction_count, element_name) ||
        !sort_by_name(plan, arena, order->contacts, order->contact_count, element_name) ||
        !sort_by_neighbours(plan, arena, order->reactions, order->reaction_count))
        return false;
    return sort_impedances(&waiting, report, order->impedances, order->impedance_count);
}
