// Many runs on threads. A run is a function of its number: who computes it does not matter to a
// single bit.
#include "native.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TEXT = 256 };

typedef struct Rollouts {
    SceneObject *scene;
    int64_t runs, rows;
    Py_buffer channels, inputs, settings, starts, start_channels, out, status, done;
    int64_t input_stride; // numbers from run to run; 0: all have the same
    bool has_inputs;
    const char **paths;
    int path_count, channel_count, input_count;
    const char *state; // saved; NULL: the start
    Py_ssize_t state_size;
    bool records; // some channel needs a recorder
    atomic_llong next;
    atomic_bool stop;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    int working;
    char (*texts)[TEXT]; // one per run: why it failed
} Rollouts;

// What one run needs; kept from run to run while the network is the same.
typedef struct Tools {
    StiNetwork *network;
    bool own;
    StiState *state;
    StiScratch *scratch;
    StiRecorder *recorder;
    StiAdaptive *adaptive;
} Tools;

static bool is_stopped(void *context) { return atomic_load(&((Rollouts *)context)->stop); }

static void release(Tools *tools)
{
    sti_adaptive_destroy(tools->adaptive);
    sti_recorder_destroy(tools->recorder);
    sti_scratch_destroy(tools->scratch);
    sti_state_destroy(tools->state);
    if (tools->own) sti_network_destroy(tools->network);
    *tools = (Tools){0};
}

static bool prepare(Rollouts *r, int64_t run, Tools *tools)
{
    const StiAdaptiveOptions *adaptive = r->scene->scene->adaptive;
    if (tools->network == NULL || tools->own) {
        release(tools);
        tools->own = r->path_count > 0;
        tools->network = tools->own
                             ? scene_compile(r->scene, r->paths,
                                             (const double *)r->settings.buf + run * r->path_count,
                                             r->path_count, r->texts[run], TEXT)
                             : r->scene->scene->network;
        if (tools->network == NULL) return false;
        tools->scratch = sti_scratch_create(tools->network);
        tools->recorder =
            r->records || adaptive != NULL ? sti_recorder_create(tools->network) : NULL;
        if (tools->scratch != NULL) sti_scratch_watch(tools->scratch, is_stopped, r);
    }
    // Error control remembers its last run.
    sti_adaptive_destroy(tools->adaptive);
    tools->adaptive =
        adaptive != NULL ? follow_adaptively(r->scene->scene, tools->network, r->rows, NULL) : NULL;
    sti_state_destroy(tools->state);
    tools->state = sti_state_create(tools->network);
    const bool good = tools->state != NULL && tools->scratch != NULL &&
                      (!r->records || tools->recorder != NULL) &&
                      (adaptive == NULL || tools->adaptive != NULL);
    if (!good) snprintf(r->texts[run], TEXT, "out of memory");
    return good;
}

static bool set_start(Rollouts *r, int64_t run, Tools *tools)
{
    const int count = (int)buffer_items(&r->start_channels);
    if (r->state != NULL &&
        sti_state_read(tools->state, r->state, (size_t)r->state_size) != STI_OK) {
        snprintf(r->texts[run], TEXT, "the saved state does not fit to this scene");
        return false;
    }
    for (int i = 0; i < count; ++i) {
        double *number = sti_state_edit_channel(tools->state, tools->network,
                                                ((const int *)r->start_channels.buf)[i]);
        if (number == NULL) {
            snprintf(r->texts[run], TEXT, "a start value is no number of the state");
            return false;
        }
        *number = ((const double *)r->starts.buf)[run * count + i];
    }
    return true;
}

// Under error control, step by step.
static StiStatus roll_adaptively(const StiRollout *rollout, Tools *tools, int inputs, int64_t *done)
{
    StiStatus status = STI_OK;
    for (*done = 0; status == STI_OK && *done < rollout->rows; ++*done) {
        const double *u = rollout->inputs != NULL ? rollout->inputs + *done * inputs : NULL;
        status = sti_adaptive_step(tools->adaptive, u, tools->state, tools->scratch);
        if (status == STI_OK)
            status = sti_recorder_follow(tools->recorder, tools->state, tools->scratch);
        if (status != STI_OK) return status;
        for (int i = 0; i < rollout->channel_count; ++i)
            rollout->out[*done * rollout->channel_count + i] =
                sti_recorder_value(tools->recorder, rollout->channels[i]);
    }
    return status;
}

