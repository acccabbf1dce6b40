// Touches know nothing of names: swapping the two shapes, mirroring the scene, moving it as a whole,
// or listing the corners of a hull in another order gives the swapped, mirrored, moved, same touches.
// Random pairs of all kinds, most of them in the poses where a choice has to be made: parallel edges,
// faces on faces, mirror images leaning on each other, axes along axes; gaps from -1e-3 to 1e-3.
// STI_SHOW=1 prints what is measured.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../unit/shape/any_shape.h"
#include "support/near.h"
#include "support/short.h"

enum { ROOM = 2 * STI_TOUCHES };

static const char *const kinds[SHAPE_KINDS] = {"point",    "sphere", "capsule",
                                               "cylinder", "box",    "hull"};

typedef struct Pair {
    StiHull hulls[2];
    StiShape shape[2];
    StiFrame link[2];
} Pair;

typedef struct Set {
    int count;
    StiTouch at[ROOM];
} Set;

static Set touches_of(const Pair *pair, double margin)
{
    Set set;
    set.count = sti_shape_touch(&pair->shape[0], &pair->link[0], &pair->shape[1], &pair->link[1],
                                margin, STI_TOUCHES, set.at);
    return set;
}

// ---- poses --------------------------------------------------------------------------------------

static const double PI = 3.14159265358979323846;

static StiQuat about_y(double angle) { return sti_quat_exp(sti_vec3(0.0, angle, 0.0)); }

// A prism along y: what a flat drawing of a hull stands for.
static void prism(Random *random, StiHull *hull)
{
    StiVec3 points[16];
    const int count = 3 + random_below(random, 5);
    const double half = random_between(random, 0.2, 0.6);
    for (int i = 0; i < count; ++i) {
        const double turn = 2.0 * PI * i / count, r = random_between(random, 0.7, 1.0);
        points[2 * i] = sti_vec3(r * cos(turn), -half, r * sin(turn));
        points[2 * i + 1] = sti_vec3(r * cos(turn), half, r * sin(turn));
    }
    if (sti_hull_build(points, 2 * count, hull) != STI_OK) abort();
}

static StiShape centred(Random *random, int kind, StiHull *hull)
{
    StiShape shape = shape_of_kind(random, kind, hull);
    shape.p = sti_vec3(0.0, 0.0, 0.0);
    shape.q = STI_QUAT_IDENTITY;
    if (kind == 5 && random_below(random, 2) == 0) prism(random, hull);
    return shape;
}

// Mirrored at x = 0. All shapes but hulls are their own mirror images.
static StiVec3 mirrored(StiVec3 a) { return sti_vec3(-a.x, a.y, a.z); }
static StiFrame mirror_frame(const StiFrame *link)
{
    return (StiFrame){.p = mirrored(link->p), .q = {link->q.w, link->q.x, -link->q.y, -link->q.z}};
}
static void mirror_side(const Pair *pair, int from, Pair *to, int side)
{
    to->shape[side] = pair->shape[from];
    to->link[side] = mirror_frame(&pair->link[from]);
    if (pair->shape[from].hull == NULL) return;
    const StiHull *const hull = pair->shape[from].hull;
    StiVec3 points[STI_HULL_VERTICES];
    for (int i = 0; i < hull->vertex_count; ++i) points[i] = mirrored(hull->vertices[i]);
    if (sti_hull_build(points, hull->vertex_count, &to->hulls[side]) != STI_OK) abort();
    to->shape[side].hull = &to->hulls[side];
}

typedef enum Pose { RANDOM, FLAT_DRAWING, MIRROR_IMAGES, ALONG_AXES, TURNED_ON_TOP, POSES } Pose;

static void pose(Random *random, Pose pose, Pair *pair, StiVec3 *way)
{
    const double angle = random_between(random, -PI, PI);
    *way = random_vec3(random, 1.0);
    for (int i = 0; i < 2; ++i) {
        pair->link[i] = (StiFrame){.q = random_attitude(random)};
        if (pose == FLAT_DRAWING) pair->link[i].q = about_y(random_between(random, -PI, PI));
        if (pose == ALONG_AXES) pair->link[i].q = about_y(0.25 * PI * random_below(random, 8));
        if (pose == TURNED_ON_TOP)
            pair->link[i].q = sti_quat_exp(sti_vec3(0.0, 0.0, i == 0 ? angle : 0.0));
    }
    if (pose == FLAT_DRAWING || pose == ALONG_AXES) way->y = random_below(random, 2) * 0.1 * way->y;
    if (pose == TURNED_ON_TOP) *way = sti_vec3(0.0, 0.0, 1.0);
    if (pose == ALONG_AXES && random_below(random, 3) == 0) *way = sti_vec3(0.0, 0.0, 1.0);
}

static double deepest(const Set *set)
{
    double least = INFINITY;
    for (int i = 0; i < set->count; ++i) least = fmin(least, set->at[i].gap);
    return least;
}

