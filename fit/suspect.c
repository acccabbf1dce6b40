#include "suspect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void spread(const double *values, int count, double *least, double *most)
{
    *least = *most = values[0];
    for (int i = 1; i < count; ++i) {
        *least = fmin(*least, values[i]);
        *most = fmax(*most, values[i]);
    }
}

void suspect_columns(const StiFit *fit, StiMessages *messages)
{
    const StiFitDesign *design = fit->scene->fit;
    for (int l = 0; l < design->log_count; ++l)
        for (int i = 0; i < design->channel_count; ++i) {
            const StiFitChannel *channel = &design->channels[i];
            StiChannel about;
            double least, most;
            const int number = sti_network_channel_find(fit->scene->network, channel->channel);
            spread(fit->logs[l].channels[i], fit->logs[l].log.rows, &least, &most);
            if (most == least)
                fit_message(messages, STI_WARNING, fit->logs[l].log.file, 0, 0,
                            "%s: column '%s' does not change: it says little", channel->channel,
                            channel->column);
            if (!sti_network_channel(fit->scene->network, number, &about)) continue;
            const double range = most - least;
            if (strcmp(about.unit, "rad") == 0 && range > 40.0)
                fit_message(messages, STI_WARNING, fit->logs[l].log.file, 0, 0,
                            "%s: column '%s' ranges over %.4g; the channel is in rad. Is the "
                            "column in degrees? "
                            "Then map \"%s*pi/180\"",
                            channel->channel, channel->column, range, channel->column);
            if (strcmp(about.unit, "m") == 0 && range > 50.0)
                fit_message(messages, STI_WARNING, fit->logs[l].log.file, 0, 0,
                            "%s: column '%s' ranges over %.4g; the channel is in m. Is the column "
                            "in mm? Then map "
                            "\"%s/1000\"",
                            channel->channel, channel->column, range, channel->column);
        }
}

// ---- against what is simulated ------------------------------------------------------------------------------------

typedef struct Sums {
    double rows, x, y, xx, yy, xy;
} Sums;

static void add(Sums *sums, double x, double y)
{
    sums->rows += 1.0;
    sums->x += x, sums->y += y;
    sums->xx += x * x, sums->yy += y * y, sums->xy += x * y;
}

// Friction makes more of a small force than a share of it: a factor of 2 either way.
static double near_factor(double ratio)
{
    static const double factors[] = {1000.0, 57.29577951308232, 1e-3, 0.017453292519943295};
    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; ++i)
        if (ratio > 0.5 * factors[i] && ratio < 2.0 * factors[i]) return factors[i];
    return 0.0;
}

double suspect_factor(const Engine *engine, int channel, const double *values)
{
    static const double alike = 0.8; // correlation
    const Problem *problem = engine->problem;
    double *predicted = malloc((size_t)engine_rows(engine) * sizeof *predicted);
    Sums sums = {0};
    for (int s = 0; predicted != NULL && s < problem->segment_count; ++s) {
        const Segment *of = &problem->segments[s];
        const double *measured = problem->fit->logs[of->log].channels[channel] + of->first;
        segment_predicted(problem, s, channel, values, engine->bases[s], predicted);
        for (int k = 0; k < of->rows; ++k)
            add(&sums, predicted[k] - predicted[0], measured[k] - measured[0]);
    }
    free(predicted);
    const double xx = sums.xx - sums.x * sums.x / sums.rows,
                 yy = sums.yy - sums.y * sums.y / sums.rows,
                 xy = sums.xy - sums.x * sums.y / sums.rows;
    if (!(xy > alike * sqrt(xx * yy))) return 0.0;
    return near_factor(sqrt(yy / xx));
}
