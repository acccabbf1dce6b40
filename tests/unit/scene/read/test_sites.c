// The tool of a two-link arm: its site against the closed form of angles and rates.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/live_scene.h"
#include "support/random.h"

static void assert_close(const LiveScene *live, const char *channel, double wanted)
{
    const double is = live_scene_value(live, channel);
    if (fabs(is - wanted) > 1e-13) fail_msg("%s is %.17g, not %.17g", channel, is, wanted);
}

static void a_site_is_where_angles_say(void **state)
{
    (void)state;
    for (int seed = 0; seed < 10; ++seed) {
        Random random = {(uint64_t)seed};
        const double l = random_between(&random, 0.2, 0.5), at = random_between(&random, -0.3, 0.3);
        char text[1500];
        StiMessages *messages = sti_messages_create();
        snprintf(text, sizeof text,
                 "stop: 0.1\nmethod: %s\ngravity: [0, 0, -9.81]\nbodies:\n  arm:\n    kind: robot\n    links:\n"
                 "      - {name: a, joint: p, axis: [0, 1, 0], mass: 1, centre: [0, 0, -0.15], inertia: [0.008, 0.008, 0.001]}\n"
                 "      - {name: b, joint: q, at: [0, 0, %.17g], axis: [0, 1, 0], mass: 0.5, centre: [0, 0, -0.1], inertia: [0.003, 0.003, 0.001]}\n"
                 "    joints: {p: {position: %.17g}, q: {velocity: %.17g}}\n"
                 "elements: {tool: {kind: site, on: arm.b, at: [0, 0, %.17g]}}\n",
                 seed % 2 == 0 ? "cut" : "rule", -l, random_between(&random, -2.0, 2.0), random_between(&random, -3.0, 3.0), at);
        LiveScene live = live_scene_open(sti_scene_read(text, strlen(text), "scene.yaml", NULL, messages));
        sti_messages_destroy(messages);
        live_scene_go(&live, 100);
        const double a = live_scene_value(&live, "arm.p.q"), b = a + live_scene_value(&live, "arm.q.q");
        const double ad = live_scene_value(&live, "arm.p.qd"), bd = ad + live_scene_value(&live, "arm.q.qd");
        assert_close(&live, "tool.x", at * sin(b) - l * sin(a));
        assert_close(&live, "tool.y", 0.0);
        assert_close(&live, "tool.z", at * cos(b) - l * cos(a));
        assert_close(&live, "tool.vx", at * cos(b) * bd - l * cos(a) * ad);
        assert_close(&live, "tool.vz", -at * sin(b) * bd + l * sin(a) * ad);
        assert_close(&live, "tool.wy", bd);
        const double w = live_scene_value(&live, "tool.qw"), y = live_scene_value(&live, "tool.qy");
        assert_true(fabs(2.0 * w * y - sin(b)) < 1e-13 && fabs(w * w - y * y - cos(b)) < 1e-13);
        live_scene_close(&live);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_site_is_where_angles_say)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
