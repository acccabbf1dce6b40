#include "export/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fmu_text_append(FmuText *text, const void *bytes, size_t length)
{
    if (text->failed) return;
    if (text->length + length + 1 > text->size) {
        const size_t size = 2 * (text->length + length + 1);
        char *larger = realloc(text->bytes, size);
        if (larger == NULL) {
            text->failed = true;
            return;
        }
        text->bytes = larger;
        text->size = size;
    }
    if (length > 0) memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

void fmu_text_add(FmuText *text, const char *format, ...)
{
    char small[512];
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(small, sizeof small, format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length < sizeof small) {
        fmu_text_append(text, small, (size_t)length);
    } else {
        char *large = length < 0 ? NULL : malloc((size_t)length + 1);
        if (large != NULL) {
            vsnprintf(large, (size_t)length + 1, format, again);
            fmu_text_append(text, large, (size_t)length);
        }
        text->failed = text->failed || large == NULL;
        free(large);
    }
    va_end(again);
}

void fmu_text_escape(FmuText *text, const char *plain)
{
    static const char special[] = "<>&\"\n\t\r";
    static const char *const entities[] = {"&lt;",  "&gt;", "&amp;", "&quot;",
                                           "&#10;", "&#9;", "&#13;"};
    while (*plain != '\0') {
        const size_t length = strcspn(plain, special);
        fmu_text_append(text, plain, length);
        plain += length;
        if (*plain != '\0') fmu_text_add(text, "%s", entities[strchr(special, *plain++) - special]);
    }
}

void fmu_text_number(FmuText *text, double value)
{
    char shortest[40];
    for (int digits = 15; digits <= 17; ++digits) {
        snprintf(shortest, sizeof shortest, "%.*g", digits, value);
        if (strtod(shortest, NULL) == value) break;
    }
    fmu_text_add(text, "%s", shortest);
}

void fmu_text_release(FmuText *text)
{
    free(text->bytes);
    *text = (FmuText){0};
}
