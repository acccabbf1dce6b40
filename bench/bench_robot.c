// What the recursions of robots cost: serial chains of n links, with axes in all directions and
// with parallel axes. Medians over many runs: microseconds per evaluation, ns per link, and
// the exponent with which the time grows from n = 20 to n = 200.
// Usage: bench_robot [results.csv]
//
// Nothing can be left out by the compiler: the positions differ from evaluation to evaluation, and
// the sum of all results is printed.
#include "timing.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "stiction/robot.h"

enum { MOST = 200, POSITIONS = 16, REPETITIONS = 41, EVALUATIONS = 4000 };

static const int sizes[] = {1, 2, 5, 10, 20, 50, 100, 200};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

typedef struct Setting {
    StiRobot *robot;
    int n;
    double q[POSITIONS][MOST], v[MOST], tau[MOST], result[MOST];
    double *workspace, *prepared;
} Setting;

typedef double Run(Setting *s, int k); // returns one of the results

static double forward(Setting *s, int k)
{
    const StiVec3 gravity = {0.0, 0.0, -9.81};
    sti_robot_forward(s->robot, gravity, s->q[k], s->v, s->tau, NULL, s->result, NULL,
                      s->workspace);
    return s->result[s->n - 1];
}

static double inverse(Setting *s, int k)
{
    const StiVec3 gravity = {0.0, 0.0, -9.81};
    sti_robot_inverse(s->robot, gravity, s->q[k], s->v, s->tau, NULL, s->result, NULL,
                      s->workspace);
    return s->result[0];
}

static double prepare(Setting *s, int k)
{
    sti_robot_prepare(s->robot, s->q[k], NULL, NULL, s->prepared);
    return s->prepared[0];
}

static double respond(Setting *s, int k)
{
    s->tau[0] = 0.1 * k;
    sti_robot_respond(s->robot, s->prepared, s->tau, NULL, s->result);
    return s->result[s->n - 1];
}

typedef struct Case {
    const char *name;
    Run *run;
} Case;

// respond uses what prepare left.
static const Case cases[] = {{"forward", forward},
                             {"inverse", inverse},
                             {"prepare", prepare},
                             {"respond", respond}};
enum { CASES = sizeof cases / sizeof cases[0] };

// Rods of 0.3 m and 1 kg.
static StiLink rod(int i, bool planar, char *name)
{
    static const StiVec3 around[3] = {{0.3, -0.5, 0.8}, {0.9, 0.2, -0.4}, {-0.2, 0.7, 0.6}};
    StiLink link = {.name = name,
                    .joint_name = name,
                    .parent = i - 1,
                    .joint = STI_JOINT_REVOLUTE,
                    .placement = {.p = {i > 0 ? 0.3 : 0.0, 0.0, 0.0}, .q = STI_QUAT_IDENTITY},
                    .axis = planar ? (StiVec3){0.0, 1.0, 0.0} : around[i % 3],
                    .mass = 1.0,
                    .centre = {0.15, 0.0, 0.0},
                    .inertia = {1e-4, 7.5e-3, 7.5e-3}};
    if (!planar) link.placement.q = sti_quat_normalise((StiQuat){1.0, 0.1 * (i % 7), -0.2, 0.3});
    return link;
}

static bool set_chain(Setting *s, int n, bool planar)
{
    static char names[MOST][16];
    static StiLink links[MOST];
    for (int i = 0; i < n; ++i) {
        snprintf(names[i], sizeof names[i], "%d", i);
        links[i] = rod(i, planar, names[i]);
    }
    *s = (Setting){.robot = sti_robot_create(links, n, NULL), .n = n};
    if (s->robot == NULL) return false;
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < POSITIONS; ++k) s->q[k][i] = sin(1.0 + 3.7 * i + 0.9 * k);
        s->v[i] = 0.3 * cos(2.3 * i);
        s->tau[i] = 0.2 * sin(5.1 * i);
    }
    s->workspace = calloc((size_t)sti_robot_workspace(s->robot), sizeof(double));
    s->prepared = calloc((size_t)sti_robot_prepared(s->robot), sizeof(double));
    return s->workspace != NULL && s->prepared != NULL;
}

static void release(Setting *s)
{
    free(s->workspace);
    free(s->prepared);
    sti_robot_destroy(s->robot);
}

// Microseconds per evaluation.
static double measure(Run *run, Setting *s, double *sum)
{
    const int evaluations = 1 + EVALUATIONS / s->n;
    double times[REPETITIONS];
    for (int i = 0; i < REPETITIONS; ++i) {
        const double start = timing_processor_nanoseconds();
        for (int k = 0; k < evaluations; ++k) *sum += run(s, k % POSITIONS);
        times[i] = 1e-3 * (timing_processor_nanoseconds() - start) / evaluations;
    }
    return timing_median(times, REPETITIONS);
}

static bool measure_chains(bool planar, double times[CASES][SIZES], double *sum)
{
    static Setting setting;
    bool good = true;
    for (int j = 0; j < SIZES; ++j) {
        good = set_chain(&setting, sizes[j], planar) && good;
        for (int c = 0; good && c < CASES; ++c) times[c][j] = measure(cases[c].run, &setting, sum);
        release(&setting);
    }
    return good;
}

// Slope of a straight line through the logarithms from n = 20.
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

static void print_chains(bool planar, double times[CASES][SIZES], FILE *csv)
{
    const char *axes = planar ? "parallel" : "general";
    for (int c = 0; c < CASES; ++c) {
        printf("%-8s %-8s  us", axes, cases[c].name);
        for (int j = 0; j < SIZES; ++j) printf(" %8.3f", times[c][j]);
        printf("   exponent %.3f\n%20s", exponent(times[c]), "ns/n");
        for (int j = 0; j < SIZES; ++j) printf(" %8.1f", 1e3 * times[c][j] / sizes[j]);
        printf("\n");
        for (int j = 0; csv != NULL && j < SIZES; ++j)
            fprintf(csv, "%s,%s,%d,%.5g\n", cases[c].name, axes, sizes[j], times[c][j]);
    }
}

int main(int count, char **arguments)
{
    FILE *csv = count > 1 ? fopen(arguments[1], "w") : NULL;
    if (count > 1 && csv == NULL) return fprintf(stderr, "cannot write %s\n", arguments[1]), 1;
    if (csv != NULL) fprintf(csv, "function,axes,links,microseconds\n");
    printf("%-8s %-11s", "axes", "function");
    for (int j = 0; j < SIZES; ++j) printf(" %8d", sizes[j]);
    printf("\n");
    double sum = 0.0;
    for (int planar = 0; planar <= 1; ++planar) {
        double times[CASES][SIZES];
        if (!measure_chains(planar, times, &sum)) return fprintf(stderr, "no robot\n"), 1;
        print_chains(planar, times, csv);
    }
    printf("sum of results %.6g\n", sum);
    if (csv != NULL && fclose(csv) != 0)
        return fprintf(stderr, "cannot write %s\n", arguments[1]), 1;
    return isfinite(sum) ? 0 : 1;
}
