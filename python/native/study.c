// Studies: many runs with varied parameters, by the library of studies. Its threads do not know the
// interpreter; the calling one waits for them and looks at signals.
#define _POSIX_C_SOURCE 200809L // strdup
#include "native.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct StudyObject {
    PyObject_HEAD StiStudy *study;
} StudyObject;

// One call of run: rows go straight into the caller's arrays.
typedef struct Sweep {
    const StiStudy *study;
    int threads;
    int64_t runs, next;
    atomic_llong rows; // done
    Py_buffer values, measures, status;
    char **reasons; // of runs that failed
    bool lost;      // a reason found no memory
    atomic_bool stop;
    StiStatus outcome;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    int working; // 1 until it is done
} Sweep;

typedef struct Request {
    const char *path, *text;
    Py_ssize_t length;
    StiSceneOptions options;
} Request;

static StiStudy *read_study(const Request *r, StiMessages *messages)
{
    StiStudy *study;
    Py_BEGIN_ALLOW_THREADS study =
        sti_study_read(r->text, (size_t)r->length, r->path, &r->options, messages);
    Py_END_ALLOW_THREADS return study;
}

// Study(path, text or None, sets, variant or None, confine or None)
static PyObject *study_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    Request r = {0};
    PyObject *words;
    const char **sets;
    if (keywords != NULL && PyDict_Size(keywords) > 0)
        return PyErr_Format(PyExc_TypeError, "_core.Study takes no keyword arguments");
    if (!PyArg_ParseTuple(arguments, "sz#Ozz", &r.path, &r.text, &r.length, &words,
                          &r.options.variant, &r.options.confine))
        return NULL;
    if (!take_words(words, &sets, &r.options.set_count, "sets")) return NULL;
    r.options.sets = sets;
    StiMessages *messages = sti_messages_create();
    StiStudy *study = messages != NULL ? read_study(&r, messages) : NULL;
    PyMem_Free(sets);
    PyObject *said = messages != NULL ? messages_tuple(messages) : PyErr_NoMemory();
    sti_messages_destroy(messages);
    if (said != NULL && study == NULL) return raise_own("SceneError", Py_BuildValue("(N)", said));
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    StudyObject *self = said != NULL ? (StudyObject *)allocate(type, 0) : NULL;
    Py_XDECREF(said);
    if (self == NULL)
        sti_study_destroy(study);
    else
        self->study = study;
    return (PyObject *)self;
}

static void study_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    sti_study_destroy(((StudyObject *)self)->study);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyObject *study_facts(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    const StiStudy *study = ((StudyObject *)self)->study;
    const StiDesign *design = sti_study_design(study);
    PyObject *varied = PyList_New(0), *measures = PyList_New(0);
    bool good = varied != NULL && measures != NULL;
    for (int i = 0; good && i < design->varied_count + design->measure_count; ++i) {
        const int measure = i - design->varied_count;
        PyObject *name = PyUnicode_FromString(measure < 0 ? design->varied[i].path
                                                          : design->measures[measure].what);
        good = name != NULL && PyList_Append(measure < 0 ? varied : measures, name) == 0;
        Py_XDECREF(name);
    }
    if (good)
        return Py_BuildValue("{s:L,s:N,s:N,s:O}", "runs", (long long)sti_study_runs(study),
                             "parameters", varied, "measures", measures, "direct",
                             sti_study_is_direct(study) ? Py_True : Py_False);
    Py_XDECREF(varied);
    Py_XDECREF(measures);
    return NULL;
}

static int64_t next_run(void *context)
{
    Sweep *sweep = context;
    return sweep->next < sweep->runs ? sweep->next++ : -1;
}

static bool take_row(void *context, const StiStudyRow *row)
{
    Sweep *sweep = context;
    const StiDesign *design = sti_study_design(sweep->study);
    const size_t varied = (size_t)design->varied_count, measured = (size_t)design->measure_count;
    memcpy((double *)sweep->values.buf + (size_t)row->run * varied, row->values,
           varied * sizeof(double));
    memcpy((double *)sweep->measures.buf + (size_t)row->run * measured, row->measures,
           measured * sizeof(double));
    ((int *)sweep->status.buf)[row->run] = (int)row->status;
    atomic_fetch_add(&sweep->rows, 1);
    if (row->status == STI_OK) return true;
    sweep->reasons[row->run] = strdup(row->reason);
    sweep->lost = sweep->reasons[row->run] == NULL;
    return !sweep->lost;
}

static bool is_stopped(void *context) { return atomic_load(&((Sweep *)context)->stop); }

static void *work(void *context)
{
    Sweep *sweep = context;
    const StiStudyTask task = {.threads = sweep->threads,
                               .next = next_run,
                               .row = take_row,
                               .stop = is_stopped,
                               .context = sweep};
    sweep->outcome = sti_study_execute(sweep->study, &task);
    pthread_mutex_lock(&sweep->lock);
    sweep->working = 0;
    pthread_cond_signal(&sweep->ended);
    pthread_mutex_unlock(&sweep->lock);
    return NULL;
}

