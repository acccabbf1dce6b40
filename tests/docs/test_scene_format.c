// Every example of docs/scene-format.md loads, fits the schema, and runs to its end. Blocks that
// begin with ```yaml are scenes; ```csv NAME is a file beside them.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "stiction/step.h"
#include "support/files.h"
#include "unit/scene/scenes.h"
#include "unit/scene/validator.h"

enum { FEWEST_EXAMPLES = 8, MOST_EXAMPLES = 64 };

typedef struct Page {
    char *text;
    char *scenes[MOST_EXAMPLES]; // each ends with NUL
    int count;
} Page;

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

// Cuts the page into its blocks.
static Page read_page(void)
{
    static const char fence[] = "\n```";
    Page page = {.text = file_needed(SOURCE_DIR "/docs/scene-format.md")};
    for (char *at = strstr(page.text, fence); at != NULL; at = strstr(at, fence)) {
        char *word = at + strlen(fence), *body = strchr(word, '\n');
        assert_non_null(body);
        char *end = strstr(body, fence);
        assert_non_null(end);
        at = end + strlen(fence);
        *body++ = '\0';
        end[1] = '\0';
        if (strcmp(word, "yaml") == 0) {
            assert_true(page.count < MOST_EXAMPLES);
            page.scenes[page.count++] = body;
        } else if (strncmp(word, "csv ", 4) == 0) {
            write_file(word + 4, body);
        }
    }
    assert_true(page.count >= FEWEST_EXAMPLES);
    return page;
}

static void examples_fit_the_schema(void **state)
{
    const Page *page = *state;
    Schema schema = schema_read();
    for (int i = 0; i < page->count; ++i) {
        if (!schema_accepts(&schema, page->scenes[i])) print_error("%s", page->scenes[i]);
        assert_true(schema_accepts(&schema, page->scenes[i]));
    }
    schema_forget(&schema);
}

static void run(const StiScene *scene)
{
    StiState *run_state = sti_state_create(scene->network);
    StiScratch *scratch = sti_scratch_create(scene->network);
    assert_int_equal(sti_run(scene->network, NULL, run_state, scratch, scene->steps), STI_OK);
    sti_scratch_destroy(scratch);
    sti_state_destroy(run_state);
}

static int warnings(const StiMessages *messages)
{
    int count = 0;
    for (int i = 0; i < sti_messages_count(messages); ++i)
        count += sti_messages_at(messages, i)->severity != STI_NOTE;
    if (count > 0) print_messages(messages);
    return count;
}

// With all their variants, and without a warning; notes tell where rotors went.
static void examples_run(void **state)
{
    const Page *page = *state;
    for (int i = 0; i < page->count; ++i) {
        StiMessages *messages = messages_of(page->scenes[i], true);
        assert_int_equal(warnings(messages), 0);
        sti_messages_destroy(messages);
        StiScene *scene = good_scene(page->scenes[i]);
        run(scene);
        for (int j = 0; j < scene->variant_count; ++j) {
            StiScene *variant =
                good_scene_with(page->scenes[i],
                                &(StiSceneOptions){.variant = scene->variants[j].name});
            run(variant);
            sti_scene_destroy(variant);
        }
        sti_scene_destroy(scene);
    }
}

int main(void)
{
    Page page = read_page();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(examples_fit_the_schema, &page),
        cmocka_unit_test_prestate(examples_run, &page),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(page.text);
    return failed;
}
