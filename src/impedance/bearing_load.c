// Senses what the bearing of a penalty joint carries: signals are the joint's six forces, the wire is
// the joint's own, the load is the first of its outputs.
#include "stiction/spring.h"
#include "algebra/slices.h"

enum { POSITIONS = 12, FORCES = 6 };

static StiImpedanceSize size(const void *parameters)
{
    (void)parameters;
    return (StiImpedanceSize){.positions = POSITIONS, .velocities = FORCES, .signals = FORCES};
}

static StiStatus eval(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                      const double *y, const double *s, double *u, double *ydot)
{
    (void)stage, (void)y, (void)s, (void)ydot;
    const StiVec3 axis = sti_quat_rotate(sti_quat_read(xhat->x + 7), sti_vec3(0.0, 0.0, 1.0));
    for (int i = 0; i < FORCES; ++i) u[i] = 0.0;
    u[0] = sti_bearing_load(parameters, axis, sti_vec3_read(xhat->signals),
                            sti_vec3_read(xhat->signals + 3));
    return STI_OK;
}

static void tangent(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, double *Z)
{
    (void)parameters, (void)stage, (void)xhat, (void)y, (void)s;
    for (int i = 0; i < FORCES * FORCES; ++i) Z[i] = 0.0;
}

static const StiField fields[] = {
    {.name = "radial_radius",
     .unit = "m",
     .meaning = "where forces across the axis rub",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiBearing, radial_radius),
     .usual = 0.01},
    {.name = "axial_radius",
     .unit = "m",
     .meaning = "where forces along the axis rub",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiBearing, axial_radius),
     .usual = 0.01},
    {.name = "moment_ratio",
     .unit = "1",
     .meaning = "rubbing moment per moment across the axis: 2 r/L of two journals",
     .bound = STI_NOT_NEGATIVE,
     .offset = offsetof(StiBearing, moment_ratio),
     .usual = 0.2},
};

const StiImpedanceKind sti_kind_bearing_load = {
    .table_size = sizeof(StiImpedanceKind),
    .info = {.name = "bearing-load",
             .summary = "what the bearing of a penalty joint carries, as a load for its friction",
             .size = sizeof(StiBearing),
             .fields = fields,
             .field_count = sizeof fields / sizeof fields[0]},
    .continuous = true,
    .smooth = true,
    .only_senses = true,
    .size = size,
    .eval = eval,
    .tangent = tangent,
};

// Of a joint that gives no bearing; the usual values of the fields are those of one that does.
StiBearing sti_default_bearing(void) { return (StiBearing){0}; }
