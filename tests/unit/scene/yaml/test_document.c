#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "unit/scene/documents.h"
#include "yaml/tree.h"

static void assert_reads(const char *text, const char *tree)
{
    Document document = read_text(text);
    char lines[2000];
    list_messages(document.messages, lines, sizeof lines);
    assert_string_equal(lines, "");
    assert_tree(document.root, tree);
    forget(&document);
}

static void maps_lists_and_text(void **state)
{
    (void)state;
    assert_reads("a: 1\nb: [x, 'y', \"z\"]\nc: {d: {e: []}}\n",
                 "{a: 1, b: [x, 'y', 'z'], c: {d: {e: []}}}");
    assert_reads("a:\n- 1\n- 2\nb: |\n  text\n", "{a: [1, 2], b: 'text\n'}");
    assert_reads("{z: 1, y: 2, x: 3}", "{z: 1, y: 2, x: 3}");
    assert_reads("a:\nb: null\nc: ~\nd: ''\n", "{a: , b: null, c: ~, d: ''}");
    assert_reads("--- # start\na: 1\n...\n", "{a: 1}");
    assert_reads("%YAML 1.1\n---\na: 1\n", "{a: 1}");
    assert_reads("\xef\xbb\xbf"
                 "a: 1",
                 "{a: 1}");
    assert_reads("a: 1\r\nb: 2\r\n", "{a: 1, b: 2}");
    assert_reads("? a\n: 1\n", "{a: 1}");
    assert_reads("\xc3\xa4: \"\\u20ac\"\n", "{\xc3\xa4: '\xe2\x82\xac'}");
    assert_reads("a: !!str 5\nb: !!float 5\nc: ! 5\nd: !!map {}\ne: !!seq []\n",
                 "{a: '5', b: 5, c: 5, d: {}, e: []}");
}

static void every_node_knows_its_place(void **state)
{
    (void)state;
    Document document =
        read_text("title: x\n\nbodies:\n  b\xc3\xa4: {mass: [1, 22]}\n  c:\n    - 3\n");
    const Node *bodies = scene_node_find(document.root, "bodies");
    const Node *mass = scene_node_find(bodies->entries[0].value, "mass");
    const struct {
        Mark mark;
        int line, column;
    } places[] = {
        {document.root->mark, 1, 1},
        {document.root->entries[0].value->mark, 1, 8},
        {document.root->entries[1].mark, 3, 1},
        {bodies->mark, 4, 3},
        {bodies->entries[0].mark, 4, 3},
        {bodies->entries[0].value->mark, 4, 7}, // characters, not bytes
        {mass->mark, 4, 14},
        {mass->items[1]->mark, 4, 18},
        {bodies->entries[1].mark, 5, 3},
        {bodies->entries[1].value->items[0]->mark, 6, 7},
    };
    for (size_t i = 0; i < sizeof places / sizeof places[0]; ++i) {
        assert_string_equal(places[i].mark.file, "scene.yaml");
        assert_int_equal(places[i].mark.line, places[i].line);
        assert_int_equal(places[i].mark.column, places[i].column);
    }
    forget(&document);
}

static void finding(void **state)
{
    (void)state;
    Document document = read_text("a: 1\nb: {a: 2}\nc: [a]\n");
    assert_string_equal(scene_node_find(document.root, "a")->text, "1");
    assert_null(scene_node_find(document.root, "A"));
    assert_null(scene_node_find(scene_node_find(document.root, "c"), "a")); // a list has no keys
    assert_null(scene_node_entry(NULL, "a"));
    assert_int_equal(scene_node_entry(document.root, "b")->mark.line, 2);
    assert_string_equal(scene_node_type(document.root), "a map");
    assert_string_equal(scene_node_type(scene_node_find(document.root, "c")), "a list");
    assert_string_equal(scene_node_type(scene_node_find(document.root, "a")), "text");
    forget(&document);
}

static void aliases_are_copies(void **state)
{
    (void)state;
    assert_reads("a: &x {b: [1, 'two']}\nc: *x\nd: [*x, *x]\n",
                 "{a: {b: [1, 'two']}, c: {b: [1, 'two']}, d: [{b: [1, 'two']}, {b: [1, 'two']}]}");
    assert_reads("a: &x 1\nb: &x 2\nc: *x\n",
                 "{a: 1, b: 2, c: 2}"); // the last anchor of a name counts
    assert_reads("&k key: 1\nb: *k\nc: {*k : 2}\n", "{key: 1, b: key, c: {key: 2}}");
}

