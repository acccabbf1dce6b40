// A rigid body in space, [modular] (26). The velocities are (world linear, body angular), so that
// the inertia, diag(m, m, m) and J, does not depend on the attitude.
#include <math.h>

#include "base/default.h"
#include "stiction/body.h"
#include "algebra/slices.h"
#include "algebra/spatial.h"
#include "algebra/symmetric3.h"

enum { POSITIONS = 7, VELOCITIES = 6, PREPARED = 15 };

static StiQuat attitude(const double *q) { return sti_quat_normalise(sti_quat_read(q + 3)); }

static StiAdmittanceSize size(const void *parameters)
{
    (void)parameters;
    return (StiAdmittanceSize){.positions = POSITIONS,
                               .velocities = VELOCITIES,
                               .links = 1,
                               .prepared = PREPARED};
}

static void start(const void *parameters, double *q, double *v)
{
    const StiRigidBody *p = parameters;
    sti_vec3_write(sti_vec3_read(p->position), q);
    sti_quat_write(sti_quat_attitude(sti_quat_read(p->attitude)), q + 3);
    sti_vec3_write(sti_vec3_read(p->velocity), v);
    sti_vec3_write(sti_vec3_read(p->angular_velocity), v + 3);
}

static void pose(const void *parameters, const double *q, const double *v, const double *signals,
                 StiFrame *links)
{
    (void)parameters, (void)signals;
    const StiQuat turn = attitude(q);
    links[0] = (StiFrame){.p = sti_vec3_read(q),
                          .q = turn,
                          .v = sti_vec3_read(v),
                          .w = sti_quat_rotate(turn, sti_vec3_read(v + 3))};
}

static StiVec3 total_force(const StiForce *uhat)
{
    return sti_vec3_add(sti_vec3_read(uhat->generalized), uhat->links[0].force);
}

// In body axes.
static StiVec3 total_moment(const double *q, const StiForce *uhat)
{
    const StiVec3 of_link = sti_quat_unrotate(attitude(q), uhat->links[0].moment);
    return sti_vec3_add(sti_vec3_read(uhat->generalized + 3), of_link);
}

// Q(w, q) of [modular] (26) with w in body axes: half of q (0, w).
static StiQuat quaternion_rate(StiQuat q, StiVec3 w)
{
    return sti_quat_multiply(q, (StiQuat){0.0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z});
}

// tan h/h
static double tangent_ratio(double h)
{
    const double s = h * h;
    return s < 1e-3 ? 1.0 + s * (1.0 / 3.0 + s * (2.0 / 15.0 + s * (17.0 / 315.0)))
                    : sti_tan(h) / h;
}

// x of A x = b, by its columns.
static StiVec3 solve3(const StiVec3 A[3], StiVec3 b)
{
    const StiVec3 yz = sti_vec3_cross(A[1], A[2]);
    const double scale = 1.0 / sti_vec3_dot(A[0], yz);
    return sti_vec3(scale * sti_vec3_dot(b, yz),
                    scale * sti_vec3_dot(b, sti_vec3_cross(A[2], A[0])),
                    scale * sti_vec3_dot(b, sti_vec3_cross(A[0], A[1])));
}

// J e/dt + (e x J w + w x J e)/2 for the three unit vectors e.
static void midpoint_slopes(const double *J, StiVec3 w, StiVec3 Jw, double T, StiVec3 A[3])
{
    const StiVec3 unit[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int i = 0; i < 3; ++i) {
        const StiVec3 Je = sti_symmetric3_times(J, unit[i]);
        const StiVec3 turn = sti_vec3_add(sti_vec3_cross(unit[i], Jw), sti_vec3_cross(w, Je));
        A[i] = sti_vec3_add_scaled(sti_vec3_scale(1.0 / T, Je), 0.5, turn);
    }
}

// Where a step has one evaluation: the rate dw/T of J dw/T = M - k wm x J wm at the middle wm = w + dw/2,
// with k = tan h/h, h = T |wm|/2. Without M it keeps w.J w, and with the attitude turned by exp(T wm) it
// keeps R J w, both to rounding. From the explicit rate by Newton's method, which two or three steps end.
static StiVec3 middle_rate(const double *J, StiVec3 w, StiVec3 M, double T, StiVec3 rate)
{
    enum { MOST = 8 };
    for (int i = 0; i < MOST; ++i) {
        const StiVec3 wm = sti_vec3_add_scaled(w, 0.5 * T, rate), Jw = sti_symmetric3_times(J, wm);
        const double k = tangent_ratio(0.5 * T * sti_vec3_norm(wm));
        const StiVec3 wrong = sti_vec3_sub(sti_vec3_add_scaled(sti_symmetric3_times(J, rate), k,
                                                               sti_vec3_cross(wm, Jw)),
                                           M);
        StiVec3 A[3];
        midpoint_slopes(J, wm, Jw, T, A);
        const StiVec3 change = sti_vec3_scale(1.0 / T, solve3(A, wrong));
        rate = sti_vec3_sub(rate, change);
        if (T * sti_vec3_norm(change) <= 1e-15 * sti_vec3_norm(w)) break;
    }
    return rate;
}

