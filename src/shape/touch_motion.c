// How a touch moves over two moving shapes (contact kinematics after Montana 1988), at any gap g.
// With n from b to a, shapes that turn with wa, wb, and surface points that the shapes move with the
// relative velocity u (a's less b's):
//     ndot = wa x n - na = wb x n + nb          na, nb: turn of the outward normals against the shapes
//     xa = Pa na + slides,  xb = Pb nb + slides   ways of the points over the surfaces
//     u + xa - xb = g ndot                      along the surface: the points stay opposite
//     na.c = 0, nb.c = 0                        for directions c in which a normal is held
// P is 0 of a vertex, r 1 of a sphere; edges and faces slide and hold instead, as if P were infinite.
#include "algebra/lu.h"
#include "shape/touches.h"

enum { MOST = 6 };

// Below this sine of the angle between two edges, or part of the size, there is no one answer.
static const double SINGULAR = 1e-9;

typedef struct Side {
    StiSurface surface;     // world axes
    double rounding, reach; // m; of a plane 0 and 1: it holds the normal, whatever the size
    StiVec3 v;              // m/s, of the shape at its point
    StiVec3 turned;         // w x n
} Side;

// Unknown are size times ndot along two tangents and the speeds of the slides, all in m/s.
typedef struct System {
    double size;
    int rows;
    double A[MOST * MOST], x[MOST];
    StiVec3 tangent[2], slide[MOST]; // of a, then of b, reversed
    int count;                       // of unknowns
} System;

static bool surface_of_core(const StiPlaced *placed, StiVec3 point, StiVec3 out, Side *side)
{
    StiSurface own = {.slides = 2, .slide = {{1, 0, 0}, {0, 1, 0}}, .holds = 2};
    own.hold[0] = own.slide[0], own.hold[1] = own.slide[1];
    const StiShapeKind *const kind = placed->shape->kind;
    side->rounding = kind->half_space ? 0.0 : kind->rounding(placed->shape);
    side->reach = kind->half_space ? 1.0 : kind->reach(placed->shape);
    const StiVec3 core = sti_vec3_add_scaled(point, -side->rounding, out);
    const bool known =
        kind->half_space || kind->surface(placed->shape, sti_placed_to_own(placed, core),
                                          sti_mat3_transposed_times(placed->R, out), &own);
    for (int i = 0; i < 2; ++i) {
        own.slide[i] = sti_mat3_times(placed->R, own.slide[i]);
        own.hold[i] = sti_mat3_times(placed->R, own.hold[i]);
    }
    own.round = sti_mat3_times(placed->R, own.round);
    own.way = sti_mat3_times(placed->R, own.way);
    side->surface = own;
    return known;
}

static bool set_side(const StiShape *shape, const StiFrame *link, StiVec3 point, StiVec3 out,
                     StiVec3 normal, Side *side)
{
    const StiPlaced placed = sti_shape_placed(shape, link);
    side->v = sti_frame_velocity_at(link, sti_vec3_sub(point, link->p));
    side->turned = sti_vec3_cross(link->w, normal);
    return surface_of_core(&placed, point, out, side);
}

// P times a direction along the surface.
static StiVec3 spread(const Side *side, StiVec3 a)
{
    const StiSurface *const s = &side->surface;
    return sti_vec3_add_scaled(sti_vec3_scale(side->rounding, a),
                               s->radius * sti_vec3_dot(s->round, a), s->way);
}

