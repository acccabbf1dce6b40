// The JSON Schema: the file in docs/ is what the reader's own tables give, and it agrees with
// the reader.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/scene/scenes.h"
#include "support/files.h"
#include "unit/scene/validator.h"

static const char file[] = SOURCE_DIR "/docs/scene.schema.json";

static void the_file_is_in_step(void **state)
{
    (void)state;
    char *made = schema_text(), *kept = file_text(file);
    if (getenv("STI_SCHEMA_UPDATE") != NULL) {
        FILE *stream = fopen(file, "wb");
        assert_non_null(stream);
        fputs(made, stream);
        fclose(stream);
    } else if (kept == NULL || strcmp(made, kept) != 0) {
        print_error(
            "docs/scene.schema.json is not what the reader's tables give. If they were meant to "
            "change,\n"
            "run this test with STI_SCHEMA_UPDATE=1 in the environment: it writes the file.\n");
        fail();
    }
    free(made);
    free(kept);
}

static void it_is_json(void **state)
{
    (void)state;
    char *text = schema_text();
    assert_true(is_json(text));
    free(text);
    static const char *const wrong[] = {"{\"a\": }", "{\"a\": 1,}", "[1 2]",    "\"\\x\"",
                                        "{} {}",     "{'a': 1}",    "\"a\nb\"", "\"open"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i)
        assert_false(is_json(wrong[i])); // the judge itself
}

static void lengths_are_those_of_snprintf(void **state)
{
    (void)state;
    char *text = schema_text(), part[64];
    assert_int_equal(sti_scene_schema(part, sizeof part), strlen(text));
    assert_int_equal(strlen(part), sizeof part - 1);
    assert_memory_equal(part, text, sizeof part - 1);
    free(text);
}

static void scenes_of_the_papers_fit(void **state)
{
    (void)state;
    Schema schema = schema_read();
    glob_t scenes = files_like(SOURCE_DIR "/papers/*/*/*.yaml");
    assert_true(scenes.gl_pathc >= 17);
    for (size_t i = 0; i < scenes.gl_pathc; ++i) {
        char *text = file_needed(scenes.gl_pathv[i]);
        if (!schema_accepts(&schema, text)) print_error("%s does not fit\n", scenes.gl_pathv[i]);
        assert_true(schema_accepts(&schema, text));
        free(text);
    }
    globfree(&scenes);
    schema_forget(&schema);
}

// Wrong in form: the schema sees it. Wrong in meaning: only the reader can.
static void broken_scenes(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool fits;
    } cases[] = {
        {"top-unknown-keys", false}, {"top-missing-keys", false},
        {"top-wrong-types", false},  {"top-words", false},
        {"body-keys", false},        {"body-kinds", false},
        {"element-keys", false},     {"element-kinds", false},
        {"contact-planes", false},   {"shapes-wrong", false},
        {"joint-wrong", false},      {"input-csv-keys", false},
        {"expect-keys", false},      {"variant-keys", false},
        {"grid-wrong", false},       {"friction-models", false},
        {"eight-errors", false},     {"target-between", false},
        {"record-text", false},      {"body-point-unphysical", true},
        {"friction-unused", true},   {"time-stop-off-grid", true},
        {"load-loop", true},         {"name-taken", true},
        {"friction-mu", true},
    };
    Schema schema = schema_read();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char path[200];
        snprintf(path, sizeof path, SOURCE_DIR "/tests/golden/%s.yaml", cases[i].name);
        char *text = file_needed(path);
        if (schema_accepts(&schema, text) != cases[i].fits) print_error("%s\n", path);
        assert_int_equal(schema_accepts(&schema, text), cases[i].fits);
        free(text);
    }
    schema_forget(&schema);
}

// ---- every key of every scene, misspelt ---------------------------------------------------------

typedef struct Misspelling {
    const Schema *schema;
    const char *text;
    int count;
} Misspelling;

static size_t place_of(const char *text, Mark mark)
{
    const char *line = text;
    for (int i = 1; i < mark.line; ++i) line = strchr(line, '\n') + 1;
    return (size_t)(line - text) + (size_t)(mark.column - 1);
}

