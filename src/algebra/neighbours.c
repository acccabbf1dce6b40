#include "algebra/neighbours.h"

bool sti_memberships_take(StiArena *arena, int count, int group_count, Memberships *m)
{
    const size_t items = (size_t)count + 1, groups = (size_t)group_count + 2;
    *m = (Memberships){.count = count,
                       .group_count = group_count,
                       .of = sti_arena_take(arena, items, sizeof *m->of),
                       .first = sti_arena_take(arena, groups, sizeof *m->first),
                       .members = sti_arena_take(arena, 2 * items, sizeof *m->members)};
    return !arena->failed;
}

void sti_memberships_list(Memberships *m)
{
    int *end = m->first + 1; // first[g + 1] is where group g ends so far, and in the end
    for (int i = 0; i < m->count; ++i)
        for (int k = 0; k < 2; ++k)
            if (m->of[i][k] >= 0) ++end[m->of[i][k] + 1];
    for (int g = 0; g < m->group_count; ++g) end[g + 1] += end[g];
    for (int i = 0; i < m->count; ++i)
        for (int k = 0; k < 2; ++k)
            if (m->of[i][k] >= 0) m->members[end[m->of[i][k]]++] = i;
}

typedef struct Stretch {
    const int *at, *end;
} Stretch;

static Stretch members_of(const Memberships *m, int group)
{
    if (group < 0) return (Stretch){0};
    return (Stretch){m->members + m->first[group], m->members + m->first[group + 1]};
}

// The next of both, ascending, each once; -1: no more.
static int next_of(Stretch *a, Stretch *b)
{
    const bool from_a = a->at < a->end && (b->at == b->end || *a->at <= *b->at);
    const bool from_b = b->at < b->end && (a->at == a->end || *b->at <= *a->at);
    const int next = from_a ? *a->at : from_b ? *b->at : -1;
    if (from_a) ++a->at;
    if (from_b) ++b->at;
    return next;
}

int sti_members_of(const Memberships *m, const int groups[2], int *shared)
{
    Stretch a = members_of(m, groups[0]), b = members_of(m, groups[1]);
    int count = 0;
    for (int item; (item = next_of(&a, &b)) >= 0; ++count)
        if (shared != NULL) shared[count] = item;
    return count;
}

// ---- the order ------------------------------------------------------------------------------------

typedef struct Walk {
    const Memberships *m;
    int *degrees;
    int *tally; // per group: of those in this group and in another one
    int *by_degree;
    int *starts;  // per degree
    bool *placed; // per item
    bool *passed; // per group: all its members are placed
    int *order, done;
} Walk;

static bool take(StiArena *arena, const Memberships *m, Walk *walk)
{
    const size_t items = (size_t)m->count + 2, groups = (size_t)m->group_count + 1;
    walk->degrees = sti_arena_take(arena, items, sizeof *walk->degrees);
    walk->tally = sti_arena_take(arena, groups, sizeof *walk->tally);
    walk->by_degree = sti_arena_take(arena, items, sizeof *walk->by_degree);
    walk->starts = sti_arena_take(arena, items, sizeof *walk->starts);
    walk->placed = sti_arena_take(arena, items, sizeof *walk->placed);
    walk->passed = sti_arena_take(arena, groups, sizeof *walk->passed);
    return !arena->failed;
}

static int other_group(const Memberships *m, int item, int group)
{
    return m->of[item][m->of[item][0] == group];
}

// The sum over its groups, less those that are in both.
static void count_neighbours(const Walk *walk)
{
    const Memberships *m = walk->m;
    for (int g = 0; g < m->group_count; ++g) {
        const Stretch all = members_of(m, g);
        for (const int *i = all.at; i < all.end; ++i) {
            const int other = other_group(m, *i, g);
            walk->degrees[*i] += (int)(all.end - all.at);
            if (other > g) ++walk->tally[other];
        }
        for (const int *i = all.at; i < all.end; ++i) {
            const int other = other_group(m, *i, g);
            if (other > g) walk->degrees[*i] -= walk->tally[other];
        }
        for (const int *i = all.at; i < all.end; ++i) {
            const int other = other_group(m, *i, g);
            if (other > g) walk->tally[other] = 0;
        }
    }
}

static void sort_by_degree(const Walk *walk)
{
    const int count = walk->m->count;
    for (int i = 0; i < count; ++i) ++walk->starts[walk->degrees[i] + 1];
    for (int d = 0; d <= count; ++d) walk->starts[d + 1] += walk->starts[d];
    for (int i = 0; i < count; ++i) walk->by_degree[walk->starts[walk->degrees[i]]++] = i;
}

static void place(Walk *walk, int item)
{
    if (walk->placed[item]) return;
    walk->placed[item] = true;
    walk->order[walk->done++] = item;
}

static void place_neighbours(Walk *walk, int item)
{
    Stretch both[2];
    for (int k = 0; k < 2; ++k) {
        const int group = walk->m->of[item][k];
        both[k] = members_of(walk->m, group >= 0 && walk->passed[group] ? -1 : group);
        if (group >= 0) walk->passed[group] = true;
    }
    for (int next; (next = next_of(&both[0], &both[1])) >= 0;) place(walk, next);
}

bool sti_order_neighbours(StiArena *arena, const Memberships *m, int *order)
{
    Walk walk = {.m = m, .order = order};
    if (!take(arena, m, &walk)) return false;
    count_neighbours(&walk);
    sort_by_degree(&walk);
    for (int front = 0, lonely = 0; front < m->count; ++front) {
        while (front == walk.done) place(&walk, walk.by_degree[lonely++]); // a new island
        place_neighbours(&walk, order[front]);
    }
    return true;
}
