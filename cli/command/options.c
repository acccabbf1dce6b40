#include "command/options.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

typedef enum Store { STORE_TEXT, STORE_FLAG, STORE_LIST, STORE_SETTING } Store;

typedef struct Option {
    const char *name;  // with its dashes
    const char *brief; // one dash and a letter, or NULL
    const char *value; // what it takes, or NULL
    const char *help;
    Store store;
    size_t place, count; // in Arguments; count: of a list
} Option;

#define TEXT(field) .store = STORE_TEXT, .place = offsetof(Arguments, field)
#define FLAG(field) .store = STORE_FLAG, .place = offsetof(Arguments, field)
#define LIST(field, many) \
    .store = STORE_LIST, .place = offsetof(Arguments, field), .count = offsetof(Arguments, many)

static const Option options[OPTION_COUNT] = {
    [OPTION_SET] =
        {"--set", NULL, "PATH=VALUE",
         "change one entry of the scene (friction.level=12); may be given several times", LIST(sets, set_count)},
    [OPTION_STEP] = {"--step", NULL, "H", "the step, s; the same as --set step=H", .store = STORE_SETTING},
    [OPTION_STOP] = {"--stop", NULL, "T", "the end, s; the same as --set stop=T", .store = STORE_SETTING},
    [OPTION_VARIANT] = {"--variant", NULL, "NAME", "one of the scene's variants", TEXT(variant)},
    [OPTION_OUTPUT] = {"--output", "-o", "FILE", "write what is recorded: .csv, .h5 or .mcap", TEXT(output)},
    [OPTION_OUT] = {"--out", "-o", "DIR", "write each run's recording into this folder", TEXT(output)},
    [OPTION_URDF] = {"--output", "-o", "FILE.urdf", "write to this file, not to standard output", TEXT(output)},
    [OPTION_SCENE] = {"--output", "-o", "SCENE.yaml", "write to this file, not to standard output", TEXT(output)},
    [OPTION_MODELS] = {"--models", "-m", "A,B,C", "the friction models to compare", TEXT(models)},
    [OPTION_STEPS] = {"--steps", NULL, "H1,H2,...", "the steps to compare, s", TEXT(steps)},
    [OPTION_METHODS] = {"--methods", NULL, "A,B,C",
                        "the methods to compare (default: euler,rk4,cut)", TEXT(methods)},
    [OPTION_TOLERANCES] = {"--tolerances", NULL, "R1,R2,...",
                           "rtol of adaptive methods (default: 1e-4,1e-6,1e-8,1e-10)", TEXT(tolerances)},
    [OPTION_SCALE] = {"--scale", NULL, "W", "velocity errors are divided by this, 1/s (default 1)", TEXT(scale)},
    [OPTION_REFERENCE] = {"--reference", NULL, "FILE", "a reference of stiction reference", TEXT(reference)},
    [OPTION_CHECK] = {"--check", NULL, "FILE.csv", "hold the scene against this table", TEXT(check)},
    [OPTION_TABLE] = {"--output", "-o", "FILE.csv", "write the table to this file", TEXT(output)},
    [OPTION_CONVERGENCE] = {"--plot", NULL, "FILE", "draw error against step: .svg, .png or .pdf", TEXT(figure)},
    [OPTION_WORK] = {"--work", NULL, "FILE",
                     "draw error against CPU time (work-precision diagram)", TEXT(work)},
    [OPTION_ELEMENT] = {"--element", NULL, "NAME",
                        "change the model of this friction element only (default: of all)", TEXT(element)},
    [OPTION_ROOT] = {"--root", NULL, "DIR", "look for papers/ and scenes/ in this folder", TEXT(root)},
    [OPTION_REPORT] = {"--report", NULL, "FILE.html",
                       "write a page with plots and a replay to this file", TEXT(report)},
    [OPTION_PAGE] = {"--output", "-o", "FILE.html", "the page to write", TEXT(output)},
    [OPTION_FULL] = {"--full", NULL, NULL, "put all rows on the page, not a selection for display", FLAG(full)},
    [OPTION_NO_PLOT] = {"--no-plot", NULL, NULL, "draw no plots in the terminal", FLAG(no_plot)},
    [OPTION_FIGURE] = {"--output", "-o", "FILE", "the figure to write: .svg, .png or .pdf", TEXT(output)},
    [OPTION_X] = {"--x", NULL, "CHANNEL", "what is drawn to the right (default: t)", TEXT(x)},
    [OPTION_Y] = {"--y", NULL, "A,B,C", "what is drawn upwards; each --y is a panel of its own", LIST(ys, y_count)},
    [OPTION_RANGE] = {"--range", NULL, "FROM:TO", "the part of the x axis to show", TEXT(range)},
    [OPTION_TITLE] = {"--title", NULL, "TEXT", "what stands above the figure", TEXT(title)},
    [OPTION_SPEED] = {"--speed", NULL, "N",
                      "seconds of the run per second (default 1); 0: as fast as it can", TEXT(speed)},
    [OPTION_FOREVER] = {"--forever", NULL, NULL, "go on after the scene's end", FLAG(forever)},
    [OPTION_PORT] = {"--port", NULL, "N", "the port to listen on (default: any that is free)", TEXT(port)},
    [OPTION_LISTEN] = {"--listen", NULL, "ADDRESS",
                       "let other machines connect: listen on this address", TEXT(listen)},
    [OPTION_ROWS] = {"--output", "-o", "FILE", "write a row for each run: .csv or .h5", TEXT(output)},
    [OPTION_VARY] = {"--vary", NULL, "PATH=SPREAD",
                     "vary a parameter: uniform:5:15, normal:1:0.1, log:10:1000, triangular:1:2:4; of "
                     "grids and lists values:1:2:5 or range:FROM:TO:COUNT; in place of those of the study",
     LIST(varies, vary_count)},
    [OPTION_MEASURE] = {"--measure", NULL, "NAME=WHAT",
                        "measure CHANNEL@TIME, or {channel: ..., during: [0, 4], measure: max}; in place "
                        "of those of the study", LIST(measures, measure_count)},
    [OPTION_RUNS] = {"--runs", "-n", "N", "how many runs (of saltelli: base points)", TEXT(runs)},
    [OPTION_SAMPLE] = {"--sample", NULL, "NAME",
                       "grid, list, random, latin, sobol (default) or saltelli", TEXT(sample)},
    [OPTION_SEED] = {"--seed", NULL, "N", "another number gives another sample (default 1)", TEXT(seed)},
    [OPTION_JOBS] = {"--jobs", "-j", "N", "threads (default: one for each processor)", TEXT(jobs)},
    [OPTION_SHARD] = {"--shard", NULL, "I/N", "do part I of N only; stiction merge joins the files", TEXT(shard)},
    [OPTION_RESUME] = {"--resume", NULL, NULL, "go on with what an interrupted sweep or fit left", FLAG(resume)},
    [OPTION_FITTED] = {"--output", "-o", "FILE", "write parameters, intervals and errors, a row per model: .csv or .h5",
     TEXT(output)},
    [OPTION_DATA] = {"--data", NULL, "LOG.csv",
                     "a measured log, or {file: LOG.csv, set: {PATH: VALUE}}; may be given several times",
     LIST(data, data_count)},
    [OPTION_MAP] = {"--map", NULL, "CHANNEL=COLUMN",
                    "what a channel was measured as: a column or an expression of columns; more with commas",
     LIST(maps, map_count)},
    [OPTION_DRIVE] = {"--drive", NULL, "INPUT=COLUMN",
                      "what drives an input, or a key such as motor.voltage; more with commas",
     LIST(drives, drive_count)},
    [OPTION_FREE] = {"--free", NULL, "PATH=FROM:TO",
                     "a parameter to be found, with bounds or without (PATH); more with commas",
     LIST(frees, free_count)},
    [OPTION_START] = {"--start", NULL, "CHANNEL=HOW",
                      "how a number of the state begins: free, measured, FROM:TO or a number",
     LIST(starts, start_count)},
    [OPTION_FIT_MODELS] = {"--models", "-m", "A,B,C", "friction models or laws to fit and compare", TEXT(models)},
    [OPTION_WINDOW] = {"--window", NULL, "S", "multiple shooting in windows of this length, s", TEXT(window)},
    [OPTION_STARTS] = {"--starts", NULL, "N", "from how many points to search (default 2)", TEXT(searches)},
    [OPTION_FOLDS] = {"--folds", NULL, "N", "cross validation by this many parts", TEXT(folds)},
    [OPTION_PROFILE] = {"--profile", NULL, NULL, "intervals by profiles of the misfit, too", FLAG(profile)},
    [OPTION_EVALUATE] = {"--evaluate", NULL, NULL, "search nothing: the misfit of the scene as it stands",
     FLAG(evaluate)},
    [OPTION_WRITE_BACK] = {"--write-back", NULL, "[FILE]",
                           "write the scene with the fitted values, to FILE or in its own place", TEXT(write_back)},
    [OPTION_FMU] = {"--output", "-o", "FILE.fmu", "the FMU to write", TEXT(output)},
    [OPTION_FMI] = {"--fmi", NULL, "VERSION", "2 (default) or 3", TEXT(fmi)},
    [OPTION_INPUTS] = {"--inputs", NULL, "A,B,...", "inputs of the FMU (default: all of the scene)", TEXT(inputs)},
    [OPTION_OUTPUTS] = {"--outputs", NULL, "A,B,...",
                        "channels that become outputs, with * and ? (default: what the scene records)", TEXT(outputs)},
    [OPTION_TUNABLE] = {"--tunable", NULL, "A,B,...",
                        "parameters that may change during a run, with * and ? (default: those of elements)",
     TEXT(tunables)},
    [OPTION_SOURCES] = {"--sources", NULL, NULL, "put the sources into it, too: they need a C compiler alone",
     FLAG(sources)},
    [OPTION_CONFINE] = {"--confine", NULL, "FOLDER",
                        "let the scene read files of this folder only", TEXT(confine)},
    [OPTION_QUIET] = {"--quiet", "-q", NULL, "print nothing but errors", FLAG(quiet)},
    [OPTION_HELP] = {"--help", "-h", NULL, "this text", FLAG(help)},
};

