// Private: the files that a scene reads, and where they stand in an FMU.
#ifndef STICTION_FMI_FILES_H
#define STICTION_FMI_FILES_H

#include <stdint.h>

#include "export/export.h"
#include "export/zip.h"

// Adds the scene (plain: its text) and its files below resources/, so that they find each other by the same relative
// names; the innermost folder that holds all of them becomes resources/. *place: of the scene in it, to be freed.
// hash: of all of it, goes on from what it is. False after a message.
bool files_add(const StiScene *scene, const char *plain, Zip *zip, char **place, uint64_t *hash,
               StiMessages *messages);

#endif
