// Soft contact of points with a plane, [modular] (23), with the normal force clamped to push only.
// Axes per point: tangent 1, tangent 2, normal.
#include <math.h>

#include "base/default.h"
#include "impedance/soft_contact_modes.h"
#include "stiction/law.h"
#include "stiction/spring.h"

static bool touches(const double x[3]) { return x[2] < 0.0; }

// As sti_soft_contact_point; true if the point touches and sticks.
static bool resist(const StiSoftContact *p, double tau, const double x[3], const double v[3],
                   const double e[2], double u[3], double edot[2])
{
    if (!touches(x)) {
        u[0] = u[1] = u[2] = 0.0;
        for (int i = 0; i < 2; ++i) edot[i] = tau > 0.0 ? -e[i] / tau : 0.0;
        return false;
    }
    const double Z = p->B + tau * p->K;
    const double trial[2] = {Z * v[0] + p->K * e[0], Z * v[1] + p->K * e[1]};      // (23b)
    u[2] = fmin(0.0, p->K * x[2] + p->B * v[2]);                                   // (23a)
    const bool stuck = sti_gsat(2, -p->mu * u[2], trial, u);                       // (23c)
    for (int i = 0; i < 2; ++i) edot[i] = stuck ? v[i] : (u[i] - p->K * e[i]) / Z; // (23d)
    return stuck;
}

void sti_soft_contact_point(const StiSoftContact *p, double tau, const double x[3],
                            const double v[3], const double e[2], double u[3], double edot[2])
{
    resist(p, tau, x, v, e, u, edot);
}

static StiImpedanceSize size(const void *parameters)
{
    const StiSoftContact *p = parameters;
    return (StiImpedanceSize){.positions = 3 * p->points,
                              .velocities = 3 * p->points,
                              .memory = 2 * p->points,
                              .discrete = STI_SOFT_DISCRETE * p->points};
}

static StiStatus eval(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                      const double *y, const double *s, double *u, double *ydot)
{
    (void)s;
    const StiSoftContact *p = parameters;
    if (!(p->B + stage->tau * p->K > 0.0)) return STI_NO_CONTINUOUS_LIMIT;
    for (int i = 0; i < p->points; ++i)
        resist(p, stage->tau, xhat->x + 3 * i, xhat->v + 3 * i, y + 2 * i, u + 3 * i, ydot + 2 * i);
    return STI_OK;
}

static double stored(const void *parameters, const StiMotion *xhat, const double *y)
{
    const StiSoftContact *p = parameters;
    double sum = 0.0;
    for (int i = 0; i < p->points; ++i) {
        const double *x = xhat->x + 3 * i, *e = y + 2 * i;
        if (touches(x)) sum += x[2] * x[2] + e[0] * e[0] + e[1] * e[1];
    }
    return 0.5 * p->K * sum;
}

// All points in touch and in stick, where stability is decided.
static void tangent(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, double *Z)
{
    (void)xhat, (void)y, (void)s;
    const StiSoftContact *p = parameters;
    const int rows = 3 * p->points;
    for (int i = 0; i < rows * rows; ++i)
        Z[i] = i % (rows + 1) == 0 ? p->B + stage->tau * p->K : 0.0;
}

static const StiChannelInfo channels[] = {
    {"fn", "N"}, {"ft", "N"}, {"stick", "1"}, {"depth", "m"}, {"touching", "1"}};

static void observe(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, const double *u, double *values)
{
    const StiSoftContact *p = parameters;
    double sum[3] = {0.0, 0.0, 0.0}, depth = 0.0;
    int touching = 0, sticking = 0;
    for (int i = 0; i < p->points; ++i) {
        const double *x = xhat->x + 3 * i;
        double force[3], edot[2];
        for (int j = 0; j < 3; ++j) sum[j] += u[3 * i + j];
        depth = fmax(depth, -x[2]);
        touching += touches(x);
        const bool stuck = resist(p, stage->tau, x, xhat->v + 3 * i, y + 2 * i, force, edot);
        const double *modes = s + STI_SOFT_DISCRETE * i;
        // Modes are kept by a method that cuts the step.
        sticking += stage->tau > 0.0 || modes[STI_SOFT_BELOW] == 0.0
                        ? stuck
                        : sti_soft_contact_holds(modes);
    }
    values[0] = 0.0 - sum[2]; // no -0
    values[1] = sti_hypot(sum[0], sum[1]);
    values[2] = touching > 0 && sticking == touching;
    values[3] = depth;
    values[4] = touching;
}

static const StiField fields[] = {
    {.name = "stiffness",
     .unit = "N/m",
     .meaning = "spring K of a point, normal and tangential",
     .bound = STI_POSITIVE,
     .offset = offsetof(StiSoftContact, K)},
    {.name = "damping",
     .unit = "N s/m",
     .meaning = "damper B of a point, normal and tangential",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiSoftContact, B)},
    {.name = "mu",
     .unit = "1",
     .meaning = "friction coefficient",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiSoftContact, mu)},
};

static void check(const void *parameters, const StiCheck *check)
{
    const StiSoftContact *p = parameters;
    if (p->points < 1)
        sti_check_error(check, "points", p->points, "must be as many as the wire has points");
}

static const StiSoftContact example = {.points = 1, .K = 1e4, .B = 50.0, .mu = 0.5};

const StiImpedanceKind sti_kind_soft_contact = {
    .table_size = sizeof(StiImpedanceKind),
    .info = {.name = "soft-contact",
             .summary = "points on a plane: spring and damper across, elastic Coulomb along",
             .size = sizeof(StiSoftContact),
             .fields = fields,
             .field_count = sizeof fields / sizeof fields[0],
             .check = check,
             .example = &example},
    .continuous = true,
    .looks_ahead = true,
    .holds = true,
    .size = size,
    .eval = eval,
    .stored = stored,
    .tangent = tangent,
    .channels = channels,
    .channel_count = sizeof channels / sizeof channels[0],
    .modes = &sti_soft_contact_modes,
    .observe = observe,
};

STI_DEFAULT(StiSoftContact, soft_contact, sti_kind_soft_contact.info)
