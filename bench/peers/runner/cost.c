// Case 7: chains of n links. Case 9: a six-axis arm.
#include <math.h>
#include <stdlib.h>

#include "experiments.h"
#include "reference.h"

static const int sizes[] = {1, 2, 3, 5, 10, 20, 30, 50, 100};
enum { SIZES = sizeof sizes / sizeof sizes[0], STEPS = 32 };
static const double T = 1e-3; // s

// Microseconds per step over the first steps from the start; values: what is read after them. The same
// steps run directly before in a world of their own, so that caches and branch prediction know this
// simulator's steps and not how it builds worlds or the simulator before it.
static double time_steps(const Entrant *entrant, const PeerTask *task, int steps,
                         double values[PEER_VALUES])
{
    const Peer *peer = entrant->peer;
    void *world = peer->build(task, entrant->variant),
         *before = peer->build(task, entrant->variant);
    peer->run(before, steps);
    const double begin = clock_processor();
    peer->run(world, steps);
    const double time = clock_processor() - begin;
    peer->read(world, values);
    peer->destroy(before);
    peer->destroy(world);
    return 1e6 * time / steps;
}

static const double TOO_SLOW = 2000.0; // us per step; longer chains are then left out

// Too slow to be repeated as often; still alternating.
static bool worth_it(int repetition, double first)
{
    return repetition < 1 || first < 100.0 || (repetition < 11 && first < 1000.0) ||
           (repetition < 3 && first < 1e4);
}

// Errors of the first joints after the run, as parts of what is allowed; the largest. The same for all
// simulators. A rule of first order that moves with the speed at the end of the step is ahead by 3 %
// after 32 steps of constant acceleration: that much is not held against anyone. A joint that must
// stay may move by 1e-6 rad, which is a degree in ten minutes.
static double error_of(const double *angles, const double *right, int n)
{
    double worst = 0.0;
    for (int i = 0; i < chain_read(n); ++i)
        worst = fmax(worst, fabs(angles[i] - right[i]) / (0.05 * fabs(right[i]) + 1e-6));
    return worst;
}

static void measure_size(const Entrant *entrants, int count, int n, int repetitions, Row *rows,
                         Row *errors, int column)
{
    const PeerTask task = {CASE_CHAIN, T, n, 0.0};
    double right[PEER_VALUES], values[PEER_VALUES];
    reference_chain(n, STEPS * T, 0.5 * T, right);
    double(*times)[512] = calloc((size_t)count, sizeof *times);
    int done[ENTRANTS] = {0};
    for (int r = 0; r < repetitions; ++r)
        for (int i = 0; i < count; ++i) {
            if (column > 0 && !(rows[i].values[column - 1] < TOO_SLOW)) continue;
            if (!worth_it(r, times[i][0])) continue;
            times[i][done[i]++] = time_steps(&entrants[i], &task, STEPS, values);
            errors[i].values[column] = error_of(values, right, n);
        }
    for (int i = 0; i < count; ++i) {
        rows[i].values[column] = done[i] > 0 ? median(times[i], done[i]) : NAN;
        if (done[i] == 0) errors[i].values[column] = NAN;
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

// Rows of the two tables may be sorted differently.
static double error_in(const Table *errors, const Entrant *entrant, int column)
{
    for (int i = 0; i < errors->row_count; ++i)
        if (errors->rows[i].entrant.peer == entrant->peer &&
            errors->rows[i].entrant.variant == entrant->variant)
            return errors->rows[i].values[column];
    return NAN;
}

// The fastest row with errors below a limit, of stiction's own or of the others'; NULL: none.
static const Row *fastest(const Table *table, const Table *errors, double limit, int column,
                          bool own)
{
    const Row *best = NULL;
    for (int i = 0; i < table->row_count; ++i) {
        const Row *row = &table->rows[i];
        if (entrant_is_stiction(&row->entrant) != own || isnan(row->values[column])) continue;
        if (!(error_in(errors, &row->entrant, column) < limit)) continue;
        if (best == NULL || row->values[column] < best->values[column]) best = row;
    }
    return best;
}

static void write_ratios(const Table *table, const Table *errors, const char *who, double limit,
                         FILE *file)
{
    fprintf(file, "\n%s over stiction:", who);
    for (int j = 0; j < SIZES; ++j) {
        const Row *own = fastest(table, errors, limit, j, true),
                  *other = fastest(table, errors, limit, j, false);
        char label[64];
        fprintf(file, "%s n = %d: ", j > 0 ? "," : "", sizes[j]);
        if (own == NULL || other == NULL)
            fprintf(file, "%s", own == NULL ? "stiction is not among them" : "no other");
        else
            fprintf(file, "%.1f (%s)", other->values[j] / own->values[j],
                    entrant_label(&other->entrant, label, sizeof label));
    }
    fprintf(file, ".\n");
}

// Whatever it computes; what comes near; what is correct.
static void write_all_ratios(const Table *table, const Table *errors, FILE *file)
{
    write_ratios(table, errors, "Fastest other, right or wrong,", INFINITY, file);
    write_ratios(table, errors, "Fastest other within ten times of what is allowed (next table)",
                 10.0, file);
    write_ratios(table, errors, "Fastest correct other", 1.0, file);
    fprintf(file, "\nAims against the fastest correct other: 3 for n = 1 ... 50, 5 at n = 100.\n");
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
    Table errors = {.id = "chain_error",
                    .title = "Case 7: the same motion?",
                    .about =
                        "Errors of the angles of the first six joints after 32 ms, as parts of "
                        "what is allowed: 5 % of the right angle and 1e-6 rad; the largest of "
                        "them. Correct is who stays below 1. What is right comes from an "
                        "integration that shares no code with any simulator. Not judged: steps "
                        "of first order are 3 % ahead, which counts 0.6 here.",
                    .column_count = SIZES,
                    .row_count = count};
    for (int j = 0; j < SIZES; ++j) {
        report_progress("chain, n = %d", sizes[j]);
        snprintf(table.columns[j].name, sizeof table.columns[j].name, "n = %d", sizes[j]);
        table.columns[j].judged = true;
        errors.columns[j] = table.columns[j];
        errors.columns[j].judged = false;
        measure_size(entrants, count, sizes[j], repetitions, table.rows, errors.rows, j);
    }
    snprintf(table.columns[SIZES].name, sizeof table.columns[SIZES].name, "exponent from 20");
    for (int i = 0; i < count; ++i) {
        table.rows[i].entrant = errors.rows[i].entrant = entrants[i];
        table.rows[i].values[SIZES] = exponent(table.rows[i].values);
    }
    table_write(&table, report);
    FILE *files[] = {report->tables, stdout};
    for (int i = 0; i < 2; ++i) write_all_ratios(&table, &errors, files[i]);
    table_write(&errors, report);
}

static void run_arm(const Report *report, int repetitions)
{
    enum { ARM_STEPS = 500 };
    const PeerTask task = {CASE_ARM, T, 0, 0.0};
    Entrant entrants[ENTRANTS];
    double times[ENTRANTS][512], values[PEER_VALUES];
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
            times[i][done[i]++] = time_steps(&entrants[i], &task, ARM_STEPS, values);
            table.rows[i].values[0] = values[0];
        }
    for (int i = 0; i < count; ++i) table.rows[i].values[1] = median(times[i], done[i]);
    table_write(&table, report);
}

void run_costs(const Report *report, int repetitions)
{
    if (report_wants(report, "chain")) run_chain(report, repetitions);
    if (report_wants(report, "arm")) run_arm(report, repetitions);
}
