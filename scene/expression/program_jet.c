// Values with their rates and accelerations: exact, by the chain rule.
#include <math.h>

#include "expression/program.h"
#include "stiction/elementary.h"
#include "expression/table.h"

static Jet constant(double x) { return (Jet){x, 0.0, 0.0}; }

static Jet sum(Jet a, double factor, Jet b)
{
    return (Jet){a.x + factor * b.x, a.v + factor * b.v, a.a + factor * b.a};
}

// What is 0 stays so, also beside a rate that is infinite: t sqrt(t) at 0.
static double times(double a, double b) { return a == 0.0 || b == 0.0 ? 0.0 : a * b; }

static Jet product(Jet a, Jet b)
{
    return (Jet){a.x * b.x, times(a.v, b.x) + times(a.x, b.v),
                 times(a.a, b.x) + 2.0 * times(a.v, b.v) + times(a.x, b.a)};
}

static Jet quotient(Jet a, Jet b)
{
    const double q = a.x / b.x, v = (a.v - q * b.v) / b.x;
    return (Jet){q, v, (a.a - 2.0 * v * b.v - q * b.a) / b.x};
}

// f(x) with f' and f''. What stands still has no rate, however steep f is there.
static Jet chain(double f, double slope, double bend, Jet x)
{
    if (x.v == 0.0 && x.a == 0.0) return constant(f);
    const double square = x.v * x.v;
    return (Jet){f, slope * x.v,
                 (square != 0.0 ? bend * square : 0.0) + (x.a != 0.0 ? slope * x.a : 0.0)};
}

// Which of two is less from now on: of equal ones the slower.
static bool falls_below(Jet a, Jet b)
{
    if (a.x != b.x) return a.x < b.x;
    return a.v != b.v ? a.v < b.v : a.a < b.a;
}

static Jet smaller(Jet a, Jet b) { return isnan(b.x) || falls_below(b, a) ? b : a; }

static Jet larger(Jet a, Jet b) { return isnan(b.x) || falls_below(a, b) ? b : a; }

static Jet absolute(Jet x)
{
    const Jet turned = {-x.x, -x.v, -x.a};
    const Jet value = falls_below(x, constant(0.0)) ? turned : x;
    return (Jet){fabs(x.x), value.v, value.a};
}

static Jet power(Jet x, Jet y)
{
    const double n = y.x;
    if (y.v == 0.0 && y.a == 0.0) {
        if (n == 2.0) return product(x, x);
        if (n == 3.0) return product(product(x, x), x);
        if (n == 4.0) return product(product(x, x), product(x, x));
        if (n == 1.0 || n == 0.0) return n == 1.0 ? x : constant(1.0);
        return chain(sti_pow(x.x, n), n * sti_pow(x.x, n - 1.0),
                     n * (n - 1.0) * sti_pow(x.x, n - 2.0), x);
    }
    const double log = sti_log(x.x);
    const Jet exponent = product(y, chain(log, 1.0 / x.x, -1.0 / (x.x * x.x), x));
    const double f = sti_pow(x.x, n);
    return chain(f, f, f, exponent);
}

static Jet arc_tangent(Jet y, Jet x)
{
    const double square = x.x * x.x + y.x * y.x;
    const double v = (y.v * x.x - x.v * y.x) / square,
                 a = ((y.a * x.x - x.a * y.x) - 2.0 * v * (x.x * x.v + y.x * y.v)) / square;
    return (Jet){sti_atan2(y.x, x.x), v, a};
}

static Jet table_jet(const Table *table, Jet x)
{
    return chain(scene_table_value(table, x.x), scene_table_rate(table, x.x), 0.0, x);
}

static Jet trigonometric(Operation operation, Jet x)
{
    double s, c;
    sti_sincos(x.x, &s, &c);
    if (operation == OP_SIN) return chain(s, c, -s, x);
    if (operation == OP_COS) return chain(c, -s, -c, x);
    const double tangent = sti_tan(x.x), slope = 1.0 + tangent * tangent;
    return chain(tangent, slope, 2.0 * tangent * slope, x);
}

static Jet inverse_trigonometric(Operation operation, Jet x)
{
    if (operation == OP_ATAN) {
        const double slope = 1.0 / (1.0 + x.x * x.x);
        return chain(sti_atan(x.x), slope, -2.0 * x.x * slope * slope, x);
    }
    const double rest = (1.0 - x.x) * (1.0 + x.x), slope = 1.0 / sqrt(rest),
                 bend = x.x * slope / rest;
    if (operation == OP_ASIN) return chain(sti_asin(x.x), slope, bend, x);
    return chain(sti_acos(x.x), -slope, -bend, x);
}

static Jet hyperbolic(Operation operation, Jet x)
{
    const double s = sti_sinh(x.x), c = sti_cosh(x.x), t = sti_tanh(x.x),
                 slope = (1.0 - t) * (1.0 + t);
    if (operation == OP_SINH) return chain(s, c, s, x);
    if (operation == OP_COSH) return chain(c, s, c, x);
    return chain(t, slope, -2.0 * t * slope, x);
}

