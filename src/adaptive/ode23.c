// The integrator of [dahl] section 7: Bogacki and Shampine's 3(2) pair with the step control that
// Matlab's ode23 has (EQUATIONS 4.2). Written out, because the paper's Table 1 counts its steps.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adaptive/ode.h"
#include "stiction/elementary.h"

typedef struct Ode23 {
    double t, h;        // where the accepted steps have arrived; the next step's length
    double before;      // time at the start of the last step
    double *y, *k[4];   // state and slope there (k[0]: FSAL); stages of an attempt
    double *old, *rate; // state and slope at the start of the last step
    double *trial, *point;
    double *g[3]; // root functions at the start, the end and in between
    int *direction;
    bool stepped; // old is valid
    bool told;    // the root below has ended an advance
    double root;  // first zero within the last step; infinite: none
} Ode23;

static bool create(OdeSolver *solver)
{
    const size_t n = (size_t)solver->ode->count + 1, roots = (size_t)solver->ode->root_count + 1;
    Ode23 *o = solver->memory = calloc(1, sizeof *o);
    if (o == NULL) return false;
    double **vectors[] = {&o->y,   &o->k[0], &o->k[1],  &o->k[2], &o->k[3],
                          &o->old, &o->rate, &o->trial, &o->point};
    bool good = true;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; ++i)
        good = (*vectors[i] = calloc(n, sizeof(double))) != NULL && good;
    for (int i = 0; i < 3; ++i) good = (o->g[i] = calloc(roots, sizeof(double))) != NULL && good;
    return (o->direction = calloc(roots, sizeof(int))) != NULL && good;
}

static void destroy(OdeSolver *solver)
{
    Ode23 *o = solver->memory;
    if (o == NULL) return;
    for (int i = 0; i < 4; ++i) free(o->k[i]);
    for (int i = 0; i < 3; ++i) free(o->g[i]);
    free(o->y), free(o->old), free(o->rate), free(o->trial), free(o->point), free(o->direction);
    free(o);
}

static StiStatus rate(OdeSolver *solver, double t, const double *y, double *k)
{
    ++solver->counts.evaluations;
    return solver->ode->rate(solver->ode->context, t, y, k);
}

// The longest first step for which the slope keeps the error within the tolerance.
static double first_step(const OdeSolver *solver, const Ode23 *o)
{
    const OdeOptions *options = &solver->options;
    const double threshold = options->absolute / options->relative;
    double rh = 0.0;
    for (int i = 0; i < solver->ode->controlled; ++i)
        rh = fmax(rh, fabs(o->k[0][i]) / fmax(fabs(o->y[i]), threshold));
    rh /= 0.8 * sti_cbrt(options->relative);
    return rh * options->longest_step > 1.0 ? 1.0 / rh : options->longest_step;
}

static void begin(OdeSolver *solver, double t, const double *y)
{
    Ode23 *o = solver->memory;
    memcpy(o->y, y, (size_t)solver->ode->count * sizeof *y);
    o->t = o->before = t;
    o->stepped = false;
    o->root = INFINITY;
    o->told = false;
    solver->status = rate(solver, t, o->y, o->k[0]);
    o->h = solver->options.first_step > 0.0 ? solver->options.first_step : first_step(solver, o);
    if (solver->ode->root_count > 0) solver->ode->roots(solver->ode->context, t, o->y, o->g[1]);
}

