// Covariance of the parameters, corrected for residuals that depend on each other: J' R J in the middle, where R
// is the autocorrelation of the residuals, tapered (Bartlett).
#include "uncertainty.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stiction/elementary.h"

// ---- how residuals depend on each other ------------------------------------------------------------------------

// The correlation of residuals of one channel by their distance in rows, over all segments.
typedef struct Dependence {
    double *covariances; // from lag 0 to lags - 1
    int lags;
    double time;    // how many rows say together what one independent row would say: the largest partial sum,
    double tapered; // since residuals of a fit add up to nothing in the end; and the sum under the taper
} Dependence;

static double covariance_at(const Problem *problem, const double *residuals, int channel, int lag)
{
    double sum = 0.0, rows = 0.0;
    for (int s = 0; s < problem->segment_count; ++s) {
        const Segment *of = &problem->segments[s];
        const double *r = residuals + of->at + (int64_t)channel * of->rows;
        rows += of->rows;
        for (int k = 0; k + lag < of->rows; ++k) sum += r[k] * r[k + lag];
    }
    return sum / rows;
}

static int longest_segment(const Problem *problem)
{
    int rows = 0;
    for (int s = 0; s < problem->segment_count; ++s)
        rows = problem->segments[s].rows > rows ? problem->segments[s].rows : rows;
    return rows;
}

// Lags up to three times the one from which on correlations are no more than chance, five times in a row
// (after Politis and White 2004).
static bool find_dependence(const Problem *problem, const double *residuals, int channel,
                            Dependence *to)
{
    enum { IN_A_ROW = 5, TIMES = 3 };
    const int most = longest_segment(problem) / 3 + 1;
    const double rows = (double)problem->rows / problem->design->channel_count;
    const double chance = 2.0 * sqrt(sti_log10(rows) / rows);
    to->covariances = calloc((size_t)most + 1, sizeof *to->covariances);
    if (to->covariances == NULL) return false;
    int last = 0, quiet = 0;
    for (int lag = 0; lag < most; ++lag) {
        to->covariances[lag] = covariance_at(problem, residuals, channel, lag);
        to->lags = lag + 1;
        if (lag == 0) continue;
        const bool small = fabs(to->covariances[lag]) < chance * to->covariances[0];
        quiet = small ? quiet + 1 : 0;
        if (!small && quiet == 0 && lag <= last + IN_A_ROW) last = lag;
        if (lag > last + IN_A_ROW && lag >= TIMES * last) break;
    }
    if (last == 0) to->lags = 1;
    to->time = to->tapered = 1.0;
    double sum = 1.0;
    for (int lag = 1; lag < to->lags; ++lag) {
        const double twice = 2.0 * to->covariances[lag] / to->covariances[0], taper = 1.0 - (double)lag / to->lags;
        sum += twice;
        to->time = fmax(to->time, sum);
        to->tapered += taper * twice;
        to->covariances[lag] *= taper;
    }
    to->tapered = fmax(to->tapered, 1.0);
    return true;
}

// Adds sum of covariance(lag) J_t J_{t+lag}' over the rows of a channel. Where residuals depend on each other over
// many rows they are smooth, and so sums over short blocks do.
static void add_middle(const Problem *problem, const double *columns, int64_t rows, int n,
                       int channel, const Dependence *dependence, double *blocks, double *middle)
{
    enum { MOST_LAGS = 48 };
    const int block = dependence->lags > MOST_LAGS ? dependence->lags / MOST_LAGS + 1 : 1;
    for (int s = 0; s < problem->segment_count; ++s) {
        const Segment *of = &problem->segments[s];
        const int64_t from = of->at + (int64_t)channel * of->rows;
        const int count = (of->rows + block - 1) / block;
        for (int i = 0; i < n; ++i)
            for (int b = 0; b < count; ++b) {
                double sum = 0.0;
                for (int k = b * block; k < (b + 1) * block && k < of->rows; ++k)
                    sum += columns[rows * i + from + k];
                blocks[(size_t)b * (size_t)n + (size_t)i] = sum;
            }
        for (int lag = 0; lag * block < dependence->lags; ++lag) {
            const double weight = dependence->covariances[lag * block];
            for (int b = 0; b + lag < count; ++b) {
                const double *x = blocks + (size_t)b * (size_t)n,
                             *y = blocks + (size_t)(b + lag) * (size_t)n;
                for (int i = 0; i < n; ++i)
                    for (int j = 0; j < n; ++j)
                        middle[i * n + j] +=
                            weight * (lag == 0 ? x[i] * y[j] : x[i] * y[j] + y[i] * x[j]);
            }
        }
    }
}

double student_factor(double freedom)
{
    const double z = 1.959963984540054, v = freedom < 1.0 ? 1.0 : freedom;
    if (v < 3.0) return v < 2.0 ? 12.706 : 4.303;
    const double z3 = z * z * z, z5 = z3 * z * z;
    return z + (z3 + z) / (4.0 * v) + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * v * v);
}

