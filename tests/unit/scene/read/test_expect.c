// Expectations, variants and grids as the program finds them.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/scene/scenes.h"

static const char scene_text[] =
    "step: 0.5\n"
    "start: 1\n"
    "stop: 5\n"
    "parameters: {late: 4}\n"
    "bodies: {block: {kind: point, mass: 1}}\n"
    "elements: {rub: {kind: friction, on: block, model: coulomb, level: 1}}\n"
    "expect:\n"
    "  - {what: one, channel: block.v, at: late, value: 0.5, tolerance: 0.25, from: paper}\n"
    "  - {what: two, channel: \"2*block.v\", during: [2, \"late\"], under: 3, from: exact}\n"
    "  - {what: three, channel: block.v, during: [1, 5], measure: range, over: -1, from: "
    "computed}\n"
    "  - {what: four, channel: block.v, against: block.x, during: [1, 5], value: 0, tolerance: 0, "
    "from: chosen}\n"
    "  - {what: five, when: block.v == 0, value: 2, tolerance: 1, from: exact}\n"
    "  - {what: six, when: block.v == 0, after: 2, value: 2, tolerance: 1, from: exact}\n"
    "variants:\n"
    "  more:\n"
    "    set: {rub.level: 7, late: 3, rub.model: \"dahl\", rub.stiffness: 9, stop: 3, record: "
    "[block.x, rub.force]}\n"
    "    expect:\n"
    "      - {what: only, channel: block.x, at: late, value: 1, tolerance: 2, from: exact}\n"
    "  none:\n"
    "    set:\n"
    "      block: {kind: point, mass: \"2*late\"}\n"
    "      rub.table:\n"
    "        - [0, 1]\n"
    "        - - max(1, 2)\n"
    "          - 'a \"b\"'\n"
    "      title: a [b] c\n"
    "grid:\n"
    "  block.velocity: {from: -1, to: \"late\", count: 3}\n"
    "  rub.level: {from: 1, to: 2, count: 1}\n";

static void expectations_are_read(void **state)
{
    (void)state;
    static const StiMeasure measures[] = {STI_MEASURE_AT,   STI_MEASURE_MAXABS, STI_MEASURE_RANGE,
                                          STI_MEASURE_LOOP, STI_MEASURE_WHEN,   STI_MEASURE_WHEN};
    static const StiRelation relations[] = {STI_NEAR, STI_UNDER, STI_OVER,
                                            STI_NEAR, STI_NEAR,  STI_NEAR};
    static const double times[][2] = {{4, 4}, {2, 4}, {1, 5}, {1, 5}, {1, 5}, {2, 5}};
    static const char *const whats[] = {"one", "two", "three", "four", "five", "six"};
    StiScene *scene = good_scene(scene_text);
    assert_int_equal(scene->expectation_count, 6);
    for (int i = 0; i < 6; ++i) {
        const StiExpectation *e = &scene->expectations[i];
        assert_string_equal(e->what, whats[i]);
        assert_int_equal(e->measure, measures[i]);
        assert_int_equal(e->relation, relations[i]);
        assert_true(e->t1 == times[i][0] && e->t2 == times[i][1]);
    }
    const StiExpectation *e = scene->expectations;
    assert_string_equal(e[0].channel, "block.v");
    assert_true(e[0].value == 0.5 && e[0].tolerance == 0.25);
    assert_string_equal(e[0].from, "paper");
    assert_string_equal(e[1].channel, "2*block.v");
    assert_true(e[1].value == 3.0 && e[2].value == -1.0);
    assert_string_equal(e[3].against, "block.x");
    assert_string_equal(e[3].from, "chosen");
    assert_null(e[2].against);
    assert_string_equal(e[4].channel, "block.v == 0");
    sti_scene_destroy(scene);
}

static void every_measure_has_its_word(void **state)
{
    (void)state;
    static const char *const words[] = {"max", "min", "maxabs", "mean", "range", "first", "last"};
    static const StiMeasure measures[] = {STI_MEASURE_MAX,  STI_MEASURE_MIN,   STI_MEASURE_MAXABS,
                                          STI_MEASURE_MEAN, STI_MEASURE_RANGE, STI_MEASURE_FIRST,
                                          STI_MEASURE_LAST};
    for (int i = 0; i < 7; ++i) {
        char text[400];
        snprintf(text, sizeof text,
                 "stop: 1\nbodies: {block: {kind: point, mass: 1}}\n"
                 "expect: [{what: w, channel: block.v, during: [0, 1], measure: %s, value: 0, "
                 "tolerance: 0, from: exact}]\n",
                 words[i]);
        StiScene *scene = good_scene(text);
        assert_int_equal(scene->expectations[0].measure, measures[i]);
        sti_scene_destroy(scene);
    }
}

