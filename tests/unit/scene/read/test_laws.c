// Laws: which one the keys ask for, and where its numbers go.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "stiction/registry.h"
#include "unit/scene/scenes.h"
#include "unit/scene/plans.h"

static StiScene *scene_with(const char *keys)
{
    char text[1000];
    snprintf(text, sizeof text,
             "stop: 1\n"
             "bodies: {block: {kind: point, mass: 1}}\n"
             "elements: {rub: {kind: friction, on: block, %s}}\n",
             keys);
    return good_scene(text);
}

static void keys_ask_for_laws(void **state)
{
    (void)state;
    static const struct {
        const char *keys;
        const StiLawKind *kind;
    } cases[] = {
        {"model: coulomb, level: 3", &sti_law_kind_coulomb},
        {"model: coulomb, level: 3, static: 4",
         &sti_law_kind_coulomb}, // the model's own static level
        {"model: coulomb, level: 3, viscous: 4", &sti_law_kind_viscous},
        {"model: coulomb, level: 3, stribeck_speed: 0.1", &sti_law_kind_stribeck},
        {"model: coulomb, level: 3, stribeck_speed: 0.1, viscous: 4", &sti_law_kind_stribeck},
        {"model: coulomb, level: 3, eta: 10, viscous: 4", &sti_law_kind_gear},
        {"model: coulomb, level: 3, level_backward: 4", &sti_law_kind_directional},
        {"model: coulomb, level: 3, viscous_backward: 4", &sti_law_kind_directional},
        {"model: coulomb, table: [[0, 3], [1, 2]]", &sti_law_kind_table},
        {"model: coulomb, level: 3, law: tanh", &sti_law_kind_tanh},
        {"model: coulomb, level: 3, viscous: 4, law: coulomb", &sti_law_kind_coulomb},
        {"model: lugre, stiffness: 100, level: 3, viscous: 4", &sti_law_kind_coulomb}, // sigma2
        {"model: lugre, stiffness: 100, level: 3, stribeck_speed: 0.1, viscous: 4",
         &sti_law_kind_stribeck},
        {"model: lugre, stiffness: 100, level: 3, eta: 10, viscous: 4", &sti_law_kind_gear},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        StiScene *scene = scene_with(cases[i].keys);
        assert_string_equal(law_of(scene, "rub")->kind->name, cases[i].kind->name);
        sti_scene_destroy(scene);
    }
}

// Every law can be named, and the list of laws has them all.
static void every_law_can_be_named(void **state)
{
    (void)state;
    StiEntry law;
    for (int i = 0; sti_registry_at(STI_ROLE_LAW, i, &law); ++i) {
        char keys[400];
        int used = snprintf(keys, sizeof keys,
                            "model: elastic-coulomb, stiffness: 9, level: 3, table: [[0, 2], [1, 2]], "
                            "law: %s",
                            law.name);
        for (int k = 0; k < law.law->signals; ++k) // what it listens to
            used += snprintf(keys + used, sizeof keys - (size_t)used, ", %s: 0",
                             law.law->inputs[k].name);
        StiScene *scene = scene_with(keys);
        assert_string_equal(law_of(scene, "rub")->kind->name, law.name);
        sti_scene_destroy(scene);
    }
}

static void numbers_go_to_their_parameters(void **state)
{
    (void)state;
    StiScene *scene = scene_with(
        "model: elastic-coulomb, stiffness: 9, level: 3, static: 4, stribeck_speed: 0.5, "
        "stribeck_exponent: 1.5, viscous: 6");
    const double *p = law_of(scene, "rub")->p;
    assert_true(p[0] == 3.0 && p[1] == 4.0 && p[2] == 0.5 && p[3] == 1.5 && p[4] == 6.0);
    assert_false(law_of(scene, "rub")->times_load);
    sti_scene_destroy(scene);

    scene =
        scene_with("model: elastic-coulomb, stiffness: 9, level: 3, static: 4, eta: 5, viscous: 6");
    assert_true(parameter(scene, "rub.law.static") == 4.0 && parameter(scene, "rub.eta") == 5.0);
    assert_true(parameter(scene, "rub.level") == 3.0 && parameter(scene, "rub.viscous") == 6.0);
    sti_scene_destroy(scene);

    scene = scene_with("model: elastic-coulomb, stiffness: 9, level: 3, level_backward: 4, "
                       "viscous: 5, viscous_backward: 6");
    p = law_of(scene, "rub")->p;
    assert_true(p[0] == 3.0 && p[1] == 4.0 && p[2] == 5.0 && p[3] == 6.0);
    sti_scene_destroy(scene);

    scene = scene_with("model: elastic-coulomb, stiffness: 9, table: [[0, 5], [1, 3], [2, 7]]");
    const StiLaw *law = law_of(scene, "rub");
    assert_int_equal(law->table_points, 3);
    assert_true(sti_law_level(law, 0.5, 1.0, NULL) == 4.0 &&
                sti_law_level(law, 9.0, 1.0, NULL) == 7.0);
    sti_scene_destroy(scene);
}

// What is not given: motion along minus as along plus, static as kinetic.
static void what_is_not_given_has_usual_values(void **state)
{
    (void)state;
    StiScene *scene =
        scene_with("model: elastic-coulomb, stiffness: 9, level: 3, viscous: 5, level_backward: 4");
    assert_true(parameter(scene, "rub.viscous_backward") == 5.0);
    sti_scene_destroy(scene);
    scene = scene_with("model: elastic-coulomb, stiffness: 9, level: 3, viscous_backward: 4");
    assert_true(parameter(scene, "rub.level_backward") == 3.0 &&
                parameter(scene, "rub.viscous") == 0.0);
    sti_scene_destroy(scene);
    scene = scene_with("model: elastic-coulomb, stiffness: 9, level: 3, stribeck_speed: 0.1");
    assert_true(parameter(scene, "rub.law.static") == 3.0 &&
                parameter(scene, "rub.stribeck_exponent") == 2.0);
    sti_scene_destroy(scene);
}

static void coefficients_are_times_the_load(void **state)
{
    (void)state;
    StiScene *scene = scene_with("model: coulomb, mu: 0.3, mu_static: 0.4, load: 20");
    const StiLaw *law = law_of(scene, "rub");
    assert_true(law->times_load && law->p[0] == 0.3);
    assert_true(parameter(scene, "rub.static") == 0.4);
    sti_scene_destroy(scene);
    scene = scene_with("model: elastic-coulomb, stiffness: 9, mu: 0.3, mu_static: 0.4, "
                       "stribeck_speed: 0.1, load: 20");
    law = law_of(scene, "rub");
    assert_true(law->times_load && law->p[0] == 0.3 && law->p[1] == 0.4);
    sti_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_ask_for_laws),
        cmocka_unit_test(every_law_can_be_named),
        cmocka_unit_test(numbers_go_to_their_parameters),
        cmocka_unit_test(what_is_not_given_has_usual_values),
        cmocka_unit_test(coefficients_are_times_the_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