void options_help(const Command *command)
{
    for (int i = 0; i <= COMMAND_OPTIONS; ++i) {
        const bool last = i == COMMAND_OPTIONS || command->options[i] == OPTION_NONE;
        const Option *option = &options[last ? OPTION_HELP : command->options[i]];
        char names[64];
        snprintf(names, sizeof names, "%s%s%s%s%s", option->brief != NULL ? option->brief : "",
                 option->brief != NULL ? ", " : "    ", option->name,
                 option->value != NULL ? " " : "", option->value != NULL ? option->value : "");
        printf("  %-25s ", names);
        text_wrap(stdout, 28, option->help);
        if (last) return;
    }
}

static bool matches(const Option *option, const char *text, const char **value)
{
    const size_t length = strlen(option->name);
    *value = NULL;
    if (strncmp(text, option->name, length) == 0 && (text[length] == '\0' || text[length] == '=')) {
        if (text[length] == '=') *value = text + length + 1;
        return true;
    }
    if (option->brief == NULL || strncmp(text, option->brief, 2) != 0 || text[1] == '-')
        return false;
    if (text[2] != '\0') *value = text + 2; // -oFILE
    return option->value != NULL || text[2] == '\0';
}

static OptionId find(const Command *command, const char *text, const char **value)
{
    if (matches(&options[OPTION_HELP], text, value)) return OPTION_HELP;
    for (int i = 0; i < COMMAND_OPTIONS && command->options[i] != OPTION_NONE; ++i)
        if (matches(&options[command->options[i]], text, value)) return command->options[i];
    return OPTION_NONE;
}

