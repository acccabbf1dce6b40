// Gear losses that scale with the transmitted torque: steady values, presliding, dissipation.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "judged.h"
#include "led_element.h"
#include "stiction/actuator.h"
#include "support/near.h"
#include "support/plan.h"
#include "unit/network/built.h"

static const StiImpedanceKind *const kind = &sti_kind_gear_loss;

static StiGearLoss random_gear(Random *random)
{
    const double mu_avg = random_decades(random, 1e-2, 1.0);
    return (StiGearLoss){.mu_avg = mu_avg,
                         .mu_dif = mu_avg * random_between(random, 0.0, 1.0),
                         .h = random_decades(random, 1e-3, 1e-1)};
}

static double resistance(const StiGearLoss *p, double torque, double w, double tau, double z,
                         double *zdot)
{
    const StiStage stage = {.tau = tau};
    const StiMotion xhat = {.v = &w, .signals = &torque};
    double u;
    assert_int_equal(kind->eval(p, &stage, &xhat, &z, NULL, &u, zdot), STI_OK);
    return u;
}

// f = sgn(w) mu_avg |tau| + mu_dif tau: driving costs more than back-driving.
static void steady_loss_depends_on_who_drives(void **state)
{
    (void)state;
    Random random = {421};
    for (int trial = 0; trial < 1000; ++trial) {
        const StiGearLoss p = random_gear(&random);
        const double torque = random_between(&random, -10.0, 10.0);
        const double w = random_between(&random, -5.0, 5.0), sign = w > 0.0 ? 1.0 : -1.0;
        double z = random_between(&random, -1.0, 1.0), f, zdot;
        const double T = 0.1 * p.h / fabs(w);
        for (int k = 0; k < 400; ++k) { // Euler: the distance shrinks by 0.9 each time
            sti_gear_loss(&p, torque, w, z, &f, &zdot);
            z += T * zdot;
        }
        sti_gear_loss(&p, torque, w, z, &f, &zdot);
        assert_near(z, sign, 1e-14);
        assert_near(f, sign * p.mu_avg * fabs(torque) + p.mu_dif * torque, 1e-13 * fabs(torque));
        const bool driving = torque * w > 0.0;
        const double share = p.mu_avg + (driving ? p.mu_dif : -p.mu_dif);
        assert_near(fabs(f), share * fabs(torque), 1e-13 * fabs(torque));
    }
}

// From z = 0 at constant speed z = 1 - exp(-angle/h), whatever the speed.
static void loss_builds_up_over_the_presliding_angle(void **state)
{
    (void)state;
    const StiGearLoss p = {.mu_avg = 0.2, .mu_dif = 0.05, .h = 0.01};
    for (int i = 0; i < 5; ++i) {
        const double w = pow(10.0, i - 2), T = 1e-3 * p.h / w;
        double z = 0.0, zdot, next, unused;
        for (int k = 0; k < 3000; ++k) { // Heun
            sti_gear_loss(&p, 1.0, w, z, &unused, &zdot);
            sti_gear_loss(&p, 1.0, w, z + T * zdot, &unused, &next);
            z += 0.5 * T * (zdot + next);
        }
        assert_near(z, 1.0 - exp(-3.0), 3e-8);
    }
}

// Over ever smaller swings the loss per cycle falls as the cube, the energy in play as the square.
static void presliding_is_elastic(void **state)
{
    (void)state;
    const StiGearLoss p = {.mu_avg = 0.2, .mu_dif = 0.1, .h = 0.01};
    const StiImpedance element = {kind, &p};
    const double torque = 5.0;
    for (double a = 1e-3; a > 1e-6; a /= 10.0) {
        ClosedPath path = {.dim = 1, .period = 1.0};
        path.amplitude[0][0] = a * p.h;
        double y = 0.0, zdot, Z;
        const Round round = lead_round(&element, &torque, &path, 10000, &y);
        const double stiffness = p.mu_avg * torque / p.h,
                     peak = 0.5 * stiffness * a * p.h * a * p.h;
        assert_int_equal(round.status, STI_OK);
        assert_true(round.work > 0.0 && round.work < 10.0 * a * peak);
        assert_near(resistance(&p, torque, 0.0, 0.0, a, &zdot), stiffness * a * p.h,
                    0.51 * a * stiffness * a * p.h);
        assert_true(zdot == 0.0); // at rest nothing relaxes
        const StiStage stage = {.tau = 1e-3};
        const StiMotion xhat = {.signals = &torque};
        kind->tangent(&p, &stage, &xhat, &y, NULL, &Z);
        assert_near(Z, 1e-3 * stiffness, 1e-15);
    }
}

