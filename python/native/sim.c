// A Sim: state, inputs and all that a step needs, with views of its numbers.
#include "native.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

PyTypeObject *sim_type;

static StiNetwork *network_of(const SimObject *sim) { return sim->network->network; }

// Nothing is evaluated beyond the scene's stop, unless somebody goes on.
StiAdaptive *follow_adaptively(const StiScene *scene, const StiNetwork *network, int64_t last,
                               StiReport *report)
{
    StiAdaptiveOptions options = *scene->adaptive;
    if (sti_network_time(network, last) > scene->stop + 0.5 * sti_network_step(network))
        options.stop = 0.0;
    return sti_adaptive_create(network, &options, report);
}

bool sim_reaches(SimObject *sim, int64_t last)
{
    const StiScene *scene = sim->network->scene->scene;
    if (sim->adaptive == NULL || last <= scene->steps || sim->beyond) return true;
    StiAdaptive *adaptive = follow_adaptively(scene, sim->network->network, last, NULL);
    if (adaptive == NULL) return PyErr_NoMemory() != NULL;
    sti_adaptive_destroy(sim->adaptive);
    sim->adaptive = adaptive;
    return sim->beyond = true;
}

// What belongs to a network and can be made anew; false after an exception.
static bool take_tools(NetworkObject *network, StiScratch **scratch, StiRecorder **recorder,
                       StiAdaptive **adaptive)
{
    StiReport *report = sti_report_create();
    *scratch = sti_scratch_create(network->network);
    *recorder = sti_recorder_create(network->network);
    *adaptive = network->scene->scene->adaptive != NULL
                    ? follow_adaptively(network->scene->scene, network->network, 0, report)
                    : NULL;
    const bool good = *scratch != NULL && *recorder != NULL &&
                      (*adaptive != NULL || network->scene->scene->adaptive == NULL);
    if (!good) {
        sti_scratch_destroy(*scratch);
        sti_recorder_destroy(*recorder);
        sti_adaptive_destroy(*adaptive);
        if (report != NULL && sti_report_count(report) > 0)
            PyErr_Format(PyExc_ValueError, "%s", sti_report_finding(report, 0)->text);
        else
            PyErr_NoMemory();
    }
    sti_report_destroy(report);
    return good;
}

static void release_tools(SimObject *sim)
{
    sti_adaptive_destroy(sim->adaptive);
    sti_recorder_destroy(sim->recorder);
    sti_scratch_destroy(sim->scratch);
    sim->adaptive = NULL;
    sim->recorder = NULL;
    sim->scratch = NULL;
}

static bool take_numbers(SimObject *sim)
{
    const StiNetwork *network = network_of(sim);
    StiChannel channel;
    while (sti_network_channel(network, sim->channel_count, &channel)) ++sim->channel_count;
    sim->input_count = sti_network_input_count(network);
    sim->state = sti_state_create(network);
    sim->inputs = calloc((size_t)sim->input_count + 1, sizeof *sim->inputs);
    sim->values = calloc((size_t)sim->channel_count + 1, sizeof *sim->values);
    sim->watched = calloc((size_t)sim->channel_count + 1, sizeof *sim->watched);
    if (sim->state == NULL || sim->inputs == NULL || sim->values == NULL || sim->watched == NULL)
        return PyErr_NoMemory() != NULL;
    sti_network_usual_inputs(network, sim->inputs);
    return true;
}

// Sim(network)
static PyObject *sim_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    PyObject *network;
    (void)keywords;
    if (!PyArg_ParseTuple(arguments, "O!", network_type, &network)) return NULL;
    SimObject *sim = (SimObject *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (sim == NULL) return NULL;
    sim->network = (NetworkObject *)Py_NewRef(network);
    if (take_numbers(sim) &&
        take_tools(sim->network, &sim->scratch, &sim->recorder, &sim->adaptive))
        return (PyObject *)sim;
    Py_DECREF((PyObject *)sim);
    return NULL;
}

