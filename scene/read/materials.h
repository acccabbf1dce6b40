// Private: the table of materials, `materials: [{between: [steel, wood], mu: 0.4}]`.
#ifndef STICTION_SCENE_MATERIALS_H
#define STICTION_SCENE_MATERIALS_H

#include "read/reader.h"
#include "stiction/contact.h"

typedef struct Materials {
    const char **names; // number i + 1
    int count;
    StiMaterialPair *pairs;
    int pair_count;
} Materials;

// Before bodies are read.
void scene_read_materials(Reader *reader);
// The number of a material that a shape names; 0 after a message.
int scene_material(Reader *reader, const Node *name);

#endif
