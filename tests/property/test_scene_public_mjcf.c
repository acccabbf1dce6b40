// Public MJCF models: coordinates, masses and forces as MuJoCo computes them (reference.csv).
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "stiction/network.h"
#include "stiction/urdf.h"
#include "support/public_robots.h"

#define MODELS SOURCE_DIR "/../shared/data/robots/mjcf"

typedef struct Expected {
    char file[256];
    int nq, nv, bodies, rubbing;
    double mass, force;
} Expected;

static StiScene *load(const char *file)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", MODELS, file);
    StiMessages *messages = sti_messages_create();
    StiScene *scene = sti_scene_load(path, NULL, messages);
    for (int i = 0; i < sti_messages_count(messages); ++i) {
        const StiMessage *message = sti_messages_at(messages, i);
        if (message->severity == STI_ERROR) print_message("%s: %s\n", file, message->text);
    }
    assert_true(sti_messages_count(messages) < 25);
    sti_messages_destroy(messages);
    return scene;
}

static int rubbing_joints(const StiScene *scene)
{
    const char *const *names;
    return sti_scene_friction_elements(scene, &names);
}

// The norm of the forces that keep it still at the start, and the mass.
static void compare(const StiScene *scene, const Expected *expected)
{
    const StiUrdf *urdf = scene->robots[0].urdf;
    StiReport *report = sti_report_create();
    StiRobot *robot = sti_robot_create(urdf->links, urdf->count, report);
    assert_non_null(robot);
    const size_t nv = (size_t)sti_robot_velocities(robot);
    double *zero = calloc(nv + 1, sizeof *zero), *tau = calloc(nv + 1, sizeof *tau);
    double *work = calloc((size_t)sti_robot_workspace(robot) + 1, sizeof *work);
    StiState *state = sti_state_create(scene->network);
    StiFound found;
    assert_true(sti_scene_find(scene, scene->robots[0].name, &found));
    const double *q = sti_state_positions(state, scene->network, found.body);
    assert_int_equal(sti_robot_positions(robot), expected->nq);
    assert_int_equal(sti_robot_velocities(robot), expected->nv);
    sti_robot_inverse(robot, sti_vec3(0.0, 0.0, -9.81), q, zero, zero, NULL, tau, NULL, work);
    double mass = 0.0, square = 0.0;
    for (int i = 0; i < urdf->count; ++i) mass += urdf->links[i].mass;
    for (size_t i = 0; i < nv; ++i) square += tau[i] * tau[i];
    // Its reference was made without the defaults of meshes, which give other geoms their density.
    const bool other = strcmp(expected->file, "umi_gripper/umi_gripper.xml") == 0;
    assert_true(other || fabs(mass - expected->mass) <= 1e-12 * (1.0 + expected->mass));
    assert_true(other || fabs(sqrt(square) - expected->force) <= 1e-9 * (1.0 + expected->force));
    assert_int_equal(rubbing_joints(scene) > 0, expected->rubbing > 0);
    free(zero);
    free(tau);
    free(work);
    sti_state_destroy(state);
    sti_robot_destroy(robot);
    sti_report_destroy(report);
}

static bool read_line(FILE *file, Expected *expected)
{
    char line[512];
    if (fgets(line, sizeof line, file) == NULL) return false;
    return sscanf(line, "%255[^,],%d,%d,%d,%d,%lf,%lf", expected->file, &expected->nq, &expected->nv,
                  &expected->bodies, &expected->rubbing, &expected->mass, &expected->force) == 7;
}

static void models_are_what_mujoco_reads(void **state)
{
    (void)state;
    if (!public_robots_are_there("mjcf")) skip();
    FILE *file = fopen(MODELS "/reference.csv", "r");
    assert_non_null(file);
    char head[256];
    assert_non_null(fgets(head, sizeof head, file));
    int models = 0, loaded = 0;
    for (Expected expected; read_line(file, &expected); ++models) {
        StiScene *scene = load(expected.file);
        if (scene == NULL) {
            print_message("refused: %s\n", expected.file);
            continue;
        }
        ++loaded;
        if (expected.nv > 0) compare(scene, &expected);
        sti_scene_destroy(scene);
    }
    fclose(file);
    print_message("%d of %d models\n", loaded, models);
    assert_true(models > 0 && loaded == models);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_are_what_mujoco_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
