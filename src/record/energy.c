// The energy ledger: where the work of the inputs went. It reads what the last step left behind.
#include <string.h>

#include "network/power.h"
#include "record/recorder.h"

static double dot(const double *a, const double *b, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i) sum += a[i] * b[i];
    return sum;
}

static void add_work(const StiNetwork *n, Ledger *ledger, int admittance, double work)
{
    if (n->admittances[admittance].kind->prescribed)
        ledger->work_of_motions -= work;
    else
        ledger->work_on_bodies += work;
}

// By drivers inside a body.
static void add_supplied(Ledger *ledger, double work)
{
    ledger->work_of_motions += work;
    ledger->work_on_bodies += work;
}

// One stage of the step, over the time h = T b.
static void follow_stage(StiRecorder *recorder, const StageData *stage, double h)
{
    const StiNetwork *n = recorder->network;
    Ledger *ledger = &recorder->ledger;
    for (int i = 0; i < n->impedance_count; ++i)
        ledger->absorbed_by_impedance[i] += h * sti_power_of_impedance(&n->impedances[i], stage);
    for (int i = 0; i < n->admittance_count; ++i) {
        const Admittance *a = &n->admittances[i];
        add_work(n, ledger, i,
                 h * sti_power_on(a, stage->generalized, stage->wrenches,
                                  sti_velocities_of(a, stage), stage->frames));
        add_supplied(ledger, h * sti_power_supplied(a, stage));
    }
}

static StiVec3 velocity_at(const StiFrame *frame, StiVec3 arm)
{
    return sti_vec3_add(frame->v, sti_vec3_cross(frame->w, arm));
}

// How much of the start's velocity a force works with. An impulse works with the mean of both ends,
// which is just what the bodies lose by it; friction whose slip turned round within the step, so
// that it would seem to drive, works with the end's.
static double share_of_start(StiVec3 force, StiVec3 start, StiVec3 end)
{
    return sti_vec3_dot(force, start) + sti_vec3_dot(force, end) <= 0.0 ? 0.5 : 0.0;
}

// A contact's forces along the normal and along the surface, at the pose of the step's start.
static void follow_point(StiRecorder *recorder, const StageData *start, const ContactPoint *point)
{
    const StiVec3 n = point->touch.normal, f = point->force;
    const StiVec3 fn = sti_vec3_scale(sti_vec3_dot(f, n), n), ft = sti_vec3_sub(f, fn);
    StiVec3 v[2][2] = {{{0.0, 0.0, 0.0}}}; // of side a and b, at the start and at the end
    for (int side = 0; side < 2; ++side) {
        if (point->frame[side] < 0) continue;
        v[side][0] = velocity_at(&start->frames[point->frame[side]], point->arm[side]);
        v[side][1] = velocity_at(&recorder->frames[point->frame[side]], point->arm[side]);
    }
    const StiVec3 before = sti_vec3_sub(v[0][0], v[1][0]), after = sti_vec3_sub(v[0][1], v[1][1]);
    const double wn = share_of_start(fn, before, after), wt = share_of_start(ft, before, after);
    for (int side = 0; side < 2; ++side) {
        if (point->frame[side] < 0) continue;
        const StiVec3 change = sti_vec3_sub(v[side][0], v[side][1]);
        const double power = sti_vec3_dot(f, v[side][1]) + wn * sti_vec3_dot(fn, change) +
                             wt * sti_vec3_dot(ft, change);
        const double work = (side == 0 ? 1.0 : -1.0) * recorder->network->step * power;
        add_work(recorder->network, &recorder->ledger, point->admittance[side], work);
        recorder->ledger.absorbed_by_contact[point->contact] -= work;
    }
}

// Reactions act with the velocity of the step's end, at the pose of its start. Where bodies then return
// to their constraints, it is the velocity before: what the return changes is numerical.
static void follow_reactions(StiRecorder *recorder, const StiScratch *scratch)
{
    const StiNetwork *n = recorder->network;
    const StageData *start = &scratch->stages[0];
    const ReactionData *data = &scratch->reactions;
    Ledger *ledger = &recorder->ledger;
    StageData *row = &recorder->row;
    const double *x = n->constrains ? scratch->acting : row->x;
    memset(row->generalized, 0, (size_t)n->generalized_count * sizeof(double));
    memset(row->wrenches, 0, (size_t)n->link_count * sizeof(StiWrench));
    sti_phi_reactions(n, data->answers, start, row->generalized, row->wrenches);
    for (int i = 0; i < n->reaction_count; ++i) {
        const Reaction *e = &n->reactions[i];
        if (!data->answers[i].stuck)
            ledger->absorbed_by_reaction[i] +=
                n->step * dot(data->answers[i].r, data->rate + e->row, e->size.dim);
    }
    for (int i = 0; i < n->admittance_count; ++i) {
        const Admittance *a = &n->admittances[i];
        const double *v = a->kind->prescribed ? start->ports + a->port + a->dim : x + a->v;
        if (a->posed)
            a->kind->pose(a->parameters, start->x + a->q, v, start->ports + a->port,
                          recorder->frames + a->link);
        add_work(n, ledger, i,
                 n->step * sti_power_on(a, row->generalized, row->wrenches, v, recorder->frames));
    }
    for (int i = 0; i < scratch->contacts.point_count; ++i)
        follow_point(recorder, start, &scratch->contacts.points[i]);
    sti_contacts_push(&scratch->contacts, row->wrenches); // for the loads of this row
}

