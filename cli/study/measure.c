#include "study/measure.h"

#include <math.h>

// Times are looked up to a thousandth of a step.
static const double slack = 1e-3;

// Any number of steps, also one beyond all runs.
static int64_t row_number(double steps) { return (int64_t)fmax(-1e15, fmin(1e15, steps)); }

static void find_rows(Measure *measure, const StiNetwork *network)
{
    const StiExpectation *e = measure->expectation;
    const double T = sti_network_step(network), start = sti_network_time(network, 0);
    const double end = e->measure == STI_MEASURE_AT ? e->t1 : e->t2;
    measure->first = row_number(ceil((e->t1 - start) / T - slack));
    measure->last = row_number(floor((end - start) / T + slack));
    if (e->measure == STI_MEASURE_WHEN) measure->last = INT64_MAX;
}

void measure_begin(Measure *measure, const StiExpectation *expectation, const Channels *channels,
                   const StiNetwork *network)
{
    *measure = (Measure){.expectation = expectation, .against.channel = -1};
    find_rows(measure, network);
    bool readable = reading_begin(&measure->reading, expectation->channel, channels);
    if (expectation->measure == STI_MEASURE_LOOP || expectation->measure == STI_MEASURE_PER)
        readable = reading_begin(&measure->against, expectation->against, channels) && readable;
    if (!readable) measure->last = -1; // no row counts
}

void measure_release(Measure *measure)
{
    reading_release(&measure->reading);
    reading_release(&measure->against);
}

// The integral of channel d against by trapezoids.
static void add_to_loop(Measure *measure, double value, double t, const StiRecorder *recorder)
{
    const double against = reading_value(&measure->against, t, recorder);
    if (measure->rows > 0)
        measure->value += 0.5 * (value + measure->before) * (against - measure->against_before);
    measure->before = value;
    measure->against_before = against;
}

// How much the channel has changed for each unit of the other; NaN where that one has not.
static void follow_change(Measure *measure, double value, double t, const StiRecorder *recorder)
{
    const double against = reading_value(&measure->against, t, recorder);
    if (measure->rows == 0) {
        measure->before = value;
        measure->against_before = against;
    }
    measure->value = (value - measure->before) / (against - measure->against_before);
}

// A NaN in a channel must not be lost among the comparisons.
static double larger(double a, double b) { return isnan(a) || a > b ? a : b; }

static void take_row(Measure *measure, double value, double t, const StiRecorder *recorder)
{
    const bool first = measure->rows == 0;
    switch (measure->expectation->measure) {
    case STI_MEASURE_AT:
    case STI_MEASURE_LAST:
        measure->value = value;
        break;
    case STI_MEASURE_FIRST:
        measure->value = first ? value : measure->value;
        break;
    case STI_MEASURE_MAX:
        measure->value = first ? value : larger(value, measure->value);
        break;
    case STI_MEASURE_MIN:
        measure->value = first ? value : -larger(-value, -measure->value);
        break;
    case STI_MEASURE_MAXABS:
        measure->value = larger(fabs(value), measure->value);
        break;
    case STI_MEASURE_MEAN:
        measure->value += value;
        break;
    case STI_MEASURE_RANGE:
        measure->high = first ? value : larger(value, measure->high);
        measure->low = first ? value : -larger(-value, -measure->low);
        break;
    case STI_MEASURE_LOOP:
        add_to_loop(measure, value, t, recorder);
        break;
    case STI_MEASURE_PER:
        follow_change(measure, value, t, recorder);
        break;
    case STI_MEASURE_WHEN:
        if (value == 0.0 || isnan(value)) return; // not yet
        measure->value = t;
        measure->last = -1;
        break;
    }
    ++measure->rows;
}

void measure_row(Measure *measure, int64_t k, double t, const StiRecorder *recorder)
{
    if (k < measure->first || k > measure->last) return;
    take_row(measure, reading_value(&measure->reading, t, recorder), t, recorder);
}

void measure_event(Measure *measure, double t, const StiRecorder *recorder)
{
    if (measure->last < 0 || t < measure->expectation->t1) return;
    take_row(measure, reading_value(&measure->reading, t, recorder), t, recorder);
}

double measure_value(const Measure *measure)
{
    if (measure->rows == 0) return NAN;
    switch (measure->expectation->measure) {
    case STI_MEASURE_MEAN:
        return measure->value / (double)measure->rows;
    case STI_MEASURE_RANGE:
        return measure->high - measure->low;
    default:
        return measure->value;
    }
}

bool measure_holds(const StiExpectation *expectation, double value)
{
    switch (expectation->relation) {
    case STI_UNDER:
        return value <= expectation->value;
    case STI_OVER:
        return value >= expectation->value;
    case STI_NEAR:
        break;
    }
    return fabs(value - expectation->value) <= expectation->tolerance;
}

double measure_badness(const StiExpectation *expectation, double value)
{
    if (isnan(value)) return INFINITY;
    switch (expectation->relation) {
    case STI_UNDER:
        return value;
    case STI_OVER:
        return -value;
    case STI_NEAR:
        break;
    }
    return fabs(value - expectation->value);
}
