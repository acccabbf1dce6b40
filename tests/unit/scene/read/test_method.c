// The method that a scene names, and the one it gets where it names none.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "unit/scene/scenes.h"
#include "stiction/stiction.h"

// A block on a spring, with one more element: which method does it get, and why?
static void assert_gets(const char *element, const char *method, const char *why)
{
    char text[1000];
    snprintf(text, sizeof text,
             "stop: 0.1\n"
             "bodies: {block: {kind: point, mass: 1, velocity: 1}}\n"
             "elements:\n"
             "  spring: {kind: spring-damper, on: block, stiffness: 100}\n"
             "  more: {%s}\n",
             element);
    StiMessages *messages = messages_of(text, true);
    assert_int_equal(sti_messages_count(messages),
                     0); // nothing to be noted about what nobody named
    sti_messages_destroy(messages);
    StiScene *scene = good_scene(text);
    assert_string_equal(sti_network_method(scene->network)->name, method);
    assert_string_equal(scene->why_method, why);
    sti_scene_destroy(scene);
}

static void pull(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace;
    values[0] = 2.0 * (t < 2.0 ? t : 2.0);
    values[1] = t < 2.0 ? 2.0 : 0.0;
}

// The block of the README, written in C: where it comes to rest, and under which method.
static double rest_in_c(const StiMethod **method, const char **why)
{
    static const double breaks[] = {2.0};
    StiPlan *plan = sti_plan_create();
    const StiAdmittanceId hand = sti_plan_add_motion(
        plan, "hand", 1,
        (StiTimeFunction){.count = 2, .eval = pull, .breaks = breaks, .break_count = 1});
    const StiAdmittanceId block = sti_plan_add_admittance(plan, "block", &sti_kind_point_mass,
                                                          &(StiPointMass){.dim = 1, .mass = 1.0});
    const StiWire between = sti_wire_coordinate_pair(hand, 0, block, 0, 1),
                  on_table = sti_wire_coordinate(block, 0, 1);
    sti_plan_add_impedance(plan, "spring", &sti_kind_spring_damper,
                           &(StiSpringDamper){.dim = 1, .K = 90.0}, &between);
    sti_plan_add_reaction(plan, "friction", &sti_kind_finite_time,
                          &(StiFiniteTime){.dim = 1, .law = sti_law_coulomb(10.0)}, &on_table);
    StiNetwork *network = NULL;
    assert_int_equal(sti_plan_compile(plan, NULL, &network), STI_OK);
    StiState *state = sti_state_create(network);
    StiScratch *scratch = sti_scratch_create(network);
    assert_int_equal(sti_run(network, NULL, state, scratch, 4000), STI_OK);
    const double x = *sti_state_positions(state, network, block);
    *method = sti_network_method(network);
    *why = sti_network_why_method(network) != NULL ? "told" : NULL;
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    sti_network_destroy(network);
    sti_plan_destroy(plan);
    return x;
}

static void a_plan_in_c_gets_the_method_of_a_scene(void **unused)
{
    (void)unused;
    StiScene *scene = good_scene(
        "stop: 4\n"
        "bodies: {hand: {kind: motion, x: \"2*min(t, 2)\", breaks: [2]}, block: {kind: point, "
        "mass: 1}}\n"
        "elements:\n"
        "  spring: {kind: spring-damper, between: [hand, block], stiffness: 90}\n"
        "  friction: {kind: friction, on: block, model: finite-time, level: 10}\n");
    StiState *state = sti_state_create(scene->network);
    StiScratch *scratch = sti_scratch_create(scene->network);
    StiRecorder *recorder = sti_recorder_create(scene->network);
    assert_int_equal(sti_run(scene->network, NULL, state, scratch, 3999), STI_OK);
    sti_recorder_begin(recorder, state, NULL, scratch);
    assert_int_equal(sti_run(scene->network, NULL, state, scratch, 1), STI_OK);
    sti_recorder_follow(recorder, state, scratch);
    const double x =
        sti_recorder_value(recorder, sti_network_channel_find(scene->network, "block.x"));
    const StiMethod *method;
    const char *why;
    assert_true(fabs(rest_in_c(&method, &why) - x) < 1e-12);
    assert_true(fabs(x - 3.973261817376106) < 1e-9);
    assert_ptr_equal(method, sti_network_method(scene->network));
    assert_non_null(why);
    sti_recorder_destroy(recorder);
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    sti_scene_destroy(scene);
}

static const char best[] = "order 4 in stick, in slip and across";

static void friction_with_modes_is_cut(void **state)
{
    (void)state;
    assert_gets("kind: friction, on: block, model: coulomb, level: 1", "cut", best);
    assert_gets("kind: friction, on: block, model: coulomb, level: 1, static: 2, viscous: 1", "cut",
                best);
    assert_gets(
        "kind: friction, on: block, model: elastic-coulomb, level: 1, stiffness: 1e4, damping: 10",
        "cut", best);
    // stiff elements are implicit in cut
    assert_gets(
        "kind: friction, on: block, model: elastic-coulomb, level: 1, stiffness: 1e9, damping: 10",
        "cut", best);
    assert_gets("kind: force, on: block, value: \"t < 0.01 ? 1 : 2\"", "cut", best);
    assert_gets(
        "kind: joint-limit, on: block, lower: 0, upper: 1, stiffness: 10, damping: 1", "cut", best);
}

