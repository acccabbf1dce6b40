// The section study: which parameters are varied, how, and what is measured in each run.
#include <float.h>
#include <math.h>
#include <string.h>

#include "read/sections.h"

static const double most_runs = 1e9;

static const char *const samples[] = {"grid", "list", "random", "latin", "sobol", "saltelli", NULL};

static const Key study_keys[] = {
    {"sample", VALUE_WORD, false, "how values are drawn; default sobol", samples},
    {"runs", VALUE_NUMBER, false,
     "how many runs; of saltelli how many points, each with (parameters + 2) runs; grids and lists have as many as "
     "their values make",
     NULL},
    {"seed", VALUE_NUMBER, false, "a whole number; other seeds give other samples; default 1",
     NULL},
    {"parameters", VALUE_ANY, true, "{PATH: how it is spread}", NULL},
    {"correlations", VALUE_ANY, false, "a list of [PATH, PATH, value between -1 and 1]", NULL},
    {"measures", VALUE_ANY, false, "{NAME: what is measured}; default: what expect measures", NULL},
};
enum { STUDY_KEYS = sizeof study_keys / sizeof study_keys[0] };

static const Key varied_keys[] = {
    {"uniform", VALUE_NUMBERS, false, "[from, to]", NULL},
    {"log", VALUE_NUMBERS, false, "[from, to]: its logarithm is uniform", NULL},
    {"normal", VALUE_NUMBERS, false, "[mean, standard deviation]", NULL},
    {"within", VALUE_NUMBERS, false, "[least, most]: where a normal distribution is cut off", NULL},
    {"triangular", VALUE_NUMBERS, false, "[from, most frequent, to]", NULL},
    {"values", VALUE_NUMBERS, false, "of a grid or a list: the values", NULL},
    {"from", VALUE_NUMBER, false, "of a grid: the first value", NULL},
    {"to", VALUE_NUMBER, false, "of a grid: the last value", NULL},
    {"count", VALUE_COUNT, false, "of a grid: how many values", NULL},
};
enum { VARIED_KEYS = sizeof varied_keys / sizeof varied_keys[0] };

const Key *scene_study_keys(int *count)
{
    *count = STUDY_KEYS;
    return study_keys;
}

const Key *scene_varied_keys(int *count)
{
    *count = VARIED_KEYS;
    return varied_keys;
}

// ---- one parameter ----------------------------------------------------------------------------------------

// From A to B: the last value exactly.
static void spread_evenly(double *values, int count, double from, double to)
{
    for (int i = 0; i < count; ++i)
        values[i] = i > 0 && i == count - 1
                        ? to
                        : from + (to - from) * (double)i / (double)(count > 1 ? count - 1 : 1);
}

static bool read_values(Reader *reader, const Node *node, StiVaried *varied)
{
    enum { MOST = 1000000 };
    const Node *list = scene_node_find(node, "values"), *count = scene_node_find(node, "count");
    double from = 0.0, to = 0.0;
    if (list == NULL && !(scene_node_find(node, "from") != NULL &&
                          scene_node_find(node, "to") != NULL && count != NULL)) {
        scene_error(reader, node->mark,
                    "%s needs values: {values: [1, 2, 5]} or {from: A, to: B, count: N}",
                    varied->path);
        return false;
    }
    int number = list != NULL && list->type == NODE_LIST ? list->count : 1;
    if (list == NULL && !scene_count(reader, count, "count", 1, MOST, &number)) return false;
    double *values = sti_arena_take(reader->arena, (size_t)number + 1, sizeof *values);
    if (values == NULL) return false;
    varied->values = values;
    varied->count = number;
    if (list != NULL) return scene_vector(reader, list, "values", 1, number, values, &number);
    if (!scene_number_at(reader, node, "from", &from) || !scene_number_at(reader, node, "to", &to))
        return false;
    spread_evenly(values, number, from, to);
    return true;
}

