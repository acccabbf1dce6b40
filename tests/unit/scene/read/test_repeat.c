// What is repeated is what would be written out: the same bits at the end of a run. The judge writes everything out in C.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "stiction/scene.h"
#include "stiction/step.h"
#include "support/random.h"

enum { SIZE = 60000 };

typedef struct Text {
    char text[SIZE];
    size_t used;
} Text;

static void put(Text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(Text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    t->used += (size_t)vsnprintf(t->text + t->used, SIZE - t->used, format, arguments);
    va_end(arguments);
    assert_true(t->used < SIZE);
}

static uint64_t hash_at_end(const char *text, const StiSceneOptions *options)
{
    StiMessages *messages = sti_messages_create();
    StiScene *scene = sti_scene_read(text, strlen(text), "scene.yaml", options, messages);
    if (scene == NULL) fail_msg("%s\n%s", sti_messages_at(messages, 0)->text, text);
    sti_messages_destroy(messages);
    StiState *state = sti_state_create(scene->network);
    StiScratch *scratch = sti_scratch_create(scene->network);
    assert_int_equal(sti_run(scene->network, NULL, state, scratch, scene->steps), STI_OK);
    const uint64_t hash = sti_state_hash(state);
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    sti_scene_destroy(scene);
    return hash;
}

static const char head[] =
    "stop: 0.05\ngravity: [0, 0, -9.81]\nparameters: {n: %d, m: %.17g}\nbodies:\n";

static void write_repeated(Text *t, int n, int first, int links, double m)
{
    put(t, head, n, m);
    put(t,
        "  b{i}: {repeat: {count: n, index: i, from: %d}, kind: point, mass: \"m + 0.1*i*i\", "
        "velocity: \"sin(i)\"}\n",
        first);
    put(t,
        "  arm:\n    kind: robot\n    links:\n"
        "      - {repeat: {count: %d, index: k}, name: \"l{k}\", joint: \"j{2*k}\", at: [\"k > 0 ? "
        "0.2 : 0\", 0, 0], axis: [0, 1, 0], "
        "mass: \"m/(1 + k)\", centre: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01]}\n"
        "    joints: {\"j{2*k}\": {repeat: {count: %d, index: k}, position: "
        "\"0.1*k\"}}\nelements:\n",
        links, links);
    put(t,
        "  s{i}: {repeat: {count: \"n - 1\", from: %d}, kind: spring-damper, between: [\"b{i}\", "
        "\"b{i + 1}\"], stiffness: \"100 + 7*i\"}\n",
        first);
    put(t,
        "  f: {kind: friction, on: [{repeat: {count: n, from: %d}, item: \"b{i}\"}], model: "
        "coulomb, level: [{repeat: n, item: \"0.1 + i\"}]}\n",
        first);
    put(t,
        "  x{i}_{j}: {repeat: [{count: 2}, {count: \"i + 1\", index: j}], kind: force, on: \"b{%d "
        "+ j}\", value: \"(i - j)*cos(t)\"}\n",
        first);
    put(t,
        "  g{k}: {repeat: {count: %d, index: k}, kind: friction, on: \"arm.j{2*k}\", model: "
        "coulomb, level: \"0.01*(k + 1)\"}\n",
        links);
}

static void write_out(Text *t, int n, int first, int links, double m)
{
    put(t, head, n, m);
    for (int i = first; i < first + n; ++i)
        put(t, "  b%d: {kind: point, mass: %.17g, velocity: \"sin(%d)\"}\n", i, m + 0.1 * i * i, i);
    put(t, "  arm:\n    kind: robot\n    links:\n");
    for (int k = 0; k < links; ++k)
        put(t,
            "      - {name: l%d, joint: j%d, at: [%g, 0, 0], axis: [0, 1, 0], mass: %.17g, centre: "
            "[0.1, 0, 0], "
            "inertia: [0.01, 0.01, 0.01]}\n",
            k, 2 * k, k > 0 ? 0.2 : 0.0, m / (1 + k));
    put(t, "    joints: {");
    for (int k = 0; k < links; ++k)
        put(t, "%sj%d: {position: %.17g}", k > 0 ? ", " : "", 2 * k, 0.1 * k);
    put(t, "}\nelements:\n");
    for (int i = first; i < first + n - 1; ++i)
        put(t, "  s%d: {kind: spring-damper, between: [b%d, b%d], stiffness: %d}\n", i, i, i + 1,
            100 + 7 * i);
    for (int i = 0; i < n; ++i)
        put(t, "  b%d.f: {kind: friction, on: b%d, model: coulomb, level: %.17g}\n", first + i,
            first + i, 0.1 + i);
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < i + 1; ++j)
            put(t, "  x%d_%d: {kind: force, on: b%d, value: \"%d*cos(t)\"}\n", i, j, first + j,
                i - j);
    for (int k = 0; k < links; ++k)
        put(t, "  g%d: {kind: friction, on: arm.j%d, model: coulomb, level: %.17g}\n", k, 2 * k,
            0.01 * (k + 1));
}

static void repeated_is_written_out(void **state)
{
    (void)state;
    static Text repeated, out;
    for (int seed = 0; seed < 12; ++seed) {
        Random random = {(uint64_t)seed};
        const int n = 3 + random_below(&random, 10), first = random_below(&random, 4),
                  links = 1 + random_below(&random, 4);
        const double m = random_between(&random, 0.5, 2.0);
        repeated = out = (Text){0};
        write_repeated(&repeated, n, first, links, m);
        write_out(&out, n, first, links, m);
        if (hash_at_end(repeated.text, NULL) != hash_at_end(out.text, NULL))
            fail_msg("seed %d\n%s\n%s", seed, repeated.text, out.text);
    }
}

// Parameters count before things are repeated, single parts after.
static void settings_reach_counts_and_parts(void **state)
{
    (void)state;
    static const char repeated[] = "stop: 0.05\nparameters: {n: 2}\nbodies:\n"
                                   "  b{i}: {repeat: n, kind: point, mass: 1, velocity: \"i\"}\n"
                                   "variants: {four: {set: {n: 4, b3.mass: 3}}}\n";
    static const char out[] =
        "stop: 0.05\nparameters: {n: 4}\nbodies:\n  b0: {kind: point, mass: 1, velocity: 0}\n"
        "  b1: {kind: point, mass: 5, velocity: 1}\n  b2: {kind: point, mass: 1, velocity: 2}\n"
        "  b3: {kind: point, mass: 3, velocity: 3}\n";
    static const char *const sets[] = {"n=4", "b3.mass=3", "b1.mass=5"},
                             *const one[] = {"b1.mass=5"},
                             *const all[] = {"b{i}.mass=3", "b{i}.repeat=4", "b1.mass=5",
                                             "b0.mass=1", "b2.mass=1"};
    const uint64_t right = hash_at_end(out, NULL);
    assert_true(hash_at_end(repeated, &(StiSceneOptions){.sets = sets, .set_count = 3}) == right);
    assert_true(
        hash_at_end(repeated, &(StiSceneOptions){.variant = "four", .sets = one, .set_count = 1}) ==
        right);
    assert_true(hash_at_end(repeated, &(StiSceneOptions){.sets = all, .set_count = 5}) == right);
    assert_false(hash_at_end(repeated, NULL) == right);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repeated_is_written_out),
        cmocka_unit_test(settings_reach_counts_and_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
