// Sorts a tree depth first, the largest branch of each link last. The world is treated as a link,
// number count.
#include "robot/tree.h"

#include <math.h>

typedef struct Sorting {
    const StiLink *links;
    int count;
    int *children; // of each link and the world
    int *size;     // links of the branch, itself included
    int *largest;  // the child with the largest branch, -1: none
    int *queue;    // children before their parents
    int *used;     // sorted places taken by the branches placed so far
    int *place;    // in the sorted order
    int *level;    // branches entered by another child than the last one
} Sorting;

static int parent_of(const Sorting *s, int link)
{
    return s->links[link].parent < 0 ? s->count : s->links[link].parent;
}

static bool take_memory(Sorting *s, StiArena *arena)
{
    int **arrays[] = {&s->children, &s->size,  &s->largest, &s->queue,
                      &s->used,     &s->place, &s->level};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i)
        *arrays[i] = sti_arena_take(arena, (size_t)s->count + 1, sizeof(int));
    return !arena->failed;
}

static void count_children(Sorting *s)
{
    for (int i = 0; i <= s->count; ++i) {
        s->largest[i] = -1;
        s->size[i] = 1;
    }
    for (int i = 0; i < s->count; ++i) ++s->children[parent_of(s, i)];
}

// Takes leaves off the tree until none is left; links that remain form cycles. Returns how many
// were taken.
static int peel(Sorting *s)
{
    int *open = s->used, tail = 0; // children not yet taken
    for (int i = 0; i < s->count; ++i) {
        open[i] = s->children[i];
        if (open[i] == 0) s->queue[tail++] = i;
    }
    open[s->count] = s->children[s->count];
    for (int head = 0; head < tail; ++head) {
        const int link = s->queue[head], parent = parent_of(s, link);
        s->size[parent] += s->size[link];
        const int rival = s->largest[parent];
        if (rival < 0 || s->size[link] > s->size[rival]) s->largest[parent] = link;
        if (--open[parent] == 0 && parent < s->count) s->queue[tail++] = parent;
    }
    return tail;
}

static void report_cycles(const Sorting *s, StiReport *report)
{
    for (int i = 0; i < s->count; ++i)
        if (s->used[i] > 0)
            sti_report_add(
                report, STI_ERROR, s->links[i].name, "parent", s->links[i].parent,
                "the parents of this link lead back to it; one link of a robot must have "
                "the world, -1, as parent");
}

// Parents first: the largest branch goes to the end of its parent's places, the others in front.
static void give_places(Sorting *s)
{
    for (int i = 0; i <= s->count; ++i) s->used[i] = 0;
    s->place[s->count] = -1;
    for (int k = s->count - 1; k >= 0; --k) {
        const int link = s->queue[k], parent = parent_of(s, link);
        const bool last = s->largest[parent] == link;
        if (last) {
            s->place[link] = s->place[parent] + s->size[parent] - s->size[link];
            s->level[link] = s->level[parent];
        } else {
            s->place[link] = s->place[parent] + 1 + s->used[parent];
            s->used[parent] += s->size[link];
            s->level[link] = s->level[parent] + 1;
        }
    }
}

static void write_orders(const Sorting *s, TreeOrder *orders)
{
    for (int i = 0; i < s->count; ++i) {
        const int parent = parent_of(s, i);
        const bool follows = s->place[i] == s->place[parent] + 1;
        orders[s->place[i]] = (TreeOrder){
            .link = i,
            .parent = s->place[parent],
            .slot = follows ? STI_TREE_PREVIOUS : s->level[parent],
            .keep = s->children[i] > 1 ? s->level[i] : STI_TREE_NONE,
            .leaf = s->children[i] == 0,
            .last = s->largest[parent] == i,
        };
    }
}

static void note_roots(const Sorting *s, StiReport *report)
{
    const int roots = s->children[s->count];
    if (roots > 1)
        sti_report_add(report, STI_NOTE, "", "parent", roots,
                       "%d links hang on the world: this is a forest of %d robots", roots, roots);
}

bool sti_tree_sort(const StiLink *links, int count, TreeOrder *orders, StiReport *report)
{
    StiArena arena = {0};
    Sorting s = {.links = links, .count = count};
    bool good = take_memory(&s, &arena);
    if (!good) {
        sti_report_add(report, STI_ERROR, "", "", NAN, "out of memory");
    } else {
        count_children(&s);
        good = peel(&s) == count;
        if (!good) report_cycles(&s, report);
    }
    if (good) {
        give_places(&s);
        write_orders(&s, orders);
        note_roots(&s, report);
    }
    sti_arena_release(&arena);
    return good;
}
