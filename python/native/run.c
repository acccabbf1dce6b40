// Many steps in one call: rows are recorded, controllers called at their period, signals looked
// at. The interpreter's lock is released but while Python code of a controller runs.
#include "native.h"

#include <math.h>
#include <stdlib.h>

// As numba's cfunc and ctypes make them: reads and writes in the order of their names.
typedef void CFunction(double t, const double *reads, double *writes);

typedef struct Controller {
    PyObject *call; // or None
    CFunction *compiled;
    int64_t every;           // steps
    Py_buffer reads, writes; // numbers of channels, places of inputs
    const double **numbers;  // of the state; NULL: asked of the recorder
    double *values;          // reads, then writes
    PyObject *name;
} Controller;

typedef struct Run {
    SimObject *sim;
    int64_t steps, every;
    Py_buffer channels, out, times, columns, given;
    bool has_columns;
    Controller *controllers;
    Py_ssize_t controller_count;
    Watch watch;
    int64_t substeps, events, fallbacks, soft, unsolved;
    double creep;
    bool raised; // an exception is set
} Run;

static int int_at(const Py_buffer *buffer, Py_ssize_t i) { return ((const int *)buffer->buf)[i]; }

static void write_row(Run *run)
{
    SimObject *sim = run->sim;
    const Py_ssize_t columns = buffer_items(&run->channels);
    if (sim->rows >= buffer_items(&run->times)) return;
    double *row = (double *)run->out.buf + sim->rows * columns;
    for (Py_ssize_t i = 0; i < columns; ++i)
        row[i] = sti_recorder_value(sim->recorder, int_at(&run->channels, i));
    ((double *)run->times.buf)[sim->rows] =
        sti_network_time(sim->network->network, sti_state_k(sim->state));
    ++sim->rows;
}

// Takes what Python returned: a number, or as many as the controller writes. None: all stays.
static bool take_answer(const Controller *c, PyObject *answer, double *writes)
{
    const Py_ssize_t count = buffer_items(&c->writes);
    if (answer == Py_None) return true;
    if (count == 1 && !PySequence_Check(answer)) {
        writes[0] = PyFloat_AsDouble(answer);
        return !PyErr_Occurred();
    }
    PyObject *all = PySequence_Tuple(answer);
    if (all == NULL) return false;
    if (PyTuple_Size(all) != count)
        PyErr_Format(PyExc_ValueError, "controller %S: returned %zd numbers for %zd inputs",
                     c->name, PyTuple_Size(all), count);
    for (Py_ssize_t i = 0; i < count && !PyErr_Occurred(); ++i)
        writes[i] = PyFloat_AsDouble(PyTuple_GetItem(all, i));
    Py_DECREF(all);
    return !PyErr_Occurred();
}

static bool call_python(const Controller *c, double t, double *writes)
{
    const Py_ssize_t reads = buffer_items(&c->reads);
    PyObject *arguments = PyTuple_New(reads + 1);
    if (arguments == NULL) return false;
    PyTuple_SetItem(arguments, 0, PyFloat_FromDouble(t));
    for (Py_ssize_t i = 0; i < reads; ++i)
        PyTuple_SetItem(arguments, i + 1, PyFloat_FromDouble(c->values[i]));
    PyObject *answer = PyObject_CallObject(c->call, arguments);
    Py_DECREF(arguments);
    if (answer == NULL) return false;
    const bool good = take_answer(c, answer, writes);
    Py_DECREF(answer);
    return good;
}

static void refuse_number(const Controller *c, double t, double value)
{
    PyObject *number = PyFloat_FromDouble(value), *time = PyFloat_FromDouble(t);
    PyErr_Format(PyExc_ValueError, "controller %S: returned %S at t = %S s", c->name, number, time);
    Py_XDECREF(number);
    Py_XDECREF(time);
}

static bool control(Run *run, const Controller *c)
{
    SimObject *sim = run->sim;
    const Py_ssize_t reads = buffer_items(&c->reads), count = buffer_items(&c->writes);
    const double t = sti_network_time(sim->network->network, sti_state_k(sim->state));
    double *writes = c->values + reads;
    for (Py_ssize_t i = 0; i < reads; ++i)
        c->values[i] = c->numbers[i] != NULL
                           ? *c->numbers[i]
                           : sti_recorder_value(sim->recorder, int_at(&c->reads, i));
    for (Py_ssize_t i = 0; i < count; ++i) writes[i] = sim->inputs[int_at(&c->writes, i)];
    bool good = true;
    if (c->compiled != NULL) c->compiled(t, c->values, writes);
    const bool python = c->compiled == NULL;
    if (python) {
        PyEval_RestoreThread(run->watch.saved);
        good = call_python(c, t, writes);
        run->watch.saved = PyEval_SaveThread();
    }
    for (Py_ssize_t i = 0; good && i < count; ++i) {
        if (isfinite(writes[i])) continue;
        PyEval_RestoreThread(run->watch.saved);
        refuse_number(c, t, writes[i]);
        run->watch.saved = PyEval_SaveThread();
        good = false;
    }
    for (Py_ssize_t i = 0; good && i < count; ++i) sim->inputs[int_at(&c->writes, i)] = writes[i];
    return good;
}

