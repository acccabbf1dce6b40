#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "support/near.h"
#include "judged.h"
#include "led_element.h"
#include "stiction/friction.h"

// A part that has everything: positions, several velocities, memory, discrete values and signals.
typedef struct Ratchet {
    double K, pull;
    int velocities;
} Ratchet;

static StiImpedanceSize ratchet_size(const void *parameters)
{
    const Ratchet *p = parameters;
    return (StiImpedanceSize){p->velocities, p->velocities, 2, 1, 2};
}

static StiStatus ratchet_eval(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                              const double *y, const double *s, double *u, double *ydot)
{
    const Ratchet *p = parameters;
    for (int i = 0; i < p->velocities; ++i)
        u[i] = p->K * (xhat->x[i] - s[0]) + y[1] + stage->tau * xhat->signals[1] * xhat->v[i];
    ydot[0] = xhat->v[0];
    ydot[1] = p->pull * xhat->signals[0] - y[1];
    return STI_OK;
}

static void ratchet_settle(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                           const double *y, double *s)
{
    (void)parameters, (void)stage, (void)xhat;
    s[0] = fmax(s[0], y[0]);
}

static double ratchet_stored(const void *parameters, const StiMotion *xhat, const double *y)
{
    const Ratchet *p = parameters;
    return 0.5 * p->K * xhat->x[0] * xhat->x[0] + 0.1 * y[1] * y[1];
}

static void ratchet_tangent(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                            const double *y, const double *s, double *Z)
{
    const Ratchet *p = parameters;
    for (int i = 0; i < p->velocities * p->velocities; ++i)
        Z[i] = i + stage->tau * p->K + xhat->signals[1] + y[1] + s[0];
}

static const StiImpedanceKind ratchet = {
    .table_size = sizeof(StiImpedanceKind),
    .info = {.name = "ratchet", .size = sizeof(Ratchet)},
    .size = ratchet_size,
    .eval = ratchet_eval,
    .settle = ratchet_settle,
    .stored = ratchet_stored,
    .tangent = ratchet_tangent,
};

enum { PARTS = 4, MEMORY = 1 + 2 + 1 + 2, SIGNALS = 1 + 2 + 0 + 2, DISCRETE = 0 + 1 + 2 + 1 };

typedef struct Set {
    StiDahl dahl;
    StiElasticCoulomb element;
    Ratchet first, second;
    StiImpedance parts[PARTS];
    StiCompound compound;
} Set;

static Set *make_set(Set *set)
{
    *set = (Set){
        .dahl = {.law = sti_law_times_load(sti_law_coulomb(0.3)), .K = 2e3, .alpha = 1.5},
        .element = {.dim = 1,
                    .law = sti_law_stribeck(2.0, 3.0, 0.1, 2.0, 0.0),
                    .K = 1e4,
                    .B = 30.0},
        .first = {3.0, 0.7, 1},
        .second = {5.0, -0.2, 1},
    };
    set->parts[0] = (StiImpedance){&sti_kind_dahl, &set->dahl};
    set->parts[1] = (StiImpedance){&ratchet, &set->first};
    set->parts[2] = (StiImpedance){&sti_kind_elastic_coulomb, &set->element};
    set->parts[3] = (StiImpedance){&ratchet, &set->second};
    set->compound = (StiCompound){PARTS, set->parts};
    return set;
}

static void size_is_that_of_the_parts_together(void **state)
{
    (void)state;
    Set set;
    const StiImpedanceSize size = sti_kind_compound.size(&make_set(&set)->compound);
    assert_int_equal(size.positions, 1);
    assert_int_equal(size.velocities, 1);
    assert_int_equal(size.memory, MEMORY);
    assert_int_equal(size.discrete, DISCRETE);
    assert_int_equal(size.signals, SIGNALS);
}

// The parts one by one, as they would be without a compound.
typedef struct Sum {
    double u, stored, Z;
} Sum;

static Sum run_separately(const Set *set, const StiStage *stage, const StiMotion *xhat,
                          const double *y, const double *s, double *ydot, double *settled)
{
    Sum sum = {0};
    StiMotion motion = *xhat;
    for (int i = 0; i < PARTS; ++i) {
        const StiImpedance *part = &set->parts[i];
        const StiImpedanceSize size = part->kind->size(part->parameters);
        double u, Z;
        assert_int_equal(part->kind->eval(part->parameters, stage, &motion, y, s, &u, ydot),
                         STI_OK);
        part->kind->tangent(part->parameters, stage, &motion, y, s, &Z);
        sum.u += u;
        sum.Z += Z;
        sum.stored += part->kind->stored(part->parameters, &motion, y);
        if (part->kind->settle) part->kind->settle(part->parameters, stage, &motion, y, settled);
        y += size.memory, ydot += size.memory, s += size.discrete, settled += size.discrete;
        motion.signals += size.signals;
    }
    return sum;
}

