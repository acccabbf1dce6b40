// Private: sensors between simulated and measured channels.
#ifndef STICTION_FIT_SENSOR_H
#define STICTION_FIT_SENSOR_H

#include "fit.h"

typedef struct Sensor {
    double offset, gain, delay;
} Sensor;

// With the values of a fit in place of those of the design.
Sensor sensor_of(const Problem *problem, int channel, const double *values);
// Residuals of a segment, weighted: simulated less measured, channel after channel.
void segment_residuals(const Problem *problem, int segment, const double *values,
                       const double *trajectory, double *residuals);
// What the sensor of a channel would have shown in each row.
void segment_predicted(const Problem *problem, int segment, int channel, const double *values,
                       const double *trajectory, double *predicted);
double segment_weight(const Problem *problem, int segment, int channel);

#endif