// Inputs of the step from row i on.
static bool set_inputs(Run *run, int64_t i)
{
    SimObject *sim = run->sim;
    const Py_ssize_t columns = run->has_columns ? buffer_items(&run->columns) : 0;
    const double *row = columns > 0 ? (const double *)run->given.buf + i * columns : NULL;
    for (Py_ssize_t j = 0; j < columns; ++j) sim->inputs[int_at(&run->columns, j)] = row[j];
    for (Py_ssize_t j = 0; j < run->controller_count; ++j)
        if (sti_state_k(sim->state) % run->controllers[j].every == 0 &&
            !control(run, &run->controllers[j]))
            return false;
    return true;
}

static void count_figures(Run *run)
{
    const StiStepFigures f = sti_scratch_figures(run->sim->scratch);
    run->substeps += f.substeps;
    run->events += f.events;
    run->fallbacks += f.fallbacks;
    run->soft += f.soft > 0;
    run->unsolved += f.unsolved > 0;
    if (f.creep > run->creep) run->creep = f.creep;
}

static StiStatus take_steps(Run *run)
{
    SimObject *sim = run->sim;
    StiStatus status = STI_OK;
    for (int64_t i = 0; i < run->steps; ++i) {
        if (i > 0 && !set_inputs(run, i)) {
            run->raised = true;
            return STI_INTERRUPTED;
        }
        status = sim_step(sim, sim->inputs);
        if (status == STI_OK) status = sti_recorder_follow(sim->recorder, sim->state, sim->scratch);
        if (status != STI_OK) return status;
        count_figures(run);
        const int64_t k = sti_state_k(sim->state);
        if (k % run->every == 0 || i + 1 == run->steps) write_row(run);
        if (sti_recorder_runaway(sim->recorder) != NULL) return STI_RUNS_AWAY;
    }
    return STI_OK;
}

// Row 0 shows the forces of the first step: its inputs must be known before it. Controllers that
// read forces get those of a start without them.
static StiStatus begin(Run *run)
{
    SimObject *sim = run->sim;
    StiStatus status = sti_recorder_begin(sim->recorder, sim->state, sim->inputs, sim->scratch);
    if (status != STI_OK || run->steps == 0) return status;
    if (!set_inputs(run, 0)) {
        run->raised = true;
        return STI_INTERRUPTED;
    }
    return sti_recorder_begin(sim->recorder, sim->state, sim->inputs, sim->scratch);
}

static StiStatus simulate(Run *run)
{
    SimObject *sim = run->sim;
    sti_scratch_watch(sim->scratch, watch_signals, &run->watch);
    run->watch.saved = PyEval_SaveThread();
    StiStatus status = begin(run);
    if (status == STI_OK) {
        write_row(run);
        status = take_steps(run);
    }
    PyEval_RestoreThread(run->watch.saved);
    sti_scratch_watch(sim->scratch, NULL, NULL);
    sim->followed = status == STI_OK;
    if (status == STI_OK) sim_refresh(sim);
    return status;
}

static void release_controllers(Run *run)
{
    for (Py_ssize_t i = 0; i < run->controller_count; ++i) {
        PyBuffer_Release(&run->controllers[i].reads);
        PyBuffer_Release(&run->controllers[i].writes);
        free(run->controllers[i].numbers);
        free(run->controllers[i].values);
    }
    free(run->controllers);
}

static bool all_within(const Py_buffer *numbers, int limit, const char *what)
{
    for (Py_ssize_t i = 0; i < buffer_items(numbers); ++i)
        if (int_at(numbers, i) < 0 || int_at(numbers, i) >= limit) {
            PyErr_Format(PyExc_IndexError, "%s: there is no number %d", what, int_at(numbers, i));
            return false;
        }
    return true;
}

// (callable or None, address, every, reads, writes, name)
static bool take_controller(Run *run, PyObject *tuple, Controller *c)
{
    SimObject *sim = run->sim;
    PyObject *reads, *writes;
    unsigned long long address;
    long long every;
    if (!PyArg_ParseTuple(tuple, "OKLOOO", &c->call, &address, &every, &reads, &writes, &c->name))
        return false;
    c->compiled = (CFunction *)(uintptr_t)address;
    c->every = every;
    if (!take_buffer(reads, &c->reads, 'i', sizeof(int), false, "reads")) return false;
    if (!take_buffer(writes, &c->writes, 'i', sizeof(int), false, "writes")) {
        PyBuffer_Release(&c->reads);
        return false;
    }
    ++run->controller_count;
    const size_t count = (size_t)buffer_items(&c->reads);
    c->numbers = calloc(count + 1, sizeof *c->numbers);
    c->values = calloc(count + (size_t)buffer_items(&c->writes) + 1, sizeof *c->values);
    if (c->numbers == NULL || c->values == NULL) return PyErr_NoMemory() != NULL;
    if (!all_within(&c->reads, sim->channel_count, "reads") ||
        !all_within(&c->writes, sim->input_count, "writes"))
        return false;
    for (size_t i = 0; i < count; ++i)
        c->numbers[i] = sti_state_edit_channel(sim->state, sim->network->network,
                                               int_at(&c->reads, (Py_ssize_t)i));
    if (every > 0 && (c->compiled != NULL || PyCallable_Check(c->call))) return true;
    PyErr_SetString(PyExc_ValueError,
                    "a controller needs a function, and a period of one step or more");
    return false;
}