static void parts_run_together_as_alone_bit_for_bit(void **state)
{
    (void)state;
    Set set;
    const StiCompound *p = &make_set(&set)->compound;
    Random random = {1};
    for (int i = 0; i < 100000; ++i) {
        const double x = random_between(&random, -1, 1), v = random_between(&random, -1, 1);
        double signals[SIGNALS], y[MEMORY], s[DISCRETE], settled[DISCRETE], settled_alone[DISCRETE];
        for (int j = 0; j < SIGNALS; ++j) signals[j] = random_between(&random, 0.5, 10.0);
        for (int j = 0; j < MEMORY; ++j) y[j] = random_between(&random, -1e-3, 1e-3);
        for (int j = 0; j < DISCRETE; ++j)
            settled[j] = settled_alone[j] = s[j] = random_between(&random, -1e-3, 0);
        const StiStage stage = {.tau = random_decades(&random, 1e-5, 1e-2)};
        const StiMotion xhat = {&x, &v, signals};

        double u, ydot[MEMORY], ydot_alone[MEMORY], Z;
        assert_int_equal(sti_kind_compound.eval(p, &stage, &xhat, y, s, &u, ydot), STI_OK);
        sti_kind_compound.tangent(p, &stage, &xhat, y, s, &Z);
        sti_kind_compound.settle(p, &stage, &xhat, y, settled);
        const Sum alone = run_separately(&set, &stage, &xhat, y, s, ydot_alone, settled_alone);
        assert_true(u == alone.u && Z == alone.Z);
        assert_true(sti_kind_compound.stored(p, &xhat, y) == alone.stored);
        assert_memory_equal(ydot, ydot_alone, sizeof ydot);
        assert_memory_equal(settled, settled_alone, sizeof settled);
    }
}

static void a_compound_inside_a_compound_is_the_same(void **state)
{
    (void)state;
    Set set;
    make_set(&set);
    const StiCompound inner = {3, &set.parts[1]};
    const StiImpedance outer_parts[2] = {set.parts[0], {&sti_kind_compound, &inner}};
    const StiCompound outer = {2, outer_parts};
    const double x = 0.2, v = -0.4, signals[SIGNALS] = {4.0, 1.0, 2.0, 3.0, 5.0};
    const double y[MEMORY] = {1e-4, 2e-4, 3e-4, -1e-4, 4e-4, 5e-4},
                 s[DISCRETE] = {0.01, 0.0, 0.0, 0.02};
    double u, u_nested, ydot[MEMORY], ydot_nested[MEMORY];
    const StiStage stage = {.tau = 1e-3};
    const StiMotion xhat = {&x, &v, signals};
    sti_kind_compound.eval(&set.compound, &stage, &xhat, y, s, &u, ydot);
    sti_kind_compound.eval(&outer, &stage, &xhat, y, s, &u_nested, ydot_nested);
    assert_near(u_nested, u, 1e-15 * fabs(u));
    assert_memory_equal(ydot, ydot_nested, sizeof ydot);
    assert_accepted(&sti_kind_compound.info, &outer);
}

static void many_velocities_add_each_by_itself(void **state)
{
    (void)state;
    enum { WIDE = 24 };
    const Ratchet first = {3.0, 0.7, WIDE}, second = {5.0, -0.2, WIDE};
    const StiImpedance parts[] = {{&ratchet, &first}, {&ratchet, &second}};
    const StiCompound p = {2, parts};
    assert_accepted(&sti_kind_compound.info, &p);
    double x[WIDE], v[WIDE], u[WIDE], u1[WIDE], u2[WIDE], ydot[4], Z[WIDE * WIDE], Z1[WIDE * WIDE],
        Z2[WIDE * WIDE];
    for (int i = 0; i < WIDE; ++i) x[i] = 0.1 * i, v[i] = 1.0 - 0.2 * i;
    const double y[4] = {1, 2, 3, 4}, s[2] = {0.1, 0.2}, signals[4] = {1, 2, 3, 4};
    const StiStage stage = {.tau = 1e-3};
    const StiMotion xhat = {x, v, signals}, xhat2 = {x, v, signals + 2};
    assert_int_equal(sti_kind_compound.eval(&p, &stage, &xhat, y, s, u, ydot), STI_OK);
    sti_kind_compound.tangent(&p, &stage, &xhat, y, s, Z);
    ratchet_eval(&first, &stage, &xhat, y, s, u1, ydot);
    ratchet_eval(&second, &stage, &xhat2, y + 2, s + 1, u2, ydot);
    ratchet_tangent(&first, &stage, &xhat, y, s, Z1);
    ratchet_tangent(&second, &stage, &xhat2, y + 2, s + 1, Z2);
    for (int i = 0; i < WIDE; ++i) assert_true(u[i] == u1[i] + u2[i]);
    for (int i = 0; i < WIDE * WIDE; ++i) assert_true(Z[i] == Z1[i] + Z2[i]);

    const Ratchet too_wide = {3.0, 0.7, WIDE + 1};
    const StiImpedance wide_part = {&ratchet, &too_wide};
    assert_refused(&sti_kind_compound.info, &(StiCompound){1, &wide_part}, "0");
}

