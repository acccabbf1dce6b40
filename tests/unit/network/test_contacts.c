// Contacts in plans: findings, paths, capacity, layout, what a network tells of them; solvers by name.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "support/plan.h"
#include "support/scenes/contact_scenes.h"

static const StiVec3 half = {0.1, 0.1, 0.1};

typedef struct Stage {
    StiPlan *plan;
    StiAdmittanceId box;
    StiContactShape a, b;
    StiContact contact;
} Stage;

static void stage_begin(Stage *s)
{
    s->plan = plan_in_stages();
    const StiRigidBody body = box_body(1.0, half, sti_vec3(0.0, 0.0, 0.1));
    s->box = sti_plan_add_admittance(s->plan, "box", &sti_kind_rigid_body, &body);
    s->a = box_shape(s->box, half);
    s->b = ground_shape(sti_vec3(0.0, 0.0, 1.0));
    s->contact = (StiContact){.a = &s->a, .a_count = 1, .b = &s->b, .b_count = 1, .mu = 0.5};
}

// Compiles; the first error must speak of this parameter.
static void expect_error(Stage *s, const char *parameter)
{
    StiReport *report = sti_report_create();
    StiNetwork *network;
    sti_plan_add_contact(s->plan, "floor", &s->contact);
    assert_int_equal(sti_plan_compile(s->plan, report, &network), STI_BAD_PLAN);
    assert_true(sti_report_error_count(report) > 0);
    bool found = false;
    for (int i = 0; i < sti_report_count(report); ++i)
        found = found || strstr(sti_report_finding(report, i)->parameter, parameter) != NULL;
    if (!found) print_error("no finding about %s\n", parameter);
    assert_true(found);
    sti_report_destroy(report);
    sti_plan_destroy(s->plan);
}

static void mistakes_are_found(void **state)
{
    (void)state;
    Stage s;
    stage_begin(&s), s.contact.mu = -0.1, expect_error(&s, "mu");
    stage_begin(&s), s.contact.mu_static = 0.4, expect_error(&s, "mu_static");
    stage_begin(&s), s.contact.restitution = 1.5, expect_error(&s, "restitution");
    stage_begin(&s), s.contact.capacity = -1, expect_error(&s, "capacity");
    stage_begin(&s), s.contact.a_count = 0, expect_error(&s, "a");
    stage_begin(&s), s.a.link = 1, expect_error(&s, "a");
    stage_begin(&s), s.b.body.number = 7, expect_error(&s, "b");
    stage_begin(&s), sti_plan_set_solver(s.plan, &sti_solver_sweeps), expect_error(&s, "solver");
}

static void numbers_have_paths(void **state)
{
    (void)state;
    Stage s;
    double mu = 0.0;
    stage_begin(&s);
    sti_plan_add_contact(s.plan, "floor", &s.contact);
    assert_int_equal(sti_plan_get(s.plan, "floor.mu", &mu), STI_OK);
    assert_true(mu == 0.5);
    assert_int_equal(sti_plan_set(s.plan, "floor.mu", 0.25), STI_OK);
    Rig rig = rig_of(s.plan);
    assert_true(rig.network->contacts[0].parameters->mu == 0.25);
    rig_free(&rig);
}

static void a_network_tells_of_its_contacts(void **state)
{
    (void)state;
    Stage s;
    StiComponent component;
    stage_begin(&s);
    sti_plan_add_contact(s.plan, "floor", &s.contact);
    Rig rig = rig_of(s.plan);
    assert_true(sti_network_has_reactions(rig.network));
    assert_ptr_equal(sti_network_solver(rig.network), &sti_solver_coupled);
    assert_true(sti_network_component(rig.network, 1, &component));
    assert_int_equal(component.role, STI_CONTACT);
    assert_string_equal(component.name, "floor");
    assert_string_equal(component.side_a, "box");
    assert_string_equal(component.side_b, "ground");
    static const char *const channels[] = {"floor.fn",     "floor.ft", "floor.depth",
                                           "floor.stick",  "floor.vx", "floor.points",
                                           "floor.impulse"};
    for (size_t i = 0; i < sizeof channels / sizeof channels[0]; ++i)
        assert_true(sti_network_channel_find(rig.network, channels[i]) >= 0);
    const uint64_t layout = sti_network_layout(rig.network);
    rig_free(&rig);
    stage_begin(&s);
    s.contact.capacity = 7;
    sti_plan_add_contact(s.plan, "floor", &s.contact);
    rig = rig_of(s.plan);
    assert_true(sti_network_layout(rig.network) != layout);
    rig_free(&rig);
}

static void readings_of_a_resting_box(void **state)
{
    (void)state;
    Stage s;
    stage_begin(&s);
    sti_plan_set_gravity(s.plan, sti_vec3(0.0, 0.0, -10.0));
    sti_plan_add_contact(s.plan, "floor", &s.contact);
    Rig rig = rig_of(s.plan);
    StiRecorder *recorder = sti_recorder_create(rig.network);
    assert_int_equal(sti_recorder_begin(recorder, rig.state, NULL, rig.scratch), STI_OK);
    for (int k = 0; k < 100; ++k) {
        rig_step(&rig);
        assert_int_equal(sti_recorder_follow(recorder, rig.state, rig.scratch), STI_OK);
    }
    const struct {
        const char *name;
        double value;
    } expected[] = {{"floor.fn", 10.0}, {"floor.ft", 0.0},     {"floor.depth", 0.0},
                    {"floor.stick", 1}, {"floor.points", 4.0}, {"floor.impulse", 1.0}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; ++i) {
        const double value =
            sti_recorder_value(recorder, sti_network_channel_find(rig.network, expected[i].name));
        if (fabs(value - expected[i].value) > 1e-9)
            fail_msg("%s is %g, expected %g", expected[i].name, value, expected[i].value);
    }
    sti_recorder_destroy(recorder);
    rig_free(&rig);
}

static void solvers_have_names(void **state)
{
    (void)state;
    assert_ptr_equal(sti_solver_find("coupled"), &sti_solver_coupled);
    assert_ptr_equal(sti_solver_find("sweeps"), &sti_solver_sweeps);
    assert_null(sti_solver_find("guess"));
    for (int i = 0; sti_solver_at(i) != NULL; ++i)
        assert_ptr_equal(sti_solver_find(sti_solver_name(sti_solver_at(i))), sti_solver_at(i));
    assert_null(sti_solver_at(-1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_are_found),
        cmocka_unit_test(numbers_have_paths),
        cmocka_unit_test(a_network_tells_of_its_contacts),
        cmocka_unit_test(readings_of_a_resting_box),
        cmocka_unit_test(solvers_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