// ---- the Jacobian in the parameters themselves ------------------------------------------------------------------

static StiStatus find_columns(Search *search, const double *widths, double *residuals,
                              double *columns)
{
    static const double step = 1e-4; // of the width
    Engine *engine = search->engine;
    const Problem *problem = engine->problem;
    Difference *differences = calloc((size_t)problem->count + 1, sizeof *differences);
    if (differences == NULL) return STI_OUT_OF_MEMORY;
    StiStatus status = engine_residuals(engine, search->best, residuals);
    for (int i = 0; i < problem->count; ++i) {
        const Transform *t = &problem->parameters[i].transform;
        const double x = search->best[i];
        double h = step * fmin(widths[i], fabs(x) > 0.0 ? fabs(x) + 1e-3 * widths[i] : widths[i]);
        const double plus = fmin(x + h, t->most), minus = fmax(x - h, t->least);
        differences[i] =
            (Difference){.parameter = i, .plus = plus, .minus = minus, .distance = plus - minus};
    }
    if (status == STI_OK)
        status = engine_columns(engine, search->best, differences, problem->count, columns);
    free(differences);
    const int64_t rows = engine_rows(engine);
    for (int i = 0; status == STI_OK && i < problem->count; ++i)
        for (int64_t k = 0; k < rows; ++k) columns[rows * i + k] *= widths[i];
    return status;
}

static void square(const double *columns, int64_t rows, int n, double *product)
{
    for (int i = 0; i < n; ++i)
        for (int j = i; j < n; ++j) {
            double sum = 0.0;
            for (int64_t k = 0; k < rows; ++k) sum += columns[rows * i + k] * columns[rows * j + k];
            product[i * n + j] = product[j * n + i] = sum;
        }
}

// ---- the covariance ------------------------------------------------------------------------------------------------

typedef struct Work {
    double *widths, *residuals, *columns, *square, *middle, *values, *vectors, *blocks, *inverse,
        *room;
} Work;

static bool open_work(Work *work, const Engine *engine)
{
    const size_t n = (size_t)engine->problem->count + 1, rows = (size_t)engine_rows(engine) + 1;
    *work =
        (Work){.widths = calloc(n, sizeof(double)),
               .residuals = calloc(rows, sizeof(double)),
               .columns = calloc(rows * n, sizeof(double)),
               .square = calloc(n * n, sizeof(double)),
               .middle = calloc(n * n, sizeof(double)),
               .values = calloc(n, sizeof(double)),
               .vectors = calloc(n * n, sizeof(double)),
               .blocks = calloc((size_t)longest_segment(engine->problem) * n + 1, sizeof(double)),
               .inverse = calloc(n * n, sizeof(double)),
               .room = calloc(n * n, sizeof(double))};
    return work->widths != NULL && work->residuals != NULL && work->columns != NULL &&
           work->square != NULL && work->middle != NULL && work->values != NULL &&
           work->vectors != NULL && work->blocks != NULL && work->inverse != NULL &&
           work->room != NULL;
}

static void close_work(Work *work)
{
    free(work->widths), free(work->residuals), free(work->columns), free(work->square),
        free(work->middle);
    free(work->values), free(work->vectors), free(work->blocks), free(work->inverse),
        free(work->room);
}

static bool find_middle(const Engine *engine, Work *work, Uncertainty *to)
{
    const Problem *problem = engine->problem;
    const int n = problem->count;
    to->effective_rows = 0.0;
    for (int c = 0; c < problem->design->channel_count; ++c) {
        Dependence dependence = {0};
        if (!find_dependence(problem, work->residuals, c, &dependence)) return false;
        const double rows = (double)problem->rows / problem->design->channel_count;
        to->effective_rows += rows / dependence.time;
        for (int lag = 0; lag < dependence.lags; ++lag)
            dependence.covariances[lag] *= dependence.time / dependence.tapered;
        add_middle(problem, work->columns, engine_rows(engine), n, c, &dependence, work->blocks,
                   work->middle);
        free(dependence.covariances);
    }
    // Residuals of a fit are smaller than what they come from, and where they depend on each other each parameter
    // takes away about two independent rows (tried on logs with known noise: extended/fit/coverage). With very few
    // of them the correction is unknown, and limited to a factor of two.
    const double left = fmax(to->effective_rows - 2.0 * n, 0.5 * to->effective_rows),
                 factor = to->effective_rows / left;
    for (int i = 0; i < n * n; ++i) work->middle[i] *= factor;
    const int64_t rows = engine_rows(engine);
    for (int64_t k = problem->rows; k < rows; ++k)
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                work->middle[i * n + j] +=
                    work->columns[rows * i + k] * work->columns[rows * j + k];
    to->factor = student_factor(left);
    return true;
}

static void multiply(int n, const double *a, const double *b, double *to)
{
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = 0.0;
            for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
            to[i * n + j] = sum;
        }
}

