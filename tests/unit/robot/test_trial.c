// Trials against dense matrices: W, c, velocities and holding efforts with axes stuck, slipping, free.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "dense.h"
#include "random_tree.h"
#include "robot/trial.h"

enum { PUSHES = 7, SLOTS = 2 * PUSHES, PAIRS = PUSHES }; // each may need one that fills its pair
static const double T = 1e-3;

typedef struct Setting {
    Tree *tree;
    int n, slots;
    double *placed, *H, *bias, *JT; // JT: n x slots
    StiWrench *applied;
    AxisFriction *friction;
    AxisTrial *axes;
    AxisEnd *ends;
    Push push[SLOTS];
    StiWrench wrench[PUSHES];
    PushRange *ranges;
    StiDouble2 *Y, moved[PAIRS], W_size[PAIRS], W[SLOTS * PAIRS], c[PAIRS], f[PAIRS];
    StiWrench2 P[PAIRS];
    RobotTrial trial;
} Setting;

static AxisFriction random_friction(Random *random, double v)
{
    static const AxisMode modes[] = {AXIS_STUCK, AXIS_FORWARD, AXIS_BACKWARD, AXIS_FREE};
    return (AxisFriction){.mode = modes[random_below(random, 4)],
                          .level = random_between(random, 0.0, 3.0),
                          .slope = random_between(random, 0.0, 5.0),
                          .at = v + random_between(random, -0.1, 0.1)};
}

static void effort_of_push(Setting *s, int a)
{
    Tree *tree = s->tree;
    const Push *push = &s->push[a];
    double *column = tree_doubles(s->n), *none = tree_doubles(s->n), *tau = tree_doubles(s->n);
    if (push->row < 0) {
        assert_true(push->axis < 0 && push->wrench == NULL);
    } else if (push->axis >= 0) {
        column[push->axis] = 1.0;
    } else {
        StiWrench *only = calloc((size_t)tree->links, sizeof *only);
        only[tree->robot->links[push->link].order.link] = *push->wrench;
        sti_robot_inverse(tree->robot, sti_vec3(0, 0, 0), tree->q, none, none, only, tau, NULL,
                          tree->workspace);
        for (int k = 0; k < s->n; ++k) column[k] = -tau[k];
        free(only);
    }
    for (int k = 0; k < s->n; ++k) s->JT[k * SLOTS + a] = column[k];
    free(column), free(none), free(tau);
}

static void choose_pushes(Random *random, Setting *s)
{
    const StiRobot *robot = s->tree->robot;
    const int count = random_below(random, PUSHES + 1);
    for (int a = 0; a < count; ++a) {
        s->wrench[a] = (StiWrench){random_vec3(random, 1.0), random_vec3(random, 1.0)};
        Push push = {.link = random_below(random, robot->count),
                     .axis = -1,
                     .row = a,
                     .wrench = &s->wrench[a]};
        const RobotLink *link = &robot->links[push.link];
        if (link->velocities > 0 && random_below(random, 4) == 0) {
            push.axis = link->v + random_below(random, link->velocities);
            push.wrench = NULL;
            s->trial.axis_pushes = true;
        }
        *sti_pushes_open(&s->trial, s->push, push.link, 1) = push;
    }
    s->slots = 2 * s->trial.pair_count;
    for (int a = 0; a < s->slots; ++a) {
        assert_true(a == 0 || s->push[a - 1].link <= s->push[a].link);
        assert_true(a % 2 == 0 || s->push[a - 1].link == s->push[a].link);
        s->f[a / 2][a % 2] = random_between(random, -5.0, 5.0);
        effort_of_push(s, a);
    }
}

// One link after the other.
static Tree *chain_tree(Random *random, int links, ChooseJoint *joint)
{
    Tree *tree = calloc(1, sizeof *tree);
    tree->links = links;
    for (int i = 0; i < links; ++i) {
        tree->given[i] = random_link(random, joint(random, i));
        tree->given[i].parent = i - 1;
    }
    name_links(tree);
    tree_create(tree);
    tree_randomise(random, tree);
    return tree;
}

