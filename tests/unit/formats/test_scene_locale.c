// A host program with decimal commas: files, messages and numbers of scenes have points all the same, and
// the host keeps its commas.
#define _XOPEN_SOURCE 700 // realpath
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stiction/formats.h"
#include "stiction/record.h"
#include "stiction/urdf.h"
#include "unit/scene/scenes.h"

// Made here where none is installed; needs the descriptions of locales.
static bool take_commas(void)
{
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
        char folder[4096];
        if (realpath(".", folder) == NULL) return false;
        if (system("localedef -c -i de_DE -f UTF-8 ./commas >/dev/null 2>&1") != 0) return false;
        setenv("LOCPATH", folder, 1);
        if (setlocale(LC_ALL, "commas") == NULL) return false;
    }
    char text[16];
    snprintf(text, sizeof text, "%g", 0.5);
    return strcmp(text, "0,5") == 0;
}

static size_t content(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t length = fread(text, 1, size - 1, file);
    text[length] = '\0';
    fclose(file);
    return length;
}

static bool holds(const char *text, size_t length, const char *part)
{
    for (size_t i = 0; i + strlen(part) <= length; ++i)
        if (memcmp(text + i, part, strlen(part)) == 0) return true;
    return false;
}

static void recordings(void **state)
{
    (void)state;
    static const StiColumn columns[] = {{"t", "s"}, {"block.v", "m/s"}};
    const StiTable table = {.columns = columns, .column_count = 2};
    const StiSinkKind *const kinds[] = {&sti_sink_csv, &sti_sink_mcap};
    const char *const paths[] = {"a.csv", "a.mcap"};
    char text[8192];
    if (!take_commas()) skip();
    for (int i = 0; i < 2; ++i) {
        StiSink *sink = sti_sink_open(kinds[i], paths[i], &table);
        assert_non_null(sink);
        assert_int_equal(sti_sink_row(sink, (const double[]){0.25, -1.5}), STI_OK);
        assert_int_equal(sti_sink_close(sink, true), STI_OK);
        const size_t length = content(paths[i], text, sizeof text);
        assert_true(holds(text, length, "-1.5"));
        assert_false(holds(text, length, "-1,5"));
    }
    assert_string_equal(localeconv()->decimal_point, ",");
}

static void scenes_and_messages(void **state)
{
    (void)state;
    if (!take_commas()) skip();
    StiScene *scene = good_scene("stop: 1.5\nstep: 0.5\nbodies: {b: {kind: point, mass: 2.5}}\n");
    assert_near(parameter(scene, "b.mass"), 2.5, 0.0);
    sti_scene_destroy(scene);
    assert_message("stop: 1.5\nstep: 0.25\nbodies: {b: {kind: point, mass: -2.5}}\n", false, 1, 3,
                   27, "b.mass = -2.5: mass must be above 0 kg");
    assert_string_equal(localeconv()->decimal_point, ",");
}

static void robots(void **state)
{
    (void)state;
    if (!take_commas()) skip();
    StiScene *scene = good_scene(
        "stop: 1\nbodies: {a: {kind: robot, chain: {links: 1, length: 0.5, mass: 1.5}}}\n");
    char text[8192];
    sti_urdf_write(scene->robots[0].urdf, text, sizeof text);
    assert_non_null(strstr(text, "1.5"));
    assert_null(strstr(text, "1,5"));
    StiMessages *messages = sti_messages_create();
    StiUrdf *urdf = sti_urdf_read(text, strlen(text), "a.urdf", messages);
    assert_non_null(urdf);
    assert_near(urdf->links[0].mass, 1.5, 0.0);
    sti_urdf_destroy(urdf);
    sti_messages_destroy(messages);
    sti_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recordings),
        cmocka_unit_test(scenes_and_messages),
        cmocka_unit_test(robots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
