#include "plot/panels.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/terminal.h"
#include "terminal/text.h"

static int find_column(const Recording *recording, const char *name)
{
    for (int i = 0; i < recording->count; ++i)
        if (strcmp(recording->names[i], name) == 0) return i;
    return -1;
}

static void refuse(const Recording *recording, const char *name)
{
    const char *const *names = (const char *const *)recording->names;
    const char *nearest = text_nearest(name, names, recording->count);
    if (nearest != NULL)
        terminal_error("%s has no column '%s'; did you mean %s?", recording->path, name, nearest);
    else {
        terminal_error("%s has no column '%s'; it has:", recording->path, name);
        for (int i = 0; i < recording->count; ++i) fprintf(stderr, "  %s\n", names[i]);
    }
}

// "block.v@karnopp" -> "v"
static char *last_part(const char *name)
{
    const size_t length = strcspn(name, "@");
    size_t start = length;
    while (start > 0 && name[start - 1] != '.') --start;
    return text_new("%.*s", (int)(length - start), name + start);
}

static bool is_mode(const char *name)
{
    char *part = last_part(name);
    const bool mode = strcmp(part, "stick") == 0;
    free(part);
    return mode;
}

// Room for one more.
static void *grown(void *old, int count, size_t size)
{
    char *more = take((size_t)count + 1, size);
    if (count > 0) memcpy(more, old, (size_t)count * size);
    free(old);
    return more;
}

static Panel *add_panel(Panels *all)
{
    all->panels = grown(all->panels, all->count, sizeof *all->panels);
    all->panels[all->count] = (Panel){.modes = true};
    return &all->panels[all->count++];
}

static void add_curve(Panels *all, Panel *panel, int recording, int y)
{
    panel->curves = grown(panel->curves, panel->count, sizeof *panel->curves);
    panel->modes = panel->modes && is_mode(all->recordings[recording].names[y]);
    panel->curves[panel->count++] =
        (Curve){recording, find_column(&all->recordings[recording], all->x), y, NULL};
}

// ---- what was asked for -------------------------------------------------------------------------

// All columns that a name or pattern fits, in all recordings; each must have one.
static bool add_asked(Panels *all, Panel *panel, const char *pattern)
{
    for (int r = 0; r < all->recording_count; ++r) {
        const Recording *recording = &all->recordings[r];
        int found = 0;
        for (int i = 0; i < recording->count; ++i) {
            if (strcmp(recording->names[i], all->x) == 0 ||
                fnmatch(pattern, recording->names[i], 0) != 0)
                continue;
            add_curve(all, panel, r, i);
            ++found;
        }
        if (found > 0) continue;
        refuse(recording, pattern);
        return false;
    }
    return true;
}

static bool add_list(Panels *all, const char *list)
{
    Panel *panel = add_panel(all);
    for (;;) {
        const int length = (int)strcspn(list, ",");
        char *pattern = text_new("%.*s", length, list);
        const bool good = add_asked(all, panel, pattern);
        free(pattern);
        if (!good) return false;
        if (list[length] == '\0') return true;
        list += length + 1;
    }
}

// ---- all columns, in groups ---------------------------------------------------------------------

// What columns of one panel have in common; stick/slip modes have a panel of their own.
static char *group_of(const Recording *recording, int column)
{
    const char *name = recording->names[column], *unit = recording->units[column];
    if (unit[0] == '\0' || is_mode(name)) return last_part(name);
    return text_new("in %s", unit);
}

static void add_all(Panels *all)
{
    char **groups = NULL;
    for (int r = 0; r < all->recording_count; ++r) {
        const Recording *recording = &all->recordings[r];
        for (int i = 0; i < recording->count; ++i) {
            if (strcmp(recording->names[i], all->x) == 0) continue;
            char *group = group_of(recording, i);
            int number = 0;
            while (number < all->count && strcmp(groups[number], group) != 0) ++number;
            if (number == all->count) {
                groups = grown(groups, all->count, sizeof *groups);
                groups[number] = group;
                add_panel(all);
            } else
                free(group);
            add_curve(all, &all->panels[number], r, i);
        }
    }
    for (int i = 0; i < all->count; ++i) free(groups[i]);
    free(groups);
}

