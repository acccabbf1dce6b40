// Under error control controllers sample at their own rate, whatever the distance of rows. And many bodies that do not
// feel each other are no reason to give up order 4.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "stiction/method.h"
#include "support/last_values.h"
#include "support/near.h"

static LastValues controlled(const char *method, double step, double period)
{
    char text[700];
    snprintf(text, sizeof text,
             "step: %.17g\nstop: 0.3\nmethod: %s\nbodies:\n  m: {kind: point, mass: 1}\nelements:\n"
             "  c: {kind: pid, on: m, target: 1, kp: 100, kd: 10, period: %.17g}\n"
             "  f: {kind: force, on: m, value: c}\n"
             "  rub: {kind: friction, on: m, model: coulomb, level: 1}\n",
             step, method, period);
    return last_values(text);
}

static void periods_need_not_be_whole_numbers_of_rows(void **unused)
{
    (void)unused;
    static const char exactly[] = "{adaptive: dormand-prince, rtol: 1e-9, atol: 1e-11}";
    static const double periods[] = {1.7e-3, 0.4e-3, 2.5e-3, 12.5e-3};
    for (int i = 0; i < 4; ++i) {
        const LastValues here = controlled(exactly, 2e-3, periods[i]);
        const LastValues fine = controlled(exactly, 1e-4, periods[i]);
        const LastValues rule = controlled("rule", 1e-5, periods[i]);
        assert_true(last_values_apart(&here, &fine) < 1e-7);
        assert_true(last_values_apart(&here, &rule) < 2e-4);
    }
}

static void fourteen_masses_in_a_plane_keep_their_order(void **unused)
{
    (void)unused;
    enum { MASSES = 14 };
    char text[6000] = "step: 1e-3\nstop: 0.5\nbodies:\n";
    for (int i = 0; i < MASSES; ++i)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "  m%d: {kind: point, dimensions: 2, mass: 1, velocity: [%g, %g]}\n", i,
                 0.1 * i + 0.1, 0.3 - 0.05 * i);
    snprintf(text + strlen(text), sizeof text - strlen(text), "elements:\n");
    for (int i = 0; i < MASSES; ++i)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "  r%d: {kind: friction, on: m%d, model: coulomb, level: %g}\n", i, i,
                 1.0 + 0.2 * i);
    const LastValues last = last_values(text);
    double error = 0.0;
    StiMessages *messages = sti_messages_create();
    StiScene *scene = sti_scene_read(text, strlen(text), "scene.yaml", NULL, messages);
    assert_non_null(scene);
    assert_string_equal(scene->network->method->name, "cut");
    for (int i = 0; i < MASSES; ++i) { // straight to rest, or still on the way
        const Admittance *a = &scene->network->admittances[scene->network->admittance_places[i]];
        const double v = hypot(0.1 * i + 0.1, 0.3 - 0.05 * i), slows = 1.0 + 0.2 * i;
        const double t = fmin(0.5, v / slows), way = v * t - 0.5 * slows * t * t;
        error = fmax(error, fabs(last.x[a->q] - way * (0.1 * i + 0.1) / v));
    }
    assert_true(error < 1e-12);
    sti_scene_destroy(scene);
    sti_messages_destroy(messages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(periods_need_not_be_whole_numbers_of_rows),
        cmocka_unit_test(fourteen_masses_in_a_plane_keep_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
