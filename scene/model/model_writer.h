// Private: what the files that write a model as a scene share.
#ifndef STICTION_SCENE_MODEL_WRITER_H
#define STICTION_SCENE_MODEL_WRITER_H

#include "model/model.h"
#include "base/names.h"

typedef struct Writer {
    const Model *model;
    StiArena *arena;
    Gathered *gathered;
    FILE *to;
    const char *body;
    StiNames taken; // names of the body, inputs and elements
    int *order;     // links, parents first
} Writer;

static inline bool model_has_axis(const StiLink *link)
{
    return link->joint == STI_JOINT_REVOLUTE || link->joint == STI_JOINT_PRISMATIC;
}

const char *model_new_name(Writer *writer,
                           const char *wanted); // of an element or input: not taken yet
bool model_moves(const Model *model, int link); // on a joint that is not fixed; -1: the world

// Elements on joints: friction, springs, stops (model_joints.c).
void model_write_joints(Writer *writer);
// Inputs of drives, and their names; then drives, couplings and loops (model_drives.c).
void model_write_inputs(Writer *writer, const char **names);
void model_write_drives(Writer *writer, const char *const *inputs);
void model_write_closures(Writer *writer); // couplings and loops
// The floor, trees that touch each other, pairs (model_contacts.c).
void model_write_contacts(Writer *writer);
void model_write_shape(FILE *to, const StiShape *shape); // as a map

#endif
