// Which faces separate two shapes, or will by the end of a step: where there are several, edges or corners
// meet, and what looks like a wall may be passed above it.
#include "shape/gap.h"

enum { FACES_AT_MOST = STI_HULL_FACES };
static const double SAME = 1e-6; // rad

static bool is_known(const StiStart *ways, int count, StiVec3 normal)
{
    for (int i = 0; i < count; ++i) {
        const StiVec3 off = sti_vec3_sub(ways[i].normal, normal);
        if (sti_vec3_dot(off, off) < SAME * SAME) return true;
    }
    return false;
}

// Faces of one shape that do not look away from the other one.
static int add_faces(const StiPlaced *own, double side, const StiPlaced *other, StiVec3 normal,
                     double margin, StiStart *ways, int count)
{
    StiFace faces[FACES_AT_MOST];
    const StiVec3 out = sti_mat3_transposed_times(own->R, sti_vec3_scale(side, normal));
    const int found = own->shape->kind->faces(own->shape, out, faces);
    for (int i = 0; i < found && count < STI_WAYS_OUT; ++i) {
        const StiVec3 face = sti_mat3_times(own->R, faces[i].normal);
        const StiVec3 nearest = sti_placed_support(other, sti_vec3_scale(-1.0, face));
        const double gap = sti_vec3_dot(face, sti_vec3_sub(nearest, own->p)) - faces[i].height;
        const StiVec3 way = sti_vec3_scale(side, face);
        if (gap <= -margin || is_known(ways, count, way)) continue;
        ways[count++] = (StiStart){way, gap};
    }
    return count;
}

int sti_placed_ways_out(const StiPlaced *a, const StiPlaced *b, StiVec3 normal, double margin,
                        StiStart *ways)
{
    const StiShapeKind *const A = a->shape->kind, *const B = b->shape->kind;
    if (A->half_space || B->half_space || A->faces == NULL || B->faces == NULL) return 0;
    if (sti_placed_rounding(a) + sti_placed_rounding(b) > 0.0) return 0;
    const int count = add_faces(a, -1.0, b, normal, margin, ways, 0);
    return add_faces(b, 1.0, a, normal, margin, ways, count);
}
