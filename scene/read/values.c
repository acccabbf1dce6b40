// Numbers, vectors, words: the leaves of a scene.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "read/reader.h"

void scene_error(Reader *reader, Mark mark, const char *text, ...)
{
    char message[2000]; // longer ones are cut visibly when they are added
    va_list arguments;
    va_start(arguments, text);
    vsnprintf(message, sizeof message, text, arguments);
    va_end(arguments);
    scene_message(reader->messages, STI_ERROR, mark, "%s", message);
}

bool scene_number(Reader *reader, const Node *node, const char *what, double *value)
{
    if (node->type != NODE_SCALAR) {
        scene_error(reader, node->mark, "%s must be a number, not %s", what, scene_node_type(node));
        return false;
    }
    return scene_constant(reader, node, what, value);
}

static void wrong_length(Reader *reader, const Node *node, const char *what, int least, int most)
{
    char needed[64] = "one number", found[32] = "a map";
    if (least < most)
        snprintf(needed, sizeof needed, "a list of %d to %d numbers", least, most);
    else if (most > 1)
        snprintf(needed, sizeof needed, "a list of %d numbers", most);
    if (node->type != NODE_MAP)
        snprintf(found, sizeof found, "%d", node->type == NODE_LIST ? node->count : 1);
    scene_error(reader, node->mark, "%s must be %s, not %s", what, needed, found);
}

bool scene_vector(Reader *reader, const Node *node, const char *what, int least, int most,
                  double *values, int *count)
{
    const int found = node->type == NODE_LIST ? node->count : 1;
    if (node->type == NODE_MAP || found < least || found > most) {
        wrong_length(reader, node, what, least, most);
        return false;
    }
    *count = found;
    if (node->type == NODE_SCALAR) return scene_number(reader, node, what, values);
    bool good = true;
    for (int i = 0; i < found; ++i)
        good = scene_number(reader, node->items[i], what, &values[i]) && good;
    return good;
}

bool scene_count(Reader *reader, const Node *node, const char *what, int least, int most,
                 int *value)
{
    double number;
    if (!scene_number(reader, node, what, &number)) return false;
    if (number != floor(number) || number < least || number > most) {
        scene_error(reader, node->mark, "%s must be a whole number from %d to %d, not %g", what,
                    least, most, number);
        return false;
    }
    *value = (int)number;
    return true;
}

bool scene_truth(Reader *reader, const Node *node, const char *what, bool *value)
{
    if (node->type == NODE_SCALAR && strcmp(node->text, "true") == 0) return *value = true;
    if (node->type == NODE_SCALAR && strcmp(node->text, "false") == 0) {
        *value = false;
        return true;
    }
    scene_error(reader, node->mark, "%s must be true or false", what);
    return false;
}

bool scene_text(Reader *reader, const Node *node, const char *what, const char **value)
{
    if (node->type != NODE_SCALAR) {
        scene_error(reader, node->mark, "%s must be text, not %s", what, scene_node_type(node));
        return false;
    }
    *value = node->text;
    return true;
}

// "a, b or c"
static void join(char *buffer, size_t size, const char *const *words)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (int i = 0; words[i] != NULL && used < size; ++i) {
        const char *before = i == 0 ? "" : words[i + 1] == NULL ? " or " : ", ";
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", before, words[i]);
    }
}

int scene_word(Reader *reader, const Node *node, const char *what, const char *const *words)
{
    int count = 0;
    const char *text;
    if (!scene_text(reader, node, what, &text)) return -1;
    for (; words[count] != NULL; ++count)
        if (strcmp(words[count], text) == 0) return count;
    char list[400];
    join(list, sizeof list, words);
    const char *near = scene_nearest(text, words, count);
    if (near != NULL)
        scene_error(reader, node->mark, "there is no %s '%s'; did you mean '%s'?", what, text,
                    near);
    else
        scene_error(reader, node->mark, "there is no %s '%s'; it must be %s", what, text, list);
    return -1;
}

bool scene_registered(Reader *reader, const Node *node, const char *what, StiKindRole role,
                      StiEntry *entry)
{
    enum { MOST = 128 };
    const char *names[MOST], *text;
    int count = 0;
    if (!scene_text(reader, node, what, &text)) return false;
    if (sti_registry_find(role, text, entry)) return true;
    while (count < MOST && sti_registry_at(role, count, entry)) names[count++] = entry->name;
    const char *near = scene_nearest(text, names, count);
    if (near != NULL)
        scene_error(reader, node->mark, "there is no %s '%s'; did you mean '%s'?", what, text,
                    near);
    else
        scene_error(reader, node->mark, "there is no %s '%s'; 'stiction list %s' shows what there is",
                    what, text, sti_role_list(role));
    return false;
}

bool scene_number_at(Reader *reader, const Node *map, const char *key, double *value)
{
    const Node *node = scene_node_find(map, key);
    return node == NULL || scene_number(reader, node, key, value);
}

bool scene_vector_at(Reader *reader, const Node *map, const char *key, int least, int most,
                     double *values)
{
    int count;
    const Node *node = scene_node_find(map, key);
    return node == NULL || scene_vector(reader, node, key, least, most, values, &count);
}

bool scene_attitude_at(Reader *reader, const Node *map, double q[4])
{
    if (scene_node_find(map, "attitude") == NULL) return true;
    if (!scene_vector_at(reader, map, "attitude", 4, 4, q)) return false;
    if (sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) > 0.0) return true;
    scene_error(reader, scene_node_find(map, "attitude")->mark,
                "attitude must not be zero: [w, x, y, z]");
    return false;
}

static const char *nearest_key(const char *word, const Key *keys, int count)
{
    const char *words[64];
    const int used = count < 64 ? count : 64;
    for (int i = 0; i < used; ++i) words[i] = keys[i].name;
    return scene_nearest(word, words, used);
}

bool scene_check_keys(Reader *reader, const Node *map, const char *what, const Key *keys, int count)
{
    bool good = true;
    for (int i = 0; i < map->count; ++i) {
        bool known = false;
        for (int j = 0; j < count; ++j)
            known = known || strcmp(map->entries[i].key, keys[j].name) == 0;
        if (known) continue;
        const char *near = nearest_key(map->entries[i].key, keys, count);
        if (near != NULL)
            scene_error(reader, map->entries[i].mark, "%s has no key '%s'; did you mean '%s'?",
                        what, map->entries[i].key, near);
        else
            scene_error(reader, map->entries[i].mark, "%s has no key '%s'", what,
                        map->entries[i].key);
    }
    for (int j = 0; j < count; ++j) {
        if (!keys[j].required || scene_node_find(map, keys[j].name) != NULL) continue;
        good = false;
        scene_error(reader, map->mark, "%s needs '%s': %s", what, keys[j].name, keys[j].meaning);
    }
    return good;
}

enum { MOST_KINDS = 63 };

int scene_kind(Reader *reader, const Entry *entry, const char *what, const Kind *kinds,
               size_t count)
{
    const char *words[MOST_KINDS + 1] = {NULL};
    char question[64], list[400];
    for (size_t i = 0; i < count && i < MOST_KINDS; ++i) words[i] = kinds[i].name;
    const Node *kind =
        entry->value->type == NODE_MAP ? scene_node_find(entry->value, "kind") : NULL;
    snprintf(question, sizeof question, "kind of %s", what);
    if (kind != NULL) return scene_word(reader, kind, question, words);
    join(list, sizeof list, words);
    scene_error(reader, entry->mark, "%s '%s' needs a map with 'kind': %s", what, entry->key, list);
    return -1;
}
