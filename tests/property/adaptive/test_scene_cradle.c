// Rows of balls that touch, struck from one side or from both, with `restitution_model: sequential`:
// judged by collisions of two balls after each other, computed here from the masses alone.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stiction/adaptive.h"
#include "support/live_scene.h"
#include "support/near.h"
#include "support/random.h"
#include "support/short.h"
#include "unit/scene/scenes.h"

enum { BALLS = 8 };
typedef struct Row {
    int count;
    double mass[BALLS], v[BALLS], x[BALLS], e;
} Row;

// The pair that closes fastest collides, until none does.
static void collide(Row *row)
{
    for (int round = 0; round < 100000; ++round) {
        int worst = -1;
        double fastest = 1e-13;
        for (int i = 0; i + 1 < row->count; ++i)
            if (row->v[i] - row->v[i + 1] > fastest) {
                fastest = row->v[i] - row->v[i + 1];
                worst = i;
            }
        if (worst < 0) return;
        const double m = row->mass[worst], M = row->mass[worst + 1];
        const double p = (1.0 + row->e) * fastest * m * M / (m + M);
        row->v[worst] -= p / m;
        row->v[worst + 1] += p / M;
    }
    fail();
}

// Balls that rest touch each other; one or two come from the left, perhaps one from the right, later by
// another time so that both are not there at once.
static Row random_row(Random *random, bool equal, double e)
{
    Row row = {.count = 3 + random_below(random, BALLS - 3), .e = e};
    const int coming = 1 + random_below(random, 2);
    const double v = random_between(random, 0.5, 2.0);
    for (int i = 0; i < row.count; ++i) {
        row.mass[i] = equal ? 1.0 : random_decades(random, 0.3, 3.0);
        row.v[i] = i < coming ? v : 0.0;
        row.x[i] = 0.2 * i - (i < coming ? 0.05 : 0.0);
    }
    return row;
}

static void write_scene(char *text, size_t size, const Row *row, double mu, const char *method,
                        double spin)
{
    int at = snprintf(text, size, "stop: 0.3\nmethod: %s\nbodies:\n", method);
    for (int i = 0; i < row->count; ++i)
        at += snprintf(text + at, size - (size_t)at,
                       "  b%d: {kind: rigid, mass: %.17g, shape: sphere, radius: 0.1, "
                       "position: [%.17g, 0, 0], velocity: [%.17g, 0, 0], "
                       "angular_velocity: [0, %.17g, 0]}\n",
                       i, row->mass[i], row->x[i], row->v[i], i == 0 ? spin : 0.0);
    snprintf(text + at, size - (size_t)at,
             "elements:\n  hit: {kind: contact, among: all, mu: %g, restitution: %.17g, "
             "restitution_model: sequential}\n",
             mu, row->e);
}

// Runs the scene to its end; velocities and energy then.
static StiEnergy run_scene(const char *text, Row *row)
{
    StiScene *scene = good_scene(text);
    StiState *state = sti_state_create(scene->network);
    StiScratch *scratch = sti_scratch_create(scene->network);
    StiRecorder *recorder = sti_recorder_create(scene->network);
    StiReport *report = sti_report_create();
    StiAdaptive *adaptive = scene->adaptive != NULL
                                ? sti_adaptive_create(scene->network, scene->adaptive, report)
                                : NULL;
    assert_int_equal(sti_recorder_begin(recorder, state, NULL, scratch), STI_OK);
    for (long k = 0; k < scene->steps; ++k) {
        assert_int_equal(adaptive != NULL ? sti_adaptive_step(adaptive, NULL, state, scratch)
                                          : sti_run(scene->network, NULL, state, scratch, 1),
                         STI_OK);
        assert_int_equal(sti_scratch_figures(scratch).unended_sequences, 0);
        assert_int_equal(sti_recorder_follow(recorder, state, scratch), STI_OK);
    }
    for (int i = 0; i < row->count; ++i) {
        char channel[16];
        snprintf(channel, sizeof channel, "b%d.vx", i);
        row->v[i] =
            sti_recorder_value(recorder, sti_network_channel_find(scene->network, channel));
    }
    const StiEnergy energy = sti_recorder_energy(recorder);
    sti_adaptive_destroy(adaptive);
    sti_report_destroy(report);
    sti_recorder_destroy(recorder);
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    sti_scene_destroy(scene);
    return energy;
}

