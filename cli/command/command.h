// Commands: each is a table at the end of its file.
#ifndef STICTION_CLI_COMMAND_H
#define STICTION_CLI_COMMAND_H

#include "command/options.h"

enum {
    CODE_GOOD = 0,
    CODE_FAILED = 1,        // a run failed, or an expectation
    CODE_BAD_INPUT = 2,     // a scene or the command line
    CODE_FILE = 3,          // cannot be read or written
    CODE_INTERRUPTED = 130, // SIGINT or SIGTERM
};

enum { COMMAND_OPTIONS = 24 };

typedef struct Command {
    const char *name;
    const char *summary;               // one line
    const char *words;                 // "SCENE", as the usage shows them
    int fewest, most;                  // of them
    const char *text;                  // paragraphs of its --help
    OptionId options[COMMAND_OPTIONS]; // OPTION_NONE after the last
    int (*run)(const Arguments *arguments);
} Command;

extern const Command command_run, command_check, command_list, command_explain, command_reproduce,
    command_compare, command_report, command_view, command_plot, command_import, command_urdf,
    command_reference, command_converge, command_sweep, command_merge, command_fit,
    command_export;

#endif
