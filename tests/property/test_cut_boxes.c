// Boxes that slide, turn and tip on each other under `cut`: closed forms, mirrored scenes, and runs of
// `rule` at a twentieth of the step.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include <stiction/stiction.h>

#include "support/random.h"
#include "support/short.h"

enum { MOST = 3 };
static const double g = 9.81;

typedef struct Box {
    StiVec3 at, half, v;
    double yaw, spin, mass;
} Box;

typedef struct Scene {
    int count;
    Box boxes[MOST];
    double mu;
} Scene;

typedef struct End {
    double x[MOST][3];
    double stored;
    long fallbacks;
} End;

static End run(const Scene *scene, const char *method, double step, long steps)
{
    static const char *const names[MOST] = {"a", "b", "c"};
    StiPlan *plan = sti_plan_create();
    StiContactShape shapes[MOST];
    StiAdmittanceId ids[MOST];
    const StiContactShape ground = {.body = STI_GROUND,
                                    .shape = sti_shape_plane(sti_vec3(0, 0, 0), sti_vec3(0, 0, 1))};
    sti_plan_set_step(plan, step);
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -g));
    sti_plan_set_method(plan, sti_method_find(method));
    for (int i = 0; i < scene->count; ++i) {
        const Box *b = &scene->boxes[i];
        const double x = b->half.x * b->half.x, y = b->half.y * b->half.y,
                     z = b->half.z * b->half.z, m = b->mass / 3.0;
        ids[i] = sti_plan_add_admittance(
            plan, names[i], &sti_kind_rigid_body,
            &(StiRigidBody){.mass = b->mass,
                            .inertia = {m * (y + z), m * (x + z), m * (x + y)},
                            .position = {b->at.x, b->at.y, b->at.z},
                            .attitude = {cos(0.5 * b->yaw), 0.0, 0.0, sin(0.5 * b->yaw)},
                            .velocity = {b->v.x, b->v.y, b->v.z},
                            .angular_velocity = {0.0, 0.0, b->spin}});
        shapes[i] =
            (StiContactShape){.body = ids[i],
                              .shape = sti_shape_box((StiFrame){.q = STI_QUAT_IDENTITY}, b->half)};
    }
    sti_plan_add_contact(plan, "ground",
                         &(StiContact){.a = shapes,
                                       .a_count = scene->count,
                                       .b = &ground,
                                       .b_count = 1,
                                       .mu = scene->mu});
    sti_plan_add_contact(plan, "boxes",
                         &(StiContact){.a = shapes, .a_count = scene->count, .mu = scene->mu});
    StiNetwork *network = NULL;
    assert_int_equal(sti_plan_compile(plan, NULL, &network), STI_OK);
    StiState *state = sti_state_create(network);
    StiScratch *scratch = sti_scratch_create(network);
    End end = {.stored = 0.0};
    for (long n = 0; n < steps; ++n) {
        assert_int_equal(sti_run(network, NULL, state, scratch, 1), STI_OK);
        end.fallbacks += sti_scratch_figures(scratch).fallbacks;
    }
    for (int i = 0; i < scene->count; ++i)
        memcpy(end.x[i], sti_state_positions(state, network, ids[i]), sizeof end.x[i]);
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    sti_network_destroy(network);
    sti_plan_destroy(plan);
    return end;
}

static Box box(StiVec3 at, StiVec3 half, double mass)
{
    return (Box){.at = at, .half = half, .mass = mass};
}

// Over the border of the lower box on its way: corners on a face, then edges across an edge.
static void a_box_slides_over_a_border_and_stops(void **unused)
{
    (void)unused;
    Scene scene = {.count = 2, .mu = 0.5};
    scene.boxes[0] = box(sti_vec3(0, 0, 0.1), sti_vec3(0.2, 0.2, 0.1), 2.0);
    scene.boxes[1] = box(sti_vec3(0.02, 0.03, 0.25), sti_vec3(0.1, 0.075, 0.05), 1.0);
    scene.boxes[1].v.x = 1.0;
    const End end = run(&scene, "cut", 1e-3, 300);
    assert_true(fabs(end.x[1][0] - (0.02 + 1.0 / (2.0 * 0.5 * g))) < 1e-12);
    assert_true(fabs(end.x[1][1] - 0.03) < 1e-12 && fabs(end.x[0][0]) < 1e-12);
    assert_int_equal(end.fallbacks, 0);
}

