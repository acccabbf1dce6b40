// Private: what the files of the extension module stiction._core share. Limited API of Python
// 3.11: one binary for all later versions. numpy is not needed here; arrays are seen through the
// buffer protocol.
#ifndef STICTION_PYTHON_NATIVE_H
#define STICTION_PYTHON_NATIVE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <stiction/adaptive.h>
#include <stiction/scene.h>
#include <stiction/stiction.h>
#include <stiction/study.h>

// A scene, read. Its plan is changed and changed back by those who compile it with other numbers,
// under the lock.
typedef struct SceneObject {
    PyObject_HEAD StiScene *scene;
    PyObject *messages; // notes and warnings of reading: a tuple of tuples
    pthread_mutex_t plan;
} SceneObject;

// A network with what it stands on: the scene's own, or one with other numbers.
typedef struct NetworkObject {
    PyObject_HEAD SceneObject *scene;
    StiNetwork *network;
    bool own;
} NetworkObject;

// A run in progress. State, inputs and values live as long as the object: views point into them.
typedef struct SimObject {
    PyObject_HEAD NetworkObject *network;
    StiState *state;
    StiScratch *scratch;
    StiRecorder *recorder;
    StiAdaptive *adaptive; // NULL: a fixed step
    double *inputs;        // of the next step
    double *values;        // of all channels; those that are watched are kept up to date
    int *watched;
    int watched_count, input_count, channel_count;
    int64_t rows; // that the last run has written
    bool busy;    // a call is in progress, perhaps without the interpreter's lock
    bool closed;
    bool beyond;   // error control was told to go on after the scene's stop
    bool followed; // the recorder has followed the run up to this state
} SimObject;

// The types, made when the module is.
extern PyTypeObject *scene_type, *network_type, *sim_type, *view_type;
bool scene_ready(PyObject *module);
bool sim_ready(PyObject *module);
bool view_ready(PyObject *module);
bool model_ready(PyObject *module);
bool study_ready(PyObject *module);

// What reading said: (severity, file, line, column, text) of each.
PyObject *messages_tuple(const StiMessages *messages);

// The scene's plan with other numbers at these paths, compiled. NULL: text says why. Without the
// interpreter's lock.
StiNetwork *scene_compile(SceneObject *scene, const char **paths, const double *values, int count,
                          char *text, size_t size);

// Numbers inside owner's memory, which lives as long as the view. ndim 0 or 1.
PyObject *view_of(PyObject *owner, double *numbers, Py_ssize_t count, int ndim, bool writable);

// A buffer of doubles (or of other items of that format and size), contiguous; false after an
// exception.
bool take_buffer(PyObject *object, Py_buffer *buffer, char format, size_t item, bool writable,
                 const char *what);
Py_ssize_t buffer_items(const Py_buffer *buffer);

// An exception of stiction._errors with these arguments (a new tuple, which is consumed); returns
// NULL.
PyObject *raise_own(const char *name, PyObject *arguments);
PyObject *raise_fault(const StiFault *fault, StiStatus status);
// Words of a list or tuple of str, as UTF-8 that lives as long as the list; false after an
// exception.
bool take_words(PyObject *list, const char ***words, int *count, const char *what);

// Marks the sim as in use; false after an exception (closed, or used by another thread or its own
// callback).
bool sim_enter(SimObject *sim);
void sim_leave(SimObject *sim);
// Error control for steps up to this one: of a network, and of a sim that may have another limit.
// false: an exception.
StiAdaptive *follow_adaptively(const StiScene *scene, const StiNetwork *network, int64_t last,
                               StiReport *report);
bool sim_reaches(SimObject *sim, int64_t last);
StiStatus sim_step(SimObject *sim, const double *inputs);
// Watched channels get the values of the recorder's row.
void sim_refresh(SimObject *sim);

// Signals are looked at every 20 ms while the interpreter's lock is released.
typedef struct Watch {
    PyThreadState *saved; // while released
    int countdown;
    int64_t last; // ms
    bool interrupted;
} Watch;
bool watch_signals(void *watch);

// Waits up to 20 ms for threads, without the interpreter's lock; true: none is working any more.
bool wait_a_little(pthread_mutex_t *lock, pthread_cond_t *ended, const int *working);

PyObject *sim_run(PyObject *self, PyObject *arguments);
PyObject *module_rollout(PyObject *module, PyObject *arguments);
PyObject *module_fit(PyObject *module, PyObject *arguments);
PyObject *module_models(PyObject *module, PyObject *nothing);
PyObject *module_laws(PyObject *module, PyObject *nothing);

#endif
