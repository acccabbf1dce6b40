// Private: what the export chose, as it travels in the FMU beside the scene (resources/stiction.txt).
#ifndef STICTION_FMI_DESCRIPTION_H
#define STICTION_FMI_DESCRIPTION_H

#include <stdbool.h>

typedef struct NamedParameter {
    const char *path;
    bool tunable; // may change during a run
} NamedParameter;

// One line each: a word, a blank, a value. Names point into text.
typedef struct Description {
    char *text;
    const char *token; // GUID of FMI 2, instantiation token of FMI 3
    const char *scene; // its file, from the folder of resources
    const char **inputs, **outputs;
    int input_count, output_count;
    NamedParameter *parameters;
    int parameter_count;
} Description;

// Takes over the text, which is malloc's. False: not such a text, or no memory.
bool description_read(char *text, Description *description);
void description_release(Description *description);

#endif
