#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "algebra/slices.h"
#include "algebra/symmetric3.h"
#include "body_laws.h"
#include "support/runge_kutta.h"

static const StiAdmittanceKind *const kind = &sti_kind_rigid_body;

// Point masses at random places: a tensor that exists.
static StiRigidBody random_body(Random *random)
{
    StiRigidBody p = {.mass = random_decades(random, 0.1, 10.0)};
    for (int i = 0; i < 4; ++i) {
        const StiVec3 r = random_vec3(random, 1.0);
        const double square = sti_vec3_dot(r, r);
        const double J[6] = {square - r.x * r.x, square - r.y * r.y, square - r.z * r.z,
                             -r.x * r.y,         -r.x * r.z,         -r.y * r.z};
        for (int j = 0; j < 6; ++j) p.inertia[j] += 0.25 * p.mass * J[j];
    }
    return p;
}

static void keeps_the_laws_of_bodies(void **state)
{
    (void)state;
    Random random = {14};
    for (int trial = 0; trial < 300; ++trial) {
        const StiRigidBody p = random_body(&random);
        assert_body_laws(&random, kind, &p);
    }
}

static void start_takes_any_attitude(void **state)
{
    (void)state;
    StiRigidBody p = {.mass = 1.0,
                      .inertia = {1.0, 1.0, 1.0},
                      .position = {1.0, 2.0, 3.0},
                      .velocity = {4.0, 5.0, 6.0},
                      .angular_velocity = {7.0, 8.0, 9.0}};
    double q[7], v[6];
    kind->start(&p, q, v);
    const double at_rest[7] = {1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0};
    const double velocity[6] = {4.0, 5.0, 6.0, 7.0, 8.0, 9.0};
    assert_memory_equal(q, at_rest, sizeof q);
    assert_memory_equal(v, velocity, sizeof v);
    p.attitude[3] = -2.0;
    kind->start(&p, q, v);
    assert_true(q[3] == 0.0 && q[6] == -1.0);
}

// Unlocked rows of (H + added) dv = force, where H is written out as 6 x 6.
static void full_inertia(const StiRigidBody *p, const double *added, double H[6][6])
{
    const double *J = p->inertia;
    const double block[3][3] = {{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}};
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) H[i][j] = i == j ? added[i] + (i < 3 ? p->mass : 0.0) : 0.0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) H[3 + i][3 + j] += block[i][j];
}

static void locked_rows_are_zero_and_the_others_balance(void **state)
{
    (void)state;
    Random random = {15};
    for (int set = 0; set < 64; ++set) {
        const StiRigidBody p = random_body(&random);
        const BodyState s = random_state(&random, kind, &p);
        BodyForce force = random_force(&random, kind, &p);
        const StiForce view = force_view(&force);
        bool locked[6];
        double added[6], H[6][6], prepared[15], dv[6], f[6];
        for (int i = 0; i < 6; ++i) {
            locked[i] = set >> i & 1;
            added[i] = random_between(&random, 0.0, 5.0);
        }
        assert_int_equal(kind->prepare(&p, s.q, locked, added, prepared), STI_OK);
        kind->respond(&p, prepared, s.q, &view, dv);
        full_inertia(&p, added, H);
        const StiVec3 moment = sti_quat_unrotate(sti_quat_read(s.q + 3), force.link.moment);
        sti_vec3_write(force.link.force, f);
        sti_vec3_write(moment, f + 3);
        for (int i = 0; i < 6; ++i) {
            double residual = -f[i] - force.generalized[i];
            for (int j = 0; j < 6; ++j) residual += H[i][j] * dv[j];
            if (locked[i])
                assert_true(dv[i] == 0.0);
            else
                assert_near(residual, 0.0, 5e-14);
        }
    }
}

