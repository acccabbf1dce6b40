// The simulations of [semi-implicit] with every solver: they agree with each other, at the step of the paper and
// the better the finer it is. EQUATIONS 5.1, 5.2
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "stiction/record.h"
#include "stiction/scene.h"
#include "stiction/step.h"
#include "support/short.h"

enum { SOLVERS = 3, JOINTS = 2, MOST = 30001 };
static const char *const solvers[SOLVERS] = {"solver=semi-implicit", "solver=implicit",
                                             "solver=coupled"};
static double angles[SOLVERS][MOST][JOINTS]; // deg

static int joints_of(const StiNetwork *network)
{
    return sti_network_channel_find(network, "arm.joint1.q") >= 0 ? 2 : 1;
}

static void follow(const char *name, const char *step, int solver, double stop)
{
    char path[512];
    const char *const sets[] = {solvers[solver], step};
    StiMessages *messages = sti_messages_create();
    snprintf(path, sizeof path, "%s/papers/semi-implicit/%s/scene.yaml", SOURCE_DIR, name);
    StiScene *scene =
        sti_scene_load(path, &(StiSceneOptions){.sets = sets, .set_count = 2}, messages);
    sti_messages_destroy(messages);
    assert_non_null(scene);
    const StiNetwork *network = scene->network;
    StiState *state = sti_state_create(network);
    StiScratch *scratch = sti_scratch_create(network);
    const double *q = sti_state_positions(state, network, (StiAdmittanceId){1});
    const double T = scene->stop / (double)scene->steps;
    const int each = (int)round(1e-3 / T), rows = (int)round(stop / 1e-3);
    for (int k = 0; k <= rows; ++k) {
        for (int j = 0; j < joints_of(network); ++j)
            angles[solver][k][j] = q[j] * 180.0 / 3.14159265358979323846;
        assert_int_equal(sti_run(network, NULL, state, scratch, each), STI_OK);
    }
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    sti_scene_destroy(scene);
}

static double difference(int a, int b, double stop)
{
    double most = 0.0;
    for (int k = 0; k <= (int)round(stop / 1e-3); ++k)
        for (int j = 0; j < JOINTS; ++j) most = fmax(most, fabs(angles[a][k][j] - angles[b][k][j]));
    return most;
}

static void compare(const char *name, const char *step, double stop, double within)
{
    for (int i = 0; i < SOLVERS; ++i) follow(name, step, i, stop);
    for (int i = 0; i < SOLVERS; ++i)
        for (int j = 0; j < i; ++j) {
            print_message("%s, %s: %s and %s differ by %.4f deg\n", name, step, solvers[j] + 7,
                          solvers[i] + 7, difference(i, j, stop));
            assert_true(difference(i, j, stop) < within);
        }
}

static void the_motor_unit_is_the_same_with_every_solver(void **state)
{
    (void)state;
    compare("motor-unit", "step=1e-3", 30.0, 0.15);
    if (steps_or(1, 0) > 0) compare("motor-unit", "step=1e-4", 30.0, 0.015);
}

static void two_links_hit_the_ground_alike(void **state)
{
    (void)state;
    compare("two-link-ground", "step=1e-3", 1.0, 0.3);
    compare("two-link-ground", "step=1e-4", 1.0, 0.03);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_motor_unit_is_the_same_with_every_solver),
        cmocka_unit_test(two_links_hit_the_ground_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
