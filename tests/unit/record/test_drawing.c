// What drawings ask: where links are, what acts on them, how elements are wired.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "support/near.h"
#include "support/plan.h"
#include "unit/network/built.h"

static int number_of(const StiNetwork *network, const char *name)
{
    StiComponent component;
    for (int i = 0; sti_network_component(network, i, &component); ++i)
        if (strcmp(component.name, name) == 0) return i;
    fail_msg("there is no %s", name);
    return -1;
}

// A ball on a plane, pressed in by 1 mm, sliding along x; a spring at a point of it.
static Built ball_on_plane(void)
{
    StiPlan *plan = plan_in_stages();
    sti_plan_set_step(plan, 1e-5);
    const StiAdmittanceId ball =
        sti_plan_add_admittance(plan, "ball", &sti_kind_rigid_body,
                                &(StiRigidBody){.mass = 1.0,
                                                .inertia = {0.1, 0.1, 0.1},
                                                .position = {0.5, 0.0, 0.199},
                                                .velocity = {2.0, 0.0, 0.0}});
    const StiWire floor = sti_wire_sphere_plane(ball, 0, sti_vec3(0, 0, 0), 0.2, sti_vec3(0, 0, 0),
                                                sti_vec3(0, 0, 2));
    const StiWire at_top = sti_wire_point(ball, 0, sti_vec3(0, 0, 0.2), sti_vec3(0.5, 0, 1.399), 3);
    sti_plan_add_impedance(plan, "contact", &sti_kind_soft_contact,
                           &(StiSoftContact){.points = 1, .K = 1e5, .B = 1.0, .mu = 0.3}, &floor);
    sti_plan_add_impedance(plan, "spring", &sti_kind_spring_damper,
                           &(StiSpringDamper){.dim = 3, .K = 10.0}, &at_top);
    return build_and_destroy(plan);
}

static void links_are_where_the_state_is(void **state)
{
    (void)state;
    Built built = ball_on_plane();
    StiRecorder *recorder = sti_recorder_create(built.network);
    assert_int_equal(sti_recorder_begin(recorder, built.state, NULL, built.scratch), STI_OK);
    StiFrame frame;
    const int ball = number_of(built.network, "ball");
    sti_recorder_links(recorder, ball, &frame);
    assert_true(frame.p.x == 0.5 && frame.p.z == 0.199 && frame.q.w == 1.0);
    assert_int_equal(sti_run(built.network, NULL, built.state, built.scratch, 100), STI_OK);
    assert_int_equal(sti_recorder_follow(recorder, built.state, built.scratch), STI_OK);
    sti_recorder_links(recorder, ball, &frame);
    const int x = sti_network_channel_find(built.network, "ball.x");
    assert_true(frame.p.x == sti_recorder_value(recorder, x) && frame.p.x > 0.5);
    sti_recorder_destroy(recorder);
    release(&built);
}

// Spring: 1 m long at 10 N/m, pulling up at the top. Contact: pushes up by its fn at the bottom.
static void wrenches_act_where_they_should(void **state)
{
    (void)state;
    Built built = ball_on_plane();
    StiRecorder *recorder = sti_recorder_create(built.network);
    assert_int_equal(sti_recorder_begin(recorder, built.state, NULL, built.scratch), STI_OK);
    const StiWrench spring = sti_recorder_wrench(recorder, number_of(built.network, "spring"));
    assert_near(spring.force.z, 10.0, 1e-12);
    assert_near(spring.force.x, 0.0, 1e-12);
    assert_near(spring.moment.y, 0.0, 1e-12);
    const StiWrench contact = sti_recorder_wrench(recorder, number_of(built.network, "contact"));
    const int fn = sti_network_channel_find(built.network, "contact.fn");
    assert_near(contact.force.z, sti_recorder_value(recorder, fn), 1e-12);
    assert_true(contact.force.x < 0.0);                           // against the slip
    assert_near(contact.moment.y, -0.2 * contact.force.x, 1e-12); // r = (0, 0, -0.2)
    const StiWrench of_body = sti_recorder_wrench(recorder, number_of(built.network, "ball"));
    assert_true(of_body.force.z == 0.0);
    sti_recorder_destroy(recorder);
    release(&built);
}

static void wires_and_parameters_can_be_looked_at(void **state)
{
    (void)state;
    Built built = ball_on_plane();
    const int ball = number_of(built.network, "ball"),
              contact = number_of(built.network, "contact");
    StiWire wire;
    assert_true(sti_network_wire(built.network, contact, &wire));
    assert_ptr_equal(wire.kind, &sti_wire_kind_sphere_plane);
    assert_int_equal(wire.a.admittance, ball);
    assert_int_equal(wire.b.admittance, -1);
    assert_true(wire.shape[0] == 0.2);
    assert_false(sti_network_wire(built.network, ball, &wire));
    assert_false(sti_network_wire(built.network, 99, &wire));
    assert_false(sti_network_wire(built.network, -1, &wire));
    const StiRigidBody *body = sti_network_parameters(built.network, ball);
    assert_true(body->mass == 1.0 && body->velocity[0] == 2.0);
    const StiSoftContact *soft = sti_network_parameters(built.network, contact);
    assert_true(soft->mu == 0.3);
    assert_null(sti_network_parameters(built.network, 99));
    assert_null(sti_network_parameters(built.network, -1));
    StiComponent component;
    assert_true(sti_network_component(built.network, ball, &component));
    assert_int_equal(component.links, 1);
    release(&built);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_are_where_the_state_is),
        cmocka_unit_test(wrenches_act_where_they_should),
        cmocka_unit_test(wires_and_parameters_can_be_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
