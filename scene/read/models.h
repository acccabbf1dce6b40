// Private: the words for friction models and laws, and where their numbers go.
#ifndef STICTION_SCENE_MODELS_H
#define STICTION_SCENE_MODELS_H

#include "read/reader.h"
#include "stiction/friction.h"

// A truth value of a model's parameters.
typedef struct Switch {
    const char *key;
    size_t offset;
} Switch;

typedef struct Model {
    const StiImpedanceKind *impedance; // one of the two
    const StiReactionKind *reaction;
    bool planar; // has a dim
    size_t dim_offset;
    bool bank; // has elements of its own
    size_t elements_offset;
    Switch switches[2];
} Model;

const Model *scene_model_named(const char *name); // NULL if there is none
static inline const StiInfo *model_info(const Model *model)
{
    return model->impedance != NULL ? &model->impedance->info : &model->reaction->info;
}
const StiField *scene_model_field(const Model *model,
                                  const char *name); // of the model itself, not of its law

// All keys of friction elements.
const Key *scene_friction_keys(int *count);

// Which entry of a list to take, and how many entries it must have.
typedef struct Item {
    int index, count;
} Item;

// The law that the keys of a friction element ask for. used[i] is set for every entry of the map that was
// used. false after a message.
bool scene_read_law(Reader *reader, const Node *node, const Model *model, Item item,
                    StiArena *arena, bool *used, StiLaw *law);

// A number under a key, or an entry of a list; *found says whether the key is there.
bool scene_number_of(Reader *reader, const Node *node, const char *key, Item item, bool *used,
                     double *value, bool *found);
void scene_mark_used(const Node *node, const char *key, bool *used);

#endif
