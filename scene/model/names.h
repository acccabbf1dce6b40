// Private: names of model files become names of a scene.
#ifndef STICTION_SCENE_MODEL_NAMES_H
#define STICTION_SCENE_MODEL_NAMES_H

#include "base/names.h"
#include "stiction/robot.h"
#include "text/gathered.h"

// So that "BODY.JOINT.friction" is below 64 long.
enum { MODEL_LONGEST_BODY = 14, MODEL_LONGEST_PART = 38 };

// Letters, digits, '_', '-' and '.', after a letter, at most `most` of them; others become '_'. Where
// the name is taken a number follows. `taken` gets the new name; both live in the arena.
const char *model_name(StiArena *arena, StiNames *taken, const char *wanted, int most);

// All names of links, and all of joints; a message names those that were changed.
void model_name_links(StiArena *arena, StiLink *links, int count, Mark mark, Gathered *gathered);

#endif
