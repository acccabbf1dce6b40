// A plan changes the numbers of its own robot's links; a copy, as the network's, is made anew from
// them. What the recursions read therefore never changes.
#include "admittance/robot_parameters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"

#include "robot/channels.h"

typedef struct Listing {
    const char *owner; // link or joint
    StiVisit visit;
    void *context;
} Listing;

// One number "owner.name", several "owner.name[i]".
static bool list(const Listing *listing, StiNumber number, int count)
{
    const char *name = number.path;
    double *values = number.value;
    for (int i = 0; i < count; ++i) {
        char path[192];
        snprintf(path, sizeof path, count > 1 ? "%s.%s[%d]" : "%s.%s", listing->owner, name, i);
        number.path = path;
        number.value = &values[i];
        if (!listing->visit(listing->context, &number)) return false;
    }
    return true;
}

static bool list_vector(const Listing *listing, StiNumber number, StiVec3 *vector)
{
    double *const axes[3] = {&vector->x, &vector->y, &vector->z};
    const char *name = number.path;
    for (int i = 0; i < 3; ++i) {
        char indexed[32];
        snprintf(indexed, sizeof indexed, "%s[%d]", name, i);
        number.path = indexed;
        number.value = axes[i];
        if (!list(listing, number, 1)) return false;
    }
    return true;
}

static bool list_attitude(const Listing *listing, StiQuat *q)
{
    static const char *const names[4] = {"attitude[0]", "attitude[1]", "attitude[2]",
                                         "attitude[3]"};
    double *const parts[4] = {&q->w, &q->x, &q->y, &q->z};
    for (int i = 0; i < 4; ++i) {
        const StiNumber number = {names[i], "1", "quaternion of the joint in the parent's axes",
                                  STI_ANY, parts[i]};
        if (!list(listing, number, 1)) return false;
    }
    return true;
}

static bool list_body(const Listing *listing, StiLink *link)
{
    const StiNumber mass = {"mass", "kg", "mass of the link", STI_NOT_NEGATIVE, &link->mass};
    const StiNumber centre = {"centre", "m", "centre of mass in link axes", STI_ANY, NULL};
    const StiNumber inertia = {"inertia", "kg m^2", "about the centre: xx, yy, zz, xy, xz, yz",
                               STI_ANY, link->inertia};
    return list(listing, mass, 1) && list_vector(listing, centre, &link->centre) &&
           list(listing, inertia, 6);
}

static bool list_joint(const Listing *listing, StiLink *link)
{
    const StiJoint *joint = &sti_joints[link->joint];
    const StiNumber at = {"at", "m", "place of the joint in the parent's axes", STI_ANY, NULL};
    const StiNumber axis = {"axis", "1", "axis of the joint, of any length", STI_ANY, NULL};
    const StiNumber armature = {"armature", link->joint == STI_JOINT_PRISMATIC ? "kg" : "kg m^2",
                                "rotor inertia on the joint", STI_NOT_NEGATIVE, &link->armature};
    const StiNumber radial = {"radial_radius", "m", "where forces across the axis rub",
                              STI_NOT_NEGATIVE, &link->bearing.radial_radius};
    const StiNumber axial = {"axial_radius", "m", "where forces along the axis rub",
                             STI_NOT_NEGATIVE, &link->bearing.axial_radius};
    const StiNumber moment = {"moment_ratio", "1", "rubbing moment per moment across the axis",
                              STI_NOT_NEGATIVE, &link->bearing.moment_ratio};
    const bool bears = link->joint == STI_JOINT_REVOLUTE && sti_bearing_given(&link->bearing);
    return list_vector(listing, at, &link->placement.p) &&
           list_attitude(listing, &link->placement.q) &&
           (!joint->axis || list_vector(listing, axis, &link->axis)) &&
           (sti_joint_velocities(joint) != 1 || list(listing, armature, 1)) &&
           (!bears ||
            (list(listing, radial, 1) && list(listing, axial, 1) && list(listing, moment, 1)));
}

