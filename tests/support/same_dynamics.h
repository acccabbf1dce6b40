// Two robots that must move alike: mass matrix and forces at random states. Include after cmocka.h.
#ifndef STICTION_TESTS_SUPPORT_SAME_DYNAMICS_H
#define STICTION_TESTS_SUPPORT_SAME_DYNAMICS_H

#include <math.h>
#include <stdlib.h>

#include "stiction/robot.h"
#include "support/random.h"

// The largest difference in the mass matrix and in the forces of inverse dynamics at one random state,
// as a part of the largest number in each. -1: they have not the same coordinates.
static inline double dynamics_apart(const StiRobot *a, const StiRobot *b, Random *random)
{
    const int nq = sti_robot_positions(a), nv = sti_robot_velocities(a);
    if (nq != sti_robot_positions(b) || nv != sti_robot_velocities(b)) return -1.0;
    const size_t n = (size_t)nv;
    double *numbers = calloc((size_t)nq + 5 * n + 2 * n * n + 1, sizeof *numbers);
    double *work_a = calloc((size_t)sti_robot_workspace(a) + 1, sizeof(double));
    double *work_b = calloc((size_t)sti_robot_workspace(b) + 1, sizeof(double));
    assert_true(numbers != NULL && work_a != NULL && work_b != NULL);
    double *q = numbers, *v = q + nq, *rate = v + n, *force_a = rate + n, *force_b = force_a + n;
    double *turn = force_b + n, *Ha = turn + n, *Hb = Ha + n * n;
    for (int i = 0; i < nv; ++i) {
        turn[i] = random_between(random, -1.5, 1.5);
        v[i] = random_between(random, -2.0, 2.0);
        rate[i] = random_between(random, -2.0, 2.0);
    }
    sti_robot_rest(a, q);
    sti_robot_move(a, turn, 1.0, q);
    const StiVec3 gravity = {0.3, -0.2, -9.81};
    sti_robot_mass_matrix(a, q, Ha, work_a);
    sti_robot_mass_matrix(b, q, Hb, work_b);
    sti_robot_inverse(a, gravity, q, v, rate, NULL, force_a, NULL, work_a);
    sti_robot_inverse(b, gravity, q, v, rate, NULL, force_b, NULL, work_b);
    double most_H = 1e-300, apart_H = 0.0, most = 1e-300, apart = 0.0;
    for (size_t i = 0; i < n * n; ++i) {
        most_H = fmax(most_H, fabs(Ha[i]));
        apart_H = fmax(apart_H, fabs(Ha[i] - Hb[i]));
    }
    for (size_t i = 0; i < n; ++i) {
        most = fmax(most, fabs(force_a[i]));
        apart = fmax(apart, fabs(force_a[i] - force_b[i]));
    }
    free(numbers);
    free(work_a);
    free(work_b);
    return fmax(apart_H / most_H, apart / most);
}

#endif
