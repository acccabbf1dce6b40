// Expressions outside scenes: of plain numbers.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "expression/expression_syntax.h"
#include "stiction/scene.h"

struct StiExpression {
    Program *program;
    double *stack;
};

StiExpression *sti_expression_create(const char *text, const char *const *names, int count,
                                     char *error, size_t error_size)
{
    const Vocabulary words = {.names = names, .count = count, .first_constant = INT_MAX};
    Program *program = scene_program_create(text, &words, error, error_size);
    if (program == NULL) return NULL;
    StiExpression *expression = calloc(1, sizeof *expression);
    double *stack = calloc((size_t)program->depth + 1, sizeof *stack);
    if (expression == NULL || stack == NULL) {
        if (error_size > 0) snprintf(error, error_size, "out of memory");
        free(expression);
        free(stack);
        scene_program_destroy(program);
        return NULL;
    }
    *expression = (StiExpression){program, stack};
    return expression;
}

double sti_expression_value(StiExpression *expression, const double *values)
{
    return scene_program_value(expression->program, values, expression->stack);
}

bool sti_expression_uses(const StiExpression *expression, int name)
{
    return scene_program_uses(expression->program, name);
}

void sti_expression_destroy(StiExpression *expression)
{
    if (expression == NULL) return;
    scene_program_destroy(expression->program);
    free(expression->stack);
    free(expression);
}
