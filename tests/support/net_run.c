#define _DEFAULT_SOURCE
#include "support/net_run.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stiction/adaptive.h"
#include "stiction/record.h"
#include "stiction/scene.h"
#include "stiction/step.h"

enum { FILE_STEPS = 1000 };

static const struct {
    const char *name, *method, *solver;
} methods[NET_METHODS] = {
    [NET_RULE] = {"rule", "rule", NULL},
    [NET_CUT] = {"cut", "cut", NULL},
    [NET_EVENTS] = {"dormand-prince", "{adaptive: dormand-prince, rtol: 1e-9, atol: 1e-11}", NULL},
    [NET_BDF] = {"bdf", "{adaptive: bdf, rtol: 1e-8, atol: 1e-10}", NULL},
    [NET_REFERENCE] = {"reference", "{adaptive: fehlberg, rtol: 1e-13, atol: 1e-14}", NULL},
    [NET_SEMI_IMPLICIT] = {"semi-implicit", "rule", "semi-implicit"},
    [NET_IMPLICIT] = {"implicit", "rule", "implicit"},
};

const char *net_method_name(NetMethod method) { return methods[method].name; }

bool net_method_adapts(NetMethod method)
{
    return method == NET_EVENTS || method == NET_BDF || method == NET_REFERENCE;
}

NetRun *net_runs_create(int count)
{
    void *runs = mmap(NULL, (size_t)count * sizeof(NetRun), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return runs == MAP_FAILED ? NULL : runs;
}

void net_runs_destroy(NetRun *runs, int count) { munmap(runs, (size_t)count * sizeof *runs); }

typedef struct Follower {
    StiScene *scene;
    StiAdaptive *adaptive;
    StiState *state;
    StiScratch *scratch;
    StiRecorder *recorder;
    int channels[SCENE_CHANNELS];
    double dissipated;
} Follower;

static StiScene *load(const NetScene *scene, NetMethod method, double step, NetRun *run)
{
    char sets[5][200];
    const char *list[5] = {sets[0], sets[1], sets[2], sets[3], sets[4]};
    snprintf(sets[0], sizeof sets[0], "method=%s", methods[method].method);
    snprintf(sets[1], sizeof sets[1], "step=%.17g", step);
    snprintf(sets[2], sizeof sets[2], "stop=%.17g", scene->stop);
    snprintf(sets[3], sizeof sets[3], "expect=[]"); // a file's may lie behind the end
    const char *solver = methods[method].solver;
    if (solver != NULL) snprintf(sets[4], sizeof sets[4], "solver=%s", solver);
    const StiSceneOptions options = {.sets = list, .set_count = solver != NULL ? 5 : 4};
    StiMessages *messages = sti_messages_create();
    StiScene *loaded = scene->path != NULL ? sti_scene_load(scene->path, &options, messages)
                                           : sti_scene_read(scene->text, strlen(scene->text),
                                                            "net.yaml", &options, messages);
    for (int i = 0; loaded == NULL && i < sti_messages_count(messages); ++i)
        if (sti_messages_at(messages, i)->severity == STI_ERROR) {
            snprintf(run->message, sizeof run->message, "%s", sti_messages_at(messages, i)->text);
            break;
        }
    sti_messages_destroy(messages);
    return loaded;
}

static bool open_run(Follower *f, const NetScene *scene, NetMethod method, double step, NetRun *run)
{
    f->scene = load(scene, method, step, run);
    if (f->scene == NULL) return false;
    const StiNetwork *network = f->scene->network;
    f->state = sti_state_create(network);
    f->scratch = sti_scratch_create(network);
    f->recorder = sti_recorder_create(network);
    for (int i = 0; i < scene->channel_count; ++i) {
        f->channels[i] = sti_network_channel_find(network, scene->channels[i].name);
        if (f->channels[i] >= 0) continue;
        snprintf(run->message, sizeof run->message, "no channel %s", scene->channels[i].name);
        run->outcome = NET_FAILED;
        return false;
    }
    if (f->scene->adaptive == NULL) return true;
    f->adaptive = sti_adaptive_create(network, f->scene->adaptive, NULL);
    if (f->adaptive == NULL) snprintf(run->message, sizeof run->message, "no continuous-time form");
    return f->adaptive != NULL;
}

static void take_row(const Follower *f, const NetScene *scene, int row, NetRun *run)
{
    for (int i = 0; i < scene->channel_count; ++i)
        run->values[row][i] = sti_recorder_value(f->recorder, f->channels[i]);
}

static void count(Follower *f, NetRun *run)
{
    const StiStepFigures figures = sti_scratch_figures(f->scratch);
    const StiEnergy energy = sti_recorder_energy(f->recorder);
    run->unsolved += figures.unsolved > 0;
    run->unsettled += figures.unsettled_joints > 0;
    run->lost += figures.points_lost > 0;
    run->fallbacks += figures.fallbacks > 0;
    run->residual = fmax(run->residual, fabs(energy.residual));
    run->regained = fmax(run->regained, f->dissipated - energy.dissipated);
    run->energy = fmax(run->energy, fmax(fabs(energy.work), fabs(energy.stored)));
    run->energy = fmax(run->energy, fmax(fabs(energy.stored_start), fabs(energy.dissipated)));
    run->numerical = energy.numerical;
    run->stored = energy.stored, run->stored_start = energy.stored_start;
    f->dissipated = energy.dissipated;
}

static StiStatus go(Follower *f)
{
    const StiStatus status = f->adaptive != NULL
                                 ? sti_adaptive_step(f->adaptive, NULL, f->state, f->scratch)
                                 : sti_run(f->scene->network, NULL, f->state, f->scratch, 1);
    return status != STI_OK ? status : sti_recorder_follow(f->recorder, f->state, f->scratch);
}

static void follow(Follower *f, const NetScene *scene, NetRun *run)
{
    const int64_t per_row = f->scene->steps / NET_ROWS;
    StiStatus status = sti_recorder_begin(f->recorder, f->state, NULL, f->scratch);
    take_row(f, scene, 0, run);
    for (int64_t k = 1; k <= NET_ROWS * per_row && status == STI_OK; ++k) {
        status = go(f);
        if (status != STI_OK) break;
        count(f, run);
        if (k % per_row == 0) take_row(f, scene, (int)(k / per_row), run);
    }
    const StiFault *fault = sti_scratch_fault(f->scratch);
    if (status != STI_OK)
        snprintf(run->message, sizeof run->message, "%s, in %s: %s, t = %g s",
                 sti_status_text(status), fault->component, fault->what, fault->t);
    run->outcome = status == STI_OK ? NET_DONE : NET_FAILED;
}

static void run_here(const NetScene *scene, NetMethod method, int finer, NetRun *run)
{
    // under error control a step is the distance of rows, and in files that of samples
    const bool rows = net_method_adapts(method) && scene->path == NULL;
    const double step = rows ? scene->stop / (4 * NET_ROWS) : scene->step / finer;
    Follower f = {0};
    run->outcome = NET_REFUSED;
    if (open_run(&f, scene, method, step, run)) follow(&f, scene, run);
    sti_adaptive_destroy(f.adaptive);
    sti_recorder_destroy(f.recorder);
    sti_scratch_destroy(f.scratch);
    sti_state_destroy(f.state);
    sti_scene_destroy(f.scene);
}

static void judge_end(int status, NetRun *run)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    const bool late = WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF;
    run->outcome = late ? NET_LATE : NET_CRASHED;
    if (late)
        snprintf(run->message, sizeof run->message, "does not end in its time");
    else
        snprintf(run->message, sizeof run->message, "ended by signal or exit %d", status);
}

