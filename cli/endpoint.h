// Where a scene ends: positions and velocities among its recorded channels, at the stop time.
#ifndef STICTION_CLI_ENDPOINT_H
#define STICTION_CLI_ENDPOINT_H

#include "options.h"

typedef struct Endpoint {
    char **names; // of the channels in m, rad, m/s, rad/s
    double *values;
    int count;
    double seconds; // of CPU time
} Endpoint;

// Runs the scene with these further changes ("path=value"), NULL after the last. Returns an exit
// code, after messages.
int endpoint_reach(const Arguments *arguments, const char *const *changes, Endpoint *endpoint);
void endpoint_release(Endpoint *endpoint);

// Euclidean distance over the channels of the reference; NaN where one is missing.
double endpoint_distance(const Endpoint *endpoint, const Endpoint *reference);

// Event-exact, with tight tolerances; *doubt: its distance from a second method's.
int endpoint_refer(const Arguments *arguments, Endpoint *reference, double *doubt);

extern const char
    *const endpoint_methods[2]; // of the reference and of the second, as --set method=

#endif