static void keep_opposite(const Side *sides, double gap, System *system)
{
    const StiVec3 u = sti_vec3_sub(sides[0].v, sides[1].v);
    const StiVec3 sum = sti_vec3_add(u, sti_vec3_add(spread(&sides[0], sides[0].turned),
                                                     spread(&sides[1], sides[1].turned)));
    StiVec3 per_turn[2];
    for (int i = 0; i < 2; ++i) {
        const StiVec3 t = system->tangent[i];
        per_turn[i] =
            sti_vec3_add_scaled(sti_vec3_add(spread(&sides[0], t), spread(&sides[1], t)), gap, t);
    }
    for (int i = 0; i < 2; ++i) {
        const StiVec3 t = system->tangent[i];
        double *const row = system->A + i * system->count;
        row[0] = sti_vec3_dot(t, per_turn[0]) / system->size;
        row[1] = sti_vec3_dot(t, per_turn[1]) / system->size;
        for (int k = 2; k < system->count; ++k) row[k] = -sti_vec3_dot(t, system->slide[k]);
        system->x[i] = sti_vec3_dot(t, sum);
    }
    system->rows = 2;
}

static void hold_normal(const Side *side, System *system)
{
    for (int i = 0; i < side->surface.holds; ++i) {
        double *const row = system->A + system->rows * system->count;
        const StiVec3 c = side->surface.hold[i];
        row[0] = sti_vec3_dot(c, system->tangent[0]);
        row[1] = sti_vec3_dot(c, system->tangent[1]);
        for (int k = 2; k < system->count; ++k) row[k] = 0.0;
        system->x[system->rows++] = system->size * sti_vec3_dot(c, side->turned);
    }
}

static bool factor(System *system, int *pivots)
{
    if (!sti_lu_factor(system->count, system->A, pivots)) return false;
    for (int i = 0; i < system->count; ++i)
        if (!(fabs(system->A[i * system->count + i]) > SINGULAR)) return false;
    return true;
}

static bool solve(const Side *sides, const StiTouch *touch, System *system)
{
    const StiSurface *const a = &sides[0].surface, *const b = &sides[1].surface;
    const StiVec3 across = sti_vec3_square_to(touch->normal);
    int pivots[MOST];
    system->tangent[0] = sti_vec3_scale(1.0 / sti_vec3_norm(across), across);
    system->tangent[1] = sti_vec3_cross(touch->normal, system->tangent[0]);
    system->size = sides[0].reach + sides[1].reach + fabs(touch->gap);
    system->count = 2;
    for (int i = 0; i < a->slides; ++i) system->slide[system->count++] = a->slide[i];
    for (int i = 0; i < b->slides; ++i)
        system->slide[system->count++] = sti_vec3_scale(-1.0, b->slide[i]);
    if (a->holds + b->holds != a->slides + b->slides || system->count > MOST) return false;
    keep_opposite(sides, touch->gap, system);
    hold_normal(&sides[0], system);
    hold_normal(&sides[1], system);
    if (!factor(system, pivots)) return false;
    sti_lu_solve(system->count, system->A, pivots, system->x);
    return true;
}

// Of two faces one gives the normal, and the other one follows.
static void leave_normal_to_one(const StiShape *a, const StiShape *b, const StiTouch *touch,
                                Side *sides)
{
    StiSurface *const on_a = &sides[0].surface, *const on_b = &sides[1].surface;
    if (on_a->holds + on_b->holds <= on_a->slides + on_b->slides) return;
    const bool by_b =
        b->kind->half_space || (!a->kind->half_space && (touch->feature & STI_FACE_OF_B) != 0);
    (by_b ? on_a : on_b)->holds = 0;
}

static void add_ways(const Side *sides, const System *system, StiTouchMotion *motion)
{
    const StiVec3 turn_a = sti_vec3_sub(sides[0].turned, motion->normal);
    const StiVec3 turn_b = sti_vec3_sub(motion->normal, sides[1].turned);
    const int first_of_b = 2 + sides[0].surface.slides;
    motion->point_a = sti_vec3_add(sides[0].v, spread(&sides[0], turn_a));
    motion->point_b = sti_vec3_add(sides[1].v, spread(&sides[1], turn_b));
    for (int i = 2; i < system->count; ++i) {
        StiVec3 *const point = i < first_of_b ? &motion->point_a : &motion->point_b;
        const double speed = i < first_of_b ? system->x[i] : -system->x[i];
        *point = sti_vec3_add_scaled(*point, speed, system->slide[i]);
    }
}

