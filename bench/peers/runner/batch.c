// Case 10: many independent copies of the two-link arm, on one core and on all.
#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "experiments.h"

enum { PROCESSES = 64, ROUND = 100 }; // steps of one copy before the next one's turn

static void work(const Peer *peer, void **worlds, int count, int rounds)
{
    for (int r = 0; r < rounds; ++r)
        for (int i = 0; i < count; ++i) peer->run(worlds[i], ROUND);
}

// Microseconds per step: processor time of the slowest process over the steps of all, which is what
// the wall would show on a machine that does nothing else. One process per core, since not all
// simulators allow worlds in different threads (ODE's default does not).
static double time_step(const Peer *peer, void **worlds, int copies, int processes, int rounds)
{
    double slowest = 0.0;
    for (int p = 0; p < processes; ++p) {
        const int first = copies * p / processes, last = copies * (p + 1) / processes;
        if (fork() != 0) continue;
        work(peer, worlds + first, last - first, rounds);
        _exit(0);
    }
    for (int p = 0; p < processes; ++p) {
        struct rusage used;
        if (wait4(-1, NULL, 0, &used) < 0) break;
        slowest = fmax(slowest, (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                                    1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec));
    }
    return 1e6 * slowest / ((double)copies * rounds * ROUND);
}

static void make_worlds(const Entrant *entrant, const PeerTask *task, void **worlds, int copies)
{
    worlds[0] = entrant->peer->build(task, entrant->variant);
    for (int i = 1; i < copies; ++i)
        worlds[i] = entrant->peer->copy != NULL ? entrant->peer->copy(worlds[0])
                                                : entrant->peer->build(task, entrant->variant);
}

void run_batch(const Report *report, int copies)
{
    if (!report_wants(report, "batch")) return;
    const PeerTask task = {CASE_TWO_LINK, 1e-3, 0, 0.0};
    const int cores = (int)fmin(PROCESSES, (double)sysconf(_SC_NPROCESSORS_ONLN));
    Entrant entrants[ENTRANTS];
    void **worlds = calloc((size_t)copies, sizeof *worlds);
    const int count = entrants_for(&task, entrants);
    char title[64];
    snprintf(title, sizeof title, "Case 10: %d copies of the two-link arm", copies);
    Table table = {
        .id = "batch",
        .title = title,
        .about = "Microseconds per step of one copy, over 200 steps of each (a million divided "
                 "by it: steps per second): processor time of the slowest process, one process "
                 "per core.",
        .columns = {{"one core", 0.0, true}},
        .column_count = 2,
        .row_count = count};
    snprintf(table.columns[1].name, sizeof table.columns[1].name, "all %d cores", cores);
    table.columns[1].judged = true;
    report_progress("batch, %d simulators and settings", count);
    for (int i = 0; i < count; ++i) {
        table.rows[i].entrant = entrants[i];
        make_worlds(&entrants[i], &task, worlds, copies);
        process_pin(true);
        table.rows[i].values[0] = time_step(entrants[i].peer, worlds, copies, 1, 2);
        process_pin(false);
        table.rows[i].values[1] = time_step(entrants[i].peer, worlds, copies, cores, 2);
        for (int k = copies - 1; k >= 0; --k) entrants[i].peer->destroy(worlds[k]);
    }
    process_pin(true);
    free(worlds);
    table_write(&table, report);
}