// The three new stages of a step h, and the error relative to the size of y.
static StiStatus attempt(OdeSolver *solver, Ode23 *o, double h, double end, double *error)
{
    const int n = solver->ode->count;
    const double threshold = solver->options.absolute / solver->options.relative;
    for (int i = 0; i < n; ++i) o->trial[i] = o->y[i] + h * (0.5 * o->k[0][i]);
    StiStatus status = rate(solver, o->t + 0.5 * h, o->trial, o->k[1]);
    if (status != STI_OK) return status;
    for (int i = 0; i < n; ++i) o->trial[i] = o->y[i] + h * (0.75 * o->k[1][i]);
    status = rate(solver, o->t + 0.75 * h, o->trial, o->k[2]);
    if (status != STI_OK) return status;
    for (int i = 0; i < n; ++i)
        o->trial[i] = o->y[i] + h * (2.0 / 9.0 * o->k[0][i] + 1.0 / 3.0 * o->k[1][i] +
                                     4.0 / 9.0 * o->k[2][i]);
    status = rate(solver, end, o->trial, o->k[3]);
    *error = 0.0;
    for (int i = 0; status == STI_OK && i < solver->ode->controlled; ++i) {
        const double e =
            -5.0 / 72.0 * o->k[0][i] + o->k[1][i] / 12.0 + o->k[2][i] / 9.0 - o->k[3][i] / 8.0;
        *error = fmax(*error, fabs(e) / fmax(fmax(fabs(o->y[i]), fabs(o->trial[i])), threshold));
    }
    *error *= h;
    return status;
}

// Where y moves its rate is another one.
static StiStatus project(OdeSolver *solver, Ode23 *o)
{
    const Ode *ode = solver->ode;
    if (ode->project == NULL) return STI_OK;
    const StiStatus status = ode->project(ode->context, o->t, o->y);
    return status == STI_OK ? rate(solver, o->t, o->y, o->k[0]) : status;
}

static void accept(const OdeSolver *solver, Ode23 *o, double end)
{
    const size_t size = (size_t)solver->ode->count * sizeof(double);
    memcpy(o->old, o->y, size);
    memcpy(o->rate, o->k[0], size);
    memcpy(o->y, o->trial, size);
    memcpy(o->k[0], o->k[3], size);
    o->before = o->t;
    o->t = end;
    o->stepped = true;
}

// One accepted step, not beyond limit.
static StiStatus step(OdeSolver *solver, Ode23 *o, double limit)
{
    const double tolerance = solver->options.relative;
    const double shortest = 16.0 * (nextafter(fabs(o->t), DBL_MAX) - fabs(o->t));
    double h = fmin(solver->options.longest_step, fmax(shortest, o->h)), error = 0.0;
    bool failed = false;
    if (1.1 * h >= limit - o->t) h = limit - o->t;
    for (;;) {
        const double end = h == limit - o->t ? limit : o->t + h;
        const StiStatus status = attempt(solver, o, h, end, &error);
        if (status == STI_OK && error <= tolerance) {
            accept(solver, o, end);
            break;
        }
        ++solver->counts.failures;
        if (status == STI_INTERRUPTED) return status;
        if (h <= shortest) return status != STI_OK ? status : STI_STEP_TOO_SMALL;
        const double shrink = 0.8 * sti_cbrt(tolerance / error);
        h = status != STI_OK || failed ? 0.5 * h : h * fmax(0.5, shrink);
        h = fmax(shortest, h);
        failed = true;
    }
    ++solver->counts.steps;
    if (!failed) {
        const double growth = 1.25 * sti_cbrt(error / tolerance);
        h = growth > 0.2 ? h / growth : 5.0 * h;
    }
    o->h = h;
    return project(solver, o);
}

// Cubic through the states and slopes at both ends of the last step.
static void interpolate(const OdeSolver *solver, const Ode23 *o, double t, double *y)
{
    const double h = o->t - o->before, s = h > 0.0 ? (t - o->before) / h : 1.0, r = 1.0 - s;
    for (int i = 0; i < solver->ode->count; ++i)
        y[i] = !o->stepped
                   ? o->y[i]
                   : r * r * (1.0 + 2.0 * s) * o->old[i] + s * s * (3.0 - 2.0 * s) * o->y[i] +
                         h * s * r * (r * o->rate[i] - s * o->k[0][i]);
}

static void roots_at(const OdeSolver *solver, const Ode23 *o, double t, double *g)
{
    interpolate(solver, o, t, o->point);
    solver->ode->roots(solver->ode->context, t, o->point, g);
}

