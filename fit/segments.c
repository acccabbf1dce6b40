// Logs are cut into segments, with what drives each step of them.
#include <math.h>
#include <stdlib.h>

#include "fit.h"

// The last sample at or before t.
static int sample_at(const Log *log, double t, int from)
{
    const double slack = 1e-6 * (log->t[log->rows - 1] - log->t[0]) / log->rows;
    while (from + 1 < log->rows && log->t[from + 1] <= t + slack) ++from;
    return from;
}

static double linear_at(const Log *log, const double *values, double t, int sample)
{
    if (sample + 1 >= log->rows) return values[sample];
    const double share = (t - log->t[sample]) / (log->t[sample + 1] - log->t[sample]);
    return values[sample] + share * (values[sample + 1] - values[sample]);
}

static bool fill_inputs(const Problem *problem, const StiNetwork *network, Segment *segment)
{
    const Measured *measured = &problem->fit->logs[segment->log];
    const size_t width = (size_t)problem->input_count;
    segment->inputs = calloc((size_t)segment->steps * width + 1, sizeof *segment->inputs);
    if (segment->inputs == NULL) return false;
    int sample = segment->first;
    for (int64_t k = 0; k < segment->steps; ++k) {
        double *row = segment->inputs + (size_t)k * width;
        const double t = measured->log.t[segment->first] + (double)k * problem->step;
        const double read_at = problem->design->linear ? t + 0.5 * problem->step : t;
        sti_network_usual_inputs(network, row);
        sample = sample_at(&measured->log, read_at, sample);
        for (int i = 0; i < problem->design->drive_count; ++i) {
            const int place = sti_network_input(network, problem->fit->drive_inputs[i]);
            const double *values = measured->drives[i];
            row[place] = problem->design->linear
                             ? linear_at(&measured->log, values, read_at, sample)
                             : values[sample];
        }
    }
    return true;
}

static int windows_of(const Problem *problem, const Log *log)
{
    const double length = log->t[log->rows - 1] - log->t[0];
    if (!(problem->design->window > 0.0)) return 1;
    const double count = floor(length / problem->design->window + 0.5);
    return count < 1.0 ? 1 : count > log->rows / 4 ? log->rows / 4 : (int)count;
}

static bool cut_log(Problem *problem, int log_number, const StiNetwork *network)
{
    const Log *log = &problem->fit->logs[log_number].log;
    const int windows = windows_of(problem, log);
    for (int w = 0; w < windows; ++w) {
        const int first = (int)((int64_t)log->rows * w / windows),
                  last = (int)((int64_t)log->rows * (w + 1) / windows) - 1;
        const double length = log->t[last] - log->t[first];
        Segment *segment = &problem->segments[problem->segment_count++];
        *segment = (Segment){.log = log_number,
                             .first = first,
                             .rows = last - first + 1,
                             .steps = (int64_t)ceil(length / problem->step - 1e-6),
                             .at = problem->rows};
        problem->rows += (int64_t)segment->rows * problem->design->channel_count;
        if (!fill_inputs(problem, network, segment)) return false;
    }
    return true;
}

bool problem_cut_logs(Problem *problem, const StiNetwork *network)
{
    int count = 0;
    for (int i = 0; i < problem->design->log_count; ++i)
        count += windows_of(problem, &problem->fit->logs[i].log);
    problem->segments = calloc((size_t)count + 1, sizeof *problem->segments);
    if (problem->segments == NULL) return false;
    for (int i = 0; i < problem->design->log_count; ++i)
        if (!cut_log(problem, i, network)) return false;
    return true;
}
