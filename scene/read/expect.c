// Expectations, variants and grids.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "read/sections.h"

static const char *const origins[] = {"paper", "exact", "computed", "chosen", NULL};
static const char *const measures[] = {"max",   "min",   "maxabs", "mean",
                                       "range", "first", "last",   NULL};
static const StiMeasure measure_of[] = {STI_MEASURE_MAX,  STI_MEASURE_MIN,   STI_MEASURE_MAXABS,
                                        STI_MEASURE_MEAN, STI_MEASURE_RANGE, STI_MEASURE_FIRST,
                                        STI_MEASURE_LAST};

static const Key keys[] = {
    {"what", VALUE_TEXT, true, "what is measured, in words", NULL},
    {"from", VALUE_WORD, true, "paper, exact, computed or chosen", origins},
    {"channel", VALUE_TEXT, false, "a channel, or an expression of channels", NULL},
    {"at", VALUE_NUMBER, false, "time, s", NULL},
    {"during", VALUE_VECTOR, false, "from and to, s", NULL},
    {"measure", VALUE_WORD, false, "over that time; default maxabs", measures},
    {"against", VALUE_TEXT, false, "a channel: the integral of channel d against", NULL},
    {"per", VALUE_TEXT, false,
     "a channel: how much channel changes for each unit that this one changes", NULL},
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

// Keys that mean something only beside another one, or not beside another one.
static bool check_company(Reader *reader, const Node *node)
{
    static const char *const needs[][2] = {{"measure", "during"},
                                           {"against", "during"},
                                           {"per", "during"},
                                           {"after", "when"},
                                           {"tolerance", "value"}};
    static const char *const excludes[][2] = {{"channel", "when"},
                                              {"measure", "against"},
                                              {"measure", "per"},
                                              {"against", "per"}};
    bool good = true;
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; ++i) {
        const Entry *entry = scene_node_entry(node, needs[i][0]);
        if (entry == NULL || scene_node_find(node, needs[i][1]) != NULL) continue;
        scene_error(reader, entry->mark, "'%s' goes with '%s'", needs[i][0], needs[i][1]);
        good = false;
    }
    for (size_t i = 0; i < sizeof excludes / sizeof excludes[0]; ++i) {
        const Entry *entry = scene_node_entry(node, excludes[i][0]);
        if (entry == NULL || scene_node_find(node, excludes[i][1]) == NULL) continue;
        scene_error(reader, entry->mark, "'%s' has no meaning beside '%s'", excludes[i][0],
                    excludes[i][1]);
        good = false;
    }
    return good;
}

// What it is compared with.
static bool read_relation(Reader *reader, const Node *node, StiExpectation *to)
{
    static const char *const names[] = {"value", "under", "over", NULL};
    static const StiRelation relations[] = {STI_NEAR, STI_UNDER, STI_OVER};
    if (given(node, names) != 1) {
        scene_error(reader, node->mark, "an expectation needs one of 'value', 'under' or 'over'");
        return false;
    }
    bool good = true;
    for (int i = 0; i < 3; ++i) {
        if (scene_node_find(node, names[i]) == NULL) continue;
        to->relation = relations[i];
        good = scene_number_at(reader, node, names[i], &to->value);
    }
    const Node *tolerance = scene_node_find(node, "tolerance");
    if (to->relation == STI_NEAR && tolerance == NULL) {
        scene_error(reader, node->mark,
                    "a value needs a 'tolerance' (absolute; 0 means to the last bit)");
        return false;
    }
    good = scene_number_at(reader, node, "tolerance", &to->tolerance) && good;
    if (!(to->tolerance < 0.0)) return good;
    scene_error(reader, tolerance->mark, "the tolerance must be 0 or more, not %g", to->tolerance);
    return false;
}

