// What a scene is read with: texts of one line each, as --set takes them, and a variant.
#ifndef STICTION_WASM_SETS_H
#define STICTION_WASM_SETS_H

#include <stiction/scene.h>

typedef struct Sets {
    char *text; // cut into the lines
    const char **lines;
    char *variant;
    StiSceneOptions options;
} Sets;

// more: separated by tabs, to follow those of text.
Sets sets_of(const char *text, const char *variant, const char *more);
void sets_release(Sets *sets);

#endif
