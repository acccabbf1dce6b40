// The fingerprint of a scene: the same for the same problem, however it is computed and recorded.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "unit/scene/scenes.h"

static const char text[] = "step: 1e-3\n"
                           "stop: 1\n"
                           "parameters: {pull: 2}\n"
                           "bodies: {block: {kind: point, mass: 1, velocity: [1]}}\n"
                           "elements:\n"
                           "  push: {kind: force, on: block, value: \"pull*t\"}\n"
                           "  rub: {kind: friction, on: block, model: coulomb, level: 3}\n"
                           "record: [block.x]\n"
                           "variants:\n"
                           "  rough: {set: {rub.level: 4}}\n";

static uint64_t changed(const char *set)
{
    const StiSceneOptions options = {.sets = &set, .set_count = 1};
    StiScene *scene = good_scene_with(text, &options);
    const uint64_t fingerprint = scene->fingerprint;
    sti_scene_destroy(scene);
    return fingerprint;
}

static uint64_t plain(void) { return changed("step=1e-3"); }

static void treatment_is_not_the_problem(void **state)
{
    (void)state;
    static const char *const sets[] = {"step=1e-2",        "stop=2",
                                       "method=cut",       "title=other",
                                       "record=[block.v]", "every=5",
                                       "solver=sweeps",    "method={adaptive: verner}"};
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; ++i)
        assert_true(changed(sets[i]) == plain());
}

static void everything_else_is(void **state)
{
    (void)state;
    static const char *const sets[] = {"pull=3",           "block.mass=2", "block.velocity=[2]",
                                       "rub.level=4",      "rub.static=4", "push.value=pull*t^2",
                                       "gravity=[0,0,-1]", "start=0.5"};
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; ++i) {
        assert_true(changed(sets[i]) != plain());
        for (size_t j = 0; j < i; ++j) assert_true(changed(sets[i]) != changed(sets[j]));
    }
}

static void a_variant_is_the_scene_that_it_makes(void **state)
{
    (void)state;
    const StiSceneOptions rough = {.variant = "rough"};
    StiScene *scene = good_scene_with(text, &rough);
    assert_true(scene->fingerprint == changed("rub.level=4"));
    sti_scene_destroy(scene);
}

static uint64_t with_table(const char *rows)
{
    char path[] = "/tmp/fingerprint-XXXXXX";
    assert_non_null(mkdtemp(path));
    char table[100], line[300];
    snprintf(table, sizeof table, "%s/push.csv", path);
    FILE *file = fopen(table, "w");
    assert_non_null(file);
    fputs(rows, file);
    fclose(file);
    snprintf(line, sizeof line,
             "stop: 1\nbodies: {block: {kind: point, mass: 1}}\nelements:\n"
             "  push: {kind: force, on: block, value: {csv: push.csv, column: f}}\n");
    StiMessages *messages = sti_messages_create();
    char scene_path[100];
    snprintf(scene_path, sizeof scene_path, "%s/scene.yaml", path);
    StiScene *scene = sti_scene_read(line, strlen(line), scene_path, NULL, messages);
    if (scene == NULL) print_messages(messages);
    assert_non_null(scene);
    const uint64_t fingerprint = scene->fingerprint;
    sti_scene_destroy(scene);
    sti_messages_destroy(messages);
    remove(table);
    remove(path);
    return fingerprint;
}

static void the_contents_of_tables_count(void **state)
{
    (void)state;
    const uint64_t one = with_table("t,f\n0,1\n1,2\n");
    assert_true(one == with_table("t,f\n0,1\n1,2\n"));
    assert_true(one != with_table("t,f\n0,1\n1,3\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(treatment_is_not_the_problem),
        cmocka_unit_test(everything_else_is),
        cmocka_unit_test(a_variant_is_the_scene_that_it_makes),
        cmocka_unit_test(the_contents_of_tables_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
