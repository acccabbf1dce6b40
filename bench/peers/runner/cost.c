// Case 7: chains of n links. Case 9: a six-axis arm.
#include <math.h>
#include <stdlib.h>

#include "experiments.h"
#include "reference.h"

static const int sizes[] = {1, 2, 3, 5, 10, 20, 30, 50, 100};
enum { SIZES = sizeof sizes / sizeof sizes[0], STEPS = 32 };
static const double T = 1e-3; // s

// Microseconds per step over the first steps from the start; *angle: joint 0 after them. The same
// steps run directly before in a world of their own, so that caches and branch prediction know this
// simulator's steps and not how it builds worlds or the simulator before it.
static double time_steps(const Entrant *entrant, const PeerTask *task, int steps, double *angle)
{
    const Peer *peer = entrant->peer;
    double values[PEER_VALUES];
    void *world = peer->build(task, entrant->variant),
         *before = peer->build(task, entrant->variant);
    peer->run(before, steps);
    const double begin = clock_processor();
    peer->run(world, steps);
    const double time = clock_processor() - begin;
    peer->read(world, values);
    *angle = values[0];
    peer->destroy(before);
    peer->destroy(world);
    return 1e6 * time / steps;
}

static const double TOO_SLOW = 2000.0;           // us per step; longer chains are then left out
static const double STUCK = 1e-6, WITHIN = 0.05; // who is correct: rad, and a part of the angle

// Too slow to be repeated as often; still alternating.
static bool worth_it(int repetition, double first)
{
    return repetition < 1 || first < 100.0 || (repetition < 11 && first < 1000.0) ||
           (repetition < 3 && first < 1e4);
}

static void measure_size(const Entrant *entrants, int count, int n, int repetitions, Row *rows,
                         Row *angles, int column)
{
    const PeerTask task = {CASE_CHAIN, T, n, 0.0};
    double(*times)[512] = calloc((size_t)count, sizeof *times);
    int done[ENTRANTS] = {0};
    for (int r = 0; r < repetitions; ++r)
        for (int i = 0; i < count; ++i) {
            double angle;
            if (column > 0 && !(rows[i].values[column - 1] < TOO_SLOW)) continue;
            if (!worth_it(r, times[i][0])) continue;
            times[i][done[i]++] = time_steps(&entrants[i], &task, STEPS, &angle);
            angles[i].values[column] = angle;
        }
    for (int i = 0; i < count; ++i) {
        rows[i].values[column] = done[i] > 0 ? median(times[i], done[i]) : NAN;
        if (done[i] == 0) angles[i].values[column] = NAN;
    }
    free(times);
}

// Slope of a straight line through the logarithms from n = 20 on.
static double exponent(const double *times)
{
    double count = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (int j = 0; j < SIZES; ++j) {
        if (sizes[j] < 20) continue;
        const double a = log(sizes[j]), b = log(times[j]);
        count += 1.0, x += a, y += b, xx += a * a, xy += a * b;
    }
    return (count * xy - x * y) / (count * xx - x * x);
}

// The same for all simulators, stiction's included. A rule of first order that moves with the speed at
// the end of the step is ahead by 3 % after 32 steps of constant acceleration: not held against anyone.
static bool is_correct(double angle, double right)
{
    return fabs(right) < STUCK ? fabs(angle) < STUCK : fabs(angle - right) < WITHIN * fabs(right);
}

// Rows of the two tables may be sorted differently.
static double angle_of(const Table *angles, const Entrant *entrant, int column)
{
    for (int i = 0; i < angles->row_count; ++i)
        if (angles->rows[i].entrant.peer == entrant->peer &&
            angles->rows[i].entrant.variant == entrant->variant)
            return angles->rows[i].values[column];
    return NAN;
}

// The fastest of the others over stiction at each size; right: only those count that are correct.
static void write_ratios(const Table *table, const Table *angles, const double *right, FILE *file)
{
    fprintf(file, "\nFastest %sother over stiction:", right != NULL ? "correct " : "");
    for (int j = 0; j < SIZES; ++j) {
        double own = INFINITY, other = INFINITY;
        for (int i = 0; i < table->row_count; ++i) {
            const Entrant *entrant = &table->rows[i].entrant;
            double *best = entrant_is_stiction(entrant) ? &own : &other;
            if (right == NULL || is_correct(angle_of(angles, entrant, j), right[j]))
                *best = fmin(*best, table->rows[i].values[j]);
        }
        fprintf(file, "%s n = %d: %.1f", j > 0 ? "," : "", sizes[j], other / own);
    }
    fprintf(file, ". Aims: 3 for n = 1 ... 50, 5 at n = 100.\n");
}

