// Broken robots, and exactly what is said about them: tests/golden_urdf/NAME.urdf must give the
// lines of NAME.expected. After a change that is meant: STI_GOLDEN_UPDATE=1 rewrites them.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <unistd.h>

#include "stiction/urdf.h"
#include "support/files.h"

enum { FEWEST_ROBOTS = 40 };

static char *write_messages(const StiMessages *messages)
{
    static const char *const severities[] = {"note", "warning", "error"};
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    for (int i = 0; i < sti_messages_count(messages); ++i) {
        const StiMessage *m = sti_messages_at(messages, i);
        fprintf(stream, "%s:%d:%d: %s: %s\n", m->file, m->line, m->column, severities[m->severity],
                m->text);
    }
    fclose(stream);
    return text;
}

static void compare(const char *path, const char *said)
{
    char *expected = file_text(path);
    if (getenv("STI_GOLDEN_UPDATE") != NULL && (expected == NULL || strcmp(said, expected) != 0)) {
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        fputs(said, file);
        fclose(file);
    } else if (expected == NULL || strcmp(said, expected) != 0) {
        print_error("%s\n---- expected\n%s---- said\n%s", path, expected != NULL ? expected : "",
                    said);
        fail();
    }
    free(expected);
}

static void says_what_is_expected(void **state)
{
    const char *robot = *state;
    char path[256];
    snprintf(path, sizeof path, "%.*s.expected", (int)(strlen(robot) - strlen(".urdf")), robot);
    StiMessages *messages = sti_messages_create();
    StiUrdf *urdf = sti_urdf_load(robot, messages);
    assert_int_equal(urdf == NULL, sti_messages_error_count(messages) > 0);
    assert_true(sti_messages_count(messages) > 0);
    char *said = write_messages(messages);
    compare(path, said);
    free(said);
    sti_urdf_destroy(urdf);
    sti_messages_destroy(messages);
}

int main(void)
{
    if (chdir(SOURCE_DIR "/tests/golden_urdf") != 0) return 2; // so that messages hold no folder
    glob_t robots = files_like("*.urdf");
    struct CMUnitTest *tests = calloc(robots.gl_pathc, sizeof *tests);
    if (tests == NULL || robots.gl_pathc < FEWEST_ROBOTS) return 2;
    for (size_t i = 0; i < robots.gl_pathc; ++i)
        tests[i] = (struct CMUnitTest){.name = robots.gl_pathv[i],
                                       .test_func = says_what_is_expected,
                                       .initial_state = robots.gl_pathv[i]};
    const int failed = _cmocka_run_group_tests("broken robots", tests, robots.gl_pathc, NULL, NULL);
    free(tests);
    globfree(&robots);
    return failed;
}