static void what_cannot_be_cut_gets_what_can_run(void **state)
{
    (void)state;
    assert_gets("kind: friction, on: block, model: karnopp, level: 1, eps: 1e-2", "rule",
                "more: karnopp has no modes of stick and slip, which the method cut needs");
    assert_gets("kind: friction, on: block, model: quinn, level: 1, eps: 1e-2", "rule",
                "more: quinn has no modes of stick and slip, which the method cut needs");
    assert_gets("kind: friction, on: block, model: elastic-coulomb, level: 1, stiffness: 1e4",
                "rk4", "more: elastic-coulomb under the method cut needs damping above 0");
    assert_gets(
        "kind: friction, on: block, model: lugre, level: 1, stiffness: 1e4, damping: 1, viscous: 1",
        "rk4", "more: lugre has no modes of stick and slip, at which cut could cut");
    assert_gets("kind: friction, on: block, model: dahl, level: 1, stiffness: 1e4", "rk4",
                "more: dahl has no modes of stick and slip, at which cut could cut");
}

static const char sliding[] =
    "stop: 1\n"
    "bodies: {block: {kind: point, mass: 1, velocity: 1}}\n"
    "elements: {rub: {kind: friction, on: block, model: coulomb, level: 1}}\n";

static void assert_scene_gets(const char *text, const char *method, const char *why)
{
    StiScene *scene = good_scene(text);
    assert_string_equal(sti_network_method(scene->network)->name, method);
    if (why != NULL)
        assert_string_equal(scene->why_method, why);
    else
        assert_null(scene->why_method);
    sti_scene_destroy(scene);
}

static void a_named_method_or_solver_is_kept(void **state)
{
    (void)state;
    char text[1000];
    static const char *const words[] = {"rule", "rk4", "cut", "ark4"};
    for (int i = 0; i < 4; ++i) {
        snprintf(text, sizeof text, "%smethod: %s\n", sliding, words[i]);
        assert_scene_gets(text, words[i], NULL);
    }
    snprintf(text, sizeof text, "%smethod: {adaptive: bdf}\n", sliding);
    assert_scene_gets(text, "continuous", NULL);
    snprintf(text, sizeof text, "%ssolver: coupled\n", sliding);
    assert_scene_gets(text, "rule", "the solver coupled is named");
}

static void contacts_and_linkages_under_their_own_loads_are_cut(void **state)
{
    (void)state;
    assert_scene_gets(
        "stop: 1\n"
        "bodies: {ball: {kind: rigid, mass: 1, inertia: [1, 1, 1]}}\n"
        "elements: {floor: {kind: contact, on: ball, shape: {kind: sphere, radius: "
        "0.1}, mu: 0.5}}\n",
        "cut",
        "order 4 through impacts, in stick, in slip and across, 2 to 3 where contacts "
        "slip slowly in a plane");
    assert_scene_gets(
        "stop: 1\n"
        "bodies: {drum: {kind: rigid, mass: 1, inertia: [1, 1, 1]}}\n"
        "elements: {floor: {kind: contact, on: drum, shape: {kind: cylinder, radius: "
        "0.1, length: 0.2}, mu: 0.5}}\n",
        "rule",
        "floor: cut follows points and spheres with any shape, and boxes, capsules and small hulls "
        "with each other and with planes");
    static const char crank[] =
        "stop: 1\n"
        "gravity: [0, -9.81, 0]\n"
        "bodies:\n"
        "  pendulum:\n"
        "    kind: linkage\n"
        "    bodies: {rod: {mass: 1, inertia: 0.1, position: [1, 0]}}\n"
        "    joints: {pin: {type: revolute, on: rod, at: [-1, 0], radius: 0.1}}\n"
        "elements: {rub: {kind: friction, on: pin, model: coulomb, %s}}\n";
    char text[1000];
    snprintf(text, sizeof text, crank, "mu: 0.1");
    assert_scene_gets(text, "cut", best);
    snprintf(text, sizeof text, crank, "level: 0.1");
    assert_scene_gets(text, "cut", best);
}

