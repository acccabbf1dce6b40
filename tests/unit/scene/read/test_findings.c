// What compile finds gets the place of the key that is wrong.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/scene/scenes.h"

static void keys_have_their_places(void **state)
{
    (void)state;
    assert_message("stop: 1\n"
                   "bodies:\n"
                   "  block:\n"
                   "    kind: point\n"
                   "    mass: -2\n",
                   false, 1, 5, 5, "block.mass = -2: mass must be above 0 kg");
    assert_message(
        "stop: 1\n"
        "bodies: {block: {kind: point, mass: 1}}\n"
        "elements:\n"
        "  rub: {kind: friction, on: block, model: coulomb, mu: 0.2, mu_static: 0.1, load: 3}\n",
        false, 1, 4, 61,
        "rub.mu_static = 0.1: static 0.1 is below level 0.2: static friction is at least the "
        "kinetic level");
}

// A key that is wrong because it is missing has the place of its component.
static void missing_keys_have_the_place_of_the_component(void **state)
{
    (void)state;
    assert_message("stop: 1\n"
                   "bodies: {block: {kind: point, mass: 1}}\n"
                   "elements:\n"
                   "  spring: {kind: spring-damper, on: block, stiffness: 1}\n"
                   "  rub: {kind: friction, on: block, model: linear-continuous, level: 1, "
                   "stiffness: 9, forward: true}\n",
                   false, 1, 5, 3,
                   "rub.mass = 0: the forward variant divides by the mass: it needs one");
}

static void settings_have_their_places(void **state)
{
    (void)state;
    assert_message("stop: 1\n"
                   "bodies: {block: {kind: point, mass: 1}}\n"
                   "elements: {rub: {kind: friction, on: block, model: coulomb, level: 1}}\n"
                   "method: gill\n",
                   true, 1, 4, 1,
                   "method: a network with reactions takes one evaluation per step (rule), or is "
                   "cut (cut, ark4, "
                   "ark3, rk4-split); gill is not used");
}

// A number for all parts is told once; numbers in a list each.
static void parts_of_a_compound(void **state)
{
    (void)state;
    static const char text[] =
        "stop: 1\n"
        "bodies: {block: {kind: point, mass: 1}}\n"
        "elements:\n"
        "  rub: {kind: friction, on: block, model: elastic-coulomb, elements: 4,\n"
        "        level: [1, -1, 1, -2], stiffness: -3}\n";
    StiMessages *messages = messages_of(text, false);
    assert_int_equal(sti_messages_count(messages), 3);
    assert_string_equal(sti_messages_at(messages, 0)->text,
                        "rub.1.level = -1: kinetic friction F must be 0 or more N");
    assert_string_equal(sti_messages_at(messages, 1)->text,
                        "rub.3.level = -2: kinetic friction F must be 0 or more N");
    assert_string_equal(sti_messages_at(messages, 2)->text,
                        "rub.stiffness = -3: spring K of the stuck surface must be above 0 N/m");
    assert_int_equal(sti_messages_at(messages, 0)->column, 9);
    assert_int_equal(sti_messages_at(messages, 2)->column, 32);
    sti_messages_destroy(messages);
}

// Elements of a list are told where the list stands.
static void one_of_several(void **state)
{
    (void)state;
    assert_message("stop: 1\n"
                   "bodies: {a: {kind: point, mass: 1}, b: {kind: point, mass: 1}}\n"
                   "elements:\n"
                   "  spring: {kind: spring-damper, on: [b], stiffness: -1}\n",
                   false, 1, 4, 42, "b.spring.stiffness = -1: spring K must be 0 or more N/m");
}

// Beside mistakes of the scene itself, components are judged; what is only missing is not told.
static void scenes_that_are_not_whole(void **state)
{
    (void)state;
    static const char text[] =
        "stop: 1\n"
        "bodies: {block: {kind: point, mass: -1}}\n"
        "elements:\n"
        "  rub: {kind: friction, on: block, model: coulomb, mu: 1, load: blok.load}\n";
    StiMessages *messages = messages_of(text, false);
    assert_int_equal(sti_messages_count(messages), 2);
    assert_string_equal(sti_messages_at(messages, 0)->text,
                        "block.mass = -1: mass must be above 0 kg");
    assert_string_equal(sti_messages_at(messages, 1)->text,
                        "there is no body or element 'blok'; did you mean 'block'?");
    sti_messages_destroy(messages);
}

static void warnings_do_not_stop(void **state)
{
    (void)state;
    StiMessages *messages =
        messages_of("stop: 1\n"
                    "bodies: {block: {kind: point, mass: 1}}\n"
                    "elements: {spring: {kind: spring-damper, on: block, stiffness: 1e9}}\n"
                    "method: rk4\n",
                    true);
    assert_int_equal(sti_messages_count(messages), 1);
    assert_int_equal(sti_messages_at(messages, 0)->severity, STI_WARNING);
    assert_int_equal(sti_messages_at(messages, 0)->line, 3);
    sti_messages_destroy(messages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_have_their_places),
        cmocka_unit_test(missing_keys_have_the_place_of_the_component),
        cmocka_unit_test(settings_have_their_places),
        cmocka_unit_test(parts_of_a_compound),
        cmocka_unit_test(one_of_several),
        cmocka_unit_test(scenes_that_are_not_whole),
        cmocka_unit_test(warnings_do_not_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
