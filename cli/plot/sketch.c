#include "plot/sketch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "terminal/terminal.h"
#include "terminal/text.h"

enum {
    MOST_CURVES = 6,
    MOST_BANDS = 4,
    LABEL = 12, // characters left of a plot, at least
    WIDE_LABEL = 24,
    WIDEST = 120,   // characters of a line
    FEWEST = 40,    // below this nothing is drawn
    CURVE_ROWS = 4, // lines of text
    DOTS = 4        // of a character of braille, one above the other; two side by side
};

// What one column of dots has seen.
typedef struct Span {
    bool any;
    double first, last, least, greatest;
} Span;

typedef struct Trace {
    int channel; // of the network
    Span *spans;
} Trace;

struct Sketch {
    int label, width; // characters left of a plot, and of the plot
    int curve_count, band_count;
    Trace curves[MOST_CURVES];
    Trace bands[MOST_BANDS];
    const Sticking *sticking; // of the bands
};

// Without a locale, which containers lack, UTF-8 is likely.
static bool shows_unicode(void)
{
    const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (int i = 0; i < 3; ++i) {
        const char *value = getenv(names[i]);
        if (value == NULL || value[0] == '\0') continue;
        return strstr(value, "UTF-8") != NULL || strstr(value, "utf8") != NULL ||
               strstr(value, "utf-8") != NULL;
    }
    return true;
}

