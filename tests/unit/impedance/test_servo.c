// The servo: when it samples, what it holds, how it saturates, and that all of it is in the state.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "judged.h"
#include "papers_motor.h"
#include "support/near.h"
#include "support/plan.h"
#include "support/random.h"
#include "unit/network/built.h"

static const StiImpedanceKind *const kind = &sti_kind_servo;
enum { INTEGRAL, VOLTAGE }; // in the discrete state

// Gains that reach the target within a second.
static StiServo stiff_servo(void)
{
    return (StiServo){.motor = papers_motor, .K_P = 0.5, .K_I = 0.2, .K_D = 0.01, .period = 2e-3};
}

static double law(const StiServo *p, double integral, double error, double w)
{
    const double e = p->motor.gamma * (p->K_P * error + p->K_I * integral - p->K_D * w);
    return fmax(-p->motor.voltage, fmin(p->motor.voltage, e));
}

static void target_wave(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace;
    values[0] = 0.2 * sin(7.0 * t) + 0.05;
}
static double target_at(double t)
{
    double value;
    target_wave(NULL, NULL, t, &value);
    return value;
}

// A joint (moment of inertia as mass) under the servo.
typedef struct Driven {
    Built built;
    StiAdmittanceId joint;
    StiElementId servo;
} Driven;

typedef struct Setting {
    StiServo servo;
    double inertia, w0, T, start;
    const StiMethod *method;
    bool rubs; // a reaction on the joint: the other pipeline
} Setting;

static Driven drive(const Setting *s)
{
    Driven driven;
    StiPlan *plan = plan_in_stages();
    sti_plan_set_step(plan, s->T);
    sti_plan_set_start(plan, s->start);
    if (s->method != NULL) sti_plan_set_method(plan, s->method);
    driven.joint = add_moving_mass(plan, "joint", s->inertia, s->w0);
    const StiWire wire = sti_wire_coordinate(driven.joint, 0, 1);
    driven.servo = sti_plan_add_impedance(plan, "servo", kind, &s->servo, &wire);
    if (s->rubs) add_rule(plan, "friction", wire, sti_law_coulomb(0.5), 0.0);
    const StiSourceId target =
        sti_plan_add_time_function(plan, "target",
                                   (StiTimeFunction){.count = 1, .eval = target_wave});
    sti_plan_connect(plan, sti_signal_source(target, 0), driven.servo, 0);
    driven.built = build_and_destroy(plan);
    return driven;
}

static double held(const Driven *driven)
{
    return discrete(&driven->built, driven->servo)[VOLTAGE];
}

static Setting papers_setting(void)
{
    return (Setting){.servo = stiff_servo(), .inertia = papers_rotor, .w0 = 1.0, .T = 1e-3};
}

// Every N steps the voltage is that of motion and target at the start of the step; in between it
// keeps its bits. N = 1 ... 7, all methods, both pipelines.
static void samples_every_period_and_holds(void **state)
{
    (void)state;
    const StiMethod *const methods[] = {&sti_method_rk4, &sti_method_gill, &sti_method_heun,
                                        &sti_method_euler, &sti_method_symplectic_euler};
    for (int variant = 0; variant < 42; ++variant) {
        const int N = 1 + variant % 7;
        Setting setting = papers_setting();
        setting.servo.period = N * setting.T;
        setting.rubs = variant >= 35;
        setting.method = setting.rubs ? NULL : methods[variant / 7];
        Driven driven = drive(&setting);
        const StiServo *p = &setting.servo;
        double integral = 0.0, expected = 0.0;
        int changes = 0;
        for (int k = 0; k < 500; ++k) {
            // Reactions see the sources at the end of the step: that is the target of step 0.
            const double t = setting.T * (k == 0 && setting.rubs ? 1 : k);
            const double error = target_at(t) - *position(&driven.built, driven.joint);
            if (k % N == 0) {
                integral += error * p->period;
                expected = law(p, integral, error, *velocity(&driven.built, driven.joint));
            }
            const double before = held(&driven);
            if (k > 0) {
                assert_near(before, expected, 1e-13);
                assert_near(discrete(&driven.built, driven.servo)[INTEGRAL], integral, 1e-16);
            }
            assert_steps(&driven.built, NULL);
            changes += k > 0 && held(&driven) != before;
            if (k > 0 && (k + 1) % N != 0) assert_true(held(&driven) == before);
        }
        assert_true(changes > 400 / N);
        release(&driven.built);
    }
}