// The density of loss in gear_loss.c, at any motion: power in = growth of what is stored + loss.
static void power_is_stored_or_lost(void **state)
{
    (void)state;
    Random random = {422};
    for (int trial = 0; trial < 100000; ++trial) {
        const StiGearLoss p = random_gear(&random);
        const double torque = random_between(&random, -10.0, 10.0);
        const double w = random_between(&random, -5.0, 5.0), z = random_between(&random, -1.0, 1.0);
        const StiMotion xhat = {.signals = &torque};
        double f, zdot;
        sti_gear_loss(&p, torque, w, z, &f, &zdot);
        const double d = 1e-5, below = z - d, above = z + d;
        const double slope =
            (kind->stored(&p, &xhat, &above) - kind->stored(&p, &xhat, &below)) / (2.0 * d);
        const double loss = fabs(w) * z * z * (p.mu_avg * fabs(torque) + p.mu_dif * torque * z);
        assert_true(loss >= 0.0 && kind->stored(&p, &xhat, &z) >= 0.0);
        assert_near(f * w - slope * zdot, loss, 1e-9 * p.mu_avg * fabs(torque * w));
    }
}

typedef struct History {
    double work;      // J, taken from the joint
    double stiffened; // J, that growing torque put into the deflected bristle
    double stored;    // J, at the end
    double turnover;  // J, work with all signs positive
} History;

// Random speeds and torques, piecewise constant, a few steps to a few hundred each; the steps are
// short against presliding.
static History random_history(Random *random, const StiGearLoss *p, bool torque_varies)
{
    History sum = {0};
    double z = 0.0, torque = random_between(random, -10.0, 10.0);
    StiMotion xhat = {.signals = &torque};
    for (int piece = 0; piece < 100; ++piece) {
        const double w = random_between(random, -1.0, 1.0);
        const double way = p->h * random_decades(random, 1e-2, 5.0), T = 1e-2 * p->h / fabs(w);
        sum.stiffened -= kind->stored(p, &xhat, &z);
        if (torque_varies) torque = random_between(random, -10.0, 10.0);
        sum.stiffened += kind->stored(p, &xhat, &z);
        for (int k = 0; k < (int)(way / (1e-2 * p->h)) + 1; ++k) {
            double f, next_f, zdot, next_zdot;
            sti_gear_loss(p, torque, w, z, &f, &zdot);
            sti_gear_loss(p, torque, w, z + T * zdot, &next_f, &next_zdot);
            z += 0.5 * T * (zdot + next_zdot);
            sum.work += 0.5 * T * (f + next_f) * w;
            sum.turnover += 0.5 * T * (fabs(f) + fabs(next_f)) * fabs(w);
        }
    }
    sum.stored = kind->stored(p, &xhat, &z);
    return sum;
}

static void random_histories_dissipate(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 2000; ++seed) {
        Random random = {seed};
        const StiGearLoss p = random_gear(&random);
        const History still = random_history(&random, &p, false);
        assert_true(still.work - still.stored > 0.0);
        assert_true(still.stiffened == 0.0);
        const History varied = random_history(&random, &p, true);
        assert_true(varied.work + varied.stiffened - varied.stored >= 0.0);
        assert_true(varied.work >
                    0.0); // presliding gives back less than the full slips in between take
        assert_true(varied.work <= varied.turnover);
    }
}

// What no law of this form avoids: bent under a small torque and let go under a large one, the
// bristle returns more than it took, at most what the growth of the torque put into it.
static void growing_torque_stiffens_a_bent_bristle(void **state)
{
    (void)state;
    const StiGearLoss p = {.mu_avg = 0.2, .mu_dif = 0.1, .h = 0.01};
    const double low = 1.0, high = 5.0, bend = 0.05, T = 1e-6; // 1 rad/s
    const StiMotion slack = {.signals = &low}, tight = {.signals = &high};
    double z = 0.0, f, zdot, work = 0.0;
    for (; z < bend; z += T * zdot) {
        sti_gear_loss(&p, low, 1.0, z, &f, &zdot);
        work += T * f;
    }
    const double given = kind->stored(&p, &tight, &z) - kind->stored(&p, &slack, &z);
    for (; z > 0.0; z += T * zdot) {
        sti_gear_loss(&p, high, -1.0, z, &f, &zdot);
        work -= T * f;
    }
    assert_true(work < 0.0 && work + given > 0.0);
    assert_near(work, -given, 0.1 * given);
}

static void closed_paths_dissipate_at_constant_torque(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; ++seed) {
        Random random = {seed};
        const StiGearLoss p = random_gear(&random);
        const StiImpedance element = {kind, &p};
        const double torque = random_between(&random, -10.0, 10.0);
        const ClosedPath path =
            random_path(&random, 1, p.h * random_decades(&random, 1e-2, 10.0), 1.0);
        double y = 0.0;
        for (int turn = 0; turn < 3; ++turn) {
            const Round round = lead_round(&element, &torque, &path, 4000, &y);
            assert_true(round.work - round.stored > 0.0);
            assert_true(fabs(y) <= 1.0);
        }
    }
}

