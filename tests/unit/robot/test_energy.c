#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "random_tree.h"
#include "support/runge_kutta.h"

// Sums over the links as the user gave them, from their frames.
static void sums_over_frames(void **state)
{
    (void)state;
    Random random = {61};
    for (int trial = 0; trial < 100; ++trial) {
        Tree *tree = random_tree(&random, 1 + random_below(&random, 30), any_joint);
        StiFrame frames[TREE_MOST];
        StiVec3 linear = {0.0, 0.0, 0.0}, angular = {0.0, 0.0, 0.0};
        double energy = 0.0, size = 0.0;
        sti_robot_frames(tree->robot, tree->q, tree->v, frames);
        for (int i = 0; i < tree->links; ++i) {
            const StiLink *link = &tree->given[i];
            const double *J = link->inertia;
            const StiVec3 arm = sti_quat_rotate(frames[i].q, link->centre);
            const StiVec3 p = sti_vec3_add(frames[i].p, arm);
            const StiVec3 v = sti_frame_velocity_at(&frames[i], arm);
            const StiVec3 w = sti_quat_unrotate(frames[i].q, frames[i].w);
            const StiVec3 Jw = {J[0] * w.x + J[3] * w.y + J[4] * w.z,
                                J[3] * w.x + J[1] * w.y + J[5] * w.z,
                                J[4] * w.x + J[5] * w.y + J[2] * w.z};
            const StiVec3 momentum = sti_vec3_scale(link->mass, v);
            linear = sti_vec3_add(linear, momentum);
            angular = sti_vec3_add(angular, sti_vec3_cross(p, momentum));
            angular = sti_vec3_add(angular, sti_quat_rotate(frames[i].q, Jw));
            energy += 0.5 * sti_vec3_dot(momentum, v) + 0.5 * sti_vec3_dot(w, Jw);
            energy -= link->mass * sti_vec3_dot(tree->gravity, p);
            size += sti_vec3_dot(momentum, v) + link->mass * sti_vec3_norm(p) * 10.0;
            if (link->armature == 0.0) continue;
            const double rate = tree->v[sti_robot_joint_velocity(tree->robot, i)];
            energy += 0.5 * link->armature * rate * rate;
        }
        const double measured =
            sti_robot_energy(tree->robot, tree->gravity, tree->q, tree->v, tree->workspace);
        const StiWrench momentum =
            sti_robot_momentum(tree->robot, tree->q, tree->v, tree->workspace);
        assert_near(measured, energy, 1e-12 * (1.0 + size));
        const double expected[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
        assert_all_near(&momentum.force.x, expected, 6, 1e-12);
        tree_destroy(tree);
    }
}

// A floating base with every type of joint on it.
static StiJointType one_of_each(Random *random, int i)
{
    (void)random;
    static const StiJointType types[] = {STI_JOINT_FLOATING,  STI_JOINT_REVOLUTE,
                                         STI_JOINT_PRISMATIC, STI_JOINT_SPHERICAL,
                                         STI_JOINT_REVOLUTE,  STI_JOINT_PLANAR,
                                         STI_JOINT_FIXED,     STI_JOINT_REVOLUTE,
                                         STI_JOINT_REVOLUTE};
    return types[i];
}
enum { FLOATING_LINKS = 9 };

// All hang on the first link, directly or not, and the first link is the base.
static Tree *floating_tree(Random *random)
{
    Tree *tree = calloc(1, sizeof *tree);
    assert_non_null(tree);
    tree->links = FLOATING_LINKS;
    for (int i = 0; i < tree->links; ++i) {
        tree->given[i] = random_link(random, one_of_each(random, i));
        tree->given[i].parent = i == 0 ? -1 : random_below(random, i);
    }
    name_links(tree);
    tree_create(tree);
    tree_randomise(random, tree);
    for (int k = 0; k < tree->velocities; ++k) {
        tree->tau[k] = 0.0;
        tree->v[k] *= 0.5;
    }
    return tree;
}

static void slope(const void *context, double t, double tau, const double *x, double *xdot)
{
    (void)t, (void)tau;
    const Tree *tree = context;
    sti_robot_rates(tree->robot, x, x + tree->positions, xdot);
    assert_int_equal(sti_robot_forward(tree->robot, tree->gravity, x, x + tree->positions,
                                       tree->tau, NULL, xdot + tree->positions, NULL,
                                       tree->workspace),
                     STI_OK);
}

typedef struct Drift {
    double energy, momentum;
} Drift;

// Over 0.5 s from the tree's state.
static Drift drift(const Tree *tree, int steps)
{
    const int n = tree->positions + tree->velocities;
    const double span = 0.5, *start = tree->q;
    double x[RUNGE_KUTTA_STATES], mass = 0.0;
    assert_true(n <= RUNGE_KUTTA_STATES);
    for (int i = 0; i < tree->positions; ++i) x[i] = start[i];
    for (int i = 0; i < tree->velocities; ++i) x[tree->positions + i] = tree->v[i];
    for (int k = 0; k < steps; ++k) runge_kutta_step(slope, tree, n, 0.0, span / steps, x);
    const double *q = x, *v = x + tree->positions;
    for (int i = 0; i < tree->links; ++i) mass += tree->given[i].mass;
    const double E0 = sti_robot_energy(tree->robot, tree->gravity, start, tree->v, tree->workspace);
    const double E1 = sti_robot_energy(tree->robot, tree->gravity, q, v, tree->workspace);
    const StiWrench P0 = sti_robot_momentum(tree->robot, start, tree->v, tree->workspace);
    const StiWrench P1 = sti_robot_momentum(tree->robot, q, v, tree->workspace);
    const StiVec3 impulse = sti_vec3_scale(span * mass, tree->gravity);
    const StiVec3 linear = sti_vec3_sub(P1.force, sti_vec3_add(P0.force, impulse));
    const bool weightless = sti_vec3_norm(tree->gravity) == 0.0;
    const StiVec3 angular = sti_vec3_sub(P1.moment, P0.moment);
    const double turning = weightless ? sti_vec3_norm(angular) : 0.0;
    return (Drift){fabs(E1 - E0), fmax(sti_vec3_norm(linear), turning)};
}

// The error of Runge-Kutta falls with the fourth power of the step or faster, and nothing is left
// where it is small.
static void energy_and_momentum_are_conserved(void **state)
{
    (void)state;
    Random random = {62};
    for (int trial = 0; trial < 8; ++trial) {
        Tree *tree = floating_tree(&random);
        if (trial % 2 == 0) tree->gravity = sti_vec3(0.0, 0.0, 0.0);
        const Drift coarse = drift(tree, 20), fine = drift(tree, 40), finest = drift(tree, 2000);
        const double E =
            fabs(sti_robot_energy(tree->robot, tree->gravity, tree->q, tree->v, tree->workspace));
        assert_true(fine.energy > 1e-12 * E); // else the next line says nothing
        assert_true(fine.energy < coarse.energy / 12.0);
        assert_true(fine.momentum < coarse.momentum / 12.0);
        assert_near(finest.energy, 0.0, 1e-12 * (10.0 + E));
        assert_near(finest.momentum, 0.0, 1e-12 * (10.0 + E));
        tree_destroy(tree);
    }
}

// Without drives the base of a floating tree transmits nothing, whatever moves: momentum follows
// gravity and the external forces alone, to rounding.
static void a_free_base_transmits_nothing(void **state)
{
    (void)state;
    Random random = {63};
    for (int trial = 0; trial < 50; ++trial) {
        Tree *tree = floating_tree(&random);
        StiWrench loads[FLOATING_LINKS];
        tree_forward(tree, loads);
        double most = 0.0;
        for (int i = 1; i < FLOATING_LINKS; ++i) most = fmax(most, sti_vec3_norm(loads[i].force));
        assert_near(sti_vec3_norm(loads[0].force), 0.0, 1e-12 * most);
        assert_near(sti_vec3_norm(loads[0].moment), 0.0, 1e-12 * most);
        tree_destroy(tree);
    }
}

// dE/dt is the power of drives and external wrenches.
static void energy_follows_power(void **state)
{
    (void)state;
    Random random = {64};
    for (int trial = 0; trial < 50; ++trial) {
        Tree *tree = random_tree(&random, 1 + random_below(&random, 10), any_joint);
        StiFrame frames[TREE_MOST];
        double *q = tree_doubles(tree->positions), *v = tree_doubles(tree->velocities);
        double E[2], power = 0.0;
        sti_robot_frames(tree->robot, tree->q, tree->v, frames);
        for (int k = 0; k < tree->velocities; ++k) power += tree->tau[k] * tree->v[k];
        for (int i = 0; i < tree->links; ++i)
            power += sti_vec3_dot(tree->external[i].force, frames[i].v) +
                     sti_vec3_dot(tree->external[i].moment, frames[i].w);
        tree_forward(tree, NULL);
        const double size = 1.0 + largest(tree->vdot, tree->velocities), h = 3e-4 / size;
        for (int side = 0; side < 2; ++side) {
            const double step = side == 0 ? -h : h;
            for (int i = 0; i < tree->positions; ++i) q[i] = tree->q[i];
            for (int k = 0; k < tree->velocities; ++k) // second order in q
                v[k] = tree->v[k] + 0.5 * step * tree->vdot[k];
            sti_robot_move(tree->robot, v, step, q);
            for (int k = 0; k < tree->velocities; ++k) v[k] = tree->v[k] + step * tree->vdot[k];
            E[side] = sti_robot_energy(tree->robot, tree->gravity, q, v, tree->workspace);
        }
        assert_near((E[1] - E[0]) / (2.0 * h), power, 1e-7 * (size + fabs(power)));
        free(q), free(v);
        tree_destroy(tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_over_frames),
        cmocka_unit_test(energy_and_momentum_are_conserved),
        cmocka_unit_test(a_free_base_transmits_nothing),
        cmocka_unit_test(energy_follows_power),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