// Beams across each other touch at four crossings and nowhere else.
static void a_beam_slides_on_a_beam(void **unused)
{
    (void)unused;
    const double speed = hypot(0.5, 0.1), way = speed * speed / (2.0 * 0.5 * g);
    Scene scene = {.count = 2, .mu = 0.5};
    scene.boxes[0] = box(sti_vec3(0, 0, 0.05), sti_vec3(0.3, 0.05, 0.05), 2.0);
    scene.boxes[1] = box(sti_vec3(0.02, 0.03, 0.15), sti_vec3(0.05, 0.3, 0.05), 1.0);
    scene.boxes[1].v = sti_vec3(0.5, 0.1, 0.0);
    const End end = run(&scene, "cut", 1e-3, 300);
    assert_true(fabs(end.x[1][0] - (0.02 + 0.5 / speed * way)) < 1e-9);
    assert_true(fabs(end.x[1][1] - (0.03 + 0.1 / speed * way)) < 1e-9);
    assert_int_equal(end.fallbacks, 0);
}

// The lower one is dragged along: mu g of the upper, and mu times all of the weight below it.
static void a_box_drags_the_one_below(void **unused)
{
    (void)unused;
    Scene scene = {.count = 2, .mu = 0.4};
    scene.boxes[0] = box(sti_vec3(0, 0, 0.1), sti_vec3(0.3, 0.2, 0.1), 1.0);
    scene.boxes[1] = box(sti_vec3(-0.1, 0, 0.25), sti_vec3(0.1, 0.1, 0.05), 8.0);
    scene.boxes[1].v.x = 0.8;
    const End still = run(&scene, "cut", 1e-3, 150);
    assert_true(fabs(still.x[0][0]) < 1e-9); // 0.4 * 8 g on top, 0.4 * 9 g below: it holds
    assert_true(fabs(still.x[1][0] - (-0.1 + 0.8 * 0.15 - 0.5 * 0.4 * g * 0.15 * 0.15)) < 1e-9);
}

static Scene any_scene(Random *random)
{
    Scene scene = {.count = 2 + random_below(random, 2), .mu = random_between(random, 0.15, 0.7)};
    double height = 0.0;
    for (int i = 0; i < scene.count; ++i) {
        Box *b = &scene.boxes[i];
        const StiVec3 half = {random_between(random, 0.05, 0.15),
                              random_between(random, 0.05, 0.15),
                              random_between(random, 0.04, 0.1)};
        *b = box(sti_vec3(random_between(random, -0.03, 0.03), random_between(random, -0.03, 0.03),
                          height + half.z),
                 half, random_between(random, 0.3, 3.0));
        height += 2.0 * half.z;
        if (random_below(random, 2)) b->yaw = random_between(random, -1.0, 1.0);
        if (random_below(random, 2)) b->v.x = random_between(random, -0.6, 0.6);
        if (random_below(random, 2)) b->v.y = random_between(random, -0.4, 0.4);
        if (random_below(random, 3) == 0) b->spin = random_between(random, -3.0, 3.0);
    }
    return scene;
}

static double difference(const End *a, const End *b, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; ++i)
        for (int d = 0; d < 3; ++d) most = fmax(most, fabs(a->x[i][d] - b->x[i][d]));
    return most;
}

static Scene mirrored(Scene scene)
{
    for (int i = 0; i < scene.count; ++i) {
        Box *b = &scene.boxes[i];
        b->at.y = -b->at.y, b->v.y = -b->v.y, b->yaw = -b->yaw, b->spin = -b->spin;
    }
    return scene;
}

static void stacks_agree_with_small_steps_and_with_their_mirror(void **unused)
{
    (void)unused;
    Random random = {.state = 7};
    const int scenes = (int)steps_or(4, 1);
    long fallbacks = 0;
    for (int n = 0; n < scenes; ++n) {
        const Scene scene = any_scene(&random), other = mirrored(scene);
        const End cut = run(&scene, "cut", 1e-3, 150), small = run(&scene, "rule", 5e-5, 3000);
        End mirror = run(&other, "cut", 1e-3, 150);
        fallbacks += cut.fallbacks;
        for (int i = 0; i < scene.count; ++i) mirror.x[i][1] = -mirror.x[i][1];
        assert_true(difference(&cut, &small, scene.count) < 3e-4);
        // to rounding, but for steps that are taken by the solver, and when that happens
        assert_true(difference(&cut, &mirror, scene.count) <
                    (cut.fallbacks + mirror.fallbacks > 0 ? 1e-4 : 1e-6));
    }
    assert_true(fallbacks <= 2 * scenes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_box_slides_over_a_border_and_stops),
                                       cmocka_unit_test(a_beam_slides_on_a_beam),
                                       cmocka_unit_test(a_box_drags_the_one_below),
                                       cmocka_unit_test(
                                           stacks_agree_with_small_steps_and_with_their_mirror)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