static int line_width(void)
{
    struct winsize size = {0};
    const char *columns = getenv("COLUMNS");
    int width = 80;
    if (ioctl(fileno(stdout), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        width = size.ws_col;
    else if (columns != NULL && atoi(columns) > 0)
        width = atoi(columns);
    return width < WIDEST ? width : WIDEST;
}

static bool is_wanted(const Session *session, int width)
{
    const char *type = getenv("TERM");
    return terminal_is(stdout) && (type == NULL || strcmp(type, "dumb") != 0) && shows_unicode() &&
           width >= FEWEST && session->scene->steps > 0;
}

static void add_trace(Trace *traces, int *count, int channel, int width)
{
    traces[(*count)++] =
        (Trace){.channel = channel, .spans = take((size_t)width * 2, sizeof(Span))};
}

// Room for the names of the bands.
static int label_width(const Session *session)
{
    int width = LABEL;
    for (int i = 0; i < session->sticking_count && i < MOST_BANDS; ++i) {
        const int needed = session->sticking[i].name_length + 2;
        if (needed > width) width = needed;
    }
    return width < WIDE_LABEL ? width : WIDE_LABEL;
}

Sketch *sketch_create(const Session *session)
{
    const int width = line_width();
    if (!is_wanted(session, width)) return NULL;
    Sketch *sketch = take(1, sizeof *sketch);
    const int label = label_width(session);
    *sketch = (Sketch){.label = label, .width = width - label - 1, .sticking = session->sticking};
    for (int i = 0; i < session->scene->record_count; ++i) {
        int length;
        if (sketch->curve_count < MOST_CURVES &&
            !channels_is_stick(session->scene->record[i], &length))
            add_trace(sketch->curves, &sketch->curve_count, session->recorded[i], sketch->width);
    }
    for (int i = 0; i < session->sticking_count && i < MOST_BANDS; ++i)
        add_trace(sketch->bands, &sketch->band_count, session->sticking[i].number, sketch->width);
    return sketch;
}

void sketch_destroy(Sketch *sketch)
{
    if (sketch == NULL) return;
    for (int i = 0; i < sketch->curve_count; ++i) free(sketch->curves[i].spans);
    for (int i = 0; i < sketch->band_count; ++i) free(sketch->bands[i].spans);
    free(sketch);
}

static void widen(Span *span, double value)
{
    if (!span->any) *span = (Span){true, value, value, value, value};
    span->last = value;
    if (value < span->least) span->least = value;
    if (value > span->greatest) span->greatest = value;
}

void sketch_row(Sketch *sketch, const Session *session)
{
    if (sketch == NULL) return;
    const double share = (double)sti_state_k(session->state) / (double)session->scene->steps;
    const int last = 2 * sketch->width - 1, column = (int)(share * last + 0.5);
    for (int i = 0; i < sketch->curve_count; ++i)
        widen(&sketch->curves[i].spans[column],
              sti_recorder_value(session->recorder, sketch->curves[i].channel));
    for (int i = 0; i < sketch->band_count; ++i)
        widen(&sketch->bands[i].spans[column],
              sti_recorder_value(session->recorder, sketch->bands[i].channel));
}

// ---- drawing ------------------------------------------------------------------------------------

// Gaps between the steps of a short run are bridged by straight lines, jumps by upright ones.
static void join(Span *spans, int count)
{
    int before = -1;
    for (int i = 0; i < count; ++i) {
        if (!spans[i].any) continue;
        for (int k = before + 1; before >= 0 && k < i; ++k) {
            const double share = (double)(k - before) / (double)(i - before);
            widen(&spans[k], spans[before].last + share * (spans[i].first - spans[before].last));
        }
        before = i;
    }
    for (int i = 1; i < count; ++i)
        if (spans[i].any && spans[i - 1].any) {
            const double meeting = 0.5 * (spans[i - 1].last + spans[i].first);
            if (meeting < spans[i].least) spans[i].least = meeting;
            if (meeting > spans[i].greatest) spans[i].greatest = meeting;
            if (meeting < spans[i - 1].least) spans[i - 1].least = meeting;
            if (meeting > spans[i - 1].greatest) spans[i - 1].greatest = meeting;
        }
}

static Span extent_of(const Span *spans, int count)
{
    Span extent = {0};
    for (int i = 0; i < count; ++i) {
        if (!spans[i].any) continue;
        widen(&extent, spans[i].least);
        widen(&extent, spans[i].greatest);
    }
    return extent;
}

// Row of dots, from the top.
static int height_of(double value, const Span *extent)
{
    enum { TALLEST = CURVE_ROWS * DOTS - 1 };
    const double range = extent->greatest - extent->least;
    if (!(range > 0.0) || !isfinite(range)) return DOTS / 2;
    return (int)((extent->greatest - value) / range * TALLEST + 0.5);
}

// One character of three bytes: U+2800 and one bit for each dot.
static void print_braille(unsigned dots)
{
    putchar(0xe2);
    putchar((int)(0xa0 | dots >> 6));
    putchar((int)(0x80 | (dots & 0x3f)));
}

static unsigned dots_at(const Span *spans, const Span *extent, int column, int row)
{
    static const unsigned bits[2][DOTS] = {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}};
    unsigned dots = 0;
    for (int side = 0; side < 2; ++side) {
        const Span *span = &spans[2 * column + side];
        if (!span->any) continue;
        const int top = height_of(span->greatest, extent), end = height_of(span->least, extent);
        for (int dot = 0; dot < DOTS; ++dot)
            if (row * DOTS + dot >= top && row * DOTS + dot <= end) dots |= bits[side][dot];
    }
    return dots;
}

static void print_label(int width, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.4g", value + 0.0); // no -0
    printf("%*s", width, text);
}

static void print_curve(const Sketch *sketch, const Trace *trace, const StiChannel *channel)
{
    const int columns = 2 * sketch->width;
    const Span extent = extent_of(trace->spans, columns);
    join(trace->spans, columns);
    const int rows = extent.greatest > extent.least ? CURVE_ROWS : 1;
    printf("  %s%s%s%s%s\n", terminal_ink(stdout, INK_BOLD), channel->name,
           terminal_ink(stdout, INK_PLAIN), channel->unit[0] != '\0' ? ", " : "", channel->unit);
    for (int row = 0; row < rows; ++row) {
        if (row == 0 || row == rows - 1)
            print_label(sketch->label - 1, row == 0 ? extent.greatest : extent.least);
        else
            printf("%*s", sketch->label - 1, "");
        printf("\u2524%s", terminal_ink(stdout, INK_NOTE));
        for (int i = 0; i < sketch->width; ++i)
            print_braille(dots_at(trace->spans, &extent, i, row));
        printf("%s\n", terminal_ink(stdout, INK_PLAIN));
    }
}

// Stuck, slipping, or both within the time of one character.
static const char *band_sign(const Span *span)
{
    if (!span[0].any && !span[1].any) return " ";
    const Span *known = span[0].any ? span : span + 1, *other = span[1].any ? span + 1 : span;
    const double least = fmin(known->least, other->least);
    const double greatest = fmax(known->greatest, other->greatest);
    return least >= 1.0 ? "\u2588" : greatest <= 0.0 ? "\u2591" : "\u2593";
}

static void print_band(const Sketch *sketch, int number)
{
    const Sticking *sticking = &sketch->sticking[number];
    Span *spans = sketch->bands[number].spans;
    int length = sticking->name_length;
    const char *name = sticking->channel;
    if (length > sketch->label - 2) { // its end says more than its beginning
        name += length - (sketch->label - 3);
        length = sketch->label - 3;
        printf(" \u2026%.*s ", length, name);
    } else
        printf("%*.*s ", sketch->label - 1, length, name);
    for (int i = 1; i < 2 * sketch->width; ++i) // a state lasts until the next step
        if (!spans[i].any && spans[i - 1].any) widen(&spans[i], spans[i - 1].last);
    for (int i = 0; i < sketch->width; ++i) fputs(band_sign(&spans[2 * i]), stdout);
    putchar('\n');
}

static void print_axis(const Sketch *sketch, const StiScene *scene)
{
    char start[32], stop[32];
    snprintf(start, sizeof start, "%g s", scene->start);
    snprintf(stop, sizeof stop, "%g s", scene->stop);
    printf("%*s%s%*s\n", sketch->label, "", start, sketch->width - (int)strlen(start), stop);
}

void sketch_print(const Sketch *sketch, const Session *session)
{
    if (sketch == NULL || sketch->curve_count + sketch->band_count == 0) return;
    putchar('\n');
    for (int i = 0; i < sketch->curve_count; ++i)
        print_curve(sketch, &sketch->curves[i],
                    &session->channels.channels[sketch->curves[i].channel]);
    if (sketch->band_count > 0) printf("  \u2588 stuck  \u2591 slipping\n");
    for (int i = 0; i < sketch->band_count; ++i) print_band(sketch, i);
    print_axis(sketch, session->scene);
}
