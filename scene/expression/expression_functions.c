// The functions of expressions: docs/scene-format.md.
#include <string.h>

#include "expression/expression_syntax.h"

static const FunctionWord functions[] = {
    {"sin", 1, OP_SIN},     {"cos", 1, OP_COS},     {"tan", 1, OP_TAN},     {"asin", 1, OP_ASIN},
    {"acos", 1, OP_ACOS},   {"atan", 1, OP_ATAN},   {"atan2", 2, OP_ATAN2}, {"sinh", 1, OP_SINH},
    {"cosh", 1, OP_COSH},   {"tanh", 1, OP_TANH},   {"exp", 1, OP_EXP},     {"ln", 1, OP_LN},
    {"log10", 1, OP_LOG10}, {"sqrt", 1, OP_SQRT},   {"abs", 1, OP_ABS},     {"sign", 1, OP_SIGN},
    {"min", 0, OP_MIN},     {"max", 0, OP_MAX},     {"rint", 1, OP_RINT},   {"floor", 1, OP_FLOOR},
    {"mod", 2, OP_MOD},     {"clamp", 3, OP_CLAMP}, {"step", 1, OP_STEP},   {"noise", 2, OP_NOISE},
    {"table", 2, OP_TABLE},
};

const FunctionWord *scene_functions(int *count)
{
    *count = sizeof functions / sizeof functions[0];
    return functions;
}

const FunctionWord *scene_function_find(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; ++i)
        if (strncmp(functions[i].name, name, length) == 0 && functions[i].name[length] == '\0')
            return &functions[i];
    return NULL;
}
