// Modes of many joints at once: efforts within their bounds, velocities that agree with them, and both
// with the inertia, judged by a factor of it that knows nothing of modes.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "../network/built.h"
#include "network/network.h"
#include "events/joint_modes.h"
#include "support/near.h"
#include "support/random_trees.h"
#include "support/short.h"

static const double T = 1e-3;

static void random_problem(Random *random, const StiNetwork *network, JointData *data)
{
    for (int k = 0; k < network->generalized_count; ++k) {
        JointBounds *joint = &data->joints[k];
        const double middle = random_between(random, -0.5, 0.5);
        const double half = random_below(random, 8) == 0 ? 0.0 : random_decades(random, 0.01, 1.0);
        const int first = random_below(random, 3) - 1;
        data->v[k] = random_below(random, 3) == 0 ? 0.0 : random_between(random, -0.1, 0.1);
        data->tau[k] = random_between(random, -2.0, 2.0);
        joint->sought = joint->reaction >= 0;
        joint->low = joint->forward = middle - half;
        joint->high = joint->backward = middle + half;
        joint->sense = random_below(random, 2) == 0 ? AXIS_FORWARD : AXIS_FREE;
        joint->slope = 0.01;
        joint->at = 0.0;
        sti_joint_set_mode(data, k, joint->sought ? (AxisMode)first : AXIS_FREE);
    }
    memset(data->applied, 0, (size_t)network->link_count * sizeof *data->applied);
}

static void check_friction(const JointData *data, int k)
{
    const JointBounds *joint = &data->joints[k];
    const AxisEnd *end = &data->ends[k];
    const double v = end->v, small = 1e-9;
    const double extra = joint->sense == AXIS_FORWARD && v > 0.0 ? joint->slope * v : 0.0;
    if (!joint->sought) {
        assert_true(end->effort == 0.0);
    } else if (v == 0.0) {
        assert_true(end->effort > joint->low - small && end->effort < joint->high + small);
    } else {
        assert_near(end->effort, v > 0.0 ? joint->forward - extra : joint->backward, small);
    }
}

static void check_motion(const RandomTree *tree, const JointData *data, double *prepared)
{
    double effort[TREE_MOST], dv[TREE_MOST], scale = 1.0;
    assert_int_equal(sti_robot_prepare(tree->robot, tree->q, NULL, NULL, prepared), STI_OK);
    for (int k = 0; k < tree->count; ++k) effort[k] = data->tau[k] + data->ends[k].effort;
    sti_robot_respond(tree->robot, prepared, effort, NULL, dv);
    for (int k = 0; k < tree->count; ++k) scale = fmax(scale, fabs(dv[k]));
    for (int k = 0; k < tree->count; ++k)
        assert_near((data->ends[k].v - data->v[k]) / T, dv[k], 1e-7 * scale);
}

static void all_agree(void **state)
{
    (void)state;
    const TreeOptions options[] = {{.least = 1, .most = 8},
                                   {.least = 16, .most = TREE_MOST},
                                   {.least = 16, .most = TREE_MOST, .chain = true, .planar = true}};
    const int sets = (int)steps_or(400, 40);
    for (int i = 0; i < sets; ++i) {
        Random random = {7000u + (uint64_t)i};
        const RandomTree tree = random_tree(random.state, &options[i % 3]);
        StiPlan *plan = random_tree_plan(&tree, T);
        sti_plan_set_method(plan, &sti_method_cut);
        Built built = build_and_destroy(plan);
        JointData *data = built.scratch->joints;
        double *prepared = test_calloc((size_t)sti_robot_prepared(tree.robot), sizeof(double));
        StiStatus status = STI_OK;
        if (data->applies) {
            sti_joints_place(built.network, built.state->values, data);
            random_problem(&random, built.network, data);
            assert_int_equal(sti_joints_agree(built.network, T, built.scratch, &status), 0);
            assert_int_equal(status, STI_OK);
            for (int k = 0; k < tree.count; ++k) check_friction(data, k);
            check_motion(&tree, data, prepared);
        }
        test_free(prepared);
        release(&built);
        sti_robot_destroy(tree.robot);
    }
}

// From any modes the straight way leads to the same solution.
static void pivots_find_the_same(void **state)
{
    (void)state;
    const TreeOptions options = {.least = 2, .most = TREE_MOST};
    const int sets = (int)steps_or(200, 20);
    for (int i = 0; i < sets; ++i) {
        Random random = {9000u + (uint64_t)i};
        const RandomTree tree = random_tree(random.state, &options);
        StiPlan *plan = random_tree_plan(&tree, T);
        sti_plan_set_method(plan, &sti_method_cut);
        Built built = build_and_destroy(plan);
        JointData *data = built.scratch->joints;
        StiStatus status = STI_OK;
        double v[TREE_MOST];
        if (data->applies) {
            sti_joints_place(built.network, built.state->values, data);
            random_problem(&random, built.network, data);
            assert_int_equal(sti_joints_agree(built.network, T, built.scratch, &status), 0);
            for (int k = 0; k < tree.count; ++k) v[k] = data->ends[k].v;
            for (int k = 0; k < tree.count; ++k)
                data->joints[k].best =
                    data->joints[k].sought ? (AxisMode)(random_below(&random, 3) - 1) : AXIS_FREE;
            assert_int_equal(sti_joints_pivot(built.network, T, built.scratch, &status), 0);
            for (int k = 0; k < tree.count; ++k) assert_near(data->ends[k].v, v[k], 1e-9);
        }
        release(&built);
        sti_robot_destroy(tree.robot);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_agree),
                                       cmocka_unit_test(pivots_find_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
