#include <math.h>
#include <stdint.h>
#include <string.h>

#include "expression/program.h"
#include "stiction/elementary.h"
#include "expression/table.h"

// A whole number's pseudo-random one in -1 to 1 (the finaliser of SplitMix64).
static double noise(double seed, double phase)
{
    const double whole[2] = {seed, floor(phase)};
    uint64_t bits[2];
    if (isnan(seed) || isnan(phase)) return NAN;
    memcpy(bits, whole, sizeof bits);
    uint64_t z = bits[0] * 0x9e3779b97f4a7c15u + bits[1];
    for (int i = 0; i < 2; ++i) {
        z += 0x9e3779b97f4a7c15u;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        z ^= z >> 31;
    }
    return (double)(z >> 11) * 0x1p-52 - 1.0;
}

// Small whole powers as products: the same bits as written out.
static double power(double x, double y)
{
    if (y == 2.0) return x * x;
    if (y == 3.0) return x * x * x;
    if (y == 4.0) return (x * x) * (x * x);
    return sti_pow(x, y);
}

static double mod(double x, double y) { return x - y * floor(x / y); }

static double operate(const Instruction *in, const double *x)
{
    switch (in->operation) {
    case OP_NUMBER:
        return in->number;
    case OP_VARIABLE:
        return NAN; // not here
    case OP_ADD:
        return x[0] + x[1];
    case OP_SUBTRACT:
        return x[0] - x[1];
    case OP_MULTIPLY:
        return x[0] * x[1];
    case OP_DIVIDE:
        return x[0] / x[1];
    case OP_POWER:
        return power(x[0], x[1]);
    case OP_MINUS:
        return -x[0];
    case OP_LESS:
        return x[0] < x[1];
    case OP_LESS_EQUAL:
        return x[0] <= x[1];
    case OP_GREATER:
        return x[0] > x[1];
    case OP_GREATER_EQUAL:
        return x[0] >= x[1];
    case OP_EQUAL:
        return x[0] == x[1];
    case OP_UNEQUAL:
        return x[0] != x[1];
    case OP_AND:
        return x[0] != 0.0 && x[1] != 0.0;
    case OP_OR:
        return x[0] != 0.0 || x[1] != 0.0;
    case OP_CHOOSE:
        return x[0] != 0.0 ? x[1] : x[2];
    case OP_SIN:
        return sti_sin(x[0]);
    case OP_COS:
        return sti_cos(x[0]);
    case OP_TAN:
        return sti_tan(x[0]);
    case OP_ASIN:
        return sti_asin(x[0]);
    case OP_ACOS:
        return sti_acos(x[0]);
    case OP_ATAN:
        return sti_atan(x[0]);
    case OP_ATAN2:
        return sti_atan2(x[0], x[1]);
    case OP_SINH:
        return sti_sinh(x[0]);
    case OP_COSH:
        return sti_cosh(x[0]);
    case OP_TANH:
        return sti_tanh(x[0]);
    case OP_EXP:
        return sti_exp(x[0]);
    case OP_LN:
        return sti_log(x[0]);
    case OP_LOG10:
        return sti_log10(x[0]);
    case OP_SQRT:
        return sqrt(x[0]);
    case OP_ABS:
        return fabs(x[0]);
    case OP_SIGN:
        return isnan(x[0]) ? x[0] : (x[0] > 0.0) - (x[0] < 0.0);
    case OP_STEP:
        return isnan(x[0]) ? x[0] : x[0] < 0.0 ? 0.0 : 1.0;
    case OP_RINT:
        return rint(x[0]);
    case OP_FLOOR:
        return floor(x[0]);
    case OP_MOD:
        return mod(x[0], x[1]);
    case OP_MIN:
        return isnan(x[1]) || x[1] < x[0] ? x[1] : x[0]; // unlike fmin, a NaN is not hidden
    case OP_MAX:
        return isnan(x[1]) || x[1] > x[0] ? x[1] : x[0];
    case OP_CLAMP:
        return x[0] < x[1] ? x[1] : x[0] > x[2] ? x[2] : x[0];
    case OP_NOISE:
        return noise(x[0], x[1]);
    case OP_TABLE:
        return scene_table_value(in->table, x[0]);
    }
    return NAN;
}

double scene_operate(const Instruction *instruction, const double *operands)
{
    return operate(instruction, operands);
}

double scene_program_value(const Program *program, const double *values, double *stack)
{
    double *top = stack; // behind the last value
    for (const Instruction *in = program->code, *end = in + program->count; in < end; ++in) {
        if (in->operation == OP_VARIABLE) {
            *top++ = values[in->index];
        } else if (in->operation == OP_NUMBER) {
            *top++ = in->number;
        } else {
            top -= in->operands;
            *top = operate(in, top);
            ++top;
        }
    }
    return stack[0];
}
