// Two robots that must be the same, bit for bit. Include after cmocka.h.
#ifndef STICTION_TESTS_SCENE_URDF_COMPARE_H
#define STICTION_TESTS_SCENE_URDF_COMPARE_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "stiction/urdf.h"

static inline bool same_numbers(const void *a, const void *b, size_t count)
{
    return memcmp(a, b, count * sizeof(double)) == 0;
}

static inline bool same_link(const StiLink *a, const StiLink *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->joint_name, b->joint_name) == 0 &&
           a->parent == b->parent && a->joint == b->joint && a->limited == b->limited &&
           same_numbers(&a->lower, &b->lower, 1) && same_numbers(&a->upper, &b->upper, 1) &&
           same_numbers(&a->placement, &b->placement, 13) && same_numbers(&a->axis, &b->axis, 3) &&
           same_numbers(&a->mass, &b->mass, 1) && same_numbers(&a->centre, &b->centre, 3) &&
           same_numbers(a->inertia, b->inertia, 6) && same_numbers(&a->armature, &b->armature, 1);
}

static inline bool same_rest(const StiUrdfJoint *a, const StiUrdfJoint *b)
{
    return a->continuous == b->continuous && a->has_limits == b->has_limits &&
           a->has_dynamics == b->has_dynamics && same_numbers(&a->effort, &b->effort, 1) &&
           same_numbers(&a->velocity, &b->velocity, 1) &&
           same_numbers(&a->damping, &b->damping, 1) && same_numbers(&a->friction, &b->friction, 1);
}

static inline bool same_shape(const StiUrdfShape *a, const StiUrdfShape *b)
{
    const StiShape *s = &a->shape, *t = &b->shape;
    return s->kind == t->kind && a->link == b->link && same_numbers(&s->p, &t->p, 3) &&
           same_numbers(&s->q, &t->q, 4) && same_numbers(&s->radius, &t->radius, 1) &&
           same_numbers(&s->half, &t->half, 3);
}

static inline bool same_urdf(const StiUrdf *a, const StiUrdf *b)
{
    if (strcmp(a->name, b->name) != 0 || a->count != b->count || a->shape_count != b->shape_count)
        return false;
    for (int i = 0; i < a->count; ++i)
        if (!same_link(&a->links[i], &b->links[i]) || !same_rest(&a->joints[i], &b->joints[i]))
            return false;
    for (int i = 0; i < a->shape_count; ++i)
        if (!same_shape(&a->shapes[i], &b->shapes[i])) return false;
    return true;
}

// To be freed.
static inline char *written(const StiUrdf *urdf)
{
    const size_t length = sti_urdf_write(urdf, NULL, 0);
    char *text = malloc(length + 1);
    if (text != NULL) sti_urdf_write(urdf, text, length + 1);
    return text;
}

#endif
