#include "terminal/verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <stiction/measure.h>

#include "terminal/terminal.h"
#include "terminal/text.h"

// Quantity, expected, from, measured, tolerance, verdict: 80 columns.
enum { WHAT = 29, NUMBER = 12, FROM = 8, TOLERANCE = 8 };

void verdict_header(void)
{
    printf("  %s%-*s %*s %-*s %*s %*s%s\n", terminal_ink(stdout, INK_BOLD), WHAT, "quantity",
           NUMBER, "expected", FROM, "from", NUMBER, "measured", TOLERANCE, "within",
           terminal_ink(stdout, INK_PLAIN));
}

// Breaks a long text at a space; all lines but the last stand alone.
static const char *print_all_but_last_line(const char *what)
{
    while ((int)strlen(what) > WHAT) {
        int length = WHAT;
        while (length > 0 && what[length] != ' ') --length;
        if (length == 0) return what; // one long word: the columns shift
        printf("  %.*s\n", length, what);
        what += length + 1;
    }
    return what;
}

static const char *expected_text(char text[NUMBER_SIZE], const StiExpectation *e)
{
    char number[NUMBER_SIZE];
    static const char *const signs[] = {[STI_NEAR] = "", [STI_UNDER] = "<= ", [STI_OVER] = ">= "};
    const char *sign = signs[e->relation];
    snprintf(text, NUMBER_SIZE, "%s%.28s", sign,
             text_number(number, e->value, NUMBER - (int)strlen(sign)));
    return text;
}

static void print_row(const StiExpectation *e, double measured, bool holds, bool judged)
{
    const Ink ink = holds ? INK_GOOD : judged ? INK_BAD : INK_PLAIN;
    char expected[NUMBER_SIZE], number[NUMBER_SIZE], tolerance[NUMBER_SIZE] = "";
    const char *what = print_all_but_last_line(e->what);
    if (e->relation == STI_NEAR) snprintf(tolerance, sizeof tolerance, "%.3g", e->tolerance);
    printf("  %-*s %*s %-*s %*s %*s %s%s%s\n", WHAT, what, NUMBER, expected_text(expected, e), FROM,
           e->from, NUMBER, text_number(number, measured, NUMBER), TOLERANCE, tolerance,
           terminal_ink(stdout, ink),
           holds    ? "ok"
           : judged ? "FAIL"
                    : "off",
           terminal_ink(stdout, INK_PLAIN));
    if (holds || !judged) return;
    if (isnan(measured))
        printf("    there is nothing to measure: it never came, or not in this run\n");
    else
        printf("    off by %.3g\n", fabs(measured - e->value));
}

void verdict_rows(const StiScene *scene, const double *measured, Show show, Verdicts *sums)
{
    for (int i = 0; i < scene->expectation_count; ++i) {
        const bool holds = sti_expectation_holds(&scene->expectations[i], measured[i]);
        if (!holds || show != SHOW_FAILED)
            print_row(&scene->expectations[i], measured[i], holds, show != SHOW_UNJUDGED);
        if (holds)
            ++sums->held;
        else
            ++sums->failed;
    }
}
