// Any bytes as a saved state: refused, and the state stays, or it is one, and steps.
#include <string.h>

#include "fuzz.h"
#include "memory_file.h"

static const char text[] = "stop: 1\n"
                           "bodies: {block: {kind: point, mass: 1}}\n"
                           "elements:\n"
                           "  rub: {kind: friction, on: block, model: elastic-coulomb, level: 1, "
                           "stiffness: 1e4, damping: 10}\n"
                           "  pull: {kind: force, on: block, value: 2}\n";

static StiScene *scene;

// Begins with a real state, whose bytes the input changes: else the checksum would refuse all.
static size_t real_state(StiState *state, uint8_t *bytes, size_t most)
{
    const char *name = memory_file((const uint8_t *)"", 0);
    if (sti_state_save(state, name) != STI_OK) abort();
    FILE *file = fopen(name, "rb");
    if (file == NULL) abort();
    const size_t size = fread(bytes, 1, most, file);
    fclose(file);
    remove(name);
    return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t bytes[4096];
    if (scene == NULL)
        scene = sti_scene_read(text, sizeof text - 1, "fuzz.yaml", NULL, sti_messages_create());
    StiState *state = scene != NULL ? sti_state_create(scene->network) : NULL;
    if (state == NULL) abort();
    const uint64_t before = sti_state_hash(state);
    size_t length = real_state(state, bytes, sizeof bytes);
    for (size_t i = 0; i + 1 < size; i += 2) bytes[data[i] % length] ^= data[i + 1];
    if (size % 2 == 1) length = data[size - 1] < length ? data[size - 1] : length;
    const char *name = memory_file(bytes, length);
    if (sti_state_load(state, name) != STI_OK && sti_state_hash(state) != before) abort();
    remove(name);
    name = memory_file(data, size);
    if (sti_state_load(state, name) == STI_OK) step_twice(scene->network);
    remove(name);
    sti_state_destroy(state);
    return 0;
}
