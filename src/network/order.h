// Private: the order in which a network keeps and evaluates its components.
#ifndef STICTION_SRC_NETWORK_ORDER_H
#define STICTION_SRC_NETWORK_ORDER_H

#include "network/inputs.h"
#include "network/plan.h"

// Plan indices in the network's order.
typedef struct Order {
    int *admittances; // by name
    int *impedances;  // after those whose forces they listen to; else by name
    int *reactions;   // neighbours close to each other (Cuthill-McKee); else by name
    int *contacts;    // by name
    int impedance_count, reaction_count, contact_count;
    PlanInputs inputs;
} Order;

// False if signals form a loop (reported) or memory is short.
bool sti_plan_order(const StiPlan *plan, StiReport *report, StiArena *arena, Order *order);

// Do two reactions push on the same body? Then they are neighbours.
bool sti_reactions_touch(const StiPlan *plan, const PlanElement *a, const PlanElement *b);

#endif
