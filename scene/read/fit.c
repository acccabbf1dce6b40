// The section fit: measured logs, what they show of the scene, what drives it, and what is to be found.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "read/sections.h"
#include "text/named_files.h"

static const char *const holds[] = {"linear", "sample", NULL};

static const Key fit_keys[] = {
    {"data", VALUE_ANY, true,
     "a CSV file, {file: F, weight: 1, set: {PATH: value}}, or a list of them", NULL},
    {"time", VALUE_TEXT, false, "the column with the time, s; default: the first", NULL},
    {"map", VALUE_ANY, true,
     "{CHANNEL: COLUMN}, or {CHANNEL: {column: C, weight: 1, deviation: D, offset: 0, gain: 1, "
     "delay: 0}}; "
     "offset, gain and delay may be free, or [least, most]",
     NULL},
    {"drive", VALUE_ANY, false, "{INPUT: COLUMN}: an input, or a key that takes a function of time",
     NULL},
    {"free", VALUE_ANY, false,
     "{PATH: [least, most]}, or {PATH: {from: A, to: B, start: S, prior: [mean, deviation]}}",
     NULL},
    {"start", VALUE_ANY, false, "{CHANNEL: a number, measured, free or [least, most]}", NULL},
    {"models", VALUE_ANY, false,
     "names, or {NAME: {set: {PATH: value}, free: {...}}}: all are fitted and compared", NULL},
    {"window", VALUE_NUMBER, false,
     "s: multiple shooting in windows of this length; default: each log at once", NULL},
    {"hold", VALUE_WORD, false,
     "drives between samples are linear (default), or each sample holds: sample", holds},
    {"starts", VALUE_COUNT, false, "from how many points to search; default 2", NULL},
    {"seed", VALUE_NUMBER, false, "a whole number: other points to search from; default 1", NULL},
    {"folds", VALUE_COUNT, false,
     "cross validation by this many parts; default: none, with models 4", NULL},
    {"profile", VALUE_TRUTH, false, "intervals by profiles of the misfit, too", NULL},
};
enum { FIT_KEYS = sizeof fit_keys / sizeof fit_keys[0] };

const Key *scene_fit_keys(int *count)
{
    *count = FIT_KEYS;
    return fit_keys;
}

static const Key log_keys[] = {
    {"file", VALUE_TEXT, true, "a CSV file", NULL},
    {"weight", VALUE_NUMBER, false, "of its residuals", NULL},
    {"set", VALUE_ANY, false, "what is different in this log", NULL},
};
static const Key channel_keys[] = {
    {"column", VALUE_TEXT, true, "a column, or an expression of columns", NULL},
    {"weight", VALUE_NUMBER, false, "of its residuals", NULL},
    {"deviation", VALUE_NUMBER, false, "of the noise", NULL},
    {"offset", VALUE_ANY, false, "a number, free, or [least, most]", NULL},
    {"gain", VALUE_ANY, false, "a number, free, or [least, most]", NULL},
    {"delay", VALUE_ANY, false, "s: a number, free, or [least, most]", NULL},
};
static const Key free_keys[] = {
    {"from", VALUE_NUMBER, false, "the least value", NULL},
    {"to", VALUE_NUMBER, false, "the greatest value", NULL},
    {"start", VALUE_NUMBER, false, "where the search starts; default: the scene's value", NULL},
    {"prior", VALUE_NUMBERS, false, "[mean, deviation]: what is known from elsewhere", NULL},
};
static const Key model_keys[] = {
    {"set", VALUE_ANY, false, "{PATH: value}", NULL},
    {"free", VALUE_ANY, false, "as that of the fit, beside it", NULL},
};
enum {
    LOG_KEYS = sizeof log_keys / sizeof log_keys[0],
    CHANNEL_KEYS = sizeof channel_keys / sizeof channel_keys[0],
    FREE_KEYS = sizeof free_keys / sizeof free_keys[0],
    MODEL_KEYS = sizeof model_keys / sizeof model_keys[0]
};

// ---- numbers that are known or free ---------------------------------------------------------------------

static const StiFitNumber any_number = {true, NAN, -INFINITY, INFINITY};

static bool is_word(const Node *node, const char *word)
{
    return node->type == NODE_SCALAR && strcmp(node->text, word) == 0;
}

