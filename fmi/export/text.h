// Private: a text that grows.
#ifndef STICTION_FMI_TEXT_H
#define STICTION_FMI_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct FmuText {
    char *bytes; // ended by a zero once something was added
    size_t length, size;
    bool failed; // for want of memory; what is added then is dropped
} FmuText;

void fmu_text_add(FmuText *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void fmu_text_append(FmuText *text, const void *bytes, size_t length);
// As it stands in XML, in texts and in attributes.
void fmu_text_escape(FmuText *text, const char *plain);
// A number that reads back as the same bits.
void fmu_text_number(FmuText *text, double value);
void fmu_text_release(FmuText *text);

#endif
