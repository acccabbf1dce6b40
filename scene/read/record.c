// What to record, and whether the channels that a scene names exist.
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "read/linkages.h"
#include "read/sections.h"
#include "stiction/record.h"

typedef struct Channels {
    const char **names;
    int count;
} Channels;

// Complete only if the arena has not failed.
static Channels all_channels(Reader *reader, const StiScene *scene)
{
    Channels channels = {0};
    StiChannel channel;
    while (sti_network_channel(scene->network, channels.count, &channel)) ++channels.count;
    channels.names =
        sti_arena_take(reader->arena, (size_t)channels.count + 1, sizeof *channels.names);
    for (int i = 0; channels.names != NULL && i < channels.count; ++i) {
        sti_network_channel(scene->network, i, &channel);
        channels.names[i] = sti_arena_text(reader->arena, channel.name);
    }
    return channels;
}

// Channels of joints have one more dot: arm.elbow.q. Those of elements on joints do, too: arm.elbow.motor.force.
static bool is_of_robot(const Reader *reader, const char *name, size_t robot_length)
{
    char component[128];
    const char *dot = strrchr(name, '.');
    for (int i = 0; i < reader->body_count; ++i) {
        const Body *body = &reader->bodies[i];
        if (body->robot == NULL || strlen(body->name) != robot_length) continue;
        if (strncmp(body->name, name, robot_length) != 0 ||
            scene_find_element(reader, name) != NULL)
            continue;
        snprintf(component, sizeof component, "%.*s", (int)(dot - name), name);
        return scene_find_element(reader, component) == NULL;
    }
    return false;
}

// "all", "block.*" or a name.
static bool matches(const Reader *reader, const char *pattern, const char *name)
{
    const size_t length = strlen(pattern);
    if (strcmp(pattern, "all") == 0) return true;
    if (length < 2 || strcmp(pattern + length - 2, ".*") != 0) return strcmp(pattern, name) == 0;
    if (strncmp(pattern, name, length - 1) != 0) return false;
    return strchr(name + length - 1, '.') == NULL || is_of_robot(reader, name, length - 2);
}

// Without 'record': bodies, and force and stick of the elements.
static bool usual(const Reader *reader, const StiNames *bodies, const char *name)
{
    const char *dot = strrchr(name, '.');
    if (dot == NULL) return true; // an input
    if (strcmp(dot, ".force") == 0 || strcmp(dot, ".output") == 0 || strcmp(dot, ".stick") == 0 ||
        strcmp(dot, ".fn") == 0)
        return true;
    if (scene_is_part(reader, name, (size_t)(dot - name))) return true;
    char own[256]; // what stands before the last dot
    snprintf(own, sizeof own, "%.*s", (int)(dot - name), name);
    if (sti_names_find(bodies, own) >= 0) return true;
    for (const KeptRobot *kept = reader->robots; kept != NULL; kept = kept->next) {
        const size_t length = strlen(kept->shown.name); // arm.joint0.q
        if (strncmp(kept->shown.name, name, length) == 0 && name[length] == '.') return true;
    }
    return false;
}

// "friction.force" of friction on several places: the first of "block.friction.force", "cart.friction.force".
static const char *with_place(const char *name, const Channels *channels)
{
    const size_t length = strlen(name);
    for (int i = 0; i < channels->count; ++i) {
        const size_t other = strlen(channels->names[i]);
        if (other > length + 1 && channels->names[i][other - length - 1] == '.' &&
            strcmp(channels->names[i] + other - length, name) == 0)
            return channels->names[i];
    }
    return NULL;
}

// The first channels of the component that a name begins with: "x, v"; false if it has none.
static bool list_siblings(const char *name, const Channels *channels, char *list, size_t size)
{
    const char *dot = strrchr(name, '.');
    const size_t length = dot != NULL ? (size_t)(dot - name) + 1 : 0;
    size_t used = 0;
    for (int i = 0; length > 0 && i < channels->count && used + 40 < size; ++i)
        if (strncmp(channels->names[i], name, length) == 0)
            used += (size_t)snprintf(list + used, size - used, "%s%s", used > 0 ? ", " : "",
                                     channels->names[i] + length);
    return used > 0;
}

static void unknown_channel(Reader *reader, Mark mark, const char *name, const Channels *channels)
{
    char list[200];
    const char *near = with_place(name, channels);
    if (near == NULL) near = scene_nearest(name, channels->names, channels->count);
    if (near != NULL)
        scene_error(reader, mark, "there is no channel '%s'; did you mean '%s'?", name, near);
    else if (list_siblings(name, channels, list, sizeof list))
        scene_error(reader, mark, "there is no channel '%s'; '%.*s' has %s", name,
                    (int)(strrchr(name, '.') - name), name, list);
    else
        scene_error(reader, mark, "there is no channel '%s'; 'stiction check' lists them all",
                    name);
}

