// Cases 1 to 6: what moves although it should not, and what moves wrongly.
#include "experiments.h"

#include <math.h>
#include <string.h>

#include "reference.h"

enum { TASKS = 3, TIMES = 3, REPETITIONS = 31 };
static const double SLOW = 50.0; // us per step; not repeated beyond it

typedef double Values[TASKS][TIMES][PEER_VALUES];

typedef struct Experiment {
    const char *id, *title, *about;
    PeerTask tasks[TASKS];
    double times[TIMES]; // of readings
    Column columns[3];
    void (*score)(const PeerTask *tasks, Values v, double *scores);
} Experiment;

static void score_creep(const PeerTask *tasks, Values v, double *scores)
{
    (void)tasks;
    scores[0] = hypot(v[0][1][0] - v[0][0][0], v[0][1][1] - v[0][0][1]);
    scores[1] = fabs(v[0][1][2] - box_half[2]);
}
static void score_joint(const PeerTask *tasks, Values v, double *scores)
{
    (void)tasks;
    scores[0] = fabs(v[0][1][0] - v[0][0][0]);
}
static void score_pull(const PeerTask *tasks, Values v, double *scores)
{
    (void)tasks;
    scores[0] = fabs(v[0][1][0] - reference_spring_pull_rest());
    scores[1] = fabs(v[0][1][0] - v[0][0][0]);
    scores[2] = fabs(v[0][1][1]);
}
static void score_crossing(const PeerTask *tasks, Values v, double *scores)
{
    for (int i = 0; i < 2; ++i) {
        const double t = tasks[i].T * (double)lround(0.02 / tasks[i].T);
        scores[i] = fabs(v[i][0][1] - reference_crossing_velocity(t));
    }
}
static void score_two_link(const PeerTask *tasks, Values v, double *scores)
{
    static double right[4];
    static bool known = false;
    (void)tasks;
    if (!known) reference_two_link(6.0, 1e-4, right), known = true;
    scores[0] = hypot(v[0][1][0] - v[0][0][0], v[0][1][1] - v[0][0][1]);
    scores[1] = hypot(v[0][0][0] - right[0], v[0][0][1] - right[1]);
}
static void score_distance(const PeerTask *tasks, Values v, double *scores)
{
    const double right = tasks[0].which == CASE_ROLLING ? reference_rolling_distance(1.0)
                                                        : reference_sliding_distance(1.0);
    for (int i = 0; i < 3; ++i)
        scores[i] = hypot(v[i][0][0] - right * cos(tasks[i].angle),
                          v[i][0][1] - right * sin(tasks[i].angle));
}
static void score_pinch(const PeerTask *tasks, Values v, double *scores)
{
    (void)tasks;
    scores[0] = (v[0][0][2] - v[0][1][2]) / 9.0;
    scores[1] = fabs(v[0][0][2] - pinch_height);
}

