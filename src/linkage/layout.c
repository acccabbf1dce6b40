// The order of the rows: pairs by Cuthill and McKee, so that the factor of a chain is as long as the
// chain and no longer.
#include <stdlib.h>
#include <string.h>

#include "linkage/linkage.h"

// Pairs that meet at each body.
typedef struct Meeting {
    int *first; // body_count + 1
    int *pairs;
} Meeting;

static bool find_meetings(StiLinkage *linkage, StiArena *arena, Meeting *meeting)
{
    const int bodies = linkage->body_count;
    meeting->first = sti_arena_take(arena, (size_t)bodies + 2, sizeof(int));
    meeting->pairs = sti_arena_take(arena, 2 * (size_t)linkage->pair_count + 1, sizeof(int));
    if (arena->failed) return false;
    int *next = meeting->first + 1;
    for (int k = 0; k < linkage->pair_count; ++k)
        for (int side = 0; side < 2; ++side) {
            const int body = side == 0 ? linkage->pairs[k].body : linkage->pairs[k].other;
            if (body >= 0 && body + 1 < bodies) ++next[body + 1];
        }
    for (int i = 1; i < bodies; ++i) next[i] += next[i - 1];
    for (int k = 0; k < linkage->pair_count; ++k)
        for (int side = 0; side < 2; ++side) {
            const int body = side == 0 ? linkage->pairs[k].body : linkage->pairs[k].other;
            if (body >= 0) meeting->pairs[next[body]++] = k;
        }
    return true;
}

static int degree(const StiLinkage *linkage, const Meeting *meeting, int pair)
{
    const int ends[2] = {linkage->pairs[pair].body, linkage->pairs[pair].other};
    int count = 0;
    for (int side = 0; side < 2; ++side)
        if (ends[side] >= 0)
            count += meeting->first[ends[side] + 1] - meeting->first[ends[side]] - 1;
    return count;
}

// Breadth first from one pair; returns how many were reached, in order[from ...].
static int spread(const StiLinkage *linkage, const Meeting *meeting, int start, bool *seen,
                  int *order)
{
    int count = 0;
    order[count++] = start;
    seen[start] = true;
    for (int i = 0; i < count; ++i) {
        const StiPlanarPair *pair = &linkage->pairs[order[i]];
        const int ends[2] = {pair->body, pair->other};
        const int fresh = count;
        for (int side = 0; side < 2; ++side)
            for (int k = ends[side] >= 0 ? meeting->first[ends[side]] : 0;
                 ends[side] >= 0 && k < meeting->first[ends[side] + 1]; ++k) {
                const int next = meeting->pairs[k];
                if (seen[next]) continue;
                seen[next] = true;
                int place = count++;
                const int own = degree(linkage, meeting, next);
                for (; place > fresh && degree(linkage, meeting, order[place - 1]) > own; --place)
                    order[place] = order[place - 1];
                order[place] = next;
            }
    }
    return count;
}

// From an end of the linkage: the last pair that a first walk reaches.
static void order_pairs(const StiLinkage *linkage, const Meeting *meeting, bool *seen, int *order)
{
    int count = 0;
    for (int k = 0; k < linkage->pair_count; ++k) {
        if (seen[k]) continue;
        const int reached = spread(linkage, meeting, k, seen, order + count);
        const int end = order[count + reached - 1];
        for (int i = 0; i < reached; ++i) seen[order[count + i]] = false;
        count += spread(linkage, meeting, end, seen, order + count);
    }
}

static void add_row(const StiLinkage *linkage, Layout *layout, RowType type, int pair, int index)
{
    Row *row = &layout->rows[layout->count++];
    *row = (Row){.type = type, .pair = pair, .index = index};
    row->body[0] = linkage->pairs[pair].body;
    row->body[1] = linkage->pairs[pair].other;
}

