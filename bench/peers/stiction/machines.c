// The cases as plans. Set-valued friction in joints (finite-time), hard contacts (solver coupled where
// there are robots or contacts, which is what a plan takes by itself).
#include <stdio.h>
#include <stdlib.h>

#include "world.h"

// ---- loads ----------------------------------------------------------------------------------------

static void box_pull(const void *data, void *workspace, double t, double *f)
{
    const PeerTask *task = data;
    (void)workspace;
    const double pull = task->which == CASE_CREEP_BOX ? creep_box_force(t) : sliding_box_force();
    f[0] = pull * cos(task->angle);
    f[1] = pull * sin(task->angle);
    f[2] = 0.0;
}
static void joint_load(const void *data, void *workspace, double t, double *f)
{
    (void)data, (void)workspace;
    f[0] = creep_joint_torque(t);
}
static void hand(const void *data, void *workspace, double t, double *values)
{
    (void)data, (void)workspace;
    values[0] = pull_hand(t);
    values[1] = t < 2.0 ? 2.0 : 0.0;
}
static void push(const void *data, void *workspace, double t, double *f)
{
    (void)data, (void)workspace, (void)t;
    f[0] = crossing_force;
}
static void arm2_load(const void *data, void *workspace, double t, double *f)
{
    (void)data, (void)workspace;
    for (int i = 0; i < 2; ++i) f[i] = arm2_torque(i, t);
}
static void arm_load(const void *data, void *workspace, double t, double *f)
{
    (void)data, (void)workspace;
    for (int i = 0; i < ARM_AXES; ++i) f[i] = arm_torque(i, t);
}
static void press_right(const void *data, void *workspace, double t, double *f)
{
    (void)data, (void)workspace, (void)t;
    f[0] = finger_force;
}
static void press_left(const void *data, void *workspace, double t, double *f)
{
    (void)data, (void)workspace, (void)t;
    f[0] = -finger_force;
}

// ---- bodies ---------------------------------------------------------------------------------------

static void add_friction(StiPlan *plan, const char *name, StiWire wire, double level)
{
    sti_plan_add_reaction(plan, name, &sti_kind_finite_time,
                          &(StiFiniteTime){.dim = 1, .law = sti_law_coulomb(level)}, &wire);
}

static StiContactShape floor_at(double z)
{
    return (StiContactShape){{-1}, 0, sti_shape_plane(sti_vec3(0.0, 0.0, z), sti_vec3(0, 0, 1))};
}

static void add_box(StiPlan *plan, World *world)
{
    const StiVec3 half = {box_half[0], box_half[1], box_half[2]};
    world->body =
        sti_plan_add_admittance(plan, "box", &sti_kind_rigid_body,
                                &(StiRigidBody){.mass = box_mass,
                                                .inertia = {box_inertia(0), box_inertia(1),
                                                            box_inertia(2)},
                                                .position = {0.0, 0.0, half.z}});
    const StiContactShape box = {world->body, 0,
                                 sti_shape_box((StiFrame){.q = STI_QUAT_IDENTITY}, half)},
                          floor = floor_at(0.0);
    sti_plan_add_contact(
        plan, "floor",
        &(StiContact){.a = &box, .a_count = 1, .b = &floor, .b_count = 1, .mu = box_mu});
    const StiWire centre = sti_wire_coordinate(world->body, 0, 3);
    sti_plan_add_force(plan, "pull", &centre, 3,
                       (StiTimeFunction){.count = 3,
                                         .eval = box_pull,
                                         .data = &world->loads->task});
}

static void add_ball(StiPlan *plan, World *world)
{
    const double J = ball_inertia(), angle = world->task.angle;
    world->body = sti_plan_add_admittance(plan, "ball", &sti_kind_rigid_body,
                                          &(StiRigidBody){.mass = ball_mass,
                                                          .inertia = {J, J, J},
                                                          .position = {0.0, 0.0, ball_radius},
                                                          .velocity = {ball_speed * cos(angle),
                                                                       ball_speed * sin(angle)}});
    const StiContactShape ball = {world->body, 0, sti_shape_sphere(sti_vec3(0, 0, 0), ball_radius)},
                          floor = floor_at(0.0);
    sti_plan_add_contact(
        plan, "floor",
        &(StiContact){.a = &ball, .a_count = 1, .b = &floor, .b_count = 1, .mu = ball_mu});
}

