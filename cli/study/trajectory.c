#include "study/trajectory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command/command.h"
#include "terminal/interrupt.h"
#include "command/load.h"
#include "terminal/session.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

enum { BLOCK = 10000 }; // steps between two looks at interrupts

// ---- channels -----------------------------------------------------------------------------------

static bool is_one_of(const char *unit, const char *a, const char *b)
{
    return strcmp(unit, a) == 0 || strcmp(unit, b) == 0;
}

static bool is_rate_unit(const char *unit) { return is_one_of(unit, "m/s", "rad/s"); }

bool trajectory_takes(const char *unit)
{
    return is_rate_unit(unit) || is_one_of(unit, "m", "rad");
}

// Their numbers, as many as the trajectory then has channels.
static int *take_channels(Trajectory *trajectory, const Session *session)
{
    const StiScene *scene = session->scene;
    const size_t most = (size_t)scene->record_count + 1;
    int *numbers = take(most, sizeof *numbers);
    trajectory->names = take(most, sizeof *trajectory->names);
    trajectory->is_rate = take(most, sizeof *trajectory->is_rate);
    for (int i = 0; i < scene->record_count; ++i) {
        const int number = channels_find(&session->channels, scene->record[i]);
        if (number < 0) continue;
        const StiChannel *channel = &session->channels.channels[number];
        if (!trajectory_takes(channel->unit)) continue;
        numbers[trajectory->count] = number;
        trajectory->is_rate[trajectory->count] = is_rate_unit(channel->unit);
        trajectory->names[trajectory->count++] = text_new("%s", channel->name);
    }
    trajectory->rows = rows_create(trajectory->count + 1, true);
    return numbers;
}

// ---- times --------------------------------------------------------------------------------------

static bool same_time(double a, double b, double step) { return fabs(a - b) < 1e-6 * step; }

// The next step after k whose row is wanted; the last step is.
static int64_t next_wanted(const StiScene *scene, const Trajectory *like, int64_t k, int64_t *row)
{
    const double T = sti_network_step(scene->network);
    if (like == NULL) {
        const int64_t next = (k / scene->every + 1) * scene->every;
        return next < scene->steps ? next : scene->steps;
    }
    for (; *row < like->rows.count; ++*row) {
        const double t = trajectory_time(like, *row), steps = round((t - scene->start) / T);
        if (steps <= (double)k || !same_time(t, scene->start + steps * T, T)) continue;
        return steps < (double)scene->steps ? (int64_t)steps : scene->steps;
    }
    return scene->steps;
}

// ---- running ------------------------------------------------------------------------------------

static StiStatus advance(Session *session, int64_t count)
{
    StiStatus status = STI_OK;
    if (session->adaptive == NULL)
        return sti_run(session->scene->network, NULL, session->state, session->scratch, count);
    for (int64_t i = 0; i < count && status == STI_OK; ++i)
        status = sti_adaptive_step(session->adaptive, NULL, session->state, session->scratch);
    return status;
}

static void keep_row(Trajectory *trajectory, const Session *session, const int *numbers)
{
    double *row = take((size_t)trajectory->count + 1, sizeof *row);
    row[0] = session_time(session);
    for (int i = 0; i < trajectory->count; ++i)
        row[i + 1] = sti_recorder_value(session->recorder, numbers[i]);
    rows_add(&trajectory->rows, row);
    free(row);
}

// Nothing but steps stands between the two looks at the clock.
static int go_to(Session *session, int64_t k, Trajectory *trajectory)
{
    for (int64_t now; (now = sti_state_k(session->state)) < k;) {
        const clock_t began = clock();
        const StiStatus status = advance(session, k - now < BLOCK ? k - now : BLOCK);
        trajectory->seconds += (double)(clock() - began) / CLOCKS_PER_SEC;
        if (status != STI_OK && !interrupt_came()) return session_fail(session, status);
        if (!interrupt_came()) continue;
        terminal_error("interrupted at t = %.9g s", session_time(session));
        return CODE_INTERRUPTED;
    }
    return CODE_GOOD;
}

static int follow(Session *session, const Trajectory *like, Trajectory *trajectory)
{
    int *numbers = take_channels(trajectory, session);
    const StiScene *scene = session->scene;
    int64_t row = 0;
    int code = session_begin(session) == STI_OK ? CODE_GOOD : CODE_FAILED;
    if (code != CODE_GOOD)
        session_complain(session);
    else
        keep_row(trajectory, session, numbers);
    for (int64_t k = 0; code == CODE_GOOD && k < scene->steps;) {
        k = next_wanted(scene, like, k, &row);
        code = go_to(session, k, trajectory);
        if (code != CODE_GOOD) break;
        sti_recorder_sample_event(session->recorder, session->state, session_time(session),
                                  session->scratch);
        keep_row(trajectory, session, numbers);
    }
    free(numbers);
    return code;
}

int trajectory_run(const Arguments *arguments, const char *const *changes, const Trajectory *like,
                   Trajectory *trajectory)
{
    int count = 0;
    while (changes[count] != NULL) ++count;
    const char **sets = take((size_t)(arguments->set_count + count), sizeof *sets);
    for (int i = 0; i < arguments->set_count; ++i) sets[i] = arguments->sets[i];
    for (int i = 0; i < count; ++i) sets[arguments->set_count + i] = changes[i];
    const StiSceneOptions options = {.sets = sets,
                                     .set_count = arguments->set_count + count,
                                     .variant = arguments->variant};
    StiScene *scene = NULL;
    *trajectory = (Trajectory){0};
    int code = load_without_expectations(arguments->words[0], &options, true, &scene);
    Session *session = code == CODE_GOOD ? session_create(scene) : NULL;
    if (code == CODE_GOOD) {
        trajectory->step = sti_network_step(scene->network);
        trajectory->fingerprint = scene->fingerprint;
        interrupt_watch();
        code = session != NULL ? follow(session, like, trajectory) : CODE_FAILED;
        interrupt_unwatch();
    }
    session_destroy(session);
    if (scene != NULL) sti_scene_destroy(scene);
    free(sets);
    return code;
}
