// Positions and velocities back on the equations, by the smallest change in the metric of H.
#include <math.h>
#include <string.h>

#include "assembly/assembly.h"

enum { ITERATIONS = 60, STALLS = 12, HELD_STALLS = 2 };
// Errors of equations that are left alone: rounding. Where bodies stand still nothing may move.
static const double rounding = 2e-14, settled = 1e-12;
static const double no_speed = 1e-20; // m/s or rad/s

static double largest(int count, const double *x)
{
    double most = 0.0;
    for (int i = 0; i < count; ++i)
        if (!(fabs(x[i]) <= most)) most = fabs(x[i]);
    return most;
}

static double scale_of(const Assembly *a, const double *q)
{
    double most = 1.0;
    for (int i = 0; i < a->equation_count; ++i)
        for (int k = 0; k < a->equations[i].term_count; ++k) {
            const MemberTerm *term = &a->equations[i].terms[k];
            most = fmax(most, fabs(term->factor * q[term->position]));
        }
    return most;
}

static void set_equations(const Assembly *a, const double *signals, const double *q, const double *v,
                          AssemblyMemory *m)
{
    sti_equations_pose(a, q, v, signals, m->frames, false);
    sti_equations_set(a, q, signals, m);
}

// What stands still, and was there before, is held. Returns false if there is no such coordinate.
static bool find_held(const Assembly *a, const double *q_start, const double *q, const double *v,
                      bool *held)
{
    bool any = false;
    for (int i = 0; i < a->member_count; ++i) {
        const Member *b = &a->members[i];
        const bool plain = b->size.positions == b->size.velocities && b->kind->constrain == NULL;
        for (int k = 0; k < b->size.velocities; ++k) {
            held[b->v + k] = plain && v[b->v + k] == 0.0 && q[b->q + k] == q_start[b->q + k];
            any = any || held[b->v + k];
        }
    }
    return any;
}

static void move(const Assembly *a, const double *dv, double *q)
{
    for (int i = 0; i < a->member_count; ++i) {
        const Member *b = &a->members[i];
        b->kind->move(b->parameters, dv + b->v, 1.0, q + b->q);
    }
}

// Members that have equations of their own follow those.
static StiStatus constrain_members(const Assembly *a, const double *signals, const double *q_start,
                                   double *q, double *v, AssemblyMemory *m)
{
    for (int i = 0; i < a->member_count; ++i) {
        const Member *b = &a->members[i];
        if (b->kind->constrain == NULL) continue;
        const StiStatus status = b->kind->constrain(b->parameters, signals + b->signal, NULL,
                                                    q_start != NULL ? q_start + b->q : NULL,
                                                    q + b->q, v + b->v, m->rest);
        if (status != STI_OK) return status;
    }
    return STI_OK;
}

static StiStatus project_positions(const Assembly *a, const double *signals, const double *q_start,
                                   const bool *held, double *q, double *v, AssemblyMemory *m)
{
    double before = INFINITY;
    int stalls = held != NULL ? HELD_STALLS : STALLS;
    for (int i = 0; i < ITERATIONS; ++i) {
        set_equations(a, signals, q, v, m);
        const double error = largest(a->row_count, m->C), scale = scale_of(a, q);
        if (error <= fmax(rounding * scale, 2.0 * a->misfit) || (error <= settled * scale && error > 0.5 * before))
            return STI_OK;
        if (!isfinite(error)) return STI_NOT_FINITE;
        if (error > 0.9 * before && --stalls < 0) return STI_NO_SOLUTION;
        before = error;
        StiStatus status = sti_assembly_prepare(a, q, held, NULL, m);
        if (status != STI_OK) return status;
        sti_assembly_solve(a, m, m->C, m->force);
        memset(m->dv, 0, (size_t)a->velocities * sizeof *m->dv);
        sti_assembly_accelerate(a, m, m->force, m->dv);
        move(a, m->dv, q);
        status = constrain_members(a, signals, q_start, q, v, m);
        if (status != STI_OK) return status;
    }
    return STI_NO_SOLUTION;
}

// A coupling of which all coordinates but one stand still holds that one, exactly.
static void stop_coupled(const Assembly *a, double *v)
{
    for (bool again = true; again;) {
        again = false;
        for (int i = 0; i < a->equation_count; ++i) {
            const Equation *e = &a->equations[i];
            int moving = 0, last = -1;
            for (int k = 0; k < e->term_count; ++k)
                if (v[e->terms[k].velocity] != 0.0) {
                    ++moving;
                    last = e->terms[k].velocity;
                }
            if (e->loop || e->signal >= 0 || moving != 1) continue;
            v[last] = 0.0;
            again = true;
        }
    }
}

// Errors of the rates, and whether they are more than rounding.
static bool rates_are_off(const Assembly *a, const double *signals, const double *q, const double *v,
                          double tolerance, AssemblyMemory *m)
{
    sti_equations_pose(a, q, v, signals, m->frames, false);
    sti_equations_rates(a, v, m->frames, signals, m, m->rate);
    return largest(a->row_count, m->rate) > tolerance * largest(a->velocities, v) + no_speed;
}

static StiStatus correct_velocities(const Assembly *a, const double *q, const bool *held, double *v,
                                    AssemblyMemory *m)
{
    const StiStatus status = sti_assembly_prepare(a, q, held, NULL, m);
    if (status != STI_OK) return status;
    sti_assembly_solve(a, m, m->rate, m->force);
    sti_assembly_accelerate(a, m, m->force, v);
    return STI_OK;
}

// What stands still stays so, as far as the equations allow it.
static StiStatus project_velocities(const Assembly *a, const double *signals, const double *q,
                                    double *v, AssemblyMemory *m)
{
    stop_coupled(a, v);
    set_equations(a, signals, q, v, m);
    if (!rates_are_off(a, signals, q, v, rounding, m)) return STI_OK;
    if (find_held(a, q, q, v, m->locked)) {
        if (correct_velocities(a, q, m->locked, v, m) == STI_OK &&
            !rates_are_off(a, signals, q, v, settled, m))
            return STI_OK;
        rates_are_off(a, signals, q, v, 0.0, m);
    }
    return correct_velocities(a, q, NULL, v, m);
}

StiStatus sti_assembly_project(const Assembly *a, const double *signals, const double *q_start,
                               double *q, double *v, AssemblyMemory *m)
{
    StiStatus status = constrain_members(a, signals, q_start, q, v, m);
    if (status != STI_OK) return status;
    if (q_start != NULL) {
        const bool any = find_held(a, q_start, q, v, m->locked);
        status = STI_NO_SOLUTION;
        if (any) status = project_positions(a, signals, q_start, m->locked, q, v, m);
        if (status != STI_OK) status = project_positions(a, signals, q_start, NULL, q, v, m);
        if (status != STI_OK) return status;
    }
    return project_velocities(a, signals, q, v, m);
}

StiStatus sti_assembly_place(const Assembly *a, const double *signals, double *q, double *v,
                             AssemblyMemory *m)
{
    StiStatus status = constrain_members(a, signals, q, q, v, m);
    if (status == STI_OK) status = project_positions(a, signals, q, NULL, q, v, m);
    return status == STI_OK ? project_velocities(a, signals, q, v, m) : status;
}
