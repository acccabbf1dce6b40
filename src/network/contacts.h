// Private: contacts in plans and networks.
#ifndef STICTION_SRC_NETWORK_CONTACTS_H
#define STICTION_SRC_NETWORK_CONTACTS_H

#include "network/network.h"
#include "network/plan.h"

// Memory of one point (a slot of s). A slot is free where `age` is 0.
typedef struct ContactSlot {
    double shape_a, shape_b, feature; // what it remembers
    double age;                    // 1: present in the last step; it grows while the point is away
    double mode;                   // STI_BLOCK_OPEN, STICK, SLIDE; a new point sticks
    double place_a[3], place_b[3]; // where it sticks, in the axes of its links, m; else 0
    double normal_a[3], normal_b[3]; // the normal there, in the axes of its links
    double slipped[3]; // m, world axes: what sticking has let pass, to be taken back; or how far a bristle is bent
    double force[3];                 // N on side a, world axes: where the next solve starts
    double moment[3];                // N m, the same of rolling and spinning resistance
} ContactSlot;

// Memory of the element before its slots.
typedef struct ContactEpisode {
    double impulse; // N s of fn, of the present or last episode
    double closed;  // 1: in an episode
} ContactEpisode;

static inline ContactEpisode *contact_episode(double *s) { return (ContactEpisode *)(void *)s; }
static inline ContactSlot *contact_slots(double *s)
{
    return (ContactSlot *)(void *)(s + sizeof(ContactEpisode) / sizeof(double));
}

// Numbers of s for a capacity.
int sti_contact_memory(int capacity);

// A copy that owns its shapes and hulls.
StiContact *sti_contact_copy(const StiContact *contact, StiArena *arena);
// Findings about bodies and links that do not exist.
void sti_contact_check_bodies(const StiPlan *plan, const PlanElement *element, StiReport *report);
// Shapes and owners of contact->parameters with the network's numbers of bodies, and the capacity.
bool sti_contact_build(StiNetwork *network, const int *places, Contact *contact);

// Nodes and rows that resistance to rolling (two axes) and spinning (one) adds to a point.
typedef struct ContactTurns {
    int nodes, rows;
} ContactTurns;
static inline ContactTurns sti_contact_turns(const StiContact *p)
{
    bool rolls = p->rolling > 0.0, spins = p->spinning > 0.0;
    for (int i = 0; i < p->material_count; ++i) {
        rolls = rolls || p->materials[i].rolling > 0.0;
        spins = spins || p->materials[i].spinning > 0.0;
    }
    return (ContactTurns){rolls + spins, 2 * rolls + spins};
}

// The numbers that count between two of its shapes: those of their materials, or of the contact itself.
StiMaterialPair sti_contact_rub(const Contact *contact, const int shape[2]);
static inline StiMaterialPair sti_place_rub(const StiNetwork *network, const ContactPlace *place)
{
    return sti_contact_rub(&network->contacts[place->contact], place->shape);
}
// Is its friction other than Coulomb's circular cone?
static inline bool sti_contact_has_own_law(const StiContact *p)
{
    return p->law.kind != NULL || p->mu_across > 0.0;
}
static inline bool sti_contact_is_elastic(const StiContact *p)
{
    return p->bristle.model != STI_CONTACT_RIGID;
}
// Does anything bounce in it?
bool sti_contact_bounces(const StiContact *contact);

// Does its surface run over its body?
static inline bool sti_surface_runs(const StiShape *shape)
{
    const StiVec3 v = shape->surface_velocity, w = shape->surface_spin;
    return v.x != 0.0 || v.y != 0.0 || v.z != 0.0 || w.x != 0.0 || w.y != 0.0 || w.z != 0.0;
}

// Which of its shapes may touch.
static inline StiPairRules sti_contact_pair_rules(const Contact *contact)
{
    return (StiPairRules){.owners = contact->owners,
                          .excluded = contact->excluded,
                          .excluded_count = contact->parameters->excluded_count};
}

#endif
