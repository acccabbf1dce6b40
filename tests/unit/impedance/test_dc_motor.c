// The DC motor behind a gear: its two constants, its balance of power, its limit.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "judged.h"
#include "papers_motor.h"
#include "support/near.h"
#include "support/plan.h"
#include "support/random.h"
#include "unit/network/built.h"

static const StiImpedanceKind *const kind = &sti_kind_dc_motor;

static StiDcMotor random_motor(Random *random)
{
    return (StiDcMotor){.K_M = random_decades(random, 1e-3, 1.0),
                        .R = random_decades(random, 0.1, 10.0),
                        .gamma = random_decades(random, 0.5, 200.0),
                        .voltage = random_decades(random, 1.0, 100.0)};
}

static void constants_are_the_papers(void **state)
{
    (void)state;
    assert_near(sti_dc_motor(&papers_motor, 1.0, 0.0), 1.31186, 5e-6);
    assert_near(sti_dc_motor(&papers_motor, 0.0, 1.0), -4.061532, 5e-7);
    assert_near(papers_rotor, 0.101232, 1e-9);
}

static void stalls_and_idles_where_it_should(void **state)
{
    (void)state;
    Random random = {401};
    for (int trial = 0; trial < 1000; ++trial) {
        const StiDcMotor p = random_motor(&random);
        const double e = random_between(&random, -p.voltage, p.voltage);
        const double stall = motor_E(&p) * e, idle = e / (p.gamma * p.K_M);
        assert_near(sti_dc_motor(&p, e, 0.0), stall, 4e-16 * fabs(stall));
        assert_near(sti_dc_motor(&p, e, idle), 0.0, 1e-15 * fabs(stall));
        assert_near(sti_dc_motor(&p, e, 0.5 * idle), 0.5 * stall, 1e-15 * fabs(stall));
    }
}

static void voltage_is_limited_to_the_rated_one(void **state)
{
    (void)state;
    Random random = {402};
    for (int trial = 0; trial < 1000; ++trial) {
        StiDcMotor p = random_motor(&random);
        const double w = random_between(&random, -10.0, 10.0);
        const double more = p.voltage * random_between(&random, 1.0, 1e3);
        assert_true(sti_dc_motor(&p, more, w) == sti_dc_motor(&p, p.voltage, w));
        assert_true(sti_dc_motor(&p, -more, w) == sti_dc_motor(&p, -p.voltage, w));
        p.voltage = 0.0;
        const double stall = motor_E(&p) * more;
        assert_near(sti_dc_motor(&p, more, 0.0), stall, 4e-16 * stall);
    }
}

// What the winding does not burn drives the joint; without a voltage the motor is a brake.
static void electrical_power_is_heat_and_work(void **state)
{
    (void)state;
    Random random = {403};
    for (int trial = 0; trial < 10000; ++trial) {
        const StiDcMotor p = random_motor(&random);
        const double e = random_between(&random, -p.voltage, p.voltage);
        const double w = random_between(&random, -2.0, 2.0) * p.voltage / (p.gamma * p.K_M);
        const StiStage stage = {.tau = 0.0};
        const StiMotion xhat = {.v = &w, .signals = &e};
        double seen[2];
        kind->observe(&p, &stage, &xhat, NULL, NULL, NULL, seen);
        const double i = seen[1], scale = p.voltage * p.voltage / p.R;
        assert_true(seen[0] == e);
        assert_near(e * i, p.R * i * i + sti_dc_motor(&p, e, w) * w, 1e-14 * scale);
        assert_near(sti_dc_motor(&p, 0.0, w) * w, -motor_D(&p) * w * w, 1e-14 * scale);
        assert_true(sti_dc_motor(&p, 0.0, w) * w <= 0.0);
    }
}

static void kind_resists_with_minus_the_torque(void **state)
{
    (void)state;
    Random random = {404};
    for (int trial = 0; trial < 1000; ++trial) {
        const StiDcMotor p = random_motor(&random), before = p;
        const double w = random_between(&random, -10.0, 10.0);
        const double e = random_between(&random, -200.0, 200.0), speed = w, volts = e;
        const StiStage stage = {.tau = random_below(&random, 2) ? 0.0 : 1e-3};
        const StiMotion xhat = {.v = &speed, .signals = &volts};
        double u, again, Z;
        assert_int_equal(kind->eval(&p, &stage, &xhat, NULL, NULL, &u, NULL), STI_OK);
        kind->eval(&p, &stage, &xhat, NULL, NULL, &again, NULL);
        kind->tangent(&p, &stage, &xhat, NULL, NULL, &Z);
        assert_true(u == -sti_dc_motor(&p, e, w) && again == u);
        assert_near(Z, motor_D(&p), 1e-15 * Z);
        assert_memory_equal(&p, &before, sizeof p);
        assert_true(speed == w && volts == e);
    }
}

// I dw/dt = E e - D w from rest, and the same in the ledger.
static void inertia_runs_up_as_the_closed_form_says(void **state)
{
    (void)state;
    const double I = papers_rotor, e = 12.0, T = 1e-4;
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId joint = add_mass(plan, "joint", I);
    const StiWire wire = sti_wire_coordinate(joint, 0, 1);
    const StiElementId motor = sti_plan_add_impedance(plan, "motor", kind, &papers_motor, &wire);
    const StiSourceId input = sti_plan_add_input(plan, "e", 1, &e);
    sti_plan_connect(plan, sti_signal_source(input, 0), motor, 0);
    sti_plan_set_step(plan, T);
    Built built = build_and_destroy(plan);
    StiRecorder *recorder = sti_recorder_create(built.network);
    assert_int_equal(sti_recorder_begin(recorder, built.state, NULL, built.scratch), STI_OK);
    const double idle = e / (papers_motor.gamma * papers_motor.K_M);
    const double rate = motor_D(&papers_motor) / I;
    for (int k = 1; k <= 3000; ++k) {
        assert_steps(&built, NULL);
        assert_int_equal(sti_recorder_follow(recorder, built.state, built.scratch), STI_OK);
        assert_near(*velocity(&built, joint), idle * (1.0 - exp(-rate * T * k)), 1e-10 * idle);
    }
    const StiEnergy energy = sti_recorder_energy(recorder);
    assert_near(energy.work, 0.5 * I * idle * idle, 1e-4 * energy.work); // all of it came in
    assert_true(energy.dissipated == 0.0);
    assert_near(energy.residual, 0.0, 1e-13 * energy.work);
    sti_recorder_destroy(recorder);
    release(&built);
}

static void check_refuses_what_cannot_be(void **state)
{
    (void)state;
    StiDcMotor p = papers_motor;
    assert_accepted(&kind->info, &p);
    p.voltage = 0.0;
    assert_accepted(&kind->info, &p);
    static const char *const names[] = {"torque_constant", "resistance", "gear_ratio"};
    for (int i = 0; i < 3; ++i)
        for (int sign = -1; sign <= 0; ++sign) {
            p = papers_motor;
            *sti_kind_find(&kind->info, &p, names[i]) *= sign;
            assert_refused(&kind->info, &p, names[i]);
        }
    p = papers_motor;
    p.voltage = -1.0;
    assert_refused(&kind->info, &p, "rated_voltage");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_are_the_papers),
        cmocka_unit_test(stalls_and_idles_where_it_should),
        cmocka_unit_test(voltage_is_limited_to_the_rated_one),
        cmocka_unit_test(electrical_power_is_heat_and_work),
        cmocka_unit_test(kind_resists_with_minus_the_torque),
        cmocka_unit_test(inertia_runs_up_as_the_closed_form_says),
        cmocka_unit_test(check_refuses_what_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