static bool check_times(Reader *reader, Mark mark, const StiScene *scene, const StiExpectation *e)
{
    if (scene->steps == 0) return true; // not known
    const double step = (scene->stop - scene->start) / (double)scene->steps, slack = 1e-3 * step;
    const double steps = (e->t1 - scene->start) / step;
    if (fmin(e->t1, e->t2) < scene->start - slack || fmax(e->t1, e->t2) > scene->stop + slack)
        scene_error(reader, mark, "the time must lie between start, %.10g s, and stop, %.10g s",
                    scene->start, scene->stop);
    else if (e->t1 > e->t2)
        scene_error(reader, mark, "the time must go forward, from %.10g to %.10g s it does not",
                    e->t1, e->t2);
    else if (e->measure == STI_MEASURE_AT && fabs(steps - round(steps)) > 1e-3)
        scene_error(reader, mark, "%.10g s lies between two steps of %.10g s", e->t1, step);
    else
        return true;
    return false;
}

static bool read_times(Reader *reader, const Node *node, const StiScene *scene, StiExpectation *to)
{
    const Node *at = scene_node_find(node, "at"), *during = scene_node_find(node, "during");
    const Node *measure = scene_node_find(node, "measure"), *after = scene_node_find(node, "after");
    double times[2] = {scene->start, scene->stop};
    int count, word = 2;
    to->measure = STI_MEASURE_WHEN;
    if (measure != NULL) word = scene_word(reader, measure, "measure", measures);
    if (at != NULL) {
        to->measure = STI_MEASURE_AT;
        if (!scene_number(reader, at, "at", &times[0])) return false;
        times[1] = times[0];
    } else if (during != NULL) {
        if (!scene_vector(reader, during, "during", 2, 2, times, &count) || word < 0) return false;
        to->measure =
            scene_node_find(node, "against") != NULL ? STI_MEASURE_LOOP : measure_of[word];
        if (scene_node_find(node, "per") != NULL) to->measure = STI_MEASURE_PER;
    } else if (after != NULL && !scene_number(reader, after, "after", &times[0])) {
        return false;
    }
    to->t1 = times[0];
    to->t2 = times[1];
    const Node *place = at != NULL ? at : during != NULL ? during : after != NULL ? after : node;
    return check_times(reader, place->mark, scene, to);
}

// The channel, and when to look at it. what: "an expectation".
static void read_measure(Reader *reader, const Node *node, const char *what, const StiScene *scene,
                         StiExpectation *to)
{
    static const char *const ways[] = {"at", "during", "when", NULL};
    const Node *channel = scene_node_find(node, "channel"), *when = scene_node_find(node, "when");
    const Node *against = scene_node_find(node, "against"), *per = scene_node_find(node, "per");
    if (channel != NULL) scene_text(reader, channel, "channel", &to->channel);
    if (when != NULL) scene_text(reader, when, "when", &to->channel);
    if (against != NULL) scene_text(reader, against, "against", &to->against);
    if (per != NULL) scene_text(reader, per, "per", &to->against);
    if (!check_company(reader, node)) return;
    if (given(node, ways) != 1)
        scene_error(reader, node->mark, "%s needs one of 'at', 'during' or 'when'", what);
    else if (channel == NULL && when == NULL)
        scene_error(reader, node->mark, "%s needs 'channel'", what);
    else
        read_times(reader, node, scene, to);
}

static void read_expectation(Reader *reader, const Node *node, const StiScene *scene,
                             StiExpectation *to)
{
    if (node->type != NODE_MAP) {
        scene_error(reader, node->mark,
                    "an expectation must be a map: {what: ..., channel: ..., at: ..., ...}");
        return;
    }
    const Node *what = scene_node_find(node, "what"), *from = scene_node_find(node, "from");
    scene_check_keys(reader, node, "an expectation", keys, sizeof keys / sizeof keys[0]);
    const int origin = from != NULL ? scene_word(reader, from, "origin", origins) : -1;
    if (origin >= 0) to->from = origins[origin];
    if (what != NULL) scene_text(reader, what, "what", &to->what);
    read_relation(reader, node, to);
    read_measure(reader, node, "an expectation", scene, to);
}

static const char *const goals[] = {"less", "more", NULL};

