// Shapes of bodies, where two of them touch, and which of many may touch. Pure functions of shapes
// and poses: no memory, no allocation, the same bits on every call.
//
// A shape is a convex core with a ball swept around it (the rounding; 0 for what has edges), and
// stands at p, q in the axes of its link. Every function works at any gap: apart, resting, deep.
#ifndef STICTION_SHAPE_H
#define STICTION_SHAPE_H

#include <stdint.h>

#include "kind.h"
#include "vector.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    STI_HULL_VERTICES = 64, // most corners of a hull
    STI_HULL_FACES = 124,   // 2 V - 4
    STI_HULL_CORNERS = 372, // over all faces: 6 V - 12
    STI_PATCH_CORNERS = 64, // most corners of a flat part of a surface
    STI_TOUCHES = 8         // no pair has more touches
};

typedef struct StiShape StiShape;

// A convex hull as one block that may be copied. Corners of a face are counter-clockwise, seen from
// outside.
typedef struct StiHull {
    int vertex_count, face_count;
    StiVec3 vertices[STI_HULL_VERTICES];
    StiVec3 normals[STI_HULL_FACES]; // unit, outward
    int16_t first[STI_HULL_FACES + 1];
    int16_t corners[STI_HULL_CORNERS];
    StiVec3 centre; // mean of the vertices: inside
    double reach;   // largest distance of a vertex from the origin
} StiHull;

// Keeps the points that are corners of their hull, in the order given. STI_BAD_ARGUMENT: fewer
// than 4 points or more than STI_HULL_VERTICES, not finite, or all in one plane.
STI_API StiStatus sti_hull_build(const StiVec3 *points, int count, StiHull *hull);

// A point of a surface with a number that stays the same while the shape moves; own axes.
typedef struct StiCorner {
    StiVec3 at;
    uint32_t feature;
} StiCorner;

// The part of a surface that faces a direction: a polygon (count >= 3, counter-clockwise from
// outside), an edge (2) or a point (1); own axes.
typedef struct StiPatch {
    StiVec3 normal; // unit, outward; of a polygon only
    int count;
    StiCorner corners[STI_PATCH_CORNERS];
} StiPatch;

// How far a point is from a surface; own axes.
typedef struct StiNearest {
    StiVec3 at;     // on the surface
    StiVec3 normal; // unit, outward
    double gap;     // m, negative inside
    uint32_t feature;
} StiNearest;

// A flat part of a surface; own axes.
typedef struct StiFace {
    StiVec3 normal; // unit, outward
    double height;  // m, of its plane over the origin
} StiFace;

// How a surface continues around one of its points; own axes. A vertex has neither slides nor holds,
// an edge one of each, a face two; a face also holds its normal at its edges and corners. An outward normal that turns by dn against the shape takes the
// point along by radius (round.dn) way, more where the point slides.
typedef struct StiSurface {
    int slides; // directions along which the point can move while the normal stays
    StiVec3 slide[2];
    int holds; // directions towards which the normal cannot turn against the shape
    StiVec3 hold[2];
    StiVec3 round, way; // unit, along the surface
    double radius;      // m; 0: sharp or flat
} StiSurface;

// What is known of a core beyond its verbs.
typedef enum StiCore {
    STI_CORE_CONVEX,
    STI_CORE_POINT,   // the origin
    STI_CORE_SEGMENT, // -half.z ... half.z on the z axis
    STI_CORE_BOX      // of the half edges
} StiCore;

// All in own axes; directions need not be unit vectors. All but rounding and reach speak of the core.
typedef struct StiShapeKind {
    size_t table_size; // sizeof(StiShapeKind): another one is refused
    StiInfo info;    // its check is handed the StiShape
    bool half_space; // all below z = 0; then no verb is needed
    StiCore core;
    double (*rounding)(const StiShape *shape);
    double (*reach)(const StiShape *shape); // radius of a ball around p that holds all of it
    StiVec3 (*support)(const StiShape *shape, StiVec3 direction); // furthest point
    // Points that can be the first to meet a plane whose outward normal is -direction, and those
    // that come next; at most STI_HULL_VERTICES.
    int (*corners)(const StiShape *shape, StiVec3 direction, StiCorner *corners);
    // All points whose hull is the core, at most STI_HULL_VERTICES; returns their number (vertices may
    // be NULL). NULL: there are none such.
    int (*vertices)(const StiShape *shape, StiVec3 *vertices);
    void (*patch)(const StiShape *shape, StiVec3 direction, StiPatch *patch);
    // All faces but those that look away from a unit direction, at most STI_HULL_FACES; NULL: there
    // are no faces that meet at edges.
    int (*faces)(const StiShape *shape, StiVec3 direction, StiFace *faces);
    // Closed form, where there is one; else NULL.
    StiNearest (*nearest)(const StiShape *shape, StiVec3 point);
    // At a point of the surface with a unit outward normal. False: the point does not follow from
    // the normal there.
    bool (*surface)(const StiShape *shape, StiVec3 point, StiVec3 normal, StiSurface *surface);
} StiShapeKind;

