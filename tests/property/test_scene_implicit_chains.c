// The papers' solver `implicit` on chains whose joints rub: friction never drives a joint, and the motion is that of
// `cut`, also where static friction holds some joints while others slide.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "support/live_scene.h"
#include "support/near.h"
#include "support/random.h"
#include "support/short.h"
#include "unit/scene/scenes.h"

enum { MOST = 6 };
typedef struct Chain {
    int links;
    char text[2000];   // without method and solver
    double q[MOST];    // at the end, rad
    double least, all; // what friction took in a step at least, and in all, J
} Chain;

static Chain random_chain(int seed)
{
    Random random = {(uint64_t)seed + 7};
    Chain chain = {.links = 2 + random_below(&random, MOST - 1)};
    char starts[800] = "", joints[200] = "";
    for (int i = 0; i < chain.links; ++i) {
        const double v = random_below(&random, 3) == 0 ? random_between(&random, -3.0, 3.0) : 0.0;
        snprintf(starts + strlen(starts), sizeof starts - strlen(starts),
                 "%sjoint%d: {position: %.4f, velocity: %.4f, armature: %.4f}", i > 0 ? ", " : "",
                 i, random_between(&random, -1.0, 1.0), v,
                 random_below(&random, 2) == 0 ? 0.0 : random_decades(&random, 0.01, 0.1));
        snprintf(joints + strlen(joints), sizeof joints - strlen(joints), "%sarm.joint%d",
                 i > 0 ? ", " : "", i);
    }
    const double level = random_between(&random, 0.01, 1.5);
    const double most = level * (seed % 2 == 0 ? 1.0 : random_between(&random, 1.0, 1.4));
    snprintf(chain.text, sizeof chain.text,
             "step: 1e-3\nstop: 0.3\ngravity: [0, 0, -9.81]\nbodies:\n  arm: {kind: robot, chain: "
             "{links: %d, length: 0.3, mass: 1, axis: [0, 1, 0]}, joints: {%s}}\nelements:\n"
             "  rub: {kind: friction, on: [%s], model: coulomb, level: %.4f, static: %.4f}\n",
             chain.links, starts, joints, level, most);
    return chain;
}

static void follow(Chain *chain, const char *how)
{
    char text[2100], channel[40];
    snprintf(text, sizeof text, "%s%s", how, chain->text);
    LiveScene live = live_scene_open(good_scene(text));
    double before = 0.0;
    chain->least = 1.0;
    for (int k = 0; k < 300; ++k) {
        live_scene_go(&live, 1);
        const double dissipated = live_scene_value(&live, "energy.dissipated");
        chain->least = fmin(chain->least, dissipated - before);
        before = dissipated;
    }
    chain->all = before;
    for (int i = 0; i < chain->links; ++i) {
        snprintf(channel, sizeof channel, "arm.joint%d.q", i);
        chain->q[i] = live_scene_value(&live, channel);
    }
    live_scene_close(&live);
}

static void friction_never_drives_a_joint(void **unused)
{
    (void)unused;
    const int chains = (int)steps_or(60, 12);
    for (int seed = 0; seed < chains; ++seed) {
        Chain exact = random_chain(seed), implicit = exact;
        follow(&exact, "method: cut\n");
        follow(&implicit, "method: rule\nsolver: implicit\n");
        // the compliance of joints that are held gives back what it stored
        if (implicit.least < -1e-5) print_error("chain %d: %g J\n", seed, implicit.least);
        assert_true(implicit.least >= -1e-5);
        assert_near(implicit.all, exact.all, 5e-3 * exact.all + 1e-4);
        for (int i = 0; i < exact.links; ++i) {
            if (fabs(implicit.q[i] - exact.q[i]) > 5e-3)
                print_error("chain %d: joint %d is at %g, not at %g\n", seed, i, implicit.q[i],
                            exact.q[i]);
            assert_near(implicit.q[i], exact.q[i], 5e-3);
        }
    }
}

// The example: two links that fall from horizontal; the second joint stays where it is.
static void the_second_joint_of_two_stays(void **unused)
{
    (void)unused;
    Chain chain = {.links = 2,
                   .text = "step: 1e-3\nstop: 0.3\ngravity: [0, 0, -9.81]\nbodies:\n"
                           "  arm: {kind: robot, chain: {links: 2, length: 0.3, mass: 1, "
                           "axis: [0, 1, 0]}}\nelements:\n"
                           "  rub: {kind: friction, on: [arm.joint0, arm.joint1], model: coulomb, "
                           "level: 0.5}\n"};
    follow(&chain, "method: rule\nsolver: implicit\n");
    assert_near(chain.q[1], 0.0, 1e-3);
    assert_true(chain.least >= 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_never_drives_a_joint),
        cmocka_unit_test(the_second_joint_of_two_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
