// Friction models as plain functions in a controller's own loop: no plan, no network, no
// allocation. A drive of 2 kg with 5 N of friction follows a slow sine. Once it is simulated with
// the finite-time rule; once more with a controller that adds what an elastic element says the
// friction will be.
#include <math.h>
#include <stdio.h>

#include <stiction/stiction.h>

static const double T = 1e-3, M = 2.0, F = 5.0; // s, kg, N

static double target(double t) { return 0.05 * sin(2.0 * t); }
static double target_rate(double t) { return 0.1 * cos(2.0 * t); }

// Largest error after the first second.
static double follow(bool compensate)
{
    const StiElasticCoulomb model = {.dim = 1, .law = sti_law_coulomb(F), .K = 1e5, .B = 200.0};
    double x = 0.0, v = 0.0, e = 0.0, worst = 0.0;
    for (int k = 0; k < 10000; ++k) {
        const double t = k * T, rate = target_rate(t);
        double h = 400.0 * (target(t) - x) + 40.0 * (rate - v);
        if (compensate) { // the friction of the motion that is wanted
            double f, edot;
            sti_elastic_coulomb(&model, T, NULL, &rate, &e, &f, &edot);
            e += T * edot;
            h += f;
        }
        sti_finite_time_mass(F, M, T, v + T * h / M, &v); // the drive itself
        x += T * v;
        if (t > 1.0) worst = fmax(worst, fabs(x - target(t + T)));
    }
    return worst;
}

int main(void)
{
    printf("largest error without compensation: %.2f mm\n", 1e3 * follow(false));
    printf("largest error with compensation:    %.2f mm\n", 1e3 * follow(true));
    return 0;
}
