// The contact block alone: random problems (how many stay unsolved, iterations, time) and piles of
// cubes, seen for the first time, and again with a little more load; a plate on two points.
#include "timing.h"

#include <stdio.h>

#include "support/random_block.h"

static BlockCase p;

static double timed_solve(void)
{
    const double start = timing_nanoseconds();
    block_case_solve(&p);
    return timing_nanoseconds() - start;
}

static void measure_random(int contacts, bool planar, double mu_most, long count)
{
    static double times[40000], warm[40000];
    Random random = {.state = 1};
    double sweeps = 0.0, iterations = 0.0, worst = 0.0;
    long unsolved = 0;
    for (long n = 0; n < count; ++n) {
        const RandomBlock kind = {.contacts = contacts,
                                  .planar = planar,
                                  .gaps = n % 2 == 1,
                                  .mu_most = mu_most};
        random_block(&random, &kind, &p);
        times[n] = timed_solve();
        sweeps += p.answer.sweeps;
        iterations += p.answer.iterations;
        const BlockVerdict verdict = block_case_judge(&p);
        if (p.answer.outcome != STI_BLOCK_SOLVED)
            ++unsolved;
        else if (verdict.scale > 0.0)
            worst = fmax(worst, verdict.violation / verdict.scale);
        for (int a = 0; a < p.block.row_count; ++a) p.c[a] *= 1.001;
        warm[n] = timed_solve();
    }
    printf("%8d %-7s %4.1f %8ld %9.3f %8.2f %8.2f %10.1e %10.0f %10.0f\n", contacts,
           planar ? "planar" : "space", mu_most, count, 100.0 * (double)unsolved / (double)count,
           sweeps / (double)count, iterations / (double)count, worst,
           timing_median(times, (int)count), timing_median(warm, (int)count));
}

// Least of some runs from the same start, in microseconds.
static double least_time(const double *start)
{
    double least = INFINITY;
    for (int n = 0; n < 9; ++n) {
        memcpy(p.f, start, sizeof p.f);
        least = fmin(least, timed_solve());
    }
    return 1e-3 * least;
}

static void measure_pile(int cubes)
{
    static double start[BLOCK_ROWS];
    double push[BLOCK_NODES];
    for (int k = 0; k < cubes; ++k) push[k] = k % 2 == 0 ? 0.7 : -0.3;
    stacked_block(cubes, 0.5, push, &p);
    memset(start, 0, sizeof start);
    p.block.resumed = false;
    const double cold = least_time(start);
    const int cold_iterations = p.answer.iterations;
    memcpy(start, p.f, sizeof start);
    for (int a = 0; a < 4 * cubes; ++a) p.c[3 * a] *= 1.01;
    p.block.resumed = true;
    const double warm = least_time(start);
    const int warm_iterations = p.answer.iterations;
    memcpy(start, p.f, sizeof start);
    const double rest = least_time(start);
    printf("%8d %8d %8d %10.1f %6d %10.1f %6d %10.1f\n", cubes, 4 * cubes, p.answer.outcome, cold,
           cold_iterations, warm, warm_iterations, rest);
}

// A plate of 2 kg in a plane on two points, as a robot's link would lie there; vx: m/s. Least time
// of one solve from the forces of the last step, or from 1 % less.
static double time_plate(double vx)
{
    static double c_size[6], W_size[6];
    const double arms[2] = {-0.2, 0.2}, T = 1e-3, m = 2.0, inertia = 0.05, h = 0.1;
    double J[6][3], start[6], least = INFINITY;
    block_case_start(&p);
    p.block.resumed = true;
    p.block.pairs = p.pairs;
    for (int i = 0; i < 2; ++i) {
        const double rows[3][3] = {{1.0, 0.0, -h}, {0.0, 0.0, 0.0}, {0.0, 1.0, -arms[i]}};
        memcpy(J[3 * i], rows, sizeof rows);
        block_case_add(&p, STI_BLOCK_CONTACT, 3, 0.4);
        p.nodes[i].stuck_before = vx == 0.0;
        for (int b = 0; b <= i; ++b)
            p.pairs[p.block.pair_count++] = (StiBlockPair){i, b, 3 * (6 * i + b), 6};
    }
    for (int r = 0; r < 6; ++r) {
        p.c[r] = vx * J[r][0] - 9.81 * T * J[r][1];
        for (int s = 0; s < 6; ++s)
            p.W[6 * r + s] =
                T * ((J[r][0] * J[s][0] + J[r][1] * J[s][1]) / m + J[r][2] * J[s][2] / inertia);
        c_size[r] = fabs(p.c[r]);
        W_size[r] = p.W[7 * r];
    }
    p.block.c_size = c_size;
    p.block.W_size = W_size;
    block_case_solve(&p);
    for (int r = 0; r < 6; ++r) start[r] = vx == 0.0 ? p.f[r] : 0.99 * p.f[r];
    for (int n = 0; n < 2000; ++n) {
        const double before = timing_nanoseconds();
        for (int k = 0; k < 100; ++k) {
            memcpy(p.f, start, sizeof start);
            block_case_solve(&p);
        }
        least = fmin(least, 0.01 * (timing_nanoseconds() - before));
    }
    return least;
}

int main(void)
{
    static const int contacts[] = {1, 2, 4, 8, 40};
    static const long counts[] = {40000, 40000, 10000, 2000, 60};
    static const int cubes[] = {1, 2, 5, 10, 20, 30};
    static const double mu[] = {0.5, 1.5};
    printf("random blocks, from no force; warm: again, 0.1 %% faster\n%8s %-7s %4s %8s %9s %8s %8s "
           "%10s %10s %10s\n",
           "contacts", "motion", "mu<", "problems", "unsolved%", "sweeps", "solves", "violation",
           "median ns", "warm ns");
    for (int i = 0; i < 5; ++i)
        for (int planar = 0; planar < 2; ++planar)
            for (int m = 0; m < 2; ++m) measure_random(contacts[i], planar == 1, mu[m], counts[i]);
    printf("\npiles of cubes, us: first time; 1 %% more load; the same again\n%8s %8s %8s %10s %6s "
           "%10s %6s %10s\n",
           "cubes", "contacts", "outcome", "cold", "solves", "warm", "solves", "same");
    for (int i = 0; i < 6; ++i) measure_pile(cubes[i]);
    printf("\na plate in a plane on two points, ns: rests %.0f, slides %.0f\n", time_plate(0.0),
           time_plate(1.0));
    return 0;
}