static void sim_dealloc(PyObject *self)
{
    SimObject *sim = (SimObject *)self;
    PyTypeObject *type = Py_TYPE(self);
    release_tools(sim);
    sti_state_destroy(sim->state);
    free(sim->inputs);
    free(sim->values);
    free(sim->watched);
    Py_XDECREF((PyObject *)sim->network);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

bool sim_enter(SimObject *sim)
{
    if (sim->closed)
        raise_own("ClosedError",
                  Py_BuildValue("(s)", "this Sim is closed: start another one with scene.start()"));
    else if (sim->busy)
        raise_own("BusyError",
                  Py_BuildValue("(s)",
                                "this Sim is running, in another thread or around this call: "
                                "every thread needs a Sim of its own"));
    else
        sim->busy = true;
    return !PyErr_Occurred();
}

void sim_leave(SimObject *sim) { sim->busy = false; }

StiStatus sim_step(SimObject *sim, const double *inputs)
{
    return sim->adaptive != NULL
               ? sti_adaptive_step(sim->adaptive, inputs, sim->state, sim->scratch)
               : sti_step(network_of(sim), inputs, sim->state, sim->scratch);
}

void sim_refresh(SimObject *sim)
{
    for (int i = 0; i < sim->watched_count; ++i)
        sim->values[sim->watched[i]] = sti_recorder_value(sim->recorder, sim->watched[i]);
}

static StiStatus follow(SimObject *sim)
{
    StiStatus status = STI_OK;
    if (!sim->followed)
        status = sti_recorder_begin(sim->recorder, sim->state, sim->inputs, sim->scratch);
    sim->followed = status == STI_OK;
    return status;
}

static StiStatus take_steps(SimObject *sim, int64_t count)
{
    const bool watched = sim->watched_count > 0;
    StiStatus status = watched ? follow(sim) : STI_OK;
    for (int64_t i = 0; status == STI_OK && i < count; ++i) {
        status = sim_step(sim, sim->inputs);
        if (status == STI_OK && watched)
            status = sti_recorder_follow(sim->recorder, sim->state, sim->scratch);
    }
    sim->followed = watched && status == STI_OK;
    return status;
}

// Short calls keep the interpreter's lock: giving it away and back costs as much as a step.
static PyObject *sim_take_steps(PyObject *self, PyObject *arguments)
{
    SimObject *sim = (SimObject *)self;
    long long count;
    if (!PyArg_ParseTuple(arguments, "L", &count) || !sim_enter(sim)) return NULL;
    if (count < 0 || !sim_reaches(sim, sti_state_k(sim->state) + count)) {
        sim_leave(sim);
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_ValueError, "steps below 0");
    }
    Watch watch = {0};
    sti_scratch_watch(sim->scratch, watch_signals, &watch);
    const bool release = count > 1;
    if (release) watch.saved = PyEval_SaveThread();
    const StiStatus status = take_steps(sim, count);
    if (release) PyEval_RestoreThread(watch.saved);
    sti_scratch_watch(sim->scratch, NULL, NULL);
    if (status == STI_OK) sim_refresh(sim);
    sim_leave(sim);
    if (PyErr_Occurred()) return NULL;
    return status == STI_OK ? Py_NewRef(Py_None)
                            : raise_fault(sti_scratch_fault(sim->scratch), status);
}

static bool is_watched(const SimObject *sim, int channel)
{
    for (int i = 0; i < sim->watched_count; ++i)
        if (sim->watched[i] == channel) return true;
    return false;
}

// A number of the state is seen where it stands; what is computed is kept up to date from now on.
static PyObject *sim_channel(PyObject *self, PyObject *arguments)
{
    SimObject *sim = (SimObject *)self;
    int channel;
    if (!PyArg_ParseTuple(arguments, "i", &channel) || !sim_enter(sim)) return NULL;
    PyObject *view = NULL;
    StiStatus status = STI_OK;
    double *number = sti_state_edit_channel(sim->state, network_of(sim), channel);
    if (channel < 0 || channel >= sim->channel_count) {
        PyErr_Format(PyExc_IndexError, "there is no channel number %d", channel);
    } else if (number != NULL) {
        view = view_of(self, number, 1, 0, true);
    } else {
        status = follow(sim);
        if (status == STI_OK && !is_watched(sim, channel))
            sim->watched[sim->watched_count++] = channel;
        if (status == STI_OK) sim_refresh(sim);
        if (status == STI_OK) view = view_of(self, &sim->values[channel], 1, 0, false);
    }
    sim_leave(sim);
    return status == STI_OK ? view : raise_fault(sti_scratch_fault(sim->scratch), status);
}

