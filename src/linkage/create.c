// Linkages: made once from the user's design, then only read.
#include <stdlib.h>
#include <string.h>

#include "linkage/linkage.h"

static bool copy_design(StiLinkage *linkage, const StiLinkageDesign *d)
{
    StiArena *arena = &linkage->arena;
    static const char none[1];
    linkage->body_count = d->body_count;
    linkage->pair_count = d->pair_count;
    linkage->driver_count = d->driver_count;
    linkage->bodies = sti_arena_copy(arena, d->bodies, (size_t)d->body_count * sizeof *d->bodies);
    linkage->pairs = sti_arena_copy(arena, d->pair_count > 0 ? (const void *)d->pairs : none,
                                    (size_t)d->pair_count * sizeof *d->pairs);
    linkage->drivers = sti_arena_copy(arena, d->driver_count > 0 ? (const void *)d->drivers : none,
                                      (size_t)d->driver_count * sizeof *d->drivers);
    if (arena->failed) return false;
    for (int i = 0; i < d->body_count; ++i)
        linkage->bodies[i].name = sti_arena_text(arena, d->bodies[i].name);
    linkage->given =
        sti_arena_copy(arena, linkage->bodies, (size_t)d->body_count * sizeof *linkage->given);
    for (int i = 0; i < d->pair_count; ++i)
        linkage->pairs[i].name = sti_arena_text(arena, d->pairs[i].name);
    for (int i = 0; i < d->driver_count; ++i)
        linkage->drivers[i].name = sti_arena_text(arena, d->drivers[i].name);
    return !arena->failed;
}

static bool take_memory(StiLinkage *linkage)
{
    StiArena *arena = &linkage->arena;
    linkage->reference = sti_arena_numbers(arena, linkage->pair_count);
    linkage->inverse_mass = sti_arena_numbers(arena, 3 * linkage->body_count);
    linkage->q = sti_arena_numbers(arena, 3 * linkage->body_count);
    linkage->v = sti_arena_numbers(arena, 3 * linkage->body_count);
    if (arena->failed) return false;
    for (int i = 0; i < linkage->body_count; ++i) {
        const StiPlanarBody *b = &linkage->bodies[i];
        const double q[3] = {b->position.x, b->position.y, b->angle};
        const double v[3] = {b->velocity.x, b->velocity.y, b->rate};
        memcpy(linkage->q + 3 * i, q, sizeof q);
        memcpy(linkage->v + 3 * i, v, sizeof v);
        linkage->inverse_mass[3 * i] = linkage->inverse_mass[3 * i + 1] = 1.0 / b->mass;
        linkage->inverse_mass[3 * i + 2] = 1.0 / b->inertia;
    }
    return true;
}

StiLinkage *sti_linkage_create(const StiLinkageDesign *design, StiReport *report)
{
    if (!sti_linkage_check(design, report)) return NULL;
    StiLinkage *linkage = calloc(1, sizeof *linkage);
    if (linkage == NULL) return NULL;
    linkage->drift = design->drift;
    linkage->baumgarte_rate = design->baumgarte_rate;
    linkage->form = design->form;
    if (copy_design(linkage, design) && take_memory(linkage) && sti_linkage_lay_out(linkage) &&
        sti_linkage_name_channels(linkage) && sti_linkage_assemble(linkage, report))
        return linkage;
    sti_linkage_destroy(linkage);
    return NULL;
}

void sti_linkage_destroy(StiLinkage *linkage)
{
    if (linkage == NULL) return;
    sti_arena_release(&linkage->arena);
    free(linkage);
}

int sti_linkage_velocities(const StiLinkage *linkage) { return 3 * linkage->body_count; }
int sti_linkage_bodies(const StiLinkage *linkage) { return linkage->body_count; }
int sti_linkage_pairs(const StiLinkage *linkage) { return linkage->pair_count; }
int sti_linkage_drivers(const StiLinkage *linkage) { return linkage->driver_count; }
int sti_linkage_freedoms(const StiLinkage *linkage) { return linkage->freedoms; }
const StiPlanarPair *sti_linkage_pair(const StiLinkage *linkage, int pair)
{
    return &linkage->pairs[pair];
}
const StiPlanarBody *sti_linkage_body(const StiLinkage *linkage, int body)
{
    return &linkage->bodies[body];
}

int sti_linkage_workspace(const StiLinkage *linkage)
{
    // Beside an evaluation: what sti_linkage_coulomb keeps.
    const int load = (int)(sizeof(StiPairLoad) / sizeof(double)) + 1;
    return linkage->memory + 3 * linkage->body_count + (3 + load) * linkage->pair_count;
}

void sti_linkage_start(const StiLinkage *linkage, double *q, double *v)
{
    memcpy(q, linkage->q, (size_t)(3 * linkage->body_count) * sizeof *q);
    memcpy(v, linkage->v, (size_t)(3 * linkage->body_count) * sizeof *v);
}

int sti_linkage_find_pair(const StiLinkage *linkage, const char *name)
{
    for (int i = 0; i < linkage->pair_count; ++i)
        if (strcmp(linkage->pairs[i].name, name) == 0) return i;
    return -1;
}

int sti_linkage_find_body(const StiLinkage *linkage, const char *name)
{
    for (int i = 0; i < linkage->body_count; ++i)
        if (strcmp(linkage->bodies[i].name, name) == 0) return i;
    return -1;
}

int sti_linkage_find_driver(const StiLinkage *linkage, const char *name)
{
    for (int i = 0; i < linkage->driver_count; ++i)
        if (strcmp(linkage->drivers[i].name, name) == 0) return i;
    return -1;
}

void sti_linkage_coordinates(const StiLinkage *linkage, const double *q, const double *v,
                             double *coordinate, double *rate, double *workspace)
{
    Memory m = sti_linkage_memory(linkage, workspace);
    memcpy(m.inverse_mass, linkage->inverse_mass, (size_t)(3 * linkage->body_count) * sizeof *q);
    sti_linkage_measure(linkage, &linkage->plain, q, v, NULL, NULL, &m);
    for (int k = 0; k < linkage->pair_count; ++k) {
        const StiPlanarPair *pair = &linkage->pairs[k];
        const double *J = m.coordinate + COORDINATE_SIZE * k;
        coordinate[k] = rate[k] = 0.0;
        if (!sti_pair_kind(pair->type)->slides) continue;
        coordinate[k] = J[COORDINATE_VALUE];
        for (int d = 0; d < 6; ++d) {
            const int body = d < 3 ? pair->body : pair->other;
            if (body >= 0) rate[k] += J[d] * v[3 * body + d % 3];
        }
    }
}

double sti_linkage_energy(const StiLinkage *linkage, StiVec3 gravity, const double *q,
                          const double *v)
{
    double sum = 0.0;
    for (int i = 0; i < linkage->body_count; ++i) {
        const StiPlanarBody *b = &linkage->bodies[i];
        const double *x = q + 3 * i, *rate = v + 3 * i;
        sum += b->mass * (0.5 * (rate[0] * rate[0] + rate[1] * rate[1]) - gravity.x * x[0] -
                          gravity.y * x[1]) +
               0.5 * b->inertia * rate[2] * rate[2];
    }
    return sum;
}
