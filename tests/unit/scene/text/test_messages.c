#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "text/messages.h"
#include "support/random.h"

static void none_at_first(void **state)
{
    (void)state;
    StiMessages *messages = sti_messages_create();
    assert_int_equal(sti_messages_count(messages), 0);
    assert_int_equal(sti_messages_error_count(messages), 0);
    assert_null(sti_messages_at(messages, 0));
    assert_null(sti_messages_at(messages, -1));
    sti_messages_destroy(messages);
    sti_messages_destroy(NULL);
    scene_message(NULL, STI_ERROR, (Mark){"a", 1, 1}, "dropped");
}

static void texts_are_copied_and_formatted(void **state)
{
    (void)state;
    StiMessages *messages = sti_messages_create();
    char file[] = "scene.yaml", word[] = "mass";
    scene_message(messages, STI_WARNING, (Mark){file, 3, 7}, "%s = %d", word, -1);
    file[0] = word[0] = 'X';
    const StiMessage *message = sti_messages_at(messages, 0);
    assert_int_equal(message->severity, STI_WARNING);
    assert_string_equal(message->file, "scene.yaml");
    assert_int_equal(message->line, 3);
    assert_int_equal(message->column, 7);
    assert_string_equal(message->text, "mass = -1");
    sti_messages_destroy(messages);
}

static void only_errors_count_as_errors(void **state)
{
    (void)state;
    StiMessages *messages = sti_messages_create();
    const StiSeverity severities[] = {STI_NOTE, STI_ERROR, STI_WARNING, STI_ERROR, STI_NOTE};
    for (int i = 0; i < 5; ++i) scene_message(messages, severities[i], (Mark){"a", i, 0}, "text");
    assert_int_equal(sti_messages_count(messages), 5);
    assert_int_equal(sti_messages_error_count(messages), 2);
    sti_messages_destroy(messages);
}

static int compare(const StiMessage *a, const StiMessage *b)
{
    const int files = strcmp(a->file, b->file);
    if (files != 0) return files;
    return a->line != b->line ? a->line - b->line : a->column - b->column;
}

// By place; those of one place in the order in which they came.
static void messages_are_in_order_of_place(void **state)
{
    (void)state;
    static const char *const files[] = {"--set a=1", "scene.yaml", "zone.yaml"};
    Random random = {7};
    for (int round = 0; round < 50; ++round) {
        StiMessages *messages = sti_messages_create();
        for (int i = 0; i < 60; ++i) {
            const Mark mark = {files[random_below(&random, 3)], random_below(&random, 5),
                               random_below(&random, 4)};
            scene_message(messages, STI_ERROR, mark, "%02d", i);
        }
        assert_int_equal(sti_messages_count(messages), 60);
        for (int i = 1; i < 60; ++i) {
            const StiMessage *a = sti_messages_at(messages, i - 1),
                             *b = sti_messages_at(messages, i);
            assert_true(compare(a, b) <= 0);
            if (compare(a, b) == 0) assert_true(strcmp(a->text, b->text) < 0);
        }
        sti_messages_destroy(messages);
    }
}

// An alias makes a reader meet one mistake twice.
static void the_same_message_is_kept_once(void **state)
{
    (void)state;
    StiMessages *messages = sti_messages_create();
    const Mark mark = {"scene.yaml", 2, 3};
    scene_message(messages, STI_ERROR, mark, "one");
    scene_message(messages, STI_ERROR, mark, "two");
    scene_message(messages, STI_ERROR, mark, "one");
    scene_message(messages, STI_WARNING, mark, "one");
    scene_message(messages, STI_ERROR, (Mark){"scene.yaml", 2, 4}, "one");
    assert_int_equal(sti_messages_count(messages), 4);
    assert_int_equal(sti_messages_error_count(messages), 3);
    sti_messages_destroy(messages);
}

static void nothing_in_a_message_steers_a_terminal(void **state)
{
    (void)state;
    StiMessages *messages = sti_messages_create();
    scene_message(messages, STI_NOTE, (Mark){"a\x1b[2J\n.yaml", 1, 1},
                  "x\r\ny \x7f \xc2\x9b"
                  "1m \xff\xc3( \xc3\xa4");
    const StiMessage *message = sti_messages_at(messages, 0);
    assert_string_equal(message->file, "a [2J .yaml");
    assert_string_equal(message->text, "x  y   ??1m ?"
                                       "?( \xc3\xa4");
    sti_messages_destroy(messages);
}

static void long_texts_are_cut_between_characters(void **state)
{
    (void)state;
    for (size_t ascii = 0; ascii < 4; ++ascii) { // the cut falls on every byte of a character
        char text[2000] = "abc";
        text[ascii] = '\0';
        while (strlen(text) < 1500) strcat(text, "\xe2\x82\xac");
        StiMessages *messages = sti_messages_create();
        scene_message(messages, STI_NOTE, (Mark){"a", 1, 1}, "%s", text);
        const char *kept = sti_messages_at(messages, 0)->text;
        const size_t length = strlen(kept);
        assert_true(length > 500 && length < 512);
        assert_string_equal(kept + length - 3, "...");
        assert_memory_equal(kept, text, length - 3);
        assert_int_equal((length - 3 - ascii) % 3, 0);
        sti_messages_destroy(messages);
    }
}

static void a_missing_file_name_is_empty(void **state)
{
    (void)state;
    StiMessages *messages = sti_messages_create();
    scene_message(messages, STI_NOTE, (Mark){NULL, 0, 0}, "text");
    assert_string_equal(sti_messages_at(messages, 0)->file, "");
    sti_messages_destroy(messages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_at_first),
        cmocka_unit_test(texts_are_copied_and_formatted),
        cmocka_unit_test(only_errors_count_as_errors),
        cmocka_unit_test(messages_are_in_order_of_place),
        cmocka_unit_test(the_same_message_is_kept_once),
        cmocka_unit_test(nothing_in_a_message_steers_a_terminal),
        cmocka_unit_test(long_texts_are_cut_between_characters),
        cmocka_unit_test(a_missing_file_name_is_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
