// FMUs for tests: scenes, as text or as files, exported into the folder of the test.
#ifndef STICTION_TESTS_FMI_MAKING_H
#define STICTION_TESTS_FMI_MAKING_H

#include <stiction/scene.h>

#include "export/export.h"

StiScene *scene_of_file(const char *path);
StiScene *scene_of_text(const char *text);
// Writes NAME.fmu; version 2 or 3. Fails the test where that fails.
FmuSummary make_fmu(const StiScene *scene, const char *archive, int version);

#endif
