// Robots: trees of links in reduced coordinates. Pure functions of (robot, q, v, ...) with a
// caller's workspace; no network is needed. All recursions are linear in the number of links.
#ifndef STICTION_ROBOT_H
#define STICTION_ROBOT_H

#include "admittance.h"
#include "bearing.h"

#ifdef __cplusplus
extern "C" {
#endif

// Joint axes are those of the placement, fixed in the parent; child axes are those of the link.
typedef enum StiJointType {
    STI_JOINT_FIXED,     // 0 velocities
    STI_JOINT_REVOLUTE,  // 1: angle about axis, rad
    STI_JOINT_PRISMATIC, // 1: displacement along axis, m
    STI_JOINT_SPHERICAL, // 3: angular velocity in child axes; q: quaternion w, x, y, z
    STI_JOINT_PLANAR, // 3: two displacements across axis, in joint axes (across z: x and y; across
                      //    x: y and z; across y: z and x; else the first of them made
                      //    perpendicular to axis), and the angle about axis
    STI_JOINT_FLOATING, // 6: velocity of the child's origin in joint axes, angular velocity in child
                        //    axes; q: position in joint axes, quaternion
    STI_JOINT_TYPES
} StiJointType;

// A link and the joint that carries it.
typedef struct StiLink {
    const char *name;       // of the link
    const char *joint_name; // of its joint; channels and wires use it (a fixed one may have none)
    int parent;             // index of another link, or -1 for the world
    StiJointType joint;
    bool
        limited; // revolute, prismatic: lower and upper hold (a continuous joint is revolute without)
    double lower, upper; // rad or m
    StiFrame placement;  // p and q (all zero: no rotation) of the joint in the parent link's axes
    StiVec3 axis;        // in joint axes, any length; revolute, prismatic, planar (its normal)
    double mass;         // kg
    StiVec3 centre;      // centre of mass in link axes, m
    double inertia[6];   // about the centre, link axes: xx, yy, zz, xy, xz, yz, kg m^2
    double
        armature; // reflected rotor inertia on the diagonal, kg m^2 or kg; 0 for others than one axis
    StiBearing bearing; // revolute: what the load of the joint is; all 0: the size of its force
} StiLink;

typedef struct StiRobot StiRobot; // validated, immutable, shared

// NULL after findings in the report: names, cycles, unknown parents, masses, inertias (also a joint
// that nothing with inertia moves with), axes. Several links may hang on the world (a note). Links
// may be given in any order; q, v, wrenches and frames have the order of the links as given.
STI_API StiRobot *sti_robot_create(const StiLink *links, int count, StiReport *report);
STI_API void sti_robot_destroy(StiRobot *robot);
STI_API int sti_robot_links(const StiRobot *robot);
STI_API int sti_robot_positions(const StiRobot *robot);
STI_API int sti_robot_velocities(const StiRobot *robot);
STI_API const StiLink *sti_robot_link(const StiRobot *robot,
                                      int link); // in the order they were given
STI_API int sti_robot_find_joint(const StiRobot *robot,
                                 const char *joint_name);              // link index, -1: none
STI_API int sti_robot_joint_position(const StiRobot *robot, int link); // first entry in q
STI_API int sti_robot_joint_velocity(const StiRobot *robot, int link); // first entry in v
STI_API int sti_robot_joint_velocities(const StiRobot *robot, int link); // how many it has

STI_API int sti_robot_workspace(const StiRobot *robot); // doubles that the functions below need

STI_API void sti_robot_rest(const StiRobot *robot, double *q); // zero positions, unit quaternions
// Frames of all links (origin at the joint), world axes.
STI_API void sti_robot_frames(const StiRobot *robot, const double *q, const double *v,
                              StiFrame *links);
// Forward dynamics by articulated bodies: vdot. external: one wrench per link about its origin,
// world axes, NULL: none. loads: NULL, or the wrench that each joint transmits to its link (world
// axes, about the origin), what its drive gives along its axes included. STI_BAD_ARGUMENT, and
// nothing written to vdot and loads, where the inertia is not positive or q is not a number.
STI_API StiStatus sti_robot_forward(const StiRobot *robot, StiVec3 gravity, const double *q,
                                    const double *v, const double *tau, const StiWrench *external,
                                    double *vdot, StiWrench *loads, double *workspace);
// Inverse dynamics by Newton and Euler: tau (armature included).
STI_API void sti_robot_inverse(const StiRobot *robot, StiVec3 gravity, const double *q,
                               const double *v, const double *vdot, const StiWrench *external,
                               double *tau, StiWrench *loads, double *workspace);
// H by composite bodies (velocities x velocities, row major), armature on the diagonal: a
// reference.
STI_API void sti_robot_mass_matrix(const StiRobot *robot, const double *q, double *H,
                                   double *workspace);
// Factors H(q) for respond. locked: velocities held at zero; added: numbers on the diagonal; NULL:
// none. STI_BAD_ARGUMENT where H with them is not positive definite.
STI_API int sti_robot_prepared(const StiRobot *robot); // doubles
STI_API StiStatus sti_robot_prepare(const StiRobot *robot, const double *q, const bool *locked,
                                    const double *added, double *prepared);
// dv = H^-1 (tau + J^T external), linear time; locked velocities stay zero. external: NULL: none.
STI_API void sti_robot_respond(const StiRobot *robot, const double *prepared, const double *tau,
                               const StiWrench *external, double *dv);
// Velocity of a point of a link (in link axes) per velocity: 3 x velocities, row major.
STI_API void sti_robot_point_jacobian(const StiRobot *robot, const double *q, int link,
                                      StiVec3 point, double *J, double *workspace);
// q after a time T at velocity v; T = 0 only restores unit quaternions.
STI_API void sti_robot_move(const StiRobot *robot, const double *v, double T, double *q);
// qdot from v (quaternion rates).
STI_API void sti_robot_rates(const StiRobot *robot, const double *q, const double *v, double *qdot);
// Kinetic and gravity energy, J (armature included; gravity: 0 at the world's origin); linear and
// angular momentum about the world's origin.
STI_API double sti_robot_energy(const StiRobot *robot, StiVec3 gravity, const double *q,
                                const double *v, double *workspace);
STI_API StiWrench sti_robot_momentum(const StiRobot *robot, const double *q, const double *v,
                                     double *workspace);

// A robot as a body of a network (admittance). Wires reach its joints by coordinate and its links
// by frame. Loads: one per link, the size of the constraint force at its joint's origin, N (moments
// and what acts along slides are left out). Plans and networks make robots of their own from this
// one's numbers, which are parameters of the plan: "arm.link1.mass", "arm.link1.centre[0]",
// "arm.link1.inertia[3]", "arm.joint0.armature", "arm.joint0.at[2]", "arm.joint0.attitude[0]",
// "arm.joint0.axis[1]", "arm.joint0.position", "arm.base.velocity[5]".
typedef struct StiRobotBody {
    const StiRobot *robot;
    int positions, velocities; // as many as the numbers below
    const double *position;    // at the start; NULL: zero, unit quaternions
    const double *velocity;    // NULL: zero
} StiRobotBody;
STI_API StiRobotBody sti_default_robot_body(void); // no robot yet; at rest at its zero position
// For sti_plan_add_admittance, with StiRobotBody.
STI_API extern const StiAdmittanceKind sti_kind_robot;

#ifdef __cplusplus
}
#endif
#endif
