// Friction in a plane and in space under events: stops, departures, several that feel each other.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "support/event_run.h"
#include "support/near.h"
#include "support/plan.h"

static void begin(EventRun *run, StiPlan *plan, const char *method, double tolerance, double stop)
{
    sti_plan_set_step(plan, 0.1);
    event_run_begin(run, plan, method, tolerance, stop);
}

static const double *x_of(const EventRun *run, int body)
{
    return sti_state_positions(run->state, run->network, (StiAdmittanceId){body + 1});
}

static const double *v_of(const EventRun *run, int body)
{
    return sti_state_velocities(run->state, run->network, (StiAdmittanceId){body + 1});
}

static StiAdmittanceId add_mass(StiPlan *plan, const char *name, int dim, double mass,
                                const double *x, const double *v)
{
    StiPointMass point = {.dim = dim, .mass = mass};
    memcpy(point.position, x, (size_t)dim * sizeof *x);
    memcpy(point.velocity, v, (size_t)dim * sizeof *v);
    return sti_plan_add_admittance(plan, name, &sti_kind_point_mass, &point);
}

static void add_friction(StiPlan *plan, const char *name, int dim, double level,
                         double level_static, StiWire wire)
{
    sti_plan_add_reaction(plan, name, &sti_kind_finite_time,
                          &(StiFiniteTime){.dim = dim,
                                           .law = sti_law_coulomb(level),
                                           .level_static = level_static},
                          &wire);
}

static void add_spring(StiPlan *plan, const char *name, int dim, double stiffness, StiWire wire)
{
    sti_plan_add_impedance(plan, name, &sti_kind_spring_damper,
                           &(StiSpringDamper){.dim = dim, .K = stiffness}, &wire);
}

// ---- stops --------------------------------------------------------------------------------------

static StiPlan *on_a_spring(double level, const double *x, const double *v)
{
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId block = add_mass(plan, "block", 2, 1.0, x, v);
    add_spring(plan, "spring", 2, 3.0, sti_wire_coordinate(block, 0, 2));
    add_friction(plan, "friction", 2, level, 0.0, sti_wire_coordinate(block, 0, 2));
    return plan;
}

// EQUATIONS 2.4: stops at 4.634414 s. The place is that of `cut` extrapolated, and of every method.
static void comes_to_rest_where_it_should(void **unused)
{
    (void)unused;
    static const char *const methods[] = {"fehlberg", "dormand-prince", "verner", "adams", "bdf"};
    for (int m = 0; m < 5; ++m) {
        EventRun run;
        begin(&run, on_a_spring(10.0, (double[]){10.0, 0.0}, (double[]){0.0, 30.0}), methods[m],
              1e-12, 6.0);
        assert_int_equal(event_run_follow(&run, 60), STI_OK);
        assert_int_equal(run.events, 1);
        assert_near(run.last, 4.63441426753, 2e-10);
        assert_near(x_of(&run, 0)[0], 1.08703440950758, 2e-10);
        assert_near(x_of(&run, 0)[1], 2.43904152143063, 2e-10);
        assert_true(v_of(&run, 0)[0] == 0.0 && v_of(&run, 0)[1] == 0.0);
        event_run_end(&run);
    }
}

// Far from the driving force's direction at the stop: the turn never ends (METHODS 8, p = 0.086).
static void a_stop_that_turns_to_its_end(void **unused)
{
    (void)unused;
    double x[2][2];
    for (int i = 0; i < 2; ++i) {
        EventRun run;
        begin(&run, on_a_spring(30.0, (double[]){0.5, 0.0}, (double[]){2.0, 5.0}),
              i == 0 ? "fehlberg" : "adams", 1e-12, 1.0);
        assert_int_equal(event_run_follow(&run, 10), STI_OK);
        assert_int_equal(run.events, 1);
        memcpy(x[i], x_of(&run, 0), sizeof x[i]);
        event_run_end(&run);
    }
    assert_near(x[0][0], x[1][0], 1e-10);
    assert_near(x[0][1], x[1][1], 1e-10);
}

// Without other forces: a straight line in space, F = 2 on 3 kg.
static void stops_in_space(void **unused)
{
    (void)unused;
    static const double v[3] = {1.0, -2.0, 2.0};
    EventRun run;
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId body = add_mass(plan, "body", 3, 3.0, (double[]){0.0, 0.0, 0.0}, v);
    add_friction(plan, "friction", 3, 2.0, 0.0, sti_wire_coordinate(body, 0, 3));
    begin(&run, plan, "dormand-prince", 1e-10, 6.0);
    assert_int_equal(event_run_follow(&run, 60), STI_OK);
    assert_near(run.last, 4.5, 1e-10);
    for (int d = 0; d < 3; ++d) assert_near(x_of(&run, 0)[d], 2.25 * v[d], 1e-10);
    event_run_end(&run);
}

