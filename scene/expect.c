// Expectations, variants and grids.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sections.h"

static const char *const origins[] = {"paper", "exact", "computed", "chosen", NULL};
static const char *const measures[] = {"max", "min", "maxabs", "mean", "range", "first", "last", NULL};
static const StiMeasure measure_of[] = {STI_MEASURE_MAX,   STI_MEASURE_MIN,   STI_MEASURE_MAXABS,
                                        STI_MEASURE_MEAN,  STI_MEASURE_RANGE, STI_MEASURE_FIRST,
                                        STI_MEASURE_LAST};

static const Key keys[] = {
    {"what", VALUE_TEXT, true, "what is measured, in words", NULL},
    {"from", VALUE_WORD, true, "paper, exact, computed or chosen", origins},
    {"channel", VALUE_TEXT, false, "a channel, or an expression of channels", NULL},
    {"at", VALUE_NUMBER, false, "time, s", NULL},
    {"during", VALUE_VECTOR, false, "from and to, s", NULL},
    {"measure", VALUE_WORD, false, "over that time; default maxabs", measures},
    {"against", VALUE_TEXT, false, "a channel: the integral of channel d against", NULL},
    {"when", VALUE_TEXT, false, "a condition of channels; the first time it is true", NULL},
    {"after", VALUE_NUMBER, false, "do not look before, s", NULL},
    {"value", VALUE_NUMBER, false, "what is expected", NULL},
    {"tolerance", VALUE_NUMBER, false, "absolute; 0: to the last bit", NULL},
    {"under", VALUE_NUMBER, false, "an upper bound", NULL},
    {"over", VALUE_NUMBER, false, "a lower bound", NULL},
};

const Key *scene_expectation_keys(int *count)
{
    *count = (int)(sizeof keys / sizeof keys[0]);
    return keys;
}

static int given(const Node *node, const char *const *names)
{
    int count = 0;
    for (int i = 0; names[i] != NULL; ++i) count += scene_node_find(node, names[i]) != NULL;
    return count;
}

// What it is compared with.
static bool read_relation(Reader *reader, const Node *node, StiExpectation *to)
{
    static const char *const names[] = {"value", "under", "over", NULL};
    if (given(node, names) != 1) {
        scene_error(reader, node->mark, "an expectation needs one of 'value', 'under' or 'over'");
        return false;
    }
    to->relation = scene_node_find(node, "under") != NULL  ? STI_UNDER
                   : scene_node_find(node, "over") != NULL ? STI_OVER
                                                           : STI_NEAR;
    if (to->relation == STI_NEAR && scene_node_find(node, "tolerance") == NULL) {
        scene_error(reader, node->mark, "a value needs a 'tolerance' (absolute; 0 means to the last bit)");
        return false;
    }
    const char *key = to->relation == STI_UNDER ? "under" : to->relation == STI_OVER ? "over" : "value";
    bool good = scene_number_at(reader, node, key, &to->value);
    good = scene_number_at(reader, node, "tolerance", &to->tolerance) && good;
    if (to->tolerance < 0.0) {
        scene_error(reader, scene_node_find(node, "tolerance")->mark, "the tolerance must be 0 or more");
        return false;
    }
    return good;
}

static bool read_times(Reader *reader, const Node *node, const StiScene *scene, StiExpectation *to)
{
    const Node *at = scene_node_find(node, "at"), *during = scene_node_find(node, "during");
    const Node *measure = scene_node_find(node, "measure");
    double times[2] = {scene->start, scene->stop};
    int count;
    to->measure = STI_MEASURE_WHEN;
    if (at != NULL) {
        to->measure = STI_MEASURE_AT;
        if (!scene_number(reader, at, "at", &times[0])) return false;
        times[1] = times[0];
    } else if (during != NULL) {
        const int word = measure != NULL ? scene_word(reader, measure, "measure", measures) : 2;
        if (word < 0 || !scene_vector(reader, during, "during", 2, 2, times, &count)) return false;
        to->measure = scene_node_find(node, "against") != NULL ? STI_MEASURE_LOOP : measure_of[word];
    } else if (!scene_number_at(reader, node, "after", &times[0])) {
        return false;
    }
    to->t1 = times[0];
    to->t2 = times[1];
    const double slack = 1e-3 * (scene->stop - scene->start) / (double)(scene->steps > 0 ? scene->steps : 1);
    if (to->t1 <= to->t2 && to->t1 >= scene->start - slack && to->t2 <= scene->stop + slack) return true;
    scene_error(reader, node->mark, "the time must lie between start %g s and stop %g s", scene->start, scene->stop);
    return false;
}

