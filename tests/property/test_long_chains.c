// Long chains that break loose: many joints change in most steps, and a step costs a bounded number of
// evaluations and trials, each of them linear in the number of links.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <sys/resource.h>

#include "../unit/network/built.h"
#include "network/network.h"
#include "support/plan.h"
#include "support/short.h"

static StiRobot *chain(int n)
{
    StiLink *links = test_calloc((size_t)n, sizeof *links);
    char(*names)[16] = test_calloc((size_t)n, sizeof *names);
    for (int i = 0; i < n; ++i) {
        snprintf(names[i], sizeof names[i], "link%d", i);
        links[i] = (StiLink){.name = names[i],
                             .joint_name = names[i],
                             .parent = i - 1,
                             .joint = STI_JOINT_REVOLUTE,
                             .placement = {.p = {i > 0 ? 0.1 : 0.0, 0.0, 0.0}},
                             .axis = {0.0, 1.0, 0.0},
                             .mass = 0.1,
                             .centre = {0.05, 0.0, 0.0},
                             .inertia = {1e-6, 0.001 / 12.0, 0.001 / 12.0}};
    }
    StiRobot *robot = sti_robot_create(links, n, NULL);
    assert_non_null(robot);
    test_free(links);
    test_free(names);
    return robot;
}

static Built released(const StiRobot *robot, double level_static, double step)
{
    StiPlan *plan = plan_in_stages();
    const StiAdmittanceId body =
        sti_plan_add_admittance(plan, "chain", &sti_kind_robot, &(StiRobotBody){.robot = robot});
    for (int i = 0; i < sti_robot_links(robot); ++i) {
        char name[24];
        snprintf(name, sizeof name, "friction%04d", i);
        add_rule(plan, name, sti_wire_joint(body, robot, i), sti_law_coulomb(0.01), level_static);
    }
    sti_plan_set_gravity(plan, sti_vec3(0.0, 0.0, -9.81));
    sti_plan_set_step(plan, step);
    sti_plan_set_method(plan, &sti_method_cut);
    return build_and_destroy(plan);
}

typedef struct Work {
    long events, together, evaluations, most_evaluations, trials;
} Work;

static Work run(Built *built, int steps)
{
    Work work = {0};
    for (int k = 0; k < steps; ++k) {
        assert_steps(built, NULL);
        const StiStepFigures figures = sti_scratch_figures(built->scratch);
        assert_int_equal(figures.fallbacks, 0);
        assert_int_equal(figures.unsettled_joints, 0);
        work.events += figures.events;
        work.together += figures.together;
        work.evaluations += figures.evaluations;
        work.trials += figures.trials;
        if (figures.evaluations > work.most_evaluations)
            work.most_evaluations = figures.evaluations;
    }
    return work;
}

static void steps_stay_linear(void **state)
{
    (void)state;
    static const int sizes[] = {50, 200, 600};
    static const double level_static[] = {0.0, 0.012};
    const int steps = (int)steps_or(200, 60);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i)
        for (int jumps = 0; jumps < 2; ++jumps) {
            StiRobot *robot = chain(sizes[i]);
            Built built = released(robot, level_static[jumps], 1e-3);
            const Work work = run(&built, steps);
            print_message("%d links: %.1f evaluations per step, at most %ld, %.1f trials; %ld "
                          "events, %ld pieces together\n",
                          sizes[i], (double)work.evaluations / steps, work.most_evaluations,
                          (double)work.trials / steps, work.events, work.together);
            assert_true(work.events > steps / 4 && work.together > 0);
            assert_true(work.evaluations < 14 * steps && work.most_evaluations < 100);
            assert_true(work.trials < 30 * steps);
            release(&built);
            sti_robot_destroy(robot);
        }
}

// Against steps so short that few joints change in one: the rule is off by 1e-3.
static void what_falls_together_is_right(void **state)
{
    (void)state;
    enum { N = 100, SHORTER = 20 };
    const int steps = (int)steps_or(100, 20);
    StiRobot *robot = chain(N);
    Built whole = released(robot, 0.0, 1e-3), parts = released(robot, 0.0, 1e-3 / SHORTER);
    const Work work = run(&whole, steps);
    run(&parts, SHORTER * steps);
    double worst = 0.0;
    for (int i = 0; i < N; ++i)
        worst = fmax(worst, fabs(whole.state->values[i] - parts.state->values[i]));
    print_message("worst angle off by %.1e rad, %ld pieces together\n", worst, work.together);
    assert_true(worst < 2e-5 && work.together > steps / 10);
    release(&whole);
    release(&parts);
    sti_robot_destroy(robot);
}

// Both counts of energy agree, and the method gives or takes little beside friction.
static void the_books_close(void **state)
{
    (void)state;
    StiRobot *robot = chain(100);
    Built built = released(robot, 0.0, 1e-3);
    StiRecorder *recorder = sti_recorder_create(built.network);
    double last = 0.0;
    assert_int_equal(sti_recorder_begin(recorder, built.state, NULL, built.scratch), STI_OK);
    for (int k = 0; k < steps_or(200, 40); ++k) {
        assert_steps(&built, NULL);
        assert_int_equal(sti_recorder_follow(recorder, built.state, built.scratch), STI_OK);
        const double dissipated = sti_recorder_energy(recorder).dissipated;
        assert_true(dissipated > last - 1e-9);
        last = dissipated;
    }
    const StiEnergy energy = sti_recorder_energy(recorder);
    print_message("dissipated %.3g J, by the method %.2g J, residual %.2g J\n", energy.dissipated,
                  energy.numerical, energy.residual);
    assert_true(energy.dissipated > 1e-3 && fabs(energy.residual) < 1e-11);
    assert_true(fabs(energy.numerical) < 1e-2 * energy.dissipated);
    sti_recorder_destroy(recorder);
    release(&built);
    sti_robot_destroy(robot);
}

// What reactions on one body know of each other is kept once: pair by pair it were 950 MB.
static void ten_thousand_links_are_few(void **state)
{
    (void)state;
    const int count = (int)steps_or(10000, 500);
    StiRobot *robot = chain(count);
    Built built = released(robot, 0.015, 1e-4);
    for (int k = 0; k < 3; ++k) assert_steps(&built, NULL);
    assert_int_equal(built.network->reactions[0].neighbour_count, count);
    assert_ptr_equal(built.network->reactions[0].neighbours,
                     built.network->reactions[count - 1].neighbours);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    print_message("%d links: %ld MB\n", count, usage.ru_maxrss / 1024);
    assert_true(usage.ru_maxrss / 1024 < 200);
    release(&built);
    sti_robot_destroy(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ten_thousand_links_are_few),
                                       cmocka_unit_test(steps_stay_linear),
                                       cmocka_unit_test(the_books_close),
                                       cmocka_unit_test(what_falls_together_is_right)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
