// Every model, law, method and solver that a scene can name is explained.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include <stiction/scene.h>

#include "command/explanations.h"

static void assert_full(const Explanation *explanation, const char *name)
{
    if (explanation == NULL) fail_msg("there is no explanation of %s", name);
    assert_true(strlen(explanation->equations) > 0);
    assert_true(strlen(explanation->source) > 0);
    assert_true(strlen(explanation->use) > 0);
    // Lines are printed two columns in.
    for (const char *line = explanation->equations; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        assert_true(length <= 78);
        assert_int_equal(line[length], '\n');
        line += length + 1;
    }
}

// A text that begins with "No" must not stand beside a model that claims nothing, and the reverse.
static void models_are_explained(void **state)
{
    (void)state;
    int count;
    const StiWord *words = sti_scene_models(&count);
    assert_true(count > 0);
    for (int i = 0; i < count; ++i) {
        const Explanation *explanation = explanation_of_model(words[i].name);
        assert_full(explanation, words[i].name);
        assert_non_null(explanation->drift);
        if (words[i].holds)
            assert_memory_equal(explanation->drift, "No", 2);
        else
            assert_memory_not_equal(explanation->drift, "No", 2);
    }
}

static void subjects_are_explained(void **state)
{
    (void)state;
    static const char *const subjects[] = {"painleve", "methods", "adaptive", "events"};
    for (int i = 0; i < 3; ++i) {
        const Topic *topic = topic_find(subjects[i]);
        assert_non_null(topic);
        assert_full(&topic->explanation, subjects[i]);
    }
    assert_null(topic_find("nothing"));
    assert_null(topic_at(-1));
}

static void laws_are_explained(void **state)
{
    (void)state;
    int count;
    const StiWord *words = sti_scene_laws(&count);
    assert_true(count > 0);
    for (int i = 0; i < count; ++i) assert_full(explanation_of_law(words[i].name), words[i].name);
}

static void actuators_are_explained(void **state)
{
    (void)state;
    static const char *const names[] = {"dc-motor", "servo", "pid", "joint-limit", "gear-loss"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        assert_full(explanation_of_element(names[i]), names[i]);
    assert_null(explanation_of_element("motor"));
}

static void methods_are_explained(void **state)
{
    (void)state;
    for (int i = 0; sti_methods[i] != NULL; ++i)
        assert_full(explanation_of_method(sti_methods[i]->name), sti_methods[i]->name);
}

static void solvers_are_explained(void **state)
{
    (void)state;
    int count;
    const StiWord *words = sti_scene_solvers(&count);
    assert_true(count > 0);
    for (int i = 0; i < count; ++i)
        assert_full(explanation_of_solver(words[i].name), words[i].name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_are_explained),  cmocka_unit_test(subjects_are_explained),
        cmocka_unit_test(laws_are_explained),    cmocka_unit_test(actuators_are_explained),
        cmocka_unit_test(methods_are_explained), cmocka_unit_test(solvers_are_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
