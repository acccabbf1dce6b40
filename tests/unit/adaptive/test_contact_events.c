// Hard contacts under events: impacts, rolling, sliding and rest, all with answers in closed form.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "stiction/contact.h"
#include "support/event_run.h"
#include "support/near.h"
#include "support/plan.h"

static void begin(EventRun *run, StiPlan *plan, const char *method, double tolerance, double stop)
{
    sti_plan_set_step(plan, 0.05);
    event_run_begin(run, plan, method, tolerance, stop);
}

static const double *x_of(const EventRun *run)
{
    return sti_state_positions(run->state, run->network, (StiAdmittanceId){1});
}

static const double *v_of(const EventRun *run)
{
    return sti_state_velocities(run->state, run->network, (StiAdmittanceId){1});
}

static void add_slope(StiPlan *plan, StiAdmittanceId body, StiShape shape, StiVec3 normal,
                      double mu, double restitution)
{
    const StiContactShape on_body = {.body = body, .shape = shape};
    const StiContactShape ground = {.body = {-1},
                                    .shape = sti_shape_plane((StiVec3){0.0, 0.0, 0.0}, normal)};
    sti_plan_add_contact(plan, "ground",
                         &(StiContact){.a = &on_body,
                                       .a_count = 1,
                                       .b = &ground,
                                       .b_count = 1,
                                       .mu = mu,
                                       .restitution = restitution});
}

static void add_ground(StiPlan *plan, StiAdmittanceId body, StiShape shape, double mu,
                       double restitution)
{
    add_slope(plan, body, shape, (StiVec3){0.0, 0.0, 1.0}, mu, restitution);
}

static StiPlan *ball(double radius, double height, const double *v, const double *w, double mu,
                     double restitution, double g)
{
    StiPlan *plan = plan_in_stages();
    const double mass = 0.3, J = 0.4 * mass * radius * radius;
    const StiRigidBody body = {.mass = mass,
                               .inertia = {J, J, J},
                               .position = {0.0, 0.0, height},
                               .velocity = {v[0], v[1], v[2]},
                               .angular_velocity = {w[0], w[1], w[2]}};
    const StiAdmittanceId id = sti_plan_add_admittance(plan, "ball", &sti_kind_rigid_body, &body);
    sti_plan_set_gravity(plan, (StiVec3){0.0, 0.0, -g});
    add_ground(plan, id, sti_shape_sphere((StiVec3){0.0, 0.0, 0.0}, radius), mu, restitution);
    return plan;
}

static const double none[3] = {0.0, 0.0, 0.0};

// ---- impacts ------------------------------------------------------------------------------------

static void every_bounce_is_in_time(void **unused)
{
    (void)unused;
    static const char *const methods[] = {"fehlberg", "dormand-prince", "bdf", "ode23"};
    const double e = 0.8, g = 10.0, fall = sqrt(2.0 * 1.0 / g);
    for (int m = 0; m < 4; ++m) {
        EventRun run;
        begin(&run, ball(0.1, 1.1, none, none, 0.0, e, g), methods[m], 1e-11, 3.0);
        assert_int_equal(event_run_follow(&run, 60), STI_OK);
        double t = fall;
        for (int i = 0; i < 6; ++i) {
            assert_near(run.t[i], t, m == 0 ? 1e-12 : 1e-9);
            t += 2.0 * fall * pow(e, i + 1);
        }
        event_run_end(&run);
    }
}

// Infinitely many bounces come to an end at 0.4472 (1 + e)/(1 - e) s.
static void bouncing_ends_in_rest(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2; ++i) {
        EventRun run;
        const double e = i == 0 ? 0.5 : 0.8, fall = sqrt(0.2);
        begin(&run, ball(0.1, 1.1, (double[]){1.0, 0.0, 0.0}, none, 0.0, e, 10.0), "dormand-prince",
              1e-10, 5.0);
        assert_int_equal(event_run_follow(&run, 100), STI_OK);
        assert_near(run.t[run.events - 1], fall * (1.0 + e) / (1.0 - e), 1e-5);
        assert_near(x_of(&run)[0], 5.0, 1e-9);
        assert_near(x_of(&run)[2], 0.1, 1e-11);
        assert_near(v_of(&run)[2], 0.0, 1e-15);
        event_run_end(&run);
    }
}

// All that it had is taken by the impacts: 0.3 kg from 1 m.
static void impacts_are_booked_at_their_contact(void **unused)
{
    (void)unused;
    EventRun run;
    begin(&run, ball(0.1, 1.1, none, none, 0.0, 0.5, 10.0), "dormand-prince", 1e-10, 2.0);
    StiRecorder *recorder = sti_recorder_create(run.network);
    assert_int_equal(sti_recorder_begin(recorder, run.state, NULL, run.scratch), STI_OK);
    for (int k = 0; k < 40; ++k) {
        assert_int_equal(event_run_follow(&run, 1), STI_OK);
        assert_int_equal(sti_recorder_follow(recorder, run.state, run.scratch), STI_OK);
    }
    const int dissipated = sti_network_channel_find(run.network, "ground.dissipated"),
              numerical = sti_network_channel_find(run.network, "energy.numerical");
    assert_near(sti_recorder_value(recorder, dissipated), 3.0, 1e-9);
    assert_near(sti_recorder_value(recorder, numerical), 0.0, 1e-9);
    sti_recorder_destroy(recorder);
    event_run_end(&run);
}

