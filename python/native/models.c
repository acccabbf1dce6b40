// Friction models without a network, step by step as a controller calls them.
#include "model.h"

#include <stdlib.h>

static PyTypeObject *model_type;

StiStatus model_evaluate(const ModelObject *model, double tau, double v, const double *signals,
                         const double *y, const double *s, double *f, double *ydot)
{
    const double x = 0.0;
    const StiStage stage = {.tau = tau, .step = tau};
    const StiMotion motion = {.x = &x, .v = &v, .signals = signals};
    return model->entry.impedance->eval(model->parameters, &stage, &motion, y, s, f, ydot);
}

static void settle(const ModelObject *model, double tau, double v, const double *signals,
                   const double *y, double *s)
{
    const double x = 0.0;
    const StiStage stage = {.tau = tau, .step = tau};
    const StiMotion motion = {.x = &x, .v = &v, .signals = signals};
    if (model->entry.impedance->settle != NULL)
        model->entry.impedance->settle(model->parameters, &stage, &motion, y, s);
}

StiStatus model_resolve(const ModelObject *model, double T, double mass, double v, double force,
                        const double *signals, double *s, double *r, double *v_end)
{
    const StiReactionKind *kind = model->entry.reaction;
    const double W = 1.0 / mass, vbar = v + T * W * force;
    const StiReactionProblem problem = {
        .dim = 1, .T = T, .W = &W, .v = &v, .vbar = &vbar, .signals = signals};
    StiReactionAnswer answer = {0};
    StiStatus status = kind->resolve(model->parameters, &problem, s, &answer);
    if (status == STI_OK && kind->release != NULL && answer.ratio > 1.0 &&
        kind->release(model->parameters, &answer, s))
        status = kind->resolve(model->parameters, &problem, s, &answer);
    *v_end = answer.stuck ? 0.0 : vbar - T * W * answer.r[0];
    if (status == STI_OK && kind->arrest != NULL && kind->arrest(model->parameters, &v, v_end, s)) {
        status = kind->resolve(model->parameters, &problem, s, &answer);
        *v_end = answer.stuck ? 0.0 : vbar - T * W * answer.r[0];
    }
    if (status == STI_OK && kind->settle != NULL)
        kind->settle(model->parameters, &problem, &answer, s);
    *r = answer.r[0];
    return status;
}

PyObject *model_refuse(const ModelObject *model, StiStatus status)
{
    return raise_own("StepError", Py_BuildValue("(isssdL)", (int)status, sti_status_text(status),
                                                model->entry.name, "", 0.0, 0LL));
}

// Model(name, law, numbers, numbers of the law)
static PyObject *model_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    const char *name, *law;
    PyObject *given, *law_given;
    (void)keywords;
    if (!PyArg_ParseTuple(arguments, "ssO!O!", &name, &law, &PyDict_Type, &given, &PyDict_Type,
                          &law_given))
        return NULL;
    ModelObject *model = (ModelObject *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (model == NULL) return NULL;
    if (!sti_registry_find(STI_ROLE_FRICTION, name, &model->entry) || model->entry.info == NULL)
        PyErr_Format(PyExc_ValueError, "there is no friction model '%s'", name);
    else if (model_fill(model, law, given, law_given))
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

// step(T, v, load): the force, and the memory one step further
static PyObject *model_step(PyObject *self, PyObject *arguments)
{
    ModelObject *model = (ModelObject *)self;
    double T, v, load, f = 0.0;
    if (!PyArg_ParseTuple(arguments, "ddd", &T, &v, &load)) return NULL;
    if (model->entry.impedance == NULL)
        return PyErr_Format(PyExc_TypeError, "%s needs the inertia behind it: use step_mass",
                            model->entry.name);
    if (model->signals > 0) model->signal[0] = load;
    if (model->moved) settle(model, T, v, model->signal, model->y, model->s);
    const StiStatus status =
        model_evaluate(model, T, v, model->signal, model->y, model->s, &f, model->ydot);
    if (status != STI_OK) return model_refuse(model, status);
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
    if (model->entry.reaction == NULL)
        return PyErr_Format(PyExc_TypeError, "%s needs no inertia: use step", model->entry.name);
    if (model->signals > 0) model->signal[0] = load;
    const StiStatus status =
        model_resolve(model, T, mass, v, force, model->signal, model->s, &f, &v_end);
    return status == STI_OK ? Py_BuildValue("(dd)", f, v_end) : model_refuse(model, status);
}

static PyObject *model_reset(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    model_start((ModelObject *)self);
    return Py_NewRef(Py_None);
}

static PyObject *model_state(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    ModelObject *model = (ModelObject *)self;
    return Py_BuildValue("(NN)", view_of(self, model->y, model->memory, 1, true),
                         view_of(self, model->s, model->discrete, 1, true));
}

static PyObject *model_sizes(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    const ModelObject *model = (ModelObject *)self;
    return Py_BuildValue("(iiiO)", model->memory, model->discrete, model->signals,
                         model->entry.reaction != NULL ? Py_True : Py_False);
}

static PyMethodDef methods[] = {{"evaluate", model_evaluate_arrays, METH_VARARGS,
                                 "Forces and rates of arrays of velocities and memories."},
                                {"resolve", model_resolve_arrays, METH_VARARGS,
                                 "Resistances and new velocities of arrays of masses."},
                                {"step", model_step, METH_VARARGS,
                                 "The force at a velocity; the memory goes one step further."},
                                {"step_mass", model_step_mass, METH_VARARGS,
                                 "Resistance on a mass over one step, and its new velocity."},
                                {"reset", model_reset, METH_NOARGS, "Back to the start, unloaded."},
                                {"state", model_state, METH_NOARGS,
                                 "Views of memory and discrete values of the stepping form."},
                                {"sizes", model_sizes, METH_NOARGS,
                                 "(memory, discrete, signals, is a reaction)"},
                                {"level", model_level_array, METH_VARARGS,
                                 "Levels of the model's law at arrays of speeds."},
                                {NULL, NULL, 0, NULL}};

bool model_ready(PyObject *module)
{
    static PyType_Slot slots[] = {
        {Py_tp_doc,
         "A friction model with its numbers: Model(name, law, numbers, numbers of the law)."},
        {Py_tp_new, model_new},
        {Py_tp_dealloc, model_dealloc},
        {Py_tp_methods, methods},
        {0, NULL}};
    static PyType_Spec spec = {.name = "stiction._core.Model",
                               .basicsize = sizeof(ModelObject),
                               .flags = Py_TPFLAGS_DEFAULT,
                               .slots = slots};
    model_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return model_type != NULL &&
           PyModule_AddObjectRef(module, "Model", (PyObject *)model_type) == 0;
}