static int collect(Reader *reader, const Node *record, const Channels *channels, const char **names)
{
    int count = 0;
    bool *taken = sti_arena_take(reader->arena, (size_t)channels->count + 1, sizeof *taken);
    if (taken == NULL) return 0;
    StiNames bodies = {0};
    for (int i = 0; record == NULL && i < reader->body_count; ++i)
        sti_names_put(&bodies, reader->arena, reader->bodies[i].name, i);
    for (int i = 0; record == NULL && i < channels->count; ++i)
        if (usual(reader, &bodies, channels->names[i])) names[count++] = channels->names[i];
    for (int i = 0; record != NULL && i < record->count; ++i) {
        const Node *item = record->items[i];
        const char *pattern;
        bool found = false;
        if (!scene_text(reader, item, "a channel", &pattern)) continue;
        for (int j = 0; j < channels->count; ++j) {
            if (!matches(reader, pattern, channels->names[j])) continue;
            if (!taken[j]) names[count++] = channels->names[j];
            found = taken[j] = true;
        }
        if (!found) unknown_channel(reader, item->mark, pattern, channels);
    }
    return count;
}

static bool is_name(const char *text)
{
    return text[0] != '\0' &&
           text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.")] ==
               '\0';
}

// An expression of channels and t, or a channel whose name is not an expression ('left-wheel.v'). Else the
// error says why not.
static bool expression_is_good(Reader *reader, const char *text, const Channels *channels,
                               char *error, size_t size)
{
    for (int i = 0; i < channels->count; ++i)
        if (strcmp(channels->names[i], text) == 0) return true;
    const char **names = sti_arena_take(reader->arena, (size_t)channels->count + 1, sizeof *names);
    if (names == NULL) return true;
    names[0] = "t";
    memcpy(names + 1, channels->names, (size_t)channels->count * sizeof *names);
    StiExpression *expression =
        sti_expression_create(text, names, channels->count + 1, error, size);
    const bool good = expression != NULL;
    sti_expression_destroy(expression);
    return good;
}

static void check_expression(Reader *reader, Mark mark, const char *text, const Channels *channels)
{
    char error[256];
    if (expression_is_good(reader, text, channels, error, sizeof error)) return;
    if (is_name(text))
        unknown_channel(reader, mark, text, channels);
    else
        scene_error(reader, mark, "'%s': %s", text, error);
}

static void check_measure(Reader *reader, const Channels *channels, const Node *measure)
{
    static const char *const keys[] = {"channel", "when", "against", "per"};
    for (int i = 0; i < 4; ++i) {
        const Node *node = scene_node_find(measure, keys[i]);
        if (node != NULL && node->type == NODE_SCALAR)
            check_expression(reader, node->mark, node->text, channels);
    }
}

static void check_measures(Reader *reader, const Channels *channels)
{
    const Node *list = reader->expect;
    for (int i = 0; list != NULL && list->type == NODE_LIST && i < list->count; ++i)
        check_measure(reader, channels, list->items[i]);
    const Node *map = scene_node_find(scene_node_find(reader->root, "study"), "measures");
    for (int i = 0; map != NULL && map->type == NODE_MAP && i < map->count; ++i)
        check_measure(reader, channels, map->entries[i].value);
}

static void check_fmus(Reader *reader, const Channels *channels)
{
    const Node *elements = scene_node_find(reader->root, "elements");
    for (int i = 0; reader->fmus && elements != NULL && i < elements->count; ++i) {
        const Node *element = elements->entries[i].value, *kind = scene_node_find(element, "kind"),
                   *inputs = scene_node_find(element, "inputs");
        if (kind == NULL || kind->type != NODE_SCALAR || strcmp(kind->text, "fmu") != 0 ||
            inputs == NULL)
            continue;
        for (int k = 0; k < inputs->count; ++k)
            check_expression(reader, inputs->entries[k].value->mark, inputs->entries[k].value->text,
                             channels);
    }
}

// Another model or body may take away what a figure shows: that is worth a warning, no more.
static void check_figures(Reader *reader, const StiScene *scene, const Channels *channels)
{
    for (int i = 0; i < scene->figure_count; ++i) {
        const StiFigure *figure = &scene->figures[i];
        for (int k = -1; k < figure->y_count; ++k) {
            const char *text = k < 0 ? figure->x : figure->y[k];
            bool swept = false;
            for (int j = 0; j < scene->grid_count; ++j)
                swept = swept || strcmp(scene->grid[j].path, text) == 0;
            char error[256];
            if (!swept && !expression_is_good(reader, text, channels, error, sizeof error))
                scene_message(
                    reader->messages, STI_WARNING, scene_node_find(reader->root, "figures")->mark,
                    "the figure '%s' cannot show '%s': no channel, nor an expression of channels",
                    figure->title, text);
        }
    }
}

void scene_read_record(Reader *reader, StiScene *scene, bool whole)
{
    const Node *record = scene_node_find(reader->root, "record");
    const bool listed = record == NULL || record->type == NODE_LIST;
    if (!listed)
        scene_error(reader, record->mark,
                    "record must be a list of channels: [block.x, friction.force]");
    if (!whole || scene->network == NULL) return;
    const Channels channels = all_channels(reader, scene);
    const char **names = sti_arena_take(reader->arena, (size_t)channels.count + 1, sizeof *names);
    if (reader->arena->failed) return;
    if (listed) scene->record_count = collect(reader, record, &channels, names);
    scene->record = names;
    check_fmus(reader, &channels);
    check_measures(reader, &channels);
    check_figures(reader, scene, &channels);
}