static void write_correctness(const Table *angles, const double *right, FILE *file)
{
    char label[64];
    fprintf(file, "\nReference, by an integration that shares no code with any simulator:");
    for (int j = 0; j < SIZES; ++j)
        fprintf(file, "%s n = %d: %.4g", j > 0 ? "," : "", sizes[j],
                fabs(right[j]) < STUCK ? 0.0 : right[j]);
    fprintf(file,
            ". Correct is who is within %g %% of it or, where it is 0, moved less than %g rad. "
            "Not correct:",
            100.0 * WITHIN, STUCK);
    bool any = false;
    for (int i = 0; i < angles->row_count; ++i) {
        bool named = false;
        for (int j = 0; j < SIZES; ++j) {
            const double angle = angles->rows[i].values[j];
            if (isnan(angle) || is_correct(angle, right[j])) continue;
            if (!named)
                fprintf(file, "%s %s at n =", any ? ";" : "",
                        entrant_label(&angles->rows[i].entrant, label, sizeof label));
            fprintf(file, "%s %d", named ? "," : "", sizes[j]);
            any = named = true;
        }
    }
    fprintf(file, "%s.\n", any ? "" : " nobody");
}

static void run_chain(const Report *report, int repetitions)
{
    Entrant entrants[ENTRANTS];
    const int count = entrants_for(&(PeerTask){CASE_CHAIN, T, 3, 0.0}, entrants);
    Table table = {.id = "chain",
                   .title = "Case 7: chain with joint friction and two contacts",
                   .about = "Microseconds per step of the first 32 steps of 1 ms, from the state "
                            "laid out straight; n links.",
                   .column_count = SIZES + 1,
                   .row_count = count};
    Table angles = {.id = "chain_angle",
                    .title = "Case 7: the same motion?",
                    .about = "Angle of joint 0 after 32 ms, rad.",
                    .column_count = SIZES,
                    .row_count = count};
    double right[SIZES];
    for (int j = 0; j < SIZES; ++j) {
        report_progress("chain, n = %d", sizes[j]);
        right[j] = reference_chain_angle(sizes[j], STEPS * T, 0.5 * T);
        snprintf(table.columns[j].name, sizeof table.columns[j].name, "n = %d", sizes[j]);
        table.columns[j].judged = true;
        angles.columns[j] = table.columns[j];
        angles.columns[j].judged = false;
        measure_size(entrants, count, sizes[j], repetitions, table.rows, angles.rows, j);
    }
    snprintf(table.columns[SIZES].name, sizeof table.columns[SIZES].name, "exponent from 20");
    for (int i = 0; i < count; ++i) {
        table.rows[i].entrant = angles.rows[i].entrant = entrants[i];
        table.rows[i].values[SIZES] = exponent(table.rows[i].values);
    }
    table_write(&table, report);
    FILE *files[] = {report->tables, stdout};
    for (int i = 0; i < 2; ++i) {
        write_ratios(&table, &angles, NULL, files[i]);
        write_ratios(&table, &angles, right, files[i]);
    }
    table_write(&angles, report);
    for (int i = 0; i < 2; ++i) write_correctness(&angles, right, files[i]);
}

static void run_arm(const Report *report, int repetitions)
{
    enum { ARM_STEPS = 500 };
    const PeerTask task = {CASE_ARM, T, 0, 0.0};
    Entrant entrants[ENTRANTS];
    double times[ENTRANTS][512];
    int done[ENTRANTS] = {0};
    const int count = entrants_for(&task, entrants);
    report_progress("arm");
    Table table = {.id = "arm",
                   .title = "Case 9: six-axis arm, friction in all joints, no contact",
                   .about = "Joints stick and slip under torques of three times their friction; "
                            "500 steps of 1 ms.",
                   .columns = {{"q0 after 0.5 s, rad", 0.0, false}, {"us per step", 0.0, true}},
                   .column_count = 2,
                   .row_count = count};
    for (int r = 0; r < repetitions; ++r)
        for (int i = 0; i < count; ++i) {
            table.rows[i].entrant = entrants[i];
            if (!worth_it(r, times[i][0])) continue;
            times[i][done[i]++] =
                time_steps(&entrants[i], &task, ARM_STEPS, &table.rows[i].values[0]);
        }
    for (int i = 0; i < count; ++i) table.rows[i].values[1] = median(times[i], done[i]);
    table_write(&table, report);
}

void run_costs(const Report *report, int repetitions)
{
    if (report_wants(report, "chain")) run_chain(report, repetitions);
    if (report_wants(report, "arm")) run_arm(report, repetitions);
}