static void follow_works(StiRecorder *recorder, const Works *works)
{
    const StiNetwork *n = recorder->network;
    Ledger *ledger = &recorder->ledger;
    for (int i = 0; i < n->impedance_count; ++i)
        ledger->absorbed_by_impedance[i] += works->absorbed_by_impedance[i];
    for (int i = 0; i < n->reaction_count; ++i)
        ledger->absorbed_by_reaction[i] += works->absorbed_by_reaction[i];
    for (int i = 0; i < n->contact_count; ++i)
        ledger->absorbed_by_contact[i] += works->absorbed_by_contact[i];
    for (int i = 0; i < n->admittance_count; ++i) {
        add_work(n, ledger, i, works->on_body[i]);
        add_supplied(ledger, works->supplied[i]);
    }
}

// Of a step that was cut the recorder has read the account.
void sti_ledger_follow(StiRecorder *recorder, const StiScratch *scratch)
{
    const StiNetwork *n = recorder->network;
    if (scratch->works.given) {
        follow_works(recorder, n->method->cuts ? &recorder->account.works : &scratch->works);
        return;
    }
    if (n->resolves) {
        follow_stage(recorder, &scratch->stages[0], n->step);
        follow_reactions(recorder, scratch);
        return;
    }
    for (int r = 0; r < n->method->stages; ++r)
        follow_stage(recorder, &scratch->stages[r], n->step * n->method->b[r]);
}

void sti_ledger_weigh(StiRecorder *recorder, bool start)
{
    const StiNetwork *n = recorder->network;
    Ledger *ledger = &recorder->ledger;
    const StageData *row = &recorder->row;
    ledger->stored_in_bodies = 0.0;
    for (int i = 0; i < n->admittance_count; ++i) {
        const Admittance *a = &n->admittances[i];
        if (a->kind->stored != NULL && !a->kind->prescribed)
            ledger->stored_in_bodies += a->kind->stored(a->parameters, n->gravity, row->x + a->q,
                                                        row->x + a->v, recorder->workspace);
    }
    for (int i = 0; i < n->impedance_count; ++i) {
        const Impedance *e = &n->impedances[i];
        const StiMotion xhat = {.x = row->position + e->wire.x,
                                .v = row->velocity + e->wire.v,
                                .signals = row->ports + e->port};
        ledger->stored_in_impedance[i] =
            e->kind->stored != NULL ? e->kind->stored(e->parameters, &xhat, row->y + e->y) : 0.0;
        if (start) ledger->stored_in_impedance_start[i] = ledger->stored_in_impedance[i];
    }
    if (start) ledger->stored_in_bodies_start = ledger->stored_in_bodies;
}

double sti_recorder_dissipated_at(const StiRecorder *recorder, StiRole role, int index)
{
    const Ledger *ledger = &recorder->ledger;
    if (role == STI_REACTION) return ledger->absorbed_by_reaction[index];
    if (role == STI_CONTACT) return ledger->absorbed_by_contact[index];
    if (recorder->network->impedances[index].kind->gives_work) return 0.0;
    return ledger->absorbed_by_impedance[index] -
           (ledger->stored_in_impedance[index] - ledger->stored_in_impedance_start[index]);
}

double sti_recorder_dissipated(const StiRecorder *recorder, StiElementId element)
{
    const Place place = recorder->network->element_places[element.index];
    return sti_recorder_dissipated_at(recorder, place.role, place.index);
}

StiEnergy sti_recorder_energy(const StiRecorder *recorder)
{
    const StiNetwork *n = recorder->network;
    const Ledger *ledger = &recorder->ledger;
    StiEnergy energy = {.work = ledger->work_of_motions,
                        .stored = ledger->stored_in_bodies,
                        .stored_start = ledger->stored_in_bodies_start};
    for (int i = 0; i < n->impedance_count; ++i) {
        if (n->impedances[i].kind->gives_work) energy.work -= ledger->absorbed_by_impedance[i];
        energy.stored += ledger->stored_in_impedance[i];
        energy.stored_start += ledger->stored_in_impedance_start[i];
        energy.dissipated += sti_recorder_dissipated_at(recorder, STI_IMPEDANCE, i);
    }
    for (int i = 0; i < n->reaction_count; ++i)
        energy.dissipated += sti_recorder_dissipated_at(recorder, STI_REACTION, i);
    for (int i = 0; i < n->contact_count; ++i)
        energy.dissipated += sti_recorder_dissipated_at(recorder, STI_CONTACT, i);
    energy.numerical =
        ledger->stored_in_bodies - ledger->stored_in_bodies_start - ledger->work_on_bodies;
    energy.residual =
        energy.work + energy.numerical - (energy.stored - energy.stored_start) - energy.dissipated;
    return energy;
}
