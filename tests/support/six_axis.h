// Six-axis arms from a URDF file with Stribeck friction in their joints, sampled controllers and a table that the
// flange runs into: seeded variants of loads that stop solvers which divide by what falling friction leaves of an inertia.
// Include after cmocka.h, with SOURCE_DIR.
#ifndef STICTION_TESTS_SUPPORT_SIX_AXIS_H
#define STICTION_TESTS_SUPPORT_SIX_AXIS_H

#include <stdio.h>
#include <string.h>

#include "network/network.h"
#include "support/followed_scene.h"
#include "support/random.h"

enum { SIX_AXES = 6, SIX_AXIS_TEXT = 8000 };

static inline const char *six_axis_scene(int seed, const char *method, double T, double stop)
{
    static const char *const joints[SIX_AXES] = {"turn",        "lift",      "elbow",
                                                 "wrist_pitch", "wrist_yaw", "wrist_roll"};
    static const double at[SIX_AXES] = {0.0, -1.2, 1.4, 0.0, 0.0, 0.0};
    static const double rotors[] = {0.003, 0.01, 0.1}; // kg m^2
    static char text[SIX_AXIS_TEXT];
    Random random = {(uint64_t)seed};
    const double rotor = rotors[random_below(&random, 3)];
    const double gain = 0.3 * (rotor < 0.01 ? rotor / 0.01 : 1.0); // of wrists, stable when sampled at 1 ms
    const double level = 5.0 * random_between(&random, 0.8, 1.2);
    const double held = 7.0 * random_between(&random, 0.9, 1.1);
    const double speed = 0.05 * random_between(&random, 0.5, 2.0);
    int n = snprintf(text, sizeof text,
                     "step: %.17g\nstop: %.17g\ngravity: [0, 0, -9.81]\n%s%s\nbodies:\n  arm:\n"
                     "    kind: robot\n    urdf: " SOURCE_DIR "/examples/robots/six_axis.urdf\n    joints:\n",
                     T, stop, method != NULL ? "method: " : "", method != NULL ? method : "");
    for (int i = 0; i < SIX_AXES; ++i)
        n += snprintf(text + n, sizeof text - (size_t)n, "      %s: {position: %g, armature: %g}\n",
                      joints[i], at[i], rotor);
    n += snprintf(text + n, sizeof text - (size_t)n, "elements:\n");
    for (int i = 0; i < SIX_AXES; ++i) {
        const double way = random_between(&random, 0.2, 0.6), w = random_between(&random, 0.5, 2.0);
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  %s_f: {kind: friction, on: arm.%s, model: coulomb, level: %.17g, static: %.17g, "
                      "stribeck_speed: %.17g}\n"
                      "  %s_c: {kind: pid, on: arm.%s, target: \"%g + %.17g*sin(%.17g*t)\", kp: %g, kd: %g, "
                      "period: 1e-3}\n"
                      "  %s_m: {kind: force, on: arm.%s, value: %s_c}\n",
                      joints[i], joints[i], level, held, speed, joints[i], joints[i], at[i], way, w,
                      i < 3 ? 2500.0 : 300.0 * gain, i < 3 ? 60.0 : 3.0 * gain, joints[i], joints[i],
                      joints[i]);
    }
    snprintf(text + n, sizeof text - (size_t)n,
             "  table: {kind: contact, on: arm.flange, shape: {kind: sphere, radius: 0.03}, against: {plane: "
             "{point: [0, 0, %.17g]}}, mu: 0.4}\n",
             random_between(&random, 0.15, 0.25));
    return text;
}

// The angles at the end.
static inline void six_axis_run(const char *text, double *angles)
{
    FollowedScene run;
    StiMessages *messages = sti_messages_create();
    followed_open(&run, sti_scene_read(text, strlen(text), "scene.yaml", NULL, messages), messages);
    for (long k = 0; k < run.scene->steps; ++k) followed_step(&run);
    memcpy(angles, run.state->values, SIX_AXES * sizeof *angles);
    followed_close(&run);
}

static inline double six_axis_apart(const double *a, const double *b)
{
    double most = 0.0;
    for (int i = 0; i < SIX_AXES; ++i) {
        const double d = a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
        if (d > most || d != d) most = d;
    }
    return most;
}

#endif
