// What the equations say: errors, rows and drifts. A loop is made of four kinds of scalar equations
// between its frames A and B, d from B to A:
//   point   d = 0, along the three world axes
//   across  d . f = 0, f an axis of B
//   square  e . f = 0, e an axis of A and f one of B
//   rod     (d . d - L^2)/(2 L) = 0
#include <string.h>

#include "assembly/assembly.h"
#include "robot/recursion.h"

// A frame of a loop and how it moves while generalized velocities stay as they are.
typedef struct LoopFrame {
    StiVec3 arm; // from the link's origin
    StiVec3 p, v, a;
    StiQuat q;
    StiVec3 w, alpha;
} LoopFrame;

static const StiFrame world = {.q = {1.0, 0.0, 0.0, 0.0}};

static LoopFrame loop_frame(const MemberEnd *end, const AssemblyMemory *m, bool drifts)
{
    const StiFrame *link = end->member < 0 ? &world : &m->frames[end->link];
    const StiVec3 arm = sti_quat_rotate(link->q, end->frame.p);
    LoopFrame f = {.arm = arm,
                   .p = sti_vec3_add(link->p, arm),
                   .v = sti_frame_velocity_at(link, arm),
                   .q = sti_quat_multiply(link->q, end->frame.q),
                   .w = link->w};
    if (!drifts) return f;
    const StiTwist none = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    const StiTwist bias = end->member < 0 ? none : m->bias[end->link];
    f.alpha = bias.w;
    f.a = sti_vec3_add(sti_vec3_add(bias.v, sti_vec3_cross(bias.w, arm)),
                       sti_vec3_cross(link->w, sti_vec3_cross(link->w, arm)));
    return f;
}

static StiVec3 axis_of(const LoopFrame *f, int axis)
{
    return sti_quat_rotate(f->q, sti_vec3(axis == 0, axis == 1, axis == 2));
}

static StiVec3 turned(const LoopFrame *f, StiVec3 e) { return sti_vec3_cross(f->w, e); }
static StiVec3 turned_twice(const LoopFrame *f, StiVec3 e)
{
    return sti_vec3_add(sti_vec3_cross(f->alpha, e), sti_vec3_cross(f->w, sti_vec3_cross(f->w, e)));
}

// One scalar equation: its error, what a unit force does, its acceleration without accelerations.
typedef struct Scalar {
    double C, drift;
    StiVec3 force[2], moment[2]; // at the frames' origins
} Scalar;

static Scalar point_equation(const LoopFrame *A, const LoopFrame *B, int axis)
{
    const StiVec3 e = sti_vec3(axis == 0, axis == 1, axis == 2);
    return (Scalar){.C = sti_vec3_dot(e, sti_vec3_sub(A->p, B->p)),
                    .drift = sti_vec3_dot(e, sti_vec3_sub(A->a, B->a)),
                    .force = {e, sti_vec3_scale(-1.0, e)}};
}

static Scalar across_equation(const LoopFrame *A, const LoopFrame *B, int axis)
{
    const StiVec3 f = axis_of(B, axis), d = sti_vec3_sub(A->p, B->p);
    const double drift = sti_vec3_dot(f, sti_vec3_sub(A->a, B->a)) +
                         2.0 * sti_vec3_dot(turned(B, f), sti_vec3_sub(A->v, B->v)) +
                         sti_vec3_dot(turned_twice(B, f), d);
    return (Scalar){.C = sti_vec3_dot(f, d),
                    .drift = drift,
                    .force = {f, sti_vec3_scale(-1.0, f)},
                    .moment = {{0.0, 0.0, 0.0}, sti_vec3_cross(f, d)}};
}

static Scalar square_equation(const LoopFrame *A, const LoopFrame *B, int axis_a, int axis_b)
{
    const StiVec3 e = axis_of(A, axis_a), f = axis_of(B, axis_b), moment = sti_vec3_cross(e, f);
    const double drift = sti_vec3_dot(turned_twice(A, e), f) +
                         2.0 * sti_vec3_dot(turned(A, e), turned(B, f)) +
                         sti_vec3_dot(e, turned_twice(B, f));
    return (Scalar){.C = sti_vec3_dot(e, f),
                    .drift = drift,
                    .moment = {moment, sti_vec3_scale(-1.0, moment)}};
}

