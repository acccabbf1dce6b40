// A jammed wedge under load stays where it is for a million steps, to the last bit.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "stiction/scene.h"
#include "stiction/step.h"

static void a_jammed_wedge_stays_for_a_million_steps(void **state)
{
    (void)state;
    StiMessages *messages = sti_messages_create();
    StiScene *scene = sti_scene_load(SOURCE_DIR "/scenes/wedge/scene.yaml", NULL, messages);
    sti_messages_destroy(messages);
    assert_non_null(scene);
    StiState *start = sti_state_create(scene->network), *now = sti_state_create(scene->network);
    StiScratch *scratch = sti_scratch_create(scene->network);
    const StiAdmittanceId jack = {1};
    assert_int_equal(sti_run(scene->network, NULL, now, scratch, 1000000), STI_OK);
    const double *before = sti_state_positions(start, scene->network, jack);
    const double *after = sti_state_positions(now, scene->network, jack);
    for (int i = 0; i < 6; ++i) assert_true(before[i] == after[i]);
    sti_scratch_destroy(scratch);
    sti_state_destroy(now);
    sti_state_destroy(start);
    sti_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_jammed_wedge_stays_for_a_million_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