static void explain(const StiScratch *scratch, StiStatus status, char *text)
{
    const StiFault *fault = sti_scratch_fault(scratch);
    const bool known =
        fault->status == status && fault->component != NULL && fault->component[0] != '\0';
    snprintf(text, TEXT, "%s%s%s at t = %.9g s", sti_status_text(status), known ? ", in " : "",
             known ? fault->component : "", fault->t);
}

static void roll(Rollouts *r, int64_t run, Tools *tools)
{
    const int64_t size = r->rows * r->channel_count;
    double *out = (double *)r->out.buf + run * size;
    int64_t done = 0;
    StiStatus status = STI_BAD_PLAN;
    if (prepare(r, run, tools) && set_start(r, run, tools)) {
        const StiRollout rollout = {.rows = r->rows,
                                    .inputs = r->has_inputs ? (const double *)r->inputs.buf +
                                                                  run * r->input_stride
                                                            : NULL,
                                    .channels = r->channels.buf,
                                    .channel_count = r->channel_count,
                                    .out = out,
                                    .recorder = tools->recorder};
        status = tools->recorder != NULL ? sti_recorder_begin(tools->recorder, tools->state,
                                                              rollout.inputs, tools->scratch)
                                         : STI_OK;
        if (status == STI_OK)
            status =
                tools->adaptive != NULL
                    ? roll_adaptively(&rollout, tools, r->input_count, &done)
                    : sti_rollout(tools->network, &rollout, tools->state, tools->scratch, &done);
        if (status != STI_OK) explain(tools->scratch, status, r->texts[run]);
    }
    // An interrupted result is not returned; filling it could take long.
    for (int64_t i = done * r->channel_count; i < size && !atomic_load(&r->stop); ++i) out[i] = NAN;
    ((int *)r->status.buf)[run] = (int)status;
    ((int64_t *)r->done.buf)[run] = done;
}

static void *work(void *context)
{
    Rollouts *r = context;
    Tools tools = {0};
    for (int64_t run; !atomic_load(&r->stop) && (run = atomic_fetch_add(&r->next, 1)) < r->runs;)
        roll(r, run, &tools);
    release(&tools);
    pthread_mutex_lock(&r->lock);
    --r->working;
    pthread_cond_signal(&r->ended);
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

static bool run_threads(Rollouts *r, int threads)
{
    pthread_t *all = calloc((size_t)threads, sizeof *all);
    int started = 0;
    if (all == NULL) return PyErr_NoMemory() != NULL;
    r->working = threads;
    for (; started < threads; ++started)
        if (pthread_create(&all[started], NULL, work, r) != 0) break;
    pthread_mutex_lock(&r->lock);
    r->working -= threads - started;
    pthread_mutex_unlock(&r->lock);
    bool ended = false;
    while (!ended) {
        Py_BEGIN_ALLOW_THREADS ended = wait_a_little(&r->lock, &r->ended, &r->working);
        Py_END_ALLOW_THREADS if (!ended && !atomic_load(&r->stop) && PyErr_CheckSignals() != 0)
            atomic_store(&r->stop, true);
    }
    for (int i = 0; i < started; ++i) pthread_join(all[i], NULL);
    free(all);
    if (started == 0 && !PyErr_Occurred())
        PyErr_SetString(PyExc_RuntimeError, "no thread could be started");
    return !PyErr_Occurred();
}

static bool fits(Rollouts *r)
{
    const StiNetwork *network = r->scene->scene->network;
    const StiRollout none = {.channels = r->channels.buf,
                             .channel_count = r->channel_count,
                             .out = r->out.buf};
    StiScratch *scratch = sti_scratch_create(network);
    StiState *state = sti_state_create(network);
    StiChannel channel;
    int64_t done;
    for (int i = 0; i < r->channel_count; ++i)
        if (!sti_network_channel(network, ((const int *)r->channels.buf)[i], &channel))
            PyErr_SetString(PyExc_IndexError, "there is no such channel");
    if (scratch == NULL || state == NULL)
        PyErr_NoMemory();
    else if (!PyErr_Occurred())
        r->records = sti_rollout(network, &none, state, scratch, &done) != STI_OK;
    sti_scratch_destroy(scratch);
    sti_state_destroy(state);
    const bool sizes =
        buffer_items(&r->out) >= r->runs * r->rows * r->channel_count &&
        buffer_items(&r->status) >= r->runs && buffer_items(&r->done) >= r->runs &&
        buffer_items(&r->settings) >= r->runs * r->path_count &&
        buffer_items(&r->starts) >= r->runs * buffer_items(&r->start_channels) &&
        (!r->has_inputs || buffer_items(&r->inputs) >=
                               (r->input_stride > 0 ? r->runs : 1) * r->rows * r->input_count);
    if (!sizes && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "arrays of a rollout are too small");
    return !PyErr_Occurred();
}

static PyObject *texts(const Rollouts *r)
{
    PyObject *all = PyDict_New();
    for (int64_t i = 0; all != NULL && i < r->runs; ++i) {
        if (r->texts[i][0] == '\0') continue;
        PyObject *key = PyLong_FromLongLong(i),
                 *text =
                     PyUnicode_DecodeUTF8(r->texts[i], (Py_ssize_t)strlen(r->texts[i]), "replace");
        if (key == NULL || text == NULL || PyDict_SetItem(all, key, text) != 0) Py_CLEAR(all);
        Py_XDECREF(key);
        Py_XDECREF(text);
    }
    return all;
}

static PyObject *roll_all(Rollouts *r, int threads)
{
    PyObject *result = NULL;
    r->texts = calloc((size_t)r->runs + 1, sizeof *r->texts);
    if (r->texts == NULL) return PyErr_NoMemory();
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->ended, NULL);
    if (fits(r) && run_threads(r, threads)) result = texts(r);
    pthread_cond_destroy(&r->ended);
    pthread_mutex_destroy(&r->lock);
    free(r->texts);
    return result;
}