static void add_block(StiPlan *plan, World *world)
{
    static const double stop[] = {2.0};
    world->body =
        sti_plan_add_admittance(plan, "block", &sti_kind_point_mass,
                                &(StiPointMass){.dim = 1,
                                                .mass = block_mass,
                                                .velocity = {block_velocity(world->task.which)}});
    const StiWire guide = sti_wire_coordinate(world->body, 0, 1);
    if (world->task.which == CASE_SPRING_PULL) {
        const StiAdmittanceId end = sti_plan_add_motion(
            plan, "hand", 1,
            (StiTimeFunction){.count = 2, .eval = hand, .breaks = stop, .break_count = 1});
        const StiWire spring = sti_wire_coordinate_pair(world->body, 0, end, 0, 1);
        sti_plan_add_impedance(plan, "spring", &sti_kind_spring_damper,
                               &(StiSpringDamper){.dim = 1, .K = pull_stiffness}, &spring);
    } else
        sti_plan_add_force(plan, "push", &guide, 1, (StiTimeFunction){.count = 1, .eval = push});
    add_friction(plan, "friction", guide, block_level);
}

static void add_robot(StiPlan *plan, World *world, const StiLink *links, int count,
                      const double *levels)
{
    StiRobot *robot = sti_robot_create(links, count, NULL);
    world->body =
        sti_plan_add_admittance(plan, "robot", &sti_kind_robot, &(StiRobotBody){.robot = robot});
    for (int i = 0; i < count; ++i) {
        char name[24];
        snprintf(name, sizeof name, "friction%03d", i);
        add_friction(plan, name, sti_wire_joint(world->body, robot, i), levels[i]);
    }
    sti_robot_destroy(robot); // the plan has its own
}

// A mass of 1 kg whose inertia about the hinge is the case's.
static void add_joint(StiPlan *plan, World *world)
{
    const StiLink link = {.name = "wheel",
                          .joint_name = "hinge",
                          .parent = -1,
                          .joint = STI_JOINT_REVOLUTE,
                          .axis = {0.0, 0.0, 1.0},
                          .mass = 1.0,
                          .inertia = {joint_inertia, joint_inertia, joint_inertia}};
    add_robot(plan, world, &link, 1, &joint_level);
    const StiWire joint = sti_wire_coordinate(world->body, 0, 1);
    sti_plan_add_force(plan, "load", &joint, 1, (StiTimeFunction){.count = 1, .eval = joint_load});
}

static void add_two_link(StiPlan *plan, World *world)
{
    static const double kinks[] = {0.52 / 0.3, 4.0};
    static const char *const names[] = {"upper", "lower"};
    const double J = arm2_inertia(), levels[2] = {arm2_level, arm2_level};
    StiLink links[2];
    for (int i = 0; i < 2; ++i)
        links[i] = (StiLink){.name = names[i],
                             .joint_name = names[i],
                             .parent = i - 1,
                             .joint = STI_JOINT_REVOLUTE,
                             .placement = {.p = {i * arm2_length, 0.0, 0.0}},
                             .axis = {0.0, 0.0, 1.0},
                             .mass = arm2_mass,
                             .centre = {0.5 * arm2_length, 0.0, 0.0},
                             .inertia = {arm2_thin, J, J}};
    add_robot(plan, world, links, 2, levels);
    const StiWire joints = sti_wire_coordinate(world->body, 0, 2);
    sti_plan_add_force(
        plan, "motors", &joints, 2,
        (StiTimeFunction){.count = 2, .eval = arm2_load, .breaks = kinks, .break_count = 2});
}

StiLink stiction_chain_rod(int i, const char *name)
{
    return (StiLink){.name = name,
                     .joint_name = name,
                     .parent = i - 1,
                     .joint = STI_JOINT_REVOLUTE,
                     .placement = {.p = {i > 0 ? chain_length : 0.0, 0.0, 0.0}},
                     .axis = {0.0, 1.0, 0.0},
                     .mass = chain_mass,
                     .centre = {0.5 * chain_length, 0.0, 0.0},
                     .inertia = {chain_inertia(0), chain_inertia(1), chain_inertia(2)}};
}

