// Private: expressions, compiled to operations on a stack, and their values and derivatives.
#ifndef STICTION_SCENE_PROGRAM_H
#define STICTION_SCENE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

struct Table;
struct Vocabulary;

typedef enum Operation {
    OP_NUMBER,
    OP_VARIABLE,
    OP_ADD,
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_POWER,
    OP_MINUS,
    OP_LESS,
    OP_LESS_EQUAL,
    OP_GREATER,
    OP_GREATER_EQUAL,
    OP_EQUAL,
    OP_UNEQUAL,
    OP_AND,
    OP_OR,
    OP_CHOOSE, // condition, then, else
    OP_SIN,
    OP_COS,
    OP_TAN,
    OP_ASIN,
    OP_ACOS,
    OP_ATAN,
    OP_ATAN2,
    OP_SINH,
    OP_COSH,
    OP_TANH,
    OP_EXP,
    OP_LN,
    OP_LOG10,
    OP_SQRT,
    OP_ABS,
    OP_SIGN,
    OP_STEP,
    OP_RINT,
    OP_FLOOR,
    OP_MOD, // x - y floor(x/y)
    OP_MIN,
    OP_MAX,
    OP_CLAMP,
    OP_NOISE, // seed, phase: a number in -1 to 1 for each whole part of the phase
    OP_TABLE
} Operation;

// A value that moves in time: value, rate, acceleration.
typedef struct Jet {
    double x, v, a;
} Jet;

typedef struct Instruction {
    Operation operation;
    int operands;              // taken from the stack; one value is left there
    int index;                 // of a variable
    double number;             // OP_NUMBER
    const struct Table *table; // OP_TABLE
} Instruction;

typedef struct Program {
    Instruction *code;
    int count;
    int depth; // of the stack
} Program;

// NULL after writing what is wrong. Constant parts are computed once.
Program *scene_program_create(const char *text, const struct Vocabulary *vocabulary, char *error,
                              size_t error_size);
void scene_program_destroy(Program *program);
bool scene_program_uses(const Program *program, int variable);

// One operation on values.
double scene_operate(const Instruction *instruction, const double *operands);

// stack: of program->depth numbers. values: of the variables.
double scene_program_value(const Program *program, const double *values, double *stack);

// margins: of each instruction that has a kink or jump, by what it is switched (scene_switches says how); may be
// NULL. The second margin, of a clamp, is in more.
typedef struct Margin {
    Jet first, second;
} Margin;
Jet scene_program_jet(const Program *program, const Jet *variables, Jet *stack, Margin *margins);

// Where a margin makes its operation kink or jump.
typedef enum SwitchAt {
    SWITCH_NONE,
    SWITCH_AT_ZERO,
    SWITCH_AT_WHOLE, // numbers
    SWITCH_AT_POINTS // of the table
} SwitchAt;
SwitchAt scene_switches(Operation operation);

#endif
