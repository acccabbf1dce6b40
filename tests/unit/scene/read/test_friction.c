// Friction elements: models alone, in banks, in parallel, in several dimensions.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/scene/scenes.h"
#include "unit/scene/plans.h"
#include "stiction/friction.h"

static StiScene *scene_with(const char *keys)
{
    char text[1000];
    snprintf(text, sizeof text,
             "stop: 1\n"
             "bodies:\n"
             "  block: {kind: point, mass: 1, velocity: 1}\n"
             "  disc: {kind: point, dimensions: 2, mass: 1}\n"
             "  ball: {kind: point, dimensions: 3, mass: 1}\n"
             "elements: {rub: {kind: friction, %s}}\n",
             keys);
    return good_scene(text);
}

static void models_have_their_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *keys, *path;
        double value;
    } cases[] = {
        {"on: block, model: finite-time, level: 3, static: 4", "rub.static", 4},
        {"on: block, model: finite-time, level: 3", "rub.static", 0},
        {"on: block, model: karnopp, level: 3, static: 4, eps: 0.5", "rub.eps", 0.5},
        {"on: block, model: karnopp, level: 3, static: 4, eps: 0.5", "rub.static", 4},
        {"on: block, model: quinn, level: 3, eps: 0.25", "rub.eps", 0.25},
        {"on: block, model: viscous-approximation, level: 3, eps: 0.125", "rub.eps", 0.125},
        {"on: block, model: dahl, level: 3, stiffness: 7, alpha: 2", "rub.alpha", 2},
        {"on: block, model: dahl, level: 3, stiffness: 7", "rub.alpha", 1},
        {"on: block, model: dahl, level: 3, stiffness: 7", "rub.stiffness", 7},
        {"on: block, model: lugre, level: 3, stiffness: 7, damping: 2, viscous: 8", "rub.damping",
         2},
        {"on: block, model: lugre, level: 3, stiffness: 7, damping: 2, viscous: 8", "rub.viscous",
         8},
        {"on: block, model: elastoplastic, level: 3, stiffness: 7, breakaway: 0.75",
         "rub.breakaway", 0.75},
        {"on: block, model: elastic-coulomb, level: 3, stiffness: 7, damping: 2", "rub.damping", 2},
        {"on: block, model: leuven, level: 3, stiffness: 7, exponent: 3", "rub.exponent", 3},
        {"on: block, model: gms, level: 3, stiffness: 7, rate: 9, viscous: 2", "rub.rate", 9},
        {"on: block, model: linear-continuous, level: 3, stiffness: 7, damping: 2, mass: 0.5",
         "rub.mass", 0.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        StiScene *scene = scene_with(cases[i].keys);
        assert_near(parameter(scene, cases[i].path), cases[i].value, 0.0);
        sti_scene_destroy(scene);
    }
}

static void switches_are_set(void **state)
{
    (void)state;
    StiScene *scene = scene_with("on: block, model: dahl, level: 3, stiffness: 7, stiff: true");
    assert_true(((const StiDahl *)element_named(scene, "rub")->parameters)->stiff);
    sti_scene_destroy(scene);
    scene = scene_with("on: block, model: lugre, level: 3, stiffness: 7, stiff: false");
    assert_false(((const StiLuGre *)element_named(scene, "rub")->parameters)->stiff);
    sti_scene_destroy(scene);
    scene = scene_with("on: block, model: finite-time, level: 3, approximate: true");
    assert_true(((const StiFiniteTime *)element_named(scene, "rub")->parameters)->approximate);
    sti_scene_destroy(scene);
    scene = scene_with("on: block, model: linear-continuous, level: 3, stiffness: 7, mass: 1, "
                       "damping: 1, forward: true");
    assert_true(((const StiLinearContinuous *)element_named(scene, "rub")->parameters)->forward);
    sti_scene_destroy(scene);
}

static void planar_models_take_the_dimensions_of_the_body(void **state)
{
    (void)state;
    static const char *const bodies[] = {"block", "disc", "ball"};
    for (int i = 0; i < 3; ++i) {
        char keys[100];
        snprintf(keys, sizeof keys, "on: %s, model: elastic-coulomb, level: 3, stiffness: 7",
                 bodies[i]);
        StiScene *scene = scene_with(keys);
        assert_int_equal(((const StiElasticCoulomb *)element_named(scene, "rub")->parameters)->dim,
                         i + 1);
        sti_scene_destroy(scene);
    }
}

// The spring of a sliding surface is bent from the start on, along each axis, alone and in parallel.
static void elastic_friction_starts_bent(void **state)
{
    (void)state;
    StiScene *scene = scene_with("on: disc, model: elastic-coulomb, level: 3, stiffness: 100, "
                                 "damping: 2, deflection: [0.03, -0.01]");
    StiState *start = sti_state_create(scene->network);
    const double *e = sti_state_memory(start, scene->network, (StiElementId){1});
    assert_true(e[0] == 0.03 && e[1] == -0.01);
    sti_state_destroy(start);
    sti_scene_destroy(scene);
    scene = scene_with("on: block, model: elastic-coulomb, elements: 2, level: 3, stiffness: 100, "
                       "damping: 2, deflection: 0.02");
    start = sti_state_create(scene->network);
    e = sti_state_memory(start, scene->network, (StiElementId){1});
    assert_true(e[0] == 0.02 && e[1] == 0.02);
    sti_state_destroy(start);
    sti_scene_destroy(scene);
    assert_message("stop: 1\nbodies: {disc: {kind: point, dimensions: 2, mass: 1}}\nelements:\n"
                   "  rub: {kind: friction, on: disc, model: elastic-coulomb, level: 3, "
                   "stiffness: 7, damping: 1, deflection: 1}\n",
                   false, 1, 4, 107, "deflection must be a list of 2 numbers, not 1");
}

