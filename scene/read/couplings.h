// Private: couplings in scenes. They are elements; their equations hold exactly.
#ifndef STICTION_SCENE_COUPLINGS_H
#define STICTION_SCENE_COUPLINGS_H

#include "read/reader.h"

enum {
    SCENE_GEAR_KEYS = 6,
    SCENE_MIMIC_KEYS = 5,
    SCENE_RACK_KEYS = 4,
    SCENE_SCREW_KEYS = 8,
    SCENE_WORM_KEYS = 8,
    SCENE_TIMING_BELT_KEYS = 5,
    SCENE_BELT_KEYS = 6,
    SCENE_DIFFERENTIAL_KEYS = 4,
    SCENE_PLANETARY_KEYS = 4,
    SCENE_DRIVE_KEYS = 4,
    SCENE_BACKLASH_KEYS = 7
};
extern const Key scene_gear_keys[SCENE_GEAR_KEYS], scene_mimic_keys[SCENE_MIMIC_KEYS],
    scene_rack_keys[SCENE_RACK_KEYS], scene_screw_keys[SCENE_SCREW_KEYS],
    scene_worm_keys[SCENE_WORM_KEYS], scene_timing_belt_keys[SCENE_TIMING_BELT_KEYS],
    scene_belt_keys[SCENE_BELT_KEYS], scene_differential_keys[SCENE_DIFFERENTIAL_KEYS],
    scene_planetary_keys[SCENE_PLANETARY_KEYS], scene_drive_keys[SCENE_DRIVE_KEYS],
    scene_backlash_keys[SCENE_BACKLASH_KEYS];
void scene_read_gear(Reader *reader, const char *name, const Node *node, bool complete);
void scene_read_mimic(Reader *reader, const char *name, const Node *node, bool complete);
void scene_read_rack(Reader *reader, const char *name, const Node *node, bool complete);
void scene_read_screw(Reader *reader, const char *name, const Node *node, bool complete);
void scene_read_worm(Reader *reader, const char *name, const Node *node, bool complete);
void scene_read_timing_belt(Reader *reader, const char *name, const Node *node, bool complete);
void scene_read_belt(Reader *reader, const char *name, const Node *node, bool complete);
void scene_read_differential(Reader *reader, const char *name, const Node *node, bool complete);
void scene_read_planetary(Reader *reader, const char *name, const Node *node, bool complete);
void scene_read_drive(Reader *reader, const char *name, const Node *node, bool complete);
void scene_read_backlash(Reader *reader, const char *name, const Node *node,
                         bool complete); // backlash.c

// One coordinate that a coupling may name: a joint, a body with one coordinate, an axis of a point
// (ball.y), a pin of a linkage.
typedef struct Coordinate {
    const char *name;
    StiCouplingTerm terms[2];
    int count;
    bool angular;
} Coordinate;
bool scene_find_coordinate(Reader *reader, const Node *node, const char *what,
                           Coordinate *coordinate);
// So many of them under "between", all different; false after a message.
bool scene_read_members(Reader *reader, const Node *node, int count, Coordinate *members);

#endif
