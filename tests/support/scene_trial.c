#define _DEFAULT_SOURCE
#include "support/scene_trial.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "network/network.h"
#include "stiction/adaptive.h"
#include "stiction/record.h"
#include "stiction/scene.h"
#include "stiction/step.h"

// Of processor time for one run: more is a hang. Stiff friction that is cut many times takes 13 ms a step.
enum { SECONDS = 20 };
static const double seconds_of_step = 0.1;

// Of the energy at hand: what a method of order 1 may make on the way.
static const double made_most = 0.02;
static const double mirror_most = 1e-5; // m or rad, or of the value: where motion does not enlarge rounding

// What one run leaves behind.
typedef struct Ran {
    StiStatus status;
    char fault[200];
    bool runs_away, told;
    uint64_t hash; // of the last state
    double values[SCENE_CHANNELS];
    StiEnergy energy;
    double scale;      // J, the largest share of the ledger
    double residual;   // J, the largest
    double made;       // J, the most that was stored beyond what the start held and inputs gave
    bool finite;       // every channel of every row
    char not_finite[80];
} Ran;

typedef struct Live {
    StiScene *scene;
    StiAdaptive *adaptive;
    StiState *state;
    StiScratch *scratch;
    StiRecorder *recorder;
} Live;

// The first that goes wrong is what is told.
static void blame(Trial *trial, const char *format, ...)
{
    if (trial->why[0] != '\0') return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(trial->why, sizeof trial->why, format, arguments);
    va_end(arguments);
    trial->end = trial->warned ? TRIAL_WARNED : TRIAL_BAD;
}

static void close_live(Live *live)
{
    sti_adaptive_destroy(live->adaptive);
    sti_recorder_destroy(live->recorder);
    sti_scratch_destroy(live->scratch);
    sti_state_destroy(live->state);
    sti_scene_destroy(live->scene);
}

static bool open_live(const RandomScene *drafted, const char *const *sets, int set_count,
                      Trial *trial, Live *live)
{
    const StiSceneOptions options = {.sets = sets, .set_count = set_count};
    StiMessages *messages = sti_messages_create();
    *live = (Live){.scene = sti_scene_read(drafted->text, strlen(drafted->text), "any.yaml",
                                           &options, messages)};
    for (int i = 0; i < sti_messages_count(messages); ++i) {
        const StiMessage *message = sti_messages_at(messages, i);
        if (message->severity == STI_WARNING) trial->warned = true;
        if (message->severity == STI_ERROR) blame(trial, "refused: %s", message->text);
    }
    sti_messages_destroy(messages);
    if (live->scene == NULL) return false;
    const StiNetwork *network = live->scene->network;
    live->state = sti_state_create(network);
    live->scratch = sti_scratch_create(network);
    live->recorder = sti_recorder_create(network);
    if (live->scene->adaptive != NULL)
        live->adaptive = sti_adaptive_create(network, live->scene->adaptive, NULL);
    return true;
}

static StiStatus step(Live *live)
{
    return live->adaptive != NULL
               ? sti_adaptive_step(live->adaptive, NULL, live->state, live->scratch)
               : sti_step(live->scene->network, NULL, live->state, live->scratch);
}

static void look(const Live *live, Ran *ran)
{
    const StiEnergy e = ran->energy = sti_recorder_energy(live->recorder);
    ran->scale = fmax(ran->scale, fmax(fabs(e.work), fabs(e.stored)));
    ran->scale = fmax(ran->scale, fmax(fabs(e.stored_start), fabs(e.dissipated)));
    ran->made = fmax(ran->made, e.stored - e.stored_start - e.work);
    ran->residual = fmax(ran->residual, fabs(e.residual));
    StiChannel channel;
    for (int i = 0; ran->finite && sti_network_channel(live->scene->network, i, &channel); ++i)
        if (!isfinite(sti_recorder_value(live->recorder, i))) {
            ran->finite = false;
            snprintf(ran->not_finite, sizeof ran->not_finite, "%.78s", channel.name);
        }
}

