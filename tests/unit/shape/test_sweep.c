// The sweep finds what comparing all pairs finds, whatever its memory holds.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "any_shape.h"

enum { MOST = 120, PAIRS = MOST * MOST };

static bool overlap(const StiBounds *a, const StiBounds *b, double margin)
{
    return a->lower.x <= b->upper.x + margin && b->lower.x <= a->upper.x + margin &&
           a->lower.y <= b->upper.y + margin && b->lower.y <= a->upper.y + margin &&
           a->lower.z <= b->upper.z + margin && b->lower.z <= a->upper.z + margin;
}

static int all_pairs(const StiBounds *bounds, int count, const StiPairRules *rules, double margin,
                     StiPair *pairs)
{
    int found = 0;
    for (int i = 0; i < count; ++i)
        for (int j = i + 1; j < count; ++j)
            if (overlap(&bounds[i], &bounds[j], margin) && sti_pair_allowed(rules, (StiPair){i, j}))
                pairs[found++] = (StiPair){i, j};
    return found;
}

static StiBounds random_bounds(Random *random)
{
    const StiVec3 at = random_vec3(random, 3.0), half = random_vec3(random, 0.6);
    const StiVec3 size = {fabs(half.x), fabs(half.y), fabs(half.z)};
    return (StiBounds){sti_vec3_sub(at, size), sti_vec3_add(at, size)};
}

static void the_sweep_finds_all_pairs(void **state)
{
    (void)state;
    Random random = {41};
    static StiBounds bounds[MOST];
    static StiOwner owners[MOST];
    static StiPair swept[PAIRS], compared[PAIRS];
    int memory[2 * MOST];
    const StiPair excluded[2] = {{0, 3}, {1, 2}};
    const StiPairRules rules = {owners, excluded, 2};
    for (int round = 0; round < 60; ++round) {
        const int count = 1 + random_below(&random, MOST);
        for (int i = 0; i < count; ++i)
            owners[i] = (StiOwner){random_below(&random, 30) - 1, random_below(&random, 3),
                                   random_below(&random, 3) - 1};
        sti_sweep_start(memory, count);
        for (int step = 0; step < 4; ++step) { // the order of the last step is kept
            for (int i = 0; i < count; ++i) bounds[i] = random_bounds(&random);
            if (count > 5) bounds[4].lower.x = -INFINITY, bounds[4].upper.y = INFINITY;
            const double margin = step * 0.05;
            const int found = sti_sweep(bounds, count, &rules, margin, memory, PAIRS, swept);
            assert_int_equal(found, all_pairs(bounds, count, &rules, margin, compared));
            for (int i = 0; i < found; ++i)
                assert_true(swept[i].a == compared[i].a && swept[i].b == compared[i].b);
        }
    }
}

static void too_little_room_is_told(void **state)
{
    (void)state;
    const StiBounds bounds[3] = {{{0, 0, 0}, {1, 1, 1}},
                                 {{0, 0, 0}, {1, 1, 1}},
                                 {{0, 0, 0}, {1, 1, 1}}};
    const StiOwner owners[3] = {{0, 0, -1}, {1, 0, -1}, {2, 0, -1}};
    const StiPairRules rules = {owners, NULL, 0};
    int memory[6];
    StiPair pairs[2] = {{-1, -1}, {-1, -1}};
    sti_sweep_start(memory, 3);
    assert_int_equal(sti_sweep(bounds, 3, &rules, 0.0, memory, 1, pairs), 3);
    assert_int_equal(pairs[1].a, -1);
    assert_int_equal(sti_sweep(bounds, 0, &rules, 0.0, memory, 1, pairs), 0);
}

static void rules(void **state)
{
    (void)state;
    const StiOwner owners[6] = {{-1, 0, -1}, {-1, 0, -1}, {0, 0, -1},
                                {0, 1, 0},   {0, 2, 1},   {0, 2, 1}};
    const StiPair excluded[1] = {{0, 4}};
    const StiPairRules rules = {owners, excluded, 1};
    assert_false(sti_pair_allowed(&rules, (StiPair){0, 1})); // both in the world
    assert_true(sti_pair_allowed(&rules, (StiPair){0, 2}));
    assert_false(sti_pair_allowed(&rules, (StiPair){2, 3})); // parent and child
    assert_true(sti_pair_allowed(&rules, (StiPair){2, 4}));
    assert_false(sti_pair_allowed(&rules, (StiPair){4, 5})); // one link
    assert_false(sti_pair_allowed(&rules, (StiPair){0, 4}));
}

static void bounds_hold_the_shape(void **state)
{
    (void)state;
    Random random = {42};
    StiHull hull;
    for (int i = 0; i < 600; ++i) {
        const StiShape shape = shape_of_kind(&random, i % SHAPE_KINDS, &hull);
        const StiFrame link = random_frame(&random, 2.0);
        const StiBounds box = sti_shape_bounds(&shape, &link);
        const double upper[3] = {box.upper.x, box.upper.y, box.upper.z};
        const double lower[3] = {box.lower.x, box.lower.y, box.lower.z};
        for (int k = 0; k < 3; ++k) {
            const StiVec3 axis = {k == 0, k == 1, k == 2};
            assert_true(fabs(upper[k] - height_along(&shape, &link, axis)) < 1e-14);
            assert_true(fabs(lower[k] + height_along(&shape, &link, sti_vec3_scale(-1.0, axis))) <
                        1e-14);
        }
    }
    const StiShape floor = sti_shape_plane(sti_vec3(0, 0, 2), sti_vec3(0, 0, 1));
    const StiBounds below = sti_shape_bounds(&floor, &at_origin);
    assert_true(below.upper.z == 2.0 && below.lower.z == -INFINITY && below.upper.x == INFINITY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sweep_finds_all_pairs),
        cmocka_unit_test(too_little_room_is_told),
        cmocka_unit_test(rules),
        cmocka_unit_test(bounds_hold_the_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