static void merging(void **state)
{
    (void)state;
    assert_reads("a: &x {p: 1, q: 2}\nb: {<<: *x}\n", "{a: {p: 1, q: 2}, b: {p: 1, q: 2}}");
    // Its own keys win, wherever they stand; order is that of the file.
    assert_reads("a: &x {p: 1, q: 2}\nb: {r: 0, <<: *x, p: 3}\n",
                 "{a: {p: 1, q: 2}, b: {r: 0, q: 2, p: 3}}");
    assert_reads("a: &x {p: 1, q: 2}\nb: {p: 3, <<: *x}\n", "{a: {p: 1, q: 2}, b: {p: 3, q: 2}}");
    // Of several maps the first wins.
    assert_reads("a: &x {p: 1}\nb: &y {p: 2, q: 3}\nc: {<<: [*x, *y]}\n",
                 "{a: {p: 1}, b: {p: 2, q: 3}, c: {p: 1, q: 3}}");
    // Merging into what is merged, and maps written in place.
    assert_reads("a: &x {p: 1}\nb: &y {<<: *x, q: 2}\nc: {<<: *y, r: 3}\n",
                 "{a: {p: 1}, b: {p: 1, q: 2}, c: {p: 1, q: 2, r: 3}}");
    assert_reads("c: {<<: {p: 1}, q: 2}\nd: {<<: [], q: 1}\n", "{c: {p: 1, q: 2}, d: {q: 1}}");
    assert_reads("c: {'<<': 5}\n", "{c: {<<: 5}}"); // in quotes it is a key like others
}

static void all_mistakes_are_reported(void **state)
{
    (void)state;
    Document document = read_text("a: 1\nb: {c: 1, c: 2}\na: *none\nd: !x 1\na: 3\n? {}\n: 5\n");
    char lines[2000];
    list_messages(document.messages, lines, sizeof lines);
    assert_null(document.root);
    assert_string_equal(
        lines, "scene.yaml:2:11: the key 'c' stands twice in this map: it is at line 2 already\n"
               "scene.yaml:3:1: the key 'a' stands twice in this map: it is at line 1 already\n"
               "scene.yaml:3:4: no anchor '&none' stands before this alias; a text that begins "
               "with '*' must stand in quotes\n"
               "scene.yaml:4:4: the tag '!x' means nothing in a scene: leave it out\n"
               "scene.yaml:5:1: the key 'a' stands twice in this map: it is at line 1 already\n"
               "scene.yaml:6:3: a key must be text, but this is a map\n");
    forget(&document);
}

// Levels of lists that open brackets make, closed again or not.
static char *nested(int levels, bool closed)
{
    char *text = malloc(2 * (size_t)levels + 10);
    assert_non_null(text);
    strcpy(text, "a: ");
    memset(text + 3, '[', (size_t)levels);
    memset(text + 3 + levels, ']', (size_t)levels);
    text[3 + (closed ? 2 : 1) * levels] = '\0';
    return text;
}

