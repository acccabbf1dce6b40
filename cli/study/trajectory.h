// Motion of a scene at some times: its recorded channels of positions and velocities.
#ifndef STICTION_CLI_TRAJECTORY_H
#define STICTION_CLI_TRAJECTORY_H

#include <stdint.h>

#include "command/options.h"
#include "report/report_rows.h"

typedef struct Trajectory {
    int count; // channels in m, rad, m/s, rad/s
    char **names;
    bool *is_rate;        // m/s, rad/s; NULL where that is not known (read from a file)
    Rows rows;            // t, then the channels
    double seconds;       // of CPU time, steps alone
    double step;          // s, of the network
    uint64_t fingerprint; // of the scene
} Trajectory;

// Runs the scene with further changes ("path=value", NULL after the last), and keeps the rows whose
// times like has too (NULL: all that are recorded). Returns an exit code, after messages.
int trajectory_run(const Arguments *arguments, const char *const *changes, const Trajectory *like,
                   Trajectory *trajectory);
// Whether channels of this unit are kept.
bool trajectory_takes(const char *unit);
void trajectory_release(Trajectory *trajectory);

double trajectory_time(const Trajectory *trajectory, int64_t row);

// hypot(difference of positions, difference of velocities/scale), over the channels of this one.
typedef struct Distance {
    double end;      // at the last row; NaN where the reference has no such time or channel
    double greatest; // of all rows whose times the reference has
} Distance;
Distance trajectory_distance(const Trajectory *trajectory, const Trajectory *reference,
                             double scale);

#endif
