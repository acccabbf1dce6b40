#include "export/describe.h"

#include <stdlib.h>
#include <string.h>

#include <stiction/continuous.h>

#include "export/units.h"
#include "network/network.h"

void describe_attribute(FmuText *to, const char *name, const char *value)
{
    if (value == NULL || value[0] == '\0') return;
    fmu_text_add(to, " %s=\"", name);
    fmu_text_escape(to, value);
    fmu_text_add(to, "\"");
}

static bool is_first_of_its_unit(const Variables *variables, int number)
{
    for (int i = 0; i < number; ++i)
        if (strcmp(variables->items[i].unit, variables->items[number].unit) == 0) return false;
    return variables->items[number].unit[0] != '\0';
}

static void put_unit(FmuText *to, const char *unit)
{
    UnitDefinition definition;
    fmu_text_add(to, "    <Unit");
    describe_attribute(to, "name", unit);
    if (!unit_define(unit, &definition)) {
        fmu_text_add(to, "/>\n");
        return;
    }
    fmu_text_add(to, ">\n      <BaseUnit");
    for (int i = 0; i < BASE_UNITS; ++i)
        if (definition.powers[i] != 0)
            fmu_text_add(to, " %s=\"%d\"", base_unit_names[i], definition.powers[i]);
    if (definition.factor != 1.0) {
        fmu_text_add(to, " factor=\"");
        fmu_text_number(to, definition.factor);
        fmu_text_add(to, "\"");
    }
    fmu_text_add(to, "/>\n    </Unit>\n");
}

void describe_units(FmuText *to, const Exported *exported)
{
    const Variables *variables = exported->variables;
    fmu_text_add(to, "  <UnitDefinitions>\n");
    for (int i = 0; i < variables->count; ++i)
        if (is_first_of_its_unit(variables, i)) put_unit(to, variables->items[i].unit);
    fmu_text_add(to, "  </UnitDefinitions>\n");
}

void describe_experiment(FmuText *to, const Exported *exported)
{
    fmu_text_add(to, "  <DefaultExperiment startTime=\"");
    fmu_text_number(to, exported->scene->start);
    fmu_text_add(to, "\" stopTime=\"");
    fmu_text_number(to, exported->scene->stop);
    fmu_text_add(to, "\" tolerance=\"1e-08\" stepSize=\"");
    fmu_text_number(to, sti_network_step(exported->scene->network));
    fmu_text_add(to, "\"/>\n");
}

void describe_log(FmuText *to)
{
    fmu_text_add(to,
                 "  <LogCategories>\n"
                 "    <Category name=\"logAll\" description=\"what is done\"/>\n"
                 "    <Category name=\"logStatusWarning\" description=\"what may be wrong\"/>\n"
                 "    <Category name=\"logStatusDiscard\" description=\"what was not done\"/>\n"
                 "    <Category name=\"logStatusError\" description=\"what is wrong, and why\"/>\n"
                 "  </LogCategories>\n");
}

double describe_start(const Exported *exported, const Variable *variable)
{
    double value = 0.0;
    if (variable->role == VARIABLE_PARAMETER) {
        sti_plan_get(exported->scene->plan,
                     exported->description->parameters[variable->number].path, &value);
        return value;
    }
    const int count = sti_network_input_count(exported->scene->network);
    double *usual = calloc((size_t)count + 1, sizeof *usual);
    if (usual == NULL) return value;
    sti_network_usual_inputs(exported->scene->network, usual);
    value = usual[variable->number];
    free(usual);
    return value;
}

const char *describe_causality(const Variable *variable)
{
    static const char *const words[] = {
        [VARIABLE_TIME] = "independent",    [VARIABLE_INPUT] = "input",
        [VARIABLE_OUTPUT] = "output",       [VARIABLE_STATE] = "local",
        [VARIABLE_PARAMETER] = "parameter", [VARIABLE_DERIVATIVE] = "local",
        [VARIABLE_INDICATOR] = "local",     [VARIABLE_ARRAY] = "output"};
    return words[variable->role];
}

const char *describe_variability(const Variable *variable)
{
    if (variable->role == VARIABLE_PARAMETER) return variable->tunable ? "tunable" : "fixed";
    return "continuous";
}

const char *describe_initial(const Variable *variable)
{
    if (variable->role == VARIABLE_TIME || variable->role == VARIABLE_INPUT) return NULL;
    return variable->role == VARIABLE_PARAMETER ? "exact" : "calculated";
}

// ---- what depends on what -----------------------------------------------------------------------

// Is this number a coordinate whose rate is a velocity of the same body, and nothing else?
static bool is_position(const StiNetwork *network, int number)
{
    for (int i = 0; i < network->admittance_count; ++i) {
        const Admittance *a = &network->admittances[i];
        if (number >= a->q && number < a->q + a->size.positions)
            return a->size.positions == a->size.velocities && !network->constrains;
    }
    return false;
}

static void put_numbers(FmuText *to, const Exported *exported, int state, int first)
{
    const Variables *v = exported->variables;
    const StiNetwork *network = exported->scene->network;
    const int n = v->state_count;
    bool *depends = calloc((size_t)n * (size_t)n + 1, sizeof *depends);
    if (depends == NULL) {
        to->failed = true;
        return;
    }
    sti_continuous_pattern(network, depends);
    const bool moves_only = is_position(network, state);
    const char *space = "";
    if (!moves_only) {
        for (int i = 0; i < v->first_output; ++i, space = " ")
            fmu_text_add(to, "%s%d", space, i + first);
    }
    for (int i = 0; i < v->count; ++i) {
        const Variable *known = &v->items[i];
        const bool is_state = known->role == VARIABLE_STATE || known->role == VARIABLE_OUTPUT;
        if (!is_state || known->state < 0 || !depends[state * n + known->state]) continue;
        fmu_text_add(to, "%s%d", space, i + first);
        space = " ";
    }
    free(depends);
}

// Do these listen to functions of time and inputs alone?
static bool listen_outside(const Connections *connections)
{
    for (int i = 0; i < connections->count; ++i)
        if (connections->items[i].from != FROM_SOURCE) return false;
    return true;
}

// Elements that feel each other through contacts, friction that holds, loads, couplings and signals can depend on
// everything, and the memory of a sampler is left out of the pattern: then nothing is said, which means that.
static bool is_simple(const StiNetwork *network)
{
    bool simple = network->contact_count == 0 && !network->iterates_loads && !network->constrains &&
                  !network->coupled;
    for (int i = 0; i < network->impedance_count; ++i)
        simple = simple && !network->impedances[i].kind->samples &&
                 listen_outside(&network->impedances[i].connections);
    for (int i = 0; i < network->reaction_count; ++i)
        simple = simple && listen_outside(&network->reactions[i].connections);
    for (int i = 0; i < network->admittance_count; ++i)
        simple = simple && listen_outside(&network->admittances[i].connections);
    return simple;
}

void describe_dependencies(FmuText *to, const Exported *exported, const Variable *variable,
                           int first)
{
    if (variable->role == VARIABLE_OUTPUT && variable->state >= 0) {
        fmu_text_add(to, " dependencies=\"%d\" dependenciesKind=\"constant\"",
                     (int)(variable - exported->variables->items) + first);
        return;
    }
    if (variable->role != VARIABLE_DERIVATIVE || !is_simple(exported->scene->network)) return;
    fmu_text_add(to, " dependencies=\"");
    put_numbers(to, exported, variable->state, first);
    fmu_text_add(to, "\"");
}
