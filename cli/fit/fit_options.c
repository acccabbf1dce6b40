#include "fit/fit_options.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "terminal/terminal.h"
#include "terminal/text.h"

// Where the next part of a list ends: at a comma that stands in no brackets and quotes.
static const char *part_end(const char *text)
{
    int depth = 0;
    char quote = '\0';
    for (; *text != '\0'; ++text) {
        if (quote != '\0')
            quote = *text == quote ? '\0' : quote;
        else if (*text == '"' || *text == '\'')
            quote = *text;
        else if (strchr("([{", *text) != NULL)
            ++depth;
        else if (strchr(")]}", *text) != NULL)
            --depth;
        else if (*text == ',' && depth == 0)
            break;
    }
    return text;
}

// A text in YAML's double quotes.
static char *quoted(const char *text, size_t length)
{
    char *to = take(2 * length + 3, 1), *at = to;
    *at++ = '"';
    for (size_t i = 0; i < length; ++i) {
        if (text[i] == '"' || text[i] == '\\') *at++ = '\\';
        *at++ = text[i];
    }
    *at = '"';
    return to;
}

static char *join(char *text, const char *separator, const char *key, const char *value)
{
    char *longer = text_new("%s%s%s%s%s", text, separator, key, key[0] != '\0' ? ": " : "", value);
    free(text);
    return longer;
}

// "0:5" as "[0, 5]", "0:5:2" as "{from: 0, to: 5, start: 2}"; YAML as it stands.
static char *bounds_text(const char *value)
{
    const char *first = strchr(value, ':'), *second = first != NULL ? strchr(first + 1, ':') : NULL;
    if (value[0] == '{' || value[0] == '[' || first == NULL) return text_new("%s", value);
    if (second == NULL) return text_new("[%.*s, %s]", (int)(first - value), value, first + 1);
    return text_new("{from: %.*s, to: %.*s, start: %s}", (int)(first - value), value,
                    (int)(second - first - 1), first + 1, second + 1);
}

static char *column_text(const char *value)
{
    return value[0] == '{' ? text_new("%s", value) : quoted(value, strlen(value));
}

typedef struct Kind {
    const char *key, *option;
    char *(*value)(const char *text);
    const char *alone; // the value of a name alone; NULL: it needs one
} Kind;

// One "NAME=VALUE" as an entry of a map; false after a message.
static bool add_entry(const Kind *kind, const char *from, const char *to, char **text, int *count)
{
    char *part = text_new("%.*s", (int)(to - from), from), *equals = strchr(part, '=');
    const bool good = equals != part && part[0] != '\0' && (equals != NULL || kind->alone != NULL);
    if (good) {
        if (equals != NULL) *equals = '\0';
        char *key = quoted(part, strlen(part));
        char *value = equals != NULL ? kind->value(equals + 1) : text_new("%s", kind->alone);
        *text = join(*text, (*count)++ > 0 ? ", " : "", key, value);
        free(key);
        free(value);
    } else {
        terminal_error("%s %s: write NAME=VALUE", kind->option, part);
    }
    free(part);
    return good;
}

// All values of an option as one map; NULL after a message.
static char *map_text(const Kind *kind, const char *const *given, int given_count)
{
    char *text = text_new("%s={", kind->key);
    int count = 0;
    for (int i = 0; i < given_count; ++i)
        for (const char *from = given[i], *to;; from = to + 1) {
            to = part_end(from);
            if (!add_entry(kind, from, to, &text, &count)) {
                free(text);
                return NULL;
            }
            if (*to == '\0') break;
        }
    return join(text, "}", "", "");
}

static char *absolute_path(const char *path)
{
    char folder[PATH_MAX];
    if (path[0] == '/' || getcwd(folder, sizeof folder) == NULL) return text_new("%s", path);
    return text_new("%s/%s", folder, path);
}

// Files of the command line are relative to where it is typed, those of a scene to the scene.
static char *data_text(const Arguments *arguments)
{
    char *text = text_new("fit.data=[");
    for (int i = 0; i < arguments->data_count; ++i) {
        const char *given = arguments->data[i];
        char *absolute = absolute_path(given);
        char *value = given[0] == '{' ? text_new("%s", given) : quoted(absolute, strlen(absolute));
        text = join(text, i > 0 ? ", " : "", "", value);
        free(absolute);
        free(value);
    }
    return join(text, "]", "", "");
}

static char *models_text(const char *models)
{
    if (models[0] == '{' || models[0] == '[') return text_new("fit.models=%s", models);
    return text_new("fit.models=[%s]", models);
}

static void add(FitSets *sets, char *owned)
{
    sets->owned[sets->owned_count++] = owned;
    sets->sets[sets->count++] = owned;
}

static bool add_map(FitSets *sets, const Kind *kind, const char *const *given, int count)
{
    char *text = count > 0 ? map_text(kind, given, count) : NULL;
    if (text != NULL) add(sets, text);
    return count == 0 || text != NULL;
}

bool fit_sets(const Arguments *arguments, FitSets *sets)
{
    enum { MOST_OWN = 16 };
    static const Kind maps = {"fit.map", "--map", column_text, NULL},
                      drives = {"fit.drive", "--drive", column_text, NULL},
                      frees = {"fit.free", "--free", bounds_text, "free"},
                      starts = {"fit.start", "--start", bounds_text, "free"};
    *sets = (FitSets){.sets = take((size_t)arguments->set_count + MOST_OWN, sizeof *sets->sets),
                      .owned = take(MOST_OWN, sizeof *sets->owned)};
    for (int i = 0; i < arguments->set_count; ++i) sets->sets[sets->count++] = arguments->sets[i];
    if (arguments->data_count > 0) add(sets, data_text(arguments));
    const bool good = add_map(sets, &maps, arguments->maps, arguments->map_count) &&
                      add_map(sets, &drives, arguments->drives, arguments->drive_count) &&
                      add_map(sets, &frees, arguments->frees, arguments->free_count) &&
                      add_map(sets, &starts, arguments->starts, arguments->start_count);
    if (arguments->models != NULL) add(sets, models_text(arguments->models));
    if (arguments->window != NULL) add(sets, text_new("fit.window=%s", arguments->window));
    if (arguments->searches != NULL) add(sets, text_new("fit.starts=%s", arguments->searches));
    if (arguments->folds != NULL) add(sets, text_new("fit.folds=%s", arguments->folds));
    if (arguments->seed != NULL) add(sets, text_new("fit.seed=%s", arguments->seed));
    if (arguments->profile) add(sets, text_new("fit.profile=true"));
    return good;
}

void fit_sets_release(FitSets *sets)
{
    for (int i = 0; i < sets->owned_count; ++i) free(sets->owned[i]);
    free(sets->owned);
    free(sets->sets);
}