// As if the touch were fixed on the shape that does not give the normal.
static void stay_on_shape(const Side *sides, const StiTouch *touch, StiTouchMotion *motion)
{
    const bool by_a = sides[0].surface.holds == 2, by_b = sides[1].surface.holds == 2;
    const StiVec3 sum = sti_vec3_add(sides[0].turned, sides[1].turned);
    motion->normal = by_a ? sides[0].turned : by_b ? sides[1].turned : sti_vec3_scale(0.5, sum);
    const double closing = sti_vec3_dot(touch->normal, sti_vec3_sub(sides[0].v, sides[1].v));
    const StiVec3 across =
        sti_vec3_add_scaled(sti_vec3_scale(closing, touch->normal), touch->gap, motion->normal);
    motion->point_a = by_a ? sti_vec3_add(sides[1].v, across) : sides[0].v;
    motion->point_b = by_a ? sides[1].v : sti_vec3_sub(sides[0].v, across);
}

// A sphere or a corner on a half space: the normal turns with the plane, the points follow the centre.
static void move_on_plane(const StiFrame *link_plane, StiVec3 centre_velocity, StiVec3 normal,
                          double radius, double gap, StiVec3 on_plane, bool plane_is_a,
                          StiTouchMotion *motion)
{
    const StiVec3 turned = sti_vec3_cross(link_plane->w, normal);
    const double side = plane_is_a ? -1.0 : 1.0; // the normal points from b to a
    const StiVec3 own = sti_frame_velocity_at(link_plane, sti_vec3_sub(on_plane, link_plane->p));
    const double opening = sti_vec3_dot(normal, sti_vec3_sub(centre_velocity, own));
    const StiVec3 ball = sti_vec3_add_scaled(centre_velocity, -side * radius, turned);
    const StiVec3 below = sti_vec3_add_scaled(
        sti_vec3_add_scaled(centre_velocity, -side * (radius + gap), turned), -opening, normal);
    motion->normal = turned;
    motion->point_a = plane_is_a ? below : ball;
    motion->point_b = plane_is_a ? ball : below;
}

bool sti_touch_motion(const StiShape *a, const StiFrame *link_a, const StiShape *b,
                      const StiFrame *link_b, const StiTouch *touch, StiTouchMotion *motion)
{
    const StiVec3 n = touch->normal;
    const bool plane_is_a = a->kind->half_space;
    if (plane_is_a != b->kind->half_space && (plane_is_a ? b : a)->kind->core == STI_CORE_POINT) {
        const StiFrame *link = plane_is_a ? link_b : link_a;
        const StiVec3 point = plane_is_a ? touch->point_b : touch->point_a;
        const double radius = (plane_is_a ? b : a)->radius;
        const StiVec3 centre = sti_vec3_add_scaled(point, plane_is_a ? -radius : radius, n);
        move_on_plane(plane_is_a ? link_a : link_b,
                      sti_frame_velocity_at(link, sti_vec3_sub(centre, link->p)), n, radius,
                      touch->gap, plane_is_a ? touch->point_a : touch->point_b, plane_is_a, motion);
        return true;
    }
    Side sides[2];
    System system;
    const bool known_a = set_side(a, link_a, touch->point_a, sti_vec3_scale(-1.0, n), n, &sides[0]);
    const bool known_b = set_side(b, link_b, touch->point_b, n, n, &sides[1]);
    leave_normal_to_one(a, b, touch, sides);
    if (!known_a || !known_b || !solve(sides, touch, &system)) {
        stay_on_shape(sides, touch, motion);
        return false;
    }
    motion->normal =
        sti_vec3_add_scaled(sti_vec3_scale(system.x[0] / system.size, system.tangent[0]),
                            system.x[1] / system.size, system.tangent[1]);
    add_ways(sides, &system, motion);
    return true;
}
