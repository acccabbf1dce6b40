// Friction models and laws without a network: vectorised, and step by step for controllers.
#include "native.h"

#include <stdlib.h>
#include <string.h>

typedef struct ModelObject {
    PyObject_HEAD
    StiEntry entry;
    void *parameters;
    void **owned; // arrays that the parameters point to
    int owned_count;
    bool listed;   // a list has said how many elements there are
    bool moved;    // a step was taken: modes follow from the next velocity
    int memory, discrete, signals;
    double *y, *ydot, *s, *signal; // of the stepping form
} ModelObject;

static PyTypeObject *model_type;

// ---- parameters from keyword arguments -----------------------------------------------------------
static double *take_list(ModelObject *model, PyObject *value, int *count)
{
    PyObject *all = PySequence_Check(value) ? PySequence_Tuple(value) : Py_BuildValue("(O)", value);
    if (all == NULL) return NULL;
    *count = (int)PyTuple_Size(all);
    double *numbers = calloc((size_t)*count + 1, sizeof *numbers);
    void **owned = realloc(model->owned, ((size_t)model->owned_count + 1) * sizeof *owned);
    if (owned != NULL) model->owned = owned;
    if (numbers == NULL || owned == NULL) {
        free(numbers);
        Py_DECREF(all);
        PyErr_NoMemory();
        return NULL;
    }
    model->owned[model->owned_count++] = numbers;
    for (int i = 0; i < *count && !PyErr_Occurred(); ++i) numbers[i] = PyFloat_AsDouble(PyTuple_GetItem(all, i));
    Py_DECREF(all);
    return PyErr_Occurred() ? NULL : numbers;
}

// Lists of one bank are equally long: the first one says how many elements there are.
static bool same_count(ModelObject *model, const StiField *field, int count)
{
    int *elements = (int *)((char *)model->parameters + field->count_offset);
    if (model->listed && count != *elements) {
        PyErr_Format(PyExc_ValueError, "%s: %d numbers, where other lists have %d", field->name, count, *elements);
        return false;
    }
    model->listed = true;
    *elements = count;
    return true;
}

// Lists that were not given: the usual number for every element.
static bool complete_lists(ModelObject *model)
{
    for (int i = 0; i < model->entry.info->field_count; ++i) {
        const StiField *field = &model->entry.info->fields[i];
        const double **place = (const double **)((char *)model->parameters + field->offset);
        if (field->type != STI_FIELD_NUMBERS || *place != NULL) continue;
        const int count = *(const int *)((const char *)model->parameters + field->count_offset);
        PyObject *list = model->listed && field->bound != STI_POSITIVE ? PyList_New(0) : NULL;
        if (list == NULL && !PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "%s: one number for each element is needed", field->name);
        PyObject *usual = PyFloat_FromDouble(field->usual);
        for (int j = 0; list != NULL && usual != NULL && j < count; ++j) PyList_Append(list, usual);
        int taken;
        if (!PyErr_Occurred()) *place = take_list(model, list, &taken);
        Py_XDECREF(usual);
        Py_XDECREF(list);
        if (PyErr_Occurred()) return false;
    }
    return true;
}

static bool set_field(ModelObject *model, const StiField *field, PyObject *value)
{
    char *place = (char *)model->parameters + field->offset;
    int count;
    double *numbers;
    switch (field->type) {
    case STI_FIELD_SWITCH:
        *(bool *)place = PyObject_IsTrue(value) == 1;
        return !PyErr_Occurred();
    case STI_FIELD_NUMBERS:
        numbers = take_list(model, value, &count);
        if (numbers == NULL || !same_count(model, field, count)) return false;
        *(const double **)place = numbers;
        return true;
    case STI_FIELD_NUMBER:
    case STI_FIELD_AXES:
        numbers = take_list(model, value, &count);
        if (numbers == NULL) return false;
        if (count <= (field->length > 1 ? field->length : 1)) {
            memcpy(place, numbers, (size_t)count * sizeof *numbers);
            return true;
        }
        PyErr_Format(PyExc_ValueError, "%s: too many numbers", field->name);
        return false;
    default:
        PyErr_Format(PyExc_TypeError, "%s cannot be set here", field->name);
        return false;
    }
}

