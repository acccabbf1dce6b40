// The energy ledger: where the work of the inputs went. It reads what the last step left behind.
#include <string.h>

#include "network/power.h"
#include "record/recorder.h"
#include "algebra/slices.h"

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
    for (int i = 0; i < n->reaction_count; ++i)
        ledger->absorbed_by_reaction[i] += h * sti_power_of_reaction(&n->reactions[i], stage);
    for (int i = 0; i < n->admittance_count; ++i) {
        const Admittance *a = &n->admittances[i];
        add_work(n, ledger, i,
                 h * sti_power_on(a, stage->generalized, stage->wrenches,
                                  sti_velocities_of(a, stage), stage->frames));
    }
}

static void follow_supplied(StiRecorder *recorder, const StageData *stage, double h)
{
    const StiNetwork *n = recorder->network;
    for (int i = 0; i < n->admittance_count; ++i)
        add_supplied(&recorder->ledger, h * sti_power_supplied(&n->admittances[i], stage));
}

// ---- steps of one evaluation: forces act at the pose of the start, with velocities of both ends ----

// The part of a force that works with the velocity of the start; the rest works with that of the end.
// before, after: the power it takes at the ends. Half, the mean velocity, is just what the bodies lose.
// Friction whose slip turned round within the step never drives: it takes nothing then, or something.
static double share_of_start(double before, double after)
{
    if (before >= 0.0 || before + after >= 0.0) return 0.5;
    return after > 0.0 ? after / (after - before) : 0.0;
}

// The motion at one end of the step, at the pose of its start.
static void move_end(const StiNetwork *n, const StageData *start, const double *v_of,
                     const double *ports, StageData *end)
{
    memcpy(end->x, start->x, (size_t)n->x_count * sizeof *end->x);
    memcpy(end->ports, start->ports, (size_t)n->port_count * sizeof *end->ports);
    for (int i = 0; i < n->admittance_count; ++i) {
        const Admittance *a = &n->admittances[i];
        memcpy(end->x + a->v, v_of + a->v, (size_t)a->size.velocities * sizeof *end->x);
        if (a->kind->prescribed)
            memcpy(end->ports + a->port + a->dim, ports + a->port + a->dim,
                   (size_t)a->dim * sizeof *ports);
    }
    sti_psi(n, end);
}

static void share_forces(const StiNetwork *n, const StageData *start,
                         const StiReactionAnswer *answers, StageData ends[2])
{
    for (int i = 0; i < n->xhat_velocities; ++i) ends[0].u[i] = ends[1].u[i] = 0.5 * start->u[i];
    for (int i = 0; i < n->reaction_count; ++i) {
        const Reaction *e = &n->reactions[i];
        const double *r = answers[i].r;
        const double share = share_of_start(sti_dot(e->size.dim, r, ends[0].velocity + e->wire.v),
                                            sti_dot(e->size.dim, r, ends[1].velocity + e->wire.v));
        for (int d = 0; d < e->size.dim; ++d) {
            ends[0].u[e->wire.v + d] = share * r[d];
            ends[1].u[e->wire.v + d] = r[d] - share * r[d];
        }
    }
}

static StiVec3 velocity_at(const StiFrame *frame, StiVec3 arm)
{
    return sti_vec3_add(frame->v, sti_vec3_cross(frame->w, arm));
}

static StiVec3 slip_of(const ContactPoint *point, const StageData *end)
{
    StiVec3 v[2] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int side = 0; side < 2; ++side)
        if (point->frame[side] >= 0)
            v[side] = velocity_at(&end->frames[point->frame[side]], point->arm[side]);
    return sti_vec3_add(sti_vec3_sub(v[0], v[1]), point->surface);
}

// Rotation of a relative to b, with the surfaces.
static StiVec3 turn_of(const ContactPoint *point, const StageData *end)
{
    StiVec3 w = point->surface_spin;
    for (int side = 0; side < 2; ++side)
        if (point->frame[side] >= 0)
            w = sti_vec3_add_scaled(w, side == 0 ? 1.0 : -1.0, end->frames[point->frame[side]].w);
    return w;
}

// Resistance to rolling and spinning.
static void follow_moment(StiRecorder *recorder, const ContactPoint *point)
{
    const StageData *ends = recorder->ends;
    const StiVec3 m = point->moment;
    const double share = share_of_start(-sti_vec3_dot(m, turn_of(point, &ends[0])),
                                        -sti_vec3_dot(m, turn_of(point, &ends[1])));
    for (int side = 0; side < 2; ++side) {
        const int frame = point->frame[side];
        if (frame < 0) continue;
        const double power = share * sti_vec3_dot(m, ends[0].frames[frame].w) +
                             (1.0 - share) * sti_vec3_dot(m, ends[1].frames[frame].w);
        const double work = (side == 0 ? 1.0 : -1.0) * recorder->network->step * power;
        add_work(recorder->network, &recorder->ledger, point->admittance[side], work);
        recorder->ledger.absorbed_by_contact[point->contact] -= work;
    }
}

// What drives a surface that runs gives work.
static void follow_surface(StiRecorder *recorder, const ContactPoint *point)
{
    const double work =
        -recorder->network->step * (sti_vec3_dot(point->force, point->surface) +
                                    sti_vec3_dot(point->moment, point->surface_spin));
    recorder->ledger.work_of_motions += work;
    recorder->ledger.absorbed_by_contact[point->contact] += work;
}

// The mean velocity of an impact is that of the moment, not of the step's ends.
static void follow_strike(StiRecorder *recorder, const ContactPoint *point)
{
    const double fn = sti_vec3_dot(point->force, point->touch.normal);
    const double work = recorder->network->step * fn * sti_contact_strike_mean(point);
    recorder->ledger.work_on_bodies += work;
    recorder->ledger.absorbed_by_contact[point->contact] -= work;
}

