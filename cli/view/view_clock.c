#include "view/view_clock.h"

static const double given_up = 0.25, measured = 0.5; // s of wall time

void live_clock_set(LiveClock *clock, double now, double t)
{
    clock->wall = clock->rate_wall = now;
    clock->t = clock->rate_t = t;
    clock->rate = clock->speed;
}

static double target(const LiveClock *clock, double now)
{
    return clock->t + clock->speed * (now - clock->wall);
}

bool live_clock_due(const LiveClock *clock, double now, double t)
{
    return clock->speed == 0.0 || t < target(clock, now);
}

void live_clock_follow(LiveClock *clock, double now, double t)
{
    if (clock->speed > 0.0 && target(clock, now) - t > given_up * clock->speed) {
        clock->wall = now;
        clock->t = t;
    }
    if (now - clock->rate_wall < measured) return;
    clock->rate = (t - clock->rate_t) / (now - clock->rate_wall);
    clock->rate_wall = now;
    clock->rate_t = t;
}
