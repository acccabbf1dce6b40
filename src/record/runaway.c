// Energy that no input gave: a method that is not stable makes it without end, and what it makes moves.
#include <math.h>

#include "base/finite.h"
#include "record/recorder.h"

// What is made must be most of what moves, and this many times as much as ever was there to move.
static const double share_of_motion = 0.5, times_of_all = 1e3;
static const double least = 1e-9; // J: below it is rounding
enum { ROWS = 10 };               // one after the other: a single step may be all there is
// A run that only the ledger of the bodies cannot explain is suspect from this share of the motion on.
static const double suspect_share = 0.5;

static double kinetic_energy(const StiRecorder *recorder, const Admittance *a)
{
    const StiVec3 none = {0.0, 0.0, 0.0};
    const StageData *row = &recorder->row;
    if (a->kind->stored == NULL || a->kind->prescribed) return 0.0;
    return a->kind->stored(a->parameters, none, row->x + a->q, row->x + a->v, recorder->workspace);
}

static double in_elements(const StiRecorder *recorder)
{
    double sum = 0.0;
    for (int i = 0; i < recorder->network->impedance_count; ++i)
        sum += recorder->ledger.stored_in_impedance[i];
    return sum;
}

// The body that moves most.
static const char *fastest_body(const StiRecorder *recorder)
{
    const StiNetwork *n = recorder->network;
    const char *name = "";
    double most = 0.0;
    for (int i = 0; i < n->admittance_count; ++i) {
        const double energy = kinetic_energy(recorder, &n->admittances[i]);
        if (!(energy > most)) continue;
        most = energy;
        name = n->admittances[i].name;
    }
    return name;
}

static StiFault fault_at(const StiRecorder *recorder, int64_t k)
{
    return (StiFault){.status = STI_RUNS_AWAY,
                      .component = fastest_body(recorder),
                      .what = "energy",
                      .t = sti_network_time(recorder->network, k),
                      .k = k};
}

static bool makes_energy(const RunawaySight *sight)
{
    return sight->made > share_of_motion * sight->moving &&
           sight->made > times_of_all * sight->all && sight->made > least;
}

static bool is_suspect(const RunawaySight *sight)
{
    return sight->numerical > suspect_share * sight->moving_most &&
           sight->numerical > suspect_share * sight->all && sight->numerical > least;
}

bool sti_runaway_minds(const Runaway *watch, const RunawaySight *sight)
{
    return watch->rows > 0 || makes_energy(sight) ||
           (watch->suspect.status == STI_OK && is_suspect(sight));
}

void sti_runaway_begin(StiRecorder *recorder)
{
    const StiNetwork *n = recorder->network;
    Runaway *watch = &recorder->runaway;
    double kinetic = 0.0;
    for (int i = 0; i < n->admittance_count; ++i)
        kinetic += kinetic_energy(recorder, &n->admittances[i]);
    *watch = (Runaway){.moving_most = kinetic + in_elements(recorder)};
    watch->given = watch->moving_most;
    watch->highest = watch->lowest = recorder->ledger.stored_in_bodies - kinetic;
}

void sti_runaway_look(StiRecorder *recorder, int64_t k)
{
    const StiNetwork *n = recorder->network;
    const StiEnergy energy = sti_recorder_energy(recorder);
    Runaway *watch = &recorder->runaway;
    double kinetic = 0.0;
    for (int i = 0; i < n->admittance_count; ++i)
        kinetic += kinetic_energy(recorder, &n->admittances[i]);
    const double moving = kinetic + in_elements(recorder);
    const double height = recorder->ledger.stored_in_bodies - kinetic;
    watch->highest = fmax(watch->highest, height);
    watch->lowest = fmin(watch->lowest, height);
    watch->given += fabs(energy.work - watch->work);
    watch->work = energy.work;
    watch->moving_most = fmax(watch->moving_most, moving);
    const RunawaySight sight = {.made = energy.stored - energy.stored_start - energy.work,
                                .moving = moving,
                                .all = watch->given + (watch->highest - watch->lowest),
                                .moving_most = watch->moving_most,
                                .numerical = energy.numerical};
    watch->rows = makes_energy(&sight) ? watch->rows + 1 : 0;
    if (watch->fault.status == STI_OK && watch->rows >= ROWS) watch->fault = fault_at(recorder, k);
    if (watch->suspect.status == STI_OK && is_suspect(&sight))
        watch->suspect = fault_at(recorder, k);
}

const StiFault *sti_recorder_runaway(const StiRecorder *recorder)
{
    return recorder->runaway.fault.status != STI_OK ? &recorder->runaway.fault : NULL;
}

const StiFault *sti_recorder_suspect(const StiRecorder *recorder)
{
    return recorder->runaway.suspect.status != STI_OK ? &recorder->runaway.suspect : NULL;
}