// ---- departures ---------------------------------------------------------------------------------

// A turning force: 9 N at once, or growing with time.
static void turning_force(const void *data, void *workspace, double t, double *values)
{
    (void)workspace;
    const double size = *(const double *)data > 0.0 ? *(const double *)data : 4.0 * t;
    values[0] = size * cos(1.5 * t);
    values[1] = size * sin(1.5 * t);
}

static double departed(const char *method, const double *size, double level_static, double *x)
{
    EventRun run;
    StiPlan *plan = on_a_spring(5.0, (double[]){0.0, 0.0}, (double[]){0.0, 0.0});
    const StiWire wire = sti_wire_coordinate((StiAdmittanceId){1}, 0, 2);
    sti_plan_add_force(plan, "push", &wire, 2,
                       (StiTimeFunction){.count = 2, .eval = turning_force, .data = size});
    if (level_static > 0.0) sti_plan_set(plan, "friction.static", level_static);
    begin(&run, plan, method, 1e-12, 3.0);
    run.last = 0.0;
    assert_int_equal(event_run_follow(&run, 20), STI_OK);
    const double first = run.last;
    assert_int_equal(event_run_follow(&run, 10), STI_OK);
    memcpy(x, x_of(&run, 0), 2 * sizeof *x);
    event_run_end(&run);
    return first;
}

// The direction of a departure is that of the force; explicit and implicit methods agree.
static void departs_along_the_force(void **unused)
{
    (void)unused;
    static const double sizes[3] = {9.0, 0.0, 0.0}, levels[3] = {0.0, 0.0, 6.0},
                        times[3] = {0.0, 1.25, 1.5};
    for (int i = 0; i < 3; ++i) {
        double a[2], b[2];
        assert_near(departed("adams", &sizes[i], levels[i], a), times[i], 1e-10);
        assert_near(departed("fehlberg", &sizes[i], levels[i], b), times[i], 1e-10);
        assert_near(a[0], b[0], 1e-9);
        assert_near(a[1], b[1], 1e-9);
    }
}

// ---- several ------------------------------------------------------------------------------------

static void two_forces(const void *data, void *workspace, double t, double *values)
{
    (void)workspace;
    const double *p = data;
    values[0] = p[0] * cos(p[1] * t);
    values[1] = p[2] * sin(p[3] * t);
}

static StiPlan *three_frictions(void)
{
    static const double on_a[4] = {20.0, 1.5, 10.0, 2.5}, on_b[4] = {15.0, 2.5, 20.0, 1.3};
    const double none[2] = {0.0, 0.0};
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId a = add_mass(plan, "a", 2, 1.0, none, (double[]){1.0, 2.0}),
                          b = add_mass(plan, "b", 2, 2.0, none, (double[]){-1.0, 0.5});
    const StiWire to_a = sti_wire_coordinate(a, 0, 2), to_b = sti_wire_coordinate(b, 0, 2),
                  between = sti_wire_coordinate_pair(a, 0, b, 0, 2);
    add_spring(plan, "sa", 2, 30.0, to_a);
    add_spring(plan, "sb", 2, 50.0, between);
    sti_plan_add_force(plan, "pa", &to_a, 2,
                       (StiTimeFunction){.count = 2, .eval = two_forces, .data = on_a});
    sti_plan_add_force(plan, "pb", &to_b, 2,
                       (StiTimeFunction){.count = 2, .eval = two_forces, .data = on_b});
    add_friction(plan, "fa", 2, 5.0, 6.0, to_a);
    add_friction(plan, "fb", 2, 8.0, 0.0, to_b);
    add_friction(plan, "fab", 2, 7.0, 0.0, between);
    return plan;
}

static void three_that_feel_each_other(void **unused)
{
    (void)unused;
    double x[2][2][2];
    int events[2];
    for (int i = 0; i < 2; ++i) {
        EventRun run;
        begin(&run, three_frictions(), i == 0 ? "dormand-prince" : "bdf", 1e-9, 6.0);
        assert_int_equal(event_run_follow(&run, 60), STI_OK);
        events[i] = run.events;
        for (int body = 0; body < 2; ++body) memcpy(x[i][body], x_of(&run, body), sizeof x[i][0]);
        event_run_end(&run);
    }
    assert_int_equal(events[0], 6);
    assert_int_equal(events[1], 6);
    for (int body = 0; body < 2; ++body)
        for (int d = 0; d < 2; ++d) assert_near(x[0][body][d], x[1][body][d], 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_to_rest_where_it_should),
        cmocka_unit_test(a_stop_that_turns_to_its_end),
        cmocka_unit_test(stops_in_space),
        cmocka_unit_test(departs_along_the_force),
        cmocka_unit_test(three_that_feel_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
