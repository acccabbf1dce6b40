// A robot in maximal coordinates, as an independent reference: every link is a free body with the
// acceleration of its centre and its angular acceleration as unknowns, every joint a set of rows.
// Built from the user's links and from frames only. Include after cmocka.h.
#ifndef STICTION_TESTS_MAXIMAL_H
#define STICTION_TESTS_MAXIMAL_H

#include "dense.h"
#include "random_tree.h"

enum { MAXIMAL_LINKS = 8, MAXIMAL_BODIES = 6 * MAXIMAL_LINKS, MAXIMAL_SIZE = 12 * MAXIMAL_LINKS };

// One direction of a joint's relative motion: rate = direction . (relative angular velocity, or
// velocity of the child's origin as the parent sees it). Its derivative is row . unknowns + rest.
typedef struct MaximalRow {
    int link;
    bool angular;
    int velocity; // the joint's velocity it belongs to, or -1: held at 0
    StiVec3 e;
    double row[MAXIMAL_BODIES], rest;
} MaximalRow;

typedef struct Maximal {
    const Tree *tree;
    StiFrame frames[MAXIMAL_LINKS];
    StiVec3 arm[MAXIMAL_LINKS]; // from the centre of mass to the origin, world axes
    MaximalRow rows[6 * MAXIMAL_LINKS];
    int count;
} Maximal;

// In the row: coefficient of the acceleration of the point of a link at r from its centre, along e;
// returns what its rotation adds.
static inline double maximal_point(const Maximal *m, int link, StiVec3 r, StiVec3 e, double *row)
{
    if (link < 0) return 0.0;
    const StiVec3 w = m->frames[link].w, moment = sti_vec3_cross(r, e);
    const double entries[6] = {e.x, e.y, e.z, moment.x, moment.y, moment.z};
    for (int k = 0; k < 6; ++k) row[6 * link + k] += entries[k];
    return sti_vec3_dot(e, sti_vec3_cross(w, sti_vec3_cross(w, r)));
}

static inline void maximal_turning(int link, StiVec3 e, double *row)
{
    if (link < 0) return;
    row[6 * link + 3] += e.x;
    row[6 * link + 4] += e.y;
    row[6 * link + 5] += e.z;
}

static inline StiFrame maximal_parent(const Maximal *m, int link)
{
    const int parent = m->tree->given[link].parent;
    return parent < 0 ? (StiFrame){.q = STI_QUAT_IDENTITY} : m->frames[parent];
}

// wE: angular velocity of the body in which e is fixed.
static inline void maximal_add(Maximal *m, int link, bool angular, int velocity, StiVec3 e,
                               StiVec3 wE)
{
    MaximalRow *r = &m->rows[m->count++];
    *r = (MaximalRow){.link = link, .angular = angular, .velocity = velocity, .e = e};
    const int parent = m->tree->given[link].parent;
    const StiFrame P = maximal_parent(m, link), C = m->frames[link];
    const StiVec3 turn = sti_vec3_cross(wE, e), back = sti_vec3_scale(-1.0, e);
    if (angular) {
        maximal_turning(link, e, r->row);
        maximal_turning(parent, back, r->row);
        r->rest = sti_vec3_dot(turn, sti_vec3_sub(C.w, P.w));
        return;
    }
    // u = v_C - v_P - w_P x d, where the last two are the parent's point that coincides.
    const StiVec3 d = sti_vec3_sub(C.p, P.p);
    const StiVec3 u = sti_vec3_sub(C.v, sti_frame_velocity_at(&P, d));
    r->rest = maximal_point(m, link, m->arm[link], e, r->row);
    if (parent >= 0)
        r->rest += maximal_point(m, parent, sti_vec3_add(m->arm[parent], d), back, r->row);
    // The parent's point changes while the child moves on.
    r->rest += sti_vec3_dot(turn, u) - sti_vec3_dot(e, sti_vec3_cross(P.w, u));
}

