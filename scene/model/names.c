#include "model/names.h"

#include <stdio.h>
#include <string.h>

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static bool is_good(char c)
{
    return is_letter(c) || (c >= '0' && c <= '9') || (c != '\0' && strchr("_-.", c) != NULL);
}

static void make_good(const char *wanted, int most, char *name)
{
    int length = 0;
    if (!is_letter(wanted[0])) name[length++] = 'n';
    for (const char *c = wanted; *c != '\0' && length < most; ++c)
        name[length++] = is_good(*c) ? *c : '_';
    name[length] = '\0';
}

const char *model_name(StiArena *arena, StiNames *taken, const char *wanted, int most)
{
    char name[MODEL_LONGEST_PART + 16];
    make_good(wanted, most, name);
    const size_t length = strlen(name);
    for (int number = 2; sti_names_find(taken, name) >= 0; ++number) {
        char suffix[16];
        const int digits = snprintf(suffix, sizeof suffix, "_%d", number);
        const size_t room = (size_t)(most - digits);
        snprintf(name + (length < room ? length : room), sizeof suffix, "%s", suffix);
    }
    const char *kept = sti_arena_text(arena, name);
    if (kept != NULL) sti_names_put(taken, arena, kept, taken->count);
    return kept;
}

static const char *renamed(StiArena *arena, StiNames *taken, const char *name, Mark mark,
                           Gathered *gathered)
{
    const char *better = model_name(arena, taken, name, MODEL_LONGEST_PART);
    if (better == NULL) return name;
    if (strcmp(better, name) != 0)
        gather(gathered, STI_NOTE, mark,
               "changed: names that are too long, or have other characters than letters, digits, _ - .",
               name, 0.0);
    return better;
}

void model_name_links(StiArena *arena, StiLink *links, int count, Mark mark, Gathered *gathered)
{
    StiNames of_links = {0}, of_joints = {0};
    for (int i = 0; i < count; ++i) {
        links[i].name = renamed(arena, &of_links, links[i].name, mark, gathered);
        if (links[i].joint_name != NULL && links[i].joint_name[0] != '\0')
            links[i].joint_name = renamed(arena, &of_joints, links[i].joint_name, mark, gathered);
    }
}