static bool check_order(Reader *reader, const Node *node, const char *what,
                        const StiFitNumber *number)
{
    if (!(number->least < number->most)) {
        scene_error(reader, node->mark, "%s: [least, most] needs least below most", what);
        return false;
    }
    if (number->value < number->least || number->value > number->most) {
        scene_error(reader, node->mark, "%s: the start %g is not between %g and %g", what,
                    number->value, number->least, number->most);
        return false;
    }
    return true;
}

// A number, "free", or [least, most].
static bool read_number(Reader *reader, const Node *node, const char *what, StiFitNumber *number)
{
    if (node == NULL) return true;
    if (is_word(node, "free")) {
        number->free = true;
        return true;
    }
    if (node->type != NODE_LIST) return scene_number(reader, node, what, &number->value);
    double bounds[2];
    int count;
    if (!scene_vector(reader, node, what, 2, 2, bounds, &count)) return false;
    const double usual = number->value;
    *number = (StiFitNumber){true, usual >= bounds[0] && usual <= bounds[1] ? usual : NAN,
                             bounds[0], bounds[1]};
    return check_order(reader, node, what, number);
}

static void read_prior(Reader *reader, const Node *node, StiFitFree *to)
{
    double prior[2];
    int count;
    if (node == NULL || !scene_vector(reader, node, "prior", 2, 2, prior, &count)) return;
    to->prior = prior[0];
    to->prior_deviation = prior[1];
    if (!(prior[1] > 0.0))
        scene_error(reader, node->mark, "prior: [mean, deviation] needs a deviation above 0");
}

static void read_free(Reader *reader, const Entry *entry, StiFitFree *to)
{
    const Node *node = entry->value;
    *to = (StiFitFree){.path = entry->key, .number = any_number};
    if (is_word(node, "free") || is_word(node, "null") || is_word(node, "~")) return;
    if (node->type == NODE_LIST) {
        read_number(reader, node, entry->key, &to->number);
        return;
    }
    if (node->type != NODE_MAP) {
        scene_error(reader, node->mark,
                    "a free parameter is [least, most], free, or {from: A, to: B, start: S, prior: "
                    "[mean, deviation]}");
        return;
    }
    scene_check_keys(reader, node, "a free parameter", free_keys, FREE_KEYS);
    if (scene_number_at(reader, node, "from", &to->number.least) &&
        scene_number_at(reader, node, "to", &to->number.most) &&
        scene_number_at(reader, node, "start", &to->number.value))
        check_order(reader, node, entry->key, &to->number);
    read_prior(reader, scene_node_find(node, "prior"), to);
}

static const StiFitFree *read_all_free(Reader *reader, const Node *map, int *count)
{
    *count = 0;
    if (map == NULL) return NULL;
    if (map->type != NODE_MAP) {
        scene_error(reader, map->mark, "free must be a map: {friction.level: [0, 20]}");
        return NULL;
    }
    StiFitFree *all = sti_arena_take(reader->arena, (size_t)map->count + 1, sizeof *all);
    for (int i = 0; all != NULL && i < map->count; ++i)
        read_free(reader, &map->entries[i], &all[i]);
    *count = all != NULL ? map->count : 0;
    return all;
}

// ---- logs -----------------------------------------------------------------------------------------------

static void read_log(Reader *reader, const Node *node, StiFitLog *log)
{
    const char *file = NULL;
    *log = (StiFitLog){.weight = 1.0};
    if (node->type == NODE_MAP) {
        if (!scene_check_keys(reader, node, "a log", log_keys, LOG_KEYS)) return;
        const Node *set = scene_node_find(node, "set"), *weight = scene_node_find(node, "weight");
        if (set != NULL) log->sets = scene_sets_of(reader, set, &log->set_count);
        if (scene_number_at(reader, node, "weight", &log->weight) && !(log->weight > 0.0))
            scene_error(reader, weight->mark, "the weight of a log must be above 0, not %g",
                        log->weight);
        scene_text(reader, scene_node_find(node, "file"), "file", &file);
    } else {
        scene_text(reader, node, "data", &file);
    }
    if (file != NULL) log->file = scene_file_named(reader, node, file);
}

