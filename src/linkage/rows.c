// The rows of Psi at a configuration.
#include <math.h>
#include <string.h>

#include "linkage/linkage.h"

static double *slice(double **next, int count)
{
    double *here = *next;
    *next += count;
    return here;
}

enum { PER_ROW = 6 + 6 + 1 + 1 + 1 + 1 + 1, PER_BODY = 8 + 3 + 3 + 3 };

static int dense_size(const StiLinkage *linkage)
{
    const int rows = linkage->lockable.count, velocities = 3 * linkage->body_count;
    if (linkage->form != STI_FORM_UDWADIA_KALABA) return 0;
    return (rows + 1) * (velocities + 1) + rows;
}

Memory sti_linkage_memory(const StiLinkage *linkage, double *workspace)
{
    const int rows = linkage->lockable.count, bodies = linkage->body_count;
    Memory m = {.size = PER_ROW * rows + PER_BODY * bodies + linkage->lockable.entries +
                        COORDINATE_SIZE * linkage->pair_count + 1 + dense_size(linkage)};
    double *next = workspace;
    if (workspace == NULL) return m;
    m.postures = (Posture *)(void *)slice(&next, 8 * bodies);
    m.inverse_mass = slice(&next, 3 * bodies);
    m.J = slice(&next, 6 * rows);
    m.JM = slice(&next, 6 * rows);
    m.C = slice(&next, rows);
    m.gamma = slice(&next, rows);
    m.coordinate = slice(&next, COORDINATE_SIZE * linkage->pair_count);
    m.factor = slice(&next, linkage->lockable.entries);
    m.dropped = slice(&next, rows);
    m.lambda = slice(&next, rows);
    m.column = slice(&next, rows);
    m.Q = slice(&next, 3 * bodies);
    m.spare = slice(&next, 3 * bodies);
    m.drops = slice(&next, 1);
    m.dense = next;
    return m;
}

static void take_postures(const StiLinkage *linkage, const double *q, const double *v,
                          Posture *postures)
{
    static const double still[3] = {0.0};
    for (int i = 0; i < linkage->body_count; ++i) {
        const double *rate = v != NULL ? v + 3 * i : still;
        postures[i] = posture_at_angle((StiVec2){q[3 * i], q[3 * i + 1]}, q[3 * i + 2]);
        postures[i].v = (StiVec2){rate[0], rate[1]};
        postures[i].rate = rate[2];
    }
}

static const Posture ground = {.c = 1.0};

static const Posture *posture_of(const Memory *m, int body)
{
    return body >= 0 ? &m->postures[body] : &ground;
}

static void keep_coordinate(const PairRow *row, double *to)
{
    memcpy(to, row->J, sizeof row->J);
    to[COORDINATE_VALUE] = row->C;
    to[COORDINATE_GAMMA] = row->gamma;
}

static void keep_row(const PairRow *from, int row, Memory *m)
{
    memcpy(m->J + 6 * row, from->J, sizeof from->J);
    m->C[row] = from->C;
    m->gamma[row] = from->gamma;
}

static Posture posture_at(const double *q, const double *v, int body)
{
    if (body < 0) return ground;
    const double *x = q + 3 * body;
    Posture at = posture_at_angle((StiVec2){x[0], x[1]}, x[2]);
    if (v == NULL) return at;
    at.v = (StiVec2){v[3 * body], v[3 * body + 1]};
    at.rate = v[3 * body + 2];
    return at;
}

// The angle of a pin needs neither sine nor cosine.
static PairRow turn_of(const StiPlanarPair *p, const double *q, const double *v, double *rate)
{
    const int body = 3 * p->body + 2, other = 3 * p->other + 2;
    const bool grounded = p->other < 0;
    *rate = v != NULL ? v[body] - (grounded ? 0.0 : v[other]) : 0.0;
    return (PairRow){.J = {0.0, 0.0, 1.0, 0.0, 0.0, -1.0},
                     .C = q[body] - (grounded ? 0.0 : q[other])};
}

