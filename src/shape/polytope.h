// Private: boxes, hulls and the axes of capsules as corners, edges and faces; and how two of them can touch:
// a corner on a face, or an edge across an edge, each with a gap that is smooth in the poses.
#ifndef STICTION_SRC_SHAPE_POLYTOPE_H
#define STICTION_SRC_SHAPE_POLYTOPE_H

#include "shape/placed.h"

enum { STI_POLY_VERTICES = 16, STI_POLY_EDGES = 42, STI_POLY_FACES = 28, STI_POLY_BORDERS = 16 };

typedef struct StiPolytope {
    int vertex_count, edge_count, face_count;
    StiVec3 vertices[STI_POLY_VERTICES];
    int edges[STI_POLY_EDGES][2];
    StiVec3 normals[STI_POLY_FACES];               // unit, outward
    int corners[STI_POLY_FACES][STI_POLY_BORDERS]; // counter-clockwise, seen from outside
    int corner_count[STI_POLY_FACES];
    double rounding;
} StiPolytope;

// False: the shape is none, or one with too many corners. Own axes.
bool sti_polytope_of(const StiShape *shape, StiPolytope *polytope);
void sti_polytope_place(const StiPlaced *placed, StiPolytope *polytope); // to world axes

// How far a point is inside the borders of a face, along it, m.
double sti_polytope_inside(const StiPolytope *polytope, int face, StiVec3 point);

// Two straight edges (z axes of capsules, -half.z ... half.z) that cross: the normal is sense times the
// product of their directions. inside: how far the places are from the nearer end of an edge.
typedef struct StiCrossing {
    StiTouch touch;
    double sine;   // of the angle between them
    double inside; // m
} StiCrossing;
void sti_edges_cross(const StiShape *a, const StiFrame *link_a, const StiShape *b,
                     const StiFrame *link_b, double sense, StiCrossing *crossing);
// The same of edge i of a and edge j of b, both in world axes; sense 1.
void sti_polytopes_cross(const StiPolytope *a, int i, const StiPolytope *b, int j,
                         StiCrossing *crossing);
void sti_edges_motion(const StiShape *a, const StiFrame *link_a, const StiShape *b,
                      const StiFrame *link_b, double sense, const StiTouch *touch,
                      StiTouchMotion *motion);

// Edge e of a shape as a capsule of its rounding, in the axes of its link.
StiShape sti_polytope_edge(const StiShape *shape, const StiPolytope *own, int e);

#endif
