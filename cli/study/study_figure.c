// Work-precision and convergence figures.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/gnuplot.h"
#include "study/study.h"
#include "terminal/text.h"

typedef struct Lines {
    const Results *results;
    const char *title;
    bool over_time;
} Lines;

static double abscissa(const Lines *lines, const Result *row)
{
    if (lines->over_time) return row->seconds;
    return row->adaptive ? NAN : row->size;
}

static bool has_points(const Lines *lines, int first)
{
    const Results *all = lines->results;
    for (int i = first; i < all->count && (i == first || !results_begin_line(all, i)); ++i)
        if (abscissa(lines, &all->rows[i]) > 0.0 && all->rows[i].error.end > 0.0) return true;
    return false;
}

// An error of exactly 0 has no place on a logarithmic axis.
static void print_data(FILE *script, const Lines *lines)
{
    const Results *all = lines->results;
    int number = 0;
    fputs("$lines << EOD\n", script);
    for (int first = 0; first < all->count; ++first) {
        if (!results_begin_line(all, first) || !has_points(lines, first)) continue;
        if (number++ > 0) fputs("\n\n", script); // a further index
        for (int i = first; i < all->count && (i == first || !results_begin_line(all, i)); ++i) {
            const double x = abscissa(lines, &all->rows[i]), error = all->rows[i].error.end;
            if (x > 0.0 && error > 0.0) fprintf(script, "%.9g %.9g\n", x, error);
        }
    }
    fputs("EOD\n", script);
}

static bool several_models(const Results *all)
{
    for (int i = 1; i < all->count; ++i)
        if (strcmp(all->rows[i].model, all->rows[0].model) != 0) return true;
    return false;
}

static void print_plot(FILE *script, const Lines *lines)
{
    const Results *all = lines->results;
    const bool models = several_models(all);
    int number = 0;
    fputs("plot ", script);
    for (int i = 0; i < all->count; ++i) {
        const Result *row = &all->rows[i];
        if (!results_begin_line(all, i) || !has_points(lines, i)) continue;
        char *title = text_new("%s%s%s", models ? row->model : "", models ? ", " : "", row->method);
        fprintf(script, "%s$lines index %d with linespoints lt %d pt %d ps 0.7 title ",
                number > 0 ? ", " : "", number, number + 1, 1 + number % 13);
        gnuplot_quoted(script, title);
        free(title);
        ++number;
    }
    fputs(number > 0 ? "\n" : "NaN notitle\n", script);
}

static void print_script(FILE *script, const void *context)
{
    const Lines *lines = context;
    char *label =
        text_new("error at the end, hypot(positions, velocities/%g)", lines->results->scale);
    print_data(script, lines);
    if (lines->title != NULL) {
        fputs("set title ", script);
        gnuplot_quoted(script, lines->title);
        fputc('\n', script);
    }
    fprintf(script, "set logscale xy\nset format xy '%%.0e'\nset xlabel '%s'\nset ylabel ",
            lines->over_time ? "CPU time, s" : "step, s");
    gnuplot_quoted(script, label);
    fputs("\nset key outside right top\nset mxtics 10\nset mytics 10\n", script);
    print_plot(script, lines);
    fputs("unset output\n", script);
    free(label);
}

int results_draw(const Results *results, const char *title, const char *path, bool over_time)
{
    enum { HEIGHT = 560 };
    const Lines lines = {results, title, over_time};
    return gnuplot_run(path, HEIGHT, print_script, &lines);
}