// A part may leave out settle, stored and tangent, and vectors without entries may be NULL.
static void missing_verbs_and_empty_vectors_are_fine(void **state)
{
    (void)state;
    const StiViscousApproximation damper = {.dim = 1, .law = sti_law_coulomb(2.0), .eps = 0.1};
    StiImpedanceKind bare = sti_kind_viscous_approximation;
    bare.tangent = NULL;
    const StiImpedance parts[] = {{&sti_kind_viscous_approximation, &damper}, {&bare, &damper}};
    const StiCompound p = {2, parts};
    const double v = 0.05;
    double u, Z;
    const StiStage stage = {.tau = 1e-3};
    const StiMotion xhat = {.v = &v};
    assert_int_equal(sti_kind_compound.eval(&p, &stage, &xhat, NULL, NULL, &u, NULL), STI_OK);
    assert_near(u, 2.0, 1e-15);
    sti_kind_compound.settle(&p, &stage, &xhat, NULL, NULL);
    assert_true(sti_kind_compound.stored(&p, &xhat, NULL) == 0.0);
    sti_kind_compound.tangent(&p, &stage, &xhat, NULL, NULL, &Z);
    assert_near(Z, 20.0, 1e-13);
}

static void status_of_a_part_is_passed_on(void **state)
{
    (void)state;
    Set set;
    make_set(&set);
    set.element.B = 0.0;
    const double x = 0.2, v = -0.4, no_load[SIGNALS] = {0}, load[SIGNALS] = {1.0};
    const double y[MEMORY] = {0}, s[DISCRETE] = {0};
    double u, ydot[MEMORY];
    const StiMotion loaded = {&x, &v, load}, unloaded = {&x, &v, no_load};
    const StiStage still = {.tau = 0.0}, stage = {.tau = 1e-3};
    const StiCompound *p = &set.compound;
    assert_int_equal(sti_kind_compound.eval(p, &stage, &loaded, y, s, &u, ydot), STI_OK);
    assert_int_equal(sti_kind_compound.eval(p, &still, &loaded, y, s, &u, ydot),
                     STI_NO_CONTINUOUS_LIMIT);
    const double bent[MEMORY] = {1e-3};
    set.dahl.plain = true;
    assert_int_equal(sti_kind_compound.eval(p, &stage, &unloaded, bent, s, &u, ydot),
                     STI_LEVEL_VANISHED);
}

static void parts_must_share_one_wire(void **state)
{
    (void)state;
    Set set;
    make_set(&set);
    assert_accepted(&sti_kind_compound.info, &set.compound);
    set.element.dim = 2;
    const StiFinding finding = assert_refused(&sti_kind_compound.info, &set.compound, "2");
    assert_non_null(strstr(finding.text, "elastic-coulomb"));
    assert_true(finding.value == 2.0);
    assert_refused(&sti_kind_compound.info, &(StiCompound){0, set.parts}, "parts");
}

static void parameters_of_parts_are_addressable_and_checked(void **state)
{
    (void)state;
    Set set;
    make_set(&set);
    const StiInfo *info = &sti_kind_compound.info;
    assert_ptr_equal(sti_kind_find(info, &set.compound, "2.stiffness"), &set.element.K);
    assert_ptr_equal(sti_kind_find(info, &set.compound, "0.alpha"), &set.dahl.alpha);
    assert_null(sti_kind_find(info, &set.compound, "7.alpha"));
    set.dahl.K = -1.0;
    assert_refused(info, &set.compound, "0.stiffness");
}

