#include "model/model_text.h"

#include <stdlib.h>
#include <string.h>

void yaml_number(FILE *to, double value)
{
    char text[40];
    for (int digits = 15; digits <= 17; ++digits) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    fputs(value == 0.0 ? "0" : text, to);
}

void yaml_numbers(FILE *to, const double *values, int count)
{
    fputc('[', to);
    for (int i = 0; i < count; ++i) {
        if (i > 0) fputs(", ", to);
        yaml_number(to, values[i]);
    }
    fputc(']', to);
}

void yaml_vector(FILE *to, StiVec3 v) { yaml_numbers(to, (double[3]){v.x, v.y, v.z}, 3); }

void yaml_quaternion(FILE *to, StiQuat q) { yaml_numbers(to, (double[4]){q.w, q.x, q.y, q.z}, 4); }

void yaml_text(FILE *to, const char *text)
{
    fputc('"', to);
    for (; *text != '\0'; ++text) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') fputc('\\', to);
        fputc(c < 0x20 || c == 0x7f ? ' ' : c, to);
    }
    fputc('"', to);
}
