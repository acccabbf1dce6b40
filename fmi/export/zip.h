// Private: a zip archive in memory, members stored as they are. Not deflated: what an FMU holds is one binary of
// below 2 MB, and this way nothing foreign is needed. The same members give the same bytes.
#ifndef STICTION_FMI_ZIP_H
#define STICTION_FMI_ZIP_H

#include "export/text.h"

typedef struct Zip {
    FmuText bytes, directory;
    int count;
} Zip;

void zip_add(Zip *zip, const char *name, const void *bytes, size_t length);
// Writes the directory; zip->bytes is then the archive. False: no memory, or too much for such an archive.
bool zip_finish(Zip *zip);
void zip_release(Zip *zip);

#endif
