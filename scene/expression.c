#include "stiction/scene.h"

#include <math.h>
#include <muParserDLL.h>
#include <stdio.h>
#include <stdlib.h>

#include "expression_syntax.h"

struct StiExpression {
    muParserHandle_t parser;
    int *used;      // of each variable its index among the caller's names
    double *values; // what the parser reads
    int used_count;
};

// muparser's own && and || cut constants to whole numbers (0.5 && 1 is 0 for it), so formulas have
// operators of ours, with the same precedence: below comparisons, above "? :".
enum { OR_PRECEDENCE = 1, AND_PRECEDENCE = 2 };

static double both(double a, double b) { return a != 0.0 && b != 0.0; }

static double either(double a, double b) { return a != 0.0 || b != 0.0; }

static void define_operators(muParserHandle_t parser)
{
    mupDefineOprt(parser, "&", both, AND_PRECEDENCE, muOPRT_ASCT_LEFT, 1);
    mupDefineOprt(parser, "|", either, OR_PRECEDENCE, muOPRT_ASCT_LEFT, 1);
}

static void define_functions(muParserHandle_t parser)
{
    int count;
    const Function *functions = scene_functions(&count);
    mupClearFun(
        parser); // some of muparser's own are not ours, and some differ between its versions
    for (int i = 0; i < count; ++i) {
        const Function *f = &functions[i];
        if (f->one != NULL) mupDefineFun1(parser, f->name, f->one, 1);
        if (f->two != NULL) mupDefineFun2(parser, f->name, f->two, 1);
        if (f->three != NULL) mupDefineFun3(parser, f->name, f->three, 1);
        if (f->any != NULL) mupDefineMultFun(parser, f->name, f->any, 1);
    }
    mupClearConst(parser);
    mupDefineConst(parser, "pi", 3.14159265358979323846);
}

static void define_variables(StiExpression *expression)
{
    for (int i = 0; i < expression->used_count; ++i) {
        char name[16];
        snprintf(name, sizeof name, "v%d", i);
        mupDefineVar(expression->parser, name, &expression->values[i]);
    }
}

// The first evaluation compiles; later ones do not allocate.
static bool compile(StiExpression *expression, const char *text, char *error, size_t error_size)
{
    expression->parser = mupCreate(muBASETYPE_FLOAT);
    if (expression->parser == NULL) {
        snprintf(error, error_size, "out of memory");
        return false;
    }
    define_operators(expression->parser);
    define_functions(expression->parser);
    define_variables(expression);
    mupSetExpr(expression->parser, text);
    mupEval(expression->parser);
    if (!mupError(expression->parser)) return true;
    snprintf(error, error_size, "this expression cannot be evaluated: %s",
             mupGetErrorMsg(expression->parser));
    return false;
}

// Takes over the list of used names.
static StiExpression *new_expression(Formula *formula)
{
    StiExpression *expression = calloc(1, sizeof *expression);
    double *values = calloc((size_t)formula->used_count + 1, sizeof *values);
    if (expression == NULL || values == NULL) {
        free(expression);
        free(values);
        return NULL;
    }
    *expression = (StiExpression){NULL, formula->used, values, formula->used_count};
    formula->used = NULL;
    return expression;
}

StiExpression *sti_expression_create(const char *text, const char *const *names, int count,
                                     char *error, size_t error_size)
{
    Formula formula = {0};
    if (!scene_formula_translate(text, names, count, &formula, error, error_size)) return NULL;
    StiExpression *expression = new_expression(&formula);
    if (expression == NULL) snprintf(error, error_size, "out of memory");
    if (expression != NULL && !compile(expression, formula.text, error, error_size)) {
        sti_expression_destroy(expression);
        expression = NULL;
    }
    free(formula.text);
    free(formula.used);
    return expression;
}

double sti_expression_value(StiExpression *expression, const double *values)
{
    for (int i = 0; i < expression->used_count; ++i)
        expression->values[i] = values[expression->used[i]];
    const double value = mupEval(expression->parser);
    return mupError(expression->parser) ? NAN : value;
}

bool sti_expression_uses(const StiExpression *expression, int name)
{
    for (int i = 0; i < expression->used_count; ++i)
        if (expression->used[i] == name) return true;
    return false;
}

void sti_expression_destroy(StiExpression *expression)
{
    if (expression == NULL) return;
    if (expression->parser != NULL) mupRelease(expression->parser);
    free(expression->values);
    free(expression->used);
    free(expression);
}
