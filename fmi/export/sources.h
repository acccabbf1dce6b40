// Private: the sources of an FMU, which the export carries with it.
#ifndef STICTION_FMI_SOURCES_H
#define STICTION_FMI_SOURCES_H

#include "export/zip.h"

// Adds those of this version of FMI below sources/. The names of all files of C, ended by NULL, to be freed with
// sources_release; NULL: no memory.
const char **sources_add(int version, Zip *zip);
void sources_release(const char **names);

#endif
