// A frame on a link or a body, for the record: where it is, how it is turned, how it moves. Applies nothing.
// Outputs: position and velocity.
#include <string.h>

#include "stiction/spring.h"

enum { POSITIONS = 12, VELOCITIES = 6 };

static StiImpedanceSize size(const void *parameters)
{
    (void)parameters;
    return (StiImpedanceSize){.positions = POSITIONS, .velocities = VELOCITIES};
}

static StiStatus eval(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                      const double *y, const double *s, double *u, double *ydot)
{
    (void)parameters, (void)stage, (void)y, (void)s, (void)ydot;
    memcpy(u, xhat->x, 3 * sizeof *u);
    memcpy(u + 3, xhat->v, 3 * sizeof *u);
    return STI_OK;
}

static void tangent(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, double *Z)
{
    (void)parameters, (void)stage, (void)xhat, (void)y, (void)s;
    memset(Z, 0, VELOCITIES * VELOCITIES * sizeof *Z);
}

static const StiChannelInfo channels[] = {
    {"x", "m"},    {"y", "m"},    {"z", "m"},    {"qw", "1"},     {"qx", "1"},     {"qy", "1"},    {"qz", "1"},
    {"vx", "m/s"}, {"vy", "m/s"}, {"vz", "m/s"}, {"wx", "rad/s"}, {"wy", "rad/s"}, {"wz", "rad/s"},
};

// The wire's x: position, attitude of the world, attitude of the frame; v: velocity, angular velocity.
static void observe(const void *parameters, const StiStage *stage, const StiMotion *xhat,
                    const double *y, const double *s, const double *u, double *values)
{
    (void)parameters, (void)stage, (void)y, (void)s, (void)u;
    memcpy(values, xhat->x, 3 * sizeof *values);
    memcpy(values + 3, xhat->x + 7, 4 * sizeof *values);
    memcpy(values + 7, xhat->v, 6 * sizeof *values);
}

const StiImpedanceKind sti_kind_site = {
    .table_size = sizeof(StiImpedanceKind),
    .info = {.name = "site", .summary = "pose and twist of a frame on a link or a body, recorded"},
    .continuous = true,
    .smooth = true,
    .only_senses = true,
    .size = size,
    .eval = eval,
    .tangent = tangent,
    .channels = channels,
    .channel_count = sizeof channels / sizeof channels[0],
    .observe = observe,
};
