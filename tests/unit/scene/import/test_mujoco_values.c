// Mass matrix, forces and places of MJCF models as MuJoCo computes them, at random states.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stiction/scene.h"
#include "stiction/urdf.h"

enum { MOST = 32 };

// H u, forces at rate 0 and velocity v, place of the last body.
typedef struct Values {
    const char *model;
    int nq, nv;
    double q[MOST], v[MOST], u[MOST], Hu[MOST], bias[MOST], tip[3];
} Values;

#include "mujoco_values.h"

static double worst_of(const double *a, const double *b, int count)
{
    double most = 1e-300, apart = 0.0;
    for (int i = 0; i < count; ++i) {
        most = fmax(most, fabs(b[i]));
        apart = fmax(apart, fabs(a[i] - b[i]));
    }
    return apart / most;
}

static void compare(const StiRobot *robot, const Values *expected)
{
    const int nv = expected->nv, links = sti_robot_links(robot);
    double *work = calloc((size_t)sti_robot_workspace(robot) + 1, sizeof *work);
    double H[MOST * MOST], Hu[MOST] = {0.0}, tau[MOST], zero[MOST] = {0.0};
    StiFrame frames[64];
    assert_non_null(work);
    assert_int_equal(sti_robot_positions(robot), expected->nq);
    assert_int_equal(sti_robot_velocities(robot), nv);
    assert_in_range(links, 1, 64);
    sti_robot_mass_matrix(robot, expected->q, H, work);
    for (int i = 0; i < nv; ++i)
        for (int k = 0; k < nv; ++k) Hu[i] += H[i * nv + k] * expected->u[k];
    sti_robot_inverse(robot, sti_vec3(0.0, 0.0, -9.81), expected->q, expected->v, zero, NULL, tau, NULL,
                      work);
    sti_robot_frames(robot, expected->q, expected->v, frames);
    const StiVec3 tip = frames[links - 1].p;
    const double forces = worst_of(tau, expected->bias, nv), inertia = worst_of(Hu, expected->Hu, nv);
    const double place = worst_of((double[3]){tip.x, tip.y, tip.z}, expected->tip, 3);
    // MuJoCo turns inertias of several geoms, and full ones, into principal axes that it finds to about 1e-6 rad.
    const double allowed = strstr(expected->model, "features") != NULL ? 1e-8 : 1e-11;
    if (!(fmax(forces, fmax(inertia, place)) <= allowed))
        print_message("%s: H %.2e, forces %.2e, place %.2e\n", expected->model, inertia, forces, place);
    assert_true(inertia <= allowed && forces <= allowed && place <= 1e-11);
    free(work);
}

static void all_agree(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", SOURCE_DIR, values[i].model);
        StiMessages *messages = sti_messages_create();
        StiScene *scene = sti_scene_load(path, NULL, messages);
        assert_non_null(scene);
        StiReport *report = sti_report_create();
        const StiUrdf *urdf = scene->robots[0].urdf;
        StiRobot *robot = sti_robot_create(urdf->links, urdf->count, report);
        assert_non_null(robot);
        compare(robot, &values[i]);
        sti_robot_destroy(robot);
        sti_report_destroy(report);
        sti_scene_destroy(scene);
        sti_messages_destroy(messages);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