// Moves a along a direction to where the gap is as wanted.
static void bring_together(Pair *pair, StiVec3 way, double gap)
{
    const StiVec3 d = sti_vec3_scale(1.0 / sti_vec3_norm(way), way);
    double low = 0.0, high = 5.0;
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        pair->link[0].p = sti_vec3_scale(middle, d);
        const Set set = touches_of(pair, 10.0);
        *(deepest(&set) > gap ? &high : &low) = middle;
    }
}

static void make_pair(Random *random, int a, int b, Pose which, Pair *pair)
{
    // Corners on corners that are deeper than 1e-4 of the size leave by the best way.
    const bool corners = which == MIRROR_IMAGES && (a == 3 || a == 5);
    const double gaps[6] = {0.0, 1e-9, -1e-9, 1e-5, -1e-5, corners ? 0.0 : -1e-3};
    StiVec3 way;
    pair->shape[0] = centred(random, a, &pair->hulls[0]);
    pair->shape[1] = centred(random, b, &pair->hulls[1]);
    pose(random, which, pair, &way);
    if (which == MIRROR_IMAGES) {
        if (random_below(random, 2) == 0)
            pair->link[0].q = about_y(random_between(random, -PI, PI));
        mirror_side(pair, 0, pair, 1);
        way = sti_vec3(1.0, 0.0, 0.0);
    }
    bring_together(pair, way, gaps[random_below(random, 6)]);
    const StiVec3 shift = sti_vec3_scale(-0.5, pair->link[0].p); // the mirror in between
    for (int i = 0; i < 2; ++i) pair->link[i].p = sti_vec3_add(pair->link[i].p, shift);
}

// ---- the same seen otherwise --------------------------------------------------------------------

static Set swapped(const Pair *pair, double margin)
{
    Pair other = {.shape = {pair->shape[1], pair->shape[0]},
                  .link = {pair->link[1], pair->link[0]}};
    Set set = touches_of(&other, margin);
    for (int i = 0; i < set.count; ++i) {
        StiTouch *const t = &set.at[i];
        const StiVec3 point = t->point_a;
        t->point_a = t->point_b, t->point_b = point;
        t->normal = sti_vec3_scale(-1.0, t->normal);
    }
    return set;
}

static Set seen_in_mirror(const Pair *pair, double margin)
{
    static Pair other; // large
    mirror_side(pair, 0, &other, 0);
    mirror_side(pair, 1, &other, 1);
    Set set = touches_of(&other, margin);
    for (int i = 0; i < set.count; ++i) {
        StiTouch *const t = &set.at[i];
        t->point_a = mirrored(t->point_a), t->point_b = mirrored(t->point_b);
        t->normal = mirrored(t->normal);
    }
    return set;
}

static Set moved(const Pair *pair, const StiFrame *by, double margin)
{
    Pair other = *pair;
    for (int i = 0; i < 2; ++i) {
        other.link[i].p = sti_vec3_add(by->p, sti_quat_rotate(by->q, pair->link[i].p));
        other.link[i].q = sti_quat_multiply(by->q, pair->link[i].q);
    }
    Set set = touches_of(&other, margin);
    for (int i = 0; i < set.count; ++i) {
        StiTouch *const t = &set.at[i];
        t->point_a = sti_quat_unrotate(by->q, sti_vec3_sub(t->point_a, by->p));
        t->point_b = sti_quat_unrotate(by->q, sti_vec3_sub(t->point_b, by->p));
        t->normal = sti_quat_unrotate(by->q, t->normal);
    }
    return set;
}

static Set with_corners_backwards(const Pair *pair, double margin)
{
    static Pair other;
    other = *pair;
    for (int i = 0; i < 2; ++i) {
        const StiHull *const hull = pair->shape[i].hull;
        if (hull == NULL) continue;
        StiVec3 points[STI_HULL_VERTICES];
        for (int k = 0; k < hull->vertex_count; ++k)
            points[k] = hull->vertices[hull->vertex_count - 1 - k];
        if (sti_hull_build(points, hull->vertex_count, &other.hulls[i]) != STI_OK) abort();
        other.shape[i].hull = &other.hulls[i];
    }
    return touches_of(&other, margin);
}

static double off(StiVec3 a, StiVec3 b) { return sti_vec3_norm(sti_vec3_sub(a, b)); }

static const StiTouch *deepest_touch(const Set *set)
{
    const StiTouch *best = &set->at[0];
    for (int i = 1; i < set->count; ++i)
        if (set->at[i].gap < best->gap) best = &set->at[i];
    return best;
}

