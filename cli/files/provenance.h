// What a recording says about where it is from.
#ifndef STICTION_CLI_PROVENANCE_H
#define STICTION_CLI_PROVENANCE_H

#include <stiction/scene.h>
#include <stiction/sink.h>

enum { PROVENANCE_NOTES = 8 };

typedef struct Provenance {
    StiNote notes[PROVENANCE_NOTES];
    int count;
    char *scene, *changes; // texts of its own
} Provenance;

// options: how the scene was loaded; NULL: as it stands. The scene must outlive this.
Provenance provenance_of(const StiScene *scene, const StiSceneOptions *options);
void provenance_release(Provenance *provenance);

#endif