static Setting *setting_create(Random *random, int links, ChooseJoint *joint, bool chain)
{
    Setting *s = calloc(1, sizeof *s);
    Tree *tree = s->tree =
        chain ? chain_tree(random, links, joint) : random_tree(random, links, joint);
    const size_t axes = (size_t)tree->velocities + 1, room = (size_t)tree->links + 1;
    int *size = calloc(room, sizeof *size);
    const int n = s->n = tree->velocities;
    s->placed = tree_doubles(sti_robot_prepared(tree->robot));
    s->Y = calloc(axes * PAIRS, sizeof(StiDouble2));
    s->H = tree_doubles(n * n), s->bias = tree_doubles(n), s->JT = tree_doubles((n + 1) * SLOTS);
    s->applied = calloc(room, sizeof(StiWrench)), s->friction = calloc(axes, sizeof(AxisFriction));
    s->axes = calloc(axes, sizeof(AxisTrial)), s->ends = calloc(axes, sizeof(AxisEnd));
    s->ranges = calloc(room, sizeof(PushRange));
    for (int k = 0; k < n; ++k) {
        if (random_below(random, 3) == 0) tree->v[k] = 0.0;
        s->friction[k] = random_friction(random, tree->v[k]);
    }
    choose_pushes(random, s);
    sti_robot_mass_matrix(tree->robot, tree->q, s->H, tree->workspace);
    double *none = tree_doubles(n);
    sti_robot_inverse(tree->robot, tree->gravity, tree->q, tree->v, none, tree->external, s->bias,
                      NULL, tree->workspace);
    free(none);
    const RobotMemory memory = sti_robot_memory(tree->robot, s->placed);
    sti_robot_place(tree->robot, tree->q, memory.spots, memory.axes);
    sti_robot_apply(tree->robot, tree->gravity, tree->v, memory.spots, memory.axes, tree->external,
                    s->applied);
    s->trial = (RobotTrial){.robot = tree->robot,
                            .T = T,
                            .v = tree->v,
                            .tau = tree->tau,
                            .applied = s->applied,
                            .friction = s->friction,
                            .spots = memory.spots,
                            .axes = memory.axes,
                            .pushes = s->push,
                            .pair_count = s->trial.pair_count,
                            .axis_pushes = s->trial.axis_pushes,
                            .ranges = s->ranges,
                            .trial = s->axes,
                            .Y = s->Y,
                            .moved = s->moved,
                            .P = s->P,
                            .W_size = s->W_size};
    sti_trial_branches(tree->robot, size);
    sti_trial_route(&s->trial, size);
    free(size);
    assert_int_equal(sti_trial_inward(&s->trial, s->W, s->c), -1);
    return s;
}

static void setting_destroy(Setting *s)
{
    free(s->placed), free(s->Y), free(s->H), free(s->bias), free(s->JT), free(s->applied);
    free(s->friction), free(s->axes), free(s->ends), free(s->ranges);
    tree_destroy(s->tree);
    free(s);
}

// v+ under the forces f; efforts: what all but friction asks for.
static void dense_end(const Setting *s, const StiDouble2 *forces, double *v, double *effort)
{
    const int n = s->n;
    const double *f = (const double *)forces;
    double *A = tree_doubles(n * n), *Hv = tree_doubles(n), *acting = tree_doubles(n);
    dense_times(n, s->H, s->tree->v, Hv);
    for (int k = 0; k < n; ++k) {
        const AxisFriction *friction = &s->friction[k];
        const bool stuck = friction->mode == AXIS_STUCK, free_axis = friction->mode == AXIS_FREE;
        const double slope = stuck || free_axis ? 0.0 : friction->slope;
        acting[k] = s->tree->tau[k] - s->bias[k];
        for (int a = 0; a < s->slots; ++a) acting[k] += s->JT[k * SLOTS + a] * f[a];
        v[k] = stuck ? 0.0 : acting[k] + Hv[k] / T + slope * friction->at;
        if (!stuck && !free_axis) v[k] -= (double)friction->mode * friction->level;
        for (int j = 0; j < n; ++j) {
            A[k * n + j] = stuck ? 0.0 : s->H[k * n + j] / T;
            if (j == k) A[k * n + j] = stuck ? 1.0 : A[k * n + j] + slope;
        }
    }
    dense_solve(n, A, v);
    double *change = tree_doubles(n);
    for (int k = 0; k < n; ++k) change[k] = (v[k] - s->tree->v[k]) / T;
    dense_times(n, s->H, change, Hv);
    for (int k = 0; k < n; ++k) effort[k] = Hv[k] - acting[k];
    free(A), free(Hv), free(acting), free(change);
}

static void velocities_and_efforts_are_those_of_dense_matrices(void **state)
{
    (void)state;
    Random random = {11};
    for (int i = 0; i < 400; ++i) {
        Setting *s = setting_create(&random, 1 + random_below(&random, 20), any_joint, false);
        const int n = s->n;
        double *v = tree_doubles(n), *effort = tree_doubles(n);
        dense_end(s, s->f, v, effort);
        sti_trial_outward(&s->trial, s->f, s->ends);
        const double speed = fmax(largest(v, n), largest(s->tree->v, n));
        const double most = largest(effort, n);
        for (int k = 0; k < n; ++k) {
            assert_near(s->ends[k].v, v[k], 1e-9 * speed);
            assert_near(s->ends[k].effort, effort[k], 1e-9 * (most + speed / T));
            if (s->friction[k].mode == AXIS_STUCK) assert_true(s->ends[k].v == 0.0);
        }
        free(v), free(effort);
        setting_destroy(s);
    }
}