// progress: called with the number of rows so far, about every 20 ms; or None.
static bool run_and_watch(Sweep *sweep, PyObject *progress)
{
    pthread_t thread;
    pthread_mutex_init(&sweep->lock, NULL);
    pthread_cond_init(&sweep->ended, NULL);
    sweep->working = 1;
    const bool started = pthread_create(&thread, NULL, work, sweep) == 0;
    for (bool done = !started; !done;) {
        Py_BEGIN_ALLOW_THREADS done = wait_a_little(&sweep->lock, &sweep->ended, &sweep->working);
        Py_END_ALLOW_THREADS if (PyErr_Occurred()) continue;
        PyObject *answer = NULL;
        if (progress != Py_None)
            answer = PyObject_CallFunction(progress, "L", atomic_load(&sweep->rows));
        if (PyErr_Occurred() || PyErr_CheckSignals() != 0) atomic_store(&sweep->stop, true);
        Py_XDECREF(answer);
    }
    if (started) pthread_join(thread, NULL);
    pthread_cond_destroy(&sweep->ended);
    pthread_mutex_destroy(&sweep->lock);
    if (!started) PyErr_SetString(PyExc_RuntimeError, "no thread could be started");
    if (started && (sweep->lost || sweep->outcome == STI_OUT_OF_MEMORY)) PyErr_NoMemory();
    return !PyErr_Occurred();
}

static PyObject *reasons_of(const Sweep *sweep)
{
    PyObject *all = PyDict_New();
    for (int64_t i = 0; all != NULL && i < sweep->runs; ++i) {
        if (sweep->reasons[i] == NULL) continue;
        PyObject *key = PyLong_FromLongLong(i);
        PyObject *text = PyUnicode_DecodeUTF8(sweep->reasons[i],
                                              (Py_ssize_t)strlen(sweep->reasons[i]), "replace");
        if (key == NULL || text == NULL || PyDict_SetItem(all, key, text) != 0) Py_CLEAR(all);
        Py_XDECREF(key);
        Py_XDECREF(text);
    }
    return all;
}

static PyObject *sweep_all(Sweep *sweep, PyObject *progress)
{
    const StiDesign *design = sti_study_design(sweep->study);
    PyObject *result = NULL;
    if (sweep->threads < 0 || buffer_items(&sweep->status) < sweep->runs ||
        buffer_items(&sweep->values) < sweep->runs * design->varied_count ||
        buffer_items(&sweep->measures) < sweep->runs * design->measure_count) {
        PyErr_SetString(PyExc_ValueError, "arrays of a sweep are too small, or threads below 0");
        return NULL;
    }
    sweep->reasons = calloc((size_t)sweep->runs + 1, sizeof *sweep->reasons);
    if (sweep->reasons == NULL) return PyErr_NoMemory();
    if (run_and_watch(sweep, progress)) result = reasons_of(sweep);
    for (int64_t i = 0; i < sweep->runs; ++i) free(sweep->reasons[i]);
    free(sweep->reasons);
    return result;
}

// run(threads, values, measures, status, progress or None): reasons of failures by run
static PyObject *study_run(PyObject *self, PyObject *arguments)
{
    const StiStudy *study = ((StudyObject *)self)->study;
    Sweep sweep = {.study = study, .runs = sti_study_runs(study)};
    PyObject *values, *measures, *status, *progress, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "iOOOO", &sweep.threads, &values, &measures, &status,
                          &progress))
        return NULL;
    if (!take_buffer(values, &sweep.values, 'd', sizeof(double), true, "values")) return NULL;
    if (take_buffer(measures, &sweep.measures, 'd', sizeof(double), true, "measures")) {
        if (take_buffer(status, &sweep.status, 'i', sizeof(int), true, "status")) {
            result = sweep_all(&sweep, progress);
            PyBuffer_Release(&sweep.status);
        }
        PyBuffer_Release(&sweep.measures);
    }
    PyBuffer_Release(&sweep.values);
    return result;
}

bool study_ready(PyObject *module)
{
    static PyMethodDef methods[] = {{"facts", study_facts, METH_NOARGS,
                                     "Number of runs, names of parameters and measures."},
                                    {"run", study_run, METH_VARARGS,
                                     "Does all runs; reasons of failures by run."},
                                    {NULL, NULL, 0, NULL}};
    static PyType_Slot slots[] = {
        {Py_tp_doc, "Many runs of a scene: Study(path, text, sets, variant, confine)."},
        {Py_tp_new, study_new},
        {Py_tp_dealloc, study_dealloc},
        {Py_tp_methods, methods},
        {0, NULL}};
    static PyType_Spec spec = {.name = "stiction._core.Study",
                               .basicsize = sizeof(StudyObject),
                               .flags = Py_TPFLAGS_DEFAULT,
                               .slots = slots};
    PyObject *type = PyType_FromSpec(&spec);
    const bool good = type != NULL && PyModule_AddObjectRef(module, "Study", type) == 0;
    Py_XDECREF(type);
    return good;
}
