#include "terminal/progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "terminal/terminal.h"

// Short runs show nothing.
static const double first_bar = 0.3, next_bar = 0.1, first_line = 5.0, next_line = 10.0; // s

double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

Progress progress_begin(const char *label, int64_t total, bool quiet)
{
    Progress progress = {.quiet = quiet,
                         .bar = terminal_is(stderr),
                         .label = label,
                         .total = total,
                         .began = clock_now()};
    progress.due = progress.began + (progress.bar ? first_bar : first_line);
    return progress;
}

// "47 s", "3 min 20 s", "2 h 5 min"
static void print_duration(char *text, size_t size, double seconds)
{
    const long s = (long)(seconds + 0.5);
    if (s < 60)
        snprintf(text, size, "%ld s", s);
    else if (s < 3600)
        snprintf(text, size, "%ld min %ld s", s / 60, s % 60);
    else
        snprintf(text, size, "%ld h %ld min", s / 3600, s % 3600 / 60);
}

static void draw_bar(Progress *progress, double share, const char *left)
{
    enum { WIDTH = 30 };
    static const char full[] = "==============================";
    static const char empty[] = "                              ";
    const int done = (int)(share * WIDTH);
    fprintf(stderr, "\r%-24.24s [%.*s%.*s] %3d %%  %s left\033[K", progress->label, done, full,
            WIDTH - done, empty, (int)(100.0 * share), left);
    fflush(stderr);
    progress->drawn = true;
}

void progress_show(Progress *progress, int64_t done, double now)
{
    if (progress->quiet || now < progress->due || done <= 0) return;
    char left[48];
    const double share = (double)done / (double)progress->total;
    print_duration(left, sizeof left, (now - progress->began) * (1.0 - share) / share);
    if (progress->bar)
        draw_bar(progress, share, left);
    else
        fprintf(stderr, "%s: %d %% done, %s left\n", progress->label, (int)(100.0 * share), left);
    progress->due = now + (progress->bar ? next_bar : next_line);
}

void progress_end(Progress *progress)
{
    if (progress->drawn) fputs("\r\033[K", stderr);
    progress->drawn = false;
}
