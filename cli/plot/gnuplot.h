// Figures by gnuplot, which is a program of its own.
#ifndef STICTION_CLI_GNUPLOT_H
#define STICTION_CLI_GNUPLOT_H

#include "plot/panels.h"

typedef struct Figure {
    const char *path;  // .svg, .png or .pdf
    const char *title; // NULL: none
    const char *range; // "1.9:4" of x; NULL: all
} Figure;

bool gnuplot_is_there(void);          // false after a message
bool gnuplot_makes(const char *path); // its ending is one of the three; false after a message
int gnuplot_draw(const Panels *panels, const Figure *figure); // an exit code, after messages

// Any figure: print writes the script after terminal, output and line types are set.
int gnuplot_run(const char *path, int height, void (*print)(FILE *script, const void *context),
                const void *context);
void gnuplot_quoted(FILE *script, const char *text); // as a text of the script

#endif
