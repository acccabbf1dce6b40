// A block on a belt, held by a spring: stick and slip without end. Every integrator follows it at every tolerance,
// whether the belt is an expression or a table, whose rates are good to rounding only.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/followed_scene.h"
#include "support/near.h"
#include "support/random.h"
#include "support/short.h"

typedef struct Belt {
    double speed, mass, stiffness, level, above, stribeck;
} Belt;

static Belt random_belt(Random *random)
{
    return (Belt){.speed = random_decades(random, 0.02, 0.5),
                  .mass = random_decades(random, 0.3, 3.0),
                  .stiffness = random_decades(random, 20.0, 300.0),
                  .level = random_decades(random, 1.0, 10.0),
                  .above = random_between(random, 1.05, 1.6),
                  .stribeck = random_decades(random, 0.02, 0.3)};
}

static void write_table(const Belt *belt, const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("t,x\n", file);
    for (int i = 0; i <= 700; ++i)
        fprintf(file, "%.17g,%.17g\n", 0.003 * i, belt->speed * 0.003 * i);
    fclose(file);
}

// The block's place at the end; a failure fails the test.
static double end_with(const Belt *belt, const char *method, bool table, int steps)
{
    char text[900], motion[120];
    FollowedScene run;
    StiMessages *messages = sti_messages_create();
    snprintf(motion, sizeof motion, table ? "{csv: belt.csv, column: x}" : "\"%.17g*t\"",
             belt->speed);
    snprintf(text, sizeof text,
             "step: %.17g\nstop: 1\nmethod: %s\n"
             "bodies: {belt: {kind: motion, x: %s}, block: {kind: point, mass: %.17g}}\n"
             "elements:\n"
             "  spring: {kind: spring-damper, on: block, stiffness: %.17g}\n"
             "  friction: {kind: friction, between: [block, belt], model: coulomb, level: %.17g, "
             "static: %.17g, stribeck_speed: %.17g}\n",
             1.0 / steps, method, motion, belt->mass, belt->stiffness, belt->level,
             belt->above * belt->level, belt->stribeck);
    followed_open(&run, sti_scene_read(text, strlen(text), "scene.yaml", NULL, messages), messages);
    for (int k = 0; k < steps; ++k) {
        const StiStatus status = run.adaptive != NULL
                                     ? sti_adaptive_step(run.adaptive, NULL, run.state, run.scratch)
                                     : sti_run(run.scene->network, NULL, run.state, run.scratch, 1);
        if (status != STI_OK)
            fail_msg("%s at row %d: %s\n%s", method, k, sti_status_text(status), text);
        sti_recorder_follow(run.recorder, run.state, run.scratch);
    }
    const double x = followed_value(&run, "block.x");
    followed_close(&run);
    return x;
}

static double end_of(const Belt *belt, const char *method, bool table)
{
    return end_with(belt, method, table, 100);
}

static void every_integrator_follows(void **state)
{
    (void)state;
    static const double tolerances[] = {1e-6, 1e-8, 1e-10};
    Random random = {16};
    const int belts = (int)steps_or(22, 4);
    for (int n = 0; n < belts; ++n) {
        const Belt belt = random_belt(&random);
        const double exact =
            end_of(&belt, "{adaptive: dormand-prince, rtol: 1e-12, atol: 1e-14}", false);
        StiAdaptiveMethod method;
        write_table(&belt, "belt.csv");
        for (int i = 0; sti_adaptive_method(i, &method); ++i)
            for (int k = 0; k < 3; ++k) {
                char words[120];
                snprintf(words, sizeof words, "{adaptive: %s, rtol: %g, atol: %g}", method.name,
                         tolerances[k], 1e-2 * tolerances[k]);
                assert_near(end_of(&belt, words, false), exact, 3e3 * tolerances[k]);
                if (k == 1) assert_near(end_of(&belt, words, true), exact, 3e3 * tolerances[k]);
            }
        assert_near(end_with(&belt, "cut", false, 1000), exact, 1e-6);
        assert_near(end_with(&belt, "cut", true, 1000), exact, 1e-6);
        assert_near(end_with(&belt, "ark4", false, 1000), exact, 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_integrator_follows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