static void refuse_unknown(const Command *command, const char *text)
{
    const char *names[COMMAND_OPTIONS + 1];
    int count = 0;
    for (int i = 0; i < COMMAND_OPTIONS && command->options[i] != OPTION_NONE; ++i)
        names[count++] = options[command->options[i]].name;
    names[count++] = options[OPTION_HELP].name;
    char *name = text_new("%.*s", (int)strcspn(text, "="), text);
    const char *nearest = text_nearest(name, names, count);
    if (nearest != NULL)
        terminal_error("%s has no option %s; did you mean %s?", command->name, name, nearest);
    else
        terminal_error("%s has no option %s; see stiction %s --help", command->name, name,
                       command->name);
    free(name);
}

// --step and --stop: the same as --set step=VALUE
static void add_setting(Arguments *arguments, const char *name, const char *value)
{
    char *set = text_new("%s=%s", name, value);
    arguments->owned[arguments->owned_count++] = set;
    arguments->sets[arguments->set_count++] = set;
}

static void store(Arguments *arguments, const Option *option, const char *value)
{
    char *place = (char *)arguments + option->place;
    switch (option->store) {
    case STORE_TEXT:
        *(const char **)place = value;
        break;
    case STORE_FLAG:
        *(bool *)place = true;
        break;
    case STORE_LIST:
        (*(const char ***)place)[(*(int *)((char *)arguments + option->count))++] = value;
        break;
    case STORE_SETTING:
        add_setting(arguments, option->name + strlen("--"), value);
        break;
    }
}