static void add_chain(StiPlan *plan, World *world)
{
    const int n = world->task.links;
    StiLink *links = calloc((size_t)n, sizeof *links);
    double *levels = calloc((size_t)n, sizeof *levels);
    char(*names)[16] = calloc((size_t)n, sizeof *names);
    for (int i = 0; i < n; ++i) {
        snprintf(names[i], sizeof names[i], "link%d", i);
        levels[i] = chain_level;
        links[i] = stiction_chain_rod(i, names[i]);
    }
    add_robot(plan, world, links, n, levels);
    StiContactShape spheres[2];
    for (int i = 0; i < 2; ++i)
        spheres[i] =
            (StiContactShape){world->body, n - 1,
                              sti_shape_sphere(sti_vec3(chain_spheres[i], 0, 0), chain_radius)};
    const StiContactShape floor = floor_at(-chain_radius);
    sti_plan_add_contact(
        plan, "floor",
        &(StiContact){.a = spheres, .a_count = 2, .b = &floor, .b_count = 1, .mu = chain_mu});
    free(links), free(levels), free(names);
}

static void add_finger(StiPlan *plan, const char *name, const char *force, double side,
                       StiAdmittanceId capsule)
{
    const StiVec3 half = {finger_half[0], finger_half[1], finger_half[2]};
    const StiAdmittanceId finger =
        sti_plan_add_admittance(plan, name, &sti_kind_guided_block,
                                &(StiGuidedBlock){.mass = finger_mass,
                                                  .axis = {1.0, 0.0, 0.0},
                                                  .origin = {side * (capsule_radius + half.x), 0.0,
                                                             pinch_height}});
    const StiWire guide = sti_wire_coordinate(finger, 0, 1);
    sti_plan_add_force(plan, force, &guide, 1,
                       (StiTimeFunction){.count = 1,
                                         .eval = side < 0.0 ? press_right : press_left});
    const double turn = sqrt(0.5); // z of the capsule along y of the world
    const StiContactShape held = {capsule, 0,
                                  sti_shape_capsule((StiFrame){.q = {turn, turn, 0.0, 0.0}},
                                                    capsule_radius, capsule_half)},
                          pad = {finger, 0,
                                 sti_shape_box((StiFrame){.q = STI_QUAT_IDENTITY}, half)};
    char contact[24];
    snprintf(contact, sizeof contact, "%s-contact", name);
    sti_plan_add_contact(
        plan, contact,
        &(StiContact){.a = &held, .a_count = 1, .b = &pad, .b_count = 1, .mu = pinch_mu});
}

static void add_pinch(StiPlan *plan, World *world)
{
    world->body =
        sti_plan_add_admittance(plan, "capsule", &sti_kind_rigid_body,
                                &(StiRigidBody){.mass = capsule_mass,
                                                .inertia = {capsule_inertia(0), capsule_inertia(1),
                                                            capsule_inertia(2)},
                                                .position = {0.0, 0.0, pinch_height}});
    add_finger(plan, "left", "left-force", -1.0, world->body);
    add_finger(plan, "right", "right-force", 1.0, world->body);
}

static void add_arm(StiPlan *plan, World *world)
{
    StiLink links[ARM_AXES];
    double levels[ARM_AXES];
    const double turn = sqrt(0.5);
    for (int i = 0; i < ARM_AXES; ++i) {
        const ArmLink *l = &arm_links[i];
        levels[i] = l->level;
        links[i] = (StiLink){.name = l->name,
                             .joint_name = l->name,
                             .parent = i - 1,
                             .joint = STI_JOINT_REVOLUTE,
                             .placement = {.p = {l->place[0], l->place[1], l->place[2]},
                                           .q = {l->turned ? turn : 1.0, 0.0,
                                                 l->turned ? turn : 0.0, 0.0}},
                             .axis = {0.0, l->about_z ? 0.0 : 1.0, l->about_z ? 1.0 : 0.0},
                             .mass = l->mass,
                             .centre = {l->centre[0], l->centre[1], l->centre[2]},
                             .inertia = {arm_inertia(i, 0), arm_inertia(i, 1), arm_inertia(i, 2)}};
    }
    add_robot(plan, world, links, ARM_AXES, levels);
    const StiWire joints = sti_wire_coordinate(world->body, 0, ARM_AXES);
    sti_plan_add_force(plan, "motors", &joints, ARM_AXES,
                       (StiTimeFunction){.count = ARM_AXES, .eval = arm_load});
}

void (*const stiction_machines[CASES])(StiPlan *plan, World *world) = {
    [CASE_CREEP_BOX] = add_box,     [CASE_CREEP_JOINT] = add_joint,
    [CASE_SPRING_PULL] = add_block, [CASE_ZERO_CROSSING] = add_block,
    [CASE_TWO_LINK] = add_two_link, [CASE_CHAIN] = add_chain,
    [CASE_ROLLING] = add_ball,      [CASE_SLIDING_BOX] = add_box,
    [CASE_PINCH] = add_pinch,       [CASE_ARM] = add_arm,
};
