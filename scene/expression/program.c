// Tokens become a program, by precedence: ? :, ||, &&, comparisons, + -, * /, sign, ^ (to the right).
#include "expression/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expression/expression_syntax.h"

typedef struct Compiler {
    const Token *at;
    const Vocabulary *words;
    Program *program;
    int height;   // of the stack
    int time;     // the variable t, -1: there is none
    bool no_time; // noise without t
} Compiler;

static int operands_of(Operation operation)
{
    switch (operation) {
    case OP_NUMBER:
    case OP_VARIABLE:
        return 0;
    case OP_CHOOSE:
    case OP_CLAMP:
        return 3;
    case OP_ADD:
    case OP_SUBTRACT:
    case OP_MULTIPLY:
    case OP_DIVIDE:
    case OP_POWER:
    case OP_LESS:
    case OP_LESS_EQUAL:
    case OP_GREATER:
    case OP_GREATER_EQUAL:
    case OP_EQUAL:
    case OP_UNEQUAL:
    case OP_AND:
    case OP_OR:
    case OP_ATAN2:
    case OP_MOD:
    case OP_MIN:
    case OP_MAX:
    case OP_NOISE:
        return 2;
    default:
        return 1;
    }
}

// Operands that are all constants give a constant.
static void emit(Compiler *c, Instruction instruction)
{
    Program *p = c->program;
    const int operands = instruction.operands = operands_of(instruction.operation);
    double values[3];
    bool constant = operands > 0;
    for (int i = 0; constant && i < operands; ++i) {
        const Instruction *from = &p->code[p->count - operands + i];
        constant = from->operation == OP_NUMBER;
        values[i] = from->number;
    }
    c->height += 1 - operands;
    if (constant) {
        p->count -= operands;
        instruction =
            (Instruction){.operation = OP_NUMBER, .number = scene_operate(&instruction, values)};
    }
    p->code[p->count++] = instruction;
    if (c->height > p->depth) p->depth = c->height;
}

static void emit_plain(Compiler *c, Operation operation)
{
    emit(c, (Instruction){.operation = operation});
}

static void emit_number(Compiler *c, double number)
{
    emit(c, (Instruction){.operation = OP_NUMBER, .number = number});
}

static bool take(Compiler *c, char operator)
{
    if (c->at->type != TOKEN_OPERATOR || c->at->operator!= operator) return false;
    ++c->at;
    return true;
}

static void compile_choice(Compiler *c);

static void compile_variable(Compiler *c, int index)
{
    if (index >= c->words->first_constant)
        emit_number(c, c->words->constants[index]);
    else
        emit(c, (Instruction){.operation = OP_VARIABLE, .index = index});
}

// The bracket is behind; min and max of many are taken two by two.
static void compile_function(Compiler *c)
{
    const FunctionWord *function = (c->at++)->function;
    const bool folds = function->arguments == 0;
    Instruction instruction = {.operation = function->operation};
    if (c->at->type == TOKEN_TABLE) instruction.table = c->words->tables[(c->at++)->index];
    compile_choice(c);
    while (take(c, ',')) {
        compile_choice(c);
        if (folds) emit(c, instruction);
    }
    if (function->operation == OP_NOISE) {
        c->no_time = c->no_time || c->time < 0;
        if (c->time >= 0)
            compile_variable(c, c->time);
        else
            emit_number(c, 0.0);
        emit_plain(c, OP_MULTIPLY);
    }
    if (!folds) emit(c, instruction);
    take(c, ')');
}

static void compile_operand(Compiler *c)
{
    if (take(c, '(')) {
        compile_choice(c);
        take(c, ')');
    } else if (c->at->type == TOKEN_FUNCTION) {
        compile_function(c);
    } else if (c->at->type == TOKEN_NUMBER) {
        emit_number(c, (c->at++)->number);
    } else {
        compile_variable(c, (c->at++)->index);
    }
}

static void compile_sign(Compiler *c);

static void compile_power(Compiler *c)
{
    compile_operand(c);
    if (!take(c, '^')) return;
    compile_sign(c);
    emit_plain(c, OP_POWER);
}

static void compile_sign(Compiler *c)
{
    const bool minus = take(c, 'n');
    compile_power(c);
    if (minus) emit_plain(c, OP_MINUS);
}

static void compile_product(Compiler *c)
{
    compile_sign(c);
    for (;;) {
        const bool times = take(c, '*');
        if (!times && !take(c, '/')) return;
        compile_sign(c);
        emit_plain(c, times ? OP_MULTIPLY : OP_DIVIDE);
    }
}

static void compile_sum(Compiler *c)
{
    compile_product(c);
    for (;;) {
        const bool plus = take(c, '+');
        if (!plus && !take(c, '-')) return;
        compile_product(c);
        emit_plain(c, plus ? OP_ADD : OP_SUBTRACT);
    }
}

static void compile_comparison(Compiler *c)
{
    static const char operators[] = "<l>g=!";
    compile_sum(c);
    for (int i = 0; operators[i] != '\0'; ++i) {
        if (!take(c, operators[i])) continue;
        compile_sum(c);
        emit_plain(c, (Operation)(OP_LESS + i));
        return;
    }
}

static void compile_both(Compiler *c)
{
    compile_comparison(c);
    while (take(c, '&')) {
        compile_comparison(c);
        emit_plain(c, OP_AND);
    }
}

static void compile_either(Compiler *c)
{
    compile_both(c);
    while (take(c, '|')) {
        compile_both(c);
        emit_plain(c, OP_OR);
    }
}

static void compile_choice(Compiler *c)
{
    compile_either(c);
    if (!take(c, '?')) return;
    compile_choice(c);
    take(c, ':');
    compile_choice(c);
    emit_plain(c, OP_CHOOSE);
}

static int count_tokens(const Token *tokens)
{
    int count = 0;
    while (tokens[count].type != TOKEN_END) ++count;
    return count;
}

static int find_time(const Vocabulary *words)
{
    for (int i = 0; i < words->count; ++i)
        if (strcmp(words->names[i], "t") == 0) return i;
    return -1;
}

static void say(char *error, size_t size, const char *text)
{
    if (size > 0) snprintf(error, size, "%s", text);
}

Program *scene_program_create(const char *text, const Vocabulary *vocabulary, char *error,
                              size_t error_size)
{
    Token *tokens = scene_tokens(text, vocabulary, error, error_size);
    if (tokens == NULL) return NULL;
    Program *program = calloc(1, sizeof *program);
    // A noise brings two instructions more than it has tokens.
    if (program != NULL)
        program->code = calloc(2 * (size_t)count_tokens(tokens) + 1, sizeof *program->code);
    if (program == NULL || program->code == NULL) {
        say(error, error_size, "out of memory");
        free(program);
        free(tokens);
        return NULL;
    }
    Compiler compiler = {.at = tokens,
                         .words = vocabulary,
                         .program = program,
                         .time = find_time(vocabulary)};
    compile_choice(&compiler);
    free(tokens);
    if (!compiler.no_time) return program;
    say(error, error_size, "noise is a function of t, which is not known here");
    scene_program_destroy(program);
    return NULL;
}

void scene_program_destroy(Program *program)
{
    if (program == NULL) return;
    free(program->code);
    free(program);
}

bool scene_program_uses(const Program *program, int variable)
{
    for (int i = 0; i < program->count; ++i)
        if (program->code[i].operation == OP_VARIABLE && program->code[i].index == variable)
            return true;
    return false;
}