// What is below the floor of its column is called zero: rounding of long sums.
static const Experiment experiments[] = {
    {"creep_box",
     "Case 1a: a box that must not creep",
     "1 kg, mu 0.5, pulled by 3 + 1.5 sin(2 pi 5 t) N (limit 4.905 N), 1 ms. Exact: 0.",
     {{CASE_CREEP_BOX, 1e-3, 0, 0.0}},
     {1.0, 60.0},
     {{"moved from 1 to 60 s, m", 1e-12, true}, {"height off by, m", 1e-9, false}},
     score_creep},
    {"creep_joint",
     "Case 1b: a joint that must not creep",
     "Dry friction 10 N m, loaded by 6 + 3 sin(2 pi 5 t) N m, inertia 1 kg m^2, 1 ms. Exact: 0.",
     {{CASE_CREEP_JOINT, 1e-3, 0, 0.0}},
     {1.0, 60.0},
     {{"turned from 1 to 60 s, rad", 1e-12, true}},
     score_joint},
    {"spring_pull",
     "Case 2: pulled by a spring, stops, stays",
     "1 kg, dry friction 10 N, spring of 90 N/m whose end moves at 2 m/s for 2 s, 1 ms. Exact "
     "place "
     "of rest: 3.9732618 m, from 2.0212366 s on.",
     {{CASE_SPRING_PULL, 1e-3, 0, 0.0}},
     {3.0, 4.0},
     {{"x(4 s) off by, m", 1e-15, true},
      {"moved from 3 to 4 s, m", 1e-12, true},
      {"speed at 4 s, m/s", 1e-12, true}},
     score_pull},
    {"zero_crossing",
     "Case 3: a velocity that crosses zero",
     "1 kg, dry friction 10 N, v0 = -0.13 m/s, pushed by 40 N; error of v at 20 ms, and for steps "
     "of "
     "0.7 ms at 20.3 ms.",
     {{CASE_ZERO_CROSSING, 1e-3, 0, 0.0}, {CASE_ZERO_CROSSING, 7e-4, 0, 0.0}},
     {0.02},
     {{"v off by, m/s, T = 1 ms", 1e-14, true}, {"v off by, m/s, T = 0.7 ms", 1e-14, true}},
     score_crossing},
    {"rolling",
     "Case 4a: a sphere slips, then rolls",
     "0.3 kg, radius 0.2 m, mu 0.1, launched at 2 m/s under 0, 30 and 45 degrees to the axes, 1 "
     "ms. "
     "Distance from the exact place after 1 s.",
     {{CASE_ROLLING, 1e-3, 0, 0.0},
      {CASE_ROLLING, 1e-3, 0, 0.52359877559829887},
      {CASE_ROLLING, 1e-3, 0, 0.78539816339744831}},
     {1.0},
     {{"off at 0 deg, m", 1e-12, true}, {"30 deg, m", 1e-12, true}, {"45 deg, m", 1e-12, true}},
     score_distance},
    {"sliding_box",
     "Case 4b: a box pulled with 1.5 times its friction",
     "1 kg, mu 0.5, pulled under 0, 30 and 45 degrees, 1 ms. Distance from the exact place "
     "(1.22625 m) "
     "after 1 s.",
     {{CASE_SLIDING_BOX, 1e-3, 0, 0.0},
      {CASE_SLIDING_BOX, 1e-3, 0, 0.52359877559829887},
      {CASE_SLIDING_BOX, 1e-3, 0, 0.78539816339744831}},
     {1.0},
     {{"off at 0 deg, m", 1e-12, true}, {"30 deg, m", 1e-12, true}, {"45 deg, m", 1e-12, true}},
     score_distance},
    {"two_link",
     "Case 5: a two-link arm that must hold under dither",
     "Two rods of 1 kg and 0.5 m, joint friction 0.5 N m, torques that shake between 0.192 and "
     "0.480 "
     "N m from 4 s on, 1 ms. Drift: exact 0; angles at 6 s against an integration with exact "
     "changes "
     "of stick and slip.",
     {{CASE_TWO_LINK, 1e-3, 0, 0.0}},
     {6.0, 20.0},
     {{"drift from 6 to 20 s, rad", 1e-12, true}, {"angles at 6 s off by, rad", 1e-15, true}},
     score_two_link},
    {"pinch",
     "Case 6: a capsule held between two fingers",
     "0.2 kg, pressed with 10 N from both sides, mu 0.5: five times what it needs, 1 ms. Exact: 0.",
     {{CASE_PINCH, 1e-3, 0, 0.0}},
     {1.0, 10.0},
     {{"sinks from 1 to 10 s, m/s", 1e-12, true}, {"sunk in the first second, m", 1e-9, true}},
     score_pinch},
};

static int count_tasks(const Experiment *e)
{
    int count = 0;
    while (count < TASKS && e->tasks[count].T > 0.0) ++count;
    return count;
}
static int count_times(const Experiment *e)
{
    int count = 0;
    while (count < TIMES && e->times[count] > 0.0) ++count;
    return count;
}
static int count_columns(const Experiment *e)
{
    int count = 0;
    while (count < 3 && e->columns[count].name[0] != '\0') ++count;
    return count;
}