static void take_values(const Live *live, const RandomScene *drafted, Ran *ran)
{
    for (int i = 0; i < drafted->channel_count; ++i) {
        const int number =
            sti_network_channel_find(live->scene->network, drafted->channels[i].name);
        ran->values[i] = number >= 0 ? sti_recorder_value(live->recorder, number) : NAN;
    }
    ran->hash = sti_state_hash(live->state);
}

static void limit_time(double seconds)
{
    const struct itimerval limit = {.it_value = {.tv_sec = (time_t)seconds}};
    setitimer(ITIMER_PROF, &limit, NULL);
}

// All steps, with the recorder; what the state is in the middle goes to `kept`.
static void follow(Live *live, const RandomScene *drafted, void *kept, size_t size, Ran *ran)
{
    const int64_t steps = live->scene->steps;
    *ran = (Ran){.finite = true};
    limit_time(fmax(SECONDS, seconds_of_step * (double)steps));
    ran->status = sti_recorder_begin(live->recorder, live->state, NULL, live->scratch);
    for (int64_t k = 0; k < steps && ran->status == STI_OK; ++k) {
        if (kept != NULL && k == steps / 2) sti_state_write(live->state, kept, size);
        ran->status = step(live);
        if (ran->status != STI_OK) break;
        ran->status = sti_recorder_follow(live->recorder, live->state, live->scratch);
        look(live, ran);
        if (sti_recorder_runaway(live->recorder) != NULL) break;
    }
    const StiFault *fault = sti_scratch_fault(live->scratch);
    if (ran->status != STI_OK)
        snprintf(ran->fault, sizeof ran->fault, "%s, in %s: %s, t = %g s",
                 sti_status_text(ran->status), fault->component, fault->what, fault->t);
    ran->runs_away = sti_recorder_runaway(live->recorder) != NULL;
    ran->told = ran->runs_away || ran->status == STI_LEVEL_VANISHED || sti_recorder_suspect(live->recorder) != NULL;
    take_values(live, drafted, ran);
}

// Friction under the loads of its own joints may have no answer, or several (Painleve): the run then stops.
static bool ends_as_said(StiStatus status)
{
    return status == STI_OK || status == STI_SEVERAL_SOLUTIONS || status == STI_NO_SOLUTION ||
           status == STI_LOADS_UNSETTLED;
}

static void judge_run(const Ran *ran, Trial *trial)
{
    if (!ends_as_said(ran->status)) blame(trial, "stopped: %s", ran->fault);
    if (ran->runs_away) blame(trial, "energy runs away");
    if (trial->end == TRIAL_BAD && ran->told) trial->end = TRIAL_TOLD;
    if (!ran->finite) blame(trial, "%s is not finite", ran->not_finite);
    if (ran->residual > 1e-9 * ran->scale + 1e-12)
        blame(trial, "the ledger does not close: %.3g of %.3g J", ran->residual, ran->scale);
}

static void judge_resumed(const RandomScene *drafted, const char *set, const void *kept,
                          size_t size, const Ran *plain, Trial *trial)
{
    Live live;
    if (!open_live(drafted, &set, set != NULL, trial, &live)) return;
    StiStatus status = sti_state_read(live.state, kept, size);
    while (status == STI_OK && sti_state_k(live.state) < live.scene->steps) status = step(&live);
    if (status != plain->status)
        blame(trial, "resumed: %s", sti_status_text(status));
    else if (live.adaptive == NULL && sti_state_hash(live.state) != plain->hash)
        blame(trial, "resumed: other bits");
    close_live(&live);
}

static void run_version(const RandomScene *drafted, const char *set, Trial *trial, Ran *ran)
{
    Live live;
    *ran = (Ran){.status = STI_BAD_ARGUMENT};
    if (!open_live(drafted, &set, set != NULL, trial, &live)) return;
    follow(&live, drafted, NULL, 0, ran);
    close_live(&live);
}

