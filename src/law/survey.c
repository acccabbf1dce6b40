// What a law does over all speeds, for checks. The steepest fall of built-in kinds is exact.
#include <float.h>
#include <math.h>

#include "law/shape.h"
#include "stiction/elementary.h"

enum { PER_DECADE = 32, DECADES = 13, GRID = PER_DECADE * DECADES + 1, SIGNALS = 32 };

// From 1e-9 to 1e4 m/s.
static double grid_speed(int i) { return sti_pow(10.0, -9.0 + (double)i / PER_DECADE); }

typedef struct View {
    const StiLaw *law;
    double direction;
    double signals[SIGNALS]; // load and scales 1, a kind's own signals 0
} View;

static double level(const View *view, double speed)
{
    return sti_law_level(view->law, speed, view->direction, view->signals);
}

// The fastest speed that is not part of a rise without end (viscosity).
static double last_speed_before_rise(const View *view)
{
    double above = level(view, grid_speed(GRID - 1));
    for (int i = GRID - 2; i >= 0; --i) {
        const double here = level(view, grid_speed(i));
        if (above <= here * (1.0 + 4.0 * DBL_EPSILON)) return grid_speed(i + 1);
        above = here;
    }
    return 0.0;
}

static void visit(const View *view, double speed, double end, StiLawSurvey *survey)
{
    const double here = level(view, speed);
    const double slope = sti_law_slope(view->law, speed, view->direction, view->signals);
    survey->lowest = fmin(survey->lowest, here);
    survey->steepest_fall = fmax(survey->steepest_fall, -slope);
    survey->steepest_rise = fmax(survey->steepest_rise, slope);
    if (speed <= end) survey->highest = fmax(survey->highest, here);
}

static void survey_direction(const View *view, StiLawSurvey *survey)
{
    const double end = last_speed_before_rise(view);
    survey->at_rest = fmax(survey->at_rest, level(view, 0.0));
    visit(view, 0.0, end, survey);
    for (int i = 0; i < GRID; ++i) visit(view, grid_speed(i), end, survey);
    for (int i = 0; i < view->law->table_points; ++i) visit(view, view->law->table[i], end, survey);
    if (view->law->kind->steepest != NULL)
        visit(view, view->law->kind->steepest(view->law), end, survey);
}

// A directional law: the worst of both directions.
StiLawSurvey sti_law_survey(const StiLaw *law)
{
    StiLawSurvey survey = {.lowest = INFINITY};
    View view = {.law = law, .direction = 1.0};
    if (sti_law_signals(law) > SIGNALS) return (StiLawSurvey){0};
    for (int i = 0; i < sti_law_signals(law) - law->kind->signals; ++i) view.signals[i] = 1.0;
    if (law->kind->constant) {
        const double same = level(&view, 0.0);
        return (
            StiLawSurvey){.at_rest = fmax(same, 0.0), .lowest = same, .highest = fmax(same, 0.0)};
    }
    survey_direction(&view, &survey);
    view.direction = -1.0;
    if (law->kind->directional) survey_direction(&view, &survey);
    return survey;
}