static bool take_controllers(Run *run, PyObject *tuple)
{
    const Py_ssize_t count = PyTuple_Check(tuple) ? PyTuple_Size(tuple) : 0;
    run->controllers = calloc((size_t)count + 1, sizeof *run->controllers);
    if (run->controllers == NULL) return PyErr_NoMemory() != NULL;
    for (Py_ssize_t i = 0; i < count; ++i)
        if (!take_controller(run, PyTuple_GetItem(tuple, i), &run->controllers[i])) return false;
    return true;
}

static bool fits(Run *run)
{
    const SimObject *sim = run->sim;
    if (run->steps < 0 || run->every < 1)
        PyErr_SetString(PyExc_ValueError, "steps below 0, or every below 1");
    else if (buffer_items(&run->out) < buffer_items(&run->times) * buffer_items(&run->channels))
        PyErr_SetString(PyExc_ValueError, "out is too small for its rows");
    else if (run->has_columns &&
             buffer_items(&run->given) < run->steps * buffer_items(&run->columns))
        PyErr_SetString(PyExc_ValueError, "inputs have fewer rows than there are steps");
    else if (all_within(&run->channels, sim->channel_count, "channels") && run->has_columns)
        all_within(&run->columns, sim->input_count, "inputs");
    return !PyErr_Occurred();
}

static PyObject *outcome(Run *run, StiStatus status)
{
    if (PyErr_Occurred()) return NULL; // a signal, or a controller
    const StiFault *runaway = sti_recorder_runaway(run->sim->recorder);
    if (status != STI_OK)
        return raise_fault(runaway != NULL ? runaway : sti_scratch_fault(run->sim->scratch),
                           status);
    return Py_BuildValue("{s:L,s:L,s:L,s:L,s:L,s:L,s:d}", "steps", (long long)run->steps,
                         "substeps", (long long)run->substeps, "events", (long long)run->events,
                         "fallbacks", (long long)run->fallbacks, "soft", (long long)run->soft,
                         "unsolved", (long long)run->unsolved, "creep", run->creep);
}

static bool take_inputs(Run *run, PyObject *columns, PyObject *given)
{
    if (columns == Py_None) return true;
    if (!take_buffer(columns, &run->columns, 'i', sizeof(int), false, "columns")) return false;
    run->has_columns = take_buffer(given, &run->given, 'd', sizeof(double), false, "inputs");
    if (!run->has_columns) PyBuffer_Release(&run->columns);
    return run->has_columns;
}

// run(steps, every, channels, times, out, columns, inputs, controllers): what was counted, as a
// dict
PyObject *sim_run(PyObject *self, PyObject *arguments)
{
    Run run = {.sim = (SimObject *)self};
    PyObject *channels, *times, *out, *columns, *given, *controllers, *result = NULL;
    long long steps, every;
    if (!PyArg_ParseTuple(arguments, "LLOOOOOO", &steps, &every, &channels, &times, &out, &columns,
                          &given, &controllers))
        return NULL;
    run.steps = steps;
    run.every = every;
    if (!sim_enter(run.sim)) return NULL;
    run.sim->rows = 0;
    const bool has_channels =
        take_buffer(channels, &run.channels, 'i', sizeof(int), false, "channels");
    const bool has_times =
        has_channels && take_buffer(times, &run.times, 'd', sizeof(double), true, "times");
    const bool has_out = has_times && take_buffer(out, &run.out, 'd', sizeof(double), true, "out");
    if (has_out && take_inputs(&run, columns, given) && take_controllers(&run, controllers) &&
        fits(&run) && sim_reaches(run.sim, sti_state_k(run.sim->state) + run.steps))
        result = outcome(&run, simulate(&run));
    release_controllers(&run);
    if (run.has_columns) PyBuffer_Release(&run.columns);
    if (run.has_columns) PyBuffer_Release(&run.given);
    if (has_out) PyBuffer_Release(&run.out);
    if (has_times) PyBuffer_Release(&run.times);
    if (has_channels) PyBuffer_Release(&run.channels);
    sim_leave(run.sim);
    return result;
}