static Scalar rod_equation(const LoopFrame *A, const LoopFrame *B, double length)
{
    const StiVec3 d = sti_vec3_sub(A->p, B->p), v = sti_vec3_sub(A->v, B->v);
    const StiVec3 e = sti_vec3_scale(1.0 / length, d);
    const double square = sti_vec3_dot(d, d) - length * length;
    return (Scalar){.C = 0.5 * square / length,
                    .drift = sti_vec3_dot(e, sti_vec3_sub(A->a, B->a)) + sti_vec3_dot(v, v) / length,
                    .force = {e, sti_vec3_scale(-1.0, e)}};
}

double sti_loop_distance(const Equation *e, const AssemblyMemory *m)
{
    const LoopFrame A = loop_frame(&e->a, m, false), B = loop_frame(&e->b, m, false);
    return sti_vec3_norm(sti_vec3_sub(A.p, B.p));
}


enum { X, Y, Z };

bool sti_loop_turned_over(const Equation *e, const AssemblyMemory *m)
{
    if (!e->loop || (e->type != STI_LOOP_FIXED && e->type != STI_LOOP_SLIDER)) return false;
    const LoopFrame A = loop_frame(&e->a, m, false), B = loop_frame(&e->b, m, false);
    return sti_vec3_dot(axis_of(&A, X), axis_of(&B, X)) < 0.0 ||
           sti_vec3_dot(axis_of(&A, Z), axis_of(&B, Z)) < 0.0;
}

enum { END, POINT, ACROSS, SQUARE, ROD };
typedef struct Part {
    unsigned char what, a, b; // axes of A and of B
} Part;

// Points before axes: the first force rows of a loop are its force.
static const struct {
    const char *name;
    Part parts[6];
} loops[] = {
    [STI_LOOP_POINT] = {"point", {{POINT, X, 0}, {POINT, Y, 0}, {POINT, Z, 0}}},
    [STI_LOOP_HINGE] = {"hinge",
                        {{POINT, X, 0}, {POINT, Y, 0}, {POINT, Z, 0}, {SQUARE, Z, X}, {SQUARE, Z, Y}}},
    [STI_LOOP_UNIVERSAL] = {"universal", {{POINT, X, 0}, {POINT, Y, 0}, {POINT, Z, 0}, {SQUARE, Z, Z}}},
    [STI_LOOP_FIXED] = {"fixed",
                        {{POINT, X, 0},
                         {POINT, Y, 0},
                         {POINT, Z, 0},
                         {SQUARE, Z, X},
                         {SQUARE, Z, Y},
                         {SQUARE, X, Y}}},
    [STI_LOOP_SLIDER] = {"slider",
                         {{ACROSS, 0, X}, {ACROSS, 0, Y}, {SQUARE, Z, X}, {SQUARE, Z, Y}, {SQUARE, X, Y}}},
    [STI_LOOP_CYLINDRICAL] = {"cylindrical",
                              {{ACROSS, 0, X}, {ACROSS, 0, Y}, {SQUARE, Z, X}, {SQUARE, Z, Y}}},
    [STI_LOOP_LINE] = {"line", {{ACROSS, 0, X}, {ACROSS, 0, Y}}},
    [STI_LOOP_PLANE] = {"plane", {{ACROSS, 0, Z}}},
    [STI_LOOP_ROD] = {"rod", {{ROD, 0, 0}}},
};

const char *sti_loop_name(StiLoopType type)
{
    return type <= STI_LOOP_ROD ? loops[type].name : NULL;
}

int sti_loop_rows(StiLoopType type)
{
    int count = 0;
    while (count < 6 && loops[type].parts[count].what != END) ++count;
    return count;
}

int sti_loop_force_rows(StiLoopType type)
{
    int count = 0;
    while (count < 6 && loops[type].parts[count].what != END && loops[type].parts[count].what != SQUARE)
        ++count;
    return count;
}

static Scalar scalar(const Equation *e, int i, const LoopFrame *A, const LoopFrame *B)
{
    const Part part = loops[e->type].parts[i];
    switch (part.what) {
    case POINT: return point_equation(A, B, part.a);
    case ACROSS: return across_equation(A, B, part.b);
    case SQUARE: return square_equation(A, B, part.a, part.b);
    default: return rod_equation(A, B, e->length);
    }
}

static void set_loop(const Equation *e, AssemblyMemory *m)
{
    const LoopFrame A = loop_frame(&e->a, m, false), B = loop_frame(&e->b, m, false);
    const LoopFrame *frames[2] = {&A, &B};
    const int links[2] = {e->a.member < 0 ? -1 : e->a.link, e->b.member < 0 ? -1 : e->b.link};
    for (int i = 0; i < e->rows; ++i) {
        const Scalar s = scalar(e, i, &A, &B);
        EquationRow *row = &m->rows[e->row + i];
        m->C[e->row + i] = s.C;
        for (int side = 0; side < 2; ++side) {
            row->link[side] = links[side];
            row->wrench[side] = (StiWrench){
                .force = s.force[side],
                .moment = sti_vec3_add(s.moment[side],
                                       sti_vec3_cross(frames[side]->arm, s.force[side]))};
        }
    }
}