static double momentum(const Row *row)
{
    double sum = 0.0;
    for (int i = 0; i < row->count; ++i) sum += row->mass[i] * row->v[i];
    return sum;
}

static void rows_of_balls_collide_two_by_two(void **unused)
{
    (void)unused;
    Random random = {17};
    const int trials = (int)steps_or(80, 8);
    for (int i = 0; i < trials; ++i) {
        const double e = i % 3 != 0 ? 1.0 : random_between(&random, 0.3, 1.0);
        Row row = random_row(&random, i % 2 == 0, e), judged = row, got = row;
        char text[4000];
        write_scene(text, sizeof text, &row, i % 4 < 2 ? 0.0 : 0.4,
                    i % 8 < 4 ? "rule" : "{adaptive: dormand-prince}", 0.0);
        collide(&judged);
        const StiEnergy energy = run_scene(text, &got);
        for (int b = 0; b < row.count; ++b) assert_near(got.v[b], judged.v[b], 1e-9);
        assert_near(momentum(&got), momentum(&row), 1e-12 * momentum(&row));
        if (e == 1.0) assert_near(energy.stored, energy.stored_start, 1e-10 * energy.stored_start);
        assert_true(energy.stored <= (1.0 + 1e-10) * energy.stored_start);
    }
}

// One ball spins and rubs on the next: what it gives is friction's, and energy only falls.
static void friction_at_an_impact_adds_nothing(void **unused)
{
    (void)unused;
    Random random = {18};
    const int trials = (int)steps_or(40, 4);
    for (int i = 0; i < trials; ++i) {
        Row row = random_row(&random, i % 2 == 0, 1.0), got = row;
        char text[4000];
        write_scene(text, sizeof text, &row, 0.3, i % 4 < 2 ? "rule" : "{adaptive: dormand-prince}",
                    random_between(&random, -20.0, 20.0));
        const StiEnergy energy = run_scene(text, &got);
        assert_near(momentum(&got), momentum(&row), 1e-12 * momentum(&row));
        assert_true(energy.stored <= (1.0 + 1e-10) * energy.stored_start);
        assert_near(energy.residual, 0.0, 1e-12 * energy.stored_start);
    }
}

// The toy itself: one in, one out; two in, two out; and both sides at once, which mirror each other.
static void newtons_cradle(void **unused)
{
    (void)unused;
    static const double in[4][4] = {{1, 0, 0, 0}, {1, 1, 0, 0}, {1, 0, 0, -1}, {1, 1, 1, 0}};
    static const double out[4][4] = {{0, 0, 0, 1}, {0, 0, 1, 1}, {-1, 0, 0, 1}, {0, 1, 1, 1}};
    for (int i = 0; i < 8; ++i) {
        Row row = {.count = 4, .e = 1.0};
        char text[4000];
        for (int b = 0; b < 4; ++b) {
            row.mass[b] = 1.0;
            row.v[b] = in[i / 2][b];
            row.x[b] = 0.2 * b - 0.05 * in[i / 2][b];
        }
        write_scene(text, sizeof text, &row, 0.2, i % 2 == 0 ? "rule" : "{adaptive: dormand-prince}",
                    0.0);
        run_scene(text, &row);
        for (int b = 0; b < 4; ++b) assert_near(row.v[b], out[i / 2][b], 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_balls_collide_two_by_two),
        cmocka_unit_test(friction_at_an_impact_adds_nothing),
        cmocka_unit_test(newtons_cradle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