// The numbers must be in their order, or positive, or whatever the distribution needs.
static const char *fault_of(const StiVaried *varied)
{
    switch (varied->spread) {
    case STI_SPREAD_UNIFORM:
        return varied->a < varied->b ? NULL : "uniform: [from, to] needs from below to";
    case STI_SPREAD_LOG:
        return 0.0 < varied->a && varied->a < varied->b
                   ? NULL
                   : "log: [from, to] needs 0 < from < to";
    case STI_SPREAD_NORMAL:
        if (!(varied->b > 0.0)) return "normal: [mean, deviation] needs a deviation above 0";
        if (!(varied->least < varied->most)) return "within: [least, most] needs least below most";
        return varied->least < varied->a + 8.0 * varied->b &&
                       varied->most > varied->a - 8.0 * varied->b
                   ? NULL
                   : "nothing of the normal distribution lies within these limits";
    case STI_SPREAD_TRIANGULAR:
        return varied->a <= varied->b && varied->b <= varied->c && varied->a < varied->c
                   ? NULL
                   : "triangular: [from, most frequent, to] needs them in this order";
    case STI_SPREAD_VALUES:
        break;
    }
    return NULL;
}

static bool read_distribution(Reader *reader, const Node *node, StiVaried *varied)
{
    static const struct {
        const char *name;
        StiSpread spread;
        int numbers;
    } spreads[] = {{"uniform", STI_SPREAD_UNIFORM, 2},
                   {"log", STI_SPREAD_LOG, 2},
                   {"normal", STI_SPREAD_NORMAL, 2},
                   {"triangular", STI_SPREAD_TRIANGULAR, 3}};
    const Node *found = NULL, *limits = scene_node_find(node, "within");
    double v[3] = {0.0}, within[2] = {-INFINITY, INFINITY};
    int count = 0, given = 0, numbers;
    for (size_t i = 0; i < sizeof spreads / sizeof spreads[0]; ++i) {
        const Node *here = scene_node_find(node, spreads[i].name);
        if (here == NULL) continue;
        found = here;
        ++given;
        varied->spread = spreads[i].spread;
        numbers = spreads[i].numbers;
        if (!scene_vector(reader, here, spreads[i].name, numbers, numbers, v, &count)) return false;
    }
    if (given != 1) {
        scene_error(reader, node->mark,
                    "%s needs one of uniform, log, normal or triangular: {uniform: [5, 15]}",
                    varied->path);
        return false;
    }
    if (limits != NULL && varied->spread != STI_SPREAD_NORMAL) {
        scene_error(reader, limits->mark, "'within' goes with 'normal'");
        return false;
    }
    if (limits != NULL && !scene_vector(reader, limits, "within", 2, 2, within, &count))
        return false;
    varied->a = v[0];
    varied->b = v[1];
    varied->c = v[2];
    varied->least = within[0];
    varied->most = within[1];
    const char *fault = fault_of(varied);
    if (fault != NULL) scene_error(reader, found->mark, "%s: %s", varied->path, fault);
    return fault == NULL;
}

static bool takes_values(StiSample sample)
{
    return sample == STI_SAMPLE_GRID || sample == STI_SAMPLE_LIST;
}

static void read_varied(Reader *reader, const Entry *entry, StiSample sample, StiVaried *varied)
{
    const Node *node = entry->value;
    *varied = (StiVaried){
        .path = entry->key, .count = 1, .least = -INFINITY, .most = INFINITY, .b = 1.0};
    if (node->type != NODE_MAP) {
        scene_error(reader, node->mark,
                    "a varied parameter must be a map: {uniform: [5, 15]}, {normal: [1, 0.1]}");
        return;
    }
    scene_check_keys(reader, node, "a varied parameter", varied_keys, VARIED_KEYS);
    if (takes_values(sample))
        read_values(reader, node, varied);
    else
        read_distribution(reader, node, varied);
}

// ---- the whole --------------------------------------------------------------------------------------------

