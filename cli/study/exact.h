// Reference solutions: computed with events and tight tolerances, checked by a second method, kept in
// files beside their scenes.
#ifndef STICTION_CLI_EXACT_H
#define STICTION_CLI_EXACT_H

#include "study/trajectory.h"

typedef struct Exact {
    Trajectory trajectory;
    char *method,
        *check;     // how it was made, and by what it was checked; as --set method= takes them
    Distance doubt; // how far the second method is from it, velocities unscaled
    char *path;     // the file it was read from; NULL: computed
} Exact;

// A new text: reference.csv beside the scene, reference-VARIANT.csv.
char *exact_place(const char *scene_path, const char *variant);

// The one that is stored (or named by --reference) if it is of this problem, else a computed one,
// after a message. A named one that does not fit is an error. Exit codes.
int exact_find(const Arguments *arguments, Exact *exact);

// Has the scene with these changes a reference, or only friction made for a fixed step?
bool exact_exists(const Arguments *arguments, const char *const *changes);

// Computes it, with further changes of the scene (NULL after the last). Exit codes, after messages.
int exact_compute(const Arguments *arguments, const char *const *changes, Exact *exact);
int exact_write(const Exact *exact, const char *scene, const char *path);
int exact_read(const char *path, Exact *exact);
void exact_release(Exact *exact);

#endif
