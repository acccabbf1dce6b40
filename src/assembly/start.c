#include "assembly/start.h"

#include <math.h>
#include <string.h>

#include "stiction/status.h"

// What couplings and rods take from the start: offsets and lengths.
static void take_from_start(Assembly *a, const double *signals, AssemblyMemory *m)
{
    sti_equations_pose(a, a->q, a->v, signals, m->frames, false);
    for (int i = 0; i < a->equation_count; ++i) {
        Equation *e = &a->equations[i];
        if (e->from_start) {
            e->offset = e->signal < 0 ? 0.0 : -signals[e->signal];
            for (int k = 0; k < e->term_count; ++k)
                e->offset += e->terms[k].factor * a->q[e->terms[k].position];
        }
        if (e->loop && e->type == STI_LOOP_ROD && e->length == 0.0)
            e->length = sti_loop_distance(e, m);
    }
}

static const Equation *worst(const Assembly *a, const AssemblyMemory *m, double *error)
{
    const Equation *found = &a->equations[0];
    *error = 0.0;
    for (int i = 0; i < a->equation_count; ++i)
        for (int k = 0; k < a->equations[i].rows; ++k) {
            const double own = fabs(m->C[a->equations[i].row + k]);
            if (own <= *error) continue;
            *error = own;
            found = &a->equations[i];
        }
    return found;
}

static bool check_rods(const Assembly *a, StiReport *report)
{
    for (int i = 0; i < a->equation_count; ++i) {
        const Equation *e = &a->equations[i];
        if (!e->loop || e->type != STI_LOOP_ROD || e->length > 0.0) continue;
        sti_report_add(report, STI_ERROR, e->name, "length", e->length,
                       "a rod needs a length: its ends are at the same point");
        return false;
    }
    return true;
}

static bool check_attitudes(const Assembly *a, const AssemblyMemory *m, StiReport *report)
{
    for (int i = 0; i < a->equation_count; ++i) {
        const Equation *e = &a->equations[i];
        if (!sti_loop_turned_over(e, m)) continue;
        sti_report_add(
            report, STI_ERROR, e->name, "start", 3.141592653589793,
            "the nearest configuration that closes it from the start values is half a turn "
            "off; give start attitudes that are nearer to the right one");
        return false;
    }
    return true;
}

static void report_moved(const Assembly *a, const double *before, double error, const Equation *e,
                         StiReport *report)
{
    double moved = 0.0;
    for (int i = 0; i < a->positions; ++i) moved = fmax(moved, fabs(a->q[i] - before[i]));
    if (moved > 1e-9)
        sti_report_add(report, STI_NOTE, e->name, "start", moved,
                       "the start values do not fit by %.3g: moved to the nearest that do, by up "
                       "to %.3g",
                       error, moved);
}

// Rank where a small motion from the start leads to: at the start itself it may be less (dead centres).
static int rank_beside(const Assembly *a, const double *signals, double *q, double *v,
                       AssemblyMemory *m)
{
    static const double way = 1e-2; // rad or m
    double most = 0.0;
    memcpy(q, a->q, (size_t)a->positions * sizeof *q);
    memset(v, 0, (size_t)a->velocities * sizeof *v);
    memset(m->wrenches, 0, (size_t)a->links * sizeof *m->wrenches);
    double *push = m->generalized, *dv = m->dv;
    for (int i = 0; i < a->velocities; ++i) push[i] = 1.0 + 0.1 * (i % 7);
    sti_assembly_respond(a, q, &(StiForce){push, m->wrenches}, dv, m);
    for (int i = 0; i < a->velocities; ++i) most = fmax(most, fabs(dv[i]));
    if (!(most > 0.0) || !isfinite(most)) return 0;
    for (int i = 0; i < a->member_count; ++i) {
        const Member *b = &a->members[i];
        b->kind->move(b->parameters, dv + b->v, way / most, q + b->q);
    }
    if (sti_assembly_place(a, signals, q, v, m) != STI_OK) return 0;
    sti_equations_pose(a, q, v, signals, m->frames, false);
    sti_equations_set(a, q, NULL, m);
    return sti_assembly_prepare(a, q, NULL, NULL, m) == STI_OK ? sti_assembly_rank(a, m) : 0;
}

