// States of an FMU that the importer keeps, hands back, or stores as bytes.
#include <stdlib.h>
#include <string.h>

#include "fmu/instance.h"

static Outcome no_memory(const Instance *instance, const char *function)
{
    return instance_say(instance, OUTCOME_ERROR, "%s: out of memory", function);
}

static Kept *new_kept(size_t size)
{
    Kept *kept = malloc(sizeof *kept + size);
    if (kept != NULL) kept->size = size;
    return kept;
}

Outcome instance_keep(Instance *instance, const char *function, void **kept)
{
    size_t size;
    if (kept == NULL)
        return instance_say(instance, OUTCOME_ERROR, "%s: no place for the state", function);
    if (!model_refresh(instance->model)) return instance_broken(instance, function);
    void *bytes = model_save(instance->model, &size);
    Kept *made = bytes != NULL ? new_kept(size + sizeof instance->phase) : NULL;
    if (made != NULL) {
        memcpy(made->bytes, &instance->phase, sizeof instance->phase);
        memcpy(made->bytes + sizeof instance->phase, bytes, size);
        free(*kept); // NULL, or a state of before, whose place is used again
        *kept = made;
    }
    free(bytes);
    return made != NULL ? OUTCOME_OK : no_memory(instance, function);
}

Outcome instance_take_back(Instance *instance, const char *function, const void *kept)
{
    const Kept *made = kept;
    Phase phase;
    if (made == NULL)
        return instance_say(instance, OUTCOME_ERROR, "%s: there is no state", function);
    memcpy(&phase, made->bytes, sizeof phase);
    if (!model_restore(instance->model, made->bytes + sizeof phase, made->size - sizeof phase))
        return instance_broken(instance, function);
    instance->phase = phase;
    return OUTCOME_OK;
}

Outcome instance_kept_size(const Instance *instance, const char *function, const void *kept,
                           size_t *size)
{
    if (kept == NULL || size == NULL)
        return instance_say(instance, OUTCOME_ERROR,
                            "%s: there is no state, or no place for its size", function);
    *size = ((const Kept *)kept)->size;
    return OUTCOME_OK;
}

Outcome instance_write(const Instance *instance, const char *function, const void *kept,
                       void *bytes, size_t size)
{
    const Kept *made = kept;
    if (made == NULL || bytes == NULL || size < made->size)
        return instance_say(instance, OUTCOME_ERROR,
                            "%s: there is no state, or too little room for it", function);
    memcpy(bytes, made->bytes, made->size);
    return OUTCOME_OK;
}

static bool is_phase(Phase phase)
{
    return phase > 0 && phase < PHASE_ALL && (phase & (phase - 1)) == 0;
}

Outcome instance_read(const Instance *instance, const char *function, const void *bytes,
                      size_t size, void **kept)
{
    Phase phase;
    if (bytes == NULL || kept == NULL || size <= sizeof phase)
        return instance_say(instance, OUTCOME_ERROR, "%s: there are no bytes of a state", function);
    memcpy(&phase, bytes, sizeof phase);
    if (!is_phase(phase))
        return instance_say(instance, OUTCOME_ERROR, "%s: these bytes are no state", function);
    Kept *made = new_kept(size);
    if (made == NULL) return no_memory(instance, function);
    memcpy(made->bytes, bytes, size);
    free(*kept);
    *kept = made;
    return OUTCOME_OK;
}
