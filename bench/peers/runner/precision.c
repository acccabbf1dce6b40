// Case 8: error in the final state against processor time, over step sizes.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments.h"
#include "reference.h"

static const double steps[] = {1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5, 1e-5};
enum { STEPS = sizeof steps / sizeof steps[0], LEVELS = 6 };

static const double MOST_TIME = 0.35; // s of processor for one run; finer steps are left out then

typedef struct Point {
    double T, seconds, error;
} Point;

typedef struct Curve {
    Entrant entrant;
    Point points[STEPS];
    int count;
} Curve;

typedef struct Study {
    const char *id, *title, *about;
    PeerTask task;
    double end; // s
    double (*error)(const double *values);
} Study;

static double error_pull(const double *v)
{
    return fabs(v[0] - reference_spring_pull_rest()) + fabs(v[1]);
}
static double error_rolling(const double *v)
{
    const double right = reference_rolling_distance(1.0), angle = case_pi / 6.0;
    return hypot(v[0] - right * cos(angle), v[1] - right * sin(angle));
}
static double error_two_link(const double *v)
{
    static double right[4];
    static bool known = false;
    if (!known) reference_two_link(6.0, 2e-5, right), known = true;
    return hypot(v[0] - right[0], v[1] - right[1]);
}

static const Study studies[] = {
    {"precision_spring_pull",
     "Case 8, spring pull",
     "Error of place and speed at 4 s (case 2).",
     {CASE_SPRING_PULL, 0.0, 0, 0.0},
     4.0,
     error_pull},
    {"precision_rolling",
     "Case 8, rolling sphere",
     "Error of the place after 1 s, launched under 30 degrees (case 4a).",
     {CASE_ROLLING, 0.0, 0, 0.52359877559829887},
     1.0,
     error_rolling},
    {"precision_two_link",
     "Case 8, two-link arm",
     "Error of the angles at 6 s (case 5).",
     {CASE_TWO_LINK, 0.0, 0, 0.0},
     6.0,
     error_two_link},
};

static void trace(const Study *study, Curve *curve, int repetitions, int i)
{
    if (curve->count < i) return; // was too slow before
    PeerTask task = study->task;
    double times[16], values[1][PEER_VALUES];
    task.T = steps[i];
    if (curve->count > 0 &&
        curve->points[curve->count - 1].seconds * curve->points[curve->count - 1].T / task.T >
            MOST_TIME)
        return;
    for (int r = 0; r < repetitions; ++r)
        times[r] = run_and_read(&curve->entrant, &task, &study->end, 1, values);
    curve->points[curve->count++] =
        (Point){task.T, median(times, repetitions), study->error(values[0])};
}

typedef struct Reached {
    double error; // NaN: nothing within the time
    const Entrant *entrant;
} Reached;

// The smallest error that any of them reaches within a time.
static Reached reached(const Curve *curves, int count, bool own, double seconds)
{
    Reached least = {NAN, NULL};
    for (int c = 0; c < count; ++c)
        for (int i = 0; entrant_is_stiction(&curves[c].entrant) == own && i < curves[c].count; ++i)
            if (curves[c].points[i].seconds <= seconds &&
                !(least.error <= curves[c].points[i].error))
                least = (Reached){curves[c].points[i].error, &curves[c].entrant};
    return least;
}

static void write_curves(const Study *study, const Curve *curves, int count, const char *folder)
{
    char path[512], label[64];
    snprintf(path, sizeof path, "%s/%s.csv", folder, study->id);
    FILE *file = fopen(path, "w");
    if (file == NULL) return;
    for (int c = 0; c < count; ++c) { // blocks, for gnuplot's index
        fprintf(file, "\"%s\"\n", entrant_label(&curves[c].entrant, label, sizeof label));
        for (int i = 0; i < curves[c].count; ++i)
            fprintf(file, "%g,%g,%g\n", curves[c].points[i].T, curves[c].points[i].seconds,
                    curves[c].points[i].error);
        fprintf(file, "\n\n");
    }
    fclose(file);
}

static const double levels[LEVELS] = {1e-3, 3e-3, 1e-2, 3e-2, 1e-1, 3e-1}; // s of processor

static void write_levels(const Curve *curves, int count, FILE *file)
{
    fprintf(file, "\nSmallest error reached within a processor time:\n\n"
                  "| time, s | stiction | best of the others | ratio |\n|---:|---:|---:|---:|\n");
    for (int i = 0; i < LEVELS; ++i) {
        const Reached own = reached(curves, count, true, levels[i]),
                      other = reached(curves, count, false, levels[i]);
        fprintf(file, "| %g | %.3g | %.3g | %.3g |\n", levels[i], own.error, other.error,
                other.error / own.error);
    }
    fprintf(file, "\nAim: a ratio of 100 in the spring pull and the two-link arm.\n");
}

static void write_lost_levels(const Study *study, const Curve *curves, int count, FILE *file)
{
    for (int i = 0; i < LEVELS; ++i) {
        const Reached own = reached(curves, count, true, levels[i]),
                      other = reached(curves, count, false, levels[i]);
        char own_name[64], other_name[64];
        if (own.entrant == NULL || other.entrant == NULL || own.error <= 1.02 * other.error)
            continue;
        fprintf(
            file,
            "- **%s, error within %g s of processor:** %s is better, %.3g against %.3g of %s.\n",
            study->title, levels[i], entrant_label(other.entrant, other_name, sizeof other_name),
            other.error, own.error, entrant_label(own.entrant, own_name, sizeof own_name));
    }
}

// The error of every entrant at steps of 1 ms and at its finest, as a table.
static void write_table(const Study *study, const Curve *curves, int count, const Report *report)
{
    char id[64];
    snprintf(id, sizeof id, "%s_table", study->id);
    Table table = {.id = id,
                   .title = study->title,
                   .about = study->about,
                   .columns = {{"smallest error", 1e-15, true},
                               {"with T, s", 0.0, false},
                               {"and, s of processor", 0.0, false}},
                   .column_count = 3,
                   .row_count = count};
    for (int c = 0; c < count; ++c) {
        const Point *best = &curves[c].points[0];
        for (int i = 1; i < curves[c].count; ++i)
            if (curves[c].points[i].error < best->error) best = &curves[c].points[i];
        table.rows[c] = (Row){curves[c].entrant, {best->error, best->T, best->seconds}};
    }
    table_write(&table, report);
    write_lost_levels(study, curves, count, report->losses);
    FILE *files[] = {report->tables, stdout};
    for (int i = 0; i < 2; ++i) {
        fprintf(files[i], "\n");
        write_lost_levels(study, curves, count, files[i]);
        write_levels(curves, count, files[i]);
    }
}

void run_work_precision(const Report *report, int repetitions)
{
    for (size_t s = 0; s < sizeof studies / sizeof studies[0]; ++s) {
        if (!report_wants(report, studies[s].id)) continue;
        PeerTask task = studies[s].task;
        Entrant entrants[ENTRANTS];
        static Curve curves[ENTRANTS];
        memset(curves, 0, sizeof curves);
        task.T = 1e-3;
        const int count = entrants_for(&task, entrants);
        for (int c = 0; c < count; ++c) curves[c].entrant = entrants[c];
        report_progress("%s, %d simulators and settings", studies[s].id, count);
        for (int i = 0; i < STEPS; ++i)
            for (int c = 0; c < count; ++c) trace(&studies[s], &curves[c], repetitions, i);
        write_curves(&studies[s], curves, count, report->folder);
        write_table(&studies[s], curves, count, report);
    }
}
