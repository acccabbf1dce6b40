// Runs of one simulator with one choice of settings.
#ifndef STICTION_PEERS_MEASURE_H
#define STICTION_PEERS_MEASURE_H

#include <stdbool.h>

#include "peer.h"

enum { ENTRANTS = 24 };

typedef struct Entrant {
    const Peer *peer;
    int variant;
} Entrant;

// All that can do the task, stiction first; how many.
int entrants_for(const PeerTask *task, Entrant entrants[ENTRANTS]);
// "MuJoCo hard"
const char *entrant_label(const Entrant *entrant, char *text, size_t size);
bool entrant_is_stiction(const Entrant *entrant);

// Seconds of processor time of this process, and of the wall.
double clock_processor(void);
double clock_wall(void);
// Keeps the process on one core; later threads inherit it unless it is undone.
void process_pin(bool one_core);

// Median; sorts the values.
double median(double *values, int count);

// Runs from the start and reads at the times; returns processor seconds of the runs alone.
double run_and_read(const Entrant *entrant, const PeerTask *task, const double *times, int count,
                    double values[][PEER_VALUES]);

#endif
