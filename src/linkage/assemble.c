// Assembly: positions by Newton's method from a rough guess, then velocities and a look at the rank.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linkage/linkage.h"

enum { NEWTON_STEPS = 200 };
static const double assembled = 1e-11; // of the linkage's size

typedef struct Assembly {
    StiLinkage *linkage;
    StiReport *report;
    Memory m;
    double *trial;
} Assembly;

static double worst_row(const Assembly *a, const double *q, int *worst)
{
    const Layout *layout = &a->linkage->plain;
    Memory m = a->m;
    double error = 0.0;
    *worst = 0;
    sti_linkage_measure(a->linkage, layout, q, NULL, NULL, NULL, &m);
    for (int p = 0; p < layout->count; ++p)
        if (fabs(m.C[p]) > error) {
            error = fabs(m.C[p]);
            *worst = p;
        }
    return error;
}

static double squares(const Assembly *a)
{
    double sum = 0.0;
    for (int p = 0; p < a->linkage->plain.count; ++p) sum += a->m.C[p] * a->m.C[p];
    return sum;
}

// One damped step: the Newton step, halved until the errors shrink. A little is added to the
// diagonal so that a singular guess does not send the bodies far away.
static bool step(const Assembly *a, double *q, double damping)
{
    StiLinkage *linkage = a->linkage;
    const Layout *layout = &linkage->plain;
    const int velocities = 3 * linkage->body_count;
    Memory m = a->m;
    int worst;
    const double before = (worst_row(a, q, &worst), squares(a));
    sti_linkage_factor(layout, NULL, &m);
    memcpy(m.lambda, m.C, (size_t)layout->count * sizeof *m.lambda);
    sti_linkage_solve(layout, &m, m.lambda);
    memset(m.spare, 0, (size_t)velocities * sizeof *m.spare);
    sti_linkage_push(layout, &m, m.lambda, -1.0, m.spare);
    double most = 0.0;
    for (int i = 0; i < velocities; ++i)
        most = fmax(most, fabs(m.spare[i]) / (i % 3 == 2 ? 1.0 : linkage->scale));
    double share = fmin(1.0, damping / fmax(most, 1e-300));
    for (int halvings = 0; halvings < 30; ++halvings, share *= 0.5) {
        for (int i = 0; i < velocities; ++i) a->trial[i] = q[i] + share * m.spare[i];
        worst_row(a, a->trial, &worst);
        if (squares(a) < before) {
            memcpy(q, a->trial, (size_t)velocities * sizeof *q);
            return true;
        }
    }
    return false;
}

static bool assemble_positions(const Assembly *a)
{
    StiLinkage *linkage = a->linkage;
    const Layout *layout = &linkage->plain;
    double error = 0.0;
    int worst = 0;
    for (int i = 0; i < NEWTON_STEPS; ++i) {
        error = worst_row(a, linkage->q, &worst);
        if (error <= 1e-15 * linkage->scale || !step(a, linkage->q, 0.5)) break;
    }
    error = worst_row(a, linkage->q, &worst);
    if (error <= assembled * linkage->scale) return true;
    const Row *row = &layout->rows[worst];
    sti_report_add(a->report, STI_ERROR, sti_row_name(linkage, row), "", error,
                   "the linkage cannot be assembled: this constraint (%s) misses by %.3g %s; check "
                   "lengths and the positions it starts from",
                   sti_row_label(linkage, row), error, sti_row_unit(linkage, row));
    return false;
}

// Rows without which the linkage would move just the same.
static void note_redundant(const Assembly *a)
{
    const Layout *layout = &a->linkage->plain;
    for (int p = 0; p < layout->count; ++p)
        if (a->m.dropped[p] != 0.0)
            sti_report_add(
                a->report, STI_NOTE, sti_row_name(a->linkage, &layout->rows[p]), "", NAN,
                "redundant here: the other constraints already hold its %s; the motion is "
                "unique, its share of the load is not",
                sti_row_label(a->linkage, &layout->rows[p]));
}

static StiDriven *start_of_drivers(const StiLinkage *linkage)
{
    StiDriven *driven = calloc((size_t)linkage->driver_count + 1, sizeof *driven);
    for (int i = 0; driven != NULL && i < linkage->driver_count; ++i)
        driven[i] = (StiDriven){linkage->drivers[i].value, linkage->drivers[i].rate, 0.0};
    return driven;
}