// Without its kind a component has no keys that could be judged.
static int unknown_keys(const char *text)
{
    static const char *const words[] = {" has no key '", " needs a map with 'kind'"};
    int count = 0;
    StiMessages *messages = sti_messages_create();
    sti_scene_destroy(sti_scene_read(text, strlen(text), "scene.yaml", NULL, messages));
    for (int i = 0; i < 2 * sti_messages_count(messages); ++i)
        count += strstr(sti_messages_at(messages, i / 2)->text, words[i % 2]) != NULL;
    sti_messages_destroy(messages);
    return count;
}

// Reader and schema both reject a key with one letter more.
static void misspell_keys_of(Misspelling *m, const Node *map)
{
    for (int i = 0; map != NULL && i < map->count; ++i) {
        const size_t at = place_of(m->text, map->entries[i].mark) + strlen(map->entries[i].key);
        const size_t size = strlen(m->text) + 2;
        char *text = malloc(size);
        assert_non_null(text);
        snprintf(text, size, "%.*sq%s", (int)at, m->text, m->text + at);
        if (schema_accepts(m->schema, text) || unknown_keys(text) != 1)
            print_error("the key %sq is not seen\n", map->entries[i].key);
        assert_false(schema_accepts(m->schema, text));
        assert_int_equal(unknown_keys(text), 1);
        free(text);
        ++m->count;
    }
}

static void misspell_keys_of_all(Misspelling *m, const Node *names)
{
    for (int i = 0; names != NULL && i < names->count; ++i)
        misspell_keys_of(m, names->entries[i].value);
}

static const char varied[] =
    "title: All that has keys\n"
    "stop: 1\n"
    "step: 1e-3\n"
    "inputs: {push: {csv: push.csv, column: force, time: t, interpolation: hold}}\n"
    "bodies:\n"
    "  point: {kind: point, dimensions: 3, mass: 1, position: [0, 0, 1], velocity: [0, 0, 0]}\n"
    "  rigid: {kind: rigid, mass: 1, inertia: [1, 1, 1], attitude: [1, 0, 0, 0], angular_velocity: "
    "[0, 0, 1]}\n"
    "  solid: {kind: rigid, mass: 1, shape: box, size: [1, 1, 1], shapes: [{kind: sphere, radius: "
    "1, at: [0, 0, 0]}, {kind: capsule, radius: 1, length: 1, attitude: [1, 0, 0, 0]}]}\n"
    "  guided: {kind: guided-block, mass: 1, axis: [1, 0, 0], origin: [0, 0, 0], position: 0, "
    "velocity: 0}\n"
    "  hand: {kind: motion, x: \"t\", v: 1, breaks: [1]}\n"
    "  arm: {kind: robot, links: [{name: upper, joint: turn, parent: world, type: revolute, axis: "
    "[0, 0, 1], at: [0, 0, 0],\n"
    "        attitude: [1, 0, 0, 0], mass: 1, centre: [0, 0, 0], inertia: [1, 1, 1], armature: 0, "
    "limits: [-1, 1]}],\n"
    "        joints: {turn: {position: 0, velocity: 0, armature: 0, limits: [-2, 2]}}}\n"
    "  rods: {kind: robot, chain: {links: 2, length: 1, mass: 1, axis: [0, 1, 0], armature: 1}}\n"
    "elements:\n"
    "  motor: {kind: dc-motor, on: arm.turn, voltage: control, torque_constant: 1, resistance: 1, "
    "gear_ratio: 1,\n"
    "          rated_voltage: 1, rotor_inertia: 1}\n"
    "  control: {kind: pid, on: arm.turn, target: 0, target_rate: 0, kp: 1, ki: 1, kd: 1, limit: "
    "1, integral_limit: 1,\n"
    "            off: 1, period: 1e-3}\n"
    "  servo: {kind: servo, on: rods.joint0, target: 0, torque_constant: 1, resistance: 1, kp: 1, "
    "period: 1e-3}\n"
    "  play: {kind: backlash, between: [arm.turn, guided], gap: 0.01, stiffness: 1}\n"
    "  stop: {kind: joint-limit, on: arm.turn, lower: -1, upper: 1, stiffness: 1, damping: 1}\n"
    "  loss: {kind: gear-loss, on: arm.turn, torque: motor, mu_avg: 0.1, mu_dif: 0.1, presliding: "
    "1}\n"
    "  spring: {kind: spring-damper, on: rigid, at: [0, 0, 0], anchor: [0, 0, 0], stiffness: 1, "
    "damping: 1, rest: [0, 0, 0]}\n"
    "  force: {kind: force, between: [guided, hand], value: 1}\n"
    "  contact: {kind: contact, on: point, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, "
    "stiffness: 1, damping: 1, mu: 0}\n"
    "  hard: {kind: contact, on: rigid, shape: {kind: box, size: [1, 1, 1]}, against: [{plane: "
    "{point: [0, 0, 0]}}, solid, {kind: hull, vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, "
    "1]]}], mu: 0.1, mu_static: 0.2, restitution: 0.5, capacity: 9}\n"
    "  pair: {kind: contact, between: [rigid, solid], shape_a: {kind: point}, shape_b: {kind: "
    "cylinder, radius: 1, length: 1}}\n"
    "  heap: {kind: contact, among: all, exclude: [[solid, guided]], plane: {normal: [0, 0, 1]}}\n"
    "  joint: {kind: penalty-joint, on: solid, frame_a: {position: [0, 0, 0], attitude: [1, 0, 0, "
    "0]}, stiffness: 1,\n"
    "          damping: 1, angular_stiffness: 1, angular_damping: 1}\n"
    "  rub: {kind: friction, on: hand, model: lugre, level: 1, stiffness: 9, damping: 1, viscous: "
    "1, stiff: false}\n"
    "expect:\n"
    "  - {what: rest, channel: guided.v, during: [0, 1], measure: max, value: 0, tolerance: 1, "
    "from: exact}\n"
    "  - {what: rest, when: guided.v > 1, after: 0.5, under: 1, from: paper}\n"
    "variants:\n"
    "  more: {set: {step: 1e-4}, expect: []}\n"
    "grid:\n"
    "  guided.mass: {from: 1, to: 2, count: 3}\n";

