// Expectations: what a run of the scene must measure.
#include <math.h>
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

void scene_read_expectation(Reader *reader, const Node *node, const StiScene *scene,
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
        scene_read_expectation(reader, list->items[i], scene, &items[i]);
    scene->expectations = items;
    scene->expectation_count = items != NULL ? list->count : 0;
}
