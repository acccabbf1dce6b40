// compare_models FILE.xml ...: MJCF files in MuJoCo and in stiction. Mass matrix, bias force and frames at random
// states; then, where the file has a keyframe, the same model holds it: who drifts, and what a step costs.
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "stiction/network.h"
#include "stiction/scene.h"
#include "stiction/step.h"
#include "stiction/urdf.h"

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double draw(unsigned *seed) { return 2.0 * rand_r(seed) / RAND_MAX - 1.0; }

static StiScene *load(const char *path, const char *variant, const char *method, double step)
{
    char words[2][64];
    const char *sets[2] = {words[0], words[1]};
    snprintf(words[0], sizeof words[0], "step=%.17g", step);
    snprintf(words[1], sizeof words[1], "method=%s", method != NULL ? method : "");
    const StiSceneOptions options = {.sets = sets,
                                     .set_count = method != NULL ? 2 : 0,
                                     .variant = variant};
    StiMessages *messages = sti_messages_create();
    StiScene *scene = sti_scene_load(path, &options, messages);
    for (int i = 0; scene == NULL && i < sti_messages_count(messages); ++i)
        if (sti_messages_at(messages, i)->severity == STI_ERROR)
            printf("%s: stiction: %s\n", path, sti_messages_at(messages, i)->text);
    sti_messages_destroy(messages);
    return scene;
}

// ---- dynamics at random states --------------------------------------------------------------------------------

static void random_state(const mjModel *m, mjData *d, unsigned *seed)
{
    for (int i = 0; i < m->nq; ++i) d->qpos[i] = 2.0 * draw(seed);
    for (int i = 0; i < m->nv; ++i) d->qvel[i] = draw(seed);
    for (int j = 0; j < m->njnt; ++j) {
        if (m->jnt_type[j] == mjJNT_FREE) mju_normalize4(d->qpos + m->jnt_qposadr[j] + 3);
        if (m->jnt_type[j] == mjJNT_BALL) mju_normalize4(d->qpos + m->jnt_qposadr[j]);
    }
    mj_fwdPosition(m, d);
    mj_fwdVelocity(m, d);
}

static double worst_of(const double *a, const double *b, int count, double least)
{
    double size = least, apart = 0.0;
    for (int i = 0; i < count; ++i) size = fmax(size, fabs(a[i]));
    for (int i = 0; i < count; ++i) apart = fmax(apart, fabs(a[i] - b[i]));
    return apart / size;
}

// Centres of mass and attitudes of links that have the name of a body.
static double frames_apart(const mjModel *m, const mjData *d, const StiUrdf *urdf,
                           const StiFrame *frames)
{
    double apart = 0.0;
    for (int i = 0; i < urdf->count; ++i) {
        const int body = mj_name2id(m, mjOBJ_BODY, urdf->links[i].name);
        if (body < 0 || urdf->links[i].mass == 0.0) continue;
        const StiFrame *f = &frames[i];
        const StiVec3 p = sti_vec3_add(f->p, sti_quat_rotate(f->q, urdf->links[i].centre));
        const double *x = d->xipos + 3 * body, *q = d->xquat + 4 * body;
        const double same = fabs(f->q.w * q[0] + f->q.x * q[1] + f->q.y * q[2] + f->q.z * q[3]);
        apart = fmax(apart, sti_vec3_norm(sti_vec3_sub(p, sti_vec3(x[0], x[1], x[2]))));
        apart = fmax(apart, fabs(1.0 - same));
    }
    return apart;
}

