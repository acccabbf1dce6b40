// Friction models and laws as the registry has them: names, explanations, fields with units.
#include "native.h"

static PyObject *fields_of(const StiEntry *entry)
{
    static const char *const types[] = {"number", "axes",  "numbers", "law",
                                        "parts",  "count", "switch"};
    PyObject *all = PyList_New(0);
    for (int i = 0; all != NULL && i < entry->field_count; ++i) {
        const StiField *f = &entry->fields[i];
        PyObject *one = Py_BuildValue("(sssdsO)", f->name, f->unit != NULL ? f->unit : "",
                                      f->meaning != NULL ? f->meaning : "", f->usual,
                                      types[f->type], f->asks ? Py_True : Py_False);
        if (one == NULL || PyList_Append(all, one) != 0) Py_CLEAR(all);
        Py_XDECREF(one);
    }
    return all;
}

static PyObject *entries_of(StiKindRole role)
{
    PyObject *all = PyList_New(0);
    StiEntry entry;
    for (int i = 0; all != NULL && sti_registry_at(role, i, &entry); ++i) {
        const StiExplanation *e = entry.explanation;
        PyObject *one = Py_BuildValue("(sssssOON)", entry.name, entry.summary,
                                      e != NULL && e->equations != NULL ? e->equations : "",
                                      e != NULL && e->use != NULL ? e->use : "",
                                      e != NULL && e->source != NULL ? e->source : "",
                                      entry.reaction != NULL ? Py_True : Py_False,
                                      entry.holds ? Py_True : Py_False, fields_of(&entry));
        if (one == NULL || PyList_Append(all, one) != 0) Py_CLEAR(all);
        Py_XDECREF(one);
    }
    return all;
}

PyObject *module_models(PyObject *module, PyObject *nothing)
{
    (void)module;
    (void)nothing;
    return entries_of(STI_ROLE_FRICTION);
}

PyObject *module_laws(PyObject *module, PyObject *nothing)
{
    (void)module;
    (void)nothing;
    return entries_of(STI_ROLE_LAW);
}
