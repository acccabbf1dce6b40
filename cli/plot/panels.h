// Which columns of which recordings stand in which panel of a figure.
#ifndef STICTION_CLI_PANELS_H
#define STICTION_CLI_PANELS_H

#include "files/recording.h"

typedef struct Curve {
    int recording, x, y; // columns
    char *title;
} Curve;

typedef struct Panel {
    char *label; // of the upright axis
    bool modes;  // stick and slip: 0 or 1
    Curve *curves;
    int count;
} Panel;

typedef struct Panels {
    const Recording *recordings;
    int recording_count;
    const char *x;      // name of the column to the right, the same for all
    const char *x_unit; // "" where none is known
    Panel *panels;
    int count;
} Panels;

// x: NULL for the first column. lists: of columns with commas and wildcards, a panel for each; none:
// all columns, grouped by unit, or by the last part of their names where units are not known.
// False after a message.
bool panels_choose(Panels *panels, const Recording *recordings, int recording_count, const char *x,
                   const char *const *lists, int list_count);
void panels_release(Panels *panels);

#endif
