// Any lines as assignments of --set, and a line "--variant" as a variant that the scene has.
#include <string.h>

#include "fuzz.h"

static const char scene[] =
    "step: 1e-3\n"
    "stop: 0.01\n"
    "gravity: [0, 0, -9.81]\n"
    "parameters: {pull: 2}\n"
    "inputs: {push: \"sin(t)\"}\n"
    "bodies:\n"
    "  hand: {kind: motion, x: \"pull*min(t, 2)\", breaks: [2]}\n"
    "  block: {kind: point, mass: 1}\n"
    "  ball: {kind: rigid, mass: 1, shape: sphere, radius: 0.1}\n"
    "elements:\n"
    "  spring: {kind: spring-damper, between: [hand, block], stiffness: 90}\n"
    "  friction: {kind: friction, on: block, model: finite-time, level: 10, table: [[0, 1], [2, "
    "3]]}\n"
    "  rub: {kind: friction, on: [block, hand], model: dahl, level: 1, stiffness: 100}\n"
    "  contact: {kind: contact, on: ball, shape: sphere, radius: 0.1, stiffness: 1e5, plane: "
    "{normal: [0, 0, 1]}}\n"
    "record: [block.x]\n"
    "expect:\n"
    "  - {what: rest, channel: block.v, at: 0.01, value: 0, tolerance: 1, from: exact}\n"
    "variants:\n"
    "  slow: {set: {friction.level: 3, hand: {kind: motion, x: 0}}}\n"
    "grid:\n"
    "  block.velocity: {from: 0, to: 1, count: 2}\n";

enum { MOST_SETS = 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1), *rest = NULL;
    const char *sets[MOST_SETS];
    StiSceneOptions options = {.sets = sets};
    if (text == NULL) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    for (char *line = strtok_r(text, "\n", &rest); line != NULL && options.set_count < MOST_SETS;
         line = strtok_r(NULL, "\n", &rest)) {
        if (strcmp(line, "--variant") == 0)
            options.variant = "slow";
        else
            sets[options.set_count++] = line;
    }
    read_and_step(scene, sizeof scene - 1, &options);
    free(text);
    return 0;
}
