// Steps that are cut, with random trees and chains that break loose, stop and turn round, many joints in
// one step: the motion is that of error control, who sticks there sticks here, energy goes down, and a
// mirrored tree moves in the same way.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "../../unit/network/built.h"
#include "network/network.h"
#include "support/event_run.h"
#include "support/random_trees.h"
#include "support/short.h"

static const TreeOptions kinds[] = {
    {.least = 2, .most = 12, .driven = true},
    {.least = 16, .most = TREE_MOST, .driven = true},
    {.least = 16, .most = TREE_MOST, .chain = true},
    {.least = 16, .most = TREE_MOST, .chain = true, .planar = true},
    {.least = 16, .most = TREE_MOST, .planar = true, .driven = true},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

typedef struct Told {
    double error;        // largest, of positions and of velocities times the step
    int others, joints;  // that stick in one run only; compared
    long events, together, finishes, unsettled;
} Told;

static Built build_cut(const RandomTree *tree, double step)
{
    StiPlan *plan = random_tree_plan(tree, step);
    sti_plan_set_method(plan, &sti_method_cut);
    return build_and_destroy(plan);
}

static void count(const Built *built, Told *told)
{
    const StiStepFigures figures = sti_scratch_figures(built->scratch);
    told->events += figures.events;
    told->together += figures.together;
    told->finishes += figures.finishes;
    told->unsettled += figures.unsettled_joints;
}

static void compare_states(const RandomTree *tree, const StiState *a, const StiState *b,
                           double step, Told *told)
{
    const int n = tree->count;
    for (int i = 0; i < n; ++i) {
        told->error = fmax(told->error, fabs(a->values[i] - b->values[i]));
        told->error = fmax(told->error, step * fabs(a->values[n + i] - b->values[n + i]));
        if (!(tree->level[i] > 0.0)) continue;
        ++told->joints;
        told->others += (a->values[n + i] == 0.0) != (b->values[n + i] == 0.0);
    }
}

static Told follow(uint64_t seed, const TreeOptions *options, double step, int steps)
{
    const RandomTree tree = random_tree(seed, options);
    Built built = build_cut(&tree, step);
    EventRun exact;
    Told told = {0};
    event_run_begin(&exact, random_tree_plan(&tree, step), "dormand-prince", 1e-11, step * steps);
    for (int k = 0; k < steps; ++k) {
        assert_steps(&built, NULL);
        count(&built, &told);
        assert_int_equal(event_run_follow(&exact, 1), STI_OK);
        if (k % 10 == 9) compare_states(&tree, built.state, exact.state, step, &told);
    }
    event_run_end(&exact);
    release(&built);
    sti_robot_destroy(tree.robot);
    return told;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void motion_is_that_of_error_control(void **state)
{
    (void)state;
    enum { SETS = 24, STEPS = 60 };
    const int sets = (int)steps_or(SETS, 3);
    for (int kind = 0; kind < KINDS; ++kind) {
        double errors[SETS];
        Told sum = {0};
        for (int i = 0; i < sets; ++i) {
            const Told told = follow(100u + (uint64_t)i, &kinds[kind], 1e-3, STEPS);
            errors[i] = told.error;
            sum.others += told.others;
            sum.joints += told.joints;
            sum.events += told.events;
            sum.together += told.together;
            sum.finishes += told.finishes;
            sum.unsettled += told.unsettled;
        }
        qsort(errors, (size_t)sets, sizeof errors[0], by_size);
        print_message("%d: median %.1e, most %.1e; %d of %d joints stick in one only; %ld events, "
                      "%ld together, %ld finishes\n",
                      kind, errors[sets / 2], errors[sets - 1], sum.others, sum.joints, sum.events,
                      sum.together, sum.finishes);
        assert_true(sum.events > 2 * sets && sum.finishes == 0 && sum.unsettled == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(motion_is_that_of_error_control)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
