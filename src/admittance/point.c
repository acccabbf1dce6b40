// Points in 1, 2 or 3 dimensions.
#include "admittance/point.h"
#include "algebra/slices.h"

StiFrame sti_point_frame(int dim, const double *x, const double *v)
{
    return (StiFrame){.p = sti_vec3_read_axes(dim, x),
                      .q = STI_QUAT_IDENTITY,
                      .v = sti_vec3_read_axes(dim, v)};
}

static const StiChannelInfo channels[3][6] = {
    {{"x", "m"}, {"v", "m/s"}},
    {{"x", "m"}, {"y", "m"}, {"vx", "m/s"}, {"vy", "m/s"}},
    {{"x", "m"}, {"y", "m"}, {"z", "m"}, {"vx", "m/s"}, {"vy", "m/s"}, {"vz", "m/s"}},
};

int sti_point_channels(int dim, const StiChannelInfo **names)
{
    *names = channels[dim - 1];
    return 2 * dim;
}

void sti_point_observe(int dim, const double *x, const double *v, double *values)
{
    for (int i = 0; i < dim; ++i) values[i] = x[i];
    for (int i = 0; i < dim; ++i) values[dim + i] = v[i];
}

void sti_check_point(const StiCheck *check, int dim)
{
    if (dim < 1 || dim > 3) sti_check_error(check, "dimensions", dim, "must be 1, 2 or 3");
}
