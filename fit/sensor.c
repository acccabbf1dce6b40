// What sensors show of a simulated segment, and how far that is from what was measured.
#include "sensor.h"

#include <math.h>

Sensor sensor_of(const Problem *problem, int channel, const double *values)
{
    const StiFitChannel *of = &problem->design->channels[channel];
    Sensor sensor = {of->offset.value, of->gain.value, of->delay.value};
    for (int i = 0; i < problem->count; ++i) {
        const Parameter *parameter = &problem->parameters[i];
        if (parameter->part != STI_FIT_SENSOR || parameter->channel != channel) continue;
        *(parameter->sensor == 0   ? &sensor.offset
          : parameter->sensor == 1 ? &sensor.gain
                                   : &sensor.delay) = values[i];
    }
    return sensor;
}

static double at_time(const double *trajectory, int channels, int channel, int64_t steps,
                      double place)
{
    static const double same = 1e-6; // of a step: times are written with few digits
    const double last = (double)steps, inside = place < 0.0 ? 0.0 : place > last ? last : place;
    const double whole = floor(inside + 0.5);
    if (fabs(inside - whole) < same) return trajectory[(int64_t)whole * channels + channel];
    const int64_t before = (int64_t)floor(inside);
    const double share = inside - (double)before;
    const double a = trajectory[before * channels + channel],
                 b = trajectory[(before + 1) * channels + channel];
    return a + share * (b - a);
}

void segment_predicted(const Problem *problem, int segment, int channel, const double *values,
                       const double *trajectory, double *predicted)
{
    const Segment *of = &problem->segments[segment];
    const Log *log = &problem->fit->logs[of->log].log;
    const Sensor sensor = sensor_of(problem, channel, values);
    for (int k = 0; k < of->rows; ++k) {
        const double t = log->t[of->first + k] - log->t[of->first] - sensor.delay;
        const double x = at_time(trajectory, problem->design->channel_count, channel, of->steps,
                                 t / problem->step);
        predicted[k] = sensor.offset + sensor.gain * x;
    }
}

double segment_weight(const Problem *problem, int segment, int channel)
{
    const StiFitDesign *design = problem->design;
    return design->logs[problem->segments[segment].log].weight * design->channels[channel].weight /
           problem->deviations[channel];
}

void segment_residuals(const Problem *problem, int segment, const double *values,
                       const double *trajectory, double *residuals)
{
    const Segment *of = &problem->segments[segment];
    for (int i = 0; i < problem->design->channel_count; ++i) {
        const double *measured = problem->fit->logs[of->log].channels[i] + of->first;
        const double weight = segment_weight(problem, segment, i);
        double *to = residuals + (int64_t)i * of->rows;
        segment_predicted(problem, segment, i, values, trajectory, to);
        for (int k = 0; k < of->rows; ++k) to[k] = weight * (to[k] - measured[k]);
    }
}
