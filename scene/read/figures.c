// Figures: which pictures a report shows of a scene.
#include <string.h>

#include "read/sections.h"

// VALUE_BODY: a name or a list of names.
static const Key keys[] = {
    {"title", VALUE_TEXT, true, "what it shows", NULL},
    {"y", VALUE_BODY, true, "channels, or expressions of channels", NULL},
    {"x", VALUE_TEXT, false, "over what: t (default), a channel or an expression", NULL},
    {"runs", VALUE_BODY, false, "names of variants, 'scene' for the scene itself; default all",
     NULL},
};

const Key *scene_figure_keys(int *count)
{
    *count = (int)(sizeof keys / sizeof keys[0]);
    return keys;
}

// One text, or a list of texts.
static const char *const *read_names(Reader *reader, const Node *node, const char *what, int *count)
{
    const int items = node->type == NODE_LIST ? node->count : 1;
    const char **names = sti_arena_take(reader->arena, (size_t)items + 1, sizeof *names);
    for (int i = 0; names != NULL && i < items; ++i) {
        const Node *item = node->type == NODE_LIST ? node->items[i] : node;
        if (!scene_text(reader, item, what, &names[i])) return names;
        ++*count;
    }
    return names;
}

static void check_runs(Reader *reader, const Node *node, const StiFigure *figure,
                       const StiScene *scene)
{
    for (int i = 0; i < figure->run_count; ++i) {
        bool found = strcmp(figure->runs[i], "scene") == 0;
        for (int k = 0; k < scene->variant_count; ++k)
            found = found || strcmp(scene->variants[k].name, figure->runs[i]) == 0;
        if (!found)
            scene_error(reader, node->mark,
                        "there is no variant '%s' to draw; the scene itself is 'scene'",
                        figure->runs[i]);
    }
}

static void read_figure(Reader *reader, const Node *node, const StiScene *scene, StiFigure *figure)
{
    *figure = (StiFigure){.title = "", .x = "t"};
    if (node->type != NODE_MAP) {
        scene_error(reader, node->mark,
                    "a figure must be a map: {title: ..., y: [CHANNEL, ...], x: t}");
        return;
    }
    const Node *title = scene_node_find(node, "title"), *x = scene_node_find(node, "x");
    const Node *y = scene_node_find(node, "y"), *runs = scene_node_find(node, "runs");
    scene_check_keys(reader, node, "a figure", keys, sizeof keys / sizeof keys[0]);
    if (title != NULL) scene_text(reader, title, "title", &figure->title);
    if (x != NULL) scene_text(reader, x, "x", &figure->x);
    if (y != NULL) figure->y = read_names(reader, y, "y", &figure->y_count);
    if (runs != NULL) figure->runs = read_names(reader, runs, "a run", &figure->run_count);
    if (runs != NULL) check_runs(reader, runs, figure, scene);
}

void scene_read_figures(Reader *reader, StiScene *scene)
{
    const Node *list = scene_node_find(reader->root, "figures");
    if (list == NULL) return;
    if (list->type != NODE_LIST) {
        scene_error(reader, list->mark, "figures must be a list of figures, not %s",
                    scene_node_type(list));
        return;
    }
    StiFigure *items = sti_arena_take(reader->arena, (size_t)list->count + 1, sizeof *items);
    for (int i = 0; items != NULL && i < list->count; ++i)
        read_figure(reader, list->items[i], scene, &items[i]);
    scene->figures = items;
    scene->figure_count = items != NULL ? list->count : 0;
}
