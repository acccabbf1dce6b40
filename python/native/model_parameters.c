// Parameters of a friction model and its law, from keyword arguments.
#include "model.h"

#include <stdlib.h>
#include <string.h>

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
    for (int i = 0; i < *count && !PyErr_Occurred(); ++i)
        numbers[i] = PyFloat_AsDouble(PyTuple_GetItem(all, i));
    Py_DECREF(all);
    return PyErr_Occurred() ? NULL : numbers;
}

// Lists of one bank are equally long: the first one says how many elements there are.
static bool same_count(ModelObject *model, const StiField *field, int count)
{
    int *elements = (int *)((char *)model->parameters + field->count_offset);
    if (model->listed && count != *elements) {
        PyErr_Format(PyExc_ValueError, "%s: %d numbers, where other lists have %d", field->name,
                     count, *elements);
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
        if (list == NULL && !PyErr_Occurred())
            PyErr_Format(PyExc_ValueError, "%s: one number for each element is needed",
                         field->name);
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
            PyErr_Format(PyExc_ValueError, "%s%s%s: %s", f->component,
                         f->parameter[0] != '\0' ? "." : "", f->parameter, f->text);
    }
    sti_report_destroy(report);
    return !PyErr_Occurred();
}

void model_start(ModelObject *model)
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
    model->y =
        calloc(2 * memory + (size_t)model->discrete + (size_t)model->signals + 2, sizeof *model->y);
    if (model->y == NULL) return PyErr_NoMemory() != NULL;
    model->ydot = model->y + memory;
    model->s = model->ydot + memory;
    model->signal = model->s + model->discrete + 1;
    model_start(model);
    return true;
}

bool model_fill(ModelObject *model, const char *law, PyObject *given, PyObject *law_given)
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
    return set_fields(model, given) && complete_lists(model) && is_sound(model) &&
           take_sizes(model);
}
