// Private: the grammar of expressions, checked before muparser sees them. Messages so have our
// words and the right places, and do not change with muparser's version.
#ifndef STICTION_SCENE_EXPRESSION_SYNTAX_H
#define STICTION_SCENE_EXPRESSION_SYNTAX_H

#include <stdbool.h>
#include <stddef.h>

enum { SCENE_LONGEST_EXPRESSION = 4000 };

typedef struct Function {
    const char *name;
    int arguments; // 0: any number from 1
    double (*one)(double);
    double (*two)(double, double);
    double (*three)(double, double, double);
    double (*any)(const double *, int);
} Function;

const Function *scene_functions(int *count);
const Function *scene_function_find(const char *name, size_t length);

// An expression in muparser's words: the variables are called v0, v1, ... in the order in which
// they occur, because names of channels need not be names for muparser, and && || are & |.
typedef struct Formula {
    char *text; // to be freed
    int *used;  // of each variable its index among the caller's names; to be freed
    int used_count;
} Formula;

// False after writing to error (of size error_size) what is wrong, where, and what would be right.
bool scene_formula_translate(const char *text, const char *const *names, int count,
                             Formula *formula, char *error, size_t error_size);

#endif