static Jet logarithm(Operation operation, Jet x)
{
    const double unit = operation == OP_LN ? 1.0 : 0.43429448190325182765; // 1/ln 10
    const double value = operation == OP_LN ? sti_log(x.x) : sti_log10(x.x);
    return chain(value, unit / x.x, -unit / (x.x * x.x), x);
}

static Jet operate(const Instruction *in, const Jet *x)
{
    switch (in->operation) {
    case OP_ADD:
        return sum(x[0], 1.0, x[1]);
    case OP_SUBTRACT:
        return sum(x[0], -1.0, x[1]);
    case OP_MULTIPLY:
        return product(x[0], x[1]);
    case OP_DIVIDE:
        return quotient(x[0], x[1]);
    case OP_POWER:
        return power(x[0], x[1]);
    case OP_MINUS:
        return (Jet){-x[0].x, -x[0].v, -x[0].a};
    case OP_CHOOSE:
        return x[0].x != 0.0 ? x[1] : x[2];
    case OP_SIN:
    case OP_COS:
    case OP_TAN:
        return trigonometric(in->operation, x[0]);
    case OP_ASIN:
    case OP_ACOS:
    case OP_ATAN:
        return inverse_trigonometric(in->operation, x[0]);
    case OP_ATAN2:
        return arc_tangent(x[0], x[1]);
    case OP_SINH:
    case OP_COSH:
    case OP_TANH:
        return hyperbolic(in->operation, x[0]);
    case OP_EXP: {
        const double e = sti_exp(x[0].x);
        return chain(e, e, e, x[0]);
    }
    case OP_LN:
    case OP_LOG10:
        return logarithm(in->operation, x[0]);
    case OP_SQRT: {
        const double root = sqrt(x[0].x);
        return chain(root, 0.5 / root, -0.25 / (root * x[0].x), x[0]);
    }
    case OP_ABS:
        return absolute(x[0]);
    case OP_MOD:
        return sum(x[0], -floor(x[0].x / x[1].x), x[1]);
    case OP_MIN:
        return smaller(x[0], x[1]);
    case OP_MAX:
        return larger(x[0], x[1]);
    case OP_CLAMP:
        return falls_below(x[0], x[1]) ? x[1] : falls_below(x[2], x[0]) ? x[2] : x[0];
    case OP_TABLE:
        return table_jet(in->table, x[0]);
    default: { // steps: constant but where they jump
        const double values[3] = {x[0].x, in->operands > 1 ? x[1].x : 0.0, 0.0};
        return constant(scene_operate(in, values));
    }
    }
}

SwitchAt scene_switches(Operation operation)
{
    switch (operation) {
    case OP_LESS:
    case OP_LESS_EQUAL:
    case OP_GREATER:
    case OP_GREATER_EQUAL:
    case OP_EQUAL:
    case OP_UNEQUAL:
    case OP_AND:
    case OP_OR:
    case OP_CHOOSE:
    case OP_ABS:
    case OP_SIGN:
    case OP_STEP:
    case OP_MIN:
    case OP_MAX:
    case OP_CLAMP:
        return SWITCH_AT_ZERO;
    case OP_RINT:
    case OP_FLOOR:
    case OP_MOD:
    case OP_NOISE:
        return SWITCH_AT_WHOLE;
    case OP_TABLE:
        return SWITCH_AT_POINTS;
    default:
        return SWITCH_NONE;
    }
}

static Margin margin_of(Operation operation, const Jet *x)
{
    switch (operation) {
    case OP_AND:
    case OP_OR:
        return (Margin){x[0], x[1]};
    case OP_CLAMP:
        return (Margin){sum(x[0], -1.0, x[1]), sum(x[0], -1.0, x[2])};
    case OP_RINT:
        return (Margin){sum(x[0], 1.0, constant(0.5)), constant(1.0)};
    case OP_MOD:
        return (Margin){quotient(x[0], x[1]), constant(1.0)};
    case OP_NOISE:
        return (Margin){x[1], constant(1.0)};
    case OP_CHOOSE:
    case OP_ABS:
    case OP_SIGN:
    case OP_STEP:
    case OP_FLOOR:
    case OP_TABLE:
        return (Margin){x[0], constant(1.0)};
    default:
        return (Margin){sum(x[0], -1.0, x[1]), constant(1.0)};
    }
}

Jet scene_program_jet(const Program *program, const Jet *variables, Jet *stack, Margin *margins)
{
    Jet *top = stack; // behind the last value
    for (int i = 0; i < program->count; ++i) {
        const Instruction *in = &program->code[i];
        if (in->operation == OP_VARIABLE) {
            *top++ = variables[in->index];
        } else if (in->operation == OP_NUMBER) {
            *top++ = constant(in->number);
        } else {
            top -= in->operands;
            if (margins != NULL && scene_switches(in->operation) != SWITCH_NONE)
                margins[i] = margin_of(in->operation, top);
            *top = operate(in, top);
            ++top;
        }
    }
    return stack[0];
}
