// stiction report FILE...: recordings as one page.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "report/json.h"
#include "report/page.h"
#include "files/recording.h"
#include "report/report_document.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

static const int64_t display_values = 300000; // of all files together

static void channels_json(const Recording *recording, FILE *file)
{
    fputc('[', file);
    for (int i = 1; i < recording->count; ++i) {
        fputs(i > 1 ? ",{" : "{", file);
        json_key(file, "name", true);
        json_text(file, recording->names[i]);
        if (recording->units[i][0] != '\0') { // else the page guesses
            json_key(file, "unit", false);
            json_text(file, recording->units[i]);
        }
        json_key(file, "role", false);
        fputs("\"record\"}", file);
    }
    fputc(']', file);
}

static void add_run(Report *report, Recording *recording, int64_t values)
{
    FILE *file = report_next_run(report);
    char *name = recording_name(recording->path);
    rows_thin(&recording->rows, values / recording->count);
    fputc('{', file);
    json_key(file, "name", true);
    json_text(file, name);
    json_key(file, "over", false);
    json_text(file, recording->names[0]);
    json_key(file, "seen", false);
    fprintf(file, "%lld", (long long)recording->rows.seen);
    json_key(file, "channels", false);
    channels_json(recording, file);
    json_key(file, "data", false);
    rows_json(&recording->rows, file);
    fputc('}', file);
    free(name);
}

static int add_files(Report *report, const Arguments *arguments)
{
    int code = CODE_GOOD;
    for (int i = 0; i < arguments->word_count && code == CODE_GOOD; ++i) {
        Recording recording;
        code = recording_read(arguments->words[i], arguments->full, &recording);
        if (code == CODE_GOOD) add_run(report, &recording, display_values / arguments->word_count);
        recording_release(&recording);
    }
    return code;
}

static int run(const Arguments *arguments)
{
    if (arguments->output == NULL) {
        terminal_error("report needs -o FILE.html");
        return CODE_BAD_INPUT;
    }
    if (!page_is_there()) return CODE_FILE;
    char *title = recording_name(arguments->words[0]);
    Report *report = report_create("files", arguments->word_count == 1 ? title : "Recordings");
    free(title);
    if (report == NULL) return CODE_FILE;
    report_simulation(report, NULL, "recordings");
    int code = add_files(report, arguments);
    if (code == CODE_GOOD) code = report_write(report, arguments->output);
    if (code == CODE_GOOD && !arguments->quiet)
        printf("wrote %s: open it in a browser\n", arguments->output);
    report_destroy(report);
    return code;
}

const Command command_report = {
    .name = "report",
    .summary = "make a page with plots of recordings, side by side",
    .words = "FILE...",
    .fewest = 1,
    .most = 64,
    .text =
        "Makes one HTML file of recordings (.csv or .h5) that needs nothing but a browser: "
        "interactive plots of all columns "
        "over the first one. Columns of the same name in several files share a plot, with a "
        "legend. Of long recordings a selection of rows is shown in which no peak is lost; "
        "--full takes all of them. A page with a replay, parameters and expectations comes from "
        "stiction run SCENE --report FILE.html.",
    .options = {OPTION_PAGE, OPTION_FULL, OPTION_QUIET},
    .run = run,
};
