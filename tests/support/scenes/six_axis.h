// The arm of examples/robots/six_axis.urdf in C, with friction in its gears: finite-time or elastic
// Coulomb. Its motors hold it against gravity and shake it by a part of the kinetic level.
#ifndef STICTION_TESTS_SCENES_SIX_AXIS_H
#define STICTION_TESTS_SCENES_SIX_AXIS_H

#include <math.h>
#include <stdlib.h>

#include "stiction/stiction.h"
#include "support/plan.h"

enum { SIX_AXES = 6 };

static const double six_axis_level[SIX_AXES] = {11.2, 12.4, 7.3, 1.6, 1.5, 1.1};  // N m
static const double six_axis_viscous[SIX_AXES] = {9.5, 9.5, 5.6, 0.9, 0.8, 0.6};  // N m s/rad
static const double six_axis_pose[SIX_AXES] = {0.3, -0.7, 0.9, -0.6, 0.8, 0.4};   // rad
static const double six_axis_rotor[SIX_AXES] = {1.0, 1.0, 0.6, 0.08, 0.08, 0.06}; // kg m^2
static const StiVec3 six_axis_gravity = {0.0, 0.0, -9.81};

static inline StiLink six_axis_link(int i)
{
    static const char *const names[] = {"turn",        "lift",      "elbow",
                                        "wrist_pitch", "wrist_yaw", "wrist_roll"};
    static const StiVec3 places[] = {{0.0, 0.0, 0.16},  {0.0, 0.07, 0.0},  {0.0, -0.01, 0.425},
                                     {0.0, 0.0, 0.392}, {0.0, 0.093, 0.0}, {0.0, 0.0, 0.095}};
    static const StiVec3 centres[] = {{0.0, 0.0, 0.01},  {0.0, 0.06, 0.2},  {0.0, 0.0, 0.17},
                                      {0.0, 0.045, 0.0}, {0.0, 0.0, 0.045}, {0.0, 0.02, 0.0}};
    static const double masses[] = {3.6, 7.8, 2.4, 1.2, 1.2, 0.25};
    static const double inertias[][3] = {{0.00912, 0.00912, 0.00648},
                                         {0.12608, 0.12608, 0.011798},
                                         {0.031635, 0.031635, 0.00243},
                                         {0.00148, 0.00096, 0.00148},
                                         {0.00148, 0.00148, 0.00096},
                                         {0.0001099, 0.00015313, 0.0001099}};
    const double half = sqrt(0.5);
    const bool turned = i == 1 || i == 3, about_z = i == 0 || i == 4;
    return (StiLink){.name = names[i],
                     .joint_name = names[i],
                     .parent = i - 1,
                     .joint = STI_JOINT_REVOLUTE,
                     .placement = {.p = places[i],
                                   .q = {turned ? half : 1.0, 0.0, turned ? half : 0.0, 0.0}},
                     .axis = {0.0, about_z ? 0.0 : 1.0, about_z ? 1.0 : 0.0},
                     .mass = masses[i],
                     .centre = centres[i],
                     .inertia = {inertias[i][0], inertias[i][1], inertias[i][2]},
                     .armature = six_axis_rotor[i]};
}

static inline StiRobot *six_axis_robot(void)
{
    StiLink links[SIX_AXES];
    for (int i = 0; i < SIX_AXES; ++i) links[i] = six_axis_link(i);
    return sti_robot_create(links, SIX_AXES, NULL);
}

// What the motors give: gravity's torques at the pose, and a dither that differs from joint to joint.
typedef struct SixAxisMotors {
    double gravity[SIX_AXES];
    double dither; // part of the kinetic level
} SixAxisMotors;

static inline void six_axis_torques(const void *data, void *workspace, double t, double *torques)
{
    const SixAxisMotors *motors = data;
    (void)workspace;
    for (int i = 0; i < SIX_AXES; ++i)
        torques[i] = motors->gravity[i] +
                     motors->dither * six_axis_level[i] * sin(100.0 * t * (1.0 + 0.1 * i));
}

// motors must outlive the network.
static inline StiPlan *six_axis_plan(SixAxisMotors *motors, double dither, bool elastic, double T)
{
    StiRobot *robot = six_axis_robot();
    StiPlan *plan = plan_in_stages();
    double *workspace = calloc((size_t)sti_robot_workspace(robot), sizeof *workspace);
    const double still[SIX_AXES] = {0.0};
    if (workspace == NULL) abort();
    sti_robot_inverse(robot, six_axis_gravity, six_axis_pose, still, still, NULL, motors->gravity,
                      NULL, workspace);
    motors->dither = dither;
    free(workspace);
    sti_plan_set_step(plan, T);
    sti_plan_set_gravity(plan, six_axis_gravity);
    const StiAdmittanceId arm = sti_plan_add_admittance(plan, "arm", &sti_kind_robot,
                                                        &(StiRobotBody){.robot = robot,
                                                                        .positions = SIX_AXES,
                                                                        .position = six_axis_pose});
    const StiWire all = sti_wire_coordinate(arm, 0, SIX_AXES);
    sti_plan_add_force(plan, "motors", &all, SIX_AXES,
                       (StiTimeFunction){.count = SIX_AXES,
                                         .eval = six_axis_torques,
                                         .data = motors});
    for (int i = 0; i < SIX_AXES; ++i) {
        const double F = six_axis_level[i];
        const char *name = sti_robot_link(robot, i)->joint_name;
        const StiWire joint = sti_wire_joint(arm, robot, i);
        const StiLaw law = sti_law_stribeck(F, 1.3 * F, 0.08, 2.0, six_axis_viscous[i]);
        if (elastic)
            sti_plan_add_impedance(
                plan, name, &sti_kind_elastic_coulomb,
                &(StiElasticCoulomb){.dim = 1, .law = law, .K = 1000.0 * F, .B = 10.0 * F}, &joint);
        else
            sti_plan_add_reaction(plan, name, &sti_kind_finite_time,
                                  &(StiFiniteTime){.dim = 1, .law = law}, &joint);
    }
    sti_robot_destroy(robot); // the plan has its own
    return plan;
}

#endif
