// Random shapes, and an independent measure of the gap between two of them: the largest separation
// over unit normals, by sampling and pattern search on support heights written down anew.
#ifndef STICTION_TESTS_UNIT_SHAPE_ANY_SHAPE_H
#define STICTION_TESTS_UNIT_SHAPE_ANY_SHAPE_H

#include "stiction/shape.h"
#include "support/random_space.h"

enum { SHAPE_KINDS = 6 };

static const StiFrame at_origin = {.q = {1.0, 0.0, 0.0, 0.0}};

// Corners of a hull: random points on a bumpy ball.
static inline void random_hull(Random *random, StiHull *hull)
{
    StiVec3 points[20];
    const int count = 8 + random_below(random, 13);
    for (int i = 0; i < count; ++i) {
        const StiVec3 d = random_vec3(random, 1.0);
        points[i] = sti_vec3_scale(random_between(random, 0.6, 1.0) / sti_vec3_norm(d), d);
    }
    if (sti_hull_build(points, count, hull) != STI_OK) abort();
}

static inline StiShape shape_of_kind(Random *random, int kind, StiHull *hull)
{
    const StiFrame place = random_frame(random, 0.3);
    const double x = random_between(random, 0.2, 1.0), y = random_between(random, 0.2, 1.0);
    const double z = random_between(random, 0.2, 1.0);
    switch (kind) {
    case 0:
        return sti_shape_point(place.p);
    case 1:
        return sti_shape_sphere(place.p, x);
    case 2:
        return sti_shape_capsule(place, x, z);
    case 3:
        return sti_shape_cylinder(place, x, z);
    case 4:
        return sti_shape_box(place, sti_vec3(x, y, z));
    default:
        random_hull(random, hull);
        return sti_shape_hull(place, hull);
    }
}

// Height of a shape along a world direction d (unit): max of d.x over the shape.
static inline double height_along(const StiShape *shape, const StiFrame *link, StiVec3 d)
{
    const StiVec3 in_link = sti_quat_unrotate(link->q, d);
    const StiVec3 n = sti_quat_unrotate(shape->q, in_link);
    double own = 0.0;
    if (shape->hull != NULL) {
        own = -INFINITY;
        for (int i = 0; i < shape->hull->vertex_count; ++i)
            own = fmax(own, sti_vec3_dot(n, shape->hull->vertices[i]));
    } else if (shape->kind == &sti_shape_kind_cylinder) {
        own = shape->radius * hypot(n.x, n.y) + shape->half.z * fabs(n.z);
    } else {
        own = shape->radius + shape->half.x * fabs(n.x) + shape->half.y * fabs(n.y) +
              shape->half.z * fabs(n.z);
    }
    return own + sti_vec3_dot(in_link, shape->p) + sti_vec3_dot(d, link->p);
}

typedef struct Placed {
    const StiShape *a, *b;
    StiFrame link_a, link_b;
} Placed;

static inline double apart_along(const Placed *pair, StiVec3 n)
{
    return -height_along(pair->a, &pair->link_a, sti_vec3_scale(-1.0, n)) -
           height_along(pair->b, &pair->link_b, n);
}

// Climbs from a normal by shrinking steps in random tangent directions.
static inline double climbed(const Placed *pair, StiVec3 n, Random *random)
{
    double best = apart_along(pair, n);
    for (double step = 0.2; step > 1e-9; step *= 0.7) {
        for (int i = 0; i < 12; ++i) {
            const StiVec3 to = sti_vec3_add(n, sti_vec3_scale(step, random_vec3(random, 1.0)));
            const StiVec3 m = sti_vec3_scale(1.0 / sti_vec3_norm(to), to);
            const double here = apart_along(pair, m);
            if (here > best) {
                best = here;
                n = m;
            }
        }
    }
    return best;
}

static inline double gap_by_search(const Placed *pair, Random *random)
{
    enum { SAMPLES = 400, CLIMBS = 5 };
    StiVec3 tops[CLIMBS] = {{0}};
    double gaps[CLIMBS] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < SAMPLES; ++i) { // the best few, the worst of them replaced
        const StiVec3 d = random_vec3(random, 1.0);
        const StiVec3 n = sti_vec3_scale(1.0 / sti_vec3_norm(d), d);
        const double gap = apart_along(pair, n);
        int least = 0;
        for (int k = 1; k < CLIMBS; ++k)
            if (gaps[k] < gaps[least]) least = k;
        if (gap > gaps[least]) {
            gaps[least] = gap;
            tops[least] = n;
        }
    }
    double best = -INFINITY;
    for (int k = 0; k < CLIMBS; ++k) best = fmax(best, climbed(pair, tops[k], random));
    return best;
}

#endif