static void an_inertia_made_indefinite_is_refused(void **state)
{
    (void)state;
    const StiRigidBody p = {.mass = 1.0, .inertia = {1.0, 1.0, 1.0}};
    const double q[7] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0};
    double prepared[15];
    for (int i = 0; i < 6; ++i) {
        double added[6] = {0.0};
        added[i] = -1.0;
        assert_int_equal(kind->prepare(&p, q, NULL, added, prepared), STI_BAD_ARGUMENT);
    }
}

static void move_turns_by_the_exponential(void **state)
{
    (void)state;
    const StiRigidBody p = {.mass = 1.0, .inertia = {1.0, 1.0, 1.0}};
    const double T = 0.75, angle = 2.0 * T;
    const double v[6] = {1.0, -2.0, 4.0, 0.0, 0.0, 2.0};
    double q[7] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0};
    kind->move(&p, v, T, q);
    assert_true(q[0] == 0.75 && q[1] == -1.5 && q[2] == 3.0);
    assert_near(q[3], cos(0.5 * angle), 1e-15);
    assert_near(q[6], sin(0.5 * angle), 1e-15);
}

static void moving_by_nothing_only_restores_the_quaternion(void **state)
{
    (void)state;
    const StiRigidBody p = {.mass = 1.0, .inertia = {1.0, 1.0, 1.0}};
    BodyState s = {{-0.0, 1e300, 0.1, 2.0, 0.0, 0.0, 0.0}, {1.0, INFINITY, 3.0, 4.0, 5.0, 6.0}};
    assert_move_by_nothing(kind, &p, &s, 3);
    kind->move(&p, s.v, 0.0, s.q);
    assert_true(s.q[3] == 1.0 && s.q[4] == 0.0);
}

static void free_slope(const void *context, double t, double tau, const double *x, double *xdot)
{
    const StiStage stage = {.t = t, .tau = tau};
    BodyForce none = {.generalized = {0.0}};
    const StiForce uhat = force_view(&none);
    kind->eval(context, &stage, x, x + 7, NULL, &uhat, xdot, xdot + 7, NULL);
}

// Tumbling about the middle axis: nothing stays constant but momentum and energy.
static const StiRigidBody tumbling = {.mass = 2.0,
                                      .inertia = {0.3, 0.2, 0.4, 0.05, -0.02, 0.03},
                                      .velocity = {1.0, -2.0, 0.5},
                                      .angular_velocity = {3.0, 0.4, -0.3}};

static void tumble(int steps, double x[13])
{
    kind->start(&tumbling, x, x + 7);
    for (int k = 0; k < steps; ++k)
        runge_kutta_step(free_slope, &tumbling, 13, 0.0, 2.0 / steps, x);
}

static double attitude_error(const double *x, const double *exact)
{
    double square = 0.0;
    for (int i = 3; i < 7; ++i) square += (x[i] - exact[i]) * (x[i] - exact[i]);
    for (int i = 10; i < 13; ++i) square += (x[i] - exact[i]) * (x[i] - exact[i]);
    return sqrt(square);
}

static StiVec3 angular_momentum(const double *x)
{
    const StiVec3 in_body = sti_symmetric3_times(tumbling.inertia, sti_vec3_read(x + 10));
    return sti_quat_rotate(sti_quat_normalise(sti_quat_read(x + 3)), in_body);
}

static double momentum_error(const double *x, const double *exact)
{
    return sti_vec3_norm(sti_vec3_sub(angular_momentum(x), angular_momentum(exact)));
}

static double energy_error(const double *x, const double *exact)
{
    const StiVec3 none = sti_vec3(0.0, 0.0, 0.0);
    return fabs(kind->stored(&tumbling, none, x, x + 7, NULL) -
                kind->stored(&tumbling, none, exact, exact + 7, NULL));
}

static void a_free_body_tumbles_at_order_4(void **state)
{
    (void)state;
    double exact[13], coarse[13], fine[13];
    tumble(8000, exact);
    tumble(100, coarse);
    tumble(200, fine);
    const double ratio = attitude_error(coarse, exact) / attitude_error(fine, exact);
    assert_true(ratio > 14.0 && ratio < 18.5);
}