// A table is speeds, then levels, both in one list.
static bool set_law(ModelObject *model, const StiEntry *entry, PyObject *given, StiLaw *law)
{
    PyObject *table = PyDict_GetItemString(given, "table");
    *law = sti_law_own(entry->law, NULL);
    if (table != NULL && entry->law->table) {
        int count;
        law->table = take_list(model, table, &count);
        law->table_points = count / 2;
        if (law->table == NULL) return false;
    }
    for (int i = 0; i < entry->field_count; ++i) {
        const StiField *field = &entry->fields[i];
        PyObject *value = PyDict_GetItemString(given, field->name);
        if (field->offset >= STI_LAW_PARAMETERS) continue;
        law->p[field->offset] = value != NULL ? PyFloat_AsDouble(value) : field->usual;
    }
    PyObject *load = PyDict_GetItemString(given, "times_load");
    if (load != NULL && PyObject_IsTrue(load) == 1) *law = sti_law_times_load(*law);
    return !PyErr_Occurred();
}

static bool set_fields(ModelObject *model, PyObject *given)
{
    PyObject *key, *value;
    Py_ssize_t place = 0;
    while (PyDict_Next(given, &place, &key, &value)) {
        const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
        const StiField *field = name != NULL ? sti_kind_field(model->entry.info, name) : NULL;
        if (name == NULL || (field != NULL && !set_field(model, field, value))) return false;
    }
    return true;
}

static bool is_sound(ModelObject *model)
{
    StiReport *report = sti_report_create();
    if (report == NULL) return PyErr_NoMemory() != NULL;
    const StiCheck check = {.report = report, .component = model->entry.name};
    sti_kind_check(model->entry.info, model->parameters, &check);
    for (int i = 0; i < sti_report_count(report) && !PyErr_Occurred(); ++i) {
        const StiFinding *f = sti_report_finding(report, i);
        if (f->severity == STI_ERROR)
            PyErr_Format(PyExc_ValueError, "%s%s%s: %s", f->component, f->parameter[0] != '\0' ? "." : "", f->parameter, f->text);
    }
    sti_report_destroy(report);
    return !PyErr_Occurred();
}

static void start(ModelObject *model)
{
    memset(model->y, 0, (size_t)model->memory * sizeof *model->y);
    memset(model->s, 0, (size_t)model->discrete * sizeof *model->s);
    if (model->entry.impedance != NULL && model->entry.impedance->start != NULL)
        model->entry.impedance->start(model->parameters, model->y);
    model->moved = false;
}

static bool take_sizes(ModelObject *model)
{
    if (model->entry.impedance != NULL) {
        const StiImpedanceSize size = model->entry.impedance->size(model->parameters);
        model->memory = size.memory;
        model->discrete = size.discrete;
        model->signals = size.signals;
    } else {
        const StiReactionSize size = model->entry.reaction->size(model->parameters);
        model->discrete = size.discrete;
        model->signals = size.signals;
    }
    const size_t memory = (size_t)model->memory + 1;
    model->y = calloc(2 * memory + (size_t)model->discrete + (size_t)model->signals + 2, sizeof *model->y);
    if (model->y == NULL) return PyErr_NoMemory() != NULL;
    model->ydot = model->y + memory;
    model->s = model->ydot + memory;
    model->signal = model->s + model->discrete + 1;
    start(model);
    return true;
}

static bool fill(ModelObject *model, const char *law, PyObject *given, PyObject *law_given)
{
    StiEntry entry;
    const StiInfo *info = model->entry.info;
    model->parameters = calloc(1, info->size + 1);
    if (model->parameters == NULL) return PyErr_NoMemory() != NULL;
    sti_kind_default(info, model->parameters);
    StiLaw *place = sti_kind_law(info, model->parameters);
    if (place != NULL && !sti_registry_find(STI_ROLE_LAW, law, &entry)) {
        PyErr_Format(PyExc_ValueError, "there is no law '%s'", law);
        return false;
    }
    if (place != NULL && !set_law(model, &entry, law_given, place)) return false;
    return set_fields(model, given) && complete_lists(model) && is_sound(model) && take_sizes(model);
}

