#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "built.h"
#include "network/plan.h"
#include "support/near.h"

static void ids_count_from_zero(void **state)
{
    (void)state;
    StiPlan *plan = sti_plan_create();
    for (int i = 0; i < 100; ++i) { // grows several times
        char name[16];
        snprintf(name, sizeof name, "m%d", i);
        const StiAdmittanceId body = add_mass(plan, name, 1.0 + i);
        assert_int_equal(body.number, i + 1);
        snprintf(name, sizeof name, "s%d", i);
        const StiWire wire = sti_wire_coordinate(body, 0, 1);
        assert_int_equal(add_spring(plan, name, wire, 1.0, 0.0).number, 2 * i + 1);
        snprintf(name, sizeof name, "f%d", i);
        assert_int_equal(add_rule(plan, name, wire, sti_law_coulomb(1.0), 0.0).number, 2 * i + 2);
        snprintf(name, sizeof name, "i%d", i);
        assert_int_equal(sti_plan_add_input(plan, name, 1, NULL).number, i + 1);
    }
    const StiPointMass *last = sti_plan_admittance(plan, 99)->parameters;
    assert_true(last->mass == 100.0);
    assert_string_equal(sti_plan_element(plan, 199)->name, "f99");
    assert_null(sti_plan_element(plan, 199)->impedance);
    assert_null(sti_plan_element(plan, 198)->reaction);
    sti_plan_destroy(plan);
}

// Names, parameters and tables are the plan's own: the caller's may change or go away.
static void everything_is_copied(void **state)
{
    (void)state;
    StiPlan *plan = sti_plan_create();
    char name[] = "block";
    double table[4] = {0.0, 1.0, 5.0, 5.0}, usual[1] = {2.0};
    StiPointMass mass = {.dim = 1, .mass = 2.0};
    const StiAdmittanceId block = sti_plan_add_admittance(plan, name, &sti_kind_point_mass, &mass);
    const StiWire wire = sti_wire_coordinate(block, 0, 1);
    add_rule(plan, "friction", wire, sti_law_table(table, 2), 0.0);
    sti_plan_add_input(plan, "push", 1, usual);
    name[0] = 'X';
    mass.mass = -1.0;
    table[2] = NAN;
    usual[0] = NAN;
    Built built = build_and_destroy(plan);
    release(&built);
}

typedef struct OwnWire {
    double sign;
} OwnWire;
static void own_sense(const StiWire *wire, const StiSide *a, const StiSide *b, double *x, double *v)
{
    (void)b;
    const OwnWire *own = wire->parameters;
    x[0] = own->sign * a->q[0];
    v[0] = own->sign * a->v[0];
}
static void own_apply(const StiWire *wire, const StiSide *a, const StiSide *b, const double *u,
                      const StiForce *force_a, const StiForce *force_b)
{
    (void)a, (void)b, (void)force_b;
    const OwnWire *own = wire->parameters;
    force_a->generalized[0] -= own->sign * u[0];
}
static StiWireSize own_size(const StiWire *wire)
{
    (void)wire;
    return (StiWireSize){1, 1};
}
static const StiWireKind own_kind = {.table_size = sizeof(StiWireKind), .info = {.name = "own", .size = sizeof(OwnWire)},
                                     .size = own_size,
                                     .sense = own_sense,
                                     .apply = own_apply};

static void the_parameters_of_own_wires_are_copied(void **state)
{
    (void)state;
    StiPlan *plan = sti_plan_create();
    const StiAdmittanceId block = add_mass(plan, "block", 1.0);
    OwnWire own = {-1.0};
    const StiWire wire = {.kind = &own_kind,
                          .a = {.body = block},
                          .b = {.body = {-1}},
                          .dim = 1,
                          .parameters = &own};
    add_input_force(plan, "pull", "input", wire);
    own.sign = NAN;
    Built built = build_and_destroy(plan);
    assert_steps(&built, &(double){5.0}); // +5 on side a of a wire that turns the sign
    assert_near(*velocity(&built, block), -5e-3, 1e-15);
    release(&built);
}

static void signals_carry_a_gain(void **state)
{
    (void)state;
    const StiSignal force = sti_signal_force((StiElementId){3}, 2);
    assert_true(force.type == STI_SIGNAL_FORCE && force.component == 2 && force.index == 2);
    assert_true(force.gain == 1.0);
    assert_true(sti_signal_scaled(sti_signal_scaled(force, 3.0), -2.0).gain == -6.0);
    assert_true(sti_signal_source((StiSourceId){4}, 1).type == STI_SIGNAL_SOURCE);
    assert_true(sti_signal_load((StiAdmittanceId){4}, 1).type == STI_SIGNAL_LOAD);
}

static void ramp(const void *data, void *workspace, double t, double *values)
{
    (void)workspace;
    const double *slope = data;
    values[0] = *slope * t;
    values[1] = *slope;
}

static void a_motion_and_a_force_in_one_call(void **state)
{
    (void)state;
    static const double slope = 3.0;
    StiPlan *plan = sti_plan_create();
    const StiAdmittanceId hand =
        sti_plan_add_motion(plan, "hand", 1,
                            (StiTimeFunction){.count = 2, .eval = ramp, .data = &slope});
    const StiAdmittanceId block = add_mass(plan, "block", 2.0);
    const StiWire wire = sti_wire_coordinate(block, 0, 1);
    sti_plan_add_force(plan, "pull", &wire, 1,
                       (StiTimeFunction){.count = 1, .eval = ramp, .data = &slope});
    add_spring(plan, "damper", sti_wire_coordinate_pair(hand, 0, block, 0, 1), 0.0, 1.0);
    Built built = build_and_destroy(plan);
    for (int k = 0; k < 1000; ++k) assert_steps(&built, NULL);
    // 2 vdot = 3 t + 3 - v from rest: v = 3 t - 3 + 3 exp(-t/2); a force pushes along +
    assert_near(*velocity(&built, block), 3.0 - 3.0 + 3.0 * exp(-0.5), 1e-12);
    release(&built);
}

static void nothing_can_be_destroyed(void **state)
{
    (void)state;
    sti_plan_destroy(NULL);
    sti_network_destroy(NULL);
    sti_state_destroy(NULL);
    sti_scratch_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_count_from_zero),
        cmocka_unit_test(everything_is_copied),
        cmocka_unit_test(the_parameters_of_own_wires_are_copied),
        cmocka_unit_test(signals_carry_a_gain),
        cmocka_unit_test(a_motion_and_a_force_in_one_call),
        cmocka_unit_test(nothing_can_be_destroyed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