// Parameters without influence, or on a bound, are no part of the rest.
static void set_aside(const Problem *problem, const Search *search, Work *work, Uncertainty *to)
{
    const int n = problem->count;
    double largest = 0.0;
    for (int i = 0; i < n; ++i) largest = fmax(largest, work->square[i * n + i]);
    for (int i = 0; i < n; ++i) {
        to->at_bound[i] = transform_at_bound(&problem->parameters[i].transform, search->best[i]);
        to->no_influence[i] = !(work->square[i * n + i] > 1e-16 * largest);
        if (!to->at_bound[i] && !to->no_influence[i]) continue;
        for (int j = 0; j < n; ++j) {
            work->square[i * n + j] = work->square[j * n + i] = 0.0;
            work->middle[i * n + j] = work->middle[j * n + i] = 0.0;
        }
    }
}

// (J'J)^-1 M (J'J)^-1 by eigenvectors of J'J; what is too small to be inverted becomes very uncertain.
static void invert(int n, Work *work)
{
    double largest = 0.0;
    memcpy(work->room, work->square, (size_t)n * (size_t)n * sizeof *work->room);
    symmetric_eigen(n, work->room, work->values, work->vectors);
    for (int i = 0; i < n; ++i) largest = fmax(largest, work->values[i]);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = 0.0;
            for (int k = 0; k < n; ++k) {
                const double value = work->values[k];
                if (value > 0.0)
                    sum += work->vectors[i * n + k] * work->vectors[j * n + k] /
                           fmax(value, 1e-14 * largest);
            }
            work->inverse[i * n + j] = sum;
        }
}

static void judge(const Problem *problem, const Work *work, Uncertainty *to)
{
    static const double limit = 0.5; // of the width: a deviation that leaves nothing told
    const int n = problem->count;
    for (int k = 0; k < n; ++k) {
        double variance = 0.0;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                variance +=
                    work->vectors[i * n + k] * to->covariance[i * n + j] * work->vectors[j * n + k];
        if (!(work->values[k] > 0.0) || !(variance > limit * limit)) continue;
        for (int i = 0; i < n; ++i)
            to->directions[to->direction_count * n + i] = work->vectors[i * n + k];
        ++to->direction_count;
    }
    for (int i = 0; i < n; ++i) {
        const double half = to->factor * sqrt(to->covariance[i * n + i]);
        const bool within = problem->parameters[i].transform.type == TRANSFORM_WITHIN;
        to->determined[i] =
            !to->at_bound[i] && !to->no_influence[i] && half < (within ? limit : 1.0);
    }
}

static void find_covariance(const Problem *problem, const Search *search, Work *work,
                            Uncertainty *to)
{
    const int n = problem->count;
    set_aside(problem, search, work, to);
    invert(n, work);
    multiply(n, work->inverse, work->middle, work->room);
    multiply(n, work->room, work->inverse, to->covariance);
    double sum = 0.0;
    for (int64_t k = 0; k < problem->rows; ++k) sum += work->residuals[k] * work->residuals[k];
    const double variance = sum / fmax((double)problem->rows - n, 1.0);
    judge(problem, work, to);
    for (int i = 0; i < n; ++i) {
        to->plain[i] = work->inverse[i * n + i] * variance * work->widths[i] * work->widths[i];
        for (int j = 0; j < n; ++j) to->covariance[i * n + j] *= work->widths[i] * work->widths[j];
    }
}

StiStatus uncertainty_find(Search *search, Uncertainty *to)
{
    Engine *engine = search->engine;
    const Problem *problem = engine->problem;
    const size_t n = (size_t)problem->count + 1;
    Work work;
    *to = (Uncertainty){.count = problem->count,
                        .covariance = calloc(n * n, sizeof(double)),
                        .plain = calloc(n, sizeof(double)),
                        .at_bound = calloc(n, sizeof(bool)),
                        .no_influence = calloc(n, sizeof(bool)),
                        .determined = calloc(n, sizeof(bool)),
                        .directions = calloc(n * n, sizeof(double))};
    bool good = open_work(&work, engine) && to->covariance != NULL && to->plain != NULL &&
                to->at_bound != NULL && to->no_influence != NULL && to->determined != NULL &&
                to->directions != NULL;
    StiStatus status = good ? STI_OK : STI_OUT_OF_MEMORY;
    if (good) {
        for (int i = 0; i < problem->count; ++i)
            work.widths[i] = transform_width(&problem->parameters[i].transform, search->best[i]);
        status = find_columns(search, work.widths, work.residuals, work.columns);
    }
    if (status == STI_OK) {
        square(work.columns, engine_rows(engine), problem->count, work.square);
        if (find_middle(engine, &work, to))
            find_covariance(problem, search, &work, to);
        else
            status = STI_OUT_OF_MEMORY;
    }
    close_work(&work);
    return status;
}

void uncertainty_release(Uncertainty *uncertainty)
{
    free(uncertainty->covariance);
    free(uncertainty->plain);
    free(uncertainty->at_bound);
    free(uncertainty->no_influence);
    free(uncertainty->determined);
    free(uncertainty->directions);
}
