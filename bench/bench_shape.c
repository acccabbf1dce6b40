// What it costs to find where two shapes touch, per pair of kinds, near each other (resting within
// a millimetre) and overlapping; and how the sweep over many shapes grows.
// Usage: bench_shape [results.csv]
//
// Nothing can be left out by the compiler: poses differ from call to call, and sums are printed.
#include "timing.h"

#include <math.h>
#include <stdio.h>

#include "stiction/shape.h"

enum { KINDS = 7, POSES = 64, REPETITIONS = 21, MOST = 4096 };

static const char *const names[KINDS] = {"point", "sphere", "capsule", "cylinder",
                                         "box",   "hull",   "plane"};

// The same numbers in every run, in [-1, 1).
static double number(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

static StiFrame pose(unsigned *seed)
{
    const double w = number(seed), x = number(seed), y = number(seed), z = number(seed);
    return (StiFrame){.q = sti_quat_normalise((StiQuat){w, x, y, z})};
}

static void make_shapes(StiHull *hull, StiShape *shapes)
{
    StiVec3 points[16];
    for (int i = 0; i < 16; ++i) {
        const double turn = 0.78539816339744830962 * i;
        points[i] = sti_vec3(0.1 * cos(turn), 0.1 * sin(turn), i < 8 ? -0.1 : 0.1);
    }
    sti_hull_build(points, 16, hull);
    const StiFrame here = {.q = STI_QUAT_IDENTITY};
    const StiVec3 zero = {0.0, 0.0, 0.0};
    shapes[0] = sti_shape_point(zero);
    shapes[1] = sti_shape_sphere(zero, 0.1);
    shapes[2] = sti_shape_capsule(here, 0.05, 0.1);
    shapes[3] = sti_shape_cylinder(here, 0.1, 0.1);
    shapes[4] = sti_shape_box(here, sti_vec3(0.1, 0.1, 0.1));
    shapes[5] = sti_shape_hull(here, hull);
    shapes[6] = sti_shape_plane(zero, sti_vec3(0.0, 0.0, 1.0));
}

// Puts a above b along z so that their gap is what is asked for. Bisection: a plane is below.
static StiFrame above(const StiShape *a, StiFrame link_a, const StiShape *b, const StiFrame *link_b,
                      double gap)
{
    double low = -1.0, high = 1.0;
    for (int i = 0; i < 50; ++i) {
        StiTouch touches[STI_TOUCHES];
        link_a.p.z = 0.5 * (low + high);
        const int count = sti_shape_touch(a, &link_a, b, link_b, gap, STI_TOUCHES, touches);
        if (count > 0)
            low = link_a.p.z;
        else
            high = link_a.p.z;
    }
    return link_a;
}

static double time_pair(const StiShape *a, const StiShape *b, double gap, double *sum)
{
    unsigned seed = 7;
    StiFrame links_a[POSES], links_b[POSES];
    for (int i = 0; i < POSES; ++i) {
        links_b[i] = b->kind->half_space ? (StiFrame){.q = STI_QUAT_IDENTITY} : pose(&seed);
        links_a[i] = above(a, pose(&seed), b, &links_b[i], gap);
    }
    double times[REPETITIONS];
    for (int r = 0; r < REPETITIONS; ++r) {
        const double start = timing_nanoseconds();
        for (int i = 0; i < POSES; ++i) {
            StiTouch touches[STI_TOUCHES];
            const int count =
                sti_shape_touch(a, &links_a[i], b, &links_b[i], gap + 1e-3, STI_TOUCHES, touches);
            if (count > 0) *sum += touches[count - 1].gap;
        }
        times[r] = (timing_nanoseconds() - start) / POSES;
    }
    return timing_median(times, REPETITIONS);
}

static void time_pairs(FILE *file)
{
    static StiHull hull;
    StiShape shapes[KINDS];
    make_shapes(&hull, shapes);
    double sum = 0.0;
    printf("%-9s %-9s  us: touching  1 cm deep\n", "a", "b");
    for (int a = 0; a < KINDS - 1; ++a)
        for (int b = a; b < KINDS; ++b) {
            const double touching = 1e-3 * time_pair(&shapes[a], &shapes[b], 0.0, &sum);
            const double deep = 1e-3 * time_pair(&shapes[a], &shapes[b], -0.01, &sum);
            printf("%-9s %-9s  %12.3f %10.3f\n", names[a], names[b], touching, deep);
            if (file != NULL)
                fprintf(file, "%s-%s,%.4f,%.4f\n", names[a], names[b], touching, deep);
        }
    printf("(sum of gaps %g)\n\n", sum);
}

// Boxes of one metre on a square grid of three metres, and a floor.
static double time_sweep(int count, int *found)
{
    static StiBounds bounds[MOST];
    static StiOwner owners[MOST];
    static int memory[2 * MOST];
    static StiPair pairs[2 * MOST];
    const int side = (int)ceil(sqrt(count));
    unsigned seed = 3;
    for (int i = 0; i < count; ++i) {
        const double x = 3.0 * (i % side) + 0.3 * number(&seed);
        const double y = 3.0 * (i / side) + 0.3 * number(&seed);
        bounds[i] = (StiBounds){{x, y, 0.0}, {x + 1.0, y + 1.0, 1.0}};
        owners[i] = (StiOwner){i, 0, -1};
    }
    bounds[0] = (StiBounds){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, 0.0}};
    sti_sweep_start(memory, count);
    const StiPairRules rules = {owners, NULL, 0};
    double times[REPETITIONS];
    for (int r = 0; r < REPETITIONS; ++r) {
        const double start = timing_nanoseconds();
        *found = sti_sweep(bounds, count, &rules, 1e-3, memory, 2 * MOST, pairs);
        times[r] = timing_nanoseconds() - start;
    }
    return timing_median(times, REPETITIONS);
}

static void time_sweeps(FILE *file)
{
    printf("%-8s %8s %10s %10s\n", "shapes", "pairs", "us", "ns/shape");
    double first = 0.0, last = 0.0;
    for (int count = 64; count <= MOST; count *= 2) {
        int found = 0;
        last = time_sweep(count, &found);
        if (count == 64) first = last;
        printf("%-8d %8d %10.2f %10.1f\n", count, found, 1e-3 * last, last / count);
        if (file != NULL) fprintf(file, "sweep %d,%.4f,\n", count, 1e-3 * last);
    }
    printf("growth exponent 64 to %d: %.2f\n", MOST, log(last / first) / log(MOST / 64.0));
}

int main(int argc, char **argv)
{
    FILE *file = argc > 1 ? fopen(argv[1], "w") : NULL;
    if (argc > 1 && file == NULL) return EXIT_FAILURE;
    if (file != NULL) fprintf(file, "pair,touching us,deep us\n");
    time_pairs(file);
    time_sweeps(file);
    return file != NULL && fclose(file) != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