static void lists_go_to_the_elements_of_a_bank(void **state)
{
    (void)state;
    StiScene *scene =
        scene_with("on: block, model: maxwell-slip, elements: 3, level: [1, 2, 3], stiffness: 50");
    const StiMaxwellSlip *p = element_named(scene, "rub")->parameters;
    assert_int_equal(p->elements, 3);
    assert_null(p->B);
    for (int i = 0; i < 3; ++i) assert_true(p->F[i] == i + 1.0 && p->K[i] == 50.0);
    sti_scene_destroy(scene);
    scene = scene_with("on: block, model: maxwell-slip, elements: 2, level: [1, 2], stiffness: [5, "
                       "6], damping: 7");
    p = element_named(scene, "rub")->parameters;
    assert_true(p->K[1] == 6.0 && p->B[0] == 7.0 && p->B[1] == 7.0);
    sti_scene_destroy(scene);
}

// Where a bank's shares of the level are not given, they are equal.
static void banks_have_usual_shares(void **state)
{
    (void)state;
    StiScene *scene =
        scene_with("on: block, model: gms, elements: 4, level: 3, stiffness: 50, rate: 9");
    const StiGms *gms = element_named(scene, "rub")->parameters;
    for (int i = 0; i < 4; ++i) assert_true(gms->share[i] == 0.25);
    sti_scene_destroy(scene);
    scene = scene_with("on: block, model: leuven, elements: 2, level: 3, static: 5, "
                       "stribeck_speed: 0.1, stiffness: 50");
    const StiLeuven *leuven = element_named(scene, "rub")->parameters;
    assert_near(leuven->F[0] + leuven->F[1], 5.0, 1e-12);
    sti_scene_destroy(scene);
    scene = scene_with(
        "on: block, model: leuven, elements: 2, level: 3, bank_level: [1, 2], stiffness: 50");
    leuven = element_named(scene, "rub")->parameters;
    assert_true(leuven->F[0] == 1.0 && leuven->F[1] == 2.0);
    sti_scene_destroy(scene);
}

static void other_models_stand_in_parallel(void **state)
{
    (void)state;
    StiScene *scene = scene_with(
        "on: disc, model: elastic-coulomb, elements: 3, level: [1, 2, 3], stiffness: 50");
    const PlanElement *element = element_named(scene, "rub");
    const StiCompound *p = element->parameters;
    assert_ptr_equal(element->impedance, &sti_kind_compound);
    assert_int_equal(p->count, 3);
    for (int i = 0; i < 3; ++i) {
        const StiElasticCoulomb *part = p->parts[i].parameters;
        assert_int_equal(part->dim, 2);
        assert_true(part->law.p[0] == i + 1.0 && part->K == 50.0);
    }
    assert_true(parameter(scene, "rub.2.level") == 3.0);
    sti_scene_destroy(scene);
    scene = scene_with(
        "on: block, model: elastic-coulomb, elements: 1, level: [4], stiffness: 50"); // no compound
    assert_ptr_equal(element_named(scene, "rub")->impedance, &sti_kind_elastic_coulomb);
    sti_scene_destroy(scene);
}

// Each part of a compound listens to the load.
static void parts_share_a_load(void **state)
{
    (void)state;
    StiScene *scene =
        scene_with("on: block, model: elastic-coulomb, elements: 3, mu: [0.1, 0.2, 0.3], load: 10, "
                   "stiffness: 1e4, damping: 10");
    assert_near(channel_after(scene, 50, "rub.force"), 6.0, 1e-12);
    sti_scene_destroy(scene);
}

// One vocabulary: what only other models use is noted, once for each key, also on several bodies.
static void unused_keys_are_noted(void **state)
{
    (void)state;
    static const char text[] =
        "stop: 1\n"
        "bodies: {a: {kind: point, mass: 1}, b: {kind: point, mass: 1}}\n"
        "elements:\n"
        "  rub: {kind: friction, on: [a, b], model: dahl, level: 1, stiffness: 9,\n"
        "        eps: 1, share: 1, approximate: true}\n";
    StiMessages *messages = messages_of(text, true);
    assert_int_equal(sti_messages_count(messages), 3);
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(sti_messages_at(messages, i)->severity, STI_NOTE);
        assert_int_equal(sti_messages_at(messages, i)->line, 5);
    }
    assert_string_equal(sti_messages_at(messages, 0)->text,
                        "rub: the model dahl does not use 'eps'");
    sti_messages_destroy(messages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_have_their_numbers),
        cmocka_unit_test(switches_are_set),
        cmocka_unit_test(planar_models_take_the_dimensions_of_the_body),
        cmocka_unit_test(elastic_friction_starts_bent),
        cmocka_unit_test(lists_go_to_the_elements_of_a_bank),
        cmocka_unit_test(banks_have_usual_shares),
        cmocka_unit_test(other_models_stand_in_parallel),
        cmocka_unit_test(parts_share_a_load),
        cmocka_unit_test(unused_keys_are_noted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
