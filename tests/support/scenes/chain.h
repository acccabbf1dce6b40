// A chain on a plane, for tests and benchmarks.
#ifndef STICTION_TESTS_SCENES_CHAIN_H
#define STICTION_TESTS_SCENES_CHAIN_H

#include <stdio.h>
#include <stdlib.h>

#include "stiction/stiction.h"
#include "support/plan.h"

static const double GRAVITY = 9.81;

// A chain laid out horizontally from a fixed pivot along x; joints turn about y,
// with friction of 0.05 N m; two spheres on the last link rest on a plane with mu = 0.5.
typedef struct Chain {
    StiRobot *robot;
    StiAdmittanceId id;
    StiPlan *plan;
} Chain;

static inline StiRobot *chain_robot(int n)
{
    StiLink *links = calloc((size_t)n, sizeof *links);
    char(*names)[2][24] = calloc((size_t)n, sizeof *names);
    const double a = 0.04 * 0.04, b = 0.3 * 0.3;
    for (int i = 0; i < n; ++i) {
        snprintf(names[i][0], sizeof names[i][0], "link%d", i);
        snprintf(names[i][1], sizeof names[i][1], "joint%d", i);
        links[i] = (StiLink){.name = names[i][0],
                             .joint_name = names[i][1],
                             .parent = i - 1,
                             .joint = STI_JOINT_REVOLUTE,
                             .placement = {.p = {i > 0 ? 0.3 : 0.0, 0.0, 0.0}},
                             .axis = {0.0, 1.0, 0.0},
                             .mass = 1.0,
                             .centre = {0.15, 0.0, 0.0},
                             .inertia = {(a + a) / 12.0, (a + b) / 12.0, (a + b) / 12.0}};
    }
    StiRobot *robot = sti_robot_create(links, n, NULL);
    free(names);
    free(links);
    return robot;
}

static inline Chain chain_plan(int n, double friction, double T)
{
    Chain chain = {.robot = chain_robot(n), .plan = plan_in_stages()};
    sti_plan_set_step(chain.plan, T);
    sti_plan_set_gravity(chain.plan, sti_vec3(0.0, 0.0, -GRAVITY));
    chain.id = sti_plan_add_admittance(chain.plan, "chain", &sti_kind_robot,
                                       &(StiRobotBody){.robot = chain.robot});
    for (int i = 0; friction > 0.0 && i < n; ++i) {
        char name[24];
        snprintf(name, sizeof name, "friction%03d", i);
        const StiWire wire = sti_wire_joint(chain.id, chain.robot, i);
        sti_plan_add_reaction(chain.plan, name, &sti_kind_finite_time,
                              &(StiFiniteTime){.dim = 1, .law = sti_law_coulomb(friction)}, &wire);
    }
    const StiContactShape spheres[2] = {{chain.id, n - 1,
                                         sti_shape_sphere(sti_vec3(0.02, 0.0, 0.0), 0.03)},
                                        {chain.id, n - 1,
                                         sti_shape_sphere(sti_vec3(0.28, 0.0, 0.0), 0.03)}};
    const StiContactShape floor = {
        {-1}, 0, sti_shape_plane(sti_vec3(0.0, 0.0, -0.03), sti_vec3(0.0, 0.0, 1.0))};
    sti_plan_add_contact(
        chain.plan, "floor",
        &(StiContact){.a = spheres, .a_count = 2, .b = &floor, .b_count = 1, .mu = 0.5});
    return chain;
}

#endif