// How far two sets are from being the same, in whatever order. Of caps of cylinders, four points are
// taken among many, by their numbers: only gap and normal are compared.
static double difference(const Set *a, const Set *b, bool caps)
{
    if (a->count != b->count && !(caps && a->count > 1 && b->count > 1)) return INFINITY;
    if (caps && a->count > 1) {
        const StiTouch *const s = deepest_touch(a), *const t = deepest_touch(b);
        return off(s->normal, t->normal) + fabs(s->gap - t->gap);
    }
    double most = 0.0;
    for (int i = 0; i < a->count; ++i) {
        double least = INFINITY;
        for (int k = 0; k < b->count; ++k) {
            const StiTouch *const s = &a->at[i], *const t = &b->at[k];
            least = fmin(least, off(s->point_a, t->point_a) + off(s->point_b, t->point_b) +
                                    off(s->normal, t->normal) + fabs(s->gap - t->gap));
        }
        most = fmax(most, least);
    }
    return most;
}

enum { SWAPPED, MIRRORED, MOVED, BACKWARDS, VIEWS };
static const char *const views[VIEWS] = {"swapped", "mirrored", "moved", "backwards"};
static const char *const poses[POSES] = {"random", "flat drawing", "mirror images", "along axes",
                                         "turned on top"};

typedef struct Tally {
    int pairs, off[VIEWS];
    double worst[VIEWS];
} Tally;

static bool is_cylinder(const StiShape *shape) { return shape->kind == &sti_shape_kind_cylinder; }

static void judge(Random *random, const Pair *pair, double most, Tally *tally)
{
    const bool caps = is_cylinder(&pair->shape[0]) || is_cylinder(&pair->shape[1]);
    const double margin = 0.01;
    const StiFrame by = random_frame(random, 3.0);
    const Set set = touches_of(pair, margin);
    const Set others[VIEWS] = {swapped(pair, margin), seen_in_mirror(pair, margin),
                               moved(pair, &by, margin), with_corners_backwards(pair, margin)};
    ++tally->pairs;
    for (int i = 0; i < VIEWS; ++i) {
        const double here =
            fmax(difference(&set, &others[i], caps), difference(&others[i], &set, caps));
        tally->worst[i] = fmax(tally->worst[i], here);
        tally->off[i] += here > most;
    }
}

static void show(int a, int b, int pose, const Tally *tally)
{
    for (int i = 0; i < VIEWS; ++i)
        if (tally->off[i] > 0)
            print_message("%s on %s, %s: %s: %d of %d off, worst %.2g\n", kinds[a], kinds[b],
                          poses[pose], views[i], tally->off[i], tally->pairs, tally->worst[i]);
}

// A rim against a rim or an edge is found by a search, to the square root of rounding.
static double tolerance(int a, int b) { return a == 3 || b == 3 ? 5e-4 : 1e-8; }

static void touches_do_not_depend_on_the_view(void **state)
{
    (void)state;
    static Pair pair;
    Random random = {91};
    int off = 0;
    for (int a = 0; a < SHAPE_KINDS; ++a)
        for (int b = 0; b < SHAPE_KINDS; ++b)
            for (int which = 0; which < POSES; ++which) {
                Tally tally = {0};
                if (which == MIRROR_IMAGES && a != b) continue;
                if (a == 0 && b == 0) continue; // at one place: no direction
                for (long i = 0; i < steps_or(40, 4); ++i) {
                    make_pair(&random, a, b, (Pose)which, &pair);
                    judge(&random, &pair, tolerance(a, b), &tally);
                }
                if (getenv("STI_SHOW") != NULL) show(a, b, which, &tally);
                for (int i = 0; i < VIEWS; ++i) off += tally.off[i];
            }
    assert_int_equal(off, 0);
}

// No other normal separates the shapes better than the one given, up to what edges count as rounded
// by: 1e-4 of the smaller shape, and less of the depth than a mean of two ways out can lose. The gap
// is that along the normal.
static void gaps_are_right(void **state)
{
    (void)state;
    static Pair pair;
    Random random = {92};
    double most = 0.0;
    for (int a = 2; a < SHAPE_KINDS; ++a)
        for (int b = 2; b < SHAPE_KINDS; ++b)
            for (int which = 0; which < POSES; ++which)
                for (long i = 0; i < steps_or(8, 1); ++i) {
                    if (which == MIRROR_IMAGES && a != b) continue;
                    make_pair(&random, a, b, (Pose)which, &pair);
                    const Set set = touches_of(&pair, 0.01);
                    const Placed placed = {&pair.shape[0], &pair.shape[1], pair.link[0],
                                           pair.link[1]};
                    const StiTouch *const touch = deepest_touch(&set);
                    const double found = gap_by_search(&placed, &random);
                    assert_near(apart_along(&placed, touch->normal), touch->gap, 1e-8);
                    most = fmax(most, found - touch->gap);
                    assert_true(found - touch->gap < 1e-4 + 0.5 * fmax(-found, 0.0));
                }
    print_message("better by %.3g m at most\n", most);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(touches_do_not_depend_on_the_view),
        cmocka_unit_test(gaps_are_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