// How link i moves in its parent when position k of its joint grows: for slides.
static inline StiVec3 maximal_slide(const Maximal *m, int link, int k)
{
    const Tree *tree = m->tree;
    StiFrame moved[MAXIMAL_LINKS];
    double *q = tree_doubles(tree->positions);
    for (int i = 0; i < tree->positions; ++i) q[i] = tree->q[i];
    q[sti_robot_joint_position(tree->robot, link) + k] += 1.0;
    sti_robot_frames(tree->robot, q, tree->v, moved);
    free(q);
    return sti_vec3_sub(moved[link].p, m->frames[link].p);
}

// Two unit vectors across n.
static inline void maximal_across(StiVec3 n, StiVec3 across[2])
{
    const StiVec3 other = fabs(n.x) < 0.5 ? sti_vec3(1.0, 0.0, 0.0) : sti_vec3(0.0, 1.0, 0.0);
    const StiVec3 a = sti_vec3_cross(n, other);
    across[0] = sti_vec3_scale(1.0 / sti_vec3_norm(a), a);
    across[1] = sti_vec3_cross(n, across[0]);
}

typedef struct MaximalAxes {
    StiVec3 e[3];
    int free; // how many of them move
    int velocity;
    bool in_child; // fixed in the child's axes, else in the parent's
} MaximalAxes;

static inline void maximal_rows(Maximal *m, int link, bool angular, MaximalAxes axes)
{
    const StiVec3 wE = axes.in_child ? m->frames[link].w : maximal_parent(m, link).w;
    for (int k = 0; k < 3; ++k)
        maximal_add(m, link, angular, k < axes.free ? axes.velocity + k : -1, axes.e[k], wE);
}

static inline void maximal_joint(Maximal *m, int link)
{
    const StiLink *given = &m->tree->given[link];
    const StiQuat turn = m->frames[link].q;
    const StiVec3 unit = sti_vec3_scale(1.0 / sti_vec3_norm(given->axis), given->axis);
    const StiVec3 n = sti_quat_rotate(turn, unit);
    const bool slides = given->joint == STI_JOINT_PRISMATIC,
               plane = given->joint == STI_JOINT_PLANAR;
    const bool ball = given->joint == STI_JOINT_SPHERICAL || given->joint == STI_JOINT_FLOATING;
    const int v = sti_robot_joint_velocity(m->tree->robot, link);
    MaximalAxes linear = {.velocity = v}, angular = {.velocity = v};
    linear.free = slides ? 1 : plane ? 2 : given->joint == STI_JOINT_FLOATING ? 3 : 0;
    angular.velocity += linear.free;
    angular.free = ball ? 3 : given->joint == STI_JOINT_REVOLUTE || plane ? 1 : 0;
    angular.in_child = ball;
    linear.e[0] = angular.e[0] = n;
    maximal_across(n, linear.e + 1);
    maximal_across(n, angular.e + 1);
    for (int k = 0; k < linear.free; ++k) linear.e[k] = maximal_slide(m, link, k);
    if (plane) linear.e[2] = n;
    const StiVec3 own[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int k = 0; ball && k < 3; ++k) angular.e[k] = sti_quat_rotate(turn, own[k]);
    maximal_rows(m, link, false, linear);
    maximal_rows(m, link, true, angular);
}

static inline StiVec3 maximal_inertia_times(const StiLink *link, StiQuat turn, StiVec3 a)
{
    const double *J = link->inertia;
    const StiVec3 b = sti_quat_unrotate(turn, a);
    return sti_quat_rotate(turn, sti_vec3(J[0] * b.x + J[3] * b.y + J[4] * b.z,
                                          J[3] * b.x + J[1] * b.y + J[5] * b.z,
                                          J[4] * b.x + J[5] * b.y + J[2] * b.z));
}

