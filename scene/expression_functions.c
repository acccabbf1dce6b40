// The functions of expressions: docs/scene-format.md.
#include <math.h>
#include <string.h>

#include "expression_syntax.h"
#include "stiction/elementary.h"

static double sign(double x) { return isnan(x) ? x : (x > 0.0) - (x < 0.0); }

static double step(double x) { return isnan(x) ? x : x < 0.0 ? 0.0 : 1.0; }

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

// Unlike fmin and fmax these do not hide a NaN.
static double smallest(const double *x, int count)
{
    double least = x[0];
    for (int i = 1; i < count; ++i)
        if (isnan(x[i]) || x[i] < least) least = x[i];
    return least;
}

static double largest(const double *x, int count)
{
    double most = x[0];
    for (int i = 1; i < count; ++i)
        if (isnan(x[i]) || x[i] > most) most = x[i];
    return most;
}

static const Function functions[] = {
    {"sin", 1, .one = sti_sin},     {"cos", 1, .one = sti_cos},   {"tan", 1, .one = sti_tan},
    {"asin", 1, .one = sti_asin},   {"acos", 1, .one = sti_acos}, {"atan", 1, .one = sti_atan},
    {"atan2", 2, .two = sti_atan2}, {"sinh", 1, .one = sti_sinh}, {"cosh", 1, .one = sti_cosh},
    {"tanh", 1, .one = sti_tanh},   {"exp", 1, .one = sti_exp},   {"ln", 1, .one = sti_log},
    {"log10", 1, .one = sti_log10}, {"sqrt", 1, .one = sqrt},     {"abs", 1, .one = fabs},
    {"sign", 1, .one = sign},       {"min", 0, .any = smallest},  {"max", 0, .any = largest},
    {"rint", 1, .one = rint},       {"clamp", 3, .three = clamp}, {"step", 1, .one = step},
};

const Function *scene_functions(int *count)
{
    *count = sizeof functions / sizeof functions[0];
    return functions;
}

const Function *scene_function_find(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; ++i)
        if (strncmp(functions[i].name, name, length) == 0 && functions[i].name[length] == '\0')
            return &functions[i];
    return NULL;
}
