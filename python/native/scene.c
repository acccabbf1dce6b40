// Scenes and networks: what a scene file became, with all names.
#include "native.h"

#include <stdio.h>
#include <stdlib.h>

PyTypeObject *scene_type, *network_type;

static PyObject *severity_text(StiSeverity severity)
{
    return PyUnicode_FromString(severity == STI_ERROR     ? "error"
                                : severity == STI_WARNING ? "warning"
                                                          : "note");
}

PyObject *messages_tuple(const StiMessages *messages)
{
    const int count = sti_messages_count(messages);
    PyObject *tuple = PyTuple_New(count);
    for (int i = 0; tuple != NULL && i < count; ++i) {
        const StiMessage *m = sti_messages_at(messages, i);
        PyObject *one = Py_BuildValue("(Nsiis)", severity_text(m->severity),
                                      m->file != NULL ? m->file : "", m->line, m->column, m->text);
        if (one == NULL || PyTuple_SetItem(tuple, i, one) != 0) Py_CLEAR(tuple);
    }
    return tuple;
}

typedef struct SceneRequest {
    const char *path, *text, *variant, *confine;
    Py_ssize_t length;
    const char **sets;
    int set_count;
} SceneRequest;

static StiScene *read_scene(const SceneRequest *r, StiMessages *messages)
{
    const StiSceneOptions options = {.sets = r->sets,
                                     .set_count = r->set_count,
                                     .variant = r->variant,
                                     .confine = r->confine};
    StiScene *scene;
    Py_BEGIN_ALLOW_THREADS scene =
        r->text != NULL ? sti_scene_read(r->text, (size_t)r->length, r->path, &options, messages)
                        : sti_scene_load(r->path, &options, messages);
    Py_END_ALLOW_THREADS return scene;
}

// Scene(path, text or None, sets, variant or None, confine or None)
static PyObject *scene_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    SceneRequest r = {0};
    PyObject *sets;
    if (keywords != NULL && PyDict_Size(keywords) > 0)
        return PyErr_Format(PyExc_TypeError, "_core.Scene takes no keyword arguments");
    if (!PyArg_ParseTuple(arguments, "sz#Ozz", &r.path, &r.text, &r.length, &sets, &r.variant,
                          &r.confine))
        return NULL;
    if (!take_words(sets, &r.sets, &r.set_count, "sets")) return NULL;
    StiMessages *messages = sti_messages_create();
    StiScene *scene = messages != NULL ? read_scene(&r, messages) : NULL;
    PyMem_Free(r.sets);
    PyObject *said = messages != NULL ? messages_tuple(messages) : PyErr_NoMemory();
    sti_messages_destroy(messages);
    if (said == NULL) {
        sti_scene_destroy(scene);
        return NULL;
    }
    if (scene == NULL) return raise_own("SceneError", Py_BuildValue("(N)", said));
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    SceneObject *self = (SceneObject *)allocate(type, 0);
    if (self == NULL) {
        sti_scene_destroy(scene);
        Py_DECREF(said);
        return NULL;
    }
    self->scene = scene;
    self->messages = said;
    pthread_mutex_init(&self->plan, NULL);
    return (PyObject *)self;
}