// Energy that a method makes must go away with its step.
static void judge_energy(const RandomScene *drafted, const char *set, const Ran *plain,
                         Trial *trial)
{
    // Karnopp's friction takes a band of speeds for rest: there it balances what pushes, whichever way things move.
    if (strstr(drafted->text, "model: karnopp") != NULL) return;
    const double most = made_most * plain->scale + 1e-12;
    if (!(plain->made > most)) return;
    char finer[40];
    snprintf(finer, sizeof finer, "step=%.17g", drafted->step / 16.0);
    const char *sets[] = {finer, set};
    Live live;
    Ran ran;
    if (!open_live(drafted, sets, set != NULL ? 2 : 1, trial, &live)) return;
    follow(&live, drafted, NULL, 0, &ran);
    close_live(&live);
    if (ran.made > most && ran.made > 0.25 * plain->made)
        blame(trial, "makes energy: %.3g of %.3g J, at a 16th of the step %.3g", plain->made,
              plain->scale, ran.made);
}

static void judge_reordered(RandomScene *drafted, int seed, const char *set, const Ran *plain,
                            Trial *trial)
{
    Ran ran;
    random_scene_make_any(drafted, seed, SCENE_REVERSED);
    run_version(drafted, set, trial, &ran);
    if (ran.status != plain->status || ran.hash != plain->hash)
        blame(trial, "declared in reverse: other bits");
}

// Of rounding that motion itself enlarges: what comes of a change ten thousand times as large.
static double sensitivity(const RandomScene *drafted, const char *set, const Ran *plain,
                          Trial *trial)
{
    Live live;
    Ran ran;
    double most = 0.0;
    if (!open_live(drafted, &set, set != NULL, trial, &live)) return 0.0;
    for (int i = 0; i < live.scene->network->x_count; ++i)
        live.state->values[i] += 1e-12 * sin(i + 1.0);
    follow(&live, drafted, NULL, 0, &ran);
    close_live(&live);
    for (int i = 0; i < drafted->channel_count; ++i)
        most = fmax(most, fabs(ran.values[i] - plain->values[i]));
    return most;
}

static void judge_mirrored(RandomScene *drafted, int seed, const char *set, const Ran *plain,
                           Trial *trial)
{
    Ran ran;
    double apart = 0.0;
    const char *name = "";
    // Known: elements of gms change between stick and slip at the ends of steps only, and in 1 of 700 scenes
    // rounding decides in which; what follows is as far apart as the friction of one step.
    if (strstr(drafted->text, "model: gms") != NULL) return;
    random_scene_make_any(drafted, seed, SCENE_MIRRORED);
    run_version(drafted, set, trial, &ran);
    for (int i = 0; i < drafted->channel_count; ++i) {
        const SceneChannel *channel = &drafted->channels[i];
        const double differs = fabs(ran.values[i] - channel->mirror * plain->values[i]) /
                               (1.0 + fabs(plain->values[i]));
        if (differs > apart) apart = differs, name = channel->name;
    }
    if (ran.status == plain->status && apart <= mirror_most) return;
    static RandomScene again;
    random_scene_make_any(&again, seed, SCENE_PLAIN);
    if (ran.status == plain->status && apart <= 10.0 * sensitivity(&again, set, plain, trial)) return;
    blame(trial, "mirrored: %s differs by %.3g %s", name, apart, ran.fault);
}

// A scene that was warned about and went wrong is right where the warning is heeded: with steps that are short
// enough to bring none.
static void judge_shorter_steps(const RandomScene *drafted, const char *set, Trial *trial)
{
    enum { STEPS = 400 };
    for (int finer = 20; finer <= 400; finer *= 20) {
        Trial again = {.end = TRIAL_GOOD};
        char step[40], stop[40];
        const double T = drafted->step / finer;
        snprintf(step, sizeof step, "step=%.17g", T);
        snprintf(stop, sizeof stop, "stop=%.17g", STEPS * T);
        const char *sets[] = {step, stop, set};
        Live live;
        Ran ran;
        if (open_live(drafted, sets, set != NULL ? 3 : 2, &again, &live)) {
            follow(&live, drafted, NULL, 0, &ran);
            close_live(&live);
            judge_run(&ran, &again);
        }
        if (again.warned) continue;
        if (again.end == TRIAL_GOOD) return;
        trial->warned = false;
        trial->end = again.end;
        snprintf(trial->why, sizeof trial->why, "with steps of 1/%d: %.400s", finer, again.why);
        return;
    }
}

