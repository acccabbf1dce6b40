// Broken scenes, and exactly what is said about them. NAME.yaml is read with the settings in
// NAME.sets (one assignment per line; "--variant V" takes a variant) and must give the lines of
// NAME.expected.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/golden.h"

enum { MOST_SETS = 32, FEWEST_SCENES = 60 };

typedef struct Settings {
    char *text; // the lines, cut apart
    const char *sets[MOST_SETS];
    StiSceneOptions options;
} Settings;

static void read_settings(const char *scene, Settings *settings)
{
    static const char variant[] = "--variant ";
    char *path = golden_beside(scene, ".sets");
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

static void says_what_is_expected(void **state)
{
    const char *scene_path = *state;
    Settings settings;
    read_settings(scene_path, &settings);
    StiMessages *messages = sti_messages_create();
    StiScene *scene = sti_scene_load(scene_path, &settings.options, messages);
    assert_int_equal(scene == NULL, sti_messages_error_count(messages) > 0);
    assert_true(sti_messages_count(messages) > 0);
    golden_compare(scene_path, messages);
    sti_scene_destroy(scene);
    sti_messages_destroy(messages);
    free(settings.text);
}

int main(void)
{
    return golden_run(SOURCE_DIR "/tests/golden", "*.yaml", FEWEST_SCENES, says_what_is_expected);
}