// c and W by the velocities of the pushes' points under no force and under unit forces.
static void pushes_feel_each_other_as_in_dense_matrices(void **state)
{
    (void)state;
    Random random = {12};
    for (int i = 0; i < 200; ++i) {
        Setting *s = setting_create(&random, 1 + random_below(&random, 20), any_joint, false);
        const int n = s->n;
        double *v0 = tree_doubles(n), *v1 = tree_doubles(n), *effort = tree_doubles(n);
        StiDouble2 f[PAIRS] = {{0.0}};
        const double *c_found = (const double *)s->c, *W_found = (const double *)s->W;
        double *vdot = tree_doubles(n);
        dense_end(s, f, v0, effort);
        for (int a = 0; a < s->slots; ++a) {
            double c = 0.0, size = 0.0, most_change = 0.0;
            for (int k = 0; k < n; ++k) {
                most_change = fmax(most_change, fabs(v0[k] - s->tree->v[k]) / T);
                c += s->JT[k * SLOTS + a] * (v0[k] - s->tree->v[k]) / T;
                size += fabs(s->JT[k * SLOTS + a] * (v0[k] - s->tree->v[k])) / T;
            }
            assert_near(c_found[a], c, 1e-9 * size + 1e-13 * most_change);
            memset(f, 0, sizeof f);
            f[a / 2][a % 2] = 1000.0;
            dense_end(s, f, v1, effort);
            sti_trial_respond(&s->trial, f, vdot);
            const double most = fmax(largest(vdot, n), 1e-9);
            for (int k = 0; k < n; ++k) assert_near(vdot[k], (v1[k] - v0[k]) / T, 1e-7 * most);
            for (int b = 0; b <= a; ++b) {
                double W = 0.0, W_size = 0.0;
                for (int k = 0; k < n; ++k) {
                    W += 1e-3 * s->JT[k * SLOTS + b] * vdot[k];
                    W_size += fabs(1e-3 * s->JT[k * SLOTS + b] * vdot[k]);
                }
                assert_near(W_found[a * s->slots + b], W, 1e-10 * W_size + 1e-13);
            }
        }
        free(v0), free(v1), free(effort), free(vdot);
        setting_destroy(s);
    }
}

static StiJointType turn(Random *random, int i)
{
    (void)random, (void)i;
    return STI_JOINT_REVOLUTE;
}

// A pass that goes on from a mark gives the bits of a complete one.
static void marks_change_nothing(void **state)
{
    (void)state;
    Random random = {13};
    enum { LINKS = 37 };
    for (int round = 0; round < 20; ++round) {
        Setting *s = setting_create(&random, LINKS, turn, true);
        static StiDouble2 numbers[LINKS / STI_TRIAL_STRIDE + 1][(SLOTS + 8) * PAIRS];
        TrialMark marks[LINKS / STI_TRIAL_STRIDE + 1];
        AxisFriction used[LINKS];
        for (int i = 0; i <= LINKS / STI_TRIAL_STRIDE; ++i) marks[i].pairs = numbers[i];
        for (int change = 0; change < 20; ++change) {
            const int k = random_below(&random, LINKS);
            s->friction[k] = random_friction(&random, s->tree->v[k]);
            StiDouble2 W[SLOTS * PAIRS] = {{0.0}}, c[PAIRS] = {{0.0}};
            const double *W1 = (const double *)W, *W2 = (const double *)s->W;
            const double *c1 = (const double *)c, *c2 = (const double *)s->c;
            AxisEnd ends[LINKS];
            s->trial.marks = marks;
            s->trial.used = used;
            assert_int_equal(sti_trial_inward(&s->trial, W, c), -1);
            sti_trial_outward(&s->trial, s->f, ends);
            const bool marked = s->trial.marked;
            s->trial.marks = NULL;
            s->trial.marked = false;
            assert_int_equal(sti_trial_inward(&s->trial, s->W, s->c), -1);
            sti_trial_outward(&s->trial, s->f, s->ends);
            for (int a = 0; a < s->slots; ++a) {
                assert_true(c2[a] == c1[a]);
                for (int b = 0; b <= a; ++b)
                    assert_true(W2[a * s->slots + b] == W1[a * s->slots + b]);
            }
            for (int i = 0; i < LINKS; ++i)
                assert_true(ends[i].v == s->ends[i].v && ends[i].effort == s->ends[i].effort);
            s->trial.marked = marked;
        }
        setting_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_and_efforts_are_those_of_dense_matrices),
        cmocka_unit_test(pushes_feel_each_other_as_in_dense_matrices),
        cmocka_unit_test(marks_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