static void depth_is_limited(void **state)
{
    (void)state;
    const struct {
        int levels;
        bool closed, good;
    } cases[] = {{63, true, true},
                 {64, true, false},
                 {1000000, true, false},
                 {1000000, false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char *text = nested(cases[i].levels, cases[i].closed);
        Document document = read_text(text);
        assert_int_equal(document.root != NULL, cases[i].good);
        char lines[500];
        list_messages(document.messages, lines, sizeof lines);
        assert_string_equal(lines, cases[i].good
                                       ? ""
                                       : "scene.yaml:1:67: more than 64 levels of maps and "
                                         "lists in each other\n");
        forget(&document);
        free(text);
    }
}

// Aliases count as what they stand for: a few lines cannot become billions of nodes.
static void size_is_limited(void **state)
{
    (void)state;
    char text[2000] = "l0: &l0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 10; ++i) {
        char line[200];
        snprintf(line, sizeof line,
                 "l%d: &l%d [*l%d, *l%d, *l%d, *l%d, *l%d, *l%d, *l%d, *l%d, *l%d, *l%d]\n", i, i,
                 i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
        strcat(text, line);
    }
    Document document = read_text(text);
    assert_null(document.root);
    assert_int_equal(sti_messages_count(document.messages), 1);
    assert_string_equal(sti_messages_at(document.messages, 0)->text,
                        "aliases stand for more than 100000 values");
    forget(&document);
}

// Writes count entries of a pattern with their numbers after a first line.
static char *repeated(const char *first, const char *pattern, int count)
{
    char *text = malloc(strlen(first) + (size_t)count * (strlen(pattern) + 20) + 1);
    assert_non_null(text);
    char *end = text + sprintf(text, "%s", first);
    for (int i = 0; i < count; ++i) end += sprintf(end, pattern, i, i);
    return text;
}

// Large maps, many anchors and many merged keys are read in a moment (no quadratic loops).
static void large_documents_are_read_fast(void **state)
{
    (void)state;
    static const struct {
        const char *first, *pattern;
        int count;
        bool good;
    } cases[] = {
        {"", "k%d: 1\n", 49000, true},          {"", "k%d: &a%d 1\n", 49000, true},
        {"a: &a\n", "  k%d: 1\n", 16000, true}, {"a:\n", "- x%d\n", 99000, true},
        {"a:\n", "- x%d\n", 500000, true},     {"", "# %d\nk: 1\n", 40000, false},
        {"a: [", "*b%d , ", 40000, false},      {"a: &a {}\nb:\n", "- *a # %d\n", 40000, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char *text = repeated(cases[i].first, cases[i].pattern, cases[i].count);
        Document document = read_text(text);
        assert_int_equal(document.root != NULL, cases[i].good);
        forget(&document);
        free(text);
    }
    // All of a large map merged into another one that overrides every key.
    char *base = repeated("a: &a\n", "  k%d: 1\n", 16000),
         *own = repeated("b:\n  <<: *a\n", "  k%d: 2\n", 16000);
    char *text = malloc(strlen(base) + strlen(own) + 1);
    assert_non_null(text);
    sprintf(text, "%s%s", base, own);
    Document document = read_text(text);
    assert_non_null(document.root);
    const Node *b = scene_node_find(document.root, "b");
    assert_int_equal(b->count, 16000);
    assert_string_equal(b->entries[15999].value->text, "2");
    forget(&document);
    free(text);
    free(base);
    free(own);
}

static void check_sizes(const Node *node, int level, int *nodes)
{
    assert_true(level <= SCENE_MOST_LEVELS + 1);
    assert_true(++*nodes <= SCENE_MOST_NODES);
    assert_true(node->mark.line >= 1 && node->mark.column >= 1);
    if (node->type == NODE_SCALAR) {
        assert_non_null(node->text);
        return;
    }
    for (int i = 0; i < node->count; ++i) {
        if (node->type == NODE_MAP) {
            assert_true(node->entries[i].key[0] != '\0');
            assert_ptr_equal(scene_node_entry(node, node->entries[i].key),
                             &node->entries[i]); // unique
        }
        check_sizes(node->type == NODE_MAP ? node->entries[i].value : node->items[i], level + 1,
                    nodes);
    }
}

// Whatever stands in a file: a tree that is sound and no message, or no tree and messages.
static void mutants_never_break_the_reader(void **state)
{
    (void)state;
    Random random = {2024};
    int good = 0;
    for (int i = 0; i < 20000; ++i) {
        char text[4000];
        const char *seed = seeds[random_below(&random, SEEDS)];
        size_t length = strlen(seed);
        memcpy(text, seed, length);
        for (int j = random_below(&random, 4); j >= 0; --j)
            length = mutate(&random, text, length, sizeof text);
        char *exact = malloc(length + 1); // so that a sanitizer sees every byte too far
        memcpy(exact, text, length);
        Document document = read_bytes(exact, length);
        int nodes = 0;
        if (document.root != NULL) check_sizes(document.root, 1, &nodes);
        assert_int_equal(document.root == NULL, sti_messages_error_count(document.messages) > 0);
        good += document.root != NULL;
        for (int j = 0; j < sti_messages_count(document.messages); ++j)
            assert_null(strstr(sti_messages_at(document.messages, j)->text, "not YAML"));
        forget(&document);
        free(exact);
    }
    assert_true(good > 1000 && good < 19000); // both ways are walked
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_lists_and_text),
        cmocka_unit_test(every_node_knows_its_place),
        cmocka_unit_test(finding),
        cmocka_unit_test(aliases_are_copies),
        cmocka_unit_test(merging),
        cmocka_unit_test(all_mistakes_are_reported),
        cmocka_unit_test(depth_is_limited),
        cmocka_unit_test(size_is_limited),
        cmocka_unit_test(large_documents_are_read_fast),
        cmocka_unit_test(mutants_never_break_the_reader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
