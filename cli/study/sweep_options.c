#include "study/sweep_options.h"

#include <stdlib.h>
#include <string.h>

#include "terminal/terminal.h"
#include "terminal/text.h"

// "{uniform: [5, 15]}" from "uniform:5:15"; "{from: 0, to: 1, count: 11}" from "range:0:1:11"; NULL after a message.
static char *spread_text(const char *option, const char *spread)
{
    const char *numbers = strchr(spread, ':');
    const int length = numbers != NULL ? (int)(numbers - spread) : 0;
    if (numbers == NULL || length == 0 || numbers[1] == '\0') {
        terminal_error("--vary %s: write PATH=uniform:5:15, normal:1:0.1, log:10:1000, "
                       "triangular:1:2:4, values:1:2:5 or range:FROM:TO:COUNT",
                       option);
        return NULL;
    }
    char *list = text_new("%s", numbers + 1);
    const bool range = length == 5 && strncmp(spread, "range", 5) == 0;
    static const char *const parts[] = {"{from: ", ", to: ", ", count: "};
    char *text = text_new("%s", range ? parts[0] : "");
    int count = 1;
    for (char *c = list, *from = list;; ++c) {
        if (*c != ':' && *c != '\0') continue;
        const bool last = *c == '\0';
        *c = '\0';
        char *longer = text_new("%s%s%s", text, from,
                                last ? "" : range && count < 3 ? parts[count] : ", ");
        free(text);
        text = longer;
        from = c + 1;
        ++count;
        if (last) break;
    }
    free(list);
    char *whole = range ? text_new("%s}", text) : text_new("{%.*s: [%s]}", length, spread, text);
    free(text);
    return whole;
}

// "{channel: block.x, at: 4}" from "block.x@4"; YAML as it stands where it begins with {. NULL after a message.
static char *measure_text(const char *option, const char *measure)
{
    if (measure[0] == '{') return text_new("%s", measure);
    const char *at = strrchr(measure, '@');
    if (at != NULL && at > measure && at[1] != '\0')
        return text_new("{channel: \"%.*s\", at: %s}", (int)(at - measure), measure, at + 1);
    terminal_error("--measure %s: write NAME=CHANNEL@TIME or NAME={channel: ..., during: [0, 4], "
                   "measure: max}",
                   option);
    return NULL;
}

// "study.parameters={...}" from all --vary; NULL after a message.
static char *map_text(const char *key, const char *option, const char *const *given, int count,
                      char *(*value)(const char *, const char *))
{
    char *text = text_new("%s={", key);
    for (int i = 0; i < count; ++i) {
        const char *equals = strchr(given[i], '=');
        if (equals == NULL || equals == given[i]) {
            terminal_error("%s %s: a name and '=' are needed", option, given[i]);
            free(text);
            return NULL;
        }
        char *of_it = value(given[i], equals + 1);
        char *longer = of_it == NULL ? NULL
                                     : text_new("%s%s\"%.*s\": %s", text, i > 0 ? ", " : "",
                                                (int)(equals - given[i]), given[i], of_it);
        free(of_it);
        free(text);
        if (longer == NULL) return NULL;
        text = longer;
    }
    char *whole = text_new("%s}", text);
    free(text);
    return whole;
}

static bool add(SweepSets *sets, char *owned)
{
    if (owned == NULL) return false;
    sets->owned[sets->owned_count++] = owned;
    sets->sets[sets->count++] = owned;
    return true;
}

bool sweep_sets(const Arguments *arguments, SweepSets *sets)
{
    *sets = (SweepSets){.sets = take((size_t)arguments->set_count + 5, sizeof *sets->sets)};
    bool good = true;
    for (int i = 0; i < arguments->set_count; ++i) sets->sets[sets->count++] = arguments->sets[i];
    if (arguments->sample != NULL)
        good = add(sets, text_new("study.sample=%s", arguments->sample));
    if (arguments->runs != NULL)
        good = add(sets, text_new("study.runs=%s", arguments->runs)) && good;
    else if (arguments->sample != NULL && (strcmp(arguments->sample, "grid") == 0 ||
                                           strcmp(arguments->sample, "list") == 0))
        good = add(sets, text_new("study.runs=null")) && good;
    if (arguments->seed != NULL) good = add(sets, text_new("study.seed=%s", arguments->seed)) && good;
    if (arguments->vary_count > 0)
        good = add(sets, map_text("study.parameters", "--vary", arguments->varies,
                                  arguments->vary_count, spread_text)) &&
               good;
    if (good && arguments->measure_count > 0)
        good = add(sets, map_text("study.measures", "--measure", arguments->measures,
                                  arguments->measure_count, measure_text));
    return good;
}

void sweep_sets_release(SweepSets *sets)
{
    for (int i = 0; i < sets->owned_count; ++i) free(sets->owned[i]);
    free(sets->sets);
}
