#include "text/number.h"

#include <stdlib.h>

#include "base/locale.h"

static size_t digits(const char *text)
{
    size_t count = 0;
    while (text[count] >= '0' && text[count] <= '9') ++count;
    return count;
}

static size_t exponent_length(const char *text)
{
    if (text[0] != 'e' && text[0] != 'E') return 0;
    const size_t sign = text[1] == '+' || text[1] == '-';
    const size_t count = digits(text + 1 + sign);
    return count > 0 ? 1 + sign + count : 0;
}

size_t scene_number_length(const char *text)
{
    const size_t whole = digits(text);
    size_t length = whole;
    if (text[length] == '.') {
        const size_t fraction = digits(text + length + 1);
        if (whole + fraction == 0) return 0;
        length += 1 + fraction;
    }
    return length == 0 ? 0 : length + exponent_length(text + length);
}

bool scene_number_read(const char *text, size_t length, double *value)
{
    const size_t sign = length > 0 && (text[0] == '+' || text[0] == '-');
    const size_t unsigned_length = scene_number_length(text + sign);
    if (unsigned_length == 0 || sign + unsigned_length != length) return false;

    const StiLocale locale = sti_locale_begin();
    char *end;
    *value = strtod(text, &end);
    sti_locale_end(locale);
    return end == text + length;
}