struct StiShape {
    const StiShapeKind *kind;
    StiVec3 p;           // m, in link axes
    StiQuat q;           // all zero: no rotation
    double radius;       // m: sphere, capsule, cylinder
    StiVec3 half;        // m: half edges of a box; z: half length of a capsule's or cylinder's axis
    const StiHull *hull; // the caller's, as long as the shape is used
    // A surface that runs over its body, as that of a conveyor or a turntable does; link axes. Its part along
    // the surface counts, the body and the shape stay.
    StiVec3 surface_velocity; // m/s
    StiVec3 surface_spin;     // rad/s, about p
    int material;             // its number, from 1, in the table of a contact; 0: none
};

// In the axes of the link, m. Sizes that make no sense are reported when a plan compiles.
STI_API StiShape sti_shape_point(StiVec3 at);
STI_API StiShape sti_shape_sphere(StiVec3 centre, double radius);
// Placements: p and q count. The axis is z; a capsule is 2 (half_length + radius) long.
STI_API StiShape sti_shape_capsule(StiFrame placement, double radius, double half_length);
STI_API StiShape sti_shape_cylinder(StiFrame placement, double radius, double half_length);
STI_API StiShape sti_shape_box(StiFrame placement, StiVec3 half_edges);
STI_API StiShape sti_shape_hull(StiFrame placement, const StiHull *hull);
// All that is below a plane through a point; its normal may be of any length.
STI_API StiShape sti_shape_plane(StiVec3 point, StiVec3 normal);

// Sizes above 0, everything finite.
STI_API void sti_shape_check(const StiShape *shape, const StiCheck *check);

// What the functions above give their shapes.
STI_API extern const StiShapeKind sti_shape_kind_point, sti_shape_kind_sphere,
    sti_shape_kind_capsule, sti_shape_kind_cylinder, sti_shape_kind_box, sti_shape_kind_hull,
    sti_shape_kind_plane;

// ---- where two shapes touch ---------------------------------------------------------------------

typedef struct StiTouch {
    StiVec3 point_a, point_b; // on the surfaces, world; point_a - point_b = gap normal
    StiVec3 normal;           // unit, from b to a, world
    double gap;               // m, negative: penetration
    uint32_t feature;         // the same for the same place of the pair, from step to step
} StiTouch;

// Touches with gap <= margin, at most max and at most STI_TOUCHES of them, sorted by feature;
// returns their number. Corners of two faces that lie on each other are all kept, up to eight (what
// is nearly at one place counts as one); of more candidates the deepest and then those far from each
// other, at most four. Two planes never touch.
STI_API int sti_shape_touch(const StiShape *a, const StiFrame *link_a, const StiShape *b,
                            const StiFrame *link_b, double margin, int max, StiTouch *touches);

// How a touch moves: d/dt of its points and of its normal, world axes.
typedef struct StiTouchMotion {
    StiVec3 point_a, point_b; // m/s, over the surfaces and with them
    StiVec3 normal;           // 1/s
} StiTouchMotion;

// From the velocities of the links and the curvatures of the shapes, without differences; until the
// touch changes its feature. False where the motion is not defined (two corners, two parallel edges,
// faces whose borders meet, the rim of a cylinder's cap on the border of a face): it is then given as
// if the touch were fixed on one of the shapes.
STI_API bool sti_touch_motion(const StiShape *a, const StiFrame *link_a, const StiShape *b,
                              const StiFrame *link_b, const StiTouch *touch,
                              StiTouchMotion *motion);

// ---- which of many may touch --------------------------------------------------------------------

// Axis-aligned, world; infinite for planes (but not towards the outside of a plane along an axis).
typedef struct StiBounds {
    StiVec3 lower, upper;
} StiBounds;

// A box around the shape, world axes, m; infinite where a plane does not bound it.
STI_API StiBounds sti_shape_bounds(const StiShape *shape, const StiFrame *link);

// Whose shape it is. Shapes of one link never touch, nor those of a link and its parent, nor two
// that are both fixed in the world.
typedef struct StiOwner {
    int body;   // -1: the world
    int link;   // within the body
    int parent; // link within the body; -1: none
} StiOwner;

typedef struct StiPair {
    int a, b; // numbers of shapes, a < b
} StiPair;

// What is known before anything moves. excluded must be sorted by a, then b.
typedef struct StiPairRules {
    const StiOwner *owners; // one per shape
    const StiPair *excluded;
    int excluded_count;
} StiPairRules;

// May these two touch at all?
STI_API bool sti_pair_allowed(const StiPairRules *rules, StiPair pair);

// Memory of a sweep: 2 count ints of the caller. What it holds speeds up the next call and never
// changes its result.
STI_API void sti_sweep_start(int *memory, int count);
// All allowed pairs whose bounds are nearer than margin, sorted by a, then b. Returns how many there
// are and writes at most max of them; if more, call again with more room: those written are then
// not the first of the order. Cost: n log n plus the pairs that overlap along the widest axis.
STI_API int sti_sweep(const StiBounds *bounds, int count, const StiPairRules *rules, double margin,
                      int *memory, int max, StiPair *pairs);

#ifdef __cplusplus
}
#endif
#endif