static void judge_all(int seed, const char *set, Trial *trial)
{
    enum { KEPT = 1 << 20 };
    static RandomScene drafted;
    Live live;
    Ran plain;
    random_scene_make_any(&drafted, seed, SCENE_PLAIN);
    if (!open_live(&drafted, &set, set != NULL, trial, &live)) {
        trial->end = TRIAL_REFUSED;
        return;
    }
    void *kept = malloc(KEPT);
    follow(&live, &drafted, kept, KEPT, &plain);
    const size_t size = sti_state_write(live.state, NULL, 0);
    close_live(&live);
    judge_run(&plain, trial);
    if (trial->end == TRIAL_WARNED) judge_shorter_steps(&drafted, set, trial);
    if (trial->why[0] == '\0' && plain.status == STI_OK)
        judge_resumed(&drafted, set, kept, size, &plain, trial);
    free(kept);
    if (trial->why[0] == '\0') judge_energy(&drafted, set, &plain, trial);
    if (trial->why[0] == '\0') judge_reordered(&drafted, seed, set, &plain, trial);
    if (trial->why[0] == '\0') judge_mirrored(&drafted, seed, set, &plain, trial);
}

void scene_trial(int seed, const char *set, Trial *trial)
{
    memset(trial, 0, sizeof *trial);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        limit_time(SECONDS);
        judge_all(seed, set, trial);
        _exit(0);
    }
    int status = 1;
    struct rusage usage = {0};
    const bool ended = child > 0 && wait4(child, &status, 0, &usage) == child;
    trial->seconds = (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec;
    if (ended && WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    trial->warned = false; // of a hang or a crash no warning is an excuse
    if (ended && WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
        blame(trial, "does not end within its processor time");
    else
        blame(trial, "crashed (wait status %d)", status);
}

static void work(int first, int count, int jobs, int job, Trial *trials)
{
    for (int i = job; i < count; i += jobs)
        scene_trial(first + i, getenv("STI_ANY_SET"), &trials[i]);
}

static TrialSums sum_up(int first, int count, const Trial *trials)
{
    static const char *const words[TRIAL_ENDS] = {"", "", "stopped and said so", "", "WRONG"};
    TrialSums sums = {0};
    for (int i = 0; i < count; ++i) {
        const Trial *trial = &trials[i];
        ++sums.ends[trial->end];
        sums.warned += trial->warned;
        sums.seconds += trial->seconds;
        sums.slowest = fmax(sums.slowest, trial->seconds);
        if (words[trial->end][0] != '\0')
            printf("seed %d: %s: %s\n", first + i, words[trial->end], trial->why);
    }
    printf("%d scenes: %d warned of, %d of these went wrong; %d stopped and said so, %d refused; %d wrong; %.3g s, the "
           "slowest %.3g s\n",
           count, sums.warned, sums.ends[TRIAL_WARNED], sums.ends[TRIAL_TOLD],
           sums.ends[TRIAL_REFUSED], sums.ends[TRIAL_BAD],
           sums.seconds, sums.slowest);
    return sums;
}

TrialSums scene_trials(int first, int count, int jobs)
{
    const size_t size = (size_t)count * sizeof(Trial);
    Trial *trials =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (trials == MAP_FAILED) return (TrialSums){.ends = {[TRIAL_BAD] = count}};
    for (int i = 0; i < count; ++i) // until a worker has judged it
        trials[i] = (Trial){.end = TRIAL_BAD, .why = "not run"};
    fflush(NULL);
    for (int job = 0; job < jobs; ++job)
        if (fork() == 0) {
            work(first, count, jobs, job, trials);
            _exit(0);
        }
    for (int job = 0; job < jobs; ++job) wait(NULL);
    const TrialSums sums = sum_up(first, count, trials);
    munmap(trials, size);
    return sums;
}
