// Private: friction models and laws as scenes name them.
#ifndef STICTION_SCENE_MODELS_H
#define STICTION_SCENE_MODELS_H

#include "read/reader.h"
#include "stiction/friction.h"

// Counts of models with a meaning in scenes: axes, which follow from where the element acts, and elements
// of a bank.
#define SCENE_DIM "dim"
#define SCENE_ELEMENTS "elements"

// Signals that any law may listen to.
#define SCENE_LEVEL_SCALE "level_scale"
#define SCENE_VISCOUS_SCALE "viscous_scale"

// All keys of friction elements.
enum { SCENE_MOST_FRICTION_KEYS = 128 };
typedef struct FrictionKeys {
    Key keys[SCENE_MOST_FRICTION_KEYS];
    int count;
} FrictionKeys;
void scene_friction_keys(FrictionKeys *keys);
// ", N/m (dahl, lugre, law gear)": the unit of a parameter and whose it is; "" for keys of the element.
void scene_friction_key_users(const char *key, char *text, size_t size);

const StiField *scene_model_field(const StiEntry *model,
                                  const char *name); // of the model itself, not of its law
// A count among the parameters of a model, NULL if it has none of that name; parameters may be its example.
int *scene_model_count(const StiEntry *model, const char *name, void *parameters);
static inline bool scene_model_has(const StiEntry *model, const char *name)
{
    return sti_kind_field(model->info, name) != NULL;
}

// Which entry of a list to take, and how many entries it must have.
typedef struct Item {
    int index, count;
} Item;

// table: [[speed, level], ...] of a law; measure: what its second column is called in an error.
bool scene_read_law_table(Reader *reader, const Node *node, const char *measure, StiArena *arena,
                          StiLaw *law);
// The law that the keys of a friction element ask for. used[i] is set for every entry of the map that was
// used. false after a message.
bool scene_read_law(Reader *reader, const Node *node, const StiEntry *model, Item item,
                    StiArena *arena, bool *used, StiLaw *law);

// A number under a key, or an entry of a list; *found says whether the key is there.
bool scene_number_of(Reader *reader, const Node *node, const char *key, Item item, bool *used,
                     double *value, bool *found);
void scene_mark_used(const Node *node, const char *key, bool *used);

#endif
