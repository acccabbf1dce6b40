#include "plot/gnuplot.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/command.h"
#include "files/format.h"
#include "files/output.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

bool gnuplot_is_there(void)
{
    const char *path = getenv("PATH");
    while (path != NULL && path[0] != '\0') {
        const int length = (int)strcspn(path, ":");
        char *program = text_new("%.*s/gnuplot", length, path);
        const bool found = access(program, X_OK) == 0;
        free(program);
        if (found) return true;
        path += length + (path[length] == ':');
    }
    terminal_error("plot needs gnuplot, which is not there (Debian: apt-get install gnuplot-nox)");
    return false;
}

// ---- sizes, in pixels ---------------------------------------------------------------------------

enum {
    WIDTH = 900,
    PANEL = 210, // height of a plot; half of it for stick and slip
    GAP = 18,    // between two of them
    KEY = 20,    // a line of the legend above one
    LEFT = 112,
    RIGHT = 36,
    TITLE = 36,
    BELOW = 60, // the last one's axis
    SIGN = 9,   // of a text, about
    SAMPLE = 30 // of a line in the legend
};

static int plot_height(const Panel *panel) { return panel->modes ? PANEL / 3 : PANEL; }

static bool has_key(const Panel *panel) { return panel->count > 1 || panel->modes; }

// The legend is laid out here: gnuplot's own takes two lines where one would do.
static int key_width(const Panel *panel)
{
    size_t longest = 0;
    for (int i = 0; i < panel->count; ++i)
        if (strlen(panel->curves[i].title) > longest) longest = strlen(panel->curves[i].title);
    return (int)longest * SIGN + SAMPLE + 20;
}

static int key_columns(const Panel *panel)
{
    const int columns = (WIDTH - LEFT - RIGHT) / key_width(panel);
    return columns < 1 ? 1 : columns < panel->count ? columns : panel->count;
}

static int key_height(const Panel *panel)
{
    if (!has_key(panel)) return 0;
    const int columns = key_columns(panel);
    return (panel->count + columns - 1) / columns * KEY + 6;
}

static int panel_height(const Panel *panel) { return plot_height(panel) + GAP + key_height(panel); }

static int figure_height(const Panels *panels, const Figure *figure)
{
    int height = (figure->title != NULL ? TITLE : 12) + BELOW;
    for (int i = 0; i < panels->count; ++i) height += panel_height(&panels->panels[i]);
    if (panels->count == 1) height += PANEL; // alone it may be larger
    return height;
}

// ---- the script ---------------------------------------------------------------------------------

// Between single quotes gnuplot takes all signs as they are but these.
// Two quotes within '...' are one, but not at its beginning; within "..." much more has a meaning.
void gnuplot_quoted(FILE *script, const char *text)
{
    const int leading = (int)strspn(text, "'");
    fputc('(', script);
    if (leading > 0) fprintf(script, "\"%.*s\" . ", leading, text);
    text += leading;
    fputc('\'', script);
    for (; *text != '\0'; ++text) {
        if (*text == '\'') fputc('\'', script);
        fputc(*text == '\n' ? ' ' : *text, script);
    }
    fputs("')", script);
}

static void print_terminal(FILE *script, const char *path, int height)
{
    static const char font[] = "font 'DejaVu Sans,12'";
    if (format_has_ending(path, ".svg"))
        fprintf(script, "set terminal svg size %d,%d %s background '#ffffff' noenhanced\n", WIDTH,
                height, font);
    else if (format_has_ending(path, ".pdf"))
        fprintf(script, "set terminal pdfcairo size %.3fin,%.3fin %s noenhanced fontscale 0.75\n",
                WIDTH / 96.0, height / 96.0, font);
    else // twice the pixels, for print and dense screens
        fprintf(script,
                "set terminal pngcairo size %d,%d %s fontscale 2 linewidth 2 "
                "background '#ffffff' noenhanced\n",
                2 * WIDTH, 2 * height, font);
}

