// Measuring: what the expectations of a scene and the measures of a study ask for, row by row while a run
// goes on. Part of the library of studies (stiction_study).
#ifndef STICTION_MEASURE_H
#define STICTION_MEASURE_H

#include "record.h"
#include "scene.h"

#ifdef __cplusplus
extern "C" {
#endif

// A channel, or an expression of channels and t.
typedef struct StiReading StiReading;
// NULL without memory, or where the text names a channel that the network does not have. The network must
// outlive it; a reading is of one thread at a time.
STI_API StiReading *sti_reading_create(const StiNetwork *network, const char *text);
STI_API void sti_reading_destroy(StiReading *reading);
STI_API double sti_reading_value(StiReading *reading, double t, const StiRecorder *recorder);

typedef struct StiMeasurement StiMeasurement;
// Of one run; the expectation must outlive it. NULL without memory. Where its channels do not exist it
// measures nothing.
STI_API StiMeasurement *sti_measurement_create(const StiNetwork *network,
                                               const StiExpectation *expectation);
STI_API void sti_measurement_destroy(StiMeasurement *measurement);
// Row k of the recorder, at time t; cheap outside the rows that count.
STI_API void sti_measurement_row(StiMeasurement *measurement, int64_t k, double t,
                                 const StiRecorder *recorder);
// Does row k count? Where none does, the recorder need not be there.
STI_API bool sti_measurement_counts(const StiMeasurement *measurement, int64_t k);
// A moment between two rows: for conditions only.
STI_API void sti_measurement_event(StiMeasurement *measurement, double t,
                                   const StiRecorder *recorder);
// NaN if no row counted, or if what "when" asks never came.
STI_API double sti_measurement_value(const StiMeasurement *measurement);

// Is it as expected? An unjudged measure holds where it is a number.
STI_API bool sti_expectation_holds(const StiExpectation *expectation, double value);
// How far from what is expected, the larger the worse: to find the worst of many runs.
STI_API double sti_expectation_badness(const StiExpectation *expectation, double value);

#ifdef __cplusplus
}
#endif
#endif
