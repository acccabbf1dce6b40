// Arrays through the buffer protocol: views of our memory, and what callers hand in.
#include "native.h"

#include <string.h>

typedef struct ViewObject {
    PyObject_HEAD PyObject *owner;
    double *numbers;
    Py_ssize_t shape[1], strides[1];
    int ndim;
    bool writable;
} ViewObject;

PyTypeObject *view_type;

PyObject *view_of(PyObject *owner, double *numbers, Py_ssize_t count, int ndim, bool writable)
{
    ViewObject *view = PyObject_New(ViewObject, view_type);
    if (view == NULL) return NULL;
    Py_INCREF(owner);
    view->owner = owner;
    view->numbers = numbers;
    view->shape[0] = count;
    view->strides[0] = sizeof(double);
    view->ndim = ndim;
    view->writable = writable;
    return (PyObject *)view;
}

static void view_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(((ViewObject *)self)->owner);
    PyObject_Free(self);
    Py_DECREF(type);
}

static int view_getbuffer(PyObject *self, Py_buffer *buffer, int flags)
{
    static char format[] = "d";
    ViewObject *view = (ViewObject *)self;
    buffer->obj = NULL;
    if ((flags & PyBUF_WRITABLE) != 0 && !view->writable) {
        PyErr_SetString(PyExc_BufferError, "this channel is computed: it can be read, not written");
        return -1;
    }
    Py_INCREF(self);
    *buffer = (Py_buffer){.buf = view->numbers,
                          .obj = self,
                          .len = view->shape[0] * (Py_ssize_t)sizeof(double),
                          .itemsize = sizeof(double),
                          .readonly = !view->writable,
                          .ndim = view->ndim,
                          .format = (flags & PyBUF_FORMAT) != 0 ? format : NULL,
                          .shape = view->ndim > 0 && (flags & PyBUF_ND) != 0 ? view->shape : NULL,
                          .strides = view->ndim > 0 && (flags & PyBUF_STRIDES) == PyBUF_STRIDES
                                         ? view->strides
                                         : NULL};
    return 0;
}

bool view_ready(PyObject *module)
{
    static PyType_Slot slots[] = {{Py_tp_doc, "Numbers of a Sim, seen through the buffer protocol. "
                                              "numpy.asarray(view) is an array over them."},
                                  {Py_tp_dealloc, view_dealloc},
                                  {Py_bf_getbuffer, view_getbuffer},
                                  {0, NULL}};
    static PyType_Spec spec = {.name = "stiction._core.View",
                               .basicsize = sizeof(ViewObject),
                               .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                               .slots = slots};
    view_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return view_type != NULL && PyModule_AddObjectRef(module, "View", (PyObject *)view_type) == 0;
}

Py_ssize_t buffer_items(const Py_buffer *buffer) { return buffer->len / buffer->itemsize; }

bool take_buffer(PyObject *object, Py_buffer *buffer, char format, size_t item, bool writable,
                 const char *what)
{
    const int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(object, buffer, flags) != 0) return false;
    const char *given = buffer->format != NULL ? buffer->format : "B";
    if (given[0] == format && given[1] == '\0' && buffer->itemsize == (Py_ssize_t)item) return true;
    PyErr_Format(PyExc_TypeError, "%s: an array of '%c' is needed, this one has '%s'", what, format,
                 given);
    PyBuffer_Release(buffer);
    return false;
}

bool take_words(PyObject *list, const char ***words, int *count, const char *what)
{
    const Py_ssize_t size = PySequence_Check(list) ? PySequence_Size(list) : -1;
    *words = NULL;
    *count = 0;
    if (size < 0 || !(PyList_Check(list) || PyTuple_Check(list))) {
        PyErr_Format(PyExc_TypeError, "%s: a list of str is needed", what);
        return false;
    }
    *words = PyMem_Malloc(((size_t)size + 1) * sizeof **words);
    if (*words == NULL) return PyErr_NoMemory() != NULL;
    for (Py_ssize_t i = 0; i < size; ++i) {
        PyObject *word = PyList_Check(list) ? PyList_GetItem(list, i) : PyTuple_GetItem(list, i);
        Py_ssize_t length = 0;
        (*words)[i] =
            word != NULL && PyUnicode_Check(word) ? PyUnicode_AsUTF8AndSize(word, &length) : NULL;
        if ((*words)[i] != NULL && strlen((*words)[i]) == (size_t)length) continue;
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_TypeError, "%s: a list of str without zeros is needed", what);
        PyMem_Free(*words);
        *words = NULL;
        return false;
    }
    *count = (int)size;
    return true;
}
