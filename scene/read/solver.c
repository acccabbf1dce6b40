// How reactions are resolved: a word, or a map with the word and the constants of the papers' own solvers.
#include <math.h>
#include <stddef.h>

#include "read/sections.h"

const Key scene_solver_keys[SCENE_SOLVER_KEYS] = {
    {"name", VALUE_SOLVER_NAME, true, "the solver", NULL},
    {"k_q", VALUE_NUMBER, false,
     "semi-implicit, joints: share of a displacement taken back per second, 1/s; default 0", NULL},
    {"lambda_q", VALUE_NUMBER, false,
     "semi-implicit, joints: regularisation on the motor's side; default 0", NULL},
    {"k_v", VALUE_NUMBER, false, "semi-implicit, contacts: as k_q; default 0.05/step", NULL},
    {"lambda_v", VALUE_NUMBER, false,
     "semi-implicit, contacts: regularisation, (m/s/N)^2; default in proportion", NULL},
    {"k_M", VALUE_NUMBER, false, "implicit: as k_v, for joints too", NULL},
    {"lambda_M", VALUE_NUMBER, false, "implicit: as lambda_v, for joints too", NULL},
    {"literal", VALUE_TRUTH, false,
     "true: forces are cut back to their limits and nothing is solved again, as in the paper",
     NULL},
};

static bool constant(Reader *reader, const Node *map, const char *key, double *value)
{
    const Node *node = scene_node_find(map, key);
    if (node == NULL) return true;
    if (!scene_number(reader, node, key, value)) return false;
    if (*value >= 0.0 && isfinite(*value)) return true;
    scene_error(reader, node->mark, "%s must not be below 0, and is %g", key, *value);
    return false;
}

static bool read_constants(Reader *reader, const Node *map)
{
    StiSolverConstants constants = sti_solver_constants();
    double *const numbers[] = {&constants.k_q,      &constants.lambda_q, &constants.k_v,
                               &constants.lambda_v, &constants.k_M,      &constants.lambda_M};
    const Node *literal = scene_node_find(map, "literal");
    bool good = scene_check_keys(reader, map, "a solver", scene_solver_keys, SCENE_SOLVER_KEYS);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i)
        good = constant(reader, map, scene_solver_keys[1 + i].name, numbers[i]) && good;
    if (literal != NULL) good = scene_truth(reader, literal, "literal", &constants.literal) && good;
    sti_plan_set_solver_constants(reader->plan, constants);
    return good;
}

void scene_read_solver(Reader *reader)
{
    const Node *node = scene_node_find(reader->root, "solver");
    if (node == NULL) return;
    if (node->type == NODE_MAP) {
        read_constants(reader, node);
        node = scene_node_find(node, "name");
        if (node == NULL) return;
    }
    StiEntry entry;
    if (scene_registered(reader, node, "solver", STI_ROLE_SOLVER, &entry))
        sti_plan_set_solver(reader->plan, entry.solver);
}