// A contact's forces along the normal and along the surface share for themselves, but for impacts: there friction may
// give back some of what the normal force takes.
static void follow_point(StiRecorder *recorder, const ContactPoint *point)
{
    const StageData *ends = recorder->ends;
    const StiVec3 n = point->touch.normal, f = point->force;
    const StiVec3 fn = sti_vec3_scale(sti_vec3_dot(f, n), n), ft = sti_vec3_sub(f, fn);
    const StiVec3 before = slip_of(point, &ends[0]), after = slip_of(point, &ends[1]);
    const double wn = share_of_start(-sti_vec3_dot(fn, before), -sti_vec3_dot(fn, after));
    const double wt = point->elastic || point->bounces ? 0.5 : share_of_start(-sti_vec3_dot(ft, before), -sti_vec3_dot(ft, after));
    const StiVec3 at_start = sti_vec3_add_scaled(sti_vec3_scale(wn, fn), wt, ft);
    const StiVec3 at_end = sti_vec3_sub(f, at_start);
    for (int side = 0; side < 2; ++side) {
        const int frame = point->frame[side];
        if (frame < 0) continue;
        const double power =
            sti_vec3_dot(at_start, velocity_at(&ends[0].frames[frame], point->arm[side])) +
            sti_vec3_dot(at_end, velocity_at(&ends[1].frames[frame], point->arm[side]));
        const double work = (side == 0 ? 1.0 : -1.0) * recorder->network->step * power;
        add_work(recorder->network, &recorder->ledger, point->admittance[side], work);
        recorder->ledger.absorbed_by_contact[point->contact] -= work;
    }
    if (point->bounces) follow_strike(recorder, point);
    follow_moment(recorder, point);
    follow_surface(recorder, point);
}

// Where bodies return to their constraints at the end, it is the velocity before: what the return
// changes is numerical. Leaves reactions and contacts in the row, for its loads.
static void follow_ends(StiRecorder *recorder, const StiScratch *scratch)
{
    const StiNetwork *n = recorder->network;
    const StageData *start = &scratch->stages[0];
    StageData *row = &recorder->row, *ends = recorder->ends;
    const StiReactionAnswer *answers = scratch->reactions->answers;
    move_end(n, start, start->x, recorder->ports_before, &ends[0]);
    move_end(n, start, n->constrains ? scratch->evaluate->acting : row->x, start->ports, &ends[1]);
    share_forces(n, start, answers, ends);
    for (int i = 0; i < 2; ++i) {
        sti_phi_all(n, &ends[i]);
        follow_stage(recorder, &ends[i], n->step);
    }
    memset(row->generalized, 0, (size_t)n->generalized_count * sizeof(double));
    memset(row->wrenches, 0, (size_t)n->link_count * sizeof(StiWrench));
    sti_phi_reactions(n, answers, start, row->generalized, row->wrenches);
    for (int i = 0; i < scratch->contacts->point_count; ++i)
        follow_point(recorder, &scratch->contacts->points[i]);
    sti_contacts_push(scratch->contacts, row->wrenches);
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
    for (int i = n->contact_count; i < sti_contact_books(n->contact_count); ++i)
        ledger->work_of_motions += works->absorbed_by_contact[i];
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
    if (n->resolves || n->method->positions_last) {
        follow_ends(recorder, scratch);
        return;
    }
    for (int r = 0; r < n->method->stages; ++r) {
        follow_stage(recorder, &scratch->stages[r], n->step * n->method->b[r]);
        follow_supplied(recorder, &scratch->stages[r], n->step * n->method->b[r]);
    }
}

void sti_ledger_follow_drivers(StiRecorder *recorder, const StiScratch *scratch)
{
    const StiNetwork *n = recorder->network;
    if (scratch->works.given || !(n->resolves || n->method->positions_last)) return;
    const bool read = n->resolves && !n->iterates_loads;
    follow_supplied(recorder, read ? &recorder->row : &scratch->stages[0], n->step);
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
    for (int i = 0; start && i < n->contact_count; ++i)
        ledger->stored_in_contact_start[i] = ledger->stored_in_contact[i];
}

double sti_recorder_dissipated_at(const StiRecorder *recorder, StiRole role, int index)
{
    const Ledger *ledger = &recorder->ledger;
    if (role == STI_REACTION) return ledger->absorbed_by_reaction[index];
    if (role == STI_CONTACT)
        return ledger->absorbed_by_contact[index] -
               (ledger->stored_in_contact[index] - ledger->stored_in_contact_start[index]);
    if (recorder->network->impedances[index].kind->gives_work) return 0.0;
    return ledger->absorbed_by_impedance[index] -
           (ledger->stored_in_impedance[index] - ledger->stored_in_impedance_start[index]);
}

double sti_recorder_dissipated(const StiRecorder *recorder, StiElementId element)
{
    const Place place = recorder->network->element_places[element.number - 1];
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
    for (int i = 0; i < n->contact_count; ++i) {
        energy.stored += ledger->stored_in_contact[i];
        energy.stored_start += ledger->stored_in_contact_start[i];
        energy.dissipated += sti_recorder_dissipated_at(recorder, STI_CONTACT, i);
    }
    energy.numerical =
        ledger->stored_in_bodies - ledger->stored_in_bodies_start - ledger->work_on_bodies;
    energy.residual =
        energy.work + energy.numerical - (energy.stored - energy.stored_start) - energy.dissipated;
    return energy;
}