static void scene_dealloc(PyObject *self)
{
    SceneObject *scene = (SceneObject *)self;
    PyTypeObject *type = Py_TYPE(self);
    sti_scene_destroy(scene->scene);
    Py_XDECREF(scene->messages);
    pthread_mutex_destroy(&scene->plan);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyObject *text_or_none(const char *text) { return Py_BuildValue("z", text); }

static PyObject *scene_facts(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    const StiScene *s = ((SceneObject *)self)->scene;
    PyObject *record = PyTuple_New(s->record_count);
    for (int i = 0; record != NULL && i < s->record_count; ++i)
        if (PyTuple_SetItem(record, i, PyUnicode_FromString(s->record[i])) != 0) Py_CLEAR(record);
    if (record == NULL) return NULL;
    const StiMethod *method = sti_network_method(s->network);
    const char *adaptive = s->adaptive == NULL           ? NULL
                           : s->adaptive->method != NULL ? s->adaptive->method
                                                         : "dormand-prince";
    return Py_BuildValue("{s:N,s:N,s:N,s:d,s:d,s:d,s:L,s:i,s:s,s:N,s:N,s:K}", "path",
                         text_or_none(s->path), "title", text_or_none(s->title), "description",
                         text_or_none(s->description), "start", s->start, "stop", s->stop, "step",
                         sti_network_step(s->network), "steps", (long long)s->steps, "every",
                         s->every, "method", adaptive != NULL ? adaptive : method->name,
                         "why_method", text_or_none(s->why_method), "record", record, "fingerprint",
                         (unsigned long long)s->fingerprint);
}

static PyObject *scene_channels(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    const StiNetwork *network = ((SceneObject *)self)->scene->network;
    PyObject *all = PyDict_New();
    StiChannel channel;
    for (int i = 0; all != NULL && sti_network_channel(network, i, &channel); ++i) {
        PyObject *one = Py_BuildValue("(is)", i, channel.unit);
        if (one == NULL || PyDict_SetItemString(all, channel.name, one) != 0) Py_CLEAR(all);
        Py_XDECREF(one);
    }
    return all;
}

static PyObject *scene_components(PyObject *self, PyObject *nothing)
{
    static const char *const roles[] = {"body", "impedance", "reaction", "contact"};
    (void)nothing;
    const StiNetwork *network = ((SceneObject *)self)->scene->network;
    PyObject *all = PyList_New(0);
    StiComponent c;
    for (int i = 0; all != NULL && sti_network_component(network, i, &c); ++i) {
        PyObject *one = Py_BuildValue("(sssiiii)", c.name, roles[c.role], c.kind, c.positions,
                                      c.velocities, c.memory, c.discrete);
        if (one == NULL || PyList_Append(all, one) != 0) Py_CLEAR(all);
        Py_XDECREF(one);
    }
    return all;
}

static PyObject *scene_parameters(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    SceneObject *scene = (SceneObject *)self;
    const StiPlan *plan = scene->scene->plan;
    PyObject *all = PyDict_New();
    StiParameter p;
    pthread_mutex_lock(&scene->plan); // held shortly, and never while waiting for the interpreter
    for (int i = 0; all != NULL && sti_plan_parameter(plan, i, &p); ++i) {
        PyObject *one = Py_BuildValue("(dzz)", p.value, p.unit, p.meaning);
        if (one == NULL || PyDict_SetItemString(all, p.path, one) != 0) Py_CLEAR(all);
        Py_XDECREF(one);
    }
    pthread_mutex_unlock(&scene->plan);
    return all;
}

// Names of the inputs that are set from outside, with the place of their value.
static PyObject *scene_inputs(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    const StiNetwork *network = ((SceneObject *)self)->scene->network;
    PyObject *all = PyDict_New();
    StiChannel channel;
    for (int i = 0; all != NULL && sti_network_channel(network, i, &channel); ++i) {
        const int place = sti_network_input(network, channel.name);
        if (place < 0) continue;
        PyObject *one = Py_BuildValue("(is)", place, channel.unit);
        if (one == NULL || PyDict_SetItemString(all, channel.name, one) != 0) Py_CLEAR(all);
        Py_XDECREF(one);
    }
    return all;
}

static PyObject *network_object(SceneObject *scene, StiNetwork *network, bool own)
{
    NetworkObject *object = PyObject_New(NetworkObject, network_type);
    if (object == NULL) {
        if (own) sti_network_destroy(network);
        return NULL;
    }
    Py_INCREF((PyObject *)scene);
    object->scene = scene;
    object->network = network;
    object->own = own;
    return (PyObject *)object;
}

StiNetwork *scene_compile(SceneObject *scene, const char **paths, const double *values, int count,
                          char *text, size_t size)
{
    StiPlan *plan = scene->scene->plan;
    StiNetwork *network = NULL;
    double *before = calloc((size_t)count + 1, sizeof *before);
    pthread_mutex_lock(&scene->plan);
    int set = 0;
    bool good = before != NULL;
    for (; good && set < count; ++set) {
        good = sti_plan_get(plan, paths[set], &before[set]) == STI_OK &&
               sti_plan_set(plan, paths[set], values[set]) == STI_OK;
        if (!good) snprintf(text, size, "there is no parameter '%s'", paths[set]);
    }
    if (good && sti_plan_compile(plan, NULL, &network) != STI_OK) {
        const StiReport *report = sti_plan_findings(plan);
        snprintf(text, size, "the scene does not compile with these numbers");
        for (int i = 0; i < sti_report_count(report); ++i) {
            const StiFinding *f = sti_report_finding(report, i);
            if (f->severity != STI_ERROR) continue;
            snprintf(text, size, "%s%s%s: %s", f->component, f->parameter[0] != '\0' ? "." : "",
                     f->parameter, f->text);
            break;
        }
    }
    while (set-- > 0) sti_plan_set(plan, paths[set], before[set]);
    pthread_mutex_unlock(&scene->plan);
    free(before);
    return network;
}

// network(paths, values): the scene's own without any, else one with other numbers.
static PyObject *scene_network(PyObject *self, PyObject *arguments)
{
    SceneObject *scene = (SceneObject *)self;
    PyObject *list, *numbers;
    const char **paths;
    int count;
    Py_buffer values;
    char text[512] = "out of memory";
    if (!PyArg_ParseTuple(arguments, "OO", &list, &numbers)) return NULL;
    if (!take_words(list, &paths, &count, "paths")) return NULL;
    if (count == 0) {
        PyMem_Free(paths);
        return network_object(scene, scene->scene->network, false);
    }
    if (!take_buffer(numbers, &values, 'd', sizeof(double), false, "values")) {
        PyMem_Free(paths);
        return NULL;
    }
    StiNetwork *network = NULL;
    if (buffer_items(&values) == count) {
        Py_BEGIN_ALLOW_THREADS network =
            scene_compile(scene, paths, values.buf, count, text, sizeof text);
        Py_END_ALLOW_THREADS
    } else {
        snprintf(text, sizeof text, "as many values as paths are needed");
    }
    PyBuffer_Release(&values);
    PyMem_Free(paths);
    if (network == NULL) return PyErr_Format(PyExc_ValueError, "%s", text);
    return network_object(scene, network, true);
}

static void network_dealloc(PyObject *self)
{
    NetworkObject *network = (NetworkObject *)self;
    PyTypeObject *type = Py_TYPE(self);
    if (network->own) sti_network_destroy(network->network);
    Py_XDECREF((PyObject *)network->scene);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyObject *scene_messages(PyObject *self, PyObject *nothing)
{
    (void)nothing;
    return Py_NewRef(((SceneObject *)self)->messages);
}

static PyMethodDef scene_methods[] = {
    {"facts", scene_facts, METH_NOARGS,
     "Title, times, step, method and what is recorded, as a dict."},
    {"channels", scene_channels, METH_NOARGS, "All channels: name to (number, unit)."},
    {"components", scene_components, METH_NOARGS,
     "(name, role, kind, positions, velocities, memory, discrete) of all."},
    {"parameters", scene_parameters, METH_NOARGS,
     "Addressable parameters: path to (value, unit, meaning)."},
    {"inputs", scene_inputs, METH_NOARGS, "Inputs set from outside: name to (place, unit)."},
    {"messages", scene_messages, METH_NOARGS,
     "Notes and warnings of reading: (severity, file, line, column, text)."},
    {"network", scene_network, METH_VARARGS, "The network with other numbers at these paths."},
    {NULL, NULL, 0, NULL}};

bool scene_ready(PyObject *module)
{
    static PyType_Slot slots[] = {
        {Py_tp_doc, "A scene that was read: Scene(path, text, sets, variant, confine)."},
        {Py_tp_new, scene_new},
        {Py_tp_dealloc, scene_dealloc},
        {Py_tp_methods, scene_methods},
        {0, NULL}};
    static PyType_Spec spec = {.name = "stiction._core.Scene",
                               .basicsize = sizeof(SceneObject),
                               .flags = Py_TPFLAGS_DEFAULT,
                               .slots = slots};
    static PyType_Slot network_slots[] = {
        {Py_tp_doc, "A compiled scene; shared by any number of Sims and threads."},
        {Py_tp_dealloc, network_dealloc},
        {0, NULL}};
    static PyType_Spec network_spec = {.name = "stiction._core.Network",
                                       .basicsize = sizeof(NetworkObject),
                                       .flags =
                                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                       .slots = network_slots};
    scene_type = (PyTypeObject *)PyType_FromSpec(&spec);
    network_type = (PyTypeObject *)PyType_FromSpec(&network_spec);
    return scene_type != NULL && network_type != NULL &&
           PyModule_AddObjectRef(module, "Scene", (PyObject *)scene_type) == 0 &&
           PyModule_AddObjectRef(module, "Network", (PyObject *)network_type) == 0;
}