// One option, and its value from the text behind it where it has none of its own.
static bool read_option(const Command *command, int count, char **texts, int *i,
                        Arguments *arguments)
{
    const char *value;
    const OptionId id = find(command, texts[*i], &value);
    if (id == OPTION_NONE) {
        refuse_unknown(command, texts[*i]);
        return false;
    }
    const Option *option = &options[id];
    if (option->value == NULL && value != NULL) {
        terminal_error("%s takes no value", option->name);
        return false;
    }
    const bool optional = id == OPTION_WRITE_BACK;
    if (optional && value == NULL && (*i + 1 == count || texts[*i + 1][0] == '-')) {
        value = "";
    } else if (option->value != NULL && value == NULL) {
        if (*i + 1 == count) {
            terminal_error("%s needs a value: %s %s", texts[*i], texts[*i], option->value);
            return false;
        }
        value = texts[++*i];
    }
    store(arguments, option, value);
    return true;
}

static bool right_count(const Command *command, const Arguments *arguments)
{
    const int count = arguments->word_count;
    if (arguments->help || (count >= command->fewest && count <= command->most)) return true;
    if (count < command->fewest)
        terminal_error("%s needs %s; see stiction %s --help", command->name, command->words,
                       command->name);
    else if (command->most == 0)
        terminal_error("%s takes options only, not '%s'", command->name, arguments->words[0]);
    else
        terminal_error("%s takes %s only, not '%s' too", command->name, command->words,
                       arguments->words[command->most]);
    return false;
}

static const char ***list_of(Arguments *arguments, int option)
{
    return (const char ***)((char *)arguments + options[option].place);
}

// Room for every list: none is longer than the command line.
static void take_lists(size_t count, Arguments *arguments)
{
    *arguments = (Arguments){.words = take(count, sizeof(char *)), .owned = take(count, sizeof(char *))};
    for (int i = 0; i < OPTION_COUNT; ++i)
        if (options[i].store == STORE_LIST) *list_of(arguments, i) = take(count, sizeof(char *));
}

bool arguments_read(const Command *command, int count, char **texts, Arguments *arguments)
{
    take_lists((size_t)count, arguments);
    bool options_end = false;
    for (int i = 0; i < count; ++i) {
        const bool option = !options_end && texts[i][0] == '-' && texts[i][1] != '\0';
        if (option && strcmp(texts[i], "--") == 0)
            options_end = true;
        else if (!option)
            arguments->words[arguments->word_count++] = texts[i];
        else if (!read_option(command, count, texts, &i, arguments))
            return false;
    }
    // "--write-back SCENE": the scene itself, if there is no other.
    if (arguments->word_count < command->fewest && arguments->write_back != NULL && arguments->write_back[0] != '\0') {
        arguments->words[arguments->word_count++] = arguments->write_back;
        arguments->write_back = "";
    }
    return right_count(command, arguments);
}

void arguments_release(Arguments *arguments)
{
    for (int i = 0; i < arguments->owned_count; ++i) free(arguments->owned[i]);
    for (int i = 0; i < OPTION_COUNT; ++i)
        if (options[i].store == STORE_LIST) free(*list_of(arguments, i));
    free(arguments->owned);
    free(arguments->words);
}