// Between samples the voltage is constant, so the motion is known in closed form. From step 0 on.
static void motion_is_that_of_a_held_voltage(void **state)
{
    (void)state;
    const StiMethod *const methods[] = {&sti_method_rk4, &sti_method_gill};
    for (int N = 1; N <= 8; ++N) {
        Setting setting = papers_setting();
        setting.T = 2.5e-4;
        setting.servo.period = N * setting.T;
        setting.method = methods[N % 2];
        Driven driven = drive(&setting);
        const StiServo *p = &setting.servo;
        const double I = setting.inertia, E = motor_E(&p->motor), D = motor_D(&p->motor);
        const double decay = exp(-D * setting.T / I);
        double q = 0.0, w = setting.w0, integral = 0.0, e = 0.0;
        for (int k = 0; k < 2000; ++k) {
            if (k % N == 0) {
                const double error = target_at(setting.T * k) - q;
                integral += error * p->period;
                e = law(p, integral, error, w);
            }
            const double steady = E * e / D;
            q += steady * setting.T + (w - steady) * (1.0 - decay) * I / D;
            w = steady + (w - steady) * decay;
            assert_steps(&driven.built, NULL);
            assert_near(*position(&driven.built, driven.joint), q, 1e-11);
            assert_near(*velocity(&driven.built, driven.joint), w, 1e-9);
        }
        release(&driven.built);
    }
}

static void voltage_saturates_and_the_integral_winds_up(void **state)
{
    (void)state;
    Setting setting = papers_setting();
    setting.inertia = 1e9; // it does not get anywhere
    setting.w0 = 0.0;
    setting.servo.K_P = 1000.0;
    setting.servo.K_I = 1000.0;
    Driven driven = drive(&setting);
    double integral = 0.0;
    for (int k = 0; k < 400; ++k) { // the target stays above 0 so long
        const double target = target_at(setting.T * k);
        if (k % 2 == 0) integral += target * setting.servo.period;
        assert_steps(&driven.built, NULL);
        assert_true(held(&driven) == 24.0);
        if (k % 2 == 0) // the next sample is two steps away
            assert_near(discrete(&driven.built, driven.servo)[INTEGRAL], integral, 1e-8);
    }
    release(&driven.built);
}

static void saved_state_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    for (int cut = 0; cut < 12; ++cut) { // before the first step, and anywhere in a period of 5
        Setting setting = papers_setting();
        setting.servo.period = 5e-3;
        Driven one = drive(&setting), other = drive(&setting);
        for (int k = 0; k < cut; ++k) assert_steps(&one.built, NULL);
        assert_int_equal(sti_state_save(one.built.state, "servo.state"), STI_OK);
        assert_int_equal(sti_state_load(other.built.state, "servo.state"), STI_OK);
        for (int k = 0; k < 50; ++k) {
            assert_steps(&one.built, NULL);
            assert_steps(&other.built, NULL);
            assert_true(sti_state_hash(one.built.state) == sti_state_hash(other.built.state));
        }
        release(&one.built);
        release(&other.built);
    }
    remove("servo.state");
}

// From the first step that begins at `off` or later; the motor then brakes through its winding.
static void switches_off_at_its_time(void **state)
{
    (void)state;
    const double times[] = {0.04, 0.041, 0.0405, 0.001};
    const int last_on[] = {39, 40, 40, 0}; // number of the last step with voltage
    for (int i = 0; i < 4; ++i) {
        Setting setting = papers_setting();
        setting.servo.off = times[i];
        Driven driven = drive(&setting);
        for (int k = 1; k <= 100; ++k) {
            assert_steps(&driven.built, NULL); // step k - 1; the state is about step k
            assert_true((held(&driven) != 0.0) == (k <= last_on[i]));
        }
        const double w = *velocity(&driven.built, driven.joint);
        assert_steps(&driven.built, NULL);
        const double decay = exp(-motor_D(&papers_motor) * setting.T / setting.inertia);
        assert_near(*velocity(&driven.built, driven.joint), w * decay, 1e-9 * fabs(w));
        release(&driven.built);
    }
}

// Nor does a servo start that is off before the run begins; and time need not begin at 0.
static void off_counts_from_time_zero(void **state)
{
    (void)state;
    Setting setting = papers_setting();
    setting.start = 5.0;
    setting.servo.off = 4.0;
    Driven driven = drive(&setting);
    assert_steps(&driven.built, NULL);
    const double decay = exp(-motor_D(&papers_motor) * setting.T / setting.inertia);
    assert_near(*velocity(&driven.built, driven.joint), setting.w0 * decay, 2e-9);
    assert_true(held(&driven) == 0.0);
    release(&driven.built);
    setting.servo.off = 5.01;
    driven = drive(&setting);
    for (int k = 1; k <= 20; ++k) {
        assert_steps(&driven.built, NULL);
        assert_true((held(&driven) != 0.0) == (k < 10));
    }
    release(&driven.built);
}