static void a_free_body_keeps_momentum_and_energy(void **state)
{
    (void)state;
    double start[13], coarse[13], fine[13], end[13];
    tumble(0, start);
    tumble(100, coarse);
    tumble(200, fine);
    tumble(2000, end);
    assert_true(momentum_error(fine, start) < momentum_error(coarse, start) / 14.0);
    assert_true(energy_error(fine, start) < energy_error(coarse, start) / 14.0);
    assert_near(momentum_error(end, start), 0.0, 2e-12);
    assert_near(energy_error(end, start), 0.0, 2e-13);
    for (int i = 0; i < 3; ++i) {
        assert_true(end[7 + i] == start[7 + i]);
        assert_near(end[i], 2.0 * tumbling.velocity[i], 5e-13);
    }
}

static void angular_velocity_is_recorded_in_world_axes(void **state)
{
    (void)state;
    const char *const names[] = {"x",  "y",  "z",  "qw", "qx", "qy", "qz",
                                 "vx", "vy", "vz", "wx", "wy", "wz"};
    const StiRigidBody p = {.mass = 1.0, .inertia = {1.0, 1.0, 1.0}};
    const double half = sqrt(0.5); // a quarter turn about z: body x is world y
    const double q[7] = {1.0, 2.0, 3.0, half, 0.0, 0.0, half};
    const double v[6] = {4.0, 5.0, 6.0, 7.0, 0.0, 0.0};
    double values[13];
    assert_channels(kind, &p, 13, names);
    kind->observe(&p, q, v, NULL, values);
    assert_memory_equal(values, q, sizeof q);
    assert_memory_equal(values + 7, v, 3 * sizeof(double));
    assert_near(values[10], 0.0, 1e-14);
    assert_near(values[11], 7.0, 1e-14);
    assert_near(values[12], 0.0, 1e-14);
}

static int errors_with(const double inertia[6], bool allow_unphysical)
{
    StiRigidBody p = {.mass = 1.0};
    memcpy(p.inertia, inertia, sizeof p.inertia);
    return findings_of(kind, &p, allow_unphysical);
}

static void inertia_must_belong_to_a_body(void **state)
{
    (void)state;
    Random random = {16};
    for (int trial = 0; trial < 300; ++trial) {
        const StiRigidBody p = random_body(&random);
        assert_int_equal(findings_of(kind, &p, false), 0);
    }
    const double plate[6] = {0.1, 0.2, 0.300001}, rod[6] = {1e-9, 0.1, 0.1}; // six digits
    assert_int_equal(errors_with(plate, false) + errors_with(rod, false), 0);
    const double impossible[6] = {0.1, 0.2, 0.31};
    assert_int_equal(errors_with(impossible, false), 1);
    assert_int_equal(errors_with(impossible, true), 0);
    const double bad[][6] = {{0.0},           {1.0, 1.0, 0.0},      {1.0, 1.0, 1.0, 1.5},
                             {1.0, 1.0, NAN}, {1.0, INFINITY, 1.0}, {1.0, 1.0, 1.0, 0.0, NAN}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
        assert_int_equal(errors_with(bad[i], true), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_the_laws_of_bodies),
        cmocka_unit_test(start_takes_any_attitude),
        cmocka_unit_test(locked_rows_are_zero_and_the_others_balance),
        cmocka_unit_test(an_inertia_made_indefinite_is_refused),
        cmocka_unit_test(move_turns_by_the_exponential),
        cmocka_unit_test(moving_by_nothing_only_restores_the_quaternion),
        cmocka_unit_test(a_free_body_tumbles_at_order_4),
        cmocka_unit_test(a_free_body_keeps_momentum_and_energy),
        cmocka_unit_test(angular_velocity_is_recorded_in_world_axes),
        cmocka_unit_test(inertia_must_belong_to_a_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