// rollout(scene, rows, threads, channels, out, status, done, inputs or None, shared, paths,
// settings, start channels, starts, state or None): texts of the runs that failed, by number
PyObject *module_rollout(PyObject *module, PyObject *arguments)
{
    (void)module;
    Rollouts r = {0};
    PyObject *scene, *channels, *out, *status, *done, *inputs, *paths, *settings, *start_channels,
        *starts, *result = NULL;
    long long rows;
    int threads, shared;
    if (!PyArg_ParseTuple(arguments, "O!LiOOOOOpOOOOz#", scene_type, &scene, &rows, &threads,
                          &channels, &out, &status, &done, &inputs, &shared, &paths, &settings,
                          &start_channels, &starts, &r.state, &r.state_size))
        return NULL;
    struct {
        PyObject *object;
        Py_buffer *buffer;
        char format;
        size_t item;
        bool writable;
        const char *what;
    } const buffers[] = {{channels, &r.channels, 'i', sizeof(int), false, "channels"},
                         {out, &r.out, 'd', sizeof(double), true, "out"},
                         {status, &r.status, 'i', sizeof(int), true, "status"},
                         {done, &r.done, 'l', sizeof(int64_t), true, "done"},
                         {settings, &r.settings, 'd', sizeof(double), false, "settings"},
                         {start_channels, &r.start_channels, 'i', sizeof(int), false,
                          "start channels"},
                         {starts, &r.starts, 'd', sizeof(double), false, "starts"},
                         {inputs, &r.inputs, 'd', sizeof(double), false, "inputs"}};
    const int count = inputs == Py_None ? 7 : 8;
    int taken = 0;
    r.scene = (SceneObject *)scene;
    r.rows = rows;
    r.has_inputs = inputs != Py_None;
    if (!take_words(paths, &r.paths, &r.path_count, "paths")) return NULL;
    while (taken < count &&
           take_buffer(buffers[taken].object, buffers[taken].buffer, buffers[taken].format,
                       buffers[taken].item, buffers[taken].writable, buffers[taken].what))
        ++taken;
    if (taken == count && (threads < 1 || rows < 0))
        PyErr_SetString(PyExc_ValueError, "threads below 1, or rows below 0");
    if (taken == count && !PyErr_Occurred()) {
        r.runs = buffer_items(&r.status);
        r.channel_count = (int)buffer_items(&r.channels);
        r.input_count = sti_network_input_count(r.scene->scene->network);
        r.input_stride = shared ? 0 : rows * r.input_count;
        result = roll_all(&r, threads);
    }
    while (taken-- > 0) PyBuffer_Release(buffers[taken].buffer);
    PyMem_Free(r.paths);
    return result;
}
