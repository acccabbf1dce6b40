// The words for friction models: one common scene takes them all, and they tell the truth.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/scene/scenes.h"
#include "unit/scene/plans.h"
#include "read/models.h"

// All keys that any model needs.
static const char common[] =
    "stop: 1\n"
    "bodies: {block: {kind: point, mass: 1, velocity: 0.1}}\n"
    "elements:\n"
    "  rub: {kind: friction, on: block, model: coulomb, level: 3, stiffness: 1000,\n"
    "        damping: 5, eps: 0.01, rate: 100, breakaway: 0.5, mass: 0.1}\n";

static StiScene *scene_of(const char *model)
{
    char set[64];
    snprintf(set, sizeof set, "rub.model=%s", model);
    const char *const sets[] = {set};
    return good_scene_with(common, &(StiSceneOptions){.sets = sets, .set_count = 1});
}

static void one_word_swaps_the_model(void **state)
{
    (void)state;
    int count;
    const StiWord *models = sti_scene_models(&count);
    assert_int_equal(count, 13);
    for (int i = 0; i < count; ++i) {
        StiScene *scene = scene_of(models[i].name);
        const PlanElement *element = element_named(scene, "rub");
        const StiInfo *info =
            element->reaction != NULL ? &element->reaction->info : &element->impedance->info;
        assert_ptr_equal(info, models[i].info);
        assert_true(channel_after(scene, 20, "block.v") < 0.1); // it brakes
        assert_true(sti_network_channel_find(scene->network, "rub.stick") >= 0);
        sti_scene_destroy(scene);
    }
}

static void words_tell_what_the_kinds_claim(void **state)
{
    (void)state;
    int count;
    const StiWord *models = sti_scene_models(&count);
    for (int i = 0; i < count; ++i) {
        const Model *model = scene_model_named(models[i].name);
        assert_non_null(model);
        assert_true((model->impedance == NULL) != (model->reaction == NULL));
        assert_int_equal(models[i].reaction, model->reaction != NULL);
        assert_int_equal(models[i].holds, model->reaction != NULL ? model->reaction->holds
                                                                  : model->impedance->holds);
        assert_true(models[i].summary[0] != '\0');
    }
    assert_null(scene_model_named("columb"));
}

// The key "model" lists exactly the words, in their order; its list feeds the schema.
static void the_key_lists_all_models(void **state)
{
    (void)state;
    int key_count, count;
    const Key *keys = scene_friction_keys(&key_count);
    const StiWord *models = sti_scene_models(&count);
    for (int i = 0; i < key_count; ++i) {
        if (strcmp(keys[i].name, "model") != 0) continue;
        for (int j = 0; j < count; ++j) assert_string_equal(keys[i].words[j], models[j].name);
        assert_null(keys[i].words[count]);
        return;
    }
    fail();
}

static bool is_key(const Key *keys, int count, const char *name)
{
    for (int i = 0; i < count; ++i)
        if (strcmp(keys[i].name, name) == 0) return true;
    return false;
}

// No parameter of any model or law is out of reach of a scene.
static void every_parameter_has_a_key(void **state)
{
    (void)state;
    int count, key_count;
    const StiWord *models = sti_scene_models(&count);
    const Key *keys = scene_friction_keys(&key_count);
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < models[i].info->field_count; ++j) {
            const StiField *field = &models[i].info->fields[j];
            if (field->type != STI_FIELD_LAW) assert_true(is_key(keys, key_count, field->name));
        }
    static const StiLawKind *const laws[] = {&sti_law_kind_coulomb,  &sti_law_kind_viscous,
                                             &sti_law_kind_stribeck, &sti_law_kind_gear,
                                             &sti_law_kind_tanh,     &sti_law_kind_directional};
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; ++i)
        for (int j = 0; j < laws[i]->field_count; ++j)
            assert_true(is_key(keys, key_count, laws[i]->fields[j].name));
}

static void the_words_are_the_librarys_solvers(void **state)
{
    (void)state;
    int count;
    const StiWord *solvers = sti_scene_solvers(&count);
    assert_true(count > 0);
    assert_null(sti_solver_at(count));
    for (int i = 0; i < count; ++i) {
        assert_string_equal(solvers[i].name, sti_solver_name(sti_solver_at(i)));
        assert_string_equal(solvers[i].summary, sti_solver_summary(sti_solver_at(i)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_word_swaps_the_model),
        cmocka_unit_test(words_tell_what_the_kinds_claim),
        cmocka_unit_test(the_key_lists_all_models),
        cmocka_unit_test(every_parameter_has_a_key),
        cmocka_unit_test(the_words_are_the_librarys_solvers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
