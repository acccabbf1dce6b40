// Expectations: what is measured while a run goes on, row by row, and whether it is as expected.
#ifndef STICTION_CLI_MEASURE_H
#define STICTION_CLI_MEASURE_H

#include "files/reading.h"

typedef struct Measure {
    const StiExpectation *expectation;
    Reading reading, against;
    int64_t first, last; // rows that count
    int64_t rows;        // seen so far
    double value; // the first, last, greatest ...; a sum for the mean, an integral for a loop
    double low, high;
    double before, against_before; // the row before, for a loop
} Measure;

void measure_begin(Measure *measure, const StiExpectation *expectation, const Channels *channels,
                   const StiNetwork *network);
void measure_release(Measure *measure);
// Row k of the recorder; cheap outside the rows that count.
void measure_row(Measure *measure, int64_t k, double t, const StiRecorder *recorder);
// A moment between two rows: for conditions only.
void measure_event(Measure *measure, double t, const StiRecorder *recorder);
double measure_value(
    const Measure *measure); // NaN if no row counted, or if what "when" asks never came

bool measure_holds(const StiExpectation *expectation, double value);
// How far from what is expected, the larger the worse: used to find the worst of many runs.
double measure_badness(const StiExpectation *expectation, double value);

#endif
