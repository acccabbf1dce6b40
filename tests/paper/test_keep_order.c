// METHODS 5 and 6: errors and orders of the methods that cut the step.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "keep_order.h"
#include "network/network.h"
#include "support/near.h"
#include "support/plan.h"

typedef struct Row {
    const char *name;
    MakeCase *make;
    Friction friction;
    bool static_above;
    const StiMethod *method;
    double T, time; // the finer of two steps
    double error;   // of METHODS there; 0: none is given
    double order;   // of METHODS
} Row;

// The reference: another method of the same order, far finer; where there is only one, the same.
static void reference(const Row *row, double *numbers)
{
    const StiMethod *other =
        row->friction == ELASTIC && row->make != plane ? &sti_method_rk4_split : &sti_method_ark4;
    run_case(row->make, row->friction, row->static_above, other, row->T / 8.0, row->time, numbers);
}

static void errors_and_orders_are_those_of_the_tables(void **state)
{
    (void)state;
    const Row rows[] = {
        {"stick, ark4", stick, ELASTIC, false, &sti_method_ark4, 5e-4, 1.0, 0.0, 4.0},
        {"stick, ark3", stick, ELASTIC, false, &sti_method_ark3, 5e-4, 1.0, 0.0, 3.0},
        {"stick, rk4-split", stick, ELASTIC, false, &sti_method_rk4_split, 5e-4, 1.0, 0.0, 4.0},
        {"reversals, ark4", vibration, ELASTIC, false, &sti_method_ark4, 1e-3, 1.0, 1.7e-9, 3.66},
        {"reversals, ark3", vibration, ELASTIC, false, &sti_method_ark3, 1e-3, 1.0, 5.7e-7, 2.88},
        {"reversals, rk4-split", vibration, ELASTIC, false, &sti_method_rk4_split, 1e-3, 1.0,
         2.3e-8, 3.80},
        {"two masses, ark4", two_masses, ELASTIC, false, &sti_method_ark4, 1e-3, 4.0, 4.6e-9, 3.98},
        {"plane stopped, ark4", plane, ELASTIC, false, &sti_method_ark4, 2e-3, 6.0, 4.4e-11, 4.07},
        {"spring-pull", spring_pull, RIGID, false, &sti_method_cut, 2e-3, 4.0, 4.1e-9, 3.99},
        {"spring-pull, static", spring_pull, RIGID, true, &sti_method_cut, 2e-3, 4.0, 3.9e-9, 3.98},
        {"reversals, rigid", vibration, RIGID, false, &sti_method_cut, 2e-3, 4.0, 1.3e-8, 4.0},
        {"two masses, rigid", two_masses, RIGID, true, &sti_method_cut, 1e-3, 4.0, 7.8e-11, 4.0},
        {"plane stopped, rigid", plane, RIGID, false, &sti_method_cut, 8e-3, 6.0, 1.1e-8, 4.0},
    };
    bool good = true;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        const Row *row = &rows[i];
        double exact[CASE_NUMBERS], fine[CASE_NUMBERS], coarse[CASE_NUMBERS];
        reference(row, exact);
        run_case(row->make, row->friction, row->static_above, row->method, row->T, row->time, fine);
        run_case(row->make, row->friction, row->static_above, row->method, 2.0 * row->T, row->time,
                 coarse);
        const double error = distance(fine, exact), order = log2(distance(coarse, exact) / error);
        const bool close = row->error == 0.0 || error <= 3.0 * row->error;
        if (!close || fabs(order - row->order) > 0.31)
            print_error("%s: error %.2g (%.2g), order %.2f (%.2f)\n", row->name, error, row->error,
                        order, row->order);
        good = good && close && fabs(order - row->order) <= 0.31;
    }
    assert_true(good);
}

// Exact: break-away, a half swing that ends when the pull does, a last swing to rest.
static void the_spring_pull_comes_to_rest_where_it_must(void **state)
{
    (void)state;
    const double w = sqrt(90.0), t0 = 10.0 / 180.0, v2 = 2.0 - 2.0 * cos(w * (2.0 - t0));
    const double x2 = 2.0 * (2.0 - t0) - 2.0 * sin(w * (2.0 - t0)) / w, middle = 4.0 - 10.0 / 90.0;
    const double rest = middle + hypot(x2 - middle, v2 / w);
    double numbers[CASE_NUMBERS];
    run_case(spring_pull, RIGID, false, &sti_method_cut, 1e-3, 4.0, numbers);
    assert_near(numbers[0], rest, 3.0 * 2.6e-10);
    assert_true(numbers[1] == 0.0);
}

// (vi) v0 = -0.13, h = 40, F = 10, M = 1: crosses zero at 2.6 ms and goes on at once.
static void a_velocity_crosses_zero_within_a_step(void **state)
{
    (void)state;
    const double steps[] = {1e-3, 0.7e-3};
    for (int i = 0; i < 2; ++i) {
        StiPlan *plan = plan_in_stages();
        const StiAdmittanceId mass = add_moving_mass(plan, "mass", 1.0, -0.13);
        const StiWire ground = sti_wire_coordinate(mass, 0, 1);
        add_rule(plan, "rule", ground, sti_law_coulomb(10.0), 0.0);
        add_input_force(plan, "push", "h", ground);
        sti_plan_set_step(plan, steps[i]);
        sti_plan_set_method(plan, &sti_method_cut);
        Built built = build_and_destroy(plan);
        const int count = i == 0 ? 20 : 29;
        for (int k = 0; k < count; ++k) assert_steps(&built, &(double){40.0});
        assert_near(velocity(&built, mass)[0], 30.0 * (count * steps[i] - 2.6e-3), 1e-15);
        release(&built);
    }
}

