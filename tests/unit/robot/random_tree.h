// Random robots with all types of joints, in random states. Include after cmocka.h.
#ifndef STICTION_TESTS_RANDOM_TREE_H
#define STICTION_TESTS_RANDOM_TREE_H

#include <stdio.h>
#include <stdlib.h>

#include "stiction/robot.h"
#include "support/near.h"
#include "support/random_space.h"

enum { TREE_MOST = 256 };

typedef struct Tree {
    int links, positions, velocities;
    StiLink given[TREE_MOST];
    char names[TREE_MOST][2][24];
    StiRobot *robot;
    double *q, *v, *tau, *vdot, *workspace, *prepared;
    StiWrench *external;
    StiVec3 gravity;
} Tree;

static inline double *tree_doubles(int count)
{
    double *doubles = calloc((size_t)count + 1, sizeof *doubles);
    assert_non_null(doubles);
    return doubles;
}

// Tensor of a few point masses about their centre: one that exists.
static inline void random_inertia(Random *random, double mass, double size, double inertia[6])
{
    StiVec3 at[4], centre = {0.0, 0.0, 0.0};
    for (int i = 0; i < 4; ++i) {
        at[i] = random_vec3(random, size);
        centre = sti_vec3_add(centre, sti_vec3_scale(0.25, at[i]));
    }
    for (int j = 0; j < 6; ++j) inertia[j] = 0.0;
    for (int i = 0; i < 4; ++i) {
        const StiVec3 r = sti_vec3_sub(at[i], centre);
        const double square = sti_vec3_dot(r, r);
        const double J[6] = {square - r.x * r.x, square - r.y * r.y, square - r.z * r.z,
                             -r.x * r.y,         -r.x * r.z,         -r.y * r.z};
        for (int j = 0; j < 6; ++j) inertia[j] += 0.25 * mass * J[j];
    }
}

static inline StiLink random_link(Random *random, StiJointType joint)
{
    StiLink link = {.joint = joint, .placement = random_frame(random, 0.3)};
    link.axis = random_vec3(random, 2.0);
    link.mass = random_decades(random, 0.3, 3.0);
    link.centre = random_vec3(random, 0.2);
    random_inertia(random, link.mass, 0.3, link.inertia);
    const bool one_axis = joint == STI_JOINT_REVOLUTE || joint == STI_JOINT_PRISMATIC;
    const double rotor = random_decades(random, 1e-3, 1.0);
    if (one_axis && random_below(random, 2) == 0) link.armature = rotor;
    return link;
}

// Parents are among the earlier links, mostly the last one; then the links change places.
static inline void shuffle_links(Random *random, Tree *tree, const int *parents)
{
    int place[TREE_MOST];
    for (int i = 0; i < tree->links; ++i) place[i] = i;
    for (int i = tree->links - 1; i > 0; --i) {
        const int j = random_below(random, i + 1), held = place[i];
        place[i] = place[j];
        place[j] = held;
    }
    StiLink sorted[TREE_MOST];
    for (int i = 0; i < tree->links; ++i) sorted[i] = tree->given[i];
    for (int i = 0; i < tree->links; ++i) {
        StiLink *link = &tree->given[place[i]];
        *link = sorted[i];
        link->parent = parents[i] < 0 ? -1 : place[parents[i]];
    }
}

static inline void name_links(Tree *tree)
{
    for (int i = 0; i < tree->links; ++i) {
        snprintf(tree->names[i][0], sizeof tree->names[i][0], "link%d", i);
        snprintf(tree->names[i][1], sizeof tree->names[i][1], "joint%d", i);
        tree->given[i].name = tree->names[i][0];
        tree->given[i].joint_name = tree->names[i][1];
    }
}

static inline void tree_create(Tree *tree)
{
    StiReport *report = sti_report_create();
    tree->robot = sti_robot_create(tree->given, tree->links, report);
    char text[2048];
    sti_report_print(report, text, sizeof text);
    if (tree->robot == NULL) fail_msg("%s", text);
    sti_report_destroy(report);
    tree->positions = sti_robot_positions(tree->robot);
    tree->velocities = sti_robot_velocities(tree->robot);
    tree->q = tree_doubles(tree->positions);
    tree->v = tree_doubles(tree->velocities);
    tree->tau = tree_doubles(tree->velocities);
    tree->vdot = tree_doubles(tree->velocities);
    tree->workspace = tree_doubles(sti_robot_workspace(tree->robot));
    tree->prepared = tree_doubles(sti_robot_prepared(tree->robot));
    tree->external = calloc((size_t)tree->links, sizeof *tree->external);
    assert_non_null(tree->external);
    sti_robot_rest(tree->robot, tree->q);
}

static inline void tree_randomise(Random *random, Tree *tree)
{
    for (int i = 0; i < tree->positions; ++i) tree->q[i] = random_between(random, -1.0, 1.0);
    for (int i = 0; i < tree->velocities; ++i) {
        tree->v[i] = random_between(random, -2.0, 2.0);
        tree->tau[i] = random_between(random, -5.0, 5.0);
    }
    for (int i = 0; i < tree->links; ++i) {
        tree->external[i].force = random_vec3(random, 5.0);
        tree->external[i].moment = random_vec3(random, 2.0);
    }
    tree->gravity = random_vec3(random, 10.0);
    sti_robot_move(tree->robot, tree->v, 0.0, tree->q); // unit quaternions
}

// joint(random, i) chooses the type of joint of link i.
typedef StiJointType ChooseJoint(Random *random, int i);

static inline StiJointType any_joint(Random *random, int i)
{
    (void)i;
    return (StiJointType)random_below(random, STI_JOINT_TYPES);
}

static inline Tree *random_tree(Random *random, int links, ChooseJoint *joint)
{
    Tree *tree = calloc(1, sizeof *tree);
    assert_non_null(tree);
    int parents[TREE_MOST] = {0};
    tree->links = links;
    for (int i = 0; i < links; ++i) {
        tree->given[i] = random_link(random, joint(random, i));
        parents[i] = random_below(random, 10) < 3 ? random_below(random, i + 1) - 1 : i - 1;
    }
    shuffle_links(random, tree, parents);
    name_links(tree);
    tree_create(tree);
    tree_randomise(random, tree);
    return tree;
}

static inline void tree_destroy(Tree *tree)
{
    double *doubles[] = {tree->q, tree->v, tree->tau, tree->vdot, tree->workspace, tree->prepared};
    for (size_t i = 0; i < sizeof doubles / sizeof doubles[0]; ++i) free(doubles[i]);
    free(tree->external);
    sti_robot_destroy(tree->robot);
    free(tree);
}

// Forward dynamics of the tree's state into tree->vdot.
static inline void tree_forward(Tree *tree, StiWrench *loads)
{
    assert_int_equal(sti_robot_forward(tree->robot, tree->gravity, tree->q, tree->v, tree->tau,
                                       tree->external, tree->vdot, loads, tree->workspace),
                     STI_OK);
}

static inline double largest(const double *a, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; ++i) most = fmax(most, fabs(a[i]));
    return most;
}

static inline void assert_all_near(const double *measured, const double *expected, int count,
                                   double relative)
{
    const double scale = largest(expected, count);
    for (int i = 0; i < count; ++i) assert_near(measured[i], expected[i], relative * scale);
}

#endif
