// The leaves of a scene: what counts as a number, a vector, a whole number, a truth value, a word.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/scene/documents.h"
#include "read/reader.h"
#include "support/near.h"

// A reader without a scene, for the value under the key v.
typedef struct Leaf {
    Document document;
    Reader reader;
    const Node *node;
} Leaf;

static Leaf leaf(const char *value)
{
    char text[5000];
    snprintf(text, sizeof text, "parameters: {two: 2}\nv: %s\n", value);
    Leaf l = {.document = read_text(text)};
    assert_non_null(l.document.root);
    l.node = scene_node_find(l.document.root, "v");
    return l;
}

// Here, because the reader points into the leaf.
static void begin(Leaf *l)
{
    l->reader = (Reader){.arena = &l->document.arena,
                         .messages = l->document.messages,
                         .root = l->document.root};
    assert_true(scene_read_parameters(&l->reader));
}

static void assert_said(const Leaf *l, const char *text)
{
    assert_int_equal(sti_messages_count(l->document.messages), text != NULL);
    if (text != NULL) assert_string_equal(sti_messages_at(l->document.messages, 0)->text, text);
}

static void numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {{"1", 1},     {"-1.5e-3", -1.5e-3}, {"+.5", 0.5},  {"\"3\"", 3},
                 {"'two'", 2}, {"two^2 + 1", 5},     {"1e-400", 0}, {"pi", 3.14159265358979323846},
                 {"007", 7},   {"\"1 ? 8 : 9\"", 8}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        Leaf l = leaf(cases[i].text);
        double value = NAN;
        begin(&l);
        assert_true(scene_number(&l.reader, l.node, "v", &value));
        assert_near(value, cases[i].value, 0.0);
        assert_said(&l, NULL);
        forget(&l.document);
    }
}

static void vectors(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int least, most, count; // 0: wrong
        const char *said;
    } cases[] = {
        {"3", 1, 3, 1, NULL},
        {"[1, 2]", 1, 3, 2, NULL},
        {"[1, 2, two]", 3, 3, 3, NULL},
        {"3", 2, 2, 0, "v must be a list of 2 numbers, not 1"},
        {"[]", 1, 3, 0, "v must be a list of 1 to 3 numbers, not 0"},
        {"[1, 2]", 1, 1, 0, "v must be one number, not 2"},
        {"{x: 1}", 1, 3, 0, "v must be a list of 1 to 3 numbers, not a map"},
        {"[1, [2]]", 1, 3, 0, "v must be a number, not a list"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        Leaf l = leaf(cases[i].text);
        double values[3];
        int count = 0;
        begin(&l);
        const bool good =
            scene_vector(&l.reader, l.node, "v", cases[i].least, cases[i].most, values, &count);
        assert_int_equal(good, cases[i].said == NULL);
        if (good) assert_int_equal(count, cases[i].count);
        assert_said(&l, cases[i].said);
        forget(&l.document);
    }
}

static void whole_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int value; // -1: wrong
        const char *said;
    } cases[] = {
        {"0", 0, NULL},
        {"5", 5, NULL},
        {"\"2*two\"", 4, NULL},
        {"6", -1, "v must be a whole number from 0 to 5, not 6"},
        {"-1", -1, "v must be a whole number from 0 to 5, not -1"},
        {"2.5", -1, "v must be a whole number from 0 to 5, not 2.5"},
        {"1e300", -1, "v must be a whole number from 0 to 5, not 1e+300"},
        {"[1]", -1, "v must be a number, not a list"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        Leaf l = leaf(cases[i].text);
        int value = -1;
        begin(&l);
        assert_int_equal(scene_count(&l.reader, l.node, "v", 0, 5, &value), cases[i].said == NULL);
        assert_int_equal(value, cases[i].value);
        assert_said(&l, cases[i].said);
        forget(&l.document);
    }
}

static void truths(void **state)
{
    (void)state;
    static const char *const texts[] = {"true", "false", "yes", "1", "True", "[true]", ""};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        Leaf l = leaf(texts[i]);
        bool value = i != 0;
        begin(&l);
        assert_int_equal(scene_truth(&l.reader, l.node, "v", &value), i < 2);
        if (i < 2) assert_int_equal(value, i == 0);
        assert_said(&l, i < 2 ? NULL : "v must be true or false");
        forget(&l.document);
    }
}

static void words(void **state)
{
    (void)state;
    static const char *const known[] = {"sphere", "box", "point", NULL};
    static const struct {
        const char *text;
        int word;
        const char *said;
    } cases[] = {
        {"sphere", 0, NULL},
        {"'point'", 2, NULL},
        {"spere", -1, "there is no shape 'spere'; did you mean 'sphere'?"},
        {"cylinder", -1, "there is no shape 'cylinder'; it must be sphere, box or point"},
        {"[box]", -1, "shape must be text, not a list"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        Leaf l = leaf(cases[i].text);
        begin(&l);
        assert_int_equal(scene_word(&l.reader, l.node, "shape", known), cases[i].word);
        assert_said(&l, cases[i].said);
        forget(&l.document);
    }
}

static void keys(void **state)
{
    (void)state;
    static const Key known[] = {{"mass", VALUE_NUMBER, true, "kg", NULL},
                                {"radius", VALUE_NUMBER, false, "m", NULL}};
    Leaf l = leaf("{radius: 1, mas: 2, colour: red}");
    begin(&l);
    assert_false(scene_check_keys(&l.reader, l.node, "a ball", known, 2));
    assert_int_equal(sti_messages_count(l.document.messages), 3);
    assert_string_equal(sti_messages_at(l.document.messages, 0)->text, "a ball needs 'mass': kg");
    assert_string_equal(sti_messages_at(l.document.messages, 1)->text,
                        "a ball has no key 'mas'; did you mean 'mass'?");
    assert_string_equal(sti_messages_at(l.document.messages, 2)->text,
                        "a ball has no key 'colour'");
    assert_int_equal(sti_messages_at(l.document.messages, 1)->column, 16);
    forget(&l.document);
}

// Optional keys leave what is there alone.
static void optional_keys(void **state)
{
    (void)state;
    Leaf l = leaf("{a: 1, b: [2, 3], c: x}");
    double a = 9, b[2] = {9, 9}, other = 9;
    begin(&l);
    assert_true(scene_number_at(&l.reader, l.node, "a", &a) && a == 1.0);
    assert_true(scene_vector_at(&l.reader, l.node, "b", 2, 2, b) && b[1] == 3.0);
    assert_true(scene_number_at(&l.reader, l.node, "d", &other) && other == 9.0);
    assert_true(scene_vector_at(&l.reader, l.node, "d", 2, 2, &other) && other == 9.0);
    assert_said(&l, NULL);
    assert_false(scene_number_at(&l.reader, l.node, "c", &other));
    forget(&l.document);
}

// Messages quote what stands in the file, but not without end.
static void long_texts_are_cut(void **state)
{
    (void)state;
    char text[4000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    Leaf l = leaf(text);
    double value;
    begin(&l);
    assert_false(scene_number(&l.reader, l.node, "v", &value));
    const char *said = sti_messages_at(l.document.messages, 0)->text;
    assert_true(strlen(said) < 600);
    assert_string_equal(said + strlen(said) - 3, "...");
    forget(&l.document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),       cmocka_unit_test(vectors),
        cmocka_unit_test(whole_numbers), cmocka_unit_test(truths),
        cmocka_unit_test(words),         cmocka_unit_test(keys),
        cmocka_unit_test(optional_keys), cmocka_unit_test(long_texts_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
