// Scenes as FMUs: one archive with the description of the model, the binary, the scene and all files that it reads.
#ifndef STICTION_FMI_EXPORT_H
#define STICTION_FMI_EXPORT_H

#include <stiction/scene.h>

typedef struct FmuOptions {
    int version; // of FMI: 2 or 3
    const char
        *inputs; // names and patterns with commas between them; NULL: all that the scene declares
    const char *outputs;  // channels; NULL: what the scene records
    const char *tunables; // parameters that may change during a run; NULL: those of elements
    bool sources;         // of C, too
} FmuOptions;

typedef struct FmuSummary {
    char identifier[64];
    int inputs, outputs, parameters, tunables, states, indicators;
    bool exchange; // can be integrated by the importer, too
    size_t size;   // bytes of the archive
} FmuSummary;

// Writes the FMU of a scene. STI_BAD_ARGUMENT: the messages say why; STI_FILE_ERROR: the reason is in errno. Nothing is
// left half-written.
StiStatus fmu_export(const StiScene *scene, const FmuOptions *options, const char *path,
                     FmuSummary *summary, StiMessages *messages);

#endif
