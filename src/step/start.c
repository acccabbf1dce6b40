// Traps that a start shows: sampled gains that the inertia there cannot follow.
#include <math.h>
#include <string.h>

#include "evaluate/evaluate.h"
#include "network/network.h"
#include "network/response.h"
#include "scratch/scratch.h"
#include "stiction/elementary.h"
#include "stiction/step.h"

typedef struct Start {
    const StiNetwork *network;
    StiReport *report;
    StiArena arena;
    StiState *state;
    StiScratch *scratch;
    StageData now;
    Response response;
} Start;

static bool open_start(Start *start)
{
    const StiNetwork *n = start->network;
    int culprit;
    start->state = sti_state_create(n);
    start->scratch = sti_scratch_create(n);
    sti_stage_take(&start->arena, n, &start->now);
    sti_response_take(&start->arena, n, &start->response);
    if (start->state == NULL || start->scratch == NULL || start->arena.failed) return false;
    memcpy(start->now.x, start->state->values, (size_t)n->x_count * sizeof(double));
    memcpy(start->now.y, start->state->values + start->state->y,
           (size_t)n->y_count * sizeof(double));
    start->now.stage = (StiStage){.t = n->start, .tau = n->step};
    if (sti_sources(n, NULL, start->scratch, &start->now) != STI_OK) return false;
    sti_psi(n, &start->now);
    return sti_response_prepare(n, &start->now, NULL, &start->response, &culprit) == STI_OK;
}

static void close_start(Start *start)
{
    sti_scratch_destroy(start->scratch);
    sti_state_destroy(start->state);
    sti_arena_release(&start->arena);
}

// ---- sampled gains ------------------------------------------------------------------------------

// What a sampled gain does along one coordinate: torque per unit of output, and damping that acts all the time.
typedef struct Drive {
    double gain, damping;
} Drive;

// A number of an element by the word that scenes have for it; false: it has none.
static bool number_of(const Impedance *e, const char *name, double *value)
{
    const StiInfo *info = &e->kind->info;
    for (int i = 0; i < info->field_count; ++i) {
        if (strcmp(info->fields[i].name, name) != 0) continue;
        memcpy(value, (const char *)e->parameters + info->fields[i].offset, sizeof *value);
        return true;
    }
    return false;
}

// Of a motor: torque at the joint per volt, and what its back-EMF does. false: it is none.
static bool drive_of_motor(const Impedance *e, Drive *drive)
{
    double K, R, gear;
    if (!number_of(e, "torque_constant", &K) || !number_of(e, "resistance", &R) ||
        !number_of(e, "gear_ratio", &gear))
        return false;
    *drive = (Drive){gear * K / R, gear * gear * K * K / R};
    return true;
}

// The element that takes the output of a pid element to the same coordinate; false: none, or several do.
static bool find_drive(const StiNetwork *n, const Impedance *pid, Drive *drive)
{
    int found = 0;
    for (int i = 0; i < n->impedance_count; ++i) {
        const Impedance *e = &n->impedances[i];
        for (int k = 0; k < e->connections.count; ++k) {
            const Connection *c = &e->connections.items[k];
            if (c->from != FROM_FORCE || c->index != pid->wire.v) continue;
            const bool alike = e->wire.wire.kind == pid->wire.wire.kind &&
                               e->wire.wire.a.admittance == pid->wire.wire.a.admittance &&
                               e->wire.wire.a.place == pid->wire.wire.a.place &&
                               e->wire.wire.b.admittance == pid->wire.wire.b.admittance;
            if (!alike) return false;
            double gain;
            if (number_of(e, "gain", &gain)) return false; // it has slopes of its own
            if (!drive_of_motor(e, drive)) *drive = (Drive){c->gain, 0.0};
            ++found;
        }
    }
    return found == 1;
}

// 1/W of the coordinate that an element is on; 0: nothing there moves.
static double inertia_at(Start *start, const Wire *wire)
{
    const double unit = 1.0;
    double position = 0.0, rate = 0.0;
    if (wire->size.velocities != 1 || wire->size.positions != 1) return 0.0;
    sti_response_push(start->network, &start->now, &start->response, wire, &unit);
    sti_response_sense(start->network, &start->now, &start->response, wire, wire, &position, &rate);
    return rate != 0.0 ? 1.0 / fabs(rate) : 0.0;
}

// Between two samples damping b takes v to E v, E = exp(-b T/I), and the held effort -d v adds -(d/b)(1 - E) v.
// That grows where d > b (1 + E)/(1 - E): without b where d T/I > 2.
static void look_at_gain(Start *start, const Impedance *e, double gain, double period, Drive drive)
{
    const double inertia = inertia_at(start, &e->wire), d = gain * drive.gain;
    if (!(inertia > 0.0) || !(d > 0.0)) return;
    const double half = 0.5 * drive.damping * period / inertia,
                 most = half > 1e-9 ? drive.damping / sti_tanh(half) : 2.0 * inertia / period;
    if (!(d > most)) return;
    sti_report_add(start->report, STI_WARNING, e->name, "kd", gain,
                   "kd period/inertia = %.3g with an inertia of %.3g there: sampled every %g s, a "
                   "velocity that "
                   "friction does not hold changes its sign and grows from sample to sample; it is "
                   "stable with kd below %.3g",
                   d * period / inertia, inertia, period, most / drive.gain);
}

// Whatever samples a velocity: a controller alone, or with its motor, whose gains count at the motor's side of the gear.
static void look_at_gains(Start *start)
{
    const StiNetwork *n = start->network;
    for (int i = 0; i < n->impedance_count; ++i) {
        const Impedance *e = &n->impedances[i];
        double gain, period, gear;
        Drive drive;
        if (!number_of(e, "kd", &gain) || !number_of(e, "period", &period)) continue;
        if (drive_of_motor(e, &drive) && number_of(e, "gear_ratio", &gear))
            drive.gain *= gear;
        else if (!find_drive(n, e, &drive))
            continue;
        look_at_gain(start, e, gain, period, drive);
    }
}

StiStatus sti_network_check_start(const StiNetwork *network, StiReport *report)
{
    Start start = {.network = network, .report = report};
    if (open_start(&start)) look_at_gains(&start);
    const bool memory = start.state != NULL && start.scratch != NULL && !start.arena.failed;
    close_start(&start);
    return memory ? STI_OK : STI_OUT_OF_MEMORY;
}
