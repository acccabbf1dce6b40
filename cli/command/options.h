// Options of all commands, their reading and their help.
#ifndef STICTION_CLI_OPTIONS_H
#define STICTION_CLI_OPTIONS_H

#include <stdbool.h>

typedef enum OptionId {
    OPTION_NONE,
    OPTION_SET,
    OPTION_STEP,
    OPTION_STOP,
    OPTION_VARIANT,
    OPTION_OUTPUT,
    OPTION_OUT,
    OPTION_URDF,
    OPTION_SCENE,
    OPTION_MODELS,
    OPTION_STEPS,
    OPTION_METHODS,
    OPTION_TOLERANCES,
    OPTION_SCALE,
    OPTION_REFERENCE,
    OPTION_CHECK,
    OPTION_TABLE,
    OPTION_CONVERGENCE,
    OPTION_WORK,
    OPTION_ELEMENT,
    OPTION_ROOT,
    OPTION_REPORT,
    OPTION_PAGE,
    OPTION_FULL,
    OPTION_NO_PLOT,
    OPTION_FIGURE,
    OPTION_X,
    OPTION_Y,
    OPTION_RANGE,
    OPTION_TITLE,
    OPTION_SPEED,
    OPTION_FOREVER,
    OPTION_PORT,
    OPTION_LISTEN,
    OPTION_ROWS,
    OPTION_VARY,
    OPTION_MEASURE,
    OPTION_RUNS,
    OPTION_SAMPLE,
    OPTION_SEED,
    OPTION_JOBS,
    OPTION_SHARD,
    OPTION_RESUME,
    OPTION_FITTED,
    OPTION_DATA,
    OPTION_MAP,
    OPTION_DRIVE,
    OPTION_FREE,
    OPTION_START,
    OPTION_FIT_MODELS,
    OPTION_WINDOW,
    OPTION_STARTS,
    OPTION_FOLDS,
    OPTION_PROFILE,
    OPTION_EVALUATE,
    OPTION_WRITE_BACK,
    OPTION_FMU,
    OPTION_FMI,
    OPTION_INPUTS,
    OPTION_OUTPUTS,
    OPTION_TUNABLE,
    OPTION_SOURCES,
    OPTION_CONFINE,
    OPTION_QUIET,
    OPTION_HELP,
    OPTION_COUNT
} OptionId;

typedef struct Arguments {
    const char **words; // what is not an option
    int word_count;
    const char **sets; // --set, --step and --stop in their order, as "path=value"
    int set_count;
    char **owned; // the sets that --step and --stop made
    int owned_count;
    const char *variant, *output, *models, *element, *root, *report;
    const char **ys; // --y in their order
    int y_count;
    const char *x, *range, *title;
    const char *steps, *methods, *tolerances, *scale, *reference, *check;
    const char *figure, *work; // --plot, --work
    const char *speed, *port, *listen, *confine;
    const char **varies, **measures; // --vary, --measure in their order
    int vary_count, measure_count;
    const char *runs, *sample, *seed, *jobs, *shard;
    const char **data, **maps, **drives, **frees, **starts; // of fits, in their order
    int data_count, map_count, drive_count, free_count, start_count;
    const char *window, *searches, *folds;
    const char *write_back; // a file; "" for the scene itself
    bool profile, evaluate;
    const char *fmi, *inputs, *outputs, *tunables;
    bool resume, sources;
    bool full, no_plot, forever, quiet, help;
} Arguments;

typedef struct Command Command;

// Reads what follows the command's name; false after a message.
bool arguments_read(const Command *command, int count, char **texts, Arguments *arguments);
void arguments_release(Arguments *arguments);

void options_help(const Command *command); // the lines of --help

#endif
