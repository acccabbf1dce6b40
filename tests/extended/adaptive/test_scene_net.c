// 323 random scenes and all of the repository, under every method, before all judges: support/net.h.
// One alone: STI_NET_KIND=feet STI_NET_SEED=3 STI_NET_METHOD=rule build/tests/test_extended_adaptive_scene_net
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/net_families.h"

static const NetPlan plan = {.families = families,
                             .family_count = FAMILIES,
                             .seeds = 17,
                             .file_stride = 1,
                             .all = true,
                             .seconds = 5.0};

static void random_scenes(void **state)
{
    (void)state;
    assert_int_equal(net_cast(&plan), 0);
}

static void scenes_of_the_repository(void **state)
{
    (void)state;
    static const char *const patterns[] = {"scenes/*/scene.yaml", "papers/*/*/scene.yaml"};
    assert_int_equal(net_cast_files(&plan, SOURCE_DIR, patterns, 2), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_scenes),
                                       cmocka_unit_test(scenes_of_the_repository)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
