// stiction import MODEL: a model file of another program as a scene to go on from.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stiction/import.h>

#include "command/command.h"
#include "command/load.h"
#include "files/output.h"
#include "terminal/terminal.h"

// What was read, changed and left out stands above the scene, too.
static void write_report(FILE *to, const StiMessages *messages)
{
    for (int i = 0; i < sti_messages_count(messages); ++i) {
        fputs("# ", to);
        for (const char *c = sti_messages_at(messages, i)->text; *c != '\0'; ++c)
            fputc((unsigned char)*c < ' ' ? ' ' : *c, to);
        fputc('\n', to);
    }
}

static int write_scene(const char *path, const char *text, const StiMessages *messages)
{
    if (path == NULL) {
        write_report(stdout, messages);
        fputs(text, stdout);
        return CODE_GOOD;
    }
    Output output;
    if (!output_open(&output, path)) return CODE_FILE;
    write_report(output.file, messages);
    return output_close(&output, fputs(text, output.file) >= 0);
}

static int run(const Arguments *arguments)
{
    StiMessages *messages = sti_messages_create();
    const StiSceneOptions options = {.confine = arguments->confine};
    FILE *file = load_open(arguments->words[0]); // says what is wrong with the path
    if (file == NULL || messages == NULL) {
        sti_messages_destroy(messages);
        return CODE_FILE;
    }
    fclose(file);
    char *text = sti_import(arguments->words[0], &options, messages);
    terminal_messages(messages, arguments->quiet ? STI_ERROR : STI_NOTE);
    const int code =
        text != NULL ? write_scene(arguments->output, text, messages) : CODE_BAD_INPUT;
    free(text);
    sti_messages_destroy(messages);
    return code;
}

const Command command_import = {
    .name = "import",
    .summary = "write a model file (URDF, MJCF, SDF) as a scene",
    .words = "MODEL",
    .fewest = 1,
    .most = 1,
    .text = "Reads a robot description of another program and writes a scene: links with inertias "
            "and shapes, the start, joint friction, springs, stops, drives with inputs of their "
            "names, and a floor where the robot can fall. What was read, what was changed and what "
            "was left out is said, one line for all that are alike, and stands above the scene as "
            "comments. run, check, view and report take a model file as it is, by way of the same "
            "scene.",
    .options = {OPTION_SCENE, OPTION_CONFINE, OPTION_QUIET},
    .run = run,
};
