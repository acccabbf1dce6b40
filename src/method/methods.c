// The registry of methods with a fixed step: one line each. Where stage r+1 of a method uses only slope r,
// tau_r is the time to that stage.                                                       [modular] (21)
#include "stiction/method.h"

#include <string.h>

const StiMethod *const sti_methods[] = {
    &sti_method_euler,
    &sti_method_symplectic_euler,
    &sti_method_heun,
    &sti_method_rk4,
    &sti_method_gill,
    &sti_method_rule,
    &sti_method_cut,
    &sti_method_ark4,
    &sti_method_ark3,
    &sti_method_rk4_split,
    NULL,
};

const StiMethod *sti_method_find(const char *name)
{
    for (int i = 0; sti_methods[i] != NULL; ++i)
        if (strcmp(sti_methods[i]->name, name) == 0) return sti_methods[i];
    return NULL;
}