static bool compare_dynamics(const char *path, const mjModel *m, mjData *d, const StiScene *scene)
{
    enum { STATES = 5 };
    const StiUrdf *urdf = scene->robots[0].urdf;
    StiReport *report = sti_report_create();
    StiRobot *robot = sti_robot_create(urdf->links, urdf->count, report);
    const int n = sti_robot_velocities(robot);
    const StiVec3 g = {m->opt.gravity[0], m->opt.gravity[1], m->opt.gravity[2]};
    double apart[3] = {0.0};
    const bool fits = n == m->nv && sti_robot_positions(robot) == m->nq;
    double *H = calloc((size_t)n * (size_t)n + 1, sizeof *H),
           *M = calloc((size_t)n * (size_t)n + 1, sizeof *M);
    double *tau = calloc((size_t)n + 1, sizeof *tau), *zero = calloc((size_t)n + 1, sizeof *zero);
    double *work = calloc((size_t)sti_robot_workspace(robot) + 1, sizeof *work);
    StiFrame *frames = calloc((size_t)urdf->count + 1, sizeof *frames);
    unsigned seed = 1;
    for (int k = 0; fits && k < STATES; ++k) {
        random_state(m, d, &seed);
        mj_fullM(m, M, d->qM);
        sti_robot_mass_matrix(robot, d->qpos, H, work);
        sti_robot_inverse(robot, g, d->qpos, d->qvel, zero, NULL, tau, NULL, work);
        sti_robot_frames(robot, d->qpos, d->qvel, frames);
        apart[0] = fmax(apart[0], worst_of(M, H, n * n, 0.0));
        apart[1] = fmax(apart[1], worst_of(d->qfrc_bias, tau, n, 1e-3));
        apart[2] = fmax(apart[2], frames_apart(m, d, urdf, frames));
    }
    const bool good = fits && apart[0] < 1e-9 && apart[1] < 1e-9 && apart[2] < 1e-9;
    printf("%s: %d positions, %d velocities; apart: H %.1e, bias %.1e, frames %.1e%s\n", path,
           m->nq, m->nv, apart[0], apart[1], apart[2], good ? "" : "  DIFFERS");
    free(H);
    free(M);
    free(tau);
    free(zero);
    free(work);
    free(frames);
    sti_robot_destroy(robot);
    sti_report_destroy(report);
    return good;
}

// ---- holding a pose -------------------------------------------------------------------------------------------

static double moved(const double *a, const double *b, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; ++i) most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

static void hold_in_mujoco(const mjModel *m, mjData *d, int settle, int steps)
{
    double *before = malloc((size_t)m->nq * sizeof *before);
    mj_resetDataKeyframe(m, d, 0);
    for (int k = 0; k < settle; ++k) mj_step(m, d);
    memcpy(before, d->qpos, (size_t)m->nq * sizeof *before);
    const double begin = seconds();
    for (int k = 0; k < steps; ++k) mj_step(m, d);
    printf("    MuJoCo    %.3g s: moves by %.2e, %.1f us a step\n", steps * m->opt.timestep,
           moved(before, d->qpos, m->nq), 1e6 * (seconds() - begin) / steps);
    free(before);
}

static void hold_in_stiction(const char *path, const char *key, const char *method,
                             const mjModel *m, int settle, int steps)
{
    StiScene *scene = load(path, key, method, m->opt.timestep);
    StiFound found;
    if (scene == NULL || !sti_scene_find(scene, scene->robots[0].name, &found)) return;
    StiState *state = sti_state_create(scene->network);
    StiScratch *scratch = sti_scratch_create(scene->network);
    double *before = malloc((size_t)m->nq * sizeof *before);
    StiStatus status = sti_run(scene->network, NULL, state, scratch, settle);
    const double *q = sti_state_positions(state, scene->network, found.body);
    memcpy(before, q, (size_t)m->nq * sizeof *before);
    const double begin = seconds();
    if (status == STI_OK) status = sti_run(scene->network, NULL, state, scratch, steps);
    printf("    stiction  %.3g s: moves by %.2e, %.1f us a step, %s%s\n", steps * m->opt.timestep,
           moved(before, q, m->nq), 1e6 * (seconds() - begin) / steps, method,
           status == STI_OK ? "" : ": STOPPED");
    free(before);
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    sti_scene_destroy(scene);
}

int main(int count, char **paths)
{
    enum { SETTLE = 10, HOLD = 100 }; // s
    bool good = true;
    for (int i = 1; i < count; ++i) {
        char why[1000] = "";
        mjModel *m = mj_loadXML(paths[i], NULL, why, sizeof why);
        mjData *d = m != NULL ? mj_makeData(m) : NULL;
        StiScene *scene = load(paths[i], NULL, NULL, 0.0);
        if (d == NULL) printf("%s: MuJoCo: %s\n", paths[i], why);
        good = d != NULL && scene != NULL && compare_dynamics(paths[i], m, d, scene) && good;
        if (d != NULL && scene != NULL && m->nkey > 0) {
            const char *key = mj_id2name(m, mjOBJ_KEY, 0);
            const int settle = (int)(SETTLE / m->opt.timestep),
                      steps = (int)(HOLD / m->opt.timestep);
            hold_in_mujoco(m, d, settle, steps);
            hold_in_stiction(paths[i], key, "rule", m, settle, steps);
        }
        sti_scene_destroy(scene);
        mj_deleteData(d);
        mj_deleteModel(m);
    }
    return good && count > 1 ? 0 : 1;
}