// Velocities nearest to the given ones that fit; drivers that fight show here.
static bool make_velocities_fit(const Assembly *a, const StiDriven *driven)
{
    StiLinkage *linkage = a->linkage;
    const Layout *layout = &linkage->plain;
    Memory m = a->m;
    double error = 0.0, size = 0.0;
    int worst = 0;
    sti_linkage_measure(linkage, layout, linkage->q, NULL, driven, NULL, &m);
    sti_linkage_factor(layout, NULL, &m);
    linkage->freedoms = 3 * linkage->body_count - layout->count + (int)m.drops[0];
    for (int pass = 0; pass < 3; ++pass) {
        for (int p = 0; p < layout->count; ++p)
            m.lambda[p] =
                sti_row_rate(layout, &m, p, linkage->v) - sti_row_wanted(&layout->rows[p], driven);
        sti_linkage_solve(layout, &m, m.lambda);
        sti_linkage_push(layout, &m, m.lambda, -1.0, linkage->v);
    }
    for (int i = 0; i < 3 * linkage->body_count; ++i) size = fmax(size, fabs(linkage->v[i]));
    for (int p = 0; p < layout->count; ++p) {
        const double wanted = sti_row_wanted(&layout->rows[p], driven);
        const double miss = fabs(sti_row_rate(layout, &m, p, linkage->v) - wanted);
        size = fmax(size, fabs(wanted));
        if (miss > error) worst = p;
        error = fmax(error, miss);
    }
    if (!(error > 1e-9 * size * fmax(1.0, linkage->scale))) return true;
    const Row *row = &layout->rows[worst];
    sti_report_add(a->report, STI_ERROR, sti_row_name(linkage, row), "", error,
                   "over-constrained: what is driven does not fit the other constraints; this one "
                   "(%s) misses by %.3g %s/s",
                   sti_row_label(linkage, row), error, sti_row_unit(linkage, row));
    return false;
}

static double size_of(const StiLinkage *linkage)
{
    double size = 0.0;
    for (int k = 0; k < linkage->pair_count; ++k) {
        const StiPlanarPair *p = &linkage->pairs[k];
        size = fmax(size, fmax(sti_hypot(p->at.x, p->at.y), p->length));
        size = fmax(size, fmax(sti_hypot(p->at_other.x, p->at_other.y), p->radius));
    }
    for (int i = 0; i < linkage->body_count; ++i)
        size = fmax(size, sti_hypot(linkage->bodies[i].position.x, linkage->bodies[i].position.y));
    return size > 0.0 ? size : 1.0;
}

// Angles and paths that pairs keep are those of the guess.
static void take_references(StiLinkage *linkage)
{
    for (int k = 0; k < linkage->pair_count; ++k) {
        const StiPlanarPair *pair = &linkage->pairs[k];
        const StiPlanarBody *i = &linkage->bodies[pair->body];
        const StiPlanarBody *j = pair->other >= 0 ? &linkage->bodies[pair->other] : NULL;
        const double other = j != NULL ? j->angle : 0.0;
        if (pair->type == STI_PAIR_PRISMATIC || pair->type == STI_PAIR_FIXED)
            linkage->reference[k] = i->angle - other;
        if (pair->type == STI_PAIR_GEAR) linkage->reference[k] = i->angle + pair->ratio * other;
        if (pair->type != STI_PAIR_ROLLING) continue;
        const Posture a = posture_at_angle(i->position, i->angle);
        Posture b = {.c = 1.0};
        if (j != NULL) b = posture_at_angle(j->position, other);
        PairRow rows[PAIR_ROWS_MAX];
        sti_pair_rolling.measure(pair, 0.0, &a, &b, rows, NULL);
        linkage->reference[k] = rows[1].C;
    }
}

static void keep_start(StiLinkage *linkage)
{
    for (int i = 0; i < linkage->body_count; ++i) {
        StiPlanarBody *b = &linkage->bodies[i];
        b->position = (StiVec2){linkage->q[3 * i], linkage->q[3 * i + 1]};
        b->angle = linkage->q[3 * i + 2];
        b->velocity = (StiVec2){linkage->v[3 * i], linkage->v[3 * i + 1]};
        b->rate = linkage->v[3 * i + 2];
    }
}

bool sti_linkage_assemble(StiLinkage *linkage, StiReport *report)
{
    const int velocities = 3 * linkage->body_count;
    const int size = sti_linkage_memory(linkage, NULL).size;
    double *memory = calloc((size_t)size + (size_t)velocities + 1, sizeof *memory);
    StiDriven *driven = start_of_drivers(linkage);
    bool good = memory != NULL && driven != NULL;
    if (good) {
        const Assembly a = {linkage, report, sti_linkage_memory(linkage, memory), memory + size};
        memcpy(a.m.inverse_mass, linkage->inverse_mass, (size_t)velocities * sizeof(double));
        linkage->scale = size_of(linkage);
        take_references(linkage);
        good = assemble_positions(&a) && make_velocities_fit(&a, driven);
        if (good) note_redundant(&a);
        if (good) keep_start(linkage);
    }
    free(driven);
    free(memory);
    return good;
}
