#include "contact/impact_sequence.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 20000, SWEEPS = 1000 };
static const double as_fast = 1e-9; // relative: speeds that are the same
static const double still = 1e-12;  // of the fastest at the start

bool sti_sequence_wanted(const StiNetwork *network)
{
    for (int i = 0; i < network->contact_count; ++i)
        if (network->contacts[i].parameters->sequential) return true;
    return false;
}

void sti_sequence_take(StiArena *arena, int room, Sequence *sequence)
{
    const size_t n = (size_t)room + 1;
    double **vectors[] = {&sequence->e, &sequence->v, &sequence->f, &sequence->df,
                          &sequence->slack};
    for (int i = 0; i < 5; ++i) *vectors[i] = sti_arena_take(arena, n, sizeof(double));
    sequence->W = sti_arena_take(arena, n * n, sizeof(double));
    sequence->points = sti_arena_take(arena, n, sizeof(int));
    sequence->group = sti_arena_take(arena, n, sizeof(int));
}

// What nothing can move is left out.
static bool strikes(const Sequence *q, int i, double slow)
{
    return q->W[i * q->count + i] > 0.0 && -q->v[i] > q->slack[i] + slow;
}

// The points that close fastest; 0 if none closes faster than it may by more than `slow`.
static int find_group(const Sequence *q, double slow)
{
    double fastest = 0.0;
    int count = 0;
    for (int i = 0; i < q->count; ++i)
        if (strikes(q, i, slow)) fastest = fmax(fastest, -q->v[i]);
    for (int i = 0; i < q->count; ++i)
        if (strikes(q, i, slow) && -q->v[i] >= (1.0 - as_fast) * fastest) q->group[count++] = i;
    return count;
}

// Impulses of the group for departure at e times the speed of approach: never pulling, and at once exact
// where its points do not feel each other.
static void strike(const Sequence *q, int group)
{
    for (int k = 0; k < group; ++k) q->df[q->group[k]] = 0.0;
    for (int sweep = 0; sweep < SWEEPS; ++sweep) {
        double change = 0.0, size = 0.0;
        for (int k = 0; k < group; ++k) {
            const int i = q->group[k];
            const double *row = q->W + i * q->count;
            double lacking = -(1.0 + q->e[i]) * q->v[i];
            for (int j = 0; j < group; ++j) lacking -= row[q->group[j]] * q->df[q->group[j]];
            const double old = q->df[i];
            q->df[i] = fmax(0.0, old + lacking / row[i]);
            change = fmax(change, fabs(q->df[i] - old));
            size = fmax(size, q->df[i]);
        }
        if (group == 1 || change <= 1e-15 * size) return;
    }
}

bool sti_sequence_run(Sequence *q)
{
    double slow = 0.0;
    int group = 0;
    for (int i = 0; i < q->count; ++i) {
        slow = fmax(slow, -still * q->v[i]);
        q->f[i] = 0.0;
    }
    for (int round = 0; round < ROUNDS && (group = find_group(q, slow)) > 0; ++round) {
        strike(q, group);
        for (int k = 0; k < group; ++k) {
            const int from = q->group[k];
            q->f[from] += q->df[from];
            q->slack[from] = 0.0; // it touches now
            for (int i = 0; i < q->count; ++i)
                q->v[i] += q->W[i * q->count + from] * q->df[from];
        }
    }
    for (int i = 0; i < q->count; ++i)
        if (q->v[i] < -q->slack[i]) q->v[i] = -q->slack[i];
    return group == 0;
}