static bool find_rank(Assembly *a, const double *signals, AssemblyMemory *m, StiReport *report)
{
    double *q = sti_arena_numbers(&a->arena, a->positions),
           *v = sti_arena_numbers(&a->arena, a->velocities);
    if (q == NULL || v == NULL) return false;
    sti_equations_pose(a, a->q, a->v, signals, m->frames, false);
    sti_equations_set(a, a->q, NULL, m);
    if (sti_assembly_prepare(a, a->q, NULL, NULL, m) != STI_OK) return true;
    const int here = sti_assembly_rank(a, m);
    const int beside = a->looped && here < a->row_count ? rank_beside(a, signals, q, v, m) : 0;
    a->rank = beside > here ? beside : here;
    if (beside > here)
        sti_report_add(report, STI_WARNING, a->equations[0].name, "start", beside - here,
                       "this position is singular: %d of its equations are independent, %d beside "
                       "it; the motion from here may not be unique",
                       here, beside);
    return true;
}

// Freedoms, and equations that only repeat others.
static void report_mobility(const Assembly *a, StiReport *report)
{
    const int rank = a->rank, spare = a->row_count - rank;
    const Equation *e = &a->equations[0];
    if (!a->looped) return;
    while (!e->loop) ++e;
    if (spare > 0)
        sti_report_add(report, STI_NOTE, e->name, "loops", spare,
                       "mobility %d: %d velocities, %d equations of which %d only repeat others "
                       "(their forces are those of least norm)",
                       a->velocities - rank, a->velocities, a->row_count, spare);
    else
        sti_report_add(report, STI_NOTE, e->name, "loops", a->velocities - rank,
                       "mobility %d: %d velocities, %d equations", a->velocities - rank,
                       a->velocities, a->row_count);
}

// Equations that repeat each other fit as well as the numbers of the user do, which were rounded.
static bool accept_misfit(Assembly *a, const double *signals, double left, const Equation *e,
                          AssemblyMemory *m, StiReport *report)
{
    static const double most = 1e-6; // m or rad
    if (!(left <= most) || sti_assembly_rank(a, m) >= a->row_count) return false;
    a->misfit = left;
    if (sti_assembly_place(a, signals, a->q, a->v, m) != STI_OK) return false;
    sti_report_add(report, STI_WARNING, e->name, "start", left,
                   "the loops repeat each other and do not fit: an error of %.3g is left, and "
                   "up to twice as much is allowed while they move",
                   left);
    return true;
}

bool sti_assembly_start(Assembly *a, const double *signals, double *memory, StiReport *report)
{
    AssemblyMemory m = sti_assembly_memory(a, memory);
    for (int i = 0; i < a->member_count; ++i) {
        const Member *b = &a->members[i];
        b->kind->start(b->parameters, a->q + b->q, a->v + b->v);
    }
    double *before = sti_arena_copy(&a->arena, a->q, (size_t)a->positions * sizeof *a->q);
    if (before == NULL) return false;
    take_from_start(a, signals, &m);
    if (!check_rods(a, report)) return false;
    double error = 0.0, left = 0.0;
    sti_equations_set(a, a->q, signals, &m);
    const Equation *first = worst(a, &m, &error);
    const StiStatus status = sti_assembly_place(a, signals, a->q, a->v, &m);
    if (status != STI_OK) {
        const Equation *e = worst(a, &m, &left);
        if (!accept_misfit(a, signals, left, e, &m, report)) {
            sti_report_add(
                report, STI_ERROR, e->name, "start", left,
                "cannot be closed from the start values: an error of %.3g is left (it was "
                "%.3g); give start positions nearer to a configuration that fits",
                left, error);
            return false;
        }
    }
    sti_equations_pose(a, a->q, a->v, signals, m.frames, false);
    if (!check_attitudes(a, &m, report)) return false;
    report_moved(a, before, error, first, report);
    if (!find_rank(a, signals, &m, report)) return false;
    report_mobility(a, report);
    return true;
}