// As an expectation, but it need not expect anything.
static const Key study_measure_keys[] = {
    {"channel", VALUE_TEXT, false, "a channel, or an expression of channels", NULL},
    {"at", VALUE_NUMBER, false, "time, s", NULL},
    {"during", VALUE_VECTOR, false, "from and to, s", NULL},
    {"measure", VALUE_WORD, false, "over that time; default maxabs", measures},
    {"against", VALUE_TEXT, false, "a channel: the integral of channel d against", NULL},
    {"per", VALUE_TEXT, false,
     "a channel: how much channel changes for each unit that this one changes", NULL},
    {"when", VALUE_TEXT, false, "a condition of channels; the first time it is true", NULL},
    {"after", VALUE_NUMBER, false, "do not look before, s", NULL},
    {"value", VALUE_NUMBER, false, "what is expected: how often it fails is counted", NULL},
    {"tolerance", VALUE_NUMBER, false, "absolute", NULL},
    {"under", VALUE_NUMBER, false, "an upper bound: how often it fails is counted", NULL},
    {"over", VALUE_NUMBER, false, "a lower bound", NULL},
    {"goal", VALUE_WORD, false, "less or more is better: for the Pareto front", goals},
};

const Key *scene_study_measure_keys(int *count)
{
    *count = (int)(sizeof study_measure_keys / sizeof study_measure_keys[0]);
    return study_measure_keys;
}

void scene_read_study_measure(Reader *reader, const Entry *entry, const StiScene *scene,
                              StiExpectation *to, int *goal)
{
    static const char *const relations[] = {"value", "under", "over", NULL};
    const Node *node = entry->value, *word = scene_node_find(node, "goal");
    *to = (StiExpectation){.what = entry->key, .from = "chosen", .relation = STI_UNJUDGED};
    if (node->type != NODE_MAP) {
        scene_error(reader, node->mark, "a measure must be a map: {channel: ..., at: ...}");
        return;
    }
    scene_check_keys(reader, node, "a measure", study_measure_keys,
                     sizeof study_measure_keys / sizeof study_measure_keys[0]);
    if (given(node, relations) > 0) read_relation(reader, node, to);
    if (word != NULL) *goal = scene_word(reader, word, "goal", goals) == 0 ? -1 : 1;
    read_measure(reader, node, "a measure", scene, to);
}

void scene_read_expectations(Reader *reader, StiScene *scene)
{
    const Node *list = reader->expect;
    if (list == NULL) return;
    if (list->type != NODE_LIST) {
        scene_error(reader, list->mark, "expect must be a list of expectations, not %s",
                    scene_node_type(list));
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
        if (*text == '\n')
            put_text(line, "\\n");
        else
            put(line, *text);
    }
    put(line, '"');
}

// Within brackets, text without quotes must not hold brackets, commas and the like.
static void put_value(Line *line, const Node *node, bool within)
{
    if (node->type == NODE_SCALAR) {
        if (node->quoted || (within && strpbrk(node->text, ",[]{}:#?") != NULL))
            put_quoted(line, node->text);
        else
            put_text(line, node->text);
        return;
    }
    put(line, node->type == NODE_LIST ? '[' : '{');
    for (int i = 0; i < node->count; ++i) {
        if (i > 0) put_text(line, ", ");
        if (node->type == NODE_MAP) {
            put_quoted(line, node->entries[i].key);
            put_text(line, ": ");
        }
        put_value(line, node->type == NODE_LIST ? node->items[i] : node->entries[i].value, true);
    }
    put(line, node->type == NODE_LIST ? ']' : '}');
}