// M = .3, K = 1e7, B = 10: slides from v = 2, stops, holds, at a step 58 times too long for it.
static void stiff_friction_holds_at_any_step(void **state)
{
    (void)state;
    const StiMethod *const methods[] = {&sti_method_ark4, &sti_method_ark3, &sti_method_cut};
    for (int m = 0; m < 3; ++m) {
        static const Sine push = {0.1, 40.0, 0.0};
        StiPlan *plan = plan_in_stages();
        const StiAdmittanceId mass = add_moving_mass(plan, "mass", 0.3, 2.0);
        const StiWire ground = sti_wire_coordinate(mass, 0, 1);
        add_sine(plan, "push", ground, &push);
        add_input_force(plan, "steady", "h", ground);
        StiElasticCoulomb p = {.dim = 1, .law = sti_law_coulomb(0.294), .K = 1e7, .B = 10.0};
        const StiElementId friction =
            sti_plan_add_impedance(plan, "friction", &sti_kind_elastic_coulomb, &p, &ground);
        sti_plan_set_step(plan, 1e-2);
        sti_plan_set_method(plan, methods[m]);
        Built built = build_and_destroy(plan);
        for (int k = 0; k < 300; ++k) assert_steps(&built, &(double){0.1}); // stops near 2.9 s
        for (int k = 300; k < 400; ++k) assert_steps(&built, &(double){0.1});
        const double anchor = position(&built, mass)[0] - memory(&built, friction)[0];
        for (int k = 400; k < 600; ++k) {
            assert_steps(&built, &(double){0.1});
            assert_near(velocity(&built, mass)[0], 0.0, 1e-6);
            assert_near(position(&built, mass)[0] - memory(&built, friction)[0], anchor, 1e-13);
        }
        release(&built);
    }
}

// .336 + .144 sin 100 t on M = .05, below F = .5.
static void dither_moves_nothing(void **state)
{
    (void)state;
    const bool brief = getenv("STI_TEST_SHORT") != NULL;
    for (int rigid = 0; rigid < 2; ++rigid) {
        static const Sine push = {0.144, 100.0, 0.0};
        StiPlan *plan = plan_in_stages();
        const StiAdmittanceId mass = add_mass(plan, "mass", 0.05);
        const StiWire ground = sti_wire_coordinate(mass, 0, 1);
        add_sine(plan, "push", ground, &push);
        add_input_force(plan, "steady", "h", ground);
        const StiElasticCoulomb p = {.law = sti_law_coulomb(0.5), .K = 5000.0, .B = 1.0};
        add_friction(plan, "friction", ground, rigid ? RIGID : ELASTIC, &p);
        sti_plan_set_step(plan, 1e-4);
        sti_plan_set_method(plan, &sti_method_cut);
        Built built = build_and_destroy(plan);
        for (long k = 0; k < 10000; ++k) assert_steps(&built, &(double){0.336});
        const double y = rigid ? 0.0 : built.state->values[built.state->y];
        const double anchor = position(&built, mass)[0] - y;
        for (long k = 0; k < (brief ? 20000 : 990000); ++k) assert_steps(&built, &(double){0.336});
        const double y_end = rigid ? 0.0 : built.state->values[built.state->y];
        assert_near(position(&built, mass)[0] - y_end, anchor, rigid ? 0.0 : 1e-15);
        release(&built);
    }
}

// Kinetic, spring and bristle energy of a free vibration.
static void energy_never_rises(void **state)
{
    (void)state;
    const StiMethod *const methods[] = {&sti_method_ark4, &sti_method_ark3, &sti_method_rk4_split};
    const double steps[] = {8e-3, 4e-3, 1e-3};
    for (int m = 0; m < 3; ++m)
        for (int i = 0; i < 3; ++i) {
            Case c = vibration(ELASTIC, false);
            sti_plan_set_step(c.plan, steps[i]);
            sti_plan_set_method(c.plan, methods[m]);
            Built built = build_and_destroy(c.plan);
            double last = 50.0;
            for (int k = 0; k < lround(4.0 / steps[i]); ++k) {
                assert_steps(&built, NULL);
                const double x = position(&built, c.body[0])[0], v = velocity(&built, c.body[0])[0];
                const double e = built.state->values[built.state->y];
                const double energy = 50.0 * x * x + 0.5 * v * v + 0.5 * 1e4 * e * e;
                assert_true(energy <= last * (1.0 + 1e-15));
                last = energy;
            }
            release(&built);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_and_orders_are_those_of_the_tables),
        cmocka_unit_test(the_spring_pull_comes_to_rest_where_it_must),
        cmocka_unit_test(a_velocity_crosses_zero_within_a_step),
        cmocka_unit_test(stiff_friction_holds_at_any_step),
        cmocka_unit_test(dither_moves_nothing),
        cmocka_unit_test(energy_never_rises),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
