// The extension module stiction._core. What users see is the package stiction, written in Python
// on top of it.
#include "native.h"

#include <time.h>

#include <stiction/version.h>

PyObject *raise_own(const char *name, PyObject *arguments)
{
    if (arguments == NULL) return NULL;
    PyObject *errors = PyImport_ImportModule("stiction._errors");
    PyObject *type = errors != NULL ? PyObject_GetAttrString(errors, name) : NULL;
    PyObject *error = type != NULL ? PyObject_CallObject(type, arguments) : NULL;
    if (error != NULL) PyErr_SetObject(type, error);
    Py_XDECREF(error);
    Py_XDECREF(type);
    Py_XDECREF(errors);
    Py_DECREF(arguments);
    return NULL;
}

PyObject *raise_fault(const StiFault *fault, StiStatus status)
{
    const bool known = fault != NULL && fault->status == status;
    return raise_own("StepError",
                     Py_BuildValue("(iszzdL)", (int)status, sti_status_text(status),
                                   known ? fault->component : "", known ? fault->what : "",
                                   fault != NULL ? fault->t : 0.0,
                                   fault != NULL ? (long long)fault->k : 0LL));
}

static int64_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool watch_signals(void *context)
{
    enum { EVALUATIONS = 8, PAUSE = 20 };
    Watch *watch = context;
    if (watch->interrupted || watch->saved == NULL) return watch->interrupted;
    if (watch->countdown-- > 0) return false;
    watch->countdown = EVALUATIONS;
    const int64_t now = milliseconds();
    if (now - watch->last < PAUSE) return false;
    watch->last = now;
    PyEval_RestoreThread(watch->saved);
    watch->interrupted = PyErr_CheckSignals() != 0;
    watch->saved = PyEval_SaveThread();
    return watch->interrupted;
}

bool wait_a_little(pthread_mutex_t *lock, pthread_cond_t *ended, const int *working)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 20000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(lock);
    if (*working > 0) pthread_cond_timedwait(ended, lock, &until);
    const bool none = *working == 0;
    pthread_mutex_unlock(lock);
    return none;
}

static PyMethodDef functions[] = {{"rollout", module_rollout, METH_VARARGS,
                                   "Many runs on threads."},
                                  {"models", module_models, METH_NOARGS,
                                   "Friction models of the registry."},
                                  {"fit", module_fit, METH_VARARGS, "Parameters from logs."},
                                  {"laws", module_laws, METH_NOARGS, "Laws of the registry."},
                                  {NULL, NULL, 0, NULL}};

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void)
{
    static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "stiction._core",
                                            .m_doc = "The C library behind the package stiction.",
                                            .m_size = -1, .m_methods = functions};
    PyObject *module = PyModule_Create(&definition);
    if (module == NULL) return NULL;
    if (view_ready(module) && scene_ready(module) && sim_ready(module) && model_ready(module) &&
        study_ready(module) &&
        PyModule_AddStringConstant(module, "version", STI_VERSION) == 0)
        return module;
    Py_DECREF(module);
    return NULL;
}
