#include "report/json.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

// '<' and '&' are escaped too: the text cannot end the script element that it stands in.
static bool must_be_escaped(unsigned char c)
{
    return c < 0x20 || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' || c == 0x7f;
}

void json_text(FILE *file, const char *text)
{
    if (text == NULL) {
        fputs("null", file);
        return;
    }
    fputc('"', file);
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; ++c)
        if (must_be_escaped(*c))
            fprintf(file, "\\u%04x", *c);
        else
            fputc(*c, file);
    fputc('"', file);
}

// As few digits as give the same number again.
void json_number(FILE *file, double value)
{
    char text[32];
    if (!isfinite(value)) {
        fputs("null", file);
        return;
    }
    for (int digits = 6; digits <= 17; digits += digits < 15 ? 9 : 2) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    fputs(text, file);
}

void json_numbers(FILE *file, const double *values, int count)
{
    fputc('[', file);
    for (int i = 0; i < count; ++i) {
        if (i > 0) fputc(',', file);
        json_number(file, values[i]);
    }
    fputc(']', file);
}

void json_key(FILE *file, const char *key, int first)
{
    if (!first) fputc(',', file);
    json_text(file, key);
    fputc(':', file);
}

void json_bytes(FILE *file, const void *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *b = bytes;
    fputc('"', file);
    for (size_t i = 0; i < size; i += 3) {
        const unsigned second = i + 1 < size ? b[i + 1] : 0, third = i + 2 < size ? b[i + 2] : 0;
        const unsigned group = (unsigned)b[i] << 16 | second << 8 | third;
        fputc(digits[group >> 18], file);
        fputc(digits[group >> 12 & 63], file);
        fputc(i + 1 < size ? digits[group >> 6 & 63] : '=', file);
        fputc(i + 2 < size ? digits[group & 63] : '=', file);
    }
    fputc('"', file);
}
