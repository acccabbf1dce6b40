// How an expression, and the margins at which it switches, depend on time.
#include <stdlib.h>

#include "read/reader.h"

// A value on the stack: its degree, and whether it is a truth, whose jumps are known from its operation.
typedef struct Dependence {
    Degree degree;
    bool truth;
} Dependence;

static Degree larger(Degree a, Degree b) { return a > b ? a : b; }

static Dependence variable_of(const Names *names, const int *origins, int variable)
{
    const int index = origins != NULL ? origins[variable] : variable;
    if (index < 0) return (Dependence){DEGREE_STATE, false};
    if (index == 0) return (Dependence){DEGREE_LINE, false};
    if (index > names->input_count) return (Dependence){DEGREE_CONSTANT, false};
    return (Dependence){names->inputs[index - 1].degree, false};
}

static Degree degree_after(Operation operation, const Dependence *x, int operands)
{
    Degree most = DEGREE_CONSTANT;
    for (int i = 0; i < operands; ++i) most = larger(most, x[i].degree);
    if (most == DEGREE_CONSTANT || most == DEGREE_STATE) return most;
    if (operation == OP_ADD || operation == OP_SUBTRACT || operation == OP_MINUS) return most;
    if (operation == OP_MULTIPLY &&
        (x[0].degree == DEGREE_CONSTANT || x[1].degree == DEGREE_CONSTANT))
        return most;
    if (operation == OP_DIVIDE && x[1].degree == DEGREE_CONSTANT) return most;
    return DEGREE_ANY;
}

static bool gives_truth(Operation operation) { return operation >= OP_LESS && operation <= OP_OR; }

// Of the two margins of an operation.
static void margin_degrees(Operation operation, const Dependence *x, Degree degrees[2])
{
    degrees[0] = x[0].degree;
    degrees[1] = DEGREE_CONSTANT;
    switch (operation) {
    case OP_AND:
    case OP_OR:
        degrees[0] = x[0].truth ? DEGREE_CONSTANT : x[0].degree;
        degrees[1] = x[1].truth ? DEGREE_CONSTANT : x[1].degree;
        break;
    case OP_CHOOSE:
        degrees[0] = x[0].truth ? DEGREE_CONSTANT : x[0].degree;
        break;
    case OP_CLAMP:
        degrees[0] = larger(x[0].degree, x[1].degree);
        degrees[1] = larger(x[0].degree, x[2].degree);
        break;
    case OP_MOD:
        if (x[1].degree != DEGREE_CONSTANT)
            degrees[0] = larger(larger(x[0].degree, x[1].degree), DEGREE_ANY);
        break;
    case OP_NOISE:
        degrees[0] = x[1].degree;
        break;
    case OP_LESS:
    case OP_LESS_EQUAL:
    case OP_GREATER:
    case OP_GREATER_EQUAL:
    case OP_EQUAL:
    case OP_UNEQUAL:
    case OP_MIN:
    case OP_MAX:
        degrees[0] = larger(x[0].degree, x[1].degree);
        break;
    default:
        break;
    }
}

bool scene_trace_degrees(const Names *names, const Program *program, const int *origins,
                         Degree (*margins)[2], Degree *result)
{
    Dependence *stack = calloc((size_t)program->depth + 1, sizeof *stack), *top = stack;
    if (stack == NULL) return false;
    for (int i = 0; i < program->count; ++i) {
        const Instruction *in = &program->code[i];
        Dependence next = {DEGREE_CONSTANT, false};
        top -= in->operands;
        if (in->operation == OP_VARIABLE) next = variable_of(names, origins, in->index);
        if (in->operands > 0) {
            next = (Dependence){degree_after(in->operation, top, in->operands),
                                gives_truth(in->operation)};
            if (margins != NULL) margin_degrees(in->operation, top, margins[i]);
        }
        *top++ = next;
    }
    *result = stack[0].degree;
    free(stack);
    return true;
}

Degree scene_degree(const Names *names, const Program *program)
{
    Degree degree = DEGREE_ANY;
    scene_trace_degrees(names, program, NULL, NULL, &degree);
    return degree;
}
