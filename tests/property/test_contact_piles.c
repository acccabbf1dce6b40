// Piles that are hard for a solver of contacts: faces and edges that all touch, very unequal masses, heaps.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include <stiction/stiction.h>

#include "support/random.h"
#include "support/short.h"

enum { MOST = 32 };

typedef struct Pile {
    StiPlan *plan;
    StiContactShape boxes[MOST];
    StiAdmittanceId ids[MOST];
    int count;
    StiNetwork *network;
    StiState *state;
    StiScratch *scratch;
    long soft, unsolved;
} Pile;

static void start(Pile *pile)
{
    *pile = (Pile){.plan = sti_plan_create()};
    sti_plan_set_step(pile->plan, 1e-3);
    sti_plan_set_gravity(pile->plan, sti_vec3(0.0, 0.0, -9.81));
}

static void add(Pile *pile, StiVec3 at, StiQuat q, StiVec3 half, double mass)
{
    char name[32];
    snprintf(name, sizeof name, "box%02d", pile->count);
    const double x = half.x * half.x, y = half.y * half.y, z = half.z * half.z;
    pile->ids[pile->count] =
        sti_plan_add_admittance(pile->plan, name, &sti_kind_rigid_body,
                                &(StiRigidBody){.mass = mass,
                                                .inertia = {mass * (y + z) / 3, mass * (x + z) / 3,
                                                            mass * (x + y) / 3},
                                                .position = {at.x, at.y, at.z},
                                                .attitude = {q.w, q.x, q.y, q.z}});
    pile->boxes[pile->count] =
        (StiContactShape){pile->ids[pile->count], 0,
                          sti_shape_box((StiFrame){.q = STI_QUAT_IDENTITY}, half)};
    ++pile->count;
}

static void run(Pile *pile, long steps)
{
    const StiContactShape ground = {{-1}, 0, sti_shape_plane(sti_vec3(0, 0, 0), sti_vec3(0, 0, 1))};
    sti_plan_add_contact(pile->plan, "ground",
                         &(StiContact){.a = pile->boxes,
                                       .a_count = pile->count,
                                       .b = &ground,
                                       .b_count = 1,
                                       .mu = 0.5});
    sti_plan_add_contact(pile->plan, "boxes",
                         &(StiContact){.a = pile->boxes, .a_count = pile->count, .mu = 0.5});
    assert_int_equal(sti_plan_compile(pile->plan, NULL, &pile->network), STI_OK);
    pile->state = sti_state_create(pile->network);
    pile->scratch = sti_scratch_create(pile->network);
    for (long n = 0; n < steps; ++n) {
        assert_int_equal(sti_run(pile->network, NULL, pile->state, pile->scratch, 1), STI_OK);
        const StiStepFigures figures = sti_scratch_figures(pile->scratch);
        pile->soft += figures.soft > 0;
        pile->unsolved += figures.unsolved > 0;
    }
}

static void end(Pile *pile)
{
    sti_scratch_destroy(pile->scratch);
    sti_state_destroy(pile->state);
    sti_network_destroy(pile->network);
    sti_plan_destroy(pile->plan);
}

static double height(const Pile *pile, int i)
{
    return sti_state_positions(pile->state, pile->network, pile->ids[i])[2];
}

// Once without end: corners of clipped faces that count as one may enclose a little more than before. And
// once without room: a box in a grid of 3 x 3 x 3 meets 26 others.
static void touching_grids_stand(void **unused)
{
    (void)unused;
    static const int sizes[][3] = {{2, 1, 1}, {2, 1, 2}, {2, 2, 1}, {2, 2, 2}, {3, 2, 2}, {3, 3, 3}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        Pile pile;
        start(&pile);
        for (int i = 0; i < sizes[s][0]; ++i)
            for (int j = 0; j < sizes[s][1]; ++j)
                for (int k = 0; k < sizes[s][2]; ++k)
                    add(&pile, sti_vec3(0.2 * i, 0.2 * j, 0.1 + 0.2 * k), STI_QUAT_IDENTITY,
                        sti_vec3(0.1, 0.1, 0.1), 1.0);
        run(&pile, steps_or(100, 10));
        for (int i = 0; i < pile.count; ++i)
            assert_true(fabs(height(&pile, i) - (0.1 + 0.2 * (i % sizes[s][2]))) < 1e-9);
        assert_true(pile.unsolved == 0 && pile.soft <= 1);
        end(&pile);
    }
}

// A million times heavier on top: light ones were pressed into each other.
static void heavy_boxes_stand_on_light_ones(void **unused)
{
    (void)unused;
    static const int counts[] = {2, 3, 10};
    static const double masses[] = {1e2, 1e4, 1e6};
    for (int c = 0; c < 3; ++c)
        for (int m = 0; m < 3; ++m) {
            Pile pile;
            start(&pile);
            for (int i = 0; i < counts[c]; ++i)
                add(&pile, sti_vec3(0.0, 0.0, 0.1 + 0.2 * i), STI_QUAT_IDENTITY,
                    sti_vec3(0.1, 0.1, 0.1), i + 1 < counts[c] ? 1.0 : masses[m]);
            run(&pile, steps_or(200, 10));
            for (int i = 0; i < pile.count; ++i)
                assert_true(fabs(height(&pile, i) - (0.1 + 0.2 * i)) < 2e-8);
            assert_true(pile.unsolved == 0 && pile.soft <= 2);
            end(&pile);
        }
}

static StiQuat any_attitude(Random *random)
{
    StiQuat q = {random_between(random, -1, 1), random_between(random, -1, 1),
                 random_between(random, -1, 1), random_between(random, -1, 1)};
    const double size = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (StiQuat){q.w / size, q.x / size, q.y / size, q.z / size};
}

// Boxes that fall on each other and come to rest: who holds, holds.
static void heaps_do_not_creep(void **unused)
{
    (void)unused;
    long soft = 0, steps = 0;
    for (int seed = 0; seed < 3; ++seed) {
        Random random = {.state = (uint64_t)seed};
        Pile pile;
        start(&pile);
        for (int i = 0; i < 16; ++i)
            add(&pile, sti_vec3(0.22 * (i % 2), 0.22 * (i / 2 % 2), 0.15 + 0.2 * (double)(i / 4)),
                any_attitude(&random),
                sti_vec3(random_between(&random, 0.05, 0.1), random_between(&random, 0.05, 0.1),
                         random_between(&random, 0.05, 0.1)),
                1.0);
        const long count = steps_or(600, 60);
        run(&pile, count);
        assert_true(pile.unsolved == 0);
        soft += pile.soft;
        steps += count;
        for (int i = 0; i < pile.count; ++i) assert_true(height(&pile, i) > 0.04);
        end(&pile);
    }
    assert_true((double)soft <= 2.0 + 0.02 * (double)steps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(touching_grids_stand),
                                       cmocka_unit_test(heavy_boxes_stand_on_light_ones),
                                       cmocka_unit_test(heaps_do_not_creep)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
