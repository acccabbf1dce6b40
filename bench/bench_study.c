// Studies: runs per second on one core and on all of them, beside the steps alone; what a run costs before its first step.
#include "timing.h"

#include <stdio.h>
#include <string.h>

#ifdef STI_MUJOCO
#include <mujoco/mujoco.h>
#endif

#include "stiction/step.h"
#include "stiction/study.h"

static const char spring_pull[] =
    "step: 1e-3\nstop: 4\n"
    "bodies:\n"
    "  hand: {kind: motion, x: \"2*min(t, 2)\", breaks: [2]}\n"
    "  block: {kind: point, mass: 1}\n"
    "elements:\n"
    "  spring: {kind: spring-damper, between: [hand, block], stiffness: 90}\n"
    "  friction: {kind: friction, on: block, model: finite-time, level: 10}\n"
    "study:\n"
    "  runs: 200\n"
    "  parameters: {friction.level: {uniform: [5, 15]}}\n"
    "  measures: {rest: {channel: block.v, at: 1e-3}}\n";

static const char arm_file[] = "examples/robots/arm.xml";
static const char *const arm_sets[] = {
    "stop=1", "study={runs: 40, parameters: {friction.level: {uniform: [5, 7]}}, "
              "measures: {angle: {channel: arm.lift.q, at: 1e-3}}}"};

typedef struct Runs {
    int64_t next, count;
} Runs;

static int64_t next_run(void *context)
{
    Runs *runs = context;
    return runs->next < runs->count ? runs->next++ : -1;
}

static bool take_row(void *context, const StiStudyRow *row)
{
    (void)context;
    return row->status == STI_OK;
}

// Nanoseconds per run, of the processor where there is one thread; below 0: it failed.
static double time_runs(const StiStudy *study, int threads)
{
    Runs runs = {.count = sti_study_runs(study)};
    const StiStudyTask task = {.threads = threads,
                               .next = next_run,
                               .row = take_row,
                               .context = &runs};
    double (*const now)(void) = threads == 1 ? timing_processor_nanoseconds : timing_nanoseconds;
    const double begin = now();
    const StiStatus status = sti_study_execute(study, &task);
    return status == STI_OK ? (now() - begin) / (double)runs.count : -1.0;
}

// The same steps of the scene as it is, without parameters, measures and energies.
static double time_steps(const StiScene *scene, int64_t steps)
{
    StiState *state = sti_state_create(scene->network);
    StiScratch *scratch = sti_scratch_create(scene->network);
    const double begin = timing_processor_nanoseconds();
    sti_run(scene->network, NULL, state, scratch, steps);
    const double took = timing_processor_nanoseconds() - begin;
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    return took;
}

static bool measure(const char *what, const char *text, const char *path, const char *const *sets,
                    int set_count)
{
    const StiSceneOptions options = {.sets = sets, .set_count = set_count};
    StiMessages *messages = sti_messages_create();
    StiStudy *study =
        sti_study_read(text, text != NULL ? strlen(text) : 0, path, &options, messages);
    bool good = study != NULL;
    if (good) {
        const int64_t steps = sti_study_scene(study)->steps;
        const double alone = time_runs(study, 1), all = time_runs(study, 0),
                     bare = time_steps(sti_study_scene(study), steps);
        printf("%-34s %8.0f runs/s on one core, %8.0f on all; %5.2f us a step, %5.2f in the steps "
               "alone\n",
               what, 1e9 / alone, 1e9 / all, 1e-3 * alone / (double)steps,
               1e-3 * bare / (double)steps);
        good = alone > 0.0 && all > 0.0;
    }
    for (int i = 0; !good && i < sti_messages_count(messages); ++i)
        printf("%s: %s\n", what, sti_messages_at(messages, i)->text);
    sti_study_destroy(study);
    sti_messages_destroy(messages);
    return good;
}

// The same arm in MuJoCo, as many steps of the same length, on one core.
static void measure_mujoco(void)
{
#ifdef STI_MUJOCO
    enum { RUNS = 40, STEPS = 1000 };
    char why[500] = "";
    mjModel *model = mj_loadXML(arm_file, NULL, why, sizeof why);
    if (model == NULL) {
        printf("MuJoCo does not read %s: %s\n", arm_file, why);
        return;
    }
    model->opt.timestep = 1e-3;
    mjData *data = mj_makeData(model);
    const double begin = timing_processor_nanoseconds();
    for (int run = 0; run < RUNS; ++run) {
        mj_resetData(model, data);
        for (int k = 0; k < STEPS; ++k) mj_step(model, data);
    }
    const double each = (timing_processor_nanoseconds() - begin) / RUNS;
    printf("%-34s %8.0f runs/s on one core; %5.2f us a step (its friction creeps)\n",
           "the same in MuJoCo, 1000 steps", 1e9 / each, 1e-3 * each / STEPS);
    mj_deleteData(data);
    mj_deleteModel(model);
#else
    printf("MuJoCo's rollouts of the same arm: not measured, libmujoco-dev was not there at the build\n");
#endif
}

int main(void)
{
    static const char *const short_sets[] = {"stop=1e-3", "study.runs=5000"};
    const bool good =
        measure("spring pull, 4000 steps", spring_pull, "pull", NULL, 0) &&
        measure("the same, 1 step: cost of a run", spring_pull, "pull", short_sets, 2) &&
        measure("six-axis arm (MJCF), 1000 steps", NULL, arm_file, arm_sets, 2);
    measure_mujoco();
    return good ? 0 : 1;
}
