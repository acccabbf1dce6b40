// Gains that are sampled too slowly are warned of, exactly where a run with them grows: random inertias, periods, motors.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stiction/record.h"
#include "stiction/scene.h"
#include "stiction/step.h"
#include "support/random.h"

static bool is_warned_of(const StiMessages *messages)
{
    for (int i = 0; i < sti_messages_count(messages); ++i)
        if (strstr(sti_messages_at(messages, i)->text, "kd period/inertia") != NULL) return true;
    return false;
}

// Does the speed grow between the middle and the end of the run?
static bool grows(const StiScene *scene)
{
    StiState *state = sti_state_create(scene->network);
    StiScratch *scratch = sti_scratch_create(scene->network);
    const double *speed =
        sti_state_edit_channel(state, scene->network,
                               sti_network_channel_find(scene->network, "shaft.qd"));
    double middle = 0.0, end = 0.0;
    for (int64_t k = 0; k < scene->steps; ++k) {
        assert_int_equal(sti_step(scene->network, NULL, state, scratch), STI_OK);
        if (k >= scene->steps / 4 && k < scene->steps / 2) middle = fmax(middle, fabs(*speed));
        if (k >= 3 * scene->steps / 4) end = fmax(end, fabs(*speed));
    }
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    return end > middle;
}

static void warned_where_it_grows(void **unused)
{
    (void)unused;
    int grown = 0, count = 40;
    for (int seed = 0; seed < count; ++seed) {
        Random random = {(uint64_t)seed};
        const int steps = 1 + random_below(&random, 10);
        const double inertia = random_decades(&random, 1e-4, 1.0), period = 1e-3 * steps,
                     K = random_between(&random, 0.01, 0.1),
                     gear = random_between(&random, 1.0, 30.0), R = 1.0,
                     share = random_below(&random, 2) ? 1.03 : 0.97;
        const int way = random_below(&random, 3); // a force, a motor, a servo
        const double b = way == 0 ? 0.0 : gear * gear * K * K / R, E = exp(-b * period / inertia),
                     most = b > 1e-9 ? b * (1.0 + E) / (1.0 - E) : 2.0 * inertia / period,
                     gain = way == 0 ? 1.0 : gear * K / R * (way == 2 ? gear : 1.0),
                     kd = share * most / gain;
        char text[1000], motor[300], control[300];
        snprintf(motor, sizeof motor,
                 "torque_constant: %.17g, resistance: %.17g, gear_ratio: %.17g", K, R, gear);
        snprintf(control, sizeof control, "target: 0, kd: %.17g, period: %.17g", kd, period);
        int used = snprintf(text, sizeof text,
                            "step: 1e-3\nstop: %.17g\nbodies: {shaft: {kind: rotor, inertia: "
                            "%.17g, velocity: 1e-3}}\nelements:\n",
                            400 * period, inertia);
        if (way == 2)
            snprintf(text + used, sizeof text - (size_t)used,
                     "  drive: {kind: servo, on: shaft, kp: 0, %s, %s}\n", motor, control);
        else
            snprintf(text + used, sizeof text - (size_t)used,
                     "  control: {kind: pid, on: shaft, kp: 0, %s}\n  drive: {kind: %s}\n", control,
                     way == 0 ? "force, on: shaft, value: control"
                              : "dc-motor, on: shaft, voltage: control, XX");
        char *place = strstr(text, "XX"), rest[8] = "";
        if (place != NULL)
            snprintf(rest, sizeof rest, "%s", place + 2),
                snprintf(place, sizeof text - (size_t)(place - text), "%s%s", motor, rest);
        StiMessages *messages = sti_messages_create();
        StiScene *scene = sti_scene_read(text, strlen(text), "scene.yaml", NULL, messages);
        if (scene == NULL) fail_msg("%s\n%s", sti_messages_at(messages, 0)->text, text);
        const bool growing = grows(scene);
        if (growing != (share > 1.0) || growing != is_warned_of(messages))
            fail_msg("seed %d: grows %d\n%s", seed, growing, text);
        grown += growing;
        sti_messages_destroy(messages);
        sti_scene_destroy(scene);
    }
    assert_true(grown > count / 4 && grown < 3 * count / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(warned_where_it_grows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
