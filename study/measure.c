#include "stiction/measure.h"

#include <math.h>
#include <stdlib.h>

struct StiMeasurement {
    const StiExpectation *expectation;
    StiReading *reading, *against;
    int64_t first, last; // rows that count
    int64_t rows;        // seen so far
    double value; // the first, last, greatest ...; a sum for the mean, an integral for a loop
    double low, high;
    double before, against_before; // the row before, for a loop
};

// Times are looked up to a thousandth of a step.
static const double slack = 1e-3;

// Any number of steps, also one beyond all runs.
static int64_t row_number(double steps) { return (int64_t)fmax(-1e15, fmin(1e15, steps)); }

static void find_rows(StiMeasurement *measurement, const StiNetwork *network)
{
    const StiExpectation *e = measurement->expectation;
    const double T = sti_network_step(network), start = sti_network_time(network, 0);
    const double end = e->measure == STI_MEASURE_AT ? e->t1 : e->t2;
    measurement->first = row_number(ceil((e->t1 - start) / T - slack));
    measurement->last = row_number(floor((end - start) / T + slack));
    if (e->measure == STI_MEASURE_WHEN) measurement->last = INT64_MAX;
}

StiMeasurement *sti_measurement_create(const StiNetwork *network,
                                       const StiExpectation *expectation)
{
    const StiMeasure measure = expectation->measure;
    const bool two = measure == STI_MEASURE_LOOP || measure == STI_MEASURE_PER;
    StiMeasurement *measurement = calloc(1, sizeof *measurement);
    if (measurement == NULL) return NULL;
    measurement->expectation = expectation;
    find_rows(measurement, network);
    measurement->reading = sti_reading_create(network, expectation->channel);
    if (two) measurement->against = sti_reading_create(network, expectation->against);
    if (measurement->reading == NULL || (two && measurement->against == NULL))
        measurement->last = -1; // no row counts
    return measurement;
}

void sti_measurement_destroy(StiMeasurement *measurement)
{
    if (measurement == NULL) return;
    sti_reading_destroy(measurement->reading);
    sti_reading_destroy(measurement->against);
    free(measurement);
}

// The integral of channel d against by trapezoids.
static void add_to_loop(StiMeasurement *measurement, double value, double t, const StiRecorder *recorder)
{
    const double against = sti_reading_value(measurement->against, t, recorder);
    if (measurement->rows > 0)
        measurement->value += 0.5 * (value + measurement->before) * (against - measurement->against_before);
    measurement->before = value;
    measurement->against_before = against;
}

// How much the channel has changed for each unit of the other; NaN where that one has not.
static void follow_change(StiMeasurement *measurement, double value, double t, const StiRecorder *recorder)
{
    const double against = sti_reading_value(measurement->against, t, recorder);
    if (measurement->rows == 0) {
        measurement->before = value;
        measurement->against_before = against;
    }
    measurement->value = (value - measurement->before) / (against - measurement->against_before);
}

// A NaN in a channel must not be lost among the comparisons.
static double larger(double a, double b) { return isnan(a) || a > b ? a : b; }

static void take_row(StiMeasurement *measurement, double value, double t, const StiRecorder *recorder)
{
    const bool first = measurement->rows == 0;
    switch (measurement->expectation->measure) {
    case STI_MEASURE_AT:
    case STI_MEASURE_LAST:
        measurement->value = value;
        break;
    case STI_MEASURE_FIRST:
        measurement->value = first ? value : measurement->value;
        break;
    case STI_MEASURE_MAX:
        measurement->value = first ? value : larger(value, measurement->value);
        break;
    case STI_MEASURE_MIN:
        measurement->value = first ? value : -larger(-value, -measurement->value);
        break;
    case STI_MEASURE_MAXABS:
        measurement->value = larger(fabs(value), measurement->value);
        break;
    case STI_MEASURE_MEAN:
        measurement->value += value;
        break;
    case STI_MEASURE_RANGE:
        measurement->high = first ? value : larger(value, measurement->high);
        measurement->low = first ? value : -larger(-value, -measurement->low);
        break;
    case STI_MEASURE_LOOP:
        add_to_loop(measurement, value, t, recorder);
        break;
    case STI_MEASURE_PER:
        follow_change(measurement, value, t, recorder);
        break;
    case STI_MEASURE_WHEN:
        if (value == 0.0 || isnan(value)) return; // not yet
        measurement->value = t;
        measurement->last = -1;
        break;
    }
    ++measurement->rows;
}

bool sti_measurement_counts(const StiMeasurement *measurement, int64_t k)
{
    return k >= measurement->first && k <= measurement->last;
}

void sti_measurement_row(StiMeasurement *measurement, int64_t k, double t, const StiRecorder *recorder)
{
    if (!sti_measurement_counts(measurement, k)) return;
    take_row(measurement, sti_reading_value(measurement->reading, t, recorder), t, recorder);
}

void sti_measurement_event(StiMeasurement *measurement, double t, const StiRecorder *recorder)
{
    if (measurement->last < 0 || t < measurement->expectation->t1) return;
    take_row(measurement, sti_reading_value(measurement->reading, t, recorder), t, recorder);
}

double sti_measurement_value(const StiMeasurement *measurement)
{
    if (measurement->rows == 0) return NAN;
    switch (measurement->expectation->measure) {
    case STI_MEASURE_MEAN:
        return measurement->value / (double)measurement->rows;
    case STI_MEASURE_RANGE:
        return measurement->high - measurement->low;
    default:
        return measurement->value;
    }
}

bool sti_expectation_holds(const StiExpectation *expectation, double value)
{
    switch (expectation->relation) {
    case STI_UNDER:
        return value <= expectation->value;
    case STI_OVER:
        return value >= expectation->value;
    case STI_UNJUDGED:
        return !isnan(value);
    case STI_NEAR:
        break;
    }
    return fabs(value - expectation->value) <= expectation->tolerance;
}

double sti_expectation_badness(const StiExpectation *expectation, double value)
{
    if (isnan(value)) return INFINITY;
    switch (expectation->relation) {
    case STI_UNDER:
        return value;
    case STI_OVER:
        return -value;
    case STI_UNJUDGED:
        return 0.0;
    case STI_NEAR:
        break;
    }
    return fabs(value - expectation->value);
}