void net_run(const NetScene *scene, NetMethod method, int finer, double seconds, NetRun *run)
{
    memset(run, 0, sizeof *run);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        const struct itimerval limit = {
            .it_value = {.tv_sec = (time_t)seconds,
                         .tv_usec = (suseconds_t)(1e6 * fmod(seconds, 1.0))}};
        setitimer(ITIMER_PROF, &limit, NULL);
        run_here(scene, method, finer, run);
        _exit(0);
    }
    int status = 0;
    struct rusage usage = {0};
    if (child < 0 || wait4(child, &status, 0, &usage) != child) status = 1 << 8;
    judge_end(status, run);
    run->seconds = (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec;
}

static bool role_of(const char *name, SceneRole *role)
{
    static const struct {
        const char *end;
        SceneRole role;
    } ends[] = {{".x", ROLE_PLACE},    {".y", ROLE_PLACE},     {".z", ROLE_PLACE},
                {".q", ROLE_PLACE},    {".angle", ROLE_PLACE}, {".fn", ROLE_FORCE},
                {".stick", ROLE_STICK}};
    const size_t length = strlen(name);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; ++i) {
        const size_t end = strlen(ends[i].end);
        *role = ends[i].role;
        if (length > end && strcmp(name + length - end, ends[i].end) == 0) return true;
    }
    return false;
}

bool net_scene_of_file(const char *path, RandomScene *scene)
{
    StiMessages *messages = sti_messages_create();
    StiScene *loaded = sti_scene_load(path, NULL, messages);
    sti_messages_destroy(messages);
    const bool good = loaded != NULL && loaded->grid_count == 0 && loaded->start == 0.0 &&
                      loaded->steps >= NET_ROWS;
    StiChannel channel;
    memset(scene, 0, sizeof *scene);
    snprintf(scene->text, sizeof scene->text, "%s", path);
    for (int i = 0; good && sti_network_channel(loaded->network, i, &channel); ++i) {
        SceneChannel *kept = &scene->channels[scene->channel_count];
        if (scene->channel_count == SCENE_CHANNELS || strlen(channel.name) >= sizeof kept->name)
            continue;
        if (!role_of(channel.name, &kept->role)) continue;
        memcpy(kept->name, channel.name, strlen(channel.name) + 1);
        ++scene->channel_count;
    }
    if (good) {
        const int64_t steps = loaded->steps < FILE_STEPS ? loaded->steps : FILE_STEPS;
        scene->step = sti_network_step(loaded->network);
        scene->stop = scene->step * (double)(steps / NET_ROWS * NET_ROWS);
    }
    sti_scene_destroy(loaded);
    return good;
}