static void closed_paths_dissipate(void **state)
{
    (void)state;
    Random random = {2};
    for (int i = 0; i < 100; ++i) {
        const double period = random_decades(&random, 1e-2, 1e2), load = 3.0;
        Set set;
        make_set(&set);
        set.element.B = set.element.K * period / 500.0;
        const StiViscousApproximation damper = {.dim = 1, .law = sti_law_coulomb(1.0), .eps = 0.01};
        set.parts[1] = (StiImpedance){&sti_kind_viscous_approximation, &damper};
        set.compound.count = 3;
        const ClosedPath path =
            random_path(&random, 1, random_decades(&random, 1e-4, 1e-2), period);
        double y[2] = {random_between(&random, -4e-4, 4e-4), random_between(&random, -2e-4, 2e-4)};
        const StiImpedance compound = {&sti_kind_compound, &set.compound};
        const Round round = lead_round(&compound, &load, &path, 4000, y);
        assert_int_equal(round.status, STI_OK);
        assert_true(round.work - round.stored > 0.0);
    }
}

// EQUATIONS 2.7: ten elements, F = 1..10 N, led between reversal points (mm) at 0.1 mm/s.
enum { ELEMENTS = 10, REVERSALS = 14 };
static const double reversals[REVERSALS] = {0,   1.5,  -0.9, 0.7,  -0.5, 0.3,  -0.1,
                                            0.3, -0.5, 0.7,  -0.9, 1.5,  -1.5, 1.5};

typedef struct Stack {
    StiElasticCoulomb elements[ELEMENTS];
    StiImpedance parts[ELEMENTS];
    StiCompound compound;
    double y[ELEMENTS];
} Stack;

static void make_stack(Stack *stack, double B)
{
    *stack = (Stack){.compound = {ELEMENTS, stack->parts}};
    for (int i = 0; i < ELEMENTS; ++i) {
        stack->elements[i] =
            (StiElasticCoulomb){.dim = 1, .law = sti_law_coulomb(i + 1.0), .K = 1e4, .B = B};
        stack->parts[i] = (StiImpedance){&sti_kind_elastic_coulomb, &stack->elements[i]};
    }
}

// One Euler step; returns the force.
static double stack_step(Stack *stack, double T, double v)
{
    const StiStage stage = {.tau = T};
    const StiMotion xhat = {.v = &v};
    double u, ydot[ELEMENTS];
    sti_kind_compound.eval(&stack->compound, &stage, &xhat, stack->y, NULL, &u, ydot);
    for (int i = 0; i < ELEMENTS; ++i) stack->y[i] += T * ydot[i];
    return u;
}

static void loops_of_ten_elements_close(void **state)
{
    (void)state;
    const double T = 1e-3, speed = 1e-4;
    double force[REVERSALS] = {0};
    Stack stack;
    make_stack(&stack, 100.0);
    for (int i = 1; i < REVERSALS; ++i) {
        const double way = 1e-3 * (reversals[i] - reversals[i - 1]);
        const long steps = lround(fabs(way) / (speed * T));
        for (long k = 0; k < steps; ++k) force[i] = stack_step(&stack, T, copysign(speed, way));
    }
    for (int i = 1; i <= 5; ++i) assert_near(force[12 - i], force[i], 1e-11);
    assert_near(force[13], force[11], 1e-11);
    assert_near(force[12], -force[11], 1e-11);
}

static void without_dampers_the_stack_is_maxwell_slip(void **state)
{
    (void)state;
    Random random = {3};
    double z[ELEMENTS] = {0};
    Stack stack;
    make_stack(&stack, 0.0);
    for (int k = 0; k < 20000; ++k) {
        const double v = random_between(&random, -0.5, 0.5), T = 1e-3;
        double sum = 0.0;
        for (int i = 0; i < ELEMENTS; ++i) {
            const double limit = (i + 1) / 1e4;
            z[i] = fmax(-limit, fmin(limit, z[i] + T * v));
            sum += 1e4 * z[i];
        }
        assert_near(stack_step(&stack, T, v), sum, 1e-11);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(size_is_that_of_the_parts_together),
        cmocka_unit_test(parts_run_together_as_alone_bit_for_bit),
        cmocka_unit_test(a_compound_inside_a_compound_is_the_same),
        cmocka_unit_test(many_velocities_add_each_by_itself),
        cmocka_unit_test(missing_verbs_and_empty_vectors_are_fine),
        cmocka_unit_test(status_of_a_part_is_passed_on),
        cmocka_unit_test(parts_must_share_one_wire),
        cmocka_unit_test(parameters_of_parts_are_addressable_and_checked),
        cmocka_unit_test(closed_paths_dissipate),
        cmocka_unit_test(loops_of_ten_elements_close),
        cmocka_unit_test(without_dampers_the_stack_is_maxwell_slip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