// Joints are held by the robot itself, however many there are; friction in planes on one body is solved together.
static void many_rows_in_planes_take_the_rule(void **state)
{
    (void)state;
    assert_scene_gets(
        "stop: 1\n"
        "bodies: {arm: {kind: robot, chain: {links: 40, mass: 1, length: 1}}}\n"
        "elements: {rub: {kind: friction, on: arm.joints, model: coulomb, level: 1}}\n",
        "cut", best);
    char text[9000];
    for (int masses = 48; masses <= 49; ++masses) {
        size_t length = (size_t)snprintf(text, sizeof text, "stop: 1\nbodies:\n");
        for (int i = 0; i < masses; ++i)
            length += (size_t)snprintf(text + length, sizeof text - length,
                                       "  m%d: {kind: point, dimensions: 2, mass: 1}\n", i);
        length += (size_t)snprintf(text + length, sizeof text - length, "elements:\n");
        for (int i = 0; i < masses; ++i)
            length +=
                (size_t)snprintf(text + length, sizeof text - length,
                                 "  f%d: {kind: friction, on: m%d, model: coulomb, level: 1}\n", i,
                                 i);
        if (masses == 48)
            assert_scene_gets(text, "cut", best);
        else
            assert_scene_gets(text, "rule",
                              "98 rows of friction in planes, more than 96, make it slow");
    }
    for (int points = 8; points <= 9; ++points) {
        size_t length =
            (size_t)snprintf(text, sizeof text,
                             "stop: 1\nbodies: {b: {kind: rigid, mass: 1, inertia: [1, 1, 1]}}\n"
                             "elements:\n");
        for (int i = 0; i < points; ++i)
            length += (size_t)snprintf(
                text + length, sizeof text - length,
                "  f%d: {kind: friction, on: b, at: [%d, %d, 0], model: coulomb, level: 1}\n", i, i,
                i * i);
        if (points == 8)
            assert_scene_gets(text, "cut", best);
        else
            assert_scene_gets(text, "rule",
                              "27 rows of friction in planes together, more than 24, make it slow");
    }
}

// sqrt(K/M) T = 2.7: rk4 bears it up to 2.83, the explicit half of ark4 does not.
static void what_is_stiff_is_cut_also_beside_contacts(void **state)
{
    (void)state;
    static const char text[] =
        "stop: 1\n"
        "bodies: {block: {kind: point, mass: 1}, ball: {kind: rigid, mass: 1, inertia: [1, 1, "
        "1]}}\n"
        "elements:\n"
        "  rub: {kind: friction, on: block, model: coulomb, law: viscous, level: 1, "
        "viscous: 1e4}\n"
        "  floor: {kind: contact, on: ball, shape: {kind: sphere, radius: 0.1}, mu: 0.5}\n";
    assert_scene_gets(text, "cut",
                      "order 4 through impacts, in stick, in slip and across, 2 to 3 where contacts slip "
                      "slowly in a plane");
    assert_scene_gets("stop: 1\n"
                      "bodies: {block: {kind: point, mass: 1}}\n"
                      "elements:\n"
                      "  rub: {kind: friction, on: block, model: elastic-coulomb, level: 1, "
                      "stiffness: 1e4, damping: 10}\n"
                      "  spring: {kind: spring-damper, on: block, stiffness: 7.29e6}\n",
                      "cut", best);
    // what is too stiff for both is not better off without cuts
    assert_gets(
        "kind: friction, on: block, model: viscous-approximation, level: 1, eps: 1e-2", "cut",
        "order 4 in stick, in slip and across, about 2 where more (viscous-approximation) has a "
        "kink");
}

// Swapping the model by --set changes the choice: it is made after all changes.
static void settings_are_seen(void **state)
{
    (void)state;
    const char *sets[] = {"rub.model=karnopp", "rub.eps=1e-2"};
    StiScene *scene = good_scene_with(sliding, &(StiSceneOptions){.sets = sets, .set_count = 2});
    assert_string_equal(sti_network_method(scene->network)->name, "rule");
    sti_scene_destroy(scene);
}

static void kinks_are_noted_once_under_a_named_method(void **state)
{
    (void)state;
    assert_message("stop: 1\n"
                   "method: ark4\n"
                   "bodies: {block: {kind: point, mass: 1}}\n"
                   "elements:\n"
                   "  rub: {kind: friction, on: block, model: maxwell-slip, elements: 3, level: 1, "
                   "stiffness: 100, damping: 1}\n"
                   "  spring: {kind: spring-damper, on: block, stiffness: 100}\n",
                   true, 1, 5, 3,
                   "rub: maxwell-slip has no modes: ark4 cannot cut the step where its force has a "
                   "kink, and the order falls from 4 to about 2 there");
    assert_message(
        "stop: 1\n"
        "method: cut\n"
        "bodies: {block: {kind: point, mass: 1}}\n"
        "elements:\n"
        "  rub: {kind: friction, on: block, model: coulomb, table: [[0, 2], [0.1, 1], [1, 3]]}\n",
        true, 1, 5, 52,
        "rub.table: the level bends at the points of the table: the order of cut falls from "
        "4 to about 2 there");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_in_c_gets_the_method_of_a_scene),
        cmocka_unit_test(friction_with_modes_is_cut),
        cmocka_unit_test(what_cannot_be_cut_gets_what_can_run),
        cmocka_unit_test(a_named_method_or_solver_is_kept),
        cmocka_unit_test(contacts_and_linkages_under_their_own_loads_are_cut),
        cmocka_unit_test(many_rows_in_planes_take_the_rule),
        cmocka_unit_test(what_is_stiff_is_cut_also_beside_contacts),
        cmocka_unit_test(settings_are_seen),
        cmocka_unit_test(kinks_are_noted_once_under_a_named_method),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
