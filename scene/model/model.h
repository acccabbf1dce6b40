// Private: what model files of all formats are read into, and what a scene is written from.
#ifndef STICTION_SCENE_MODEL_H
#define STICTION_SCENE_MODEL_H

#include <stdio.h>

#include "stiction/actuator.h"
#include "stiction/robot.h"
#include "stiction/shape.h"
#include "text/gathered.h"

// Of the joint of a link, beside what StiLink says. Units by the joint: N m or N, rad or m.
typedef struct ModelJoint {
    double friction, damping;   // dry and viscous
    double stiffness, rest;     // a spring to the position `rest`
    double position[7];         // at the start
    bool placed;                // position is given
} ModelJoint;

// Friction of a surface, as MJCF says it.
typedef struct ModelSurface {
    double mu;
    double spinning, rolling; // m: most moment over the normal force
    int dimensions;           // 1 no friction, 3 sliding, 4 spinning too, 6 rolling too
    int priority;
} ModelSurface;

// For contact with the floor and with other trees. link: -1 for what is fixed in the world.
typedef struct ModelShape {
    int link;
    StiShape shape; // link axes
    ModelSurface surface;
} ModelShape;

// A mesh to be drawn, as the model names its file. link: -1 for what is fixed in the world.
typedef struct ModelDrawing {
    int link;
    bool visual; // else for contact
    const char *file;
    StiVec3 scale;
    StiFrame at; // link axes
} ModelDrawing;

// Two shapes that touch whatever else is said; the second of link -1: fixed in the world.
typedef struct ModelPair {
    const char *name;
    int a, b;
    StiShape shape_a, shape_b;
    ModelSurface grip; // of both together
} ModelPair;

typedef struct ModelDrive {
    const char *name;
    int link; // whose joint it drives
    StiActuator drive;
    double damping_ratio; // above 0: damping so much of critical, by the joint's own inertia
    double command; // at the start
    bool ranged;
    double least, most; // command
} ModelDrive;

// q of a link's joint = sum over k of factors[k] (q of another link's joint)^k.
typedef struct ModelCoupling {
    const char *name;
    int link, to;
    double factors[5];
} ModelCoupling;

// Two links (-1: the world) stay together: at a point, or as they are.
typedef struct ModelLoop {
    const char *name;
    bool fixed; // else only the points
    int a, b;
    StiFrame at_a, at_b; // in link axes
} ModelLoop;

// A state to start from. q: of all links in their order; commands: of all drives. NULL: as usual.
typedef struct ModelKey {
    const char *name;
    const double *q, *commands;
} ModelKey;

typedef struct Model {
    const char *name, *file, *format;
    StiVec3 gravity;
    StiLink *links; // in any order
    ModelJoint *joints;
    int count;
    ModelShape *shapes;
    int shape_count, shape_capacity;
    ModelDrawing *drawings; // of a reader that draws
    int drawing_count, drawing_capacity;
    ModelPair *pairs;
    int pair_count;
    bool touch_each_other; // links of different trees
    ModelDrive *drives;
    int drive_count;
    ModelCoupling *couplings;
    int coupling_count;
    ModelLoop *loops;
    int loop_count;
    ModelKey *keys;
    int key_count;
    bool has_floor;
    StiVec3 floor_point, floor_normal;
    ModelSurface floor_surface;
} Model;

// Messages come through `gathered`; what the model is made of lives in the arena.
typedef struct ModelReader {
    StiArena *arena;
    Gathered *gathered;
    StiMessages *messages;
    const char *path;
    const char *confine; // the folder that files must be in; NULL: anywhere
    bool draws;          // meshes are listed for drawing, and not made to hulls
} ModelReader;

// Where there is no memory nothing is added; the arena knows that it failed (model_contacts.c).
void model_add_shape(Model *model, StiArena *arena, const ModelShape *shape);

int model_positions(const StiLink *link); // of its joint
// Of two surfaces: the larger numbers, or those of the higher priority (model_contacts.c).
ModelSurface model_grip(const ModelSurface *a, const ModelSurface *b);

void model_draw(const ModelReader *reader, Model *model, ModelDrawing drawing); // model_drawing.c

// A scene with the model in it, as YAML. The links must make a robot. False: out of memory.
bool model_write(const Model *model, StiArena *arena, Gathered *gathered, FILE *to);

// What the words of the format give: false after messages.
typedef struct XmlElement XmlElement;
bool sdf_model(const ModelReader *reader, XmlElement *root, Model *model); // includes are put in
bool urdf_model(const ModelReader *reader, const char *text, size_t length, Model *model);
bool mjcf_model(const ModelReader *reader, XmlElement *root, Model *model); // includes are put in

#endif