// Also where one step goes far beyond presliding: z stays within its ends and settles there.
static void deflection_stays_within_its_ends_at_any_step(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; ++seed) {
        Random random = {seed};
        const StiGearLoss p = random_gear(&random);
        const double T = 1e-3, way = p.h * random_decades(&random, 1e-1, 1e4), torque = 1.0;
        const double motion[2] = {0.0, way / T};
        StiPlan *plan = plan_in_stages();
        sti_plan_set_step(plan, T);
        sti_plan_set_method(plan, sti_methods[seed % 5]);
        const StiAdmittanceId joint =
            sti_plan_add_admittance(plan, "joint", &sti_kind_motion_source, &(StiMotionSource){.dim = 1});
        const StiSourceId speed = sti_plan_add_input(plan, "motion", 2, motion);
        for (int i = 0; i < 2; ++i)
            sti_plan_connect_admittance(plan, sti_signal_source(speed, i), joint, i);
        const StiWire wire = sti_wire_coordinate(joint, 0, 1);
        const StiElementId gear = sti_plan_add_impedance(plan, "gear", kind, &p, &wire);
        const StiSourceId load = sti_plan_add_input(plan, "torque", 1, &torque);
        sti_plan_connect(plan, sti_signal_source(load, 0), gear, 0);
        Built built = build_and_destroy(plan);
        double inputs[3];
        inputs[sti_network_input(built.network, "torque")] = torque;
        double *moving = inputs + sti_network_input(built.network, "motion");
        moving[0] = 0.0;
        for (int turn = 0; turn < 4; ++turn) {
            moving[1] = turn % 2 ? -way / T : way / T;
            const int steps = 50 + (int)(40.0 * p.h / way);
            for (int k = 0; k < steps; ++k) {
                assert_steps(&built, inputs);
                assert_true(fabs(*memory(&built, gear)) <= 1.0 + 1e-14);
            }
            assert_near(*memory(&built, gear), turn % 2 ? -1.0 : 1.0, 1e-11);
        }
        release(&built);
    }
}

// Where the step resolves presliding, the kind is the function.
static void kind_is_the_function(void **state)
{
    (void)state;
    Random random = {423};
    for (int trial = 0; trial < 1000; ++trial) {
        const StiGearLoss p = random_gear(&random), before = p;
        const double torque = random_between(&random, -10.0, 10.0);
        const double w = random_between(&random, -5.0, 5.0), z = random_between(&random, -1.0, 1.0);
        const double tau = random_below(&random, 2) ? 0.0 : 0.99 * p.h / fabs(w);
        double f, zdot, rate, again;
        sti_gear_loss(&p, torque, w, z, &f, &zdot);
        assert_true(resistance(&p, torque, w, tau, z, &rate) == f && rate == zdot);
        assert_true(resistance(&p, torque, w, tau, z, &again) == f && again == rate);
        assert_memory_equal(&p, &before, sizeof p);
        resistance(&p, torque, w, 100.0 * p.h / fabs(w), z, &rate);
        assert_near(z + 100.0 * p.h / fabs(w) * rate, w > 0.0 ? 1.0 : -1.0, 1e-15);
        double deflection;
        const StiStage stage = {.tau = tau};
        kind->observe(&p, &stage, NULL, &z, NULL, NULL, &deflection);
        assert_true(deflection == z);
    }
}

static void check_refuses_what_makes_energy(void **state)
{
    (void)state;
    StiGearLoss p = {.mu_avg = 0.2, .mu_dif = 0.2, .h = 0.01};
    assert_accepted(&kind->info, &p);
    p.mu_dif = nextafter(0.2, 1.0);
    assert_refused(&kind->info, &p, "mu_dif");
    assert_int_equal(judge(&kind->info, &p, 0.0, true).errors, 0); // allowed, with a warning
    assert_int_equal(judge(&kind->info, &p, 0.0, true).findings, 1);
    p.mu_dif = -0.01;
    assert_refused(&kind->info, &p, "mu_dif");
    p = (StiGearLoss){.mu_avg = -0.1, .h = 0.01};
    assert_refused(&kind->info, &p, "mu_avg");
    p = (StiGearLoss){.mu_avg = 0.1};
    assert_refused(&kind->info, &p, "presliding");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_loss_depends_on_who_drives),
        cmocka_unit_test(loss_builds_up_over_the_presliding_angle),
        cmocka_unit_test(presliding_is_elastic),
        cmocka_unit_test(power_is_stored_or_lost),
        cmocka_unit_test(random_histories_dissipate),
        cmocka_unit_test(growing_torque_stiffens_a_bent_bristle),
        cmocka_unit_test(closed_paths_dissipate_at_constant_torque),
        cmocka_unit_test(deflection_stays_within_its_ends_at_any_step),
        cmocka_unit_test(kind_is_the_function),
        cmocka_unit_test(check_refuses_what_makes_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
