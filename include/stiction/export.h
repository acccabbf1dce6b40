// What is visible outside the shared library.
#ifndef STICTION_EXPORT_H
#define STICTION_EXPORT_H

#if defined(_WIN32)
#define STI_API
#else
#define STI_API __attribute__((visibility("default")))
#endif

#endif
