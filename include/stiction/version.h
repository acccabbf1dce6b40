// The version, as numbers and text. CMake reads it from here.
#ifndef STICTION_VERSION_H
#define STICTION_VERSION_H

#define STI_VERSION_MAJOR 0
#define STI_VERSION_MINOR 1
#define STI_VERSION_PATCH 0
#define STI_VERSION "0.1.0"

#endif
