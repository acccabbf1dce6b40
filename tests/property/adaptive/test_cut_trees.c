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
#include "support/near.h"
#include "support/random_trees.h"
#include "support/short.h"

// Errors over 60 ms, of which the finite-time rule makes 1e-3 to 1e-1. Where changes fall together they move
// each other, and a correction of the whole trial does not know when: that makes the worst of them.
static const struct {
    TreeOptions tree;
    double median, most;
} kinds[] = {
    {{.least = 2, .most = 12, .driven = true}, 1e-9, 1e-5},
    {{.least = 2, .most = 12, .jumps = true, .driven = true}, 1e-9, 1e-5},
    {{.least = 16, .most = TREE_MOST, .driven = true}, 5e-6, 1e-3},
    {{.least = 16, .most = TREE_MOST, .chain = true}, 1e-6, 1e-3},
    {{.least = 16, .most = TREE_MOST, .chain = true, .jumps = true}, 1e-6, 1e-3},
    {{.least = 16, .most = TREE_MOST, .chain = true, .planar = true}, 1e-9, 1e-7},
    {{.least = 16, .most = TREE_MOST, .planar = true, .driven = true}, 1e-6, 1e-4},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

typedef struct Told {
    double error;       // largest, of positions and of velocities times the step
    int others, joints; // that stick in one run only; compared
    long events, together, fallbacks, unsettled;
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
    told->fallbacks += figures.fallbacks;
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
    enum { SETS = 12, STEPS = 60 };
    const int sets = (int)steps_or(SETS, 3);
    for (int kind = 0; kind < KINDS; ++kind) {
        double errors[SETS];
        Told sum = {0};
        for (int i = 0; i < sets; ++i) {
            const Told told = follow(100u + (uint64_t)i, &kinds[kind].tree, 1e-3, STEPS);
            errors[i] = told.error;
            sum.others += told.others;
            sum.joints += told.joints;
            sum.events += told.events;
            sum.together += told.together;
            sum.fallbacks += told.fallbacks;
            sum.unsettled += told.unsettled;
        }
        qsort(errors, (size_t)sets, sizeof errors[0], by_size);
        print_message("%d: median %.1e, most %.1e; %d of %d joints stick in one only; %ld events, "
                      "%ld together, %ld fallbacks\n",
                      kind, errors[sets / 2], errors[sets - 1], sum.others, sum.joints, sum.events,
                      sum.together, sum.fallbacks);
        assert_true(sum.events > 2 * sets && sum.fallbacks == 0 && sum.unsettled == 0);
        assert_true(errors[sets / 2] < kinds[kind].median && errors[sets - 1] < kinds[kind].most);
        assert_true(500 * sum.others < sum.joints);
    }
}

// To rounding, which grows with the motion.
static void a_mirrored_tree_moves_in_the_same_way(void **state)
{
    (void)state;
    const int sets = (int)steps_or(6, 2);
    for (int kind = 0; kind < KINDS; ++kind)
        for (int i = 0; i < sets; ++i) {
            TreeOptions options = kinds[kind].tree;
            const RandomTree tree = random_tree(300u + (uint64_t)i, &options);
            options.mirrored = true;
            const RandomTree other = random_tree(300u + (uint64_t)i, &options);
            Built a = build_cut(&tree, 1e-3), b = build_cut(&other, 1e-3);
            for (int k = 0; k < 40; ++k) {
                assert_steps(&a, NULL);
                assert_steps(&b, NULL);
                assert_int_equal(sti_scratch_figures(a.scratch).events,
                                 sti_scratch_figures(b.scratch).events);
            }
            for (int k = 0; k < a.network->x_count; ++k)
                assert_near(a.state->values[k], b.state->values[k], 1e-8);
            release(&a);
            release(&b);
            sti_robot_destroy(tree.robot);
            sti_robot_destroy(other.robot);
        }
}

// Without motors friction only takes: what the method itself gives is far below what friction takes.
static void energy_goes_down(void **state)
{
    (void)state;
    enum { STEPS = 100 };
    const int sets = (int)steps_or(12, 2);
    for (int kind = 0; kind < KINDS; ++kind)
        for (int i = 0; i < sets; ++i) {
            TreeOptions options = kinds[kind].tree;
            options.driven = false;
            const RandomTree tree = random_tree(500u + (uint64_t)i, &options);
            Built built = build_cut(&tree, 1e-3);
            double *workspace =
                test_calloc((size_t)sti_robot_workspace(tree.robot), sizeof(double));
            const double *q = built.state->values, *v = q + tree.count;
            const double first = random_tree_energy(&tree, q, v, workspace);
            double last = first, risen = 0.0;
            for (int k = 0; k < STEPS; ++k) {
                assert_steps(&built, NULL);
                const double energy = random_tree_energy(&tree, q, v, workspace);
                risen = fmax(risen, energy - last);
                last = energy;
            }
            assert_true(last < first && risen < 1e-5 * (first - last));
            test_free(workspace);
            release(&built);
            sti_robot_destroy(tree.robot);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(motion_is_that_of_error_control),
                                       cmocka_unit_test(a_mirrored_tree_moves_in_the_same_way),
                                       cmocka_unit_test(energy_goes_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