static bool take_rows(StiLinkage *linkage, const int *order, bool locks, Layout *layout)
{
    const size_t most =
        (size_t)linkage->pair_count * (PAIR_ROWS_MAX + 1) + (size_t)linkage->driver_count + 1;
    layout->rows = sti_arena_take(&linkage->arena, most, sizeof *layout->rows);
    if (layout->rows == NULL) return false;
    for (int i = 0; i < linkage->pair_count; ++i) {
        const PairKind *kind = sti_pair_kind(linkage->pairs[order[i]].type);
        for (int r = 0; r < kind->rows; ++r) add_row(linkage, layout, ROW_OF_PAIR, order[i], r);
        for (int d = 0; d < linkage->driver_count; ++d)
            if (linkage->drivers[d].pair == order[i])
                add_row(linkage, layout, ROW_OF_DRIVER, order[i], d);
        if (locks && kind->slides) add_row(linkage, layout, ROW_OF_LOCK, order[i], 0);
    }
    return true;
}

static bool meet(const Row *a, const Row *b)
{
    for (int i = 0; i < 4; ++i)
        if (a->body[i / 2] >= 0 && a->body[i / 2] == b->body[i % 2]) return true;
    return false;
}

// First rows at each body, by which the first column of any row follows without a search over all.
static bool find_envelope(StiLinkage *linkage, Layout *layout)
{
    layout->first = sti_arena_take(&linkage->arena, (size_t)layout->count + 1, sizeof(int));
    layout->start = sti_arena_take(&linkage->arena, (size_t)layout->count + 1, sizeof(int));
    layout->last = sti_arena_take(&linkage->arena, (size_t)layout->count + 1, sizeof(int));
    int *first_at = sti_arena_take(&linkage->arena, (size_t)linkage->body_count + 1, sizeof(int));
    if (linkage->arena.failed) return false;
    for (int i = 0; i < linkage->body_count; ++i) first_at[i] = layout->count;
    for (int p = 0; p < layout->count; ++p) {
        layout->first[p] = p;
        for (int side = 0; side < 2; ++side) {
            const int body = layout->rows[p].body[side];
            if (body < 0) continue;
            if (first_at[body] > p) first_at[body] = p;
            if (first_at[body] < layout->first[p]) layout->first[p] = first_at[body];
        }
        layout->start[p] = layout->entries - layout->first[p];
        layout->entries += p - layout->first[p] + 1;
        for (int c = layout->first[p]; c <= p; ++c) layout->last[c] = p;
    }
    return true;
}

static int list_couplings(Layout *layout, Coupling *to)
{
    int count = 0;
    for (int p = 0; p < layout->count; ++p)
        for (int c = layout->first[p]; c <= p; ++c) {
            if (!meet(&layout->rows[p], &layout->rows[c])) continue;
            for (int i = 0; i < 4; ++i) {
                const int body = layout->rows[p].body[i / 2];
                if (body < 0 || body != layout->rows[c].body[i % 2]) continue;
                if (to != NULL) to[count] = (Coupling){p, i / 2, c, i % 2, layout->start[p] + c};
                ++count;
            }
        }
    return count;
}

static bool lay_out(StiLinkage *linkage, const int *order, bool locks, Layout *layout)
{
    if (!take_rows(linkage, order, locks, layout) || !find_envelope(linkage, layout)) return false;
    layout->coupling_count = list_couplings(layout, NULL);
    layout->couplings = sti_arena_take(&linkage->arena, (size_t)layout->coupling_count + 1,
                                       sizeof *layout->couplings);
    if (layout->couplings == NULL) return false;
    list_couplings(layout, layout->couplings);
    return true;
}

bool sti_linkage_lay_out(StiLinkage *linkage)
{
    StiArena arena = {0};
    Meeting meeting;
    bool good = find_meetings(linkage, &arena, &meeting);
    bool *seen = sti_arena_take(&arena, (size_t)linkage->pair_count + 1, sizeof *seen);
    int *order = sti_arena_take(&arena, (size_t)linkage->pair_count + 1, sizeof *order);
    good = good && !arena.failed;
    if (good) order_pairs(linkage, &meeting, seen, order);
    good = good && lay_out(linkage, order, false, &linkage->plain) &&
           lay_out(linkage, order, true, &linkage->lockable);
    linkage->memory = good ? sti_linkage_memory(linkage, NULL).size : 0;
    sti_arena_release(&arena);
    return good;
}
