// Copies of a model as bytes: what a run needs to go on with the same bits.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "fmu/model.h"

typedef struct Head {
    char magic[8];
    uint64_t token, size, check; // check: of all that follows the head
    double start, time, offset, relative, absolute, span, from, to;
    int32_t begun, current, exchange, inputs_jumped;
    uint64_t state; // bytes of it
} Head;

static const char magic[8] = "stiFMU1";

typedef struct Part {
    double *numbers;
    size_t count;
} Part;

enum { PARTS = 5 };

static void list_parts(const Model *model, Part parts[PARTS])
{
    const Variables *v = &model->variables;
    parts[0] = (Part){model->inputs, (size_t)sti_network_input_count(model->network)};
    parts[1] = (Part){model->outputs, (size_t)v->count};
    parts[2] = (Part){model->values, (size_t)v->state_count};
    parts[3] = (Part){model->lifts, (size_t)v->indicator_count};
    parts[4] = (Part){model->before_step, (size_t)v->indicator_count};
}

static size_t size_of(const Model *model, size_t *state)
{
    Part parts[PARTS];
    list_parts(model, parts);
    *state = sti_state_write(model->state, NULL, 0);
    size_t size =
        sizeof(Head) + *state + (size_t)model->description.parameter_count * sizeof(double);
    for (int i = 0; i < PARTS; ++i) size += parts[i].count * sizeof(double);
    return size;
}

static Head head_of(const Model *model)
{
    Head head = {.token = sti_hash_text(STI_HASH_START, model->description.token),
                 .start = model->start,
                 .time = model->time,
                 .offset = model->offset,
                 .relative = model->relative,
                 .absolute = model->absolute,
                 .span = model->span,
                 .from = model->piece.from,
                 .to = model->piece.to,
                 .begun = model->begun,
                 .current = model->current,
                 .exchange = model->exchange,
                 .inputs_jumped = model->inputs_jumped};
    memcpy(head.magic, magic, sizeof magic);
    return head;
}

void *model_save(const Model *model, size_t *size)
{
    size_t state;
    *size = size_of(model, &state);
    unsigned char *bytes = malloc(*size), *at = bytes + sizeof(Head);
    if (bytes == NULL) return NULL;
    sti_state_write(model->state, at, state);
    at += state;
    for (int i = 0; i < model->description.parameter_count; ++i, at += sizeof(double)) {
        double value = 0.0;
        sti_plan_get(model->scene->plan, model->description.parameters[i].path, &value);
        memcpy(at, &value, sizeof value);
    }
    Part parts[PARTS];
    list_parts(model, parts);
    for (int i = 0; i < PARTS; at += parts[i++].count * sizeof(double))
        if (parts[i].count > 0) memcpy(at, parts[i].numbers, parts[i].count * sizeof(double));
    Head head = head_of(model);
    head.size = *size;
    head.state = state;
    head.check = sti_hash_bytes(STI_HASH_START, bytes + sizeof head, *size - sizeof head);
    memcpy(bytes, &head, sizeof head);
    return bytes;
}

static bool fits(const Model *model, const void *bytes, size_t size, Head *head)
{
    size_t state;
    if (size != size_of(model, &state)) return false;
    memcpy(head, bytes, sizeof *head);
    return memcmp(head->magic, magic, sizeof magic) == 0 && head->size == size &&
           head->state == state &&
           head->token == sti_hash_text(STI_HASH_START, model->description.token) &&
           head->check == sti_hash_bytes(STI_HASH_START,
                                         (const unsigned char *)bytes + sizeof *head,
                                         size - sizeof *head);
}

// Parameters first: they may need another network.
static bool restore_parameters(Model *model, const Head *head, const unsigned char *at)
{
    for (int i = 0; i < model->description.parameter_count; ++i, at += sizeof(double)) {
        double value, now = 0.0;
        memcpy(&value, at, sizeof value);
        sti_plan_get(model->scene->plan, model->description.parameters[i].path, &now);
        if (memcmp(&value, &now, sizeof value) == 0) continue;
        sti_plan_set(model->scene->plan, model->description.parameters[i].path, value);
        model->changed = true;
    }
    return model_set_start(model, head->start) && model_refresh(model);
}

bool model_restore(Model *model, const void *bytes, size_t size)
{
    Head head;
    if (!fits(model, bytes, size, &head)) {
        snprintf(model->why, sizeof model->why,
                 "this is not a state of this FMU, or it is damaged");
        return false;
    }
    const unsigned char *at = (const unsigned char *)bytes + sizeof head;
    if (!restore_parameters(model, &head, at + head.state)) return false;
    if (sti_state_read(model->state, at, head.state) != STI_OK) {
        snprintf(model->why, sizeof model->why, "the state does not fit this model");
        return false;
    }
    at += head.state + (size_t)model->description.parameter_count * sizeof(double);
    Part parts[PARTS];
    list_parts(model, parts);
    for (int i = 0; i < PARTS; at += parts[i++].count * sizeof(double))
        if (parts[i].count > 0) memcpy(parts[i].numbers, at, parts[i].count * sizeof(double));
    model->time = head.time, model->offset = head.offset;
    model->relative = head.relative, model->absolute = head.absolute, model->span = head.span;
    model->piece = (StiSmoothInterval){head.from, head.to};
    model->begun = head.begun, model->current = head.current, model->exchange = head.exchange;
    model->inputs_jumped = head.inputs_jumped;
    model->evaluated = false;
    if (model->exchange)
        sti_continuous_resolve(model->scratch, model->relative, model->absolute,
                               1e-7 * model->span);
    return true;
}
