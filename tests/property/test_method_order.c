// Observed order of each method on smooth motion: errors against a much finer run fall with the
// step.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/near.h"
#include "support/plan.h"
#include "unit/network/built.h"

// A spring that hardens: u = x + x^3, an impedance from outside.
static StiImpedanceSize hardening_size(const void *parameters)
{
    (void)parameters;
    return (StiImpedanceSize){.positions = 1, .velocities = 1};
}
static StiStatus hardening_eval(const void *parameters, const StiStage *stage,
                                const StiMotion *xhat, const double *y, const double *s, double *u,
                                double *ydot)
{
    (void)parameters, (void)stage, (void)y, (void)s, (void)ydot;
    u[0] = xhat->x[0] + xhat->x[0] * xhat->x[0] * xhat->x[0];
    return STI_OK;
}
static const StiImpedanceKind hardening = {.table_size = sizeof(StiImpedanceKind), .info = {.name = "hardening",
                                                    .summary = "a spring that hardens"},
                                           .continuous = true,
                                           .size = hardening_size,
                                           .eval = hardening_eval};

static void wave(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace;
    values[0] = sin(3.0 * t);
}

// Two masses, a hardening spring, a damper, a force of time, and a bristle that slides all the
// while.
static StiPlan *masses(void)
{
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId a = add_moving_mass(plan, "a", 1.0, 0.5),
                          b = add_moving_mass(plan, "b", 0.7, 3.0);
    const StiWire on_a = sti_wire_coordinate(a, 0, 1), on_b = sti_wire_coordinate(b, 0, 1);
    sti_plan_add_impedance(plan, "hardening", &hardening, NULL, &on_a);
    add_spring(plan, "between", sti_wire_coordinate_pair(a, 0, b, 0, 1), 2.0, 0.1);
    sti_plan_add_force(plan, "wave", &on_a, 1, (StiTimeFunction){.count = 1, .eval = wave});
    sti_plan_add_impedance(
        plan, "sliding", &sti_kind_elastic_coulomb,
        &(StiElasticCoulomb){.dim = 1, .law = sti_law_coulomb(0.3), .K = 1.0, .B = 2.0}, &on_b);
    return plan;
}

// An unequal body that tumbles on a spring at one of its corners.
static StiPlan *tumbling_body(void)
{
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId body =
        sti_plan_add_admittance(plan, "body", &sti_kind_rigid_body,
                                &(StiRigidBody){.mass = 2.0,
                                                .inertia = {0.5, 0.8, 1.1, 0.05, -0.1, 0.02},
                                                .velocity = {0.1, -0.2, 0.3},
                                                .angular_velocity = {1.0, 2.0, -0.5}});
    const StiWire corner =
        sti_wire_point(body, 0, sti_vec3(0.3, -0.2, 0.1), sti_vec3(1.0, 0.0, 0.5), 3);
    add_spring(plan, "spring", corner, 5.0, 0.2);
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -9.81));
    return plan;
}

enum { STATE_MOST = 16 };

static int run(StiPlan *(*make)(void), const StiMethod *method, long steps, double *x)
{
    StiPlan *plan = make();
    sti_plan_set_method(plan, method);
    sti_plan_set_step(plan, 1.0 / (double)steps);
    Built built = build_and_destroy(plan);
    for (long k = 0; k < steps; ++k) assert_steps(&built, NULL);
    int count = 0;
    for (int i = 0; i < 2; ++i) {
        const StiAdmittanceId id = {i + 1};
        const bool rigid = make == tumbling_body;
        if (rigid && i > 0) break;
        for (int d = 0; d < (rigid ? 7 : 1); ++d) x[count++] = position(&built, id)[d];
        for (int d = 0; d < (rigid ? 6 : 1); ++d) x[count++] = velocity(&built, id)[d];
    }
    release(&built);
    return count;
}

static double error_at(StiPlan *(*make)(void), const StiMethod *method, long steps,
                       const double *exact)
{
    double x[STATE_MOST] = {0.0}, sum = 0.0;
    const int count = run(make, method, steps, x);
    for (int i = 0; i < count; ++i) sum += (x[i] - exact[i]) * (x[i] - exact[i]);
    return sqrt(sum);
}

static void assert_order(StiPlan *(*make)(void))
{
    double exact[STATE_MOST] = {0.0};
    run(make, &sti_method_rk4, 20000, exact);
    for (int i = 0; sti_methods[i] != NULL; ++i) {
        const StiMethod *method = sti_methods[i];
        const long steps = method->order >= 4 ? 100 : 800;
        double last = error_at(make, method, steps / 2, exact);
        for (int halvings = 0; halvings < 3; ++halvings) {
            const double error = error_at(make, method, steps << halvings, exact);
            const double order = log2(last / error);
            if (!(fabs(order - method->order) <= 0.1))
                print_error("%s: order %g\n", method->name, order);
            assert_near(order, method->order, 0.1);
            last = error;
        }
    }
}

static void masses_and_springs(void **state)
{
    (void)state;
    assert_order(masses);
}

static void a_rigid_body(void **state)
{
    (void)state;
    assert_order(tumbling_body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masses_and_springs),
        cmocka_unit_test(a_rigid_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