static bool read_parameters(Reader *reader, const Node *study, StiDesign *design)
{
    const Node *node = scene_node_find(study, "parameters");
    if (node == NULL) return false; // said by the check of the keys
    if (node->type != NODE_MAP || node->count == 0) {
        scene_error(reader, node->mark,
                    "parameters of a study must be a map: {friction.level: {uniform: [5, 15]}}");
        return false;
    }
    StiVaried *varied = sti_arena_take(reader->arena, (size_t)node->count, sizeof *varied);
    for (int i = 0; varied != NULL && i < node->count; ++i) {
        read_varied(reader, &node->entries[i], design->sample, &varied[i]);
        if (design->sample == STI_SAMPLE_LIST && varied[i].count != varied[0].count)
            scene_error(reader, node->entries[i].mark, "a list needs as many values of each: %s has %d, %s has %d",
                        varied[i].path, varied[i].count, varied[0].path, varied[0].count);
    }
    design->varied = varied;
    design->varied_count = varied != NULL ? node->count : 0;
    return varied != NULL;
}

static int find_varied(const StiDesign *design, const Node *name)
{
    for (int i = 0; name->type == NODE_SCALAR && i < design->varied_count; ++i)
        if (strcmp(design->varied[i].path, name->text) == 0) return i;
    return -1;
}

// Said to a study that has the key already: without it.
static bool is_null(const Node *node)
{
    return node->type == NODE_SCALAR && !node->quoted && strcmp(node->text, "null") == 0;
}

static void read_correlations(Reader *reader, const Node *study, StiDesign *design)
{
    const Node *list = scene_node_find(study, "correlations");
    if (list == NULL || is_null(list)) return;
    if (takes_values(design->sample) || design->sample == STI_SAMPLE_SALTELLI) {
        scene_error(reader, list->mark, "correlations go with random, latin and sobol samples");
        return;
    }
    const int count = list->type == NODE_LIST ? list->count : 0;
    StiCorrelation *items = sti_arena_take(reader->arena, (size_t)count + 1, sizeof *items);
    for (int i = 0; items != NULL && i < count; ++i) {
        const Node *node = list->items[i];
        const bool whole = node->type == NODE_LIST && node->count == 3;
        const int first = whole ? find_varied(design, node->items[0]) : -1;
        const int second = whole ? find_varied(design, node->items[1]) : -1;
        if (first < 0 || second < 0 || first == second)
            scene_error(reader, node->mark,
                        "a correlation is [PATH, PATH, VALUE] of two varied parameters");
        else if (scene_number(reader, node->items[2], "correlation", &items[i].value) &&
                 !(fabs(items[i].value) < 1.0))
            scene_error(reader, node->items[2]->mark,
                        "a correlation lies between -1 and 1, not %g", items[i].value);
        items[i].first = first;
        items[i].second = second;
    }
    if (count == 0) scene_error(reader, list->mark, "correlations must be a list: [[A, B, 0.5]]");
    design->correlations = items;
    design->correlation_count = items != NULL ? count : 0;
}

static void read_measures(Reader *reader, const Node *study, StiScene *scene, StiDesign *design)
{
    const Node *node = scene_node_find(study, "measures");
    const int count = node != NULL ? node->count : scene->expectation_count;
    int *goals = sti_arena_take(reader->arena, (size_t)count + 1, sizeof *goals);
    design->goals = goals;
    design->measures = scene->expectations;
    design->measure_count = goals != NULL ? count : 0;
    if (node == NULL) return;
    if (node->type != NODE_MAP || count == 0) {
        scene_error(reader, node->mark,
                    "measures must be a map: {rest: {channel: block.x, at: 4}}");
        design->measure_count = 0;
        return;
    }
    StiExpectation *measures = sti_arena_take(reader->arena, (size_t)count, sizeof *measures);
    for (int i = 0; goals != NULL && measures != NULL && i < count; ++i)
        scene_read_study_measure(reader, &node->entries[i], scene, &measures[i], &goals[i]);
    design->measures = measures;
}

