// What a run changes in its scene: the settings of a variant, then those of the caller.
#include <string.h>

#include "read/sections.h"

// One assignment, as a variant has it or as --set has it.
typedef struct Setting {
    const char *text; // "path=value", or
    const Entry *entry;
    bool before_repeats;
} Setting;

struct Settings {
    Setting *list;
    int count;
};

// What is set must not be shared: a later --set changes one place only.
static Node *copy_of(StiArena *arena, const Node *node)
{
    Node *copy = sti_arena_copy(arena, node, sizeof *node);
    if (copy == NULL) return NULL;
    if (node->type == NODE_LIST)
        copy->items = sti_arena_take(arena, (size_t)node->count + 1, sizeof *copy->items);
    if (node->type == NODE_MAP)
        copy->entries = sti_arena_take(arena, (size_t)node->count + 1, sizeof *copy->entries);
    for (int i = 0; i < node->count && !arena->failed; ++i) {
        if (node->type == NODE_LIST) copy->items[i] = copy_of(arena, node->items[i]);
        if (node->type != NODE_MAP) continue;
        copy->entries[i] = node->entries[i];
        copy->entries[i].value = copy_of(arena, node->entries[i].value);
    }
    return arena->failed ? NULL : copy;
}

static void unknown_variant(Reader *reader, const Node *variants, const char *name)
{
    const int count = variants != NULL && variants->type == NODE_MAP ? variants->count : 0;
    const char **names = sti_arena_take(reader->arena, (size_t)count + 1, sizeof *names);
    for (int i = 0; names != NULL && i < count; ++i) names[i] = variants->entries[i].key;
    const char *near = names != NULL ? scene_nearest(name, names, count) : NULL;
    const Mark mark = variants != NULL ? variants->mark : reader->root->mark;
    if (near != NULL)
        scene_error(reader, mark, "there is no variant '%s'; did you mean '%s'?", name, near);
    else if (count > 0)
        scene_error(reader, mark, "there is no variant '%s'; the first is '%s'", name, names[0]);
    else
        scene_error(reader, mark, "there is no variant '%s': the scene has none", name);
}

// What is wrong with the variant itself is said when the variants are read.
static const Node *variant_set(Reader *reader, const Node *root, const char *name)
{
    const Node *variants = scene_node_find(root, "variants"),
               *variant = scene_node_find(variants, name);
    const Node *set = scene_node_find(variant, "set");
    if (variant == NULL) unknown_variant(reader, variants, name);
    return set != NULL && set->type == NODE_MAP ? set : NULL;
}

static void add(Reader *reader, Settings *settings, const Node *root, Setting setting)
{
    char *path =
        sti_arena_text(reader->arena, setting.entry != NULL ? setting.entry->key : setting.text);
    if (path != NULL && setting.entry == NULL) path[strcspn(path, "=")] = '\0';
    setting.before_repeats = path != NULL && scene_document_sets_parameter(root, path);
    settings->list[settings->count++] = setting;
}

const Settings *scene_settings(Reader *reader, const Node *root, const StiSceneOptions *options)
{
    static const StiSceneOptions none = {0};
    if (options == NULL) options = &none;
    const Node *set = options->variant != NULL ? variant_set(reader, root, options->variant) : NULL;
    const int count = (set != NULL ? set->count : 0) + options->set_count;
    Settings *settings = sti_arena_take(reader->arena, 1, sizeof *settings);
    if (settings == NULL) return NULL;
    settings->list = sti_arena_take(reader->arena, (size_t)count + 1, sizeof *settings->list);
    if (settings->list == NULL) return NULL;
    for (int i = 0; set != NULL && i < set->count; ++i) {
        Entry *entry = sti_arena_copy(reader->arena, &set->entries[i], sizeof *entry);
        if (entry != NULL) entry->value = copy_of(reader->arena, entry->value);
        if (entry == NULL || entry->value == NULL) return NULL;
        add(reader, settings, root, (Setting){.entry = entry});
    }
    for (int i = 0; i < options->set_count; ++i)
        add(reader, settings, root, (Setting){.text = options->sets[i]});
    return settings;
}

void scene_apply_settings(Reader *reader, Node *root, const Settings *settings, bool before_repeats)
{
    for (int i = 0; i < settings->count; ++i) {
        const Setting *s = &settings->list[i];
        if (s->before_repeats != before_repeats) continue;
        if (s->entry != NULL)
            scene_document_assign(root, s->entry->key, s->entry->value, s->entry->mark,
                                  reader->arena, reader->messages);
        else
            scene_document_set(root, s->text, reader->arena, reader->messages);
    }
}