static void every_misspelt_key_is_seen(void **state)
{
    (void)state;
    Schema schema = schema_read();
    FILE *csv = fopen("push.csv", "w");
    fputs("t,force\n0,1\n", csv);
    fclose(csv);
    Misspelling m = {.schema = &schema, .text = varied};
    StiArena arena = {0};
    StiMessages *messages = sti_messages_create();
    const Node *root = scene_document_read(varied, strlen(varied), "scene.yaml", &arena, messages);
    assert_true(schema_accepts(&schema, varied));
    assert_int_equal(unknown_keys(varied), 0);
    static const char *const maps_of_maps[] = {"inputs", "bodies", "elements", "variants", "grid"};
    misspell_keys_of(&m, root);
    for (size_t i = 0; i < sizeof maps_of_maps / sizeof maps_of_maps[0]; ++i)
        misspell_keys_of_all(&m, scene_node_find(root, maps_of_maps[i]));
    const Node *elements = scene_node_find(root, "elements"),
               *expect = scene_node_find(root, "expect");
    misspell_keys_of(&m, scene_node_find(scene_node_find(elements, "contact"), "plane"));
    const Node *hard = scene_node_find(elements, "hard"),
               *against = scene_node_find(hard, "against");
    misspell_keys_of(&m, scene_node_find(hard, "shape"));
    misspell_keys_of(&m, scene_node_find(against->items[0], "plane"));
    misspell_keys_of(&m, against->items[2]);
    misspell_keys_of(&m, scene_node_find(scene_node_find(elements, "pair"), "shape_b"));
    misspell_keys_of(&m, scene_node_find(scene_node_find(elements, "joint"), "frame_a"));
    const Node *bodies = scene_node_find(root, "bodies"), *arm = scene_node_find(bodies, "arm");
    misspell_keys_of(&m, scene_node_find(arm, "links")->items[0]);
    misspell_keys_of_all(&m, scene_node_find(arm, "joints"));
    misspell_keys_of(&m, scene_node_find(scene_node_find(bodies, "rods"), "chain"));
    for (int i = 0; i < expect->count; ++i) misspell_keys_of(&m, expect->items[i]);
    assert_int_equal(m.count, 182);
    sti_messages_destroy(messages);
    sti_arena_release(&arena);
    schema_forget(&schema);
    remove("push.csv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_file_is_in_step),
        cmocka_unit_test(it_is_json),
        cmocka_unit_test(lengths_are_those_of_snprintf),
        cmocka_unit_test(scenes_of_the_papers_fit),
        cmocka_unit_test(broken_scenes),
        cmocka_unit_test(every_misspelt_key_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
