// What a robot must be: every finding names the link, the parameter, the value, and what would be
// right.
#include "robot/tree.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "algebra/symmetric3.h"
#include "base/finite.h"
#include "base/names.h"
#include "robot/recursion.h"

// Drawing programs print about six digits.
static const double ROUNDED = 1e-5;

typedef struct Check {
    const StiLink *links;
    int count;
    StiReport *report;
    StiArena *arena; // of the two tables
    StiNames *names, *joint_names;
} Check;

// A link as findings call it.
typedef struct Label {
    char text[64];
} Label;

static bool named(const char *name) { return name != NULL && name[0] != '\0'; }

static Label label_of(const Check *check, int i)
{
    Label label;
    if (named(check->links[i].name))
        snprintf(label.text, sizeof label.text, "%s", check->links[i].name);
    else
        snprintf(label.text, sizeof label.text, "link %d", i);
    return label;
}

static void finding(const Check *check, StiSeverity severity, int i, const char *parameter,
                    double value, const char *text)
{
    sti_report_add(check->report, severity, label_of(check, i).text, parameter, value, "%s", text);
}

static void error(const Check *check, int i, const char *parameter, double value, const char *text)
{
    finding(check, STI_ERROR, i, parameter, value, text);
}

static void check_names(const Check *check, int i)
{
    const StiLink *link = &check->links[i];
    if (!named(link->name)) error(check, i, "name", NAN, "a link needs a name");
    if (!named(link->joint_name) && link->joint != STI_JOINT_FIXED) // nothing to move or to record
        error(check, i, "joint_name", NAN, "the joint of this link needs a name");
    if (named(link->name) && sti_names_put(check->names, check->arena, link->name, i) != i)
        error(check, i, "name", NAN, "two links have this name; names must be unique");
    if (!named(link->joint_name)) return;
    const int j = sti_names_put(check->joint_names, check->arena, link->joint_name, i);
    if (j != i)
        sti_report_add(check->report, STI_ERROR, label_of(check, i).text, "joint_name", NAN,
                       "the joint of %s is called %s, too; names must be unique",
                       label_of(check, j).text, link->joint_name);
}

static void check_parent(const Check *check, int i)
{
    const int parent = check->links[i].parent;
    if (parent < -1 || parent >= check->count)
        sti_report_add(check->report, STI_ERROR, label_of(check, i).text, "parent", parent,
                       "there is no such link: a parent is -1 (the world) or one of 0 to %d",
                       check->count - 1);
}

static bool is_finite(StiVec3 a)
{
    const double axes[3] = {a.x, a.y, a.z};
    return sti_all_finite(axes, 3);
}

static void check_placement(const Check *check, int i)
{
    const StiLink *link = &check->links[i];
    const StiQuat q = link->placement.q;
    const double attitude[4] = {q.w, q.x, q.y, q.z};
    if (!is_finite(link->placement.p))
        error(check, i, "placement", sti_vec3_norm(link->placement.p),
              "the place of the joint must be three finite numbers, m");
    if (!sti_all_finite(attitude, 4))
        error(check, i, "placement", NAN,
              "the attitude of the joint must be a finite quaternion; 1, 0, 0, 0 is none");
}

static void check_axis(const Check *check, int i)
{
    const StiLink *link = &check->links[i];
    if (!sti_joints[link->joint].axis) return;
    const double length = sti_vec3_norm(link->axis);
    if (!(length > 0.0) || !isfinite(1.0 / length) || !isfinite(length))
        sti_report_add(check->report, STI_ERROR, label_of(check, i).text, "axis", length,
                       "a %s joint needs an axis: three finite numbers, not all 0",
                       sti_joints[link->joint].name);
}

static bool one_axis(const StiLink *link)
{
    return sti_joint_velocities(&sti_joints[link->joint]) == 1;
}

static void check_armature(const Check *check, int i)
{
    const StiLink *link = &check->links[i];
    if (!(link->armature >= 0.0) || !isfinite(link->armature))
        error(check, i, "armature", link->armature,
              "the inertia of a rotor must be finite and not below 0");
    else if (link->armature > 0.0 && !one_axis(link))
        sti_report_add(check->report, STI_ERROR, label_of(check, i).text, "armature",
                       link->armature,
                       "a %s joint has no rotor: armature belongs to revolute and prismatic joints",
                       sti_joints[link->joint].name);
}

static void check_bearing(const Check *check, int i)
{
    const StiLink *link = &check->links[i];
    const char *const names[3] = {"radial_radius", "axial_radius", "moment_ratio"};
    const double numbers[3] = {link->bearing.radial_radius, link->bearing.axial_radius,
                               link->bearing.moment_ratio};
    for (int k = 0; k < 3; ++k)
        if (!(numbers[k] >= 0.0) || !isfinite(numbers[k]))
            error(check, i, names[k], numbers[k], "must be finite and not below 0");
        else if (numbers[k] > 0.0 && link->joint != STI_JOINT_REVOLUTE)
            sti_report_add(check->report, STI_ERROR, label_of(check, i).text, names[k], numbers[k],
                           "a %s joint has no such bearing: it belongs to revolute joints",
                           sti_joints[link->joint].name);
}

static void check_limits(const Check *check, int i)
{
    const StiLink *link = &check->links[i];
    if (!link->limited) return;
    if (!one_axis(link))
        sti_report_add(check->report, STI_WARNING, label_of(check, i).text, "limited", NAN,
                       "not used: a %s joint has no limits", sti_joints[link->joint].name);
    else if (isnan(link->lower) || isnan(link->upper))
        error(check, i, isnan(link->lower) ? "lower" : "upper", NAN, "a limit must be a number");
    else if (link->lower > link->upper)
        sti_report_add(check->report, STI_ERROR, label_of(check, i).text, "lower", link->lower,
                       "the lower limit is above the upper one, %g", link->upper);
}

