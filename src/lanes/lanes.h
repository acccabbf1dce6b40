// Private: several runs side by side. A number of a stage is one number of each run, a Lane.
#ifndef STICTION_SRC_LANES_LANES_H
#define STICTION_SRC_LANES_LANES_H

#include "cut/listed.h"
#include "record/recorder.h"
#include "stiction/lanes.h"

// Eight numbers that one operation handles, or two or four of the processor's. Not aligned: arenas are not.
typedef double Lane __attribute__((vector_size(STI_LANES * sizeof(double)), aligned(8)));

// Compiled for the processors that there are; chosen when the program starts. Sums are never fused (CMakeLists.txt).
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define STI_FOR_PROCESSORS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define STI_FOR_PROCESSORS
#endif

// A vector function that becomes a part of one of those.
#define STI_INSIDE static inline __attribute__((always_inline))

// All bits of a number, or none: where something holds.
typedef long long LaneMask __attribute__((vector_size(STI_LANES * sizeof(long long)), aligned(8)));

STI_INSIDE void sti_lane_choose(const LaneMask *where, const Lane *yes, const Lane *no, Lane *to)
{
    *to = (Lane)(((LaneMask)*yes & *where) | ((LaneMask)*no & ~*where));
}

// The numbers of one run, out of lanes and into them.
static inline void sti_lane_give(int count, const Lane *from, int lane, double *to)
{
    for (int i = 0; i < count; ++i) to[i] = from[i][lane];
}

static inline void sti_lane_take(int count, const double *from, int lane, Lane *to)
{
    for (int i = 0; i < count; ++i) to[i][lane] = from[i];
}

enum { STAGES = 4 };

// What is so simple in all runs that it needs no call: springs, masses, and friction of one level.
typedef struct LaneSpring {
    bool known;
    Lane K, rest, B;
} LaneSpring;

typedef struct LaneMass {
    bool known;
    Lane mass;
} LaneMass;

typedef struct LaneFriction {
    bool known;
    Lane level;
    Lane force;     // of slip, in this step
    LaneMask stuck; // in this step
} LaneFriction;

// Where the parts of a stage begin, as in StageData.
typedef struct LanePlaces {
    int y, sources, ports, position, velocity, u, generalized, xdot, ydot, count;
} LanePlaces;

// The ledger and the watch over it, as in a recorder.
typedef struct LaneLedger {
    Lane *by_impedance, *by_reaction, *stored, *stored_start;
    Lane work_of_motions, work_on_bodies, in_bodies, in_bodies_start;
    Lane given, work, highest, lowest, moving_most;
} LaneLedger;

// One run by itself: what takes the steps that it does not take with the others.
typedef struct LaneRun {
    const StiNetwork *network;
    StiState *state;
    StiScratch *scratch;
    StiRecorder *recorder;
    StiStatus status;
    int64_t unsolved; // steps without an answer, and whose it was first
    const char *unsolved_at;
    bool ready;  // the lanes hold its point, evaluated, with margins
    bool taken;  // it takes this step with the others
    bool behind; // state and row of its own are of an earlier step
} LaneRun;

struct StiLanes {
    StiArena arena;
    const StiNetwork *network; // of the first: places and sizes of all
    const Listed *lists;
    LanePlaces at;
    LaneRun runs[STI_LANES];
    int count;
    int64_t k;
    Lane *stages[STAGES], *close; // stage 0: the point
    Lane *s, *x_end;
    // By reaction: margins at the ends of the trial, rates where it slips.
    Lane *g0, *g1, *rate0, *rate1, *inside;
    LaneSpring *springs;     // by impedance
    LaneMass *masses;        // by admittance
    bool asks_bodies;        // some of those that move are not
    LaneFriction *frictions; // by reaction
    LaneMask *held;          // laid out like generalized
    Lane *taken;             // and what holding takes away
    double from, to;         // the smooth stretch of the inputs that the point saw
    LaneLedger ledger;
};

// ---- trial.c: a trial over the whole step, by all runs that are taken; those in which something happens are not
// any more. The end is in close and x_end.
void sti_lanes_try(StiLanes *lanes, int leader);

// ---- exchange.c: between lanes and the run by itself
// The run's state, modes and ledger as they are in the lanes; and its row, for readers.
void sti_lanes_give_state(StiLanes *lanes, int lane);
void sti_lanes_give_row(StiLanes *lanes, int lane);
// The lanes take what a step of its own has left.
void sti_lanes_take_point(StiLanes *lanes, int lane);

// ---- ledger.c: the last trial, now accepted, whose first stage is in close
void sti_lanes_weigh(StiLanes *lanes);

#endif