// Okabe and Ito's colours remain apart for people who see few; dashes mark the second round.
static void print_style(FILE *script)
{
    static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#56B4E9",
                                          "#CC79A7", "#E69F00", "#000000"};
    enum { COLOURS = sizeof colours / sizeof colours[0] };
    for (int i = 0; i < 3 * COLOURS; ++i)
        fprintf(script, "set linetype %d lc rgb '%s' lw 1.6 dt %d\n", i + 1, colours[i % COLOURS],
                1 + i / COLOURS);
    fputs("set grid lc rgb '#d8d8d8' lw 1 dt 1\n"
          "set border 3 lc rgb '#444444' lw 1\n"
          "set tics nomirror textcolor rgb '#222222'\n"
          "set format y '%h'\n"
          "set datafile missing '?'\n",
          script);
}

static void print_value(FILE *script, double value)
{
    if (value - value == 0.0)
        fprintf(script, "%.9g ", value);
    else
        fputs("? ", script);
}

static void print_data(FILE *script, const Recording *recording, int number)
{
    const Rows *rows = &recording->rows;
    fprintf(script, "$data%d << EOD\n", number);
    for (int64_t k = 0; k < rows->count; ++k) {
        for (int i = 0; i < rows->columns; ++i)
            print_value(script, rows->values[k * rows->columns + i]);
        fputc('\n', script);
    }
    fputs("EOD\n", script);
}

// The first curve is on top of the others.
static void print_curves(FILE *script, const Panel *panel)
{
    fputs("plot ", script);
    for (int i = panel->count - 1; i >= 0; --i) {
        const Curve *curve = &panel->curves[i];
        fprintf(script, "$data%d using %d:%d with %s lt %d%s", curve->recording, curve->x + 1,
                curve->y + 1, panel->modes ? "steps" : "lines", i + 1, i > 0 ? ", " : "\n");
    }
}

// Samples and titles from the left, line by line, above the plot whose top is given.
static void print_key(FILE *script, const Panel *panel, int top, int height)
{
    enum { FIRST = 10 }; // number of its labels and arrows
    const int columns = key_columns(panel), width = key_width(panel);
    fprintf(script, "unset arrow\nunset for [i=%d:%d] label i\n", FIRST, FIRST + 200);
    for (int i = 0; has_key(panel) && i < panel->count; ++i) {
        const int x = LEFT + i % columns * width;
        const double y = 1.0 - (top - key_height(panel) + i / columns * KEY + 0.5 * KEY) / height;
        fprintf(script, "set arrow %d from screen %.5f,%.5f to screen %.5f,%.5f nohead lt %d\n",
                FIRST + i, (double)x / WIDTH, y, (double)(x + SAMPLE) / WIDTH, y, i + 1);
        fprintf(script, "set label %d ", FIRST + i);
        gnuplot_quoted(script, panel->curves[i].title);
        fprintf(script, " at screen %.5f,%.5f left\n", (double)(x + SAMPLE + 6) / WIDTH, y);
    }
}

// The label stands at the same place in every panel, whatever its numbers need.
static void print_upright_label(FILE *script, const char *text, double middle)
{
    fputs("set label 2 ", script);
    gnuplot_quoted(script, text);
    fprintf(script, " at screen %.5f,%.5f center rotate by 90\n", 18.0 / WIDTH, middle);
}

static bool over_time(const Panels *panels)
{
    return strcmp(panels->x, panels->recordings[0].names[0]) == 0;
}

static void print_axes(FILE *script, const Panels *panels, const Panel *panel, bool last)
{
    if (panel->modes)
        fputs("set yrange [-0.2:1.2]\nset offsets\nset ytics ('slip' 0, 'stick' 1)\n", script);
    else // over time curves may touch the sides
        fprintf(script,
                "set autoscale yfix\nset ytics auto\n"
                "set offsets graph %g, graph %g, graph 0.06, graph 0.06\n",
                over_time(panels) ? 0.0 : 0.03, over_time(panels) ? 0.0 : 0.03);
    if (!last) {
        fputs("set format x ''\nset xlabel ''\n", script);
        return;
    }
    char *label =
        text_new("%s%s%s", panels->x, panels->x_unit[0] != '\0' ? ", " : "", panels->x_unit);
    fputs("set format x '%h'\nset xlabel ", script);
    gnuplot_quoted(script, label);
    fputc('\n', script);
    free(label);
}

