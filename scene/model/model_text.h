// Private: numbers, names and lists in the YAML that a model becomes.
#ifndef STICTION_SCENE_MODEL_TEXT_H
#define STICTION_SCENE_MODEL_TEXT_H

#include <stdio.h>

#include "stiction/vector.h"

// As few digits as give the same number back.
void yaml_number(FILE *to, double value);
void yaml_numbers(FILE *to, const double *values, int count); // [1, 2]
void yaml_vector(FILE *to, StiVec3 v);
void yaml_quaternion(FILE *to, StiQuat q);
// On one line, in quotes, as any text may need them.
void yaml_text(FILE *to, const char *text);

#endif