// Grids and lists have their own number.
static bool read_count(Reader *reader, const Node *study, StiDesign *design)
{
    const Node *node = scene_node_find(study, "runs");
    double runs = 0.0;
    if (node != NULL && is_null(node)) node = NULL; // as --sample grid says it to a study that has runs
    if (takes_values(design->sample)) {
        if (node != NULL)
            scene_error(reader, node->mark, "a %s has as many runs as its values make: leave 'runs' out",
                        samples[design->sample]);
        return node == NULL;
    }
    if (node == NULL) {
        scene_error(reader, study->mark, "a study needs 'runs': how many");
        return false;
    }
    if (!scene_number(reader, node, "runs", &runs)) return false;
    if (!(runs >= 1.0 && runs <= most_runs) || runs != floor(runs)) {
        scene_error(reader, node->mark, "runs must be a whole number from 1 to %g, not %g", most_runs,
                    runs);
        return false;
    }
    design->runs = (int64_t)runs;
    return true;
}

static void read_runs(Reader *reader, const Node *study, StiDesign *design)
{
    if (!read_count(reader, study, design)) return;
    double total = design->sample == STI_SAMPLE_SALTELLI
                       ? (double)design->runs * (design->varied_count + 2)
                       : 1.0;
    for (int i = 0; design->sample == STI_SAMPLE_GRID && i < design->varied_count; ++i)
        total *= design->varied[i].count;
    if (total > most_runs)
        scene_error(reader, study->mark, "a study of %.3g runs; at most %g can be made", total,
                    most_runs);
}

static void read_seed(Reader *reader, const Node *study, StiDesign *design)
{
    const Node *node = scene_node_find(study, "seed");
    double seed = 1.0;
    if (node == NULL || !scene_number(reader, node, "seed", &seed)) return;
    if (seed >= 0.0 && seed == floor(seed) && seed < 1.0 / DBL_EPSILON)
        design->seed = (uint64_t)seed;
    else
        scene_error(reader, node->mark, "seed must be a whole number from 0 on, not %g", seed);
}

static void check_dimensions(Reader *reader, const Node *study, const StiDesign *design)
{
    enum { SOBOL_MOST = 64 };
    const int most = design->sample == STI_SAMPLE_SALTELLI ? SOBOL_MOST / 2 : SOBOL_MOST;
    if (design->sample != STI_SAMPLE_SOBOL && design->sample != STI_SAMPLE_SALTELLI) return;
    if (design->varied_count > most)
        scene_error(reader, study->mark, "%s samples take at most %d parameters; take latin",
                    samples[design->sample], most);
}

void scene_read_study(Reader *reader, StiScene *scene)
{
    const Node *study = scene_node_find(reader->root, "study");
    if (study == NULL) return;
    if (study->type != NODE_MAP) {
        scene_error(reader, study->mark,
                    "study must be a map: {runs: 300, parameters: {...}, measures: {...}}");
        return;
    }
    StiDesign *design = sti_arena_take(reader->arena, 1, sizeof *design);
    if (design == NULL) return;
    const Node *sample = scene_node_find(study, "sample");
    const int word = sample != NULL ? scene_word(reader, sample, "sample", samples) : -1;
    design->sample = word >= 0 ? (StiSample)word : STI_SAMPLE_SOBOL;
    design->seed = 1;
    scene_check_keys(reader, study, "a study", study_keys, STUDY_KEYS);
    if (!read_parameters(reader, study, design)) return;
    check_dimensions(reader, study, design);
    read_correlations(reader, study, design);
    read_measures(reader, study, scene, design);
    read_runs(reader, study, design);
    read_seed(reader, study, design);
    scene->study = design;
}

// Sets a value of each, to see whether the paths lead anywhere.
void scene_check_study(Reader *reader, Node *root)
{
    const Node *parameters = scene_node_find(scene_node_find(root, "study"), "parameters");
    const Node before =
        parameters != NULL ? *parameters : (Node){.type = NODE_SCALAR}; // a path may lead to itself
    for (int i = 0; before.type == NODE_MAP && i < before.count; ++i) {
        const Entry *entry = &before.entries[i];
        Node *number = sti_arena_copy(
            reader->arena, &(Node){.type = NODE_SCALAR, .text = "1", .mark = entry->mark},
            sizeof(Node));
        if (number != NULL)
            scene_document_assign(root, entry->key, number, entry->mark, reader->arena,
                                  reader->messages);
    }
}