static void print_panels(FILE *script, const Panels *panels, const Figure *figure, int height)
{
    int top = figure->title != NULL ? TITLE : 12;
    fprintf(script,
            "unset key\nset multiplot\nset lmargin at screen %.5f\nset rmargin at screen %.5f\n",
            (double)LEFT / WIDTH, 1.0 - (double)RIGHT / WIDTH);
    if (figure->title != NULL) {
        fputs("set label 1 ", script);
        gnuplot_quoted(script, figure->title);
        fprintf(script, " at screen 0.5,%.5f center font 'DejaVu Sans,14'\n", 1.0 - 18.0 / height);
    }
    for (int i = 0; i < panels->count; ++i) {
        const Panel *panel = &panels->panels[i];
        const int plot = panels->count == 1 ? plot_height(panel) + PANEL : plot_height(panel);
        top += key_height(panel);
        const double upper = 1.0 - (double)top / height;
        const double lower = 1.0 - (double)(top + plot) / height;
        fprintf(script, "set tmargin at screen %.5f\nset bmargin at screen %.5f\n", upper, lower);
        print_upright_label(script, panel->modes ? "" : panel->label, 0.5 * (upper + lower));
        print_key(script, panel, top, height);
        print_axes(script, panels, panel, i == panels->count - 1);
        print_curves(script, panel);
        fputs("unset label 1\n", script);
        top += plot + GAP;
    }
    fputs("unset multiplot\nunset output\n", script);
}

typedef struct Whole {
    const Panels *panels;
    const Figure *figure;
    int height;
} Whole;

static void print_script(FILE *script, const void *context)
{
    const Whole *whole = context;
    const Panels *panels = whole->panels;
    const char *range = whole->figure->range;
    for (int i = 0; i < panels->recording_count; ++i) print_data(script, &panels->recordings[i], i);
    if (range != NULL)
        fprintf(script, "set xrange [%s]\n", range);
    else
        fputs("set autoscale xfix\n", script);
    print_panels(script, panels, whole->figure, whole->height);
}

// ---- running it ---------------------------------------------------------------------------------

bool gnuplot_makes(const char *path)
{
    if (format_has_ending(path, ".svg") || format_has_ending(path, ".png") ||
        format_has_ending(path, ".pdf"))
        return true;
    terminal_error("cannot infer the format from '%s'; it must end in .svg, .png or .pdf", path);
    return false;
}

static bool is_empty(const char *path)
{
    struct stat about;
    return stat(path, &about) != 0 || about.st_size == 0;
}

static void print_start(FILE *script, const char *path, const char *partial, int height)
{
    print_terminal(script, path, height);
    fputs("set output ", script);
    gnuplot_quoted(script, partial);
    fputc('\n', script);
    print_style(script);
}

static int run(const char *path, const char *partial, int height,
               void (*print)(FILE *script, const void *context), const void *context)
{
    signal(SIGPIPE, SIG_IGN); // gnuplot may end before it has read all
    FILE *script = popen("gnuplot", "w");
    if (script == NULL) {
        terminal_error("cannot run gnuplot: %s", strerror(errno));
        return CODE_FILE;
    }
    print_start(script, path, partial, height);
    print(script, context);
    const int status = pclose(script);
    if (status != 0 || is_empty(partial)) {
        terminal_error("gnuplot did not draw %s", path);
        return CODE_FILE;
    }
    return CODE_GOOD;
}

int gnuplot_run(const char *path, int height, void (*print)(FILE *script, const void *context),
                const void *context)
{
    Output output;
    if (!output_open(&output, path)) return CODE_FILE;
    const int code = run(path, sti_draft_name(output.draft), height, print, context);
    if (code == CODE_GOOD) return output_close(&output, true);
    output_abandon(&output);
    return code;
}

int gnuplot_draw(const Panels *panels, const Figure *figure)
{
    const Whole whole = {panels, figure, figure_height(panels, figure)};
    return gnuplot_run(figure->path, whole.height, print_script, &whole);
}