static void read_logs(Reader *reader, const Node *data, StiFitDesign *design)
{
    if (data == NULL) return;
    const bool list = data->type == NODE_LIST;
    const int count = list ? data->count : 1;
    StiFitLog *logs = sti_arena_take(reader->arena, (size_t)count + 1, sizeof *logs);
    if (list && count == 0) scene_error(reader, data->mark, "data names no file");
    for (int i = 0; logs != NULL && i < count; ++i)
        read_log(reader, list ? data->items[i] : data, &logs[i]);
    design->logs = logs;
    design->log_count = logs != NULL ? count : 0;
}

// ---- channels, drives, starts -----------------------------------------------------------------------------

static void read_channel(Reader *reader, const Entry *entry, StiFitChannel *channel)
{
    const Node *node = entry->value;
    *channel = (StiFitChannel){.channel = entry->key,
                               .weight = 1.0,
                               .offset = {false, 0.0, -INFINITY, INFINITY},
                               .gain = {false, 1.0, -INFINITY, INFINITY},
                               .delay = {false, 0.0, -INFINITY, INFINITY}};
    if (node->type != NODE_MAP) {
        scene_text(reader, node, entry->key, &channel->column);
        return;
    }
    if (!scene_check_keys(reader, node, "a measured channel", channel_keys, CHANNEL_KEYS)) return;
    scene_text(reader, scene_node_find(node, "column"), "column", &channel->column);
    if (scene_number_at(reader, node, "weight", &channel->weight) && !(channel->weight > 0.0))
        scene_error(reader, node->mark, "the weight of a channel must be above 0, not %g",
                    channel->weight);
    if (scene_number_at(reader, node, "deviation", &channel->deviation) && channel->deviation < 0.0)
        scene_error(reader, node->mark, "the deviation of a channel must be above 0, not %g",
                    channel->deviation);
    read_number(reader, scene_node_find(node, "offset"), "offset", &channel->offset);
    read_number(reader, scene_node_find(node, "gain"), "gain", &channel->gain);
    read_number(reader, scene_node_find(node, "delay"), "delay", &channel->delay);
    if (channel->gain.value == 0.0) scene_error(reader, node->mark, "a gain of 0 measures nothing");
}

static void read_map(Reader *reader, const Node *map, StiFitDesign *design)
{
    if (map == NULL) return;
    if (map->type != NODE_MAP || map->count == 0) {
        scene_error(reader, map->mark, "map must name channels and columns: {block.x: position}");
        return;
    }
    StiFitChannel *channels = sti_arena_take(reader->arena, (size_t)map->count, sizeof *channels);
    for (int i = 0; channels != NULL && i < map->count; ++i)
        read_channel(reader, &map->entries[i], &channels[i]);
    design->channels = channels;
    design->channel_count = channels != NULL ? map->count : 0;
}

static void read_drives(Reader *reader, const Node *map, StiFitDesign *design)
{
    if (map == NULL) return;
    if (map->type != NODE_MAP) {
        scene_error(reader, map->mark, "drive must name inputs and columns: {u: volts}");
        return;
    }
    StiFitDrive *drives = sti_arena_take(reader->arena, (size_t)map->count + 1, sizeof *drives);
    for (int i = 0; drives != NULL && i < map->count; ++i) {
        drives[i].path = map->entries[i].key;
        scene_text(reader, map->entries[i].value, drives[i].path, &drives[i].column);
    }
    design->drives = drives;
    design->drive_count = drives != NULL ? map->count : 0;
}

static void read_starts(Reader *reader, const Node *map, StiFitDesign *design)
{
    if (map == NULL) return;
    if (map->type != NODE_MAP) {
        scene_error(reader, map->mark, "start must be a map: {block.v: free}");
        return;
    }
    StiFitStart *starts = sti_arena_take(reader->arena, (size_t)map->count + 1, sizeof *starts);
    for (int i = 0; starts != NULL && i < map->count; ++i) {
        const Node *node = map->entries[i].value;
        StiFitNumber number = any_number;
        const bool measured = is_word(node, "measured");
        const bool fixed = !measured && node->type != NODE_LIST && !is_word(node, "free");
        if (!measured) read_number(reader, node, map->entries[i].key, &number);
        starts[i] = (StiFitStart){.channel = map->entries[i].key,
                                  .from = measured ? STI_START_MEASURED
                                          : fixed  ? STI_START_FIXED
                                                   : STI_START_FREE,
                                  .number = number};
    }
    design->starts = starts;
    design->start_count = starts != NULL ? map->count : 0;
}