PairRow sti_linkage_coordinate(const StiLinkage *linkage, int pair, const double *q,
                               const double *v, double *rate)
{
    const StiPlanarPair *p = &linkage->pairs[pair];
    if (p->type == STI_PAIR_REVOLUTE) return turn_of(p, q, v, rate);
    const Posture body = posture_at(q, v, p->body), other = posture_at(q, v, p->other);
    PairRow rows[PAIR_ROWS_MAX], along = {.C = 0.0};
    sti_pair_kind(p->type)->measure(p, linkage->reference[pair], &body, &other, rows, &along);
    const double parts[6] = {body.v.x, body.v.y, body.rate, other.v.x, other.v.y, other.rate};
    *rate = 0.0;
    for (int d = 0; d < 6; ++d) *rate += along.J[d] * parts[d];
    return along;
}

// Along the coordinate of a pair: what a driver prescribes, or what a lock holds.
static void measure_along(const StiLinkage *linkage, const Row *row, const StiDriven *driven,
                          const double *q_held, PairRow *to, const Memory *m)
{
    const double *along = m->coordinate + COORDINATE_SIZE * row->pair;
    memcpy(to->J, along, sizeof to->J);
    to->gamma = along[COORDINATE_GAMMA];
    if (row->type == ROW_OF_DRIVER) {
        const StiDriver *driver = &linkage->drivers[row->index];
        to->C = along[COORDINATE_VALUE] - (driven ? driven[row->index].value : driver->value);
        if (driven) to->gamma += driven[row->index].acceleration;
        return;
    }
    double rate, held = along[COORDINATE_VALUE];
    if (q_held != NULL) held = sti_linkage_coordinate(linkage, row->pair, q_held, NULL, &rate).C;
    to->C = along[COORDINATE_VALUE] - held;
}

void sti_linkage_measure(const StiLinkage *linkage, const Layout *layout, const double *q,
                         const double *v, const StiDriven *driven, const double *q_held, Memory *m)
{
    PairRow rows[PAIR_ROWS_MAX], along;
    int measured = -1;
    take_postures(linkage, q, v, m->postures);
    for (int p = 0; p < layout->count; ++p) { // all rows of a pair stand together
        const Row *row = &layout->rows[p];
        const StiPlanarPair *pair = &linkage->pairs[row->pair];
        const PairKind *kind = sti_pair_kind(pair->type);
        if (row->type == ROW_OF_PAIR && row->pair != measured) {
            measured = row->pair;
            kind->measure(pair, linkage->reference[measured], posture_of(m, pair->body),
                          posture_of(m, pair->other), rows, &along);
            if (kind->slides) keep_coordinate(&along, m->coordinate + COORDINATE_SIZE * measured);
        }
        if (row->type == ROW_OF_PAIR) keep_row(&rows[row->index], p, m);
    }
    for (int p = 0; p < layout->count; ++p) {
        if (layout->rows[p].type == ROW_OF_PAIR) continue;
        measure_along(linkage, &layout->rows[p], driven, q_held, &along, m);
        keep_row(&along, p, m);
    }
    for (int p = 0; p < layout->count; ++p)
        for (int side = 0; side < 2; ++side) {
            const int body = layout->rows[p].body[side], at = 6 * p + 3 * side;
            for (int d = 0; d < 3; ++d)
                m->JM[at + d] = body >= 0 ? m->J[at + d] * m->inverse_mass[3 * body + d] : 0.0;
        }
}

double sti_row_wanted(const Row *row, const StiDriven *driven)
{
    return row->type == ROW_OF_DRIVER && driven != NULL ? driven[row->index].rate : 0.0;
}

const char *sti_row_name(const StiLinkage *linkage, const Row *row)
{
    return row->type == ROW_OF_DRIVER ? linkage->drivers[row->index].name
                                      : linkage->pairs[row->pair].name;
}

const char *sti_row_label(const StiLinkage *linkage, const Row *row)
{
    if (row->type != ROW_OF_PAIR) return row->type == ROW_OF_DRIVER ? "drive" : "lock";
    return sti_pair_kind(linkage->pairs[row->pair].type)->labels[row->index];
}

const char *sti_row_unit(const StiLinkage *linkage, const Row *row)
{
    const StiPlanarPairType type = linkage->pairs[row->pair].type;
    if (row->type == ROW_OF_PAIR) return sti_pair_kind(type)->units[row->index];
    return type == STI_PAIR_REVOLUTE ? "rad" : "m";
}
