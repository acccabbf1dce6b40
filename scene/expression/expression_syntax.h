// Private: the grammar of expressions. Text becomes tokens that follow each other as they should, or a
// message with what is wrong and where.
#ifndef STICTION_SCENE_EXPRESSION_SYNTAX_H
#define STICTION_SCENE_EXPRESSION_SYNTAX_H

#include <stdbool.h>
#include <stddef.h>

#include "expression/program.h"

enum { SCENE_LONGEST_EXPRESSION = 4000 };

typedef struct FunctionWord {
    const char *name;
    int arguments; // 0: any number from 1
    Operation operation;
} FunctionWord;

const FunctionWord *scene_functions(int *count);
const FunctionWord *scene_function_find(const char *name, size_t length);

typedef enum TokenType {
    TOKEN_NUMBER,
    TOKEN_VARIABLE,
    TOKEN_FUNCTION, // and its opening bracket
    TOKEN_TABLE,    // the name of a table, first argument of table(); and its comma
    TOKEN_OPERATOR, // a character of "+-*/^?:,()", or of two: <= is 'l', >= 'g', == '=', != '!', && '&', || '|'
    TOKEN_END
} TokenType;

typedef struct Token {
    TokenType type;
    char operator;
    int index; // of the variable among the names, of the table
    double number;
    const FunctionWord *function;
} Token;

// Names that expressions may use. Those from first_constant on have constant values.
typedef struct Vocabulary {
    const char *const *names;
    int count;
    int first_constant;
    const double *constants; // of all names; those before first_constant are not read
    const struct Table *const
        *tables; // of each name, or NULL where it is no table; NULL: no tables
} Vocabulary;

// Tokens, closed by TOKEN_END; to be freed. NULL after writing to error (of size error_size) what is
// wrong, where, and what would be right.
Token *scene_tokens(const char *text, const Vocabulary *vocabulary, char *error, size_t error_size);

#endif
