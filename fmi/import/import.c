#include "import/import.h"

#include <dlfcn.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/foreign.h"

void foreign_fail(ForeignFmu *foreign, const char *text, ...)
{
    if (foreign->error[0] != '\0') return; // the first one counts
    va_list arguments;
    va_start(arguments, text);
    vsnprintf(foreign->error, sizeof foreign->error, text, arguments);
    va_end(arguments);
    foreign->running = false;
}

bool foreign_judge(ForeignFmu *foreign, int status, const char *call, const char *detail)
{
    static const char *const words[] = {"OK", "warning", "discard", "error", "fatal", "pending"};
    if (status == 0 || status == 1) return true;
    foreign_fail(foreign, "%s%s%s failed (%s)%s%s", call, detail[0] != '\0' ? " of " : "", detail,
                 status >= 0 && status <= 5 ? words[status] : "unknown status",
                 foreign->logged[0] != '\0' ? ": " : ", and no reason was logged", foreign->logged);
    return false;
}

void *foreign_function(ForeignFmu *foreign, const char *name)
{
    void *found = dlsym(foreign->library, name);
    if (found == NULL) foreign_fail(foreign, "its binary has no function %s", name);
    return found;
}

static bool load_binary(ForeignFmu *foreign)
{
    char path[1400];
    snprintf(path, sizeof path, "%s/%s", foreign->folder, foreign->fmu->binary);
    foreign->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (foreign->library != NULL) return foreign->calls->load(foreign);
    const char *why = dlerror();
    foreign_fail(foreign, "its binary cannot be loaded: %s", why != NULL ? why : "unknown reason");
    return false;
}

ForeignFmu *foreign_fmu_create(const StiSceneFmu *fmu)
{
    ForeignFmu *foreign = calloc(1, sizeof *foreign);
    if (foreign == NULL) return NULL;
    foreign->fmu = fmu;
    foreign->calls = fmu->version == 2 ? &foreign_calls2 : &foreign_calls3;
    const char *why = foreign_unpack(fmu->file, &foreign->folder);
    if (why != NULL)
        foreign_fail(foreign, "%s cannot be unpacked: %s", fmu->file, why);
    else if (load_binary(foreign))
        foreign->calls->instantiate(foreign);
    return foreign;
}

void foreign_fmu_destroy(ForeignFmu *foreign)
{
    if (foreign == NULL) return;
    if (foreign->instance != NULL) foreign->calls->end(foreign, foreign->running);
    if (foreign->library != NULL) dlclose(foreign->library);
    foreign_remove(foreign->folder);
    free(foreign->functions);
    free(foreign);
}

const char *foreign_fmu_error(const ForeignFmu *foreign)
{
    return foreign->error[0] != '\0' ? foreign->error : NULL;
}

bool foreign_fmu_begin(ForeignFmu *foreign, double t, const double *inputs)
{
    const StiSceneFmu *fmu = foreign->fmu;
    for (int i = 0; i < fmu->set_count; ++i)
        if (!foreign->calls->set(foreign, &fmu->sets[i], fmu->sets[i].value)) return false;
    foreign->running = foreign->calls->enter_initialization(foreign, t) &&
                       foreign_fmu_set_inputs(foreign, inputs) &&
                       foreign->calls->exit_initialization(foreign);
    return foreign->running;
}

bool foreign_fmu_set_inputs(ForeignFmu *foreign, const double *inputs)
{
    const StiSceneFmu *fmu = foreign->fmu;
    for (int i = 0; i < fmu->input_count; ++i) {
        const StiFmuValue *input = &fmu->inputs[i];
        const bool whole = inputs[i] == round(inputs[i]) && fabs(inputs[i]) <= 2147483647.0;
        if (!isfinite(inputs[i]) || (input->type == STI_FMU_INTEGER && !whole)) {
            foreign_fail(foreign, "its input %s cannot be %g: %s", input->variable, inputs[i],
                         isfinite(inputs[i]) ? "it takes whole numbers" : "it must be finite");
            return false;
        }
        if (!foreign->calls->set(foreign, input, inputs[i])) return false;
    }
    return true;
}

bool foreign_fmu_step(ForeignFmu *foreign, double t, double period)
{
    return foreign->calls->step(foreign, t, period);
}

bool foreign_fmu_outputs(ForeignFmu *foreign, double *outputs)
{
    const StiSceneFmu *fmu = foreign->fmu;
    for (int i = 0; i < fmu->output_count; ++i) {
        if (!foreign->calls->get(foreign, &fmu->outputs[i], &outputs[i])) return false;
        if (isfinite(outputs[i])) continue;
        foreign_fail(foreign, "its output %s is %g", fmu->outputs[i].variable, outputs[i]);
        return false;
    }
    return true;
}