// Positions and velocities of a joint may have different units: a floating one slides and turns.
static bool list_start(const Listing *listing, const char *name, const char *meaning,
                       const StiChannelInfo *channels, double *values, int count)
{
    for (int i = 0; i < count; ++i) {
        char indexed[32];
        snprintf(indexed, sizeof indexed, count > 1 ? "%s[%d]" : "%s", name, i);
        const StiNumber number = {indexed, channels[i].unit, meaning, STI_ANY, &values[i]};
        if (!list(listing, number, 1)) return false;
    }
    return true;
}

static bool list_link(Listing *listing, const StiRobotBody *body, int i)
{
    const StiRobot *robot = body->robot;
    StiLink *link = &robot->given[i];
    const StiJoint *joint = &sti_joints[link->joint];
    const StiChannelInfo *channels = sti_joint_channels(link->joint);
    const int positions = sti_joint_positions(joint), velocities = sti_joint_velocities(joint);
    double *q = (double *)(uintptr_t)body->position, *v = (double *)(uintptr_t)body->velocity;
    listing->owner = link->name;
    if (!list_body(listing, link)) return false;
    if (link->joint_name[0] != '\0') listing->owner = link->joint_name;
    if (!list_joint(listing, link)) return false;
    if (q != NULL && body->positions == robot->positions &&
        !list_start(listing, "position", "position of the joint at the start", channels,
                    q + sti_robot_joint_position(robot, i), positions))
        return false;
    return v == NULL || body->velocities != robot->velocities ||
           list_start(listing, "velocity", "velocity of the joint at the start",
                      channels + positions, v + sti_robot_joint_velocity(robot, i), velocities);
}

static bool visit_all(void *parameters, StiVisit visit, void *context)
{
    const StiRobotBody *body = parameters;
    Listing listing = {.visit = visit, .context = context};
    for (int i = 0; body->robot != NULL && i < body->robot->count; ++i)
        if (!list_link(&listing, body, i)) return false;
    return true;
}

// A copy of the user's numbers, also where there are too many or too few, which the check reports.
static double *copy_of(const double *values, int count)
{
    double *copy = calloc((size_t)(count > 0 ? count : 0) + 1, sizeof *copy);
    if (copy != NULL && values != NULL && count > 0)
        memcpy(copy, values, (size_t)count * sizeof *copy);
    return copy;
}

static void release(void *parameters)
{
    StiRobotBody *body = parameters;
    sti_robot_destroy((StiRobot *)(uintptr_t)body->robot);
    free((double *)(uintptr_t)body->position);
    free((double *)(uintptr_t)body->velocity);
}

static bool own(void *parameters)
{
    StiRobotBody *body = parameters;
    const StiRobot *from = body->robot;
    if (from == NULL) {
        body->position = body->velocity = NULL;
        return true;
    }
    const bool at_rest = body->position == NULL;
    if (at_rest) body->positions = from->positions;
    if (body->velocity == NULL) body->velocities = from->velocities;
    double *q = copy_of(body->position, body->positions);
    body->robot = sti_robot_create(from->given, from->count, NULL);
    body->position = q;
    body->velocity = copy_of(body->velocity, body->velocities);
    if (at_rest && q != NULL) sti_robot_rest(from, q);
    if (body->robot != NULL && q != NULL && body->velocity != NULL) return true;
    release(body);
    return false;
}

const StiInside sti_robot_inside = {.table_size = sizeof(StiInside), .visit = visit_all, .own = own, .release = release};

void sti_robot_check_parameters(const StiRobotBody *body, const StiCheck *check)
{
    StiReport *report = sti_report_create();
    if (report == NULL) {
        sti_check_error(check, "", NAN, "out of memory");
        return;
    }
    sti_robot_destroy(sti_robot_create(body->robot->given, body->robot->count, report));
    for (int i = 0; i < sti_report_count(report); ++i) {
        const StiFinding *finding = sti_report_finding(report, i);
        char path[sizeof finding->component + sizeof finding->parameter];
        snprintf(path, sizeof path, "%s.%s", finding->component, finding->parameter);
        if (finding->severity == STI_ERROR)
            sti_check_error(check, path, finding->value, "%s", finding->text);
    }
    if (sti_report_failed(report)) sti_check_error(check, "", NAN, "out of memory");
    sti_report_destroy(report);
}