// One oblique impact: too fast to stick, friction takes mu (1 + e) v_n; slow enough: it rolls on.
static void an_oblique_impact_rubs(void **unused)
{
    (void)unused;
    const double e = 0.5, mu = 0.1, g = 10.0, vn = sqrt(2.0 * g);
    for (int i = 0; i < 2; ++i) {
        EventRun run;
        const double v = i == 0 ? 5.0 : 0.5;
        begin(&run, ball(0.1, 1.1, (double[]){v, 0.0, 0.0}, none, mu, e, g), "fehlberg", 1e-11,
              0.5);
        assert_int_equal(event_run_follow(&run, 10), STI_OK);
        const double slipping = v - mu * (1.0 + e) * vn, rolling = 5.0 / 7.0 * v;
        const double vx = i == 0 ? slipping : rolling;
        assert_near(v_of(&run)[0], vx, 1e-10);
        assert_near(v_of(&run)[4], i == 0 ? 2.5 * mu * (1.0 + e) * vn / 0.1 : vx / 0.1, 1e-8);
        event_run_end(&run);
    }
}

// ---- rolling, sliding, rest ---------------------------------------------------------------------

// EQUATIONS 3.1: slips until 2 v0/(7 mu g), then rolls with 5/7 v0.
static void slips_and_then_rolls(void **unused)
{
    (void)unused;
    static const char *const methods[] = {"fehlberg", "dormand-prince", "adams"};
    const double v0 = 2.0, mu = 0.1, g = 9.8, t = 2.0 * v0 / (7.0 * mu * g);
    for (int m = 0; m < 3; ++m) {
        EventRun run;
        begin(&run, ball(0.2, 0.2, (double[]){v0, 0.0, 0.0}, none, mu, 0.0, g), methods[m], 1e-12,
              1.0);
        assert_int_equal(event_run_follow(&run, 20), STI_OK);
        assert_int_equal(run.events, 1);
        assert_near(run.t[0], t, 1e-9);
        assert_near(v_of(&run)[0], 10.0 / 7.0, 1e-10);
        assert_near(x_of(&run)[0], v0 * t - 0.5 * mu * g * t * t + 10.0 / 7.0 * (1.0 - t), 1e-9);
        assert_near(x_of(&run)[2], 0.2, 1e-14);
        event_run_end(&run);
    }
}

static void pull(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace;
    values[0] = t < 1.0 ? 15.0 : 0.0;
    values[1] = values[2] = 0.0;
}

// 1.5 times its friction for a second, then it slides on: four corners, of which three would do.
static void a_box_is_pulled(void **unused)
{
    (void)unused;
    static const double breaks[1] = {1.0};
    EventRun run;
    StiPlan *plan = plan_in_stages();
    const StiRigidBody box = {.mass = 2.0,
                              .inertia = {0.034, 0.034, 0.054},
                              .position = {0.0, 0.0, 0.1}};
    const StiAdmittanceId id = sti_plan_add_admittance(plan, "box", &sti_kind_rigid_body, &box);
    const StiWire wire =
        sti_wire_point(id, 0, (StiVec3){0.0, 0.0, 0.0}, (StiVec3){0.0, 0.0, 0.0}, 3);
    sti_plan_set_gravity(plan, (StiVec3){0.0, 0.0, -10.0});
    sti_plan_add_force(
        plan, "pull", &wire, 3,
        (StiTimeFunction){.count = 3, .eval = pull, .breaks = breaks, .break_count = 1});
    add_ground(plan, id, sti_shape_box((StiFrame){.p = {0.0, 0.0, 0.0}}, (StiVec3){0.2, 0.2, 0.1}),
               0.5, 0.0);
    begin(&run, plan, "dormand-prince", 1e-11, 2.0);
    assert_int_equal(event_run_follow(&run, 40), STI_OK);
    assert_near(run.t[run.events - 1], 1.5, 1e-9);
    assert_near(x_of(&run)[0], 1.875, 1e-10); // 2.5 m/s^2 for 1 s, then 5 m/s^2 for 0.5 s
    assert_near(x_of(&run)[1], 0.0, 1e-12);
    assert_near(x_of(&run)[2], 0.1, 1e-12);
    assert_near(v_of(&run)[0], 0.0, 1e-15);
    event_run_end(&run);
}

// ---- what has no answer, what is refused --------------------------------------------------------

