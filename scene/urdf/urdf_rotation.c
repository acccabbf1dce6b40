#include <float.h>
#include <math.h>

#include "urdf/urdf_reader.h"

StiQuat urdf_quat(const double rpy[3])
{
    const double cr = sti_cos(0.5 * rpy[0]), sr = sti_sin(0.5 * rpy[0]);
    const double cp = sti_cos(0.5 * rpy[1]), sp = sti_sin(0.5 * rpy[1]);
    const double cy = sti_cos(0.5 * rpy[2]), sy = sti_sin(0.5 * rpy[2]);
    return (StiQuat){cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy,
                     cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy};
}

// From sums of half angles, because these lose no digits where the pitch is near 90 degrees:
// w + y and x - z are cos and sin of (roll - yaw)/2 times sqrt(2) sin(pitch/2 + pi/4),
// w - y and x + z are cos and sin of (roll + yaw)/2 times sqrt(2) cos(pitch/2 + pi/4).
void urdf_rpy(StiQuat q, double rpy[3])
{
    static const double half_pi = 1.57079632679489661923;
    const double up = sti_hypot(q.w + q.y, q.x - q.z), down = sti_hypot(q.w - q.y, q.x + q.z);
    const double difference = up > 0.0 ? sti_atan2(q.x - q.z, q.w + q.y) : 0.0;
    const double sum = down > 0.0 ? sti_atan2(q.x + q.z, q.w - q.y) : 0.0;
    const bool turned = fabs(q.x) + fabs(q.y) + fabs(q.z) > 0.0;
    rpy[0] = turned ? sum + difference : 0.0;
    rpy[1] = turned ? 2.0 * sti_atan2(up, down) - half_pi : 0.0;
    rpy[2] = turned ? sum - difference : 0.0;
}

bool urdf_unit(double *values, int count)
{
    double largest = 0.0, sum = 0.0;
    for (int i = 0; i < count; ++i) largest = fmax(largest, fabs(values[i]));
    if (!(largest > 0.0) || !isfinite(largest)) return false;
    for (int i = 0; i < count; ++i) sum += values[i] / largest * (values[i] / largest);
    const double length = largest * sqrt(sum);
    if (fabs(length - 1.0) <= 4.0 * DBL_EPSILON) return true;
    for (int i = 0; i < count; ++i) values[i] = values[i] / largest / sqrt(sum);
    return true;
}
