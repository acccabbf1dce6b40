#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "support/near.h"
#include "support/plan.h"
#include "support/random.h"
#include "support/runge_kutta.h"
#include "support/witness.h"

typedef struct Watched {
    Built built;
    StiAdmittanceId mass;
    StiElementId element;
    Notes notes;
} Watched;

static void watch(Watched *w, const StiMethod *method, bool reactions)
{
    StiPlan *plan = plan_in_stages();
    *w = (Watched){0};
    w->mass = sti_plan_add_admittance(
        plan, "mass", &sti_kind_point_mass,
        &(StiPointMass){.dim = 1, .mass = 2.0, .position = {0.3}, .velocity = {0.7}});
    const StiWire wire = sti_wire_coordinate(w->mass, 0, 1);
    w->element = sti_plan_add_impedance(plan, "witness", &witness_kind,
                                        &(Witness){&w->notes, 5.0, 11.0}, &wire);
    if (reactions)
        add_rule(plan, "nothing", wire, sti_law_coulomb(0.0), 0.0);
    else
        sti_plan_set_method(plan, method);
    sti_plan_set_step(plan, 0.1);
    sti_plan_set_start(plan, 3.0);
    sti_plan_set_gravity(plan, sti_vec3(1.0, 2.0, 3.0));
    w->built = build_and_destroy(plan);
}

static void stages_come_with_their_time_and_tau(void **state)
{
    (void)state;
    for (int i = 0; sti_methods[i] != NULL; ++i) {
        const StiMethod *m = sti_methods[i];
        if (m->cuts) continue; // its stages are at tau = 0
        Watched w;
        watch(&w, m, false);
        for (int k = 0; k < 3; ++k) assert_steps(&w.built, NULL);
        assert_int_equal(w.notes.evaluated, 3 * m->stages);
        assert_int_equal(w.notes.settled, 3);
        for (int k = 0; k < 3; ++k)
            for (int r = 0; r < m->stages; ++r) {
                const Call *call = &w.notes.evaluations[k * m->stages + r];
                assert_true(call->stage.t == 3.0 + (k + m->c[r]) * 0.1);
                assert_true(call->stage.tau == m->tau[r] * 0.1);
                assert_true(call->stage.step == 0.1);
                assert_int_equal(call->stage.k, k);
                assert_true(call->stage.gravity.z == 3.0);
                assert_true(call->s == k); // constant through the stages of a step
            }
        release(&w.built);
    }
}

// The end of a step and the beginning of the next one are one time, to the last bit.
static void steps_meet_at_one_time(void **state)
{
    (void)state;
    Watched w;
    watch(&w, &sti_method_rk4, false);
    for (int k = 0; k < 15; ++k) assert_steps(&w.built, NULL);
    for (int k = 1; k < 15; ++k)
        assert_true(w.notes.evaluations[4 * k].stage.t == w.notes.evaluations[4 * k - 1].stage.t);
    release(&w.built);
}

static void settle_sees_the_end_of_the_step(void **state)
{
    (void)state;
    for (int i = 0; i < 6; ++i) {
        Watched w;
        watch(&w, sti_methods[i % 5], i == 5);
        for (int k = 0; k < 5; ++k) {
            assert_steps(&w.built, NULL);
            const Call *call = &w.notes.settlements[k];
            assert_true(call->x == *position(&w.built, w.mass));
            assert_true(call->v == *velocity(&w.built, w.mass));
            assert_true(call->y == *memory(&w.built, w.element));
            assert_near(call->y, 11.0 * 0.1 * (k + 1), 1e-15 * (k + 1));
            assert_true(*discrete(&w.built, w.element) == k + 1.0);
        }
        release(&w.built);
    }
}

// A mass on a bristle, forced; the state is x, v, e.
typedef struct Forced {
    StiElasticCoulomb element;
    double M;
} Forced;

static void forced_slope(const void *context, double t, double tau, const double *x, double *xdot)
{
    const Forced *p = context;
    double f;
    sti_elastic_coulomb(&p->element, tau, NULL, &x[1], &x[2], &f, &xdot[2]);
    xdot[0] = x[1];
    xdot[1] = (6.0 * sin(20.0 * t) - f) / p->M;
}
static void forcing(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace;
    values[0] = 6.0 * sin(20.0 * t);
}

// [modular] (21) written out by hand, over stick and slip.
static void rk4_is_the_papers_scheme(void **state)
{
    (void)state;
    const Forced p = {{.dim = 1, .law = sti_law_coulomb(5.0), .K = 1e4, .B = 10.0}, 0.8};
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId mass = add_moving_mass(plan, "mass", p.M, 0.1);
    const StiWire wire = sti_wire_coordinate(mass, 0, 1);
    const StiElementId friction =
        sti_plan_add_impedance(plan, "friction", &sti_kind_elastic_coulomb, &p.element, &wire);
    sti_plan_add_force(plan, "force", &wire, 1, (StiTimeFunction){.count = 1, .eval = forcing});
    Built built = build_and_destroy(plan);
    double x[3] = {0.0, 0.1, 0.0};
    for (int k = 0; k < 2000; ++k) {
        runge_kutta_step(forced_slope, &p, 3, k * 1e-3, 1e-3, x);
        assert_steps(&built, NULL);
        assert_near(*position(&built, mass), x[0], 1e-14);
        assert_near(*velocity(&built, mass), x[1], 1e-12);
        assert_near(*memory(&built, friction), x[2], 1e-14);
    }
    release(&built);
}

