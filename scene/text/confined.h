// Private: the folder to which reading may be confined.
#ifndef STICTION_SCENE_CONFINED_H
#define STICTION_SCENE_CONFINED_H

#include <stdbool.h>

// Is the file itself, all links followed, inside the folder? folder NULL: anywhere is fine.
bool scene_is_confined(const char *folder, const char *path);

#endif