// Painleve's rod: its tip is pushed into the ground by its own friction.
static void painleves_rod_says_where_and_who(void **unused)
{
    (void)unused;
    const double th = 1.2;
    EventRun run;
    StiPlan *plan = plan_in_stages();
    const StiRigidBody rod = {.mass = 1.0,
                              .inertia = {1.0 / 12.0, 1.0 / 12.0, 1.0 / 12.0},
                              .position = {0.5 * cos(th), 0.0, 0.5 * sin(th)},
                              .attitude = {cos(0.5 * th), 0.0, -sin(0.5 * th), 0.0},
                              .velocity = {-2.0, 0.0, 0.0}};
    const StiAdmittanceId id = sti_plan_add_admittance(plan, "rod", &sti_kind_rigid_body, &rod);
    sti_plan_set_gravity(plan, (StiVec3){0.0, 0.0, -9.81});
    add_ground(plan, id, sti_shape_point((StiVec3){-0.5, 0.0, 0.0}), 2.0, 0.0);
    begin(&run, plan, "dormand-prince", 1e-9, 1.0);
    assert_int_equal(sti_adaptive_step(run.adaptive, NULL, run.state, run.scratch),
                     STI_NO_SOLUTION);
    assert_string_equal(sti_scratch_fault(run.scratch)->component, "ground");
    assert_int_equal(sti_state_k(run.state), 0);
    event_run_end(&run);
}

static void boxes_on_boxes_are_refused(void **unused)
{
    (void)unused;
    StiPlan *plan = plan_in_stages();
    StiNetwork *network;
    const StiRigidBody box = {.mass = 1.0, .inertia = {1.0, 1.0, 1.0}};
    const StiAdmittanceId id = sti_plan_add_admittance(plan, "box", &sti_kind_rigid_body, &box);
    const StiShape shape =
        sti_shape_box((StiFrame){.p = {0.0, 0.0, 0.0}}, (StiVec3){1.0, 1.0, 1.0});
    const StiContactShape on_body = {.body = id, .shape = shape},
                          fixed = {.body = {-1}, .shape = shape};
    sti_plan_add_contact(plan, "faces",
                         &(StiContact){.a = &on_body, .a_count = 1, .b = &fixed, .b_count = 1});
    sti_plan_set_method(plan, &sti_method_continuous);
    assert_int_equal(sti_plan_compile(plan, NULL, &network), STI_OK);
    StiReport *report = sti_report_create();
    assert_null(sti_adaptive_create(network, &(StiAdaptiveOptions){.stop = 1.0}, report));
    assert_int_equal(sti_report_error_count(report), 1);
    assert_string_equal(sti_report_finding(report, 0)->component, "faces");
    sti_report_destroy(report);
    sti_network_destroy(network);
    sti_plan_destroy(plan);
}

// A ball that friction holds along x falls on a slope: no friction of finite size holds it against the
// impact, and from then on it slides down.
static void an_impact_moves_what_sticks(void **unused)
{
    (void)unused;
    const double a = 0.5, g = 10.0, mass = 0.3, F = 0.2, height = 0.5, radius = 0.1;
    const double fall = sqrt(2.0 * height / g), v0 = g * fall * sin(a);
    const double along = g * sin(a) - F / mass * cos(a);
    StiPlan *plan = plan_in_stages();
    const StiRigidBody body = {.mass = mass,
                               .inertia = {1e-3, 1e-3, 1e-3},
                               .position = {0.0, 0.0, height + radius / cos(a)}};
    const StiAdmittanceId id = sti_plan_add_admittance(plan, "ball", &sti_kind_rigid_body, &body);
    const StiFiniteTime rule = {.dim = 1, .law = sti_law_coulomb(F)};
    const StiWire x = sti_wire_coordinate(id, 0, 1);
    sti_plan_add_reaction(plan, "rail", &sti_kind_finite_time, &rule, &x);
    sti_plan_set_gravity(plan, (StiVec3){0.0, 0.0, -g});
    add_slope(plan, id, sti_shape_sphere((StiVec3){0.0, 0.0, 0.0}, radius),
              (StiVec3){sin(a), 0.0, cos(a)}, 0.0, 0.0);
    EventRun run;
    begin(&run, plan, "dormand-prince", 1e-11, 0.5);
    assert_int_equal(event_run_follow(&run, 10), STI_OK);
    const double t = 0.5 - fall, way = v0 * t + 0.5 * along * t * t;
    assert_near(run.t[0], fall, 1e-9);
    assert_near(x_of(&run)[0], way * cos(a), 1e-8);
    assert_near(v_of(&run)[0], (v0 + along * t) * cos(a), 1e-8);
    event_run_end(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bounce_is_in_time),
        cmocka_unit_test(bouncing_ends_in_rest),
        cmocka_unit_test(impacts_are_booked_at_their_contact),
        cmocka_unit_test(an_oblique_impact_rubs),
        cmocka_unit_test(an_impact_moves_what_sticks),
        cmocka_unit_test(slips_and_then_rolls),
        cmocka_unit_test(a_box_is_pulled),
        cmocka_unit_test(painleves_rod_says_where_and_who),
        cmocka_unit_test(boxes_on_boxes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
