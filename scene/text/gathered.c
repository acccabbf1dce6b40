#include "text/gathered.h"

#include <stdio.h>
#include <string.h>

typedef struct Item Item;
struct Item {
    const char *name;
    double size;
    bool named;
    Item *next;
};

struct GatheredGroup {
    StiSeverity severity;
    Mark mark;
    const char *what;
    Item *items, *last;
    int count;
    GatheredGroup *next;
};

static GatheredGroup *group_of(Gathered *gathered, StiSeverity severity, Mark mark,
                               const char *what)
{
    for (GatheredGroup *group = gathered->first; group != NULL; group = group->next)
        if (strcmp(group->what, what) == 0) return group;
    GatheredGroup *group = sti_arena_take(gathered->arena, 1, sizeof *group);
    if (group == NULL) return NULL;
    *group = (GatheredGroup){.severity = severity, .mark = mark, .what = what};
    if (gathered->last != NULL)
        gathered->last->next = group;
    else
        gathered->first = group;
    gathered->last = group;
    return group;
}

void gather(Gathered *gathered, StiSeverity severity, Mark mark, const char *what, const char *name,
            double size)
{
    GatheredGroup *group = group_of(gathered, severity, mark, what);
    Item *item = sti_arena_take(gathered->arena, 1, sizeof *item);
    if (group == NULL || item == NULL) return;
    *item = (Item){.name = sti_arena_text(gathered->arena, name), .size = size};
    if (item->name == NULL) return;
    if (group->last != NULL)
        group->last->next = item;
    else
        group->items = item;
    group->last = item;
    ++group->count;
}

// The largest that is not named yet; of equal ones the first.
static Item *next_to_name(const GatheredGroup *group)
{
    Item *largest = NULL;
    for (Item *item = group->items; item != NULL; item = item->next)
        if (!item->named && (largest == NULL || item->size > largest->size)) largest = item;
    if (largest != NULL) largest->named = true;
    return largest;
}

static void say(const Gathered *gathered, const GatheredGroup *group)
{
    enum { MOST_NAMES = 4 };
    char names[512] = "";
    int named = 0;
    for (; named < MOST_NAMES && named < group->count; ++named) {
        const size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%.60s", named == 0 ? "" : ", ",
                 next_to_name(group)->name);
    }
    if (named < group->count)
        scene_message(gathered->messages, group->severity, group->mark, "%s: %s and %d more",
                      group->what, names, group->count - named);
    else
        scene_message(gathered->messages, group->severity, group->mark, "%s: %s", group->what,
                      names);
}

void gathered_say(const Gathered *gathered)
{
    for (const GatheredGroup *group = gathered->first; group != NULL; group = group->next)
        if (group->count > 0) say(gathered, group);
}
