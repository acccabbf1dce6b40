// Private: decimal numbers in text, the same in every locale.
#ifndef STICTION_SCENE_NUMBER_H
#define STICTION_SCENE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

// The length of the number without a sign that text begins with ("1", ".5", "1.5e-3"); 0 if there
// is none.
size_t scene_number_length(const char *text);

// Whether the first length characters of text are one number, with or without a sign. The text goes
// on after them or ends with NUL. Hexadecimal numbers, "inf" and "nan" are none; what is too large
// becomes infinite.
bool scene_number_read(const char *text, size_t length, double *value);

#endif
