#include "adaptive/ode.h"

#include <stdlib.h>
#include <string.h>

const OdeMethod *ode_method_at(int number)
{
    if (number == 0) return &ode_method_ode23;
    --number;
    for (const OdeMethod *m = ode_methods_arkode; m->name != NULL; ++m)
        if (number-- == 0) return m;
    for (const OdeMethod *m = ode_methods_cvode; m->name != NULL; ++m)
        if (number-- == 0) return m;
    return NULL;
}

const OdeMethod *ode_method_find(const char *name)
{
    const OdeMethod *method = NULL;
    for (int i = 0; (method = ode_method_at(i)) != NULL; ++i)
        if (strcmp(method->name, name) == 0) break;
    return method;
}

OdeSolver *ode_create(const OdeMethod *method, const Ode *ode, const OdeOptions *options)
{
    OdeSolver *solver = calloc(1, sizeof *solver);
    if (solver == NULL) return NULL;
    *solver = (OdeSolver){.method = method, .ode = ode, .options = *options};
    if (solver->options.longest_step <= 0.0) solver->options.longest_step = options->span / 10.0;
    if (method->create(solver)) return solver;
    ode_destroy(solver);
    return NULL;
}

void ode_destroy(OdeSolver *solver)
{
    if (solver == NULL) return;
    solver->method->destroy(solver);
    free(solver);
}