// All tasks once; microseconds per step.
static double perform(const Experiment *e, const Entrant *entrant, double *scores)
{
    Values values;
    double time = 0.0, steps = 0.0;
    for (int i = 0; i < count_tasks(e); ++i) {
        const int times = count_times(e);
        time += run_and_read(entrant, &e->tasks[i], e->times, times, values[i]);
        steps += (double)lround(e->times[times - 1] / e->tasks[i].T);
    }
    e->score(e->tasks, values, scores);
    return 1e6 * time / steps;
}

// A few dozen steps are done in microseconds: they are repeated more often.
static int repetitions_of(const Experiment *e, int repetitions)
{
    return e->times[count_times(e) - 1] / e->tasks[0].T < 1000.0 ? REPETITIONS : repetitions;
}

static void run_experiment(const Experiment *e, const Report *report, int repetitions)
{
    Entrant entrants[ENTRANTS];
    double times[ENTRANTS][REPETITIONS];
    Table table = {.id = e->id, .title = e->title, .about = e->about};
    const int count = entrants_for(&e->tasks[0], entrants), columns = count_columns(e);
    memcpy(table.columns, e->columns, (size_t)columns * sizeof(Column));
    table.columns[columns] = (Column){"us per step", 0.0, true};
    table.column_count = columns + 1;
    table.row_count = count;
    int done[ENTRANTS] = {0};
    report_progress("%s, %d simulators and settings", e->id, count);
    for (int r = 0; r < repetitions_of(e, repetitions); ++r)
        for (int i = 0; i < count; ++i) {
            table.rows[i].entrant = entrants[i];
            if (r > 0 && times[i][0] > SLOW) continue;
            times[i][done[i]++] = perform(e, &entrants[i], table.rows[i].values);
        }
    for (int i = 0; i < count; ++i) table.rows[i].values[columns] = median(times[i], done[i]);
    table_write(&table, report);
}

void run_experiments(const Report *report, int repetitions)
{
    for (size_t i = 0; i < sizeof experiments / sizeof experiments[0]; ++i)
        if (report_wants(report, experiments[i].id))
            run_experiment(&experiments[i], report, repetitions);
}

static bool has_right_weight(const Entrant *entrant, const PeerTask *task)
{
    const Peer *peer = entrant->peer;
    void *world = peer->build(task, entrant->variant);
    const double mass = peer->mass(world), gravity = peer->gravity(world);
    const double right = case_mass(task->which, task->links), g = case_gravity_of(task->which);
    peer->destroy(world);
    if (fabs(mass - right) < 1e-6 * right && fabs(gravity - g) < 1e-6) return true;
    fprintf(stderr, "%s, case %d: %g kg in place of %g, gravity %g in place of %g\n", peer->name,
            (int)task->which, mass, right, gravity, g);
    return false;
}

// Forgotten contacts or motors show at once: the first value after a short time, against stiction's.
// Soft contacts may differ by as much as the tolerance says.
static bool has_right_motion(const Entrant *entrant, const PeerTask *task, double t,
                             double tolerance)
{
    const Entrant own = {peers[0], 0};
    double right[1][PEER_VALUES], values[1][PEER_VALUES];
    run_and_read(&own, task, &t, 1, right);
    run_and_read(entrant, task, &t, 1, values);
    if (fabs(values[0][0] - right[0][0]) < tolerance) return true;
    fprintf(stderr, "%s, case %d: %g at %g s in place of %g\n", entrant->peer->name,
            (int)task->which, values[0][0], t, right[0][0]);
    return false;
}

bool check_physics(void)
{
    bool good = true;
    report_progress("masses, gravity and first motions of all");
    for (int which = 0; which < CASES; ++which) {
        const PeerTask task = {(PeerCase)which, 1e-3, 3, 0.0};
        Entrant entrants[ENTRANTS];
        const int count = entrants_for(&task, entrants);
        for (int i = 0; i < count; ++i) {
            good = has_right_weight(&entrants[i], &task) && good;
            if (which == CASE_CHAIN) // 0.0239 rad; without contacts 0.0197
                good = has_right_motion(&entrants[i], &task, 0.032, 0.0015) && good;
            if (which == CASE_ARM) // -0.0104 rad; without torques 0
                good = has_right_motion(&entrants[i], &task, 0.5, 0.002) && good;
        }
    }
    return good;
}
