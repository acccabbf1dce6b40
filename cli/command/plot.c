// stiction plot FILE...: figures for papers and READMEs.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/command.h"
#include "plot/gnuplot.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

static const int64_t most_rows = 8000; // of a file: more than a figure can show

// "1.9:4", either side may be missing.
static bool is_range(const char *text)
{
    if (text == NULL) return true;
    char *end;
    const char *rest = text;
    if (rest[0] != ':') {
        strtod(rest, &end);
        rest = end;
    }
    bool good = rest[0] == ':';
    if (good && rest[1] != '\0') {
        strtod(rest + 1, &end);
        good = *end == '\0';
    }
    if (!good) terminal_error("--range wants FROM:TO, for example 1.9:4, not '%s'", text);
    return good;
}

static bool is_sound(const Arguments *arguments)
{
    if (arguments->output == NULL) {
        terminal_error("plot needs -o FILE.svg, FILE.png or FILE.pdf");
        return false;
    }
    return gnuplot_makes(arguments->output) && is_range(arguments->range);
}

static int draw(const Arguments *arguments, const Recording *recordings)
{
    Panels panels;
    int code = CODE_BAD_INPUT;
    if (panels_choose(&panels, recordings, arguments->word_count, arguments->x, arguments->ys,
                      arguments->y_count)) {
        const Figure figure = {.path = arguments->output,
                               .title = arguments->title,
                               .range = arguments->range};
        code = gnuplot_draw(&panels, &figure);
    }
    panels_release(&panels);
    return code;
}

static int run(const Arguments *arguments)
{
    if (!is_sound(arguments)) return CODE_BAD_INPUT;
    if (!gnuplot_is_there()) return CODE_FILE;
    Recording *recordings = take((size_t)arguments->word_count, sizeof *recordings);
    int code = CODE_GOOD;
    for (int i = 0; i < arguments->word_count && code == CODE_GOOD; ++i)
        code = recording_read(arguments->words[i], false, &recordings[i]);
    for (int i = 0; i < arguments->word_count && code == CODE_GOOD; ++i)
        rows_thin(&recordings[i].rows, most_rows);
    if (code == CODE_GOOD) code = draw(arguments, recordings);
    for (int i = 0; i < arguments->word_count; ++i) recording_release(&recordings[i]);
    free(recordings);
    if (code == CODE_GOOD && !arguments->quiet) printf("wrote %s\n", arguments->output);
    return code;
}

const Command command_plot = {
    .name = "plot",
    .summary = "draw recordings into a figure: SVG, PNG or PDF",
    .words = "FILE...",
    .fewest = 1,
    .most = 64,
    .text = "Draws recordings (.csv or .h5) with gnuplot, in colours that colour-blind people tell "
            "apart. Without --y all channels are drawn over t, one panel for each unit (for CSV, "
            "which has no units: for each kind of channel). Each --y makes one panel of the named "
            "channels; * stands for any part of a name: --y 'block.v@*'. Several files are laid "
            "over each other, with a legend. Units on the axes come from .h5 files.",
    .options = {OPTION_FIGURE, OPTION_X, OPTION_Y, OPTION_RANGE, OPTION_TITLE, OPTION_QUIET},
    .run = run,
};
