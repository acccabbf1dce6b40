// stiction sweep SCENE: many runs with varied parameters, on all cores.
#include "command/command.h"
#include "study/sweep.h"
#include "terminal/interrupt.h"

static int64_t next_run(void *context)
{
    Sweep *sweep = context;
    if (sweep->next >= sweep->runs) return -1;
    return sweep->shard.number + sweep->next++ * sweep->shard.count;
}

static bool take_row(void *context, const StiStudyRow *row)
{
    return sweep_take_row(context, row);
}

static bool is_interrupted(void *context)
{
    (void)context;
    return interrupt_came();
}

static StiStatus execute(Sweep *sweep, int jobs)
{
    const StiStudyTask task = {.threads = jobs,
                               .next = next_run,
                               .row = take_row,
                               .stop = is_interrupted,
                               .context = sweep};
    return sti_study_execute(sweep->study, &task);
}

static int run(const Arguments *arguments) { return sweep_run(arguments, execute); }

const Command command_sweep = {
    .name = "sweep",
    .summary = "many runs with varied parameters, and what they say together",
    .words = "SCENE",
    .fewest = 1,
    .most = 1,
    .text = "Runs a scene many times, as its section study says, on all cores. The parameters of a run depend on its "
            "number only: the rows are the same for any number of threads or parts. A run that fails is a row with "
            "its reason. What is interrupted can be resumed.\n\nWithout a section study: stiction sweep block.yaml "
            "--vary friction.level=uniform:5:15 --measure rest=block.x@4 --runs 300 -o runs.csv",
    .options = {OPTION_ROWS, OPTION_REPORT, OPTION_VARY, OPTION_MEASURE, OPTION_RUNS, OPTION_SAMPLE, OPTION_SEED,
                OPTION_JOBS, OPTION_SHARD, OPTION_RESUME, OPTION_SET, OPTION_STEP, OPTION_STOP,
                OPTION_VARIANT, OPTION_CONFINE, OPTION_QUIET},
    .run = run,
};
