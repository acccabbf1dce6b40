// Broken scenes, and exactly what is said about them. NAME.yaml is read with the settings in
// NAME.sets (one assignment per line; "--variant V" takes a variant) and must give the lines of
// NAME.expected. After a change that is meant: STI_GOLDEN_UPDATE=1 rewrites the expected lines,
// and git shows the difference.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <unistd.h>

#include "stiction/scene.h"
#include "support/files.h"

enum { MOST_SETS = 32, FEWEST_SCENES = 60 };

// "NAME.yaml" with another ending.
static char *beside(const char *scene, const char *ending)
{
    const size_t stem = strlen(scene) - strlen(".yaml"), size = stem + strlen(ending) + 1;
    char *path = malloc(size);
    snprintf(path, size, "%.*s%s", (int)stem, scene, ending);
    return path;
}

typedef struct Settings {
    char *text; // the lines, cut apart
    const char *sets[MOST_SETS];
    StiSceneOptions options;
} Settings;

static void read_settings(const char *scene, Settings *settings)
{
    static const char variant[] = "--variant ";
    char *path = beside(scene, ".sets");
    *settings = (Settings){.text = file_text(path)};
    settings->options.sets = settings->sets;
    char *rest = NULL;
    char *line = settings->text != NULL ? strtok_r(settings->text, "\n", &rest) : NULL;
    for (; line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        assert_true(settings->options.set_count < MOST_SETS);
        if (strncmp(line, variant, strlen(variant)) == 0)
            settings->options.variant = line + strlen(variant);
        else
            settings->sets[settings->options.set_count++] = line;
    }
    free(path);
}

static char *write_messages(const StiMessages *messages)
{
    static const char *const severities[] = {"note", "warning", "error"};
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    for (int i = 0; i < sti_messages_count(messages); ++i) {
        const StiMessage *m = sti_messages_at(messages, i);
        fprintf(stream, "%s:", m->file);
        if (m->line > 0) fprintf(stream, "%d:%d:", m->line, m->column);
        fprintf(stream, " %s: %s\n", severities[m->severity], m->text);
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
    const char *scene_path = *state;
    Settings settings;
    read_settings(scene_path, &settings);
    StiMessages *messages = sti_messages_create();
    StiScene *scene = sti_scene_load(scene_path, &settings.options, messages);
    assert_int_equal(scene == NULL, sti_messages_error_count(messages) > 0);
    assert_true(sti_messages_count(messages) > 0);
    char *said = write_messages(messages), *path = beside(scene_path, ".expected");
    compare(path, said);
    free(path);
    free(said);
    sti_scene_destroy(scene);
    sti_messages_destroy(messages);
    free(settings.text);
}

int main(void)
{
    if (chdir(SOURCE_DIR "/tests/golden") != 0) return 2; // so that messages hold no folder
    glob_t scenes = files_like("*.yaml");
    struct CMUnitTest *tests = calloc(scenes.gl_pathc, sizeof *tests);
    if (tests == NULL || scenes.gl_pathc < FEWEST_SCENES) return 2;
    for (size_t i = 0; i < scenes.gl_pathc; ++i)
        tests[i] = (struct CMUnitTest){.name = scenes.gl_pathv[i],
                                       .test_func = says_what_is_expected,
                                       .initial_state = scenes.gl_pathv[i]};
    const int failed = _cmocka_run_group_tests("broken scenes", tests, scenes.gl_pathc, NULL, NULL);
    free(tests);
    globfree(&scenes);
    return failed;
}
