// Velocities in a plane and in space that pass zero closely: friction turns there, the faster the closer. Judged by
// a Runge-Kutta integration whose steps shrink with the speed.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/live_scene.h"
#include "support/near.h"
#include "support/random.h"
#include "support/short.h"

static const double stop = 0.5;

typedef struct Miss {
    int dim;
    double push, level, v[3], bend; // the push is along x, times cos(bend t)
} Miss;

static void rates(const Miss *m, double t, const double *y, double *ydot)
{
    double speed = 0.0;
    for (int d = 0; d < m->dim; ++d) speed += y[3 + d] * y[3 + d];
    speed = sqrt(speed);
    for (int d = 0; d < m->dim; ++d) {
        ydot[d] = y[3 + d];
        ydot[3 + d] = (d == 0 ? m->push * cos(m->bend * t) : 0.0) - m->level * y[3 + d] / speed;
    }
}

static void integrate(const Miss *m, double *y)
{
    double t = 0.0, k[4][6] = {{0.0}}, z[6] = {0.0};
    static const double at[4] = {0.0, 0.5, 0.5, 1.0};
    for (int d = 0; d < 3; ++d) y[d] = 0.0, y[3 + d] = m->v[d];
    while (t < stop) {
        const double speed = sqrt(y[3] * y[3] + y[4] * y[4] + y[5] * y[5]);
        const double h = fmin(fmin(2e-4, 0.01 * speed / (m->push + m->level)), stop - t);
        for (int r = 0; r < 4; ++r) {
            for (int i = 0; i < 6; ++i) z[i] = y[i] + (r > 0 ? at[r] * h * k[r - 1][i] : 0.0);
            rates(m, t + at[r] * h, z, k[r]);
        }
        for (int i = 0; i < 6; ++i)
            y[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
        t = stop - t <= h ? stop : t + h;
    }
}

static double error_of(const Miss *m, const char *step)
{
    static const char *const names[2][6] = {{"m.x", "m.y", NULL, "m.vx", "m.vy", NULL},
                                            {"m.x", "m.y", "m.z", "m.vx", "m.vy", "m.vz"}};
    char text[800], third[40] = "";
    if (m->dim == 3) snprintf(third, sizeof third, ", %.17g", m->v[2]);
    snprintf(text, sizeof text,
             "step: %s\nstop: %.17g\nmethod: cut\nbodies:\n"
             "  m: {kind: point, dimensions: %d, mass: 1, velocity: [%.17g, %.17g%s]}\nelements:\n"
             "  push: {kind: force, on: m, value: [\"%.17g*cos(%.17g*t)\", 0%s]}\n"
             "  rub: {kind: friction, on: m, model: coulomb, level: %.17g}\n",
             step, stop, m->dim, m->v[0], m->v[1], third, m->push, m->bend,
             m->dim == 3 ? ", 0" : "", m->level);
    double y[6], most = 0.0;
    StiMessages *messages = sti_messages_create();
    LiveScene live =
        live_scene_open(sti_scene_read(text, strlen(text), "scene.yaml", NULL, messages));
    sti_messages_destroy(messages);
    live_scene_go(&live, live.scene->steps);
    integrate(m, y);
    for (int i = 0; i < 6; ++i)
        if (names[m->dim - 2][i] != NULL)
            most = fmax(most, fabs(live_scene_value(&live, names[m->dim - 2][i]) - y[i]));
    live_scene_close(&live);
    return most;
}

static void what_passes_zero_closely_is_followed(void **unused)
{
    (void)unused;
    Random random = {31};
    for (int i = 0; i < (int)steps_or(60, 6); ++i) {
        Miss m = {.dim = 2 + i % 2,
                  .level = random_between(&random, 1.0, 5.0),
                  .bend = random_between(&random, 0.0, 0.5)};
        m.push = m.level * random_between(&random, 1.3, 3.0);
        m.v[0] = -random_between(&random, 0.3, 1.0);
        m.v[1] = random_decades(&random, 1e-6, 0.2);
        if (m.dim == 3) m.v[2] = m.v[1] * random_between(&random, -1.0, 1.0);
        assert_near(error_of(&m, "2e-3"), 0.0, 1e-7); // were up to 1e-4, ...
        assert_near(error_of(&m, "1e-3"), 0.0, 1e-7); // ... and 4e-5
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_passes_zero_closely_is_followed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
