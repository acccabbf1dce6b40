// Events that fall on the end of a row, where bodies are put back on their constraints: that may move a
// velocity over zero, and the mode that ends there must end all the same.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "support/followed_scene.h"
#include "support/short.h"

static void open_slider_crank(FollowedScene *run, double rtol)
{
    char method[96], path[512];
    snprintf(method, sizeof method, "method={adaptive: dormand-prince, rtol: %.3g, atol: 1e-12}",
             rtol);
    snprintf(path, sizeof path, "%s/scenes/slider-crank/scene.yaml", SOURCE_DIR);
    const char *const sets[] = {method};
    const StiSceneOptions options = {.variant = "events", .sets = sets, .set_count = 1};
    StiMessages *messages = sti_messages_create();
    followed_open(run, sti_scene_load(path, &options, messages), messages);
}

// The rod turns round at t = 0.25, 0.75, ..., the piston at 0.5, 1, ...: friction changes sides there, and
// takes power everywhere. A mode that was missed would give it.
static void friction_takes_power_in_every_row(void **state)
{
    (void)state;
    static const char *const joints[] = {"main.loss", "crank_pin.loss", "wrist.loss", "guide.loss"};
    const int runs = (int)steps_or(12, 3);
    for (int i = 0; i < runs; ++i) {
        FollowedScene run;
        open_slider_crank(&run, 1e-8 * pow(10.0, -3.0 * i / runs));
        for (int k = 0; k < 190; ++k) {
            followed_step(&run);
            for (int j = 0; j < 4; ++j) assert_true(followed_value(&run, joints[j]) > -1e-9);
        }
        followed_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(friction_takes_power_in_every_row)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