// Row k of a recording: the voltage that acts from t_k on, and the current it makes there.
static void recordings_show_voltage_and_current(void **state)
{
    (void)state;
    const Setting setting = papers_setting();
    Driven driven = drive(&setting);
    StiRecorder *recorder = sti_recorder_create(driven.built.network);
    const int voltage = sti_network_channel_find(driven.built.network, "servo.voltage");
    const int current = sti_network_channel_find(driven.built.network, "servo.current");
    const int force = sti_network_channel_find(driven.built.network, "servo.force");
    const StiServo *p = &setting.servo;
    const double error = target_at(0.0);
    assert_int_equal(sti_recorder_begin(recorder, driven.built.state, NULL, driven.built.scratch),
                     STI_OK);
    const double first = law(p, error * p->period, error, setting.w0);
    assert_near(sti_recorder_value(recorder, voltage), first, 1e-14);
    assert_near(sti_recorder_value(recorder, current),
                (first - 120.0 * 2.58e-2 * setting.w0) / 2.36, 1e-14);
    assert_near(sti_recorder_value(recorder, force), -sti_dc_motor(&p->motor, first, setting.w0),
                1e-13);
    for (int k = 0; k < 20; ++k) {
        assert_steps(&driven.built, NULL);
        sti_recorder_follow(recorder, driven.built.state, driven.built.scratch);
        assert_true(sti_recorder_value(recorder, voltage) == held(&driven));
    }
    const StiEnergy energy = sti_recorder_energy(recorder);
    assert_true(energy.dissipated == 0.0); // it gives work
    assert_near(energy.residual, 0.0, 1e-15);
    sti_recorder_destroy(recorder);
    release(&driven.built);
}

// Same arguments, same bits; and only the last arguments are written.
static void verbs_are_pure(void **state)
{
    (void)state;
    Random random = {431};
    for (int trial = 0; trial < 2000; ++trial) {
        const StiServo p = stiff_servo(), p_before = p;
        double motion[3], y[3], s[3], s_again[3], u[2], ydot[2][3];
        for (int i = 0; i < 3; ++i) {
            motion[i] = random_between(&random, -1.0, 1.0);
            y[i] = random_below(&random, 2) ? 0.0 : random_between(&random, 1e-4, 1e-3);
            s[i] = s_again[i] = random_between(&random, 0.0, 5.0);
        }
        s[2] = s_again[2] = random_below(&random, 5);
        const StiStage stage = {.t = 0.3, .step = 1e-3, .k = random_below(&random, 5)};
        const StiMotion xhat = {&motion[0], &motion[1], &motion[2]};
        double kept[9];
        memcpy(kept, motion, sizeof motion);
        memcpy(kept + 3, y, sizeof y);
        memcpy(kept + 6, s, sizeof s);
        for (int i = 0; i < 2; ++i)
            assert_int_equal(kind->eval(&p, &stage, &xhat, y, s, &u[i], ydot[i]), STI_OK);
        assert_true(u[0] == u[1]);
        assert_memory_equal(ydot[0], ydot[1], sizeof ydot[0]);
        assert_memory_equal(kept + 6, s, sizeof s);
        kind->settle(&p, &stage, &xhat, y, s);
        kind->settle(&p, &stage, &xhat, y, s_again);
        assert_memory_equal(s, s_again, sizeof s);
        assert_memory_equal(kept, motion, sizeof motion);
        assert_memory_equal(kept + 3, y, sizeof y);
        assert_memory_equal(&p, &p_before, sizeof p);
    }
}

static void check_refuses_what_cannot_be(void **state)
{
    (void)state;
    StiServo p = stiff_servo();
    const StiInfo *info = &kind->info;
    assert_accepted(info, &p);
    assert_int_equal(judge(info, &p, 1e-3, false).findings, 0);
    assert_int_equal(judge(info, &p, 2e-3, false).findings, 0);
    assert_int_equal(judge(info, &p, 2e-3 / 7.0, false).findings, 0);
    const double wrong[] = {3e-3, 1.5e-3, 4e-3, 2e-3 / 6.99, 1.0};
    for (int i = 0; i < 5; ++i) {
        const Verdict verdict = judge(info, &p, wrong[i], false);
        assert_int_equal(verdict.errors, 1);
        assert_string_equal(verdict.last.parameter, "period");
    }
    p.period = 1e-10; // next to no step at all
    assert_int_equal(judge(info, &p, 1e-3, false).errors, 1);
    p.period = 0.0;
    assert_refused(info, &p, "period");
    static const char *const names[] = {"torque_constant", "resistance", "gear_ratio"};
    for (int i = 0; i < 3; ++i) {
        p = stiff_servo();
        *sti_kind_find(info, &p, names[i]) = 0.0;
        assert_refused(info, &p, names[i]);
    }
    p = stiff_servo();
    assert_true(sti_kind_find(info, &p, "kp") == &p.K_P);
    assert_true(sti_kind_find(info, &p, "ki") == &p.K_I);
    assert_true(sti_kind_find(info, &p, "kd") == &p.K_D);
    assert_true(sti_kind_find(info, &p, "off") == &p.off);
    assert_true(sti_kind_find(info, &p, "rated_voltage") == &p.motor.voltage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_every_period_and_holds),
        cmocka_unit_test(motion_is_that_of_a_held_voltage),
        cmocka_unit_test(voltage_saturates_and_the_integral_winds_up),
        cmocka_unit_test(saved_state_goes_on_with_the_same_bits),
        cmocka_unit_test(switches_off_at_its_time),
        cmocka_unit_test(off_counts_from_time_zero),
        cmocka_unit_test(recordings_show_voltage_and_current),
        cmocka_unit_test(verbs_are_pure),
        cmocka_unit_test(check_refuses_what_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