// Model(name, law, numbers, numbers of the law)
static PyObject *model_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    const char *name, *law;
    PyObject *given, *law_given;
    (void)keywords;
    if (!PyArg_ParseTuple(arguments, "ssO!O!", &name, &law, &PyDict_Type, &given, &PyDict_Type, &law_given)) return NULL;
    ModelObject *model = (ModelObject *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (model == NULL) return NULL;
    if (!sti_registry_find(STI_ROLE_FRICTION, name, &model->entry) || model->entry.info == NULL)
        PyErr_Format(PyExc_ValueError, "there is no friction model '%s'", name);
    else if (fill(model, law, given, law_given))
        return (PyObject *)model;
    Py_DECREF((PyObject *)model);
    return NULL;
}

static void model_dealloc(PyObject *self)
{
    ModelObject *model = (ModelObject *)self;
    PyTypeObject *type = Py_TYPE(self);
    for (int i = 0; i < model->owned_count; ++i) free(model->owned[i]);
    free(model->owned);
    free(model->y);
    free(model->parameters);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

// ---- one evaluation ------------------------------------------------------------------------------
static StiStatus evaluate(const ModelObject *model, double tau, double v, const double *signals, const double *y,
                          const double *s, double *f, double *ydot)
{
    const double x = 0.0;
    const StiStage stage = {.tau = tau, .step = tau};
    const StiMotion motion = {.x = &x, .v = &v, .signals = signals};
    return model->entry.impedance->eval(model->parameters, &stage, &motion, y, s, f, ydot);
}

static void settle(const ModelObject *model, double tau, double v, const double *signals, const double *y, double *s)
{
    const double x = 0.0;
    const StiStage stage = {.tau = tau, .step = tau};
    const StiMotion motion = {.x = &x, .v = &v, .signals = signals};
    if (model->entry.impedance->settle != NULL) model->entry.impedance->settle(model->parameters, &stage, &motion, y, s);
}

// A mass for one step T: resistance, and the velocity at its end. s: in and out, as when a step is accepted.
static StiStatus resolve(const ModelObject *model, double T, double mass, double v, double force, const double *signals,
                         double *s, double *r, double *v_end)
{
    const StiReactionKind *kind = model->entry.reaction;
    const double W = 1.0 / mass, vbar = v + T * W * force;
    const StiReactionProblem problem = {.dim = 1, .T = T, .W = &W, .v = &v, .vbar = &vbar, .signals = signals};
    StiReactionAnswer answer = {0};
    StiStatus status = kind->resolve(model->parameters, &problem, s, &answer);
    if (status == STI_OK && kind->release != NULL && answer.ratio > 1.0 && kind->release(model->parameters, &answer, s))
        status = kind->resolve(model->parameters, &problem, s, &answer);
    *v_end = answer.stuck ? 0.0 : vbar - T * W * answer.r[0];
    if (status == STI_OK && kind->arrest != NULL && kind->arrest(model->parameters, &v, v_end, s)) {
        status = kind->resolve(model->parameters, &problem, s, &answer);
        *v_end = answer.stuck ? 0.0 : vbar - T * W * answer.r[0];
    }
    if (status == STI_OK && kind->settle != NULL) kind->settle(model->parameters, &problem, &answer, s);
    *r = answer.r[0];
    return status;
}

static PyObject *refuse(const ModelObject *model, StiStatus status)
{
    return raise_own("StepError", Py_BuildValue("(isssdL)", (int)status, sti_status_text(status), model->entry.name, "", 0.0, 0LL));
}

// ---- arrays --------------------------------------------------------------------------------------
typedef struct Arrays {
    Py_buffer buffer[8];
    int taken;
} Arrays;

static bool take_arrays(Arrays *arrays, PyObject **objects, int count, int writable_from)
{
    for (; arrays->taken < count; ++arrays->taken)
        if (!take_buffer(objects[arrays->taken], &arrays->buffer[arrays->taken], 'd', sizeof(double),
                         arrays->taken >= writable_from, "arrays of a model"))
            return false;
    return true;
}

static void release_arrays(Arrays *arrays)
{
    while (arrays->taken > 0) PyBuffer_Release(&arrays->buffer[--arrays->taken]);
}

static bool have(const Arrays *arrays, int i, Py_ssize_t items)
{
    if (buffer_items(&arrays->buffer[i]) >= items) return true;
    PyErr_SetString(PyExc_ValueError, "an array of a model is too short");
    return false;
}

// evaluate(tau, v, signals, y, s, f, ydot): n evaluations
static PyObject *model_evaluate(PyObject *self, PyObject *arguments)
{
    ModelObject *model = (ModelObject *)self;
    PyObject *objects[6];
    double tau;
    Arrays a = {0};
    if (!PyArg_ParseTuple(arguments, "dOOOOOO", &tau, &objects[0], &objects[1], &objects[2], &objects[3], &objects[4], &objects[5]))
        return NULL;
    if (model->entry.impedance == NULL)
        return PyErr_Format(PyExc_TypeError, "%s needs the inertia behind it: use resolve", model->entry.name);
    StiStatus status = STI_OK;
    if (take_arrays(&a, objects, 6, 4)) {
        const Py_ssize_t n = buffer_items(&a.buffer[0]);
        const bool good = have(&a, 1, n * model->signals) && have(&a, 2, n * model->memory) && have(&a, 3, n * model->discrete) &&
                          have(&a, 4, n) && have(&a, 5, n * model->memory);
        double *const *p = (double *[]){a.buffer[0].buf, a.buffer[1].buf, a.buffer[2].buf, a.buffer[3].buf, a.buffer[4].buf, a.buffer[5].buf};
        for (Py_ssize_t i = 0; good && i < n && status == STI_OK; ++i)
            status = evaluate(model, tau, p[0][i], p[1] + i * model->signals, p[2] + i * model->memory, p[3] + i * model->discrete,
                              &p[4][i], p[5] + i * model->memory);
    }
    release_arrays(&a);
    if (PyErr_Occurred()) return NULL;
    return status == STI_OK ? Py_NewRef(Py_None) : refuse(model, status);
}

// resolve(T, v, force, mass, signals, s, f, v_end): n masses, each for one step; s changes
static PyObject *model_resolve(PyObject *self, PyObject *arguments)
{
    ModelObject *model = (ModelObject *)self;
    PyObject *objects[7];
    double T;
    Arrays a = {0};
    if (!PyArg_ParseTuple(arguments, "dOOOOOOO", &T, &objects[0], &objects[1], &objects[2], &objects[3], &objects[4], &objects[5], &objects[6]))
        return NULL;
    if (model->entry.reaction == NULL) return PyErr_Format(PyExc_TypeError, "%s needs no inertia: use evaluate", model->entry.name);
    StiStatus status = STI_OK;
    if (take_arrays(&a, objects, 7, 4)) {
        const Py_ssize_t n = buffer_items(&a.buffer[0]);
        const bool good = have(&a, 1, n) && have(&a, 2, n) && have(&a, 3, n * model->signals) && have(&a, 4, n * model->discrete) &&
                          have(&a, 5, n) && have(&a, 6, n);
        double *const *p = (double *[]){a.buffer[0].buf, a.buffer[1].buf, a.buffer[2].buf, a.buffer[3].buf,
                                        a.buffer[4].buf, a.buffer[5].buf, a.buffer[6].buf};
        for (Py_ssize_t i = 0; good && i < n && status == STI_OK; ++i)
            status = resolve(model, T, p[2][i], p[0][i], p[1][i], p[3] + i * model->signals, p[4] + i * model->discrete, &p[5][i], &p[6][i]);
    }
    release_arrays(&a);
    if (PyErr_Occurred()) return NULL;
    return status == STI_OK ? Py_NewRef(Py_None) : refuse(model, status);
}

// ---- step by step --------------------------------------------------------------------------------
// step(T, v, load): the force, and the memory one step further
static PyObject *model_step(PyObject *self, PyObject *arguments)
{
    ModelObject *model = (ModelObject *)self;
    double T, v, load, f = 0.0;
    if (!PyArg_ParseTuple(arguments, "ddd", &T, &v, &load)) return NULL;
    if (model->entry.impedance == NULL)
        return PyErr_Format(PyExc_TypeError, "%s needs the inertia behind it: use step_mass", model->entry.name);
    if (model->signals > 0) model->signal[0] = load;
    if (model->moved) settle(model, T, v, model->signal, model->y, model->s);
    const StiStatus status = evaluate(model, T, v, model->signal, model->y, model->s, &f, model->ydot);
    if (status != STI_OK) return refuse(model, status);
    for (int i = 0; i < model->memory; ++i) model->y[i] += T * model->ydot[i];
    model->moved = true;
    return PyFloat_FromDouble(f);
}

// step_mass(T, v, force, mass, load): (resistance, velocity at the end of the step)
static PyObject *model_step_mass(PyObject *self, PyObject *arguments)
{
    ModelObject *model = (ModelObject *)self;
    double T, v, force, mass, load, f = 0.0, v_end = 0.0;
    if (!PyArg_ParseTuple(arguments, "ddddd", &T, &v, &force, &mass, &load)) return NULL;
    if (model->entry.reaction == NULL) return PyErr_Format(PyExc_TypeError, "%s needs no inertia: use step", model->entry.name);
    if (model->signals > 0) model->signal[0] = load;
    const StiStatus status = resolve(model, T, mass, v, force, model->signal, model->s, &f, &v_end);
    return status == STI_OK ? Py_BuildValue("(dd)", f, v_end) : refuse(model, status);
}

static PyObject *model_reset(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    start((ModelObject *)self);
    return Py_NewRef(Py_None);
}

static PyObject *model_state(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    ModelObject *model = (ModelObject *)self;
    return Py_BuildValue("(NN)", view_of(self, model->y, model->memory, 1, true), view_of(self, model->s, model->discrete, 1, true));
}

static PyObject *model_sizes(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    const ModelObject *model = (ModelObject *)self;
    return Py_BuildValue("(iiiO)", model->memory, model->discrete, model->signals, model->entry.reaction != NULL ? Py_True : Py_False);
}

// level(speed, direction, load, out): of the model's law
static PyObject *model_level(PyObject *self, PyObject *arguments)
{
    ModelObject *model = (ModelObject *)self;
    PyObject *objects[4];
    Arrays a = {0};
    const StiLaw *law = sti_kind_law(model->entry.info, model->parameters);
    if (!PyArg_ParseTuple(arguments, "OOOO", &objects[0], &objects[1], &objects[2], &objects[3])) return NULL;
    if (law == NULL) return PyErr_Format(PyExc_TypeError, "%s has no law", model->entry.name);
    if (take_arrays(&a, objects, 4, 3)) {
        const Py_ssize_t n = buffer_items(&a.buffer[0]);
        const bool good = have(&a, 1, n) && have(&a, 2, n) && have(&a, 3, n);
        const double *speed = a.buffer[0].buf, *direction = a.buffer[1].buf, *load = a.buffer[2].buf;
        for (Py_ssize_t i = 0; good && i < n; ++i)
            ((double *)a.buffer[3].buf)[i] = sti_law_level(law, speed[i], direction[i], &load[i]);
    }
    release_arrays(&a);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

static PyMethodDef methods[] = {
    {"evaluate", model_evaluate, METH_VARARGS, "Forces and rates of arrays of velocities and memories."},
    {"resolve", model_resolve, METH_VARARGS, "Resistances and new velocities of arrays of masses."},
    {"step", model_step, METH_VARARGS, "The force at a velocity; the memory goes one step further."},
    {"step_mass", model_step_mass, METH_VARARGS, "Resistance on a mass over one step, and its new velocity."},
    {"reset", model_reset, METH_NOARGS, "Back to the start, unloaded."},
    {"state", model_state, METH_NOARGS, "Views of memory and discrete values of the stepping form."},
    {"sizes", model_sizes, METH_NOARGS, "(memory, discrete, signals, is a reaction)"},
    {"level", model_level, METH_VARARGS, "Levels of the model's law at arrays of speeds."},
    {NULL, NULL, 0, NULL}};

bool model_ready(PyObject *module)
{
    static PyType_Slot slots[] = {{Py_tp_doc, "A friction model with its numbers: Model(name, law, numbers, numbers of the law)."},
                                  {Py_tp_new, model_new},
                                  {Py_tp_dealloc, model_dealloc},
                                  {Py_tp_methods, methods},
                                  {0, NULL}};
    static PyType_Spec spec = {.name = "stiction._core.Model", .basicsize = sizeof(ModelObject), .flags = Py_TPFLAGS_DEFAULT, .slots = slots};
    model_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return model_type != NULL && PyModule_AddObjectRef(module, "Model", (PyObject *)model_type) == 0;
}
