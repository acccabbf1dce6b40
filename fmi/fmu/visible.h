// Private: what an importer finds in the shared object.
#ifndef STICTION_FMI_VISIBLE_H
#define STICTION_FMI_VISIBLE_H

#if defined(_WIN32)
#define FMU_VISIBLE __declspec(dllexport)
#else
#define FMU_VISIBLE __attribute__((visibility("default")))
#endif

#endif