static void rates(const void *parameters, const double *q, const double *v, double *qdot)
{
    (void)parameters;
    sti_vec3_write(sti_vec3_read(v), qdot);
    sti_quat_write(quaternion_rate(sti_quat_read(q + 3), sti_vec3_read(v + 3)), qdot + 3);
}

static StiStatus eval(const void *parameters, const StiStage *stage, const double *q,
                      const double *v, const double *signals, const StiForce *uhat, double *qdot,
                      double *vdot, double *loads)
{
    (void)signals, (void)loads;
    const StiRigidBody *p = parameters;
    double J_inverse[6];
    if (!sti_symmetric3_invert(p->inertia, J_inverse)) return STI_BAD_ARGUMENT;
    const StiVec3 w = sti_vec3_read(v + 3);
    const StiVec3 gyroscopic = sti_vec3_cross(w, sti_symmetric3_times(p->inertia, w));
    const StiVec3 M = sti_vec3_sub(total_moment(q, uhat), gyroscopic);
    const StiVec3 a = sti_vec3_scale(1.0 / p->mass, total_force(uhat));
    rates(p, q, v, qdot);
    sti_vec3_write(sti_vec3_add(a, stage->gravity), vdot);
    StiVec3 turn = sti_symmetric3_times(J_inverse, M);
    if (stage->ahead && sti_vec3_dot(gyroscopic, gyroscopic) > 0.0)
        turn = middle_rate(p->inertia, w, sti_vec3_add(M, gyroscopic), stage->step, turn);
    sti_vec3_write(turn, vdot + 3);
    return STI_OK;
}

// J with its diagonal added to; a locked axis becomes a row and column of the unit matrix.
static void constrained_inertia(const double J[6], const bool *locked, const double *added,
                                double out[6])
{
    static const int beside[3][2] = {{3, 4}, {3, 5}, {4, 5}}; // xy xz, xy yz, xz yz
    for (int i = 0; i < 6; ++i) out[i] = J[i] + (added && i < 3 ? added[i] : 0.0);
    for (int i = 0; locked && i < 3; ++i) {
        if (!locked[i]) continue;
        out[i] = 1.0;
        out[beside[i][0]] = out[beside[i][1]] = 0.0;
    }
}

// The inverse of J in world axes: R J^-1 R^T.
static void turn_inverse(StiQuat turn, const double *own, double *turned)
{
    const StiSym3 J = {own[0], own[1], own[2], own[3], own[4], own[5]};
    const StiSym3 K = sti_sym3_rotate(sti_mat3_of_quat(turn), J);
    const double numbers[6] = {K.xx, K.yy, K.zz, K.xy, K.xz, K.yz};
    for (int i = 0; i < 6; ++i) turned[i] = numbers[i];
}

// prepared: 1/mass for the three axes, then the inverse of J in body axes and in world axes; locked
// rows and columns are 0.
static StiStatus prepare(const void *parameters, const double *q, const bool *locked,
                         const double *added, double *prepared)
{
    const StiRigidBody *p = parameters;
    double J[6];
    constrained_inertia(p->inertia, locked ? locked + 3 : NULL, added ? added + 3 : NULL, J);
    if (!sti_symmetric3_invert(J, prepared + 3)) return STI_BAD_ARGUMENT;
    for (int i = 0; i < 3; ++i) {
        const double m = p->mass + (added ? added[i] : 0.0);
        if (!(m > 0.0)) return STI_BAD_ARGUMENT;
        prepared[i] = 1.0 / m;
    }
    // The off-diagonal numbers of locked axes are 0 already.
    for (int i = 0; locked && i < VELOCITIES; ++i)
        if (locked[i]) prepared[i] = 0.0;
    turn_inverse(attitude(q), prepared + 3, prepared + 9);
    return STI_OK;
}

static void respond(const void *parameters, const double *prepared, const double *q,
                    const StiForce *force, double *dv)
{
    (void)parameters;
    const StiVec3 F = total_force(force);
    sti_vec3_write(sti_vec3(prepared[0] * F.x, prepared[1] * F.y, prepared[2] * F.z), dv);
    sti_vec3_write(sti_symmetric3_times(prepared + 3, total_moment(q, force)), dv + 3);
}

static void link_response(const void *parameters, const double *prepared, const StiWrench *wrench,
                          StiFrame *link)
{
    (void)parameters;
    const StiVec3 F = wrench->force;
    link->v = sti_vec3(prepared[0] * F.x, prepared[1] * F.y, prepared[2] * F.z);
    link->w = sti_symmetric3_times(prepared + 9, wrench->moment);
}

