// Ways out that are equally good. Where parallel edges meet, or corners, a whole range of normals
// separates two shapes, and rounding would pick one end of it. The mean of the faces that are
// equally good has no preference for either shape or side. It is as good as they are: the separation
// s(n) is concave before n is made a unit vector.
//
// Faces count less the less good they are, and not at all from tie |n - best| on. For an edge that
// is off the border of a face by x, and turned by the angle psi, that is x = tie / cos(psi / 2): as if
// edges were rounded by about `tie`. A best normal that is no face's (edges that cross; shapes apart)
// counts the more the better it is than all faces.
#include "shape/gap.h"

// Rounding of edges, in parts of the smaller shape's reach; in parts of the depth. Deeper than DEEP
// times that rounding the best way out is taken as it is.
static const double EDGE = 1e-4, TIE = 0.02, DEEP = 20.0, SHRINK = 0.02, ROUGHLY = 0.1;
// Normals that differ less (rad) are the same.
static const double SAME = 1e-10;

static double reach(const StiPlaced *placed) { return placed->shape->kind->reach(placed->shape); }

double sti_gap_edge(const StiPlaced *a, const StiPlaced *b)
{
    const double other = reach(b), least = fmin(reach(a), other);
    return EDGE * (least > 0.0 ? least : fmax(reach(a), other)); // a point has no reach
}

static double distance(StiVec3 a, StiVec3 b) { return sti_vec3_norm(sti_vec3_sub(a, b)); }

// The best way is a face's, and no other face is as good.
static bool is_one_face(const StiWays *ways)
{
    int i = 0;
    for (; i < ways->count; ++i) {
        const StiVec3 off = sti_vec3_sub(ways->faces[i].normal, ways->best.normal);
        if (!(sti_vec3_dot(off, off) < SAME * SAME)) break;
    }
    return i > 0 && i == ways->count;
}

static void set_best(StiWays *ways, StiStart best)
{
    const double depth = fmax(-best.gap, 0.0);
    ways->best = best;
    ways->tie = fmax(1.0 - depth / (DEEP * ways->edge), 0.0) * (ways->edge + TIE * depth);
}

void sti_ways_start(const StiPlaced *a, const StiPlaced *b, StiStart best, StiWays *ways)
{
    ways->edge = sti_gap_edge(a, b);
    ways->count = 0;
    ways->given = best.normal;
    set_best(ways, best);
}

void sti_ways_add(StiWays *ways, StiStart face)
{
    if (face.gap > ways->best.gap + 1e-6 * ways->edge) set_best(ways, face);
    if (face.gap < ways->best.gap - 2.0 * ways->tie || ways->count == STI_WAYS) return;
    ways->faces[ways->count++] = face;
}

// Of one shape; `touched`: roughly where the other one is touched. A face that this is far below is no
// way out, which saves most of the work.
static void add_faces_of(const StiPlaced *own, double side, const StiPlaced *other, StiVec3 touched,
                         StiWays *ways)
{
    if (own->shape->kind->faces == NULL) return;
    const StiVec3 out = sti_vec3_scale(side, ways->best.normal);
    const StiVec3 at = sti_placed_to_own(own, touched);
    const double far_below = ways->best.gap - ROUGHLY * reach(own);
    StiFace faces[STI_HULL_FACES];
    const int count =
        own->shape->kind->faces(own->shape, sti_mat3_transposed_times(own->R, out), faces);
    for (int i = 0; i < count; ++i) {
        const StiFace *const face = &faces[i];
        if (sti_vec3_dot(face->normal, at) - face->height < far_below) continue;
        const StiVec3 normal = sti_mat3_times(own->R, face->normal);
        const StiVec3 lowest = sti_placed_support(other, sti_vec3_scale(-1.0, normal));
        const double gap = sti_vec3_dot(normal, sti_vec3_sub(lowest, own->p)) - face->height;
        sti_ways_add(ways, (StiStart){sti_vec3_scale(side, normal), gap});
    }
}

static StiPlaced shrunken(const StiPlaced *placed)
{
    const StiVec3 inner = sti_placed_inner(placed), out = sti_vec3_sub(placed->p, inner);
    const double s = 1.0 - SHRINK;
    const StiMat3 R = placed->R;
    return (StiPlaced){placed->shape,
                       {sti_vec3_scale(s, R.x), sti_vec3_scale(s, R.y), sti_vec3_scale(s, R.z)},
                       sti_vec3_add_scaled(inner, s, out)};
}

// Shapes that touch are apart when they are shrunk, and from there one normal leads to the other,
// whichever corners or edges meet: it depends on the poses continuously and on nothing else.
static void add_between_shrunken(const StiPlaced *a, const StiPlaced *b, StiWays *ways)
{
    const StiPlaced small_a = shrunken(a), small_b = shrunken(b);
    const StiGap gap = sti_gap_apart(&small_a, sti_vec3(0.0, 0.0, 0.0), &small_b);
    if (gap.gap > 1e-6 * sti_gap_size(a, b))
        sti_ways_add(ways, (StiStart){gap.normal, sti_gap_along(a, b, gap.normal)});
}

void sti_ways_add_all(const StiPlaced *a, const StiPlaced *b, const StiVec3 *points, StiWays *ways)
{
    add_faces_of(a, -1.0, b, points[1], ways);
    add_faces_of(b, 1.0, a, points[0], ways);
    if (!is_one_face(ways) || ways->best.gap < -ways->edge) add_between_shrunken(a, b, ways);
}

// From the other faces. Only if there is none from the best normal: if that is no face's it may be
// one of several that are equally good, of which only one was found.
static double spread(const StiWays *ways, const StiStart *face)
{
    double most = 0.0;
    for (int i = 0; i < ways->count; ++i)
        most = fmax(most, distance(face->normal, ways->faces[i].normal));
    return most > SAME ? most : distance(face->normal, ways->best.normal);
}

static double weight_of_face(const StiWays *ways, const StiStart *face)
{
    const double less = ways->best.gap - face->gap;
    if (less <= 0.0) return 1.0;
    const double range = ways->tie * spread(ways, face);
    return less < range ? 1.0 - less / range : 0.0;
}

// None if it is a face's: that has its own weight.
static double weight_of_best(const StiWays *ways)
{
    const StiStart *next = &ways->faces[0];
    for (int i = 0; i < ways->count; ++i) {
        if (distance(ways->faces[i].normal, ways->best.normal) < SAME) return 0.0;
        if (ways->faces[i].gap > next->gap) next = &ways->faces[i];
    }
    const double more = ways->best.gap - next->gap;
    const double range = ways->tie * distance(next->normal, ways->best.normal);
    return more < range ? fmax(2.0 * more / range - 1.0, 0.0) : 1.0;
}

bool sti_ways_mean(const StiWays *ways, StiVec3 *normal)
{
    if (ways->tie == 0.0 || ways->count == 0 || is_one_face(ways)) return false;
    double total = weight_of_best(ways);
    StiVec3 sum = sti_vec3_scale(total, ways->best.normal);
    for (int i = 0; i < ways->count; ++i) {
        const double weight = weight_of_face(ways, &ways->faces[i]);
        sum = sti_vec3_add_scaled(sum, weight, ways->faces[i].normal);
        total += weight;
    }
    const double length = sti_vec3_norm(sum);
    if (!(length > 0.3 * total)) return false; // out at opposite ends: no way between them
    *normal = sti_vec3_scale(1.0 / length, sum);
    return distance(*normal, ways->given) > SAME;
}