static bool read_expectation(Reader *reader, const Node *node, const StiScene *scene, StiExpectation *to)
{
    static const char *const ways[] = {"at", "during", "when", NULL};
    if (node->type != NODE_MAP) {
        scene_error(reader, node->mark, "an expectation must be a map: {what: ..., channel: ..., at: ..., ...}");
        return false;
    }
    if (!scene_check_keys(reader, node, "an expectation", keys, sizeof keys / sizeof keys[0])) return false;
    if (given(node, ways) != 1) {
        scene_error(reader, node->mark, "an expectation needs one of 'at', 'during' or 'when'");
        return false;
    }
    const Node *channel = scene_node_find(node, scene_node_find(node, "when") != NULL ? "when" : "channel");
    if (channel == NULL) {
        scene_error(reader, node->mark, "an expectation needs 'channel'");
        return false;
    }
    const Node *against = scene_node_find(node, "against");
    const int from = scene_word(reader, scene_node_find(node, "from"), "origin", origins);
    bool good = from >= 0;
    if (good) to->from = origins[from];
    good = scene_text(reader, scene_node_find(node, "what"), "what", &to->what) && good;
    good = scene_text(reader, channel, "channel", &to->channel) && good;
    if (against != NULL) good = scene_text(reader, against, "against", &to->against) && good;
    good = read_times(reader, node, scene, to) && good;
    return read_relation(reader, node, to) && good;
}

void scene_read_expectations(Reader *reader, StiScene *scene)
{
    const Node *list = reader->expect;
    if (list == NULL) return;
    if (list->type != NODE_LIST) {
        scene_error(reader, list->mark, "expect must be a list of expectations");
        return;
    }
    StiExpectation *items = sti_arena_take(reader->arena, (size_t)list->count + 1, sizeof *items);
    for (int i = 0; items != NULL && i < list->count; ++i)
        read_expectation(reader, list->items[i], scene, &items[i]);
    scene->expectations = items;
    scene->expectation_count = items != NULL ? list->count : 0;
}

// ---- variants -------------------------------------------------------------------------------------------

// A value as it would be written after --set: YAML in one line. Like snprintf, the writer counts what does
// not fit, so that a first pass measures.
typedef struct Line {
    char *text;
    size_t size, used;
} Line;

static void put(Line *line, char c)
{
    if (line->used + 1 < line->size) line->text[line->used] = c;
    ++line->used;
}

static void put_text(Line *line, const char *text)
{
    for (; *text != '\0'; ++text) put(line, *text);
}

static void put_quoted(Line *line, const char *text)
{
    put(line, '"');
    for (; *text != '\0'; ++text) {
        if (*text == '"' || *text == '\\') put(line, '\\');
        if (*text == '\n') put_text(line, "\\n");
        else put(line, *text);
    }
    put(line, '"');
}

static void put_value(Line *line, const Node *node)
{
    if (node->type == NODE_SCALAR) {
        if (node->quoted) put_quoted(line, node->text);
        else put_text(line, node->text);
        return;
    }
    put(line, node->type == NODE_LIST ? '[' : '{');
    for (int i = 0; i < node->count; ++i) {
        if (i > 0) put_text(line, ", ");
        if (node->type == NODE_MAP) {
            put_quoted(line, node->entries[i].key);
            put_text(line, ": ");
        }
        put_value(line, node->type == NODE_LIST ? node->items[i] : node->entries[i].value);
    }
    put(line, node->type == NODE_LIST ? ']' : '}');
}

