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
    StiEntry model;
    for (int i = 0; sti_registry_at(STI_ROLE_FRICTION, i, &model); ++i) {
        StiScene *scene = scene_of(model.name);
        const PlanElement *element = element_named(scene, "rub");
        const StiInfo *info =
            element->reaction != NULL ? &element->reaction->info : &element->impedance->info;
        assert_ptr_equal(info, model.info);
        assert_true(channel_after(scene, 20, "block.v") < 0.1); // it brakes
        assert_true(sti_network_channel_find(scene->network, "rub.stick") >= 0);
        sti_scene_destroy(scene);
    }
}

static const Key *key_named(const FrictionKeys *all, const char *name)
{
    for (int i = 0; i < all->count; ++i)
        if (strcmp(all->keys[i].name, name) == 0) return &all->keys[i];
    return NULL;
}

// No parameter of any model or law is out of reach of a scene.
static void every_parameter_has_a_key(void **state)
{
    (void)state;
    FrictionKeys all;
    scene_friction_keys(&all);
    assert_true(all.count < SCENE_MOST_FRICTION_KEYS);
    for (int role = STI_ROLE_FRICTION; role <= STI_ROLE_LAW; ++role) {
        StiEntry entry;
        for (int i = 0; sti_registry_at((StiKindRole)role, i, &entry); ++i)
            for (int j = 0; j < entry.field_count; ++j) {
                const StiField *field = &entry.fields[j];
                const Key *key = key_named(&all, field->name);
                if (field->type == STI_FIELD_LAW || strcmp(field->name, SCENE_DIM) == 0) continue;
                assert_non_null(key);
                assert_int_equal(key->type == VALUE_TRUTH, field->type == STI_FIELD_SWITCH);
            }
    }
}

static void keys_say_whose_they_are(void **state)
{
    (void)state;
    char text[512];
    scene_friction_key_users("alpha", text, sizeof text);
    assert_string_equal(text, " (dahl)");
    scene_friction_key_users("eta", text, sizeof text);
    assert_string_equal(text, ", s/m (law gear)");
    scene_friction_key_users("on", text, sizeof text);
    assert_string_equal(text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_word_swaps_the_model),
        cmocka_unit_test(every_parameter_has_a_key),
        cmocka_unit_test(keys_say_whose_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
