// Random trees and chains of links with friction, springs and motors in their joints. Include after cmocka.h.
#ifndef STICTION_TESTS_RANDOM_TREES_H
#define STICTION_TESTS_RANDOM_TREES_H

#include <stdio.h>

#include "stiction/stiction.h"
#include "support/plan.h"
#include "support/random_space.h"

enum { TREE_MOST = 40 };

typedef struct TreeOptions {
    int least, most; // links
    bool chain;      // no branches
    bool planar;     // all axes alike, at rest: many joints break loose together
    bool jumps;      // static friction above kinetic
    bool driven;     // motors and springs
    bool mirrored;   // at the plane x = 0: all angles are the same
} TreeOptions;

typedef struct RandomTree {
    int count;
    StiRobot *robot; // the tree owns it
    StiVec3 gravity;
    double q[TREE_MOST], v[TREE_MOST];
    double level[TREE_MOST], level_static[TREE_MOST], stiffness[TREE_MOST];
    double motor[TREE_MOST];
} RandomTree;

static inline StiVec3 tree_mirror(StiVec3 a) { return sti_vec3(-a.x, a.y, a.z); }

static inline StiLink random_tree_link(Random *random, int i, const char *name,
                                       const TreeOptions *options)
{
    const double length = random_between(random, 0.1, 0.4);
    const double m = random_between(random, 0.1, 1.0);
    const double thickness = random_between(random, 0.02, 0.1);
    const bool branches = !options->chain && random_below(random, 10) < 3;
    const int other = i > 0 ? random_below(random, i) : 0;
    const bool slides = !options->planar && random_below(random, 6) == 0;
    const bool armed = random_below(random, 3) == 0;
    StiVec3 axis = random_vec3(random, 1.0), off = random_vec3(random, 0.2 * length);
    if (options->planar) axis = off = sti_vec3(0.0, 0.0, 0.0);
    axis.y += 1.5;
    const double across = m * length * length / 12.0, along = m * thickness * thickness / 6.0;
    StiLink link = {.name = name,
                    .joint_name = name,
                    .parent = branches && i > 0 ? other : i - 1,
                    .joint = slides ? STI_JOINT_PRISMATIC : STI_JOINT_REVOLUTE,
                    .placement = {.p = sti_vec3(i > 0 ? length : 0.0, off.y, off.z)},
                    .axis = axis,
                    .mass = m,
                    .centre = sti_vec3(0.5 * length, 0.0, off.z),
                    .inertia = {along, across, across},
                    .armature = armed ? 0.01 * m * length * length : 0.0};
    if (!options->mirrored) return link;
    link.placement.p = tree_mirror(link.placement.p);
    link.centre = tree_mirror(link.centre);
    link.axis = slides ? tree_mirror(axis) : sti_vec3_scale(-1.0, tree_mirror(axis));
    return link;
}

static inline void random_tree_joint(Random *random, int i, const TreeOptions *options,
                                     RandomTree *tree)
{
    const bool moves = !options->planar && random_below(random, 2) == 0;
    const double q = random_between(random, -1.0, 1.0), v = random_between(random, -1.0, 1.0);
    const double level = random_decades(random, 0.02, 2.0);
    const double above = random_between(random, 1.05, 1.4);
    const bool bare = random_below(random, 10) == 0, sprung = random_below(random, 4) == 0;
    const double K = random_decades(random, 0.1, 10.0), motor = random_between(random, -2.0, 2.0);
    const bool drives = random_below(random, 4) == 0;
    tree->q[i] = options->planar ? 0.0 : q;
    tree->v[i] = moves ? v : 0.0;
    tree->level[i] = bare ? 0.0 : level;
    tree->level_static[i] = options->jumps ? above * level : 0.0;
    tree->stiffness[i] = options->driven && sprung ? K : 0.0;
    tree->motor[i] = options->driven && drives ? motor : 0.0;
}

static inline RandomTree random_tree(uint64_t seed, const TreeOptions *options)
{
    Random random = {seed};
    RandomTree tree = {.count = options->least +
                                random_below(&random, options->most - options->least + 1)};
    StiLink links[TREE_MOST];
    char names[TREE_MOST][16];
    for (int i = 0; i < tree.count; ++i) {
        snprintf(names[i], sizeof names[i], "link%02d", i);
        links[i] = random_tree_link(&random, i, names[i], options);
        random_tree_joint(&random, i, options, &tree);
    }
    tree.robot = sti_robot_create(links, tree.count, NULL);
    assert_non_null(tree.robot);
    const StiVec3 pull = random_vec3(&random, 2.0);
    tree.gravity = sti_vec3(options->planar ? 0.0 : pull.x, options->planar ? 0.0 : pull.y, -9.81);
    if (options->mirrored) tree.gravity = tree_mirror(tree.gravity);
    return tree;
}

static inline void random_tree_motors(const void *data, void *workspace, double t, double *values)
{
    (void)workspace;
    const RandomTree *tree = data;
    for (int i = 0; i < tree->count; ++i)
        values[i] = tree->motor[i] * (1.0 + 0.5 * sin(20.0 * t + i));
}

// The tree must outlive the plan and what is made of it.
static inline StiPlan *random_tree_plan(const RandomTree *tree, double step)
{
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId body = sti_plan_add_admittance(plan, "tree", &sti_kind_robot,
                                                         &(StiRobotBody){.robot = tree->robot,
                                                                         .positions = tree->count,
                                                                         .position = tree->q,
                                                                         .velocities = tree->count,
                                                                         .velocity = tree->v});
    for (int i = 0; i < tree->count; ++i) {
        char name[24];
        const StiWire wire = sti_wire_joint(body, tree->robot, i);
        snprintf(name, sizeof name, "friction%02d", i);
        if (tree->level[i] > 0.0)
            sti_plan_add_reaction(plan, name, &sti_kind_finite_time,
                                  &(StiFiniteTime){.dim = 1,
                                                   .law = sti_law_coulomb(tree->level[i]),
                                                   .level_static = tree->level_static[i]},
                                  &wire);
        snprintf(name, sizeof name, "spring%02d", i);
        if (tree->stiffness[i] > 0.0)
            sti_plan_add_impedance(plan, name, &sti_kind_spring_damper,
                                   &(StiSpringDamper){.dim = 1, .K = tree->stiffness[i]}, &wire);
    }
    const StiWire all = sti_wire_coordinate(body, 0, tree->count);
    sti_plan_add_force(plan, "motors", &all, tree->count,
                       (StiTimeFunction){.count = tree->count,
                                         .eval = random_tree_motors,
                                         .data = tree});
    sti_plan_set_gravity(plan, tree->gravity);
    sti_plan_set_step(plan, step);
    return plan;
}

// Of motion, weight and springs, J.
static inline double random_tree_energy(const RandomTree *tree, const double *q, const double *v,
                                        double *workspace)
{
    double energy = sti_robot_energy(tree->robot, tree->gravity, q, v, workspace);
    for (int i = 0; i < tree->count; ++i) energy += 0.5 * tree->stiffness[i] * q[i] * q[i];
    return energy;
}

#endif
