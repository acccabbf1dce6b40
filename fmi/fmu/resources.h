// Private: where the files of an FMU are.
#ifndef STICTION_FMI_RESOURCES_H
#define STICTION_FMI_RESOURCES_H

// A path from a path, or from a URI as FMI 2 has it (file:///...); NULL: the folder beside that of this binary. To be
// freed; NULL: no such thing, or no memory.
char *resources_folder(const char *given);

#endif