// Mass, weight, external wrench and gyroscopic moment of a free body.
static inline void maximal_body(const Maximal *m, int i, int size, double *A, double *b)
{
    const StiLink *link = &m->tree->given[i];
    const StiFrame *frame = &m->frames[i];
    const StiVec3 unit[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int k = 0; k < 3; ++k) {
        const StiVec3 J = maximal_inertia_times(link, frame->q, unit[k]);
        A[(6 * i + k) * size + 6 * i + k] = link->mass;
        A[(6 * i + 3) * size + 6 * i + 3 + k] = J.x;
        A[(6 * i + 4) * size + 6 * i + 3 + k] = J.y;
        A[(6 * i + 5) * size + 6 * i + 3 + k] = J.z;
    }
    const StiWrench external = m->tree->external[i];
    const StiVec3 force =
        sti_vec3_add(external.force, sti_vec3_scale(link->mass, m->tree->gravity));
    const StiVec3 gyro = sti_vec3_cross(frame->w, maximal_inertia_times(link, frame->q, frame->w));
    const StiVec3 moment =
        sti_vec3_sub(sti_vec3_add(external.moment, sti_vec3_cross(m->arm[i], external.force)),
                     gyro);
    const double entries[6] = {force.x, force.y, force.z, moment.x, moment.y, moment.z};
    for (int k = 0; k < 6; ++k) b[6 * i + k] = entries[k];
}

// A held row is a constraint with a multiplier; a moving one carries its drive and its rotor.
static inline void maximal_row(const Maximal *m, int k, int size, int *next, double *A, double *b)
{
    const MaximalRow *r = &m->rows[k];
    const int bodies = 6 * m->tree->links;
    if (r->velocity < 0) {
        for (int i = 0; i < bodies; ++i) {
            A[*next * size + i] = r->row[i];
            A[i * size + *next] = -r->row[i];
        }
        b[(*next)++] = -r->rest;
        return;
    }
    const double rotor = m->tree->given[r->link].armature, tau = m->tree->tau[r->velocity];
    for (int i = 0; i < bodies; ++i) {
        for (int j = 0; j < bodies; ++j) A[i * size + j] += rotor * r->row[i] * r->row[j];
        b[i] += r->row[i] * (tau - rotor * r->rest);
    }
}

static inline void maximal_read(const Maximal *m, const double *x, double *vdot, StiWrench *loads)
{
    const int bodies = 6 * m->tree->links;
    for (int k = 0, next = bodies; k < m->count; ++k) {
        const MaximalRow *r = &m->rows[k];
        double effort;
        if (r->velocity < 0) {
            effort = x[next++];
        } else {
            double rate = r->rest;
            for (int i = 0; i < bodies; ++i) rate += r->row[i] * x[i];
            vdot[r->velocity] = rate;
            effort = m->tree->tau[r->velocity] - m->tree->given[r->link].armature * rate;
        }
        StiVec3 *part = r->angular ? &loads[r->link].moment : &loads[r->link].force;
        *part = sti_vec3_add(*part, sti_vec3_scale(effort, r->e));
    }
}

// Accelerations, and the wrench that each joint transmits to its link about the link's origin.
static inline void maximal_solve(const Tree *tree, double *vdot, StiWrench *loads)
{
    static Maximal m;
    static double A[MAXIMAL_SIZE * MAXIMAL_SIZE], b[MAXIMAL_SIZE];
    m = (Maximal){.tree = tree};
    sti_robot_frames(tree->robot, tree->q, tree->v, m.frames);
    for (int i = 0; i < tree->links; ++i)
        m.arm[i] = sti_vec3_scale(-1.0, sti_quat_rotate(m.frames[i].q, tree->given[i].centre));
    int held = 0;
    for (int i = 0; i < tree->links; ++i) maximal_joint(&m, i);
    for (int k = 0; k < m.count; ++k) held += m.rows[k].velocity < 0;
    const int size = 6 * tree->links + held;
    int next = 6 * tree->links;
    for (int i = 0; i < size * size; ++i) A[i] = 0.0;
    for (int i = 0; i < size; ++i) b[i] = 0.0;
    for (int i = 0; i < tree->links; ++i) maximal_body(&m, i, size, A, b);
    for (int k = 0; k < m.count; ++k) maximal_row(&m, k, size, &next, A, b);
    dense_solve(size, A, b);
    for (int i = 0; i < tree->links; ++i) loads[i] = (StiWrench){.force = {0.0, 0.0, 0.0}};
    maximal_read(&m, b, vdot, loads);
}

#endif
