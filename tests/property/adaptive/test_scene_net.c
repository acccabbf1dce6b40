// Random scenes of every kind and some of the repository, under every method, before those judges that
// hold today: support/net.h. All of them: extended/adaptive/scene_net.
// One alone: STI_NET_KIND=feet STI_NET_SEED=3 STI_NET_METHOD=rule build/tests/test_property_adaptive_scene_net
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/net_families.h"
#include "support/short.h"

// Under sanitizers all takes about ten times as long.
static NetPlan plan(void)
{
    return (NetPlan){.families = families,
                     .family_count = FAMILIES,
                     .seeds = (int)steps_or(2, 1),
                     .file_stride = (int)steps_or(5, 16),
                     .methods = (NetMethod)steps_or(NET_METHODS, NET_EVENTS + 1),
                     .seconds = (double)steps_or(5, 50)};
}

static void random_scenes(void **state)
{
    (void)state;
    const NetPlan now = plan();
    assert_int_equal(net_cast(&now), 0);
}

static void scenes_of_the_repository(void **state)
{
    (void)state;
    const NetPlan now = plan();
    static const char *const patterns[] = {"scenes/*/scene.yaml", "papers/*/*/scene.yaml"};
    assert_int_equal(net_cast_files(&now, SOURCE_DIR, patterns, 2), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_scenes),
                                       cmocka_unit_test(scenes_of_the_repository)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