static void variants_are_listed(void **state)
{
    (void)state;
    static const char *const sets[] = {"rub.level=7",     "late=3", "rub.model=\"dahl\"",
                                       "rub.stiffness=9", "stop=3", "record=[block.x, rub.force]"};
    StiScene *scene = good_scene(scene_text);
    assert_int_equal(scene->variant_count, 2);
    assert_string_equal(scene->variants[0].name, "more");
    assert_int_equal(scene->variants[0].set_count, 6);
    for (int i = 0; i < 6; ++i) assert_string_equal(scene->variants[0].sets[i], sets[i]);
    assert_string_equal(scene->variants[1].sets[0],
                        "block={\"kind\": point, \"mass\": \"2*late\"}");
    assert_string_equal(scene->variants[1].sets[1],
                        "rub.table=[[0, 1], [\"max(1, 2)\", \"a \\\"b\\\"\"]]");
    assert_string_equal(scene->variants[1].sets[2], "title=a [b] c");
    sti_scene_destroy(scene);
}

static void a_variant_is_applied(void **state)
{
    (void)state;
    StiScene *scene = good_scene_with(scene_text, &(StiSceneOptions){.variant = "more"});
    assert_true(parameter(scene, "rub.level") == 7.0 && parameter(scene, "rub.stiffness") == 9.0);
    assert_true(scene->stop == 3.0 && scene->steps == 4);
    assert_int_equal(scene->record_count, 2);
    assert_int_equal(scene->expectation_count, 1);
    assert_string_equal(scene->expectations[0].what, "only");
    assert_true(scene->expectations[0].t1 == 3.0);
    sti_scene_destroy(scene);
}

// The caller's settings come after those of the variant.
static void settings_follow_the_variant(void **state)
{
    (void)state;
    const char *const sets[] = {"rub.level=8", "variants.more.expect=[]"};
    StiScene *scene =
        good_scene_with(scene_text,
                        &(StiSceneOptions){.variant = "more", .sets = sets, .set_count = 2});
    assert_true(parameter(scene, "rub.level") == 8.0);
    assert_int_equal(scene->expectation_count, 0);
    sti_scene_destroy(scene);
}

// A variant without expectations has none: those of the scene are not for it.
static void a_variant_without_expectations(void **state)
{
    (void)state;
    static const char text[] =
        "stop: 1\n"
        "bodies: {block: {kind: point, mass: 1}}\n"
        "expect: [{what: w, channel: block.v, at: 1, value: 0, tolerance: 0, from: exact}]\n"
        "variants: {heavy: {set: {block: {kind: point, mass: 3}}}}\n";
    StiScene *scene = good_scene_with(text, &(StiSceneOptions){.variant = "heavy"});
    assert_int_equal(scene->expectation_count, 0);
    assert_true(parameter(scene, "block.mass") == 3.0);
    sti_scene_destroy(scene);
}

// The written form of what a variant sets means the same as the variant itself.
static void written_sets_mean_the_same(void **state)
{
    (void)state;
    StiScene *scene = good_scene(scene_text);
    for (int i = 0; i < scene->variant_count; ++i) {
        const StiVariant *v = &scene->variants[i];
        if (strcmp(v->name, "none") == 0) continue; // it does not load: a table entry is no number
        StiScene *by_name = good_scene_with(scene_text, &(StiSceneOptions){.variant = v->name});
        const char *sets[16] = {[0] = "expect=[]"};
        for (int j = 0; j < v->set_count; ++j) sets[j + 1] = v->sets[j];
        StiScene *by_sets =
            good_scene_with(scene_text,
                            &(StiSceneOptions){.sets = sets, .set_count = v->set_count + 1});
        assert_true(sti_network_layout(by_name->network) == sti_network_layout(by_sets->network));
        assert_true(parameter(by_name, "rub.level") == parameter(by_sets, "rub.level"));
        sti_scene_destroy(by_name);
        sti_scene_destroy(by_sets);
    }
    sti_scene_destroy(scene);
}

static void grids_are_listed(void **state)
{
    (void)state;
    StiScene *scene = good_scene(scene_text);
    assert_int_equal(scene->grid_count, 2);
    assert_string_equal(scene->grid[0].path, "block.velocity");
    assert_true(scene->grid[0].from == -1.0 && scene->grid[0].to == 4.0);
    assert_int_equal(scene->grid[0].count, 3);
    assert_string_equal(scene->grid[1].path, "rub.level");
    sti_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expectations_are_read),
        cmocka_unit_test(every_measure_has_its_word),
        cmocka_unit_test(variants_are_listed),
        cmocka_unit_test(a_variant_is_applied),
        cmocka_unit_test(settings_follow_the_variant),
        cmocka_unit_test(a_variant_without_expectations),
        cmocka_unit_test(written_sets_mean_the_same),
        cmocka_unit_test(grids_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