static PyObject *sim_inputs(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    SimObject *sim = (SimObject *)self;
    return view_of(self, sim->inputs, sim->input_count, 1, true);
}

// part(name, "positions" | "velocities" | "memory" | "discrete")
static PyObject *sim_part(PyObject *self, PyObject *arguments)
{
    SimObject *sim = (SimObject *)self;
    const char *name, *what;
    StiFound found;
    StiComponent component;
    if (!PyArg_ParseTuple(arguments, "ss", &name, &what)) return NULL;
    StiNetwork *network = network_of(sim);
    if (!sti_network_find(network, name, &found) || found.role > STI_CONTACT ||
        !sti_network_component(network, found.number, &component))
        return PyErr_Format(PyExc_KeyError, "there is no component '%s'", name);
    double *numbers = NULL;
    int count = 0;
    if (strcmp(what, "positions") == 0 && found.role == STI_BODY) {
        numbers = sti_state_edit_positions(sim->state, network, found.body);
        count = component.positions;
    } else if (strcmp(what, "velocities") == 0 && found.role == STI_BODY) {
        numbers = sti_state_edit_velocities(sim->state, network, found.body);
        count = component.velocities;
    } else if (strcmp(what, "memory") == 0 && found.role == STI_IMPEDANCE) {
        numbers = sti_state_edit_memory(sim->state, network, found.element);
        count = component.memory;
    } else if (strcmp(what, "discrete") == 0 && found.role != STI_BODY) {
        numbers = sti_state_edit_discrete(sim->state, network, found.element);
        count = component.discrete;
    }
    return view_of(self, numbers != NULL ? numbers : sim->inputs, numbers != NULL ? count : 0, 1,
                   true);
}

static PyObject *sim_save(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    SimObject *sim = (SimObject *)self;
    if (sim->busy && !sim_enter(sim)) return NULL;
    const size_t size = sti_state_write(sim->state, NULL, 0);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    if (bytes != NULL) sti_state_write(sim->state, PyBytes_AsString(bytes), size);
    return bytes;
}

static PyObject *sim_restore(PyObject *self, PyObject *arguments)
{
    SimObject *sim = (SimObject *)self;
    const char *bytes;
    Py_ssize_t size;
    if (!PyArg_ParseTuple(arguments, "y#", &bytes, &size) || !sim_enter(sim)) return NULL;
    const StiStatus status = sti_state_read(sim->state, bytes, (size_t)size);
    sim->followed = false;
    if (status == STI_OK && sim->watched_count > 0 && follow(sim) == STI_OK) sim_refresh(sim);
    sim_leave(sim);
    if (status == STI_OK) return Py_NewRef(Py_None);
    return PyErr_Format(PyExc_ValueError,
                        status == STI_LAYOUT_MISMATCH
                            ? "this is the state of another scene: its layout differs"
                            : "these bytes are no saved state: too short, too long or damaged");
}