static double coupling_error(const Equation *e, const double *q, const double *signals)
{
    double sum = -e->offset;
    for (int i = 0; i < e->term_count; ++i) sum += e->terms[i].factor * q[e->terms[i].position];
    return e->signal < 0 ? sum : sum - signals[e->signal];
}

void sti_equations_pose(const Assembly *a, const double *q, const double *v, const double *signals,
                        StiFrame *frames, bool all)
{
    for (int i = 0; i < a->member_count; ++i) {
        const Member *b = &a->members[i];
        if (b->looped || all)
            b->kind->pose(b->parameters, q + b->q, v + b->v, signals != NULL ? signals + b->signal : NULL, frames + b->link);
    }
}

void sti_equations_set(const Assembly *a, const double *q, const double *signals, AssemblyMemory *m)
{
    for (int i = 0; i < a->equation_count; ++i) {
        const Equation *e = &a->equations[i];
        if (e->loop) {
            set_loop(e, m);
            continue;
        }
        m->rows[e->row] = (EquationRow){.link = {-1, -1}};
        m->C[e->row] = signals != NULL || e->signal < 0 ? coupling_error(e, q, signals) : 0.0;
    }
}

// Accelerations of the links while generalized velocities stay: those of robots; other bodies have none.
static void set_bias(const Assembly *a, const double *q, const double *v, AssemblyMemory *m)
{
    const StiVec3 none = {0.0, 0.0, 0.0};
    for (int i = 0; i < a->member_count; ++i) {
        const Member *b = &a->members[i];
        if (!b->looped) continue;
        memset(m->bias + b->link, 0, (size_t)b->size.links * sizeof *m->bias);
        if (b->robot == NULL) continue;
        const RobotMemory room = sti_robot_memory(b->robot, m->rest);
        sti_robot_place(b->robot, q + b->q, room.spots, room.axes);
        sti_robot_apply_biased(b->robot, none, v + b->v, room.spots, room.axes, NULL, room.applied,
                               m->bias + b->link);
    }
}

void sti_equations_drift(const Assembly *a, const double *q, const double *v, const double *signals,
                         AssemblyMemory *m, double *drift)
{
    if (a->looped) set_bias(a, q, v, m);
    for (int i = 0; i < a->equation_count; ++i) {
        const Equation *e = &a->equations[i];
        if (!e->loop) {
            drift[e->row] = e->signal < 0 ? 0.0 : -signals[e->signal + 2];
            continue;
        }
        const LoopFrame A = loop_frame(&e->a, m, true), B = loop_frame(&e->b, m, true);
        for (int k = 0; k < e->rows; ++k) drift[e->row + k] = scalar(e, k, &A, &B).drift;
    }
}

void sti_equations_rates(const Assembly *a, const double *v, const StiFrame *frames,
                         const double *signals, const AssemblyMemory *m, double *rates)
{
    for (int i = 0; i < a->equation_count; ++i) {
        const Equation *e = &a->equations[i];
        for (int k = e->row; k < e->row + e->rows; ++k) {
            rates[k] = !e->loop && signals != NULL && e->signal >= 0 ? -signals[e->signal + 1] : 0.0;
            for (int side = 0; e->loop && side < 2; ++side) {
                const EquationRow *row = &m->rows[k];
                if (row->link[side] < 0) continue;
                const StiFrame *link = &frames[row->link[side]];
                rates[k] += sti_wrench_power(row->wrench[side], (StiTwist){link->w, link->v});
            }
        }
        for (int k = 0; k < e->term_count; ++k)
            rates[e->row] += e->terms[k].factor * v[e->terms[k].velocity];
    }
}

void sti_equation_push(const Equation *e, int row, double force, const AssemblyMemory *m,
                       double *generalized, StiWrench *wrenches)
{
    for (int k = 0; k < e->term_count; ++k)
        generalized[e->terms[k].velocity] += force * e->terms[k].factor;
    for (int side = 0; e->loop && side < 2; ++side) {
        const int link = m->rows[row].link[side];
        if (link >= 0)
            wrenches[link] = sti_wrench_add_scaled(wrenches[link], force, m->rows[row].wrench[side]);
    }
}