// ---- models -----------------------------------------------------------------------------------------------

static void read_models(Reader *reader, const Node *node, StiFitDesign *design)
{
    if (node == NULL) return;
    const bool map = node->type == NODE_MAP, list = node->type == NODE_LIST;
    const int count = map || list ? node->count : 1;
    StiFitModel *models = sti_arena_take(reader->arena, (size_t)count + 1, sizeof *models);
    for (int i = 0; models != NULL && i < count; ++i) {
        const Node *of = map ? node->entries[i].value : list ? node->items[i] : node;
        models[i].built_in = !map;
        if (!map) {
            scene_text(reader, of, "models", &models[i].name);
            continue;
        }
        models[i].name = node->entries[i].key;
        if (of->type != NODE_MAP) {
            scene_error(reader, of->mark, "a model is a map: {set: {PATH: value}, free: {...}}");
            continue;
        }
        scene_check_keys(reader, of, "a model", model_keys, MODEL_KEYS);
        const Node *set = scene_node_find(of, "set");
        if (set != NULL) models[i].sets = scene_sets_of(reader, set, &models[i].set_count);
        models[i].free = read_all_free(reader, scene_node_find(of, "free"), &models[i].free_count);
    }
    design->models = models;
    design->model_count = models != NULL ? count : 0;
}

// ---- the whole --------------------------------------------------------------------------------------------

static void read_settings(Reader *reader, const Node *fit, StiFitDesign *design)
{
    const Node *time = scene_node_find(fit, "time"), *hold = scene_node_find(fit, "hold"),
               *starts = scene_node_find(fit, "starts"), *folds = scene_node_find(fit, "folds"),
               *profile = scene_node_find(fit, "profile"), *window = scene_node_find(fit, "window");
    double seed = 1.0;
    if (time != NULL) scene_text(reader, time, "time", &design->time);
    design->linear = hold == NULL || scene_word(reader, hold, "hold", holds) != 1;
    if (starts != NULL) scene_count(reader, starts, "starts", 1, 10000, &design->searches);
    if (folds != NULL) scene_count(reader, folds, "folds", 0, 100, &design->folds);
    if (folds != NULL && design->folds == 1)
        scene_error(reader, folds->mark, "cross validation needs at least 2 folds");
    if (profile != NULL) scene_truth(reader, profile, "profile", &design->profile);
    if (window != NULL && scene_number_at(reader, fit, "window", &design->window) &&
        !(design->window > 0.0))
        scene_error(reader, window->mark, "window must be a time above 0 s, not %g",
                    design->window);
    if (!scene_number_at(reader, fit, "seed", &seed)) return;
    if (seed >= 0.0 && seed == floor(seed) && seed < 1.0 / DBL_EPSILON)
        design->seed = (uint64_t)seed;
    else
        scene_error(reader, scene_node_find(fit, "seed")->mark,
                    "seed must be a whole number from 0 on, not %g", seed);
}

void scene_read_fit(Reader *reader, StiScene *scene)
{
    const Node *fit = scene_node_find(reader->root, "fit");
    if (fit == NULL) return;
    if (fit->type != NODE_MAP) {
        scene_error(reader, fit->mark,
                    "fit must be a map: {data: log.csv, map: {...}, free: {...}}");
        return;
    }
    StiFitDesign *design = sti_arena_take(reader->arena, 1, sizeof *design);
    if (design == NULL) return;
    design->searches = 2;
    design->seed = 1;
    scene_check_keys(reader, fit, "a fit", fit_keys, FIT_KEYS);
    read_logs(reader, scene_node_find(fit, "data"), design);
    read_map(reader, scene_node_find(fit, "map"), design);
    read_drives(reader, scene_node_find(fit, "drive"), design);
    design->free = read_all_free(reader, scene_node_find(fit, "free"), &design->free_count);
    read_starts(reader, scene_node_find(fit, "start"), design);
    read_models(reader, scene_node_find(fit, "models"), design);
    read_settings(reader, fit, design);
    if (design->folds == 0 && scene_node_find(fit, "folds") == NULL && design->model_count > 1)
        design->folds = 4;
    scene->fit = design;
}
