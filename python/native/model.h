// Private: a friction model with its numbers, without a network.
#ifndef STICTION_PYTHON_MODEL_H
#define STICTION_PYTHON_MODEL_H

#include "native.h"

typedef struct ModelObject {
    PyObject_HEAD StiEntry entry;
    void *parameters;
    void **owned; // arrays that the parameters point to
    int owned_count;
    bool listed; // a list has said how many elements there are
    bool moved;  // a step was taken: modes follow from the next velocity
    int memory, discrete, signals;
    double *y, *ydot, *s, *signal; // of the stepping form
} ModelObject;

// Numbers from keyword arguments, checked; and the start. false after an exception.
bool model_fill(ModelObject *model, const char *law, PyObject *given, PyObject *law_given);
void model_start(ModelObject *model);

// One evaluation of a model with a memory.
StiStatus model_evaluate(const ModelObject *model, double tau, double v, const double *signals,
                         const double *y, const double *s, double *f, double *ydot);
// A mass for one step T: resistance, and the velocity at its end. s: in and out, as when a step is
// accepted.
StiStatus model_resolve(const ModelObject *model, double T, double mass, double v, double force,
                        const double *signals, double *s, double *r, double *v_end);
// An exception that names the model; returns NULL.
PyObject *model_refuse(const ModelObject *model, StiStatus status);

// Methods for arrays.
PyObject *model_evaluate_arrays(PyObject *self, PyObject *arguments);
PyObject *model_resolve_arrays(PyObject *self, PyObject *arguments);
PyObject *model_level_array(PyObject *self, PyObject *arguments);

#endif
