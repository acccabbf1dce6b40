#include "measure.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int entrants_for(const PeerTask *task, Entrant entrants[ENTRANTS])
{
    int count = 0;
    for (int p = 0; peers[p] != NULL; ++p)
        for (int v = 0; v < PEER_VARIANTS && peers[p]->variants[v].name != NULL; ++v) {
            void *world = peers[p]->build(task, v);
            if (world == NULL) continue;
            peers[p]->destroy(world);
            entrants[count++] = (Entrant){peers[p], v};
        }
    return count;
}

const char *entrant_label(const Entrant *entrant, char *text, size_t size)
{
    snprintf(text, size, "%s %s", entrant->peer->name,
             entrant->peer->variants[entrant->variant].name);
    return text;
}

bool entrant_is_stiction(const Entrant *entrant) { return entrant->peer == peers[0]; }

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
double clock_processor(void) { return seconds(CLOCK_PROCESS_CPUTIME_ID); }
double clock_wall(void) { return seconds(CLOCK_MONOTONIC); }

void process_pin(bool one_core)
{
    static cpu_set_t all;
    static bool known = false;
    if (!known) sched_getaffinity(0, sizeof all, &all), known = true;
    cpu_set_t set = all;
    for (int cpu = CPU_SETSIZE - 1, found = 0; one_core && cpu >= 0; --cpu) {
        if (!CPU_ISSET(cpu, &all)) continue;
        if (found++ > 0) CPU_CLR(cpu, &set); // all but the last
    }
    sched_setaffinity(0, sizeof set, &set);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return count % 2 == 1 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

// Of a world of its own, directly before: short runs would else show caches and not steps.
enum { WARM_UP = 32 };

double run_and_read(const Entrant *entrant, const PeerTask *task, const double *times, int count,
                    double values[][PEER_VALUES])
{
    const Peer *peer = entrant->peer;
    void *world = peer->build(task, entrant->variant),
         *before = peer->build(task, entrant->variant);
    double time = 0.0;
    long done = 0;
    peer->run(before, lround(fmin(times[0] / task->T, WARM_UP)));
    for (int i = 0; i < count; ++i) {
        const long steps = lround(times[i] / task->T);
        const double begin = clock_processor();
        peer->run(world, steps - done);
        time += clock_processor() - begin;
        done = steps;
        memset(values[i], 0, sizeof values[i]);
        peer->read(world, values[i]);
    }
    peer->destroy(before);
    peer->destroy(world);
    return time;
}
