// The version, as numbers and text. CMake reads it from here.
#ifndef STICTION_VERSION_H
#define STICTION_VERSION_H

#include "export.h"

#define STI_VERSION_MAJOR 0
#define STI_VERSION_MINOR 2
#define STI_VERSION_PATCH 0
#define STI_VERSION "0.2.0"

#ifdef __cplusplus
extern "C" {
#endif

// The version of the library that runs, which can differ from STI_VERSION, that of the headers a
// program was compiled with.
STI_API const char *sti_version(void);

#ifdef __cplusplus
}
#endif
#endif
