// How far a run should be by now.
#ifndef STICTION_CLI_VIEW_CLOCK_H
#define STICTION_CLI_VIEW_CLOCK_H

#include <stdbool.h>

typedef struct LiveClock {
    double speed;                   // seconds of the run per second; 0: as fast as it can
    double wall, t;                 // where both stood when the clock was set
    double rate_wall, rate_t, rate; // how fast it really went lately
} LiveClock;

void live_clock_set(LiveClock *clock, double now, double t); // after a pause, a jump, a new speed
bool live_clock_due(const LiveClock *clock, double now, double t); // a step from t
// Time that cannot be caught up is given up; the rate is measured.
void live_clock_follow(LiveClock *clock, double now, double t);

#endif
