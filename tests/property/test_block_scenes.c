// Scenes with more contacts than are needed: every step has an answer with friction, loads are the
// ones of equal small compliance, and neither the order of declaration nor a mirror changes them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/scenes/redundant.h"
#include "support/short.h"

// 40 N on 12 kg and four wheels of 0.25 kg each at their rims; the wheels' loads from the moments
// about the axles.
static const double cart_acceleration = 40.0 / 13.0;
static const double front_load = 26.0966666666667, rear_load = 32.7633333333333;

static void drive(double T, bool cylinders, int first, bool mirrored)
{
    Redundant s = redundant_cart(T, cylinders, first, mirrored);
    RedundantRun run = {0};
    double loads[CART_WHEELS] = {0.0};
    const long steps = steps_or((long)(4.0 / T + 0.5), 200);
    for (long k = 0; k < steps; ++k) {
        redundant_step(&s, &run);
        cart_loads(&s, loads);
        for (int i = 0; i < CART_WHEELS;
             ++i) // rounding of speeds that do not fit together, over 1e-6
            assert_true(fabs(loads[i] - (i < 2 ? front_load : rear_load)) < 1e-3);
    }
    const double *v = rig_v(&s.rig, s.bodies[0]), wanted = cart_acceleration * T * (double)steps;
    print_message("cart, %s, %g s, first %d: %.7f m/s (%.7f), beside %.1e, loads %.7f %.7f %.7f "
                  "%.7f, unsolved %d, soft %d\n",
                  cylinders ? "cylinders" : "spheres", T, first, v[0], wanted, v[1], loads[0],
                  loads[1], loads[2], loads[3], run.unsolved, run.soft);
    assert_true(fabs(v[0] - wanted) < 1e-6 && fabs(v[1]) < 1e-8);
    assert_int_equal(run.unsolved + run.soft, 0);
    redundant_free(&s);
}

static void a_cart_is_driven_by_all_its_weight(void **state)
{
    (void)state;
    for (int cylinders = 0; cylinders < 2; ++cylinders) {
        drive(1e-3, cylinders, 0, false);
        drive(5e-4, cylinders, 3, true);
        drive(2e-4, cylinders, 2, false);
    }
}

typedef struct Play {
    const char *name;
    RedundantBox boxes[REDUNDANT_BODIES];
    int count;
    double mu;
    long steps;
} Play;

static void play(const Play *p)
{
    Redundant s = redundant_boxes(1e-3, p->boxes, p->count, p->mu, false, false);
    RedundantRun run = {0};
    for (long k = 0; k < p->steps; ++k) redundant_step(&s, &run);
    print_message("%s: unsolved %d, soft %d of %ld, creep %.1e\n", p->name, run.unsolved, run.soft,
                  p->steps, run.creep);
    assert_int_equal(run.unsolved, 0);
    assert_true(run.creep < 1e-3);
    redundant_free(&s);
}

static void every_step_has_an_answer(void **state)
{
    (void)state;
    static Play p;
    p = (Play){.name = "8 dominoes", .mu = 0.5, .steps = steps_or(1500, 60)};
    p.count = dominoes(p.boxes, 8);
    play(&p);
    p.name = "12 dominoes";
    p.count = dominoes(p.boxes, 12);
    play(&p);
    p = (Play){.name = "arch", .mu = 0.6, .steps = steps_or(3000, 60)};
    p.count = falling_arch(p.boxes);
    play(&p);
    p = (Play){.name = "heap of 50", .mu = 0.5, .steps = steps_or(400, 20)};
    p.count = heap_of_boxes(p.boxes, 50, 5);
    play(&p);
    p = (Play){.name = "tower of 10", .mu = 0.5, .steps = steps_or(500, 60)};
    p.count = tower_of_boxes(p.boxes, 10);
    play(&p);
}

// What came down lies where physics puts it, whichever body was declared first and whatever side y
// points to. Falling dominoes in a plane are not chaotic before they come to rest.
static void neither_order_nor_mirror_matters(void **state)
{
    (void)state;
    static RedundantBox boxes[REDUNDANT_BODIES];
    const int count = dominoes(boxes, 8);
    const long steps = steps_or(1000, 40);
    Redundant s[3];
    for (int i = 0; i < 3; ++i) s[i] = redundant_boxes(1e-3, boxes, count, 0.5, i == 1, i == 2);
    for (long k = 0; k < steps; ++k) {
        RedundantRun run = {0};
        double apart = 0.0, off = 0.0;
        for (int i = 0; i < 3; ++i) redundant_step(&s[i], &run);
        for (int b = 0; b < count; ++b) {
            const double *x = rig_x(&s[0].rig, s[0].bodies[b]);
            off = fmax(off, fabs(x[1]));
            for (int i = 1; i < 3; ++i) {
                const double *other = rig_x(&s[i].rig, s[i].bodies[b]);
                for (int d = 0; d < 3; ++d)
                    apart = fmax(apart, fabs(x[d] - (i == 2 && d == 1 ? -other[d] : other[d])));
            }
        }
        if (k == steps - 1) print_message("apart %.1e m, beside %.1e m\n", apart, off);
        assert_true(apart < 1e-7 && off < 1e-7);
    }
    for (int i = 0; i < 3; ++i) redundant_free(&s[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cart_is_driven_by_all_its_weight),
        cmocka_unit_test(every_step_has_an_answer),
        cmocka_unit_test(neither_order_nor_mirror_matters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