// The same state goes on under a network of the same layout.
static PyObject *sim_adopt(PyObject *self, PyObject *arguments)
{
    SimObject *sim = (SimObject *)self;
    NetworkObject *network;
    StiScratch *scratch;
    StiRecorder *recorder;
    StiAdaptive *adaptive;
    if (!PyArg_ParseTuple(arguments, "O!", network_type, &network) || !sim_enter(sim)) return NULL;
    if (sti_network_layout(network->network) != sti_network_layout(network_of(sim)))
        PyErr_SetString(PyExc_ValueError,
                        "these numbers change the layout of the scene: start another Sim");
    else if (take_tools(network, &scratch, &recorder, &adaptive)) {
        release_tools(sim);
        sim->scratch = scratch;
        sim->recorder = recorder;
        sim->adaptive = adaptive;
        sim->followed = sim->beyond = false;
        NetworkObject *before = sim->network;
        sim->network = (NetworkObject *)Py_NewRef((PyObject *)network);
        Py_DECREF((PyObject *)before);
    }
    sim_leave(sim);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

static PyObject *sim_close(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    SimObject *sim = (SimObject *)self;
    if (sim->closed) return Py_NewRef(Py_None);
    if (!sim_enter(sim)) return NULL;
    release_tools(sim);
    sim->closed = true;
    sim_leave(sim);
    return Py_NewRef(Py_None);
}

static PyObject *sim_energy(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    SimObject *sim = (SimObject *)self;
    if (!sim_enter(sim)) return NULL;
    const StiEnergy e = sti_recorder_energy(sim->recorder);
    sim_leave(sim);
    return Py_BuildValue("(dddddd)", e.work, e.stored, e.stored_start, e.dissipated, e.numerical,
                         e.residual);
}

static PyObject *get_k(PyObject *self, void *context)
{
    (void)context;
    return PyLong_FromLongLong(sti_state_k(((SimObject *)self)->state));
}

static PyObject *get_t(PyObject *self, void *context)
{
    (void)context;
    const SimObject *sim = (SimObject *)self;
    return PyFloat_FromDouble(sti_network_time(network_of(sim), sti_state_k(sim->state)));
}

static PyObject *get_hash(PyObject *self, void *context)
{
    (void)context;
    return PyLong_FromUnsignedLongLong(sti_state_hash(((SimObject *)self)->state));
}

static PyObject *get_rows(PyObject *self, void *context)
{
    (void)context;
    return PyLong_FromLongLong(((SimObject *)self)->rows);
}

static PyObject *get_closed(PyObject *self, void *context)
{
    (void)context;
    return PyBool_FromLong(((SimObject *)self)->closed);
}

static PyMethodDef methods[] = {
    {"step", sim_take_steps, METH_VARARGS, "Takes so many steps with the inputs as they are."},
    {"run", sim_run, METH_VARARGS, "Takes steps, records rows, calls controllers."},
    {"channel", sim_channel, METH_VARARGS, "A view of the channel of this number."},
    {"inputs", sim_inputs, METH_NOARGS, "A view of the inputs of the next step."},
    {"part", sim_part, METH_VARARGS,
     "A view of a component's positions, velocities, memory or discrete values."},
    {"save", sim_save, METH_NOARGS, "The state as bytes."},
    {"restore", sim_restore, METH_VARARGS,
     "The state from bytes; left as it was where they do not fit."},
    {"adopt", sim_adopt, METH_VARARGS, "Goes on under another network of the same layout."},
    {"energy", sim_energy, METH_NOARGS,
     "(work, stored, stored_start, dissipated, numerical, residual) of the last run, J."},
    {"close", sim_close, METH_NOARGS, "Ends it. Views keep their last numbers."},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef properties[] = {{"k", get_k, NULL, "Number of the step.", NULL},
                                   {"t", get_t, NULL, "Time, s.", NULL},
                                   {"hash", get_hash, NULL, "Of the whole state.", NULL},
                                   {"rows", get_rows, NULL, "Rows that the last run has written.",
                                    NULL},
                                   {"closed", get_closed, NULL, "Whether close() was called.",
                                    NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};

bool sim_ready(PyObject *module)
{
    static PyType_Slot slots[] = {{Py_tp_doc, "State and scratch of one run: Sim(network)."},
                                  {Py_tp_new, sim_new},
                                  {Py_tp_dealloc, sim_dealloc},
                                  {Py_tp_methods, methods},
                                  {Py_tp_getset, properties},
                                  {0, NULL}};
    static PyType_Spec spec = {.name = "stiction._core.Sim",
                               .basicsize = sizeof(SimObject),
                               .flags = Py_TPFLAGS_DEFAULT,
                               .slots = slots};
    sim_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return sim_type != NULL && PyModule_AddObjectRef(module, "Sim", (PyObject *)sim_type) == 0;
}
