// Subjects of explain that are no single kind.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "command/topics.h"

static void subjects_are_explained(void **state)
{
    (void)state;
    static const char *const subjects[] = {"painleve", "methods", "adaptive", "events"};
    for (int i = 0; i < 4; ++i) {
        const Topic *topic = topic_find(subjects[i]);
        assert_non_null(topic);
        assert_true(strlen(topic->summary) > 0);
        assert_true(strlen(topic->explanation.use) > 0);
        assert_true(strlen(topic->explanation.source) > 0);
        for (const char *line = topic->explanation.equations; *line != '\0';) {
            const size_t length = strcspn(line, "\n");
            assert_true(length <= 78);
            assert_int_equal(line[length], '\n');
            line += length + 1;
        }
    }
    assert_null(topic_find("nothing"));
    assert_null(topic_at(-1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(subjects_are_explained)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
