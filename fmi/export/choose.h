// Private: which inputs, channels and parameters of a scene become variables of its FMU.
#ifndef STICTION_FMI_CHOOSE_H
#define STICTION_FMI_CHOOSE_H

#include "export/export.h"
#include "export/text.h"

// Lines of resources/stiction.txt, without token and scene. False after a message: a name or pattern that fits nothing.
bool choose_variables(const StiScene *scene, const FmuOptions *options, FmuText *lines,
                      StiMessages *messages);

#endif