// Modes stand below the rest.
static void put_modes_last(Panels *all)
{
    for (int i = 0, left = all->count; left > 0; --left) {
        const Panel panel = all->panels[i];
        if (!panel.modes) {
            ++i;
            continue;
        }
        memmove(&all->panels[i], &all->panels[i + 1], (size_t)(all->count - i - 1) * sizeof panel);
        all->panels[all->count - 1] = panel;
    }
}

// ---- texts --------------------------------------------------------------------------------------

static const Recording *recording_of(const Panels *all, const Curve *curve)
{
    return &all->recordings[curve->recording];
}

static const char *name_of(const Panels *all, const Curve *curve)
{
    return recording_of(all, curve)->names[curve->y];
}

// All curves are of one channel, of several files or under several models.
static bool one_channel(const Panels *all, const Panel *panel)
{
    const char *first = name_of(all, &panel->curves[0]);
    const size_t length = strcspn(first, "@");
    for (int i = 1; i < panel->count; ++i) {
        const char *name = name_of(all, &panel->curves[i]);
        if (strcspn(name, "@") != length || strncmp(name, first, length) != 0) return false;
    }
    return true;
}

// What distinguishes the curves of a panel: channel, model, file.
static void name_curves(const Panels *all, Panel *panel)
{
    const bool one = one_channel(all, panel) && !panel->modes;
    for (int i = 0; i < panel->count; ++i) {
        Curve *curve = &panel->curves[i];
        const char *name = name_of(all, curve), *model = strchr(name, '@');
        char *file = recording_name(recording_of(all, curve)->path);
        const char *what = !one ? name : model != NULL ? model + 1 : "";
        const char *where = all->recording_count > 1 ? file : "";
        curve->title =
            what[0] == '\0' && where[0] == '\0'
                ? text_new("%s", name)
                : text_new("%s%s%s", what, what[0] != '\0' && where[0] != '\0' ? ", " : "", where);
        free(file);
    }
}

// "block.v, m/s"; "v, m/s" where several channels share their last part; else the unit alone.
static char *label_of(const Panels *all, const Panel *panel)
{
    const Curve *first = &panel->curves[0];
    const char *name = name_of(all, first), *unit = recording_of(all, first)->units[first->y];
    bool same_part = true, same_unit = true;
    char *part = last_part(name);
    for (int i = 1; i < panel->count; ++i) {
        const Curve *curve = &panel->curves[i];
        char *other = last_part(name_of(all, curve));
        same_part = same_part && strcmp(other, part) == 0;
        same_unit = same_unit && strcmp(recording_of(all, curve)->units[curve->y], unit) == 0;
        free(other);
    }
    const bool units = same_unit && unit[0] != '\0' && strcmp(unit, "1") != 0;
    const char *what = one_channel(all, panel) ? name : same_part ? part : "";
    char *label = text_new("%.*s%s%s", (int)strcspn(what, "@"), what,
                           what[0] != '\0' && units ? ", " : "", units ? unit : "");
    free(part);
    return label;
}

bool panels_choose(Panels *panels, const Recording *recordings, int recording_count, const char *x,
                   const char *const *lists, int list_count)
{
    *panels = (Panels){.recordings = recordings,
                       .recording_count = recording_count,
                       .x = x != NULL ? x : recordings[0].names[0]};
    for (int r = 0; r < recording_count; ++r) {
        if (find_column(&recordings[r], panels->x) >= 0) continue;
        refuse(&recordings[r], panels->x);
        return false;
    }
    panels->x_unit = recordings[0].units[find_column(&recordings[0], panels->x)];
    for (int i = 0; i < list_count; ++i)
        if (!add_list(panels, lists[i])) return false;
    if (list_count == 0) {
        add_all(panels);
        put_modes_last(panels);
    }
    for (int i = 0; i < panels->count; ++i) {
        name_curves(panels, &panels->panels[i]);
        panels->panels[i].label = label_of(panels, &panels->panels[i]);
    }
    return true;
}

void panels_release(Panels *panels)
{
    for (int i = 0; i < panels->count; ++i) {
        Panel *panel = &panels->panels[i];
        for (int k = 0; k < panel->count; ++k) free(panel->curves[k].title);
        free(panel->curves);
        free(panel->label);
    }
    free(panels->panels);
}
