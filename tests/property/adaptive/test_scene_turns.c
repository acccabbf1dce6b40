// A disc on a pin of springs (penalty joint) with a torsion spring that it winds up by several turns:
// the closed form of the swing, whatever the method, the start angle and the distance of the rows.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "stiction/adaptive.h"
#include "support/live_scene.h"
#include "support/near.h"
#include "support/random.h"
#include "support/short.h"
#include "unit/scene/scenes.h"

static double value_at_end(const StiScene *scene, const char *channel, double *force)
{
    StiState *state = sti_state_create(scene->network);
    StiScratch *scratch = sti_scratch_create(scene->network);
    StiRecorder *recorder = sti_recorder_create(scene->network);
    StiReport *report = sti_report_create();
    StiAdaptive *adaptive = scene->adaptive != NULL
                                ? sti_adaptive_create(scene->network, scene->adaptive, report)
                                : NULL;
    for (long k = 0; k < scene->steps; ++k)
        assert_int_equal(adaptive != NULL ? sti_adaptive_step(adaptive, NULL, state, scratch)
                                          : sti_run(scene->network, NULL, state, scratch, 1),
                         STI_OK);
    assert_int_equal(sti_recorder_follow(recorder, state, scratch), STI_OK);
    const double q = sti_recorder_value(recorder, sti_network_channel_find(scene->network, channel));
    *force = sti_recorder_value(recorder,
                                sti_network_channel_find(scene->network, "spring.x"));
    sti_adaptive_destroy(adaptive);
    sti_report_destroy(report);
    sti_recorder_destroy(recorder);
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    return q;
}

static void a_spring_counts_the_turns_of_its_joint(void **unused)
{
    (void)unused;
    static const char *const methods[] = {"method: rk4\nstep: 1e-3", "method: rule\nstep: 1e-4",
                                          "method: cut\nstep: 1e-3",
                                          "method: {adaptive: dormand-prince}\nstep: 1e-2",
                                          "method: {adaptive: dormand-prince}\nstep: 1"};
    Random random = {23};
    const int trials = (int)steps_or(40, 5);
    for (int i = 0; i < trials; ++i) {
        const double J = 0.02, K = random_between(&random, 0.02, 0.06), omega = sqrt(K / J);
        const double w = random_between(&random, 15.0, 40.0) * (i % 2 == 0 ? 1.0 : -1.0);
        const double start = random_between(&random, -3.1, 3.1), t = 3.0;
        char text[1000];
        snprintf(text, sizeof text,
                 "stop: 3\n%s\nbodies:\n"
                 "  d: {kind: rigid, mass: 1, inertia: [0.01, 0.01, 0.02], "
                 "attitude: [%.17g, 0, 0, %.17g], angular_velocity: [0, 0, %.17g]}\n"
                 "elements:\n"
                 "  pin: {kind: penalty-joint, on: d, stiffness: 1e3, damping: 10, "
                 "angular_stiffness: 100, angular_damping: 1}\n"
                 "  spring: {kind: spring-damper, on: pin, stiffness: %.17g}\n",
                 methods[i % 5], cos(0.5 * start), sin(0.5 * start), w, K);
        StiScene *scene = good_scene(text);
        const double expected = start * cos(omega * t) + w / omega * sin(omega * t);
        double wound;
        const double q = value_at_end(scene, "pin.q", &wound);
        const double size = fabs(start) + fabs(w) / omega;
        assert_near(q, expected, (i % 5 == 1 ? 1e-3 : 1e-6) * size);
        assert_near(wound, q, 1e-9 * size);
        sti_scene_destroy(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spring_counts_the_turns_of_its_joint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
