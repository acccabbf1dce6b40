// Wires carry power between an element and one or two admittances. sense gives the motion of side a
// relative to side b; apply gives -u to a and +u to b along the same rows: what a wire takes from
// one side it gives to the other.
#ifndef STICTION_WIRE_H
#define STICTION_WIRE_H

#include "admittance.h"

#ifdef __cplusplus
extern "C" {
#endif

// A body of a plan, from sti_plan_add_admittance. Zero is nothing: an id that was never set is refused.
typedef struct StiAdmittanceId {
    int number;
} StiAdmittanceId;

// The world, as the other side of a wire or the body of a fixed shape.
static const StiAdmittanceId STI_GROUND = {-1};

// Where a wire is attached.
typedef struct StiEnd {
    StiAdmittanceId body;
    int place;      // first coordinate (in v), or link, as the kind of wire says
    int position;   // first coordinate in q; differs from place behind joints with quaternions
    StiFrame frame; // p and q (all zero: no rotation) in that link; v, w unused
    int admittance; // filled by compile: the body's number in its network; -1: the ground
} StiEnd;

// What a wire sees of one side; the ground is at rest at the origin.
typedef struct StiSide {
    const double *q, *v;  // coordinates; NULL on the ground
    const StiFrame *link; // the link the end names; never NULL
} StiSide;

typedef struct StiWireSize {
    int positions, velocities;
} StiWireSize;

typedef struct StiWire StiWire;

typedef struct StiWireKind {
    size_t table_size; // sizeof(StiWireKind): another one is refused
    StiInfo info;     // its check is handed the StiWire
    // Its rows are coordinates of a, from its place on, minus those of b, and forces go there: it need
    // not be called through this table.
    bool coordinates;
    bool links;       // its ends name links
    bool stops_both;  // its two coordinates are coupled elsewhere: where it sticks neither moves
    int translations; // velocities before the first that is a rotation (rad/s, N m), where turns
    bool is_angular;       // says that there is one; coordinates: the body knows
    // NULL, or the rate of the position `angle`, rad/s: its sense knows it only up to full turns, and the
    // network counts them.
    double (*turning)(const StiWire *wire, const StiSide *a, const StiSide *b);
    int angle;
    StiWireSize (*size)(const StiWire *wire);
    void (*sense)(const StiWire *wire, const StiSide *a, const StiSide *b, double *x, double *v);
    // Adds to the forces of both sides; those of the ground have NULL members.
    void (*apply)(const StiWire *wire, const StiSide *a, const StiSide *b, const double *u,
                  const StiForce *force_a, const StiForce *force_b);
} StiWireKind;

struct StiWire {
    const StiWireKind *kind;
    StiEnd a, b;
    int dim;
    double shape[4];        // sphere: radius; box: half edges; own wires: anything
    const void *parameters; // own wires: info.size bytes, copied by the plan
};

// Coordinates first_a ... of a, minus those of b where b is given.
STI_API StiWire sti_wire_coordinate(StiAdmittanceId a, int first, int dim);
STI_API StiWire sti_wire_coordinate_pair(StiAdmittanceId a, int first_a, StiAdmittanceId b,
                                         int first_b, int dim);
// factor_a times a coordinate of a plus factor_b times one of b; angular: a sum in rad, else in m. A
// helix is such a sum of coordinates that a coupling keeps at a ratio: both stop where it sticks.
STI_API StiWire sti_wire_combination(StiAdmittanceId a, int first_a, double factor_a,
                                     StiAdmittanceId b, int first_b, double factor_b, bool angular);
STI_API StiWire sti_wire_helix(StiAdmittanceId a, int first_a, double factor_a, StiAdmittanceId b,
                               int first_b, double factor_b, bool angular);
// The coordinates of one joint of a robot (robot.h), by its link.
struct StiRobot;
// By the link that the joint carries (sti_robot_find_joint).
STI_API StiWire sti_wire_joint(StiAdmittanceId a, const struct StiRobot *robot, int link);
// A point of a link (in link axes) against a fixed point of the world, or against a point of
// another link; world axes x, y, z (the first dim of them).
STI_API StiWire sti_wire_point(StiAdmittanceId a, int link, StiVec3 point, StiVec3 anchor, int dim);
STI_API StiWire sti_wire_point_pair(StiAdmittanceId a, int link_a, StiVec3 point_a,
                                    StiAdmittanceId b, int link_b, StiVec3 point_b, int dim);
// Frames B on a and E on b (b = STI_GROUND: the world), p and q given in link axes. x = (pB - pE, qE,
// qB), 11 numbers; v = (vB - vE, wB - wE), 6 numbers, world axes.
STI_API StiWire sti_wire_frame(StiAdmittanceId a, int link_a, StiFrame B, StiAdmittanceId b,
                               int link_b, StiFrame E);
// Rotation of B against E about the z axis of B: x = angle (-pi, pi], v = rate.
STI_API StiWire sti_wire_hinge(StiAdmittanceId a, int link_a, StiFrame B, StiAdmittanceId b,
                               int link_b, StiFrame E);
// The way of the origin of B along the z axis of E.
STI_API StiWire sti_wire_slide(StiAdmittanceId a, int link_a, StiFrame B, StiAdmittanceId b,
                               int link_b, StiFrame E);
// Points of a shape against a plane through a point with a normal of any length (world, or fixed in
// b). Three numbers per point: tangent 1, tangent 2, normal. For normal z the tangents are x and y.
STI_API StiWire sti_wire_point_plane(StiAdmittanceId a, int link, StiVec3 point,
                                     StiVec3 plane_point, StiVec3 normal);
STI_API StiWire sti_wire_sphere_plane(StiAdmittanceId a, int link, StiVec3 centre, double radius,
                                      StiVec3 plane_point, StiVec3 normal);
STI_API StiWire sti_wire_box_plane(StiAdmittanceId a, int link, StiFrame box, StiVec3 half_edges,
                                   StiVec3 plane_point, StiVec3 normal); // 8 corners
// The same wire with its plane fixed in a link of b instead of the world.
STI_API StiWire sti_wire_on_link(StiWire wire, StiAdmittanceId b, int link);

// The tables behind the functions above, for wires of one's own.
STI_API extern const StiWireKind sti_wire_kind_coordinate, sti_wire_kind_point, sti_wire_kind_frame,
    sti_wire_kind_hinge, sti_wire_kind_slide, sti_wire_kind_combination, sti_wire_kind_angular_combination,
    sti_wire_kind_helix, sti_wire_kind_angular_helix,
    sti_wire_kind_sphere_plane, sti_wire_kind_box_plane;

#ifdef __cplusplus
}
#endif
#endif