// x+ = x + T v+, v+ = v - T K x/M.
static void symplectic_euler_moves_with_the_new_velocity(void **state)
{
    (void)state;
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId mass = add_moving_mass(plan, "mass", 2.0, 0.5);
    add_spring(plan, "spring", sti_wire_coordinate(mass, 0, 1), 8.0, 0.0);
    sti_plan_set_method(plan, &sti_method_symplectic_euler);
    Built built = build_and_destroy(plan);
    double x = 0.0, v = 0.5;
    for (int k = 0; k < 1000; ++k) {
        assert_steps(&built, NULL);
        v += 1e-3 * (-(8.0 * x) / 2.0);
        x += 1e-3 * v;
        assert_true(*velocity(&built, mass) == v && *position(&built, mass) == x);
    }
    release(&built);
}

static void quaternions_keep_their_length(void **state)
{
    (void)state;
    for (int i = 0; sti_methods[i] != NULL; ++i) {
        StiPlan *plan = plan_in_stages();
        const StiAdmittanceId body =
            sti_plan_add_admittance(plan, "body", &sti_kind_rigid_body,
                                    &(StiRigidBody){.mass = 1.0,
                                                    .inertia = {1.0, 2.0, 2.9},
                                                    .angular_velocity = {3.0, 10.0, 0.1}});
        sti_plan_set_method(plan, sti_methods[i]);
        sti_plan_set_step(plan, 1e-2);
        Built built = build_and_destroy(plan);
        for (int k = 0; k < 1000; ++k) {
            assert_steps(&built, NULL);
            const double *q = position(&built, body) + 3;
            assert_near(sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), 1.0, 4e-16);
        }
        release(&built);
    }
}

static void a_run_is_so_many_steps(void **state)
{
    (void)state;
    for (int reactions = 0; reactions < 2; ++reactions) {
        Watched one, many;
        watch(&one, &sti_method_rk4, reactions);
        watch(&many, &sti_method_rk4, reactions);
        for (int k = 0; k < 50; ++k) assert_steps(&one.built, NULL);
        assert_int_equal(sti_run(many.built.network, NULL, many.built.state, many.built.scratch,
                                 50),
                         STI_OK);
        assert_true(sti_state_hash(one.built.state) == sti_state_hash(many.built.state));
        assert_int_equal(sti_state_k(one.built.state), 50);
        assert_int_equal(sti_run(many.built.network, NULL, many.built.state, many.built.scratch, 0),
                         STI_OK);
        assert_int_equal(sti_run(many.built.network, NULL, many.built.state, many.built.scratch,
                                 -3),
                         STI_OK);
        assert_int_equal(sti_state_k(many.built.state), 50);
        release(&one.built);
        release(&many.built);
    }
}

// One step for all networks; only error control has one of its own.
static void networks_for_error_control_are_refused(void **state)
{
    (void)state;
    Watched watched;
    watch(&watched, &sti_method_continuous, false);
    const uint64_t before = sti_state_hash(watched.built.state);
    assert_int_equal(sti_step(watched.built.network, NULL, watched.built.state,
                              watched.built.scratch),
                     STI_BAD_ARGUMENT);
    assert_string_equal(sti_scratch_fault(watched.built.scratch)->what, "network for error control");
    assert_true(sti_state_hash(watched.built.state) == before);
    release(&watched.built);
}

static void a_scratch_of_another_network_is_refused(void **state)
{
    (void)state;
    Watched one, other;
    watch(&one, &sti_method_rk4, false);
    watch(&other, &sti_method_rk4, false);
    assert_int_equal(sti_step(one.built.network, NULL, one.built.state, other.built.scratch),
                     STI_BAD_ARGUMENT);
    assert_int_equal(sti_state_k(one.built.state), 0);
    release(&one.built);
    release(&other.built);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stages_come_with_their_time_and_tau),
        cmocka_unit_test(steps_meet_at_one_time),
        cmocka_unit_test(settle_sees_the_end_of_the_step),
        cmocka_unit_test(rk4_is_the_papers_scheme),
        cmocka_unit_test(symplectic_euler_moves_with_the_new_velocity),
        cmocka_unit_test(quaternions_keep_their_length),
        cmocka_unit_test(a_run_is_so_many_steps),
        cmocka_unit_test(networks_for_error_control_are_refused),
        cmocka_unit_test(a_scratch_of_another_network_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