static void move(const void *parameters, const double *v, double T, double *q)
{
    (void)parameters;
    StiQuat turned = sti_quat_read(q + 3);
    if (T != 0.0) {
        for (int i = 0; i < 3; ++i) q[i] += T * v[i];
        const StiVec3 w = sti_vec3_read(v + 3);
        turned = sti_quat_multiply(turned, sti_quat_exp(sti_vec3_scale(T, w)));
    }
    sti_quat_write(sti_quat_normalise(turned), q + 3);
}

static double stored(const void *parameters, StiVec3 gravity, const double *q, const double *v,
                     double *workspace)
{
    (void)workspace;
    const StiRigidBody *p = parameters;
    const StiVec3 velocity = sti_vec3_read(v), w = sti_vec3_read(v + 3);
    const double spin = 0.5 * sti_vec3_dot(w, sti_symmetric3_times(p->inertia, w));
    const double travel = 0.5 * p->mass * sti_vec3_dot(velocity, velocity);
    return travel + spin - p->mass * sti_vec3_dot(gravity, sti_vec3_read(q));
}

static const StiChannelInfo channel_names[] = {
    {"x", "m"},      {"y", "m"},      {"z", "m"},      {"qw", "1"},   {"qx", "1"},
    {"qy", "1"},     {"qz", "1"},     {"vx", "m/s"},   {"vy", "m/s"}, {"vz", "m/s"},
    {"wx", "rad/s"}, {"wy", "rad/s"}, {"wz", "rad/s"},
};

static int channels(const void *parameters, const StiChannelInfo **names)
{
    (void)parameters;
    *names = channel_names;
    return sizeof channel_names / sizeof channel_names[0];
}

static void observe(const void *parameters, const double *q, const double *v, const double *signals,
                    double *values)
{
    StiFrame link;
    pose(parameters, q, v, signals, &link);
    for (int i = 0; i < POSITIONS; ++i) values[i] = q[i];
    sti_vec3_write(link.v, values + POSITIONS);
    sti_vec3_write(link.w, values + POSITIONS + 3);
}

static const StiField fields[] = {
    {.name = "mass",
     .unit = "kg",
     .meaning = "mass",
     .bound = STI_POSITIVE,
     .offset = offsetof(StiRigidBody, mass),
     .usual = 1.0},
    {.name = "inertia",
     .unit = "kg m^2",
     .meaning = "xx, yy, zz, xy, xz, yz in body axes",
     .offset = offsetof(StiRigidBody, inertia),
     .length = 6},
    {.name = "position",
     .unit = "m",
     .meaning = "centre of mass at the start",
     .offset = offsetof(StiRigidBody, position),
     .length = 3},
    {.name = "attitude",
     .unit = "1",
     .meaning = "quaternion w, x, y, z at the start",
     .offset = offsetof(StiRigidBody, attitude),
     .length = 4},
    {.name = "velocity",
     .unit = "m/s",
     .meaning = "of the centre of mass at the start, world axes",
     .offset = offsetof(StiRigidBody, velocity),
     .length = 3},
    {.name = "angular_velocity",
     .unit = "rad/s",
     .meaning = "at the start, body axes",
     .offset = offsetof(StiRigidBody, angular_velocity),
     .length = 3},
};

// No mass distribution has one principal moment above the sum of the others; a flat plate has it
// equal, and drawing programs print about six digits.
static void check(const void *parameters, const StiCheck *check)
{
    static const double ROUNDED = 1e-5;
    const StiRigidBody *p = parameters;
    double inverse[6], moments[3];
    if (!sti_symmetric3_invert(p->inertia, inverse) || !isfinite(inverse[0])) {
        sti_check_error(check, "inertia", NAN, "must be finite and positive definite");
        return;
    }
    sti_symmetric3_eigenvalues(p->inertia, moments);
    if (moments[2] > (1.0 + ROUNDED) * (moments[0] + moments[1]))
        sti_check_unphysical(check, "inertia", moments[2],
                             "no body has this principal moment beside the others, %g and %g",
                             moments[0], moments[1]);
}

static const StiRigidBody example = {.mass = 1.0, .inertia = {0.1, 0.1, 0.1}};

const StiAdmittanceKind sti_kind_rigid_body = {
    .table_size = sizeof(StiAdmittanceKind),
    .info = {.name = "rigid",
             .summary = "a rigid body in space with a full inertia tensor",
             .size = sizeof(StiRigidBody),
             .fields = fields,
             .field_count = sizeof fields / sizeof fields[0],
             .check = check,
             .example = &example},
    .size = size,
    .start = start,
    .pose = pose,
    .eval = eval,
    .prepare = prepare,
    .respond = respond,
    .link_response = link_response,
    .rates = rates,
    .move = move,
    .stored = stored,
    .channels = channels,
    .observe = observe,
};

STI_DEFAULT(StiRigidBody, rigid_body, sti_kind_rigid_body.info)
