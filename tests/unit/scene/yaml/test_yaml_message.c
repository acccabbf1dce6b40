#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/scene/documents.h"

// What people get to read. Each line begins with its place.
static void broken_inputs_have_helpful_messages(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "1:1: there is nothing in this file: a scene has at least \"stop\" and \"bodies\""},
        {"# nothing\n",
         "1:1: there is nothing in this file: a scene has at least \"stop\" and \"bodies\""},
        {"---\n...\n",
         "1:1: there is nothing in this file: a scene has at least \"stop\" and \"bodies\""},
        {"- a\n- b\n",
         "1:1: a scene is a map of keys such as \"stop: 4\" and \"bodies:\", but this is a list"},
        {"just words\n",
         "1:1: a scene is a map of keys such as \"stop: 4\" and \"bodies:\", but this is text"},
        {"a: 1\nb: \xff\n", "2:4: these bytes are not UTF-8, in which scenes are written"},
        {"a: 1\r\nb: \xc3\xa4\xe2\x82\n",
         "2:5: these bytes are not UTF-8, in which scenes are written"},
        {"\xff\xfe"
         "a",
         "1:1: this looks like UTF-16: save the file as UTF-8"},
        {"a: \x1b[31m\n", "1:4: the character U+001B cannot stand in a text file: remove it"},
        {"bodies:\n\tblock: 1\n", "2:1: a tab cannot indent a line: use spaces"},
        {"bodies:\n  a: 1\n\tb: 2\n", "3:1: a tab cannot indent a line: use spaces"},
        {"stop: 4\nstep 1e-3\nbodies: {}\n", "2:1: a ':' is missing after this key: write \"key: "
                                             "value\", with a space after the colon"},
        {"stop: 4\nstep:1e-3\nbodies: {}\n", "2:1: a ':' is missing after this key: write \"key: "
                                             "value\", with a space after the colon"},
        {"record:\n- a\n-b\n", "3:1: a space is missing after this '-'"},
        {"stop 4\nstep: 1e-3\n", "2:5: this ':' is not expected here: the line above lacks its "
                                 "':', or this line is indented "
                                 "below a key that has a value already"},
        {"stop: 4\n  step: 1\n", "2:7: this ':' is not expected here: the line above lacks its "
                                 "':', or this line is indented "
                                 "below a key that has a value already"},
        {"title: drag: a study\n", "1:12: this is the second ':' of the line: a text that contains "
                                   "\": \" must stand in quotes"},
        {"record: [block.x, block.v\nexpect:\n  - 1\n",
         "2:7: a ',' or a ']' is missing: the '[' at line 1, column 9 is still open here"},
        {"bodies:\n  a: {mass: 1, kind: point\n  b: {mass: 2}\n",
         "3:4: a ',' or a '}' is missing: the '{' at line 2, column 6 is still open here"},
        {"stop: 4\nrecord: [block.x, block.v\n", "2:9: this bracket is never closed"},
        {"stop: 4\nblock: {mass: 1\n", "2:8: this bracket is never closed"},
        {"title: \"abc\nstop: 4\n", "1:8: this quote is never closed"},
        {"title: 'abc\nstop: 4\n", "1:8: this quote is never closed"},
        {"title: 'abc\n---\nstop: 4\n", "1:8: this quote is not closed before the document ends"},
        {"title: 'it's'\n",
         "1:12: nothing may follow a value in quotes or brackets; within single quotes a quote is "
         "written twice"},
        {"gravity: [0, 0] 1\n",
         "1:17: nothing may follow a value in quotes or brackets; within single quotes a quote is "
         "written twice"},
        {"bodies:\n  a: 1\n b: 2\n", "3:2: the indentation of this line fits no line above: keys "
                                     "of one map start in the same column"},
        {"  a: 1\nb: 2\n", "2:1: this does not belong to the map above: keys of one map start in "
                           "the same column, and "
                           "nothing may follow a closing bracket"},
        {"a:\n  - 1\n - 2\n",
         "3:2: this item belongs to no list: items of one list start in the same column"},
        {"a:\n  - 1\n  b: 2\n", "3:3: a \"- \" is expected here: the list that begins at line 2 "
                                "has its items in column 3"},
        {"a: - 1\n",
         "1:4: a list cannot begin here: put its first \"- \" on the next line, or write [a, b]"},
        {"a: ]\n", "1:4: this ']' closes nothing: no such bracket is open"},
        {"a: {b: 1}}\n", "1:10: this '}' closes nothing: no such bracket is open"},
        {"a: [1, , 2]\n", "1:8: a value is missing before this ','"},
        {"a: {b:[1]}\n", "1:6: a space is missing after the ':' of this key"},
        {"a: @x\n", "1:4: a text that begins with '@' must stand in quotes"},
        {"a: %x\n", "1:4: a text that begins with '%' must stand in quotes"},
        {"record: [*.x]\n", "1:10: a text that begins with '*' or '&' must stand in quotes"},
        {"record: [*block]\n", "1:10: no anchor '&block' stands before this alias; a text that "
                               "begins with '*' must stand in quotes"},
        {"a: &x [1, *x]\n",
         "1:11: the alias '*x' stands inside of what it names: that would have no end"},
        {"a: &x {b: {c: *x}}\n",
         "1:15: the alias '*x' stands inside of what it names: that would have no end"},
        {"a: !point {}\n", "1:4: the tag '!point' means nothing in a scene: leave it out"},
        {"a: !!python/object:os.x {}\n", "1:4: the tag 'tag:yaml.org,2002:python/object:os.x' "
                                         "means nothing in a scene: leave it out"},
        {"a: !x!y 1\n", "1:4: a text that begins with '!' must stand in quotes"},
        {"%FOO\n---\na: 1\n", "1:1: a line that begins with '%' is a directive of YAML; a scene "
                              "needs none: leave it out"},
        {"a: 1\n---\nb: 2\n",
         "2:1: a second document begins here: a scene is one, so put the rest into another file"},
        {"a: \"c:\\data\"\n", "1:7: this is no escape sequence of double quotes: write \\\\ for a "
                              "backslash or use single quotes"},
        {"a: \"b\\0c\"\n", "1:4: this text contains the character \\0"},
        {"a: | text\n  more\n", "1:4: after '|' or '>' the text begins on the next line, indented"},
        {": 5\n", "1:1: a key is missing before this ':'"},
        {"{a: 1, : 2}\n", "1:8: a key is missing before this ':'"},
        {"'': 5\n", "1:1: a key is missing before this ':'"},
        {"? [a]\n: 5\n", "1:3: a key must be text, but this is a list"},
        {"a: {<<: 5}\n", "1:9: '<<' takes over the keys of another map: write an alias of a map or "
                         "a list of such aliases"},
        {"x: &x {}\na:\n  <<: *x\n  <<: *x\n",
         "4:3: the key '<<' stands twice in this map: write one list of aliases at line 3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        Document document = read_text(cases[i].text);
        char lines[2000], expected[600];
        snprintf(expected, sizeof expected, "scene.yaml:%s\n", cases[i].message);
        list_messages(document.messages, lines, sizeof lines);
        assert_null(document.root);
        if (strcmp(lines, expected) != 0) print_error("from:\n%s\n", cases[i].text);
        assert_string_equal(lines, expected);
        forget(&document);
    }
}

static void zero_bytes_are_found(void **state)
{
    (void)state;
    Document document = read_bytes("a: 1\nb: \0\n", 10);
    char lines[500];
    list_messages(document.messages, lines, sizeof lines);
    assert_string_equal(
        lines, "scene.yaml:2:4: the character U+0000 cannot stand in a text file: remove it\n");
    forget(&document);
    document = read_bytes("a\0:\0 \0", 6);
    list_messages(document.messages, lines, sizeof lines);
    assert_string_equal(lines, "scene.yaml:1:2: this looks like UTF-16: save the file as UTF-8\n");
    forget(&document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_inputs_have_helpful_messages),
        cmocka_unit_test(zero_bytes_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
