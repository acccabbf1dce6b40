// Any bytes as an expression.
#include <string.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"t", "x", "block.v", "left-wheel.x", "x.1", "v0"};
    enum { NAMES = sizeof names / sizeof names[0] };
    const double values[NAMES] = {0.5, -2.0, 0.0, 1e300, 3.0, -0.0};
    char error[200] = "", *text = malloc(size + 1);
    if (text == NULL) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    StiExpression *expression = sti_expression_create(text, names, NAMES, error, sizeof error);
    if (expression == NULL && error[0] == '\0') abort();
    if (expression != NULL) {
        const double first = sti_expression_value(expression, values);
        const double again = sti_expression_value(expression, values);
        if (memcmp(&first, &again, sizeof first) != 0 && first == first) abort();
        for (int i = 0; i < NAMES; ++i) sti_expression_uses(expression, i);
    }
    sti_expression_destroy(expression);
    free(text);
    return 0;
}
