// Private: what the parts of the library of studies share.
#ifndef STICTION_STUDY_STUDY_H
#define STICTION_STUDY_STUDY_H

#include "stiction/study.h"

struct StiStudy {
    StiScene *scene;
    // How it was loaded, for workers that load it again.
    char *path, *variant, *confine;
    char *text; // NULL: it is read from path
    size_t length;
    char **sets;
    int set_count;
    double *factor; // of correlations; NULL: none
    bool direct;
    uint64_t fingerprint;
};

// The scene again, with values of the varied parameters (NULL: none) in place of those of the file; NULL after messages.
StiScene *study_load_scene(const StiStudy *study, const double *values, StiMessages *messages);

#endif
