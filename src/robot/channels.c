#include "robot/channels.h"

#include <stdio.h>
#include <string.h>

typedef struct JointChannels {
    int count;
    StiChannelInfo names[13];
} JointChannels;

// Positions first, then velocities, as they stand in q and v.
static const JointChannels joint_channels[STI_JOINT_TYPES] = {
    [STI_JOINT_REVOLUTE] = {2, {{"q", "rad"}, {"qd", "rad/s"}}},
    [STI_JOINT_PRISMATIC] = {2, {{"q", "m"}, {"qd", "m/s"}}},
    [STI_JOINT_SPHERICAL] = {7,
                             {{"qw", "1"},
                              {"qx", "1"},
                              {"qy", "1"},
                              {"qz", "1"},
                              {"wx", "rad/s"},
                              {"wy", "rad/s"},
                              {"wz", "rad/s"}}},
    [STI_JOINT_PLANAR] = {6,
                          {{"x", "m"},
                           {"y", "m"},
                           {"angle", "rad"},
                           {"vx", "m/s"},
                           {"vy", "m/s"},
                           {"rate", "rad/s"}}},
    [STI_JOINT_FLOATING] = {13,
                            {{"x", "m"},
                             {"y", "m"},
                             {"z", "m"},
                             {"qw", "1"},
                             {"qx", "1"},
                             {"qy", "1"},
                             {"qz", "1"},
                             {"vx", "m/s"},
                             {"vy", "m/s"},
                             {"vz", "m/s"},
                             {"wx", "rad/s"},
                             {"wy", "rad/s"},
                             {"wz", "rad/s"}}},
};

const StiChannelInfo *sti_joint_channels(StiJointType type) { return joint_channels[type].names; }

// By the joint; a fixed joint may have no name of its own.
static void name_loads(StiRobot *robot)
{
    StiChannelInfo *names = sti_arena_take(&robot->arena, (size_t)robot->count + 1, sizeof *names);
    for (int i = 0; names != NULL && i < robot->count; ++i) {
        const StiLink *link = &robot->given[i];
        const bool named = link->joint_name != NULL && link->joint_name[0] != '\0';
        char name[128];
        snprintf(name, sizeof name, "%s.load", named ? link->joint_name : link->name);
        names[i] = (StiChannelInfo){sti_arena_text(&robot->arena, name),
                                    sti_bearing_given(&link->bearing) ? "N m" : "N"};
    }
    robot->load_channels = names;
}

bool sti_robot_name_channels(StiRobot *robot)
{
    for (int i = 0; i < robot->count; ++i)
        robot->channel_count += joint_channels[robot->given[i].joint].count;
    StiChannelInfo *names =
        sti_arena_take(&robot->arena, (size_t)robot->channel_count + 1, sizeof *names);
    robot->channels = names;
    for (int i = 0; names != NULL && i < robot->count; ++i) {
        const JointChannels *joint = &joint_channels[robot->given[i].joint];
        for (int k = 0; k < joint->count; ++k) {
            char name[128];
            snprintf(name, sizeof name, "%s.%s", robot->given[i].joint_name, joint->names[k].name);
            *names++ = (StiChannelInfo){sti_arena_text(&robot->arena, name), joint->names[k].unit};
        }
    }
    name_loads(robot);
    return !robot->arena.failed;
}

int sti_robot_channels(const StiRobot *robot, const StiChannelInfo **names)
{
    *names = robot->channels;
    return robot->channel_count;
}

// Velocities are numbered link after link.
static int link_of_velocity(const StiRobot *robot, int velocity)
{
    int from = 0, to = robot->count - 1;
    while (from < to) {
        const int middle = (from + to + 1) / 2;
        if (sti_robot_joint_velocity(robot, middle) <= velocity)
            from = middle;
        else
            to = middle - 1;
    }
    return from;
}

bool sti_robot_is_angular(const StiRobot *robot, int velocity)
{
    const int i = link_of_velocity(robot, velocity);
    const JointChannels *joint = &joint_channels[robot->given[i].joint];
    const int first = sti_robot_joint_velocity(robot, i);
    const int velocities = robot->links[robot->sorted[i]].velocities;
    if (velocity < first || velocity >= first + velocities) return false;
    return strcmp(joint->names[joint->count - velocities + velocity - first].unit, "rad/s") == 0;
}

double *sti_robot_observe_joint(const StiRobot *robot, int link, const double *q, const double *v,
                                double *values)
{
    const int count = joint_channels[robot->given[link].joint].count;
    const int first_q = sti_robot_joint_position(robot, link);
    const int first_v = sti_robot_joint_velocity(robot, link);
    const int velocities = robot->links[robot->sorted[link]].velocities;
    for (int k = 0; k < count - velocities; ++k) *values++ = q[first_q + k];
    for (int k = 0; k < velocities; ++k) *values++ = v[first_v + k];
    return values;
}
