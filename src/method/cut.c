#include "stiction/kind.h"
#include "stiction/method.h"

static const StiExplanation explanation = {
    .equations = "each step in pieces: within a piece stick and slip are fixed,\n"
                 "a step in which one of them ends is cut there\n",
    .use = "The default of scenes. Order 4 in stick, in slip and across the changes, without "
           "drift. About one piece a step. With contacts a step is cut at impacts and "
           "openings, too; one that cannot be cut is taken by the solver and counted. "
           "karnopp, quinn and other models for one evaluation a step cannot run under it.",
    .source = "docs/methods.md; rk4-split for rigid friction along one axis, ark4 for "
              "elastic and planar friction.",
};

const StiMethod sti_method_cut = {
    .table_size = sizeof(StiMethod),
    .name = "cut",
    .summary = "order 4 in stick, in slip and across: rk4-split, or ark4 for elastic and planar "
               "friction",
    .stages = 4,
    .order = 4,
    .A = {{0.0}, {0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}},
    .b = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0},
    .c = {0.0, 0.5, 0.5, 1.0},
    .cuts = true,
    .AI = {{0.0}, {0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}},
    .stiff = "ark4",
    .explanation = &explanation,
};
