// Dominoes until they lie on each other: under cut every step but a few is cut, no energy is made, and they come to
// lie where rule puts them with eight times shorter steps.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <stdlib.h>
#include <cmocka.h>

#include "support/net_run.h"
#include "support/short.h"

static const double stop = 1.2;    // s
static const double near = 1.5e-3; // m: what falls onto an edge feels the step
static const double seconds = 60.0;

static void judge(int seed, const RandomScene *made, const NetRun *cut, const NetRun *rule)
{
    const double steps = stop / made->step, fallbacks = (double)cut->fallbacks;
    assert_int_equal(cut->outcome, NET_DONE);
    assert_int_equal(rule->outcome, NET_DONE);
    if (fallbacks > 0.005 * steps || fabs(cut->numerical) > 5e-4 * cut->energy)
        print_error("seed %d: %ld steps not cut, %.2g of %.2g J\n", seed, cut->fallbacks,
                    cut->numerical, cut->energy);
    assert_true(fallbacks <= 0.005 * steps);
    assert_true(fabs(cut->numerical) <= 5e-4 * cut->energy);
    assert_true(fabs(cut->residual) <= 1e-9 * cut->energy);
    for (int i = 0; i < made->channel_count; ++i) {
        if (made->channels[i].role != ROLE_PLACE) continue;
        const double off = fabs(cut->values[NET_ROWS][i] - rule->values[NET_ROWS][i]);
        const char *name = made->channels[i].name;
        const char *part = strrchr(name, '.');
        if (strcmp(part, ".x") != 0 && strcmp(part, ".z") != 0) continue;
        if (off > near) print_error("seed %d: %s off by %.2g m\n", seed, name, off);
        assert_true(off <= near);
    }
}

static void they_lie_where_they_fell(void **state)
{
    (void)state;
    static const int seeds[] = {1, 3, 10, 13};
    RandomScene *made = calloc(1, sizeof *made);
    NetRun *runs = net_runs_create(2);
    for (int i = 0; i < steps_or(4, 1); ++i) {
        assert_true(random_scene_make(made, "dominoes", seeds[i], SCENE_PLAIN));
        const NetScene scene = {.text = made->text,
                                .step = made->step,
                                .stop = stop,
                                .channels = made->channels,
                                .channel_count = made->channel_count};
        net_run(&scene, NET_CUT, 1, seconds, &runs[0]);
        net_run(&scene, NET_RULE, 8, seconds, &runs[1]);
        judge(seeds[i], made, &runs[0], &runs[1]);
    }
    net_runs_destroy(runs, 2);
    free(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(they_lie_where_they_fell)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
