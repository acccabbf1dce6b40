// stiction export SCENE -o FILE.fmu: a scene for other tools, by FMI.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "command/command.h"
#include "command/load.h"
#include "export/export.h"
#include "terminal/terminal.h"

static bool read_version(const char *text, int *version)
{
    *version = text == NULL || strcmp(text, "2") == 0      ? 2
               : text[0] != '\0' && strcmp(text, "3") == 0 ? 3
                                                           : 0;
    if (*version == 0) terminal_error("--fmi is 2 or 3, not '%s'", text);
    return *version != 0;
}

static void report(const char *path, int version, const FmuSummary *summary)
{
    printf("%s: FMI %d.0, model %s, %.2f MB\n", path, version, summary->identifier,
           (double)summary->size / 1e6);
    printf("  co-simulation%s\n", summary->exchange ? " and model exchange"
                                                    : "; no model exchange: parts of the scene "
                                                      "need the length of a step");
    printf("  %d inputs, %d outputs, %d parameters (%d of them tunable)\n", summary->inputs,
           summary->outputs, summary->parameters, summary->tunables);
    if (summary->exchange)
        printf("  %d continuous states, %d event indicators\n", summary->states,
               summary->indicators);
}

static int run(const Arguments *arguments)
{
    StiSceneOptions options = load_options(arguments);
    FmuOptions choice = {.inputs = arguments->inputs,
                         .outputs = arguments->outputs,
                         .tunables = arguments->tunables,
                         .sources = arguments->sources};
    StiScene *scene;
    if (!read_version(arguments->fmi, &choice.version)) return CODE_BAD_INPUT;
    if (arguments->output == NULL) {
        terminal_error("export needs a file to write: -o FILE.fmu");
        return CODE_BAD_INPUT;
    }
    int code = load_without_expectations(arguments->words[0], &options, arguments->quiet, &scene);
    if (code != CODE_GOOD) return code;
    StiMessages *messages = sti_messages_create();
    FmuSummary summary;
    const StiStatus status = messages != NULL
                                 ? fmu_export(scene, &choice, arguments->output, &summary, messages)
                                 : STI_OUT_OF_MEMORY;
    if (messages != NULL) terminal_messages(messages, arguments->quiet ? STI_ERROR : STI_NOTE);
    if (status == STI_FILE_ERROR)
        terminal_error("cannot write %s: %s", arguments->output, strerror(errno));
    if (status == STI_OUT_OF_MEMORY) terminal_error("out of memory");
    if (status == STI_OK && !arguments->quiet) report(arguments->output, choice.version, &summary);
    sti_messages_destroy(messages);
    sti_scene_destroy(scene);
    return status == STI_OK ? CODE_GOOD : status == STI_FILE_ERROR ? CODE_FILE : CODE_BAD_INPUT;
}

const Command command_export = {
    .name = "export",
    .summary = "write a scene as an FMU (FMI 2 or 3), for other tools",
    .words = "SCENE",
    .fewest = 1,
    .most = 1,
    .text = "Writes one file that tools with FMI import: co-simulation, and model exchange where "
            "the scene has a form in "
            "continuous time. Inputs are those that the scene declares, outputs are what it "
            "records, parameters all "
            "that it has. The binary inside stands alone; the scene and the files that it reads "
            "are in it.",
    .options = {OPTION_FMU, OPTION_FMI, OPTION_INPUTS, OPTION_OUTPUTS, OPTION_TUNABLE,
                OPTION_SOURCES, OPTION_SET, OPTION_STEP, OPTION_STOP, OPTION_VARIANT,
                OPTION_CONFINE, OPTION_QUIET},
    .run = run,
};
