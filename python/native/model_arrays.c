// Friction models of many velocities at once.
#include "model.h"

typedef struct Arrays {
    Py_buffer buffer[8];
    int taken;
} Arrays;

static bool take_arrays(Arrays *arrays, PyObject **objects, int count, int writable_from)
{
    for (; arrays->taken < count; ++arrays->taken)
        if (!take_buffer(objects[arrays->taken], &arrays->buffer[arrays->taken], 'd',
                         sizeof(double), arrays->taken >= writable_from, "arrays of a model"))
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
PyObject *model_evaluate_arrays(PyObject *self, PyObject *arguments)
{
    ModelObject *model = (ModelObject *)self;
    PyObject *objects[6];
    double tau;
    Arrays a = {0};
    if (!PyArg_ParseTuple(arguments, "dOOOOOO", &tau, &objects[0], &objects[1], &objects[2],
                          &objects[3], &objects[4], &objects[5]))
        return NULL;
    if (model->entry.impedance == NULL)
        return PyErr_Format(PyExc_TypeError, "%s needs the inertia behind it: use resolve",
                            model->entry.name);
    StiStatus status = STI_OK;
    if (take_arrays(&a, objects, 6, 4)) {
        const Py_ssize_t n = buffer_items(&a.buffer[0]);
        const bool good = have(&a, 1, n * model->signals) && have(&a, 2, n * model->memory) &&
                          have(&a, 3, n * model->discrete) && have(&a, 4, n) &&
                          have(&a, 5, n * model->memory);
        double *const *p = (double *[]){a.buffer[0].buf, a.buffer[1].buf, a.buffer[2].buf,
                                        a.buffer[3].buf, a.buffer[4].buf, a.buffer[5].buf};
        for (Py_ssize_t i = 0; good && i < n && status == STI_OK; ++i)
            status = model_evaluate(model, tau, p[0][i], p[1] + i * model->signals,
                                    p[2] + i * model->memory, p[3] + i * model->discrete, &p[4][i],
                                    p[5] + i * model->memory);
    }
    release_arrays(&a);
    if (PyErr_Occurred()) return NULL;
    return status == STI_OK ? Py_NewRef(Py_None) : model_refuse(model, status);
}

// resolve(T, v, force, mass, signals, s, f, v_end): n masses, each for one step; s changes
PyObject *model_resolve_arrays(PyObject *self, PyObject *arguments)
{
    ModelObject *model = (ModelObject *)self;
    PyObject *objects[7];
    double T;
    Arrays a = {0};
    if (!PyArg_ParseTuple(arguments, "dOOOOOOO", &T, &objects[0], &objects[1], &objects[2],
                          &objects[3], &objects[4], &objects[5], &objects[6]))
        return NULL;
    if (model->entry.reaction == NULL)
        return PyErr_Format(PyExc_TypeError, "%s needs no inertia: use evaluate",
                            model->entry.name);
    StiStatus status = STI_OK;
    if (take_arrays(&a, objects, 7, 4)) {
        const Py_ssize_t n = buffer_items(&a.buffer[0]);
        const bool good = have(&a, 1, n) && have(&a, 2, n) && have(&a, 3, n * model->signals) &&
                          have(&a, 4, n * model->discrete) && have(&a, 5, n) && have(&a, 6, n);
        double *const *p =
            (double *[]){a.buffer[0].buf, a.buffer[1].buf, a.buffer[2].buf, a.buffer[3].buf,
                         a.buffer[4].buf, a.buffer[5].buf, a.buffer[6].buf};
        for (Py_ssize_t i = 0; good && i < n && status == STI_OK; ++i)
            status = model_resolve(model, T, p[2][i], p[0][i], p[1][i], p[3] + i * model->signals,
                                   p[4] + i * model->discrete, &p[5][i], &p[6][i]);
    }
    release_arrays(&a);
    if (PyErr_Occurred()) return NULL;
    return status == STI_OK ? Py_NewRef(Py_None) : model_refuse(model, status);
}

// level(speed, direction, load, out): of the model's law
PyObject *model_level_array(PyObject *self, PyObject *arguments)
{
    ModelObject *model = (ModelObject *)self;
    PyObject *objects[4];
    Arrays a = {0};
    const StiLaw *law = sti_kind_law(model->entry.info, model->parameters);
    if (!PyArg_ParseTuple(arguments, "OOOO", &objects[0], &objects[1], &objects[2], &objects[3]))
        return NULL;
    if (law == NULL) return PyErr_Format(PyExc_TypeError, "%s has no law", model->entry.name);
    if (take_arrays(&a, objects, 4, 3)) {
        const Py_ssize_t n = buffer_items(&a.buffer[0]);
        const bool good = have(&a, 1, n) && have(&a, 2, n) && have(&a, 3, n);
        const double *speed = a.buffer[0].buf, *direction = a.buffer[1].buf,
                     *load = a.buffer[2].buf;
        for (Py_ssize_t i = 0; good && i < n; ++i)
            ((double *)a.buffer[3].buf)[i] = sti_law_level(law, speed[i], direction[i], &load[i]);
    }
    release_arrays(&a);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}
