#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "unit/scene/documents.h"
#include "yaml/tree.h"

static const char scene[] =
    "step: 1e-3\n"
    "stop: 4\n"
    "gravity: [0, 0, -9]\n"
    "parameters: {pull: 2, every: 1}\n"
    "inputs: {push: \"sin(t)\", wind: {csv: w.csv, column: a}}\n"
    "bodies:\n"
    "  block: {kind: point, mass: 1}\n"
    "  block.left: {kind: point, mass: 2}\n"
    "  record: {kind: point}\n"
    "elements:\n"
    "  friction: {kind: friction, on: block, level: 10, table: [[0, 1], [2, 3]]}\n"
    "  rub: {kind: friction, on: [block, record], level: 1}\n"
    "record: [block.x]\n"
    "grid:\n"
    "  block.velocity: {from: 0, to: 1}\n";

static const Node *at(const Document *document, const char *section, const char *name)
{
    const Node *node = scene_node_find(document->root, section);
    return name != NULL ? scene_node_find(node, name) : node;
}

static void values_are_set(void **state)
{
    (void)state;
    static const struct {
        const char *assignment, *section, *name, *tree;
    } cases[] = {
        {"step=1e-4", "step", NULL, "1e-4"},
        {"title=New words", "title", NULL, "New words"}, // a key the scene did not have
        {"title='4'", "title", NULL, "'4'"},
        {"title=''", "title", NULL, "''"},
        {"title=a=b", "title", NULL, "a=b"}, // the first '=' counts
        {"pull=3", "parameters", "pull", "3"},
        {"push=2*t", "inputs", "push", "2*t"},
        {"wind.column=b", "inputs", "wind", "{csv: w.csv, column: b}"},
        {"friction.level=12", "elements", "friction",
         "{kind: friction, on: block, level: 12, table: [[0, 1], [2, 3]]}"},
        {"friction.level=[1, 2]", "elements", "friction",
         "{kind: friction, on: block, level: [1, 2], table: [[0, 1], [2, 3]]}"},
        {"friction.eps=1", "elements", "friction",
         "{kind: friction, on: block, level: 10, table: [[0, 1], [2, 3]], eps: 1}"},
        {"friction.table.1.0=5", "elements", "friction",
         "{kind: friction, on: block, level: 10, table: [[0, 1], [5, 3]]}"},
        {"friction.plane.normal=[0, 1]", "elements", "friction",
         "{kind: friction, on: block, level: 10, table: [[0, 1], [2, 3]], plane: {normal: [0, "
         "1]}}"},
        {"friction={kind: friction}", "elements", "friction", "{kind: friction}"},
        {"elements.friction={kind: friction}", "elements", "friction", "{kind: friction}"},
        {"gravity.2=-1", "gravity", NULL, "[0, 0, -1]"},
        {"parameters.new=1", "parameters", NULL, "{pull: 2, every: 1, new: 1}"},
        {"variants.a.set=x", "variants", NULL, "{a: {set: x}}"},
        {"block.mass=7", "bodies", "block", "{kind: point, mass: 7}"},
        // The longest name wins: this is the body block.left, not a key of block.
        {"block.left.mass=7", "bodies", "block.left", "{kind: point, mass: 7}"},
        {"block.lef=7", "bodies", "block", "{kind: point, mass: 1, lef: 7}"},
        {"grid.block.velocity.to=5", "grid", NULL, "{block.velocity: {from: 0, to: 5}}"},
        // A body that is called like a top-level key, and a parameter that is.
        {"record.mass=1", "bodies", "record", "{kind: point, mass: 1}"},
        {"record=all", "record", NULL, "all"},
        {"every=3", "every", NULL, "3"},
        {"parameters.every=3", "parameters", "every", "3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        Document document = read_text(scene);
        assert_non_null(document.root);
        const bool set = scene_document_set(document.root, cases[i].assignment, &document.arena,
                                            document.messages);
        if (!set || sti_messages_count(document.messages) > 0)
            print_error("%s\n", cases[i].assignment);
        assert_true(set);
        assert_int_equal(sti_messages_count(document.messages), 0);
        assert_tree(at(&document, cases[i].section, cases[i].name), cases[i].tree);
        forget(&document);
    }
}

static void wrong_assignments_have_helpful_messages(void **state)
{
    (void)state;
    static const struct {
        const char *assignment, *message;
    } cases[] = {
        {"friction.level", "0:0: write path=value, for example friction.level=12"},
        {"=3", "0:0: write path=value, for example friction.level=12"},
        {"", "0:0: write path=value, for example friction.level=12"},
        {"frictoin.level=3", "0:0: the scene has no 'frictoin'; did you mean 'friction'?"},
        {"blok.mass=3", "0:0: the scene has no 'blok'; did you mean 'block'?"},
        {"blok.left.mass=3", "0:0: the scene has no 'blok'; did you mean 'block.left'?"},
        {"pul=3", "0:0: the scene has no 'pul'; did you mean 'pull'?"},
        {"stp=3", "0:0: the scene has no 'stp'; did you mean 'step'?"},
        {"titel=x", "0:0: the scene has no 'titel'; did you mean 'title'?"},
        {"Record=x", "0:0: the scene has no 'Record'; did you mean 'record'?"},
        {"banana.level=3", "0:0: the scene has no 'banana': a path begins with a body, an element, "
                           "an input, a parameter "
                           "or a key of the top level"},
        {"step=", "0:0: there is no value after '=': write step=1 or, for an empty text, step=''"},
        {"step= # 3",
         "0:0: there is no value after '=': write step=1 or, for an empty text, step=''"},
        {"friction.=3",
         "0:0: a name is missing in 'friction.', where two dots meet or one ends it"},
        {"friction..a=3",
         "0:0: a name is missing in 'friction..a', where two dots meet or one ends it"},
        {"friction.table.2=3",
         "0:0: 'friction.table' is a list of 2: its items are named by numbers, the first by 0"},
        {"friction.table.x=3",
         "0:0: 'friction.table' is a list of 2: its items are named by numbers, the first by 0"},
        {"friction.table.99999999999=3",
         "0:0: 'friction.table' is a list of 2: its items are named by numbers, the first by 0"},
        {"friction.level.x=3", "0:0: 'friction.level' is no map: it has no 'x'"},
        {"expect.0.value=3",
         "0:0: the scene does not give 'expect', so it has no item to set: set all of it"},
        {"block.position.0=3",
         "0:0: the scene does not give 'block.position', so it has no item to set: set all of it"},
        {"record.rub.level=3",
         "0:0: this element stands in the scene once, for all its bodies: set rub.level"},
        // The value is YAML; places count within it.
        {"friction.level=[1, 2", "1:1: this bracket is never closed"},
        {"title=a: b: c", "1:5: this is the second ':' of the line: a text that contains \": \" "
                          "must stand in quotes"},
        {"block={mass: 1, mass: 2}",
         "1:11: the key 'mass' stands twice in this map: it is at line 1 already"},
        {"block=*x", "1:1: no anchor '&x' stands before this alias; a text that begins with '*' "
                     "must stand in quotes"},
        {"title=\xff", "1:1: these bytes are not UTF-8, in which scenes are written"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        Document document = read_text(scene);
        char before[4000] = "", after[4000] = "", lines[2000], expected[1000];
        size_t used = 0;
        write_node(document.root, before, sizeof before, &used);
        const bool set = scene_document_set(document.root, cases[i].assignment, &document.arena,
                                            document.messages);
        list_messages(document.messages, lines, sizeof lines);
        snprintf(expected, sizeof expected, "--set %s:%s\n", cases[i].assignment, cases[i].message);
        if (strchr(cases[i].assignment, '\xff') != NULL) *strchr(expected, '\xff') = '?';
        assert_string_equal(lines, expected);
        assert_false(set);
        used = 0; // the scene is as it was
        write_node(document.root, after, sizeof after, &used);
        assert_string_equal(after, before);
        forget(&document);
    }
}

// Values know that they come from the command line; keys of the file keep their place, new ones have
// none.
static void places_of_what_is_set(void **state)
{
    (void)state;
    Document document = read_text(scene);
    assert_true(scene_document_set(document.root, "friction.level=[1, 22]", &document.arena,
                                   document.messages));
    assert_true(
        scene_document_set(document.root, "friction.eps=3", &document.arena, document.messages));
    const Node *friction = at(&document, "elements", "friction");
    const Entry *level = scene_node_entry(friction, "level"),
                *eps = scene_node_entry(friction, "eps");
    assert_string_equal(level->mark.file, "scene.yaml");
    assert_int_equal(level->mark.line, 11);
    assert_string_equal(level->value->items[1]->mark.file, "--set friction.level=[1, 22]");
    assert_int_equal(level->value->items[1]->mark.line, 1);
    assert_int_equal(level->value->items[1]->mark.column, 5);
    assert_string_equal(eps->mark.file, "--set friction.eps=3");
    assert_int_equal(eps->mark.line, 0);
    forget(&document);
}

// As variants do it: the value keeps its place in the file, and so do messages.
static void values_of_the_file_are_assigned(void **state)
{
    (void)state;
    Document document = read_text("bodies: {a: {mass: 1}}\nset: {a.mass: 22, b.mass: 3}\n");
    const Node *set = scene_node_find(document.root, "set");
    const Entry *good = &set->entries[0], *wrong = &set->entries[1];
    assert_true(scene_document_assign(document.root, good->key, good->value, good->mark,
                                      &document.arena, document.messages));
    assert_tree(at(&document, "bodies", "a"), "{mass: 22}");
    assert_int_equal(scene_node_find(at(&document, "bodies", "a"), "mass")->mark.line, 2);
    assert_false(scene_document_assign(document.root, wrong->key, wrong->value, wrong->mark,
                                       &document.arena, document.messages));
    char lines[500];
    list_messages(document.messages, lines, sizeof lines);
    assert_string_equal(lines,
                        "scene.yaml:2:19: the scene has no 'b': a path begins with a body, an "
                        "element, an input, a parameter or a key of the top level\n");
    forget(&document);
}

static void an_alias_is_not_changed_with_its_anchor(void **state)
{
    (void)state;
    Document document = read_text("bodies: {a: &x {mass: 1}, b: *x, c: {<<: *x}}\n");
    scene_document_set(document.root, "a.mass=2", &document.arena, document.messages);
    scene_document_set(document.root, "c.mass=3", &document.arena, document.messages);
    assert_tree(document.root, "{bodies: {a: {mass: 2}, b: {mass: 1}, c: {mass: 3}}}");
    forget(&document);
}

static void sections_that_are_no_maps_do_no_harm(void **state)
{
    (void)state;
    Document document = read_text("bodies: [a, b]\nelements: text\nparameters:\n");
    assert_false(scene_document_set(document.root, "a.mass=2", &document.arena, document.messages));
    assert_false(
        scene_document_set(document.root, "elements.a.mass=2", &document.arena, document.messages));
    assert_false(
        scene_document_set(document.root, "parameters.a=2", &document.arena, document.messages));
    assert_true(
        scene_document_set(document.root, "bodies.1=2", &document.arena, document.messages));
    assert_tree(document.root, "{bodies: [a, 2], elements: text, parameters: }");
    forget(&document);
}

static int depth_of(const Node *node)
{
    int deepest = 0;
    for (int i = 0; node->type != NODE_SCALAR && i < node->count; ++i) {
        const int depth =
            depth_of(node->type == NODE_MAP ? node->entries[i].value : node->items[i]);
        if (depth > deepest) deepest = depth;
    }
    return (node->type != NODE_SCALAR) + deepest;
}

static void depth_stays_limited(void **state)
{
    (void)state;
    Document document = read_text("bodies: {a: {}}\n");
    char deep[20000] = "a", value[200] = "a.k=";
    while (strlen(deep) < sizeof deep - 10) strcat(deep, ".b");
    strcat(deep, "=1");
    assert_false(scene_document_set(document.root, deep, &document.arena, document.messages));
    for (int i = 0; i < 61; ++i) strcat(value, "[");
    for (int i = 0; i < 61; ++i) strcat(value, "]");
    assert_true(
        scene_document_set(document.root, value, &document.arena, document.messages)); // 3 + 61
    assert_int_equal(depth_of(document.root), 64);
    for (int i = 0; i < 100; ++i) { // deeper from step to step
        char path[400] = "a.d";
        for (int j = 0; j < i; ++j) strcat(path, ".d");
        strcat(path, "={}");
        scene_document_set(document.root, path, &document.arena, document.messages);
        assert_true(depth_of(document.root) <= 64);
    }
    forget(&document);
}

// A path and a value from pieces that mostly belong somewhere.
static void random_assignment(Random *random, char *text, size_t size)
{
    static const char *const parts[] = {"friction", "block", "left",   "level",  "table",   "0",
                                        "1",        "step",  "pull",   "record", "gravity", "grid",
                                        "expect",   "",      "bodies", "\xc3"};
    static const char *const values[] = {"=1",       "=",   "=[1, 2]",  "={a: 1}", "=*a",
                                         "='",       "=\"", "=a: b: c", "=\xc3",   "=#",
                                         "=&a [*a]", "",    "=- 1",     "=<<: 3",  "={<<: {a: 1}}"};
    enum { PARTS = sizeof parts / sizeof parts[0], VALUES = sizeof values / sizeof values[0] };
    size_t used = (size_t)snprintf(text, size, "%s", parts[random_below(random, PARTS)]);
    for (int i = random_below(random, 4); i > 0; --i)
        used +=
            (size_t)snprintf(text + used, size - used, ".%s", parts[random_below(random, PARTS)]);
    snprintf(text + used, size - used, "%s", values[random_below(random, VALUES)]);
}

static void mutants_never_break_it(void **state)
{
    (void)state;
    Random random = {99};
    int set_count = 0;
    for (int i = 0; i < 5000; ++i) {
        Document document = read_text(i % 2 == 0 ? scene : seeds[random_below(&random, SEEDS)]);
        for (int j = 0; j < 4; ++j) {
            char assignment[200];
            random_assignment(&random, assignment, sizeof assignment);
            const int before = sti_messages_count(document.messages);
            const bool set =
                scene_document_set(document.root, assignment, &document.arena, document.messages);
            const int after = sti_messages_count(document.messages);
            if (set) assert_int_equal(after, before); // a repeated message is kept once
            set_count += set;
        }
        assert_true(depth_of(document.root) <= SCENE_MOST_LEVELS);
        forget(&document);
    }
    assert_true(set_count > 500 && set_count < 19000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_set),
        cmocka_unit_test(wrong_assignments_have_helpful_messages),
        cmocka_unit_test(places_of_what_is_set),
        cmocka_unit_test(values_of_the_file_are_assigned),
        cmocka_unit_test(an_alias_is_not_changed_with_its_anchor),
        cmocka_unit_test(sections_that_are_no_maps_do_no_harm),
        cmocka_unit_test(depth_stays_limited),
        cmocka_unit_test(mutants_never_break_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