static void put_assignment(Line *line, const Entry *entry)
{
    put_text(line, entry->key);
    put(line, '=');
    put_value(line, entry->value, false);
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

// Times and channels are judged when the variant is read: what it sets may change them.
static void check_variant_expectations(Reader *reader, const Node *list)
{
    const StiScene unknown = {0};
    if (list->type != NODE_LIST) {
        scene_error(reader, list->mark, "expect must be a list of expectations, not %s",
                    scene_node_type(list));
        return;
    }
    for (int i = 0; i < list->count; ++i) {
        StiExpectation expectation = {0};
        read_expectation(reader, list->items[i], &unknown, &expectation);
    }
}

static void read_variant(Reader *reader, const Entry *entry, StiVariant *variant)
{
    static const Key variant_keys[] = {
        {"set", VALUE_ANY, true, "{PATH: VALUE, ...}, as --set takes them", NULL},
        {"expect", VALUE_ANY, false, "expectations of this variant", NULL},
    };
    const Node *node = entry->value, *set = scene_node_find(node, "set"),
               *expect = scene_node_find(node, "expect");
    variant->name = entry->key;
    if (node->type != NODE_MAP) {
        scene_error(reader, node->mark,
                    "a variant must be a map: {set: {PATH: VALUE, ...}, expect: [...]}");
        return;
    }
    scene_check_keys(reader, node, "a variant", variant_keys, 2);
    if (set != NULL && set->type == NODE_MAP)
        variant->sets = scene_sets_of(reader, set, &variant->set_count);
    else if (set != NULL)
        scene_error(reader, set->mark, "set must be a map: {PATH: VALUE, ...}, not %s",
                    scene_node_type(set));
    if (expect != NULL && expect != reader->expect) check_variant_expectations(reader, expect);
}

void scene_read_variants(Reader *reader, StiScene *scene)
{
    const Node *variants = scene_node_find(reader->root, "variants");
    if (variants == NULL) return;
    if (variants->type != NODE_MAP) {
        scene_error(reader, variants->mark,
                    "variants must be a map: {NAME: {set: {...}, expect: [...]}}");
        return;
    }
    StiVariant *items = sti_arena_take(reader->arena, (size_t)variants->count + 1, sizeof *items);
    for (int i = 0; items != NULL && i < variants->count; ++i)
        read_variant(reader, &variants->entries[i], &items[i]);
    scene->variants = items;
    scene->variant_count = items != NULL ? variants->count : 0;
}

// ---- grids ----------------------------------------------------------------------------------------------

static void read_axis(Reader *reader, const Entry *entry, StiGridAxis *axis)
{
    static const Key axis_keys[] = {
        {"from", VALUE_NUMBER, true, "first value", NULL},
        {"to", VALUE_NUMBER, true, "last value", NULL},
        {"count", VALUE_COUNT, true, "how many values", NULL},
    };
    const Node *node = entry->value, *count = scene_node_find(node, "count");
    *axis = (StiGridAxis){.path = entry->key, .count = 1};
    if (node->type != NODE_MAP) {
        scene_error(reader, node->mark, "an axis of a grid must be {from: A, to: B, count: N}");
        return;
    }
    scene_check_keys(reader, node, "an axis of a grid", axis_keys, 3);
    scene_number_at(reader, node, "from", &axis->from);
    scene_number_at(reader, node, "to", &axis->to);
    if (count != NULL) scene_count(reader, count, "count", 1, 100000, &axis->count);
}

void scene_read_grid(Reader *reader, StiScene *scene)
{
    const double most = 1e9;
    const Node *grid = scene_node_find(reader->root, "grid");
    double runs = 1.0;
    if (grid == NULL) return;
    if (grid->type != NODE_MAP) {
        scene_error(reader, grid->mark, "grid must be a map: {PATH: {from: A, to: B, count: N}}");
        return;
    }
    StiGridAxis *axes = sti_arena_take(reader->arena, (size_t)grid->count + 1, sizeof *axes);
    for (int i = 0; axes != NULL && i < grid->count; ++i) {
        read_axis(reader, &grid->entries[i], &axes[i]);
        runs *= axes[i].count;
    }
    if (runs > most)
        scene_error(reader, grid->mark, "a grid of %.3g runs; at most %g can be made", runs, most);
    scene->grid = axes;
    scene->grid_count = axes != NULL ? grid->count : 0;
}

// Sets the first values, to see whether the paths lead anywhere.
void scene_check_grid(Reader *reader, Node *root)
{
    const Node *grid = scene_node_find(root, "grid");
    const Node before =
        grid != NULL ? *grid : (Node){.type = NODE_SCALAR}; // a path may lead to the grid itself
    for (int i = 0; before.type == NODE_MAP && i < before.count; ++i) {
        const Entry *entry = &before.entries[i];
        Node *from = scene_node_find(entry->value, "from");
        if (from != NULL)
            scene_document_assign(root, entry->key, from, entry->mark, reader->arena,
                                  reader->messages);
    }
}
