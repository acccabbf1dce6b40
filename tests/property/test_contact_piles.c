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
    double at[MOST][3];
    double push; // m/s, along x: of the last box at the start
} Pile;

static void start(Pile *pile)
{
    *pile = (Pile){.plan = sti_plan_create()};
    sti_plan_set_step(pile->plan, 1e-3);
    sti_plan_set_gravity(pile->plan, sti_vec3(0.0, 0.0, -9.81));
    sti_plan_set_method(pile->plan, &sti_method_rule);
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
    pile->at[pile->count][0] = at.x, pile->at[pile->count][1] = at.y;
    pile->at[pile->count][2] = at.z;
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
    sti_state_edit_velocities(pile->state, pile->network, pile->ids[pile->count - 1])[0] =
        pile->push;
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

// All boxes stand where they were put, with the ground carrying their weight.
static void stand(Pile *pile, double tolerance)
{
    double before[MOST][3];
    for (int i = 0; i < pile->count; ++i)
        for (int d = 0; d < 3; ++d) before[i][d] = pile->at[i][d];
    run(pile, steps_or(100, 10));
    for (int i = 0; i < pile->count; ++i)
        for (int d = 0; d < 3; ++d)
            assert_true(fabs(sti_state_positions(pile->state, pile->network, pile->ids[i])[d] -
                             before[i][d]) < tolerance);
    assert_true(pile->unsolved == 0 && pile->soft <= 1);
    end(pile);
}

// Of any sizes, faces touching: neighbours carry nothing, or share what they cannot help sharing.
static void random_grids_stand(void **unused)
{
    (void)unused;
    for (int seed = 0; seed < steps_or(8, 2); ++seed) {
        Random random = {.state = (uint64_t)(40 + seed)};
        const int n = 1 + random_below(&random, 3), m = 1 + random_below(&random, 3);
        const int k = 1 + random_below(&random, 3);
        const StiVec3 half = {random_between(&random, 0.03, 0.2), random_between(&random, 0.03, 0.2),
                              random_between(&random, 0.03, 0.2)};
        Pile pile;
        start(&pile);
        for (int i = 0; i < n * m * k; ++i)
            add(&pile,
                sti_vec3(2 * half.x * (i % n), 2 * half.y * (double)(i / n % m),
                         half.z * (1 + 2 * (double)(i / (n * m)))),
                STI_QUAT_IDENTITY, half, random_between(&random, 0.2, 5.0));
        stand(&pile, 1e-9);
    }
}

static void brick_walls_stand(void **unused)
{
    (void)unused;
    for (int thick = 1; thick <= 2; ++thick) {
        Pile pile;
        start(&pile);
        for (int row = 0; row < 4; ++row)
            for (int i = 0; i < 4 - row % 2; ++i)
                for (int j = 0; j < thick; ++j)
                    add(&pile,
                        sti_vec3(0.2 * i + (row % 2 != 0 ? 0.1 : 0.0), 0.1 * j, 0.04 + 0.08 * row),
                        STI_QUAT_IDENTITY, sti_vec3(0.1, 0.05, 0.04), 1.0);
        stand(&pile, 1e-9);
    }
}

static void pyramids_stand(void **unused)
{
    (void)unused;
    Pile pile;
    start(&pile);
    for (int row = 0; row < 6; ++row)
        for (int i = 0; i < 6 - row; ++i)
            add(&pile, sti_vec3(0.2 * i + 0.1 * row, 0.0, 0.05 + 0.1 * row), STI_QUAT_IDENTITY,
                sti_vec3(0.1, 0.1, 0.05), 1.0);
    stand(&pile, 1e-9);
}

// From one box to the next: there is no wall between them. Judged by the closed form.
static void boxes_slide_over_seams(void **unused)
{
    (void)unused;
    for (int seed = 0; seed < 6; ++seed) {
        Random random = {.state = (uint64_t)(90 + seed)};
        const double v = random_between(&random, 0.3, 1.5), x = random_between(&random, -0.05, 0.05);
        const long steps = steps_or(200, 60);
        Pile pile;
        start(&pile);
        for (int i = 0; i < 4; ++i)
            add(&pile, sti_vec3(0.2 * i, 0.0, 0.1), STI_QUAT_IDENTITY, sti_vec3(0.1, 0.1, 0.1), 1e3);
        add(&pile, sti_vec3(seed % 2 == 0 ? 0.0 : x, 0.0, 0.3), STI_QUAT_IDENTITY,
            sti_vec3(0.1, 0.1, 0.1), 1.0);
        pile.push = v;
        run(&pile, steps);
        const double t = 1e-3 * (double)steps, a = 0.5 * 9.81, stop = v / a;
        const double *velocity = sti_state_velocities(pile.state, pile.network, pile.ids[4]);
        assert_true(fabs(velocity[0] - (t < stop ? v - a * t : 0.0)) < 1e-3);
        assert_true(fabs(height(&pile, 4) - 0.3) < 1e-8);
        assert_int_equal(pile.unsolved, 0);
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
    assert_true((double)soft <= 2.0 + 0.01 * (double)steps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(touching_grids_stand),
                                       cmocka_unit_test(random_grids_stand),
                                       cmocka_unit_test(brick_walls_stand),
                                       cmocka_unit_test(pyramids_stand),
                                       cmocka_unit_test(boxes_slide_over_seams),
                                       cmocka_unit_test(heavy_boxes_stand_on_light_ones),
                                       cmocka_unit_test(heaps_do_not_creep)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
