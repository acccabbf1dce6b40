// Inputs that are set from outside a scene, and names of a scene.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "unit/scene/scenes.h"
#include "stiction/stiction.h"

static const char text[] = "stop: 1\n"
                           "inputs: {push: {unit: N, value: 3}, hum: \"sin(t)\"}\n"
                           "bodies: {block: {kind: point, mass: 2}}\n"
                           "elements:\n"
                           "  force: {kind: force, on: block, value: push}\n"
                           "  friction: {kind: friction, on: block, model: coulomb, level: 1}\n";

static void what_is_not_set_keeps_its_value(void **unused)
{
    (void)unused;
    StiScene *scene = good_scene(text);
    StiState *state = sti_state_create(scene->network);
    StiScratch *scratch = sti_scratch_create(scene->network);
    StiFound block, push;
    assert_true(sti_scene_find(scene, "block", &block) && sti_scene_find(scene, "push", &push));
    const double *v = sti_state_velocities(state, scene->network, block.body);
    assert_int_equal(sti_network_input_count(scene->network), 1);
    assert_int_equal(sti_run(scene->network, NULL, state, scratch, 100), STI_OK);
    assert_true(fabs(*v - 0.1) < 1e-12); // (3 - 1) N/2 kg for 0.1 s
    double inputs[1];
    inputs[push.number] = -5.0; // 3 m/s^2 back, then 2 m/s^2 away
    assert_int_equal(sti_run(scene->network, inputs, state, scratch, 100), STI_OK);
    assert_true(fabs(*v + 2.0 * (0.1 - 0.1 / 3.0)) < 1e-9);
    inputs[push.number] = 0.5;
    assert_int_equal(sti_run(scene->network, inputs, state, scratch, 2000), STI_OK);
    assert_true(*v == 0.0);
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    sti_scene_destroy(scene);
}

static void names_of_a_scene(void **unused)
{
    (void)unused;
    StiScene *scene = good_scene(text);
    StiFound found;
    StiParameter parameter;
    StiChannel channel;
    assert_true(sti_scene_find(scene, "friction", &found) && found.role == STI_REACTION);
    assert_true(sti_scene_find(scene, "block.mass", &found) && found.role == STI_PARAMETER);
    assert_true(sti_plan_parameter(scene->plan, found.number, &parameter) &&
                parameter.value == 2.0);
    assert_true(sti_scene_find(scene, "hum", &found) && found.role == STI_CHANNEL);
    assert_false(sti_scene_find(scene, "blok", &found));
    assert_true(sti_network_channel(scene->network,
                                    sti_network_channel_find(scene->network, "push"), &channel));
    assert_string_equal(channel.unit, "N");
    sti_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_set_keeps_its_value),
        cmocka_unit_test(names_of_a_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