// First zero of any root function between from and the end of the last step, by false position with
// the Illinois rule on the step's cubic. g[0], g[1]: values at both ends.
static void find_root(const OdeSolver *solver, Ode23 *o, double from)
{
    const Ode *ode = solver->ode;
    double first = INFINITY;
    memset(o->direction, 0, (size_t)ode->root_count * sizeof *o->direction);
    for (int i = 0; i < ode->root_count; ++i) {
        const double before = -o->g[0][i] * ode->root_directions[i]; // above 0: it may pass zero
        if (!(before > 0.0) || -o->g[1][i] * ode->root_directions[i] > 0.0) continue;
        double a = from, b = o->t, ga = o->g[0][i], gb = o->g[1][i];
        int side = 0;
        for (int k = 0; k < 200 && b - a > 4.0 * DBL_EPSILON * fabs(b); ++k) {
            double c = (a * gb - b * ga) / (gb - ga);
            if (!(c > a && c < b)) c = 0.5 * (a + b);
            roots_at(solver, o, c, o->g[2]);
            if (ga * o->g[2][i] > 0.0) {
                a = c, ga = o->g[2][i];
                if (side == 1) gb *= 0.5;
                side = 1;
            } else {
                b = c, gb = o->g[2][i];
                if (side == -1) ga *= 0.5;
                side = -1;
            }
        }
        if (b < first) memset(o->direction, 0, (size_t)ode->root_count * sizeof *o->direction);
        if (b <= first) o->direction[i] = ode->root_directions[i];
        first = fmin(first, b);
    }
    o->root = first;
}

static void look_for_roots(OdeSolver *solver, Ode23 *o)
{
    o->root = INFINITY;
    if (solver->ode->root_count == 0) return;
    solver->ode->roots(solver->ode->context, o->t, o->y, o->g[1]);
    find_root(solver, o, o->before);
}

// The step may hold more than one zero.
static void look_beyond_root(const OdeSolver *solver, Ode23 *o)
{
    const double from = o->root;
    roots_at(solver, o, from, o->g[0]);
    find_root(solver, o, from);
}

static OdeOutcome advance(OdeSolver *solver, double wanted, double limit, double *t, double *y)
{
    Ode23 *o = solver->memory;
    if (o->told) look_beyond_root(solver, o);
    while (solver->status == STI_OK && o->t < wanted && o->root > wanted) {
        memcpy(o->g[0], o->g[1], (size_t)solver->ode->root_count * sizeof *o->g[0]);
        solver->status = step(solver, o, limit);
        if (solver->status == STI_OK) look_for_roots(solver, o);
    }
    const bool rooted = o->root <= wanted, failed = solver->status != STI_OK;
    *t = rooted ? o->root : failed ? o->t : wanted;
    interpolate(solver, o, *t, y);
    o->told = rooted;
    return rooted ? ODE_ROOT : failed ? ODE_FAILED : ODE_REACHED;
}

static void found(OdeSolver *solver, int *directions)
{
    const Ode23 *o = solver->memory;
    memcpy(directions, o->direction, (size_t)solver->ode->root_count * sizeof *directions);
}

static const StiExplanation ode23_text = {
    .equations = "Bogacki-Shampine 3(2), first same as last; tau = 0\n"
                 "in a scene: method: {adaptive: ode23, rtol: 1e-8, atol: 1e-10}\n",
    .use = "Comparison with the paper. Rough tolerances.",
    .source = "[dahl] section 7 and Table 1, whose counts it reproduces exactly.",
};

const OdeMethod ode_method_ode23 = {
    .name = "ode23",
    .summary = "Bogacki-Shampine 3(2) with the step control of [dahl] section 7",
    .explanation = &ode23_text,
    .order = 3,
    .create = create,
    .destroy = destroy,
    .begin = begin,
    .advance = advance,
    .found = found,
};