static void put_assignment(Line *line, const Entry *entry)
{
    put_text(line, entry->key);
    put(line, '=');
    put_value(line, entry->value);
}

const char *const *scene_sets_of(Reader *reader, const Node *set, int *count)
{
    *count = set->count;
    const char **sets = sti_arena_take(reader->arena, (size_t)set->count + 1, sizeof *sets);
    for (int i = 0; sets != NULL && i < set->count; ++i) {
        Line measure = {0};
        put_assignment(&measure, &set->entries[i]);
        Line line = {.size = measure.used + 1};
        line.text = sti_arena_take(reader->arena, line.size, 1); // zeroed: ends itself
        if (line.text == NULL) return NULL;
        put_assignment(&line, &set->entries[i]);
        sets[i] = line.text;
    }
    return sets;
}

void scene_read_variants(Reader *reader, StiScene *scene)
{
    static const Key variant_keys[] = {
        {"set", VALUE_ANY, true, "a map of paths and values", NULL},
        {"expect", VALUE_ANY, false, "expectations of this variant", NULL},
    };
    const Node *variants = scene_node_find(reader->root, "variants");
    if (variants == NULL) return;
    if (variants->type != NODE_MAP) {
        scene_error(reader, variants->mark, "variants must be a map: {NAME: {set: {...}, expect: [...]}}");
        return;
    }
    StiVariant *items = sti_arena_take(reader->arena, (size_t)variants->count + 1, sizeof *items);
    for (int i = 0; items != NULL && i < variants->count; ++i) {
        const Node *node = variants->entries[i].value;
        const Node *set = node->type == NODE_MAP ? scene_node_find(node, "set") : NULL;
        items[i].name = variants->entries[i].key;
        if (set == NULL || set->type != NODE_MAP)
            scene_error(reader, variants->entries[i].mark, "a variant needs 'set': {PATH: VALUE, ...}");
        else if (scene_check_keys(reader, node, "a variant", variant_keys, 2))
            items[i].sets = scene_sets_of(reader, set, &items[i].set_count);
    }
    scene->variants = items;
    scene->variant_count = items != NULL ? variants->count : 0;
}

// ---- grids ----------------------------------------------------------------------------------------------

void scene_read_grid(Reader *reader, StiScene *scene)
{
    static const Key axis_keys[] = {
        {"from", VALUE_NUMBER, true, "first value", NULL},
        {"to", VALUE_NUMBER, true, "last value", NULL},
        {"count", VALUE_COUNT, true, "how many values", NULL},
    };
    const Node *grid = scene_node_find(reader->root, "grid");
    if (grid == NULL) return;
    if (grid->type != NODE_MAP) {
        scene_error(reader, grid->mark, "grid must be a map: {PATH: {from: A, to: B, count: N}}");
        return;
    }
    StiGridAxis *axes = sti_arena_take(reader->arena, (size_t)grid->count + 1, sizeof *axes);
    for (int i = 0; axes != NULL && i < grid->count; ++i) {
        const Node *node = grid->entries[i].value;
        axes[i].path = grid->entries[i].key;
        if (node->type != NODE_MAP) {
            scene_error(reader, node->mark, "an axis of a grid must be {from: A, to: B, count: N}");
            continue;
        }
        if (!scene_check_keys(reader, node, "an axis of a grid", axis_keys, 3)) continue;
        scene_number_at(reader, node, "from", &axes[i].from);
        scene_number_at(reader, node, "to", &axes[i].to);
        scene_count(reader, scene_node_find(node, "count"), "count", 1, 100000, &axes[i].count);
    }
    scene->grid = axes;
    scene->grid_count = axes != NULL ? grid->count : 0;
}
