// Private: a friction element that is being read.
#ifndef STICTION_SCENE_FRICTION_H
#define STICTION_SCENE_FRICTION_H

#include "read/models.h"

// One element of the model: where to read from, where to write to.
typedef struct Filling {
    Reader *reader;
    const char *name;
    const Node *node;
    const StiEntry *model;
    const char *model_name;
    bool *used;
    Item item;    // of lists
    int elements; // of a bank or a compound
    StiLaw *law;  // NULL: the model has none
    unsigned char *parameters;
} Filling;

// Signals are connected when all elements are known, in the order of sti_law_level. parts: of a compound, else 1.
void scene_friction_listen(Filling *f, const Target *target, StiElementId element, int parts);

#endif
