// Fits: parameters from measured logs, by the library of fits. It works in a thread of its own; the calling one waits
// for it and looks at signals.
#include <stiction/fit.h>

#include "native.h"

#include <stdatomic.h>

typedef struct Fitting {
    const StiFit *fit;
    StiFitTask task;
    StiFitResult *result;
    atomic_bool stop;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    int working; // 1 until it has ended
} Fitting;

static bool is_stopped(void *context) { return atomic_load(&((Fitting *)context)->stop); }

static void *work(void *context)
{
    Fitting *fitting = context;
    StiFitResult *result = sti_fit_run(fitting->fit, &fitting->task);
    pthread_mutex_lock(&fitting->lock);
    fitting->result = result;
    fitting->working = 0;
    pthread_cond_signal(&fitting->ended);
    pthread_mutex_unlock(&fitting->lock);
    return NULL;
}

// NULL after an exception.
static StiFitResult *run_model(const StiFit *fit, int model, int threads, bool evaluate,
                               double effective_rows, const StiFitResult *earlier)
{
    Fitting fitting = {.fit = fit, .working = 1};
    pthread_t thread;
    fitting.task = (StiFitTask){.threads = threads,
                                .model = model,
                                .evaluate_only = evaluate,
                                .effective_rows = effective_rows,
                                .earlier = earlier,
                                .stop = is_stopped,
                                .context = &fitting};
    pthread_mutex_init(&fitting.lock, NULL);
    pthread_cond_init(&fitting.ended, NULL);
    if (pthread_create(&thread, NULL, work, &fitting) != 0) {
        PyErr_SetString(PyExc_RuntimeError, "no thread could be started");
    } else {
        bool done = false;
        while (!done) {
            Py_BEGIN_ALLOW_THREADS done = wait_a_little(&fitting.lock, &fitting.ended, &fitting.working);
            Py_END_ALLOW_THREADS if (!done && !atomic_load(&fitting.stop) &&
                                     PyErr_CheckSignals() != 0) atomic_store(&fitting.stop, true);
        }
        pthread_join(thread, NULL);
    }
    pthread_cond_destroy(&fitting.ended);
    pthread_mutex_destroy(&fitting.lock);
    if (fitting.result == NULL && !PyErr_Occurred()) PyErr_NoMemory();
    if (!PyErr_Occurred()) return fitting.result;
    sti_fit_result_destroy(fitting.result);
    return NULL;
}

// ---- the result as plain objects ------------------------------------------------------------------------------

static PyObject *numbers_of(const double *values, int count)
{
    return PyBytes_FromStringAndSize((const char *)values,
                                     (Py_ssize_t)((size_t)count * sizeof *values));
}

// A list of count objects that one() makes; NULL after an exception.
static PyObject *list_of(const StiFitResult *result, int count,
                         PyObject *(*one)(const StiFitResult *, int))
{
    PyObject *list = PyList_New(count);
    for (int i = 0; list != NULL && i < count; ++i) {
        PyObject *item = one(result, i);
        if (item == NULL || PyList_SetItem(list, i, item) != 0) Py_CLEAR(list);
    }
    return list;
}

static PyObject *parameter_of(const StiFitResult *result, int i)
{
    const StiFitted *of = &result->parameters[i];
    return Py_BuildValue("(ssddddddOO)", of->name, of->unit, of->value, of->deviation, of->low,
                         of->high, of->profile_low, of->profile_high,
                         of->determined ? Py_True : Py_False, of->at_bound ? Py_True : Py_False);
}

static PyObject *error_of(const StiFitResult *result, int i)
{
    const StiFitError *of = &result->errors[i];
    return Py_BuildValue("(ssdddd)", of->channel, of->unit, of->rms, of->mean_absolute, of->largest,
                         of->cross_validated);
}

static PyObject *series_of(const StiFitResult *result, int i)
{
    const StiFitSeries *of = &result->series[i];
    return Py_BuildValue("(ssNNN)", of->channel, of->log, numbers_of(of->t, of->count),
                         numbers_of(of->measured, of->count), numbers_of(of->simulated, of->count));
}

static PyObject *undetermined_of(const StiFitResult *result, int i)
{
    return PyUnicode_FromString(result->undetermined[i]);
}

static PyObject *set_of(const StiFitResult *result, int i)
{
    return PyUnicode_FromString(result->sets[i]);
}

static PyObject *rejected_of(const StiFitResult *result, int i)
{
    return Py_BuildValue("(sL)", result->rejected[i].text, (long long)result->rejected[i].count);
}

static PyObject *plain_result(const StiFitResult *r)
{
    const int n = r->correlations != NULL ? r->count : 0;
    return Py_BuildValue(
        "{si ss ss sN sN sN sN sN sN sN sd sd sd sL}", "status", (int)r->status, "reason",
        r->reason, "model", r->model, "parameters", list_of(r, r->count, parameter_of), "errors",
        list_of(r, r->error_count, error_of), "series", list_of(r, r->series_count, series_of),
        "undetermined", list_of(r, r->undetermined_count, undetermined_of), "sets",
        list_of(r, r->set_count, set_of), "rejected", list_of(r, r->rejected_count, rejected_of),
        "correlations", numbers_of(r->correlations, n * n), "aic", r->aic, "bic", r->bic,
        "effective_rows", r->effective_rows, "simulations", (long long)r->simulations);
}

static PyObject *run_models(const StiFit *fit, int threads, bool evaluate)
{
    PyObject *all = PyList_New(0);
    double worth = 0.0;
    StiFitResult *best = NULL;
    for (int i = 0; all != NULL && i < sti_fit_models(fit); ++i) {
        StiFitResult *result = run_model(fit, i, threads, evaluate, worth, best);
        PyObject *plain = result != NULL ? plain_result(result) : NULL;
        if (result != NULL && worth == 0.0) worth = result->effective_rows;
        if (plain == NULL || PyList_Append(all, plain) != 0) Py_CLEAR(all);
        Py_XDECREF(plain);
        const bool better = sti_fit_better(best, result) == result;
        sti_fit_result_destroy(better ? best : result);
        if (better) best = result;
    }
    sti_fit_result_destroy(best);
    return all;
}

// fit(path, sets, variant or None, confine or None, threads, evaluate): (messages, a dict for each model)
PyObject *module_fit(PyObject *module, PyObject *arguments)
{
    (void)module;
    const char *path, **sets;
    StiSceneOptions options = {0};
    PyObject *words, *result = NULL;
    int threads, evaluate;
    if (!PyArg_ParseTuple(arguments, "sOzzip", &path, &words, &options.variant, &options.confine,
                          &threads, &evaluate))
        return NULL;
    if (!take_words(words, &sets, &options.set_count, "sets")) return NULL;
    options.sets = sets;
    StiMessages *messages = sti_messages_create();
    StiFit *fit = NULL;
    if (messages != NULL) {
        Py_BEGIN_ALLOW_THREADS fit = sti_fit_load(path, &options, messages);
        Py_END_ALLOW_THREADS
    }
    PyObject *said = messages != NULL ? messages_tuple(messages) : PyErr_NoMemory();
    if (said != NULL && fit == NULL)
        raise_own("SceneError", Py_BuildValue("(O)", said));
    else if (said != NULL)
        result = run_models(fit, threads, evaluate != 0);
    PyMem_Free(sets);
    sti_fit_destroy(fit);
    sti_messages_destroy(messages);
    PyObject *both = result != NULL ? Py_BuildValue("(ON)", said, result) : NULL;
    Py_XDECREF(said);
    return both;
}