static void check_joint(const Check *check, int i)
{
    const StiJointType type = check->links[i].joint;
    check_placement(check, i);
    if ((int)type < 0 || type >= STI_JOINT_TYPES) {
        error(check, i, "joint", type, "there is no such type of joint");
        return;
    }
    check_axis(check, i);
    check_armature(check, i);
    check_bearing(check, i);
    check_limits(check, i);
}

// No mass distribution has a negative principal moment, or one above the sum of the others.
static void check_moments(const Check *check, int i)
{
    const StiLink *link = &check->links[i];
    double moments[3];
    sti_symmetric3_eigenvalues(link->inertia, moments);
    if (moments[0] < -ROUNDED * fabs(moments[2]))
        error(
            check, i, "inertia", moments[0],
            "a principal moment of inertia is negative; the tensor must be positive semidefinite");
    else if (moments[2] > moments[0] + moments[1] + ROUNDED * moments[2])
        sti_report_add(
            check->report, STI_ERROR, label_of(check, i).text, "inertia", moments[2],
            "no body has this principal moment beside the others, %g and %g: it must not "
            "exceed their sum",
            moments[0], moments[1]);
    else if (moments[2] > 0.0 && link->mass == 0.0)
        finding(check, STI_WARNING, i, "mass", link->mass,
                "no body has moments of inertia without mass; computed as given");
}

static void check_body(const Check *check, int i)
{
    const StiLink *link = &check->links[i];
    if (!(link->mass >= 0.0) || !isfinite(link->mass))
        error(check, i, "mass", link->mass, "a mass must be finite and not below 0 kg");
    if (!is_finite(link->centre))
        error(check, i, "centre", sti_vec3_norm(link->centre),
              "the centre of mass must be three finite numbers, m");
    if (sti_all_finite(link->inertia, 6))
        check_moments(check, i);
    else
        error(check, i, "inertia", NAN,
              "the moments of inertia must be six finite numbers, kg m^2");
}

void sti_tree_check(const StiLink *links, int count, StiReport *report)
{
    StiArena arena = {0};
    StiNames names = {0}, joint_names = {0};
    const Check check = {links, count, report, &arena, &names, &joint_names};
    if (links == NULL || count < 1) {
        sti_report_add(report, STI_ERROR, "", "links", count, "a robot needs at least one link");
        return;
    }
    for (int i = 0; i < count; ++i) {
        check_names(&check, i);
        check_parent(&check, i);
        check_joint(&check, i);
        check_body(&check, i);
    }
    if (arena.failed) sti_report_add(report, STI_ERROR, "", "", NAN, "out of memory");
    sti_arena_release(&arena);
}

// Somewhere without symmetry: multiples of the golden section, about 1 rad or m.
static void generic_position(const StiRobot *robot, double *q, double *v)
{
    for (int k = 0; k < robot->velocities; ++k) v[k] = 0.5 + fmod(0.6180339887498949 * k, 1.0);
    sti_robot_rest(robot, q);
    sti_robot_move(robot, v, 1.0, q);
}

static void report_unopposed(const StiRobot *robot, int link, StiReport *report)
{
    const StiLink *given = &robot->given[link];
    sti_report_add(
        report, STI_ERROR, given->name, "mass", given->mass,
        "nothing with inertia moves with joint %s alone, so a force on it has no finite "
        "effect: give this link or one that hangs on it mass and inertia, or the joint an "
        "armature",
        given->joint_name);
}

// D below this part of what it was made of is only rounding.
static bool vanishes(const RobotLink *link, const LinkSpot *spot, const JointAxis *axes, int k,
                     double armature)
{
    static const double ROUNDING = 1e-14;
    const bool turn = k >= link->v + link->slides;
    const StiWrench F = sti_robot_column(spot->inertia, turn, axes[k].s);
    const double composite = sti_robot_along(turn, axes[k].s, F) + armature;
    return !(ROUNDING * composite * axes[k].mobility < 1.0);
}

// Holds every axis that nothing opposes by an infinite inertia, until the others can be factored.
static void hold_unopposed_axes(const StiRobot *robot, const LinkSpot *spots, JointAxis *axes,
                                double *added)
{
    for (int k = 0; k < robot->velocities; ++k) added[k] = axes[k].mobility = 0.0;
    int stopped = sti_robot_factor(robot, spots, NULL, added, axes);
    while (stopped >= 0 && added[stopped] == 0.0) { // held in vain: numbers too large to multiply
        added[stopped] = INFINITY;
        stopped = sti_robot_factor(robot, spots, NULL, added, axes);
    }
}

void sti_tree_check_inertia(const StiRobot *robot, double *workspace, StiReport *report)
{
    const RobotMemory m = sti_robot_memory(robot, workspace);
    double *q = workspace + sti_robot_workspace(robot), *v = q + robot->positions;
    generic_position(robot, q, v);
    sti_robot_place(robot, q, m.spots, m.axes);
    double *added = v; // no longer needed
    hold_unopposed_axes(robot, m.spots, m.axes, added);
    sti_robot_compose(robot, m.spots);
    for (int i = 0; i < robot->count; ++i) {
        const RobotLink *link = &robot->links[i];
        bool unopposed = false;
        for (int k = link->v; k < link->v + link->velocities; ++k)
            unopposed = unopposed || added[k] > 0.0 ||
                        vanishes(link, &m.spots[i], m.axes, k, robot->armature[k]);
        if (unopposed) report_unopposed(robot, link->order.link, report);
    }
}
