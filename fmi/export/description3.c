// modelDescription.xml of FMI 3.0, and its terminals.
#include <string.h>

#include <stiction/version.h>

#include "export/describe.h"

static const char abilities[] =
    " canBeInstantiatedOnlyOncePerProcess=\"false\" canGetAndSetFMUState=\"true\""
    " canSerializeFMUState=\"true\"";

static void put_head(FmuText *to, const Exported *exported)
{
    fmu_text_add(
        to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"3.0\"");
    describe_attribute(to, "modelName", exported->title);
    describe_attribute(to, "instantiationToken", exported->description->token);
    describe_attribute(to, "description", exported->about);
    fmu_text_add(to, " generationTool=\"stiction %s\" variableNamingConvention=\"flat\">\n",
                 STI_VERSION);
    if (exported->exchange)
        fmu_text_add(
            to,
            "  <ModelExchange modelIdentifier=\"%s\"%s providesDirectionalDerivatives=\"true\""
            " needsCompletedIntegratorStep=\"true\"/>\n",
            exported->identifier, abilities);
    fmu_text_add(
        to,
        "  <CoSimulation modelIdentifier=\"%s\"%s canHandleVariableCommunicationStepSize=\"true\""
        " hasEventMode=\"true\" mightReturnEarlyFromDoStep=\"true\" "
        "providesIntermediateUpdate=\"true\""
        " canReturnEarlyAfterIntermediateUpdate=\"true\"/>\n",
        exported->identifier, abilities);
}

static void put_variable(FmuText *to, const Exported *exported, int number)
{
    const Variable *variable = &exported->variables->items[number];
    fmu_text_add(to, "    <Float64");
    describe_attribute(to, "name", variable->name);
    fmu_text_add(to, " valueReference=\"%d\"", number);
    describe_attribute(to, "description", variable->meaning);
    describe_attribute(to, "causality", describe_causality(variable));
    describe_attribute(to, "variability", describe_variability(variable));
    describe_attribute(to, "initial", describe_initial(variable));
    describe_attribute(to, "unit", variable->unit);
    if (variable->role == VARIABLE_INPUT || variable->role == VARIABLE_PARAMETER) {
        fmu_text_add(to, " start=\"");
        fmu_text_number(to, describe_start(exported, variable));
        fmu_text_add(to, "\"");
    }
    if (variable->role == VARIABLE_DERIVATIVE)
        fmu_text_add(to, " derivative=\"%d\"",
                     exported->variables->state_variables[variable->state]);
    else if (variable->state >= 0)
        fmu_text_add(to, " reinit=\"true\"");
    if (variable->role == VARIABLE_ARRAY)
        fmu_text_add(to, ">\n      <Dimension start=\"%d\"/>\n    </Float64>\n", variable->count);
    else
        fmu_text_add(to, "/>\n");
}

static void put_unknowns(FmuText *to, const Exported *exported, const char *element, unsigned roles,
                         bool dependencies)
{
    for (int i = 0; i < exported->variables->count; ++i) {
        const Variable *variable = &exported->variables->items[i];
        if ((roles & (1U << variable->role)) == 0) continue;
        fmu_text_add(to, "    <%s valueReference=\"%d\"", element, i);
        if (dependencies) describe_dependencies(to, exported, variable, 0);
        fmu_text_add(to, "/>\n");
    }
}

void describe_fmi3(FmuText *to, const Exported *exported)
{
    const unsigned outputs = 1U << VARIABLE_OUTPUT | 1U << VARIABLE_ARRAY,
                   derivatives = 1U << VARIABLE_DERIVATIVE, states = 1U << VARIABLE_STATE,
                   indicators = 1U << VARIABLE_INDICATOR;
    put_head(to, exported);
    describe_units(to, exported);
    describe_log(to);
    describe_experiment(to, exported);
    fmu_text_add(to, "  <ModelVariables>\n");
    for (int i = 0; i < exported->variables->count; ++i) put_variable(to, exported, i);
    fmu_text_add(to, "  </ModelVariables>\n  <ModelStructure>\n");
    put_unknowns(to, exported, "Output", outputs, true);
    put_unknowns(to, exported, "ContinuousStateDerivative", derivatives, true);
    put_unknowns(to, exported, "InitialUnknown", outputs | states | derivatives, false);
    put_unknowns(to, exported, "EventIndicator", indicators, false);
    fmu_text_add(to, "  </ModelStructure>\n</fmiModelDescription>\n");
}

// ---- terminals ----------------------------------------------------------------------------------

// "arm.elbow" of "arm.elbow.q": how long it is; 0: no number of a joint.
static size_t joint_length(const Exported *exported, const Variable *variable)
{
    const char *dot = strrchr(variable->name, '.');
    StiFound found;
    char name[272];
    if (variable->role != VARIABLE_OUTPUT || dot == NULL) return 0;
    memcpy(name, variable->name, sizeof name);
    name[dot - variable->name] = '\0';
    const bool joint =
        sti_network_find(exported->scene->network, name, &found) && found.role == STI_JOINT;
    return joint ? (size_t)(dot - variable->name) : 0;
}

static bool is_first_of_its_joint(const Exported *exported, int number, size_t length)
{
    const Variables *v = exported->variables;
    for (int i = v->first_output; i < number; ++i)
        if (joint_length(exported, &v->items[i]) == length &&
            strncmp(v->items[i].name, v->items[number].name, length) == 0)
            return false;
    return true;
}

// A joint is one plug: all of its numbers that are outputs.
static void put_terminal(FmuText *to, const Exported *exported, int number, size_t length)
{
    const Variables *v = exported->variables;
    char name[272];
    memcpy(name, v->items[number].name, sizeof name);
    name[length] = '\0';
    fmu_text_add(to, "    <Terminal");
    describe_attribute(to, "name", name);
    fmu_text_add(to, " matchingRule=\"plug\" terminalKind=\"joint\">\n");
    for (int i = number; i < v->count; ++i) {
        const Variable *member = &v->items[i];
        if (joint_length(exported, member) != length || strncmp(member->name, name, length) != 0)
            continue;
        fmu_text_add(to, "      <TerminalMemberVariable");
        describe_attribute(to, "variableName", member->name);
        describe_attribute(to, "memberName", member->name + length + 1);
        fmu_text_add(to, " variableKind=\"signal\"/>\n");
    }
    fmu_text_add(to, "    </Terminal>\n");
}

void describe_terminals(FmuText *to, const Exported *exported)
{
    const Variables *v = exported->variables;
    bool any = false;
    for (int i = v->first_output; i < v->count; ++i) {
        const size_t length = joint_length(exported, &v->items[i]);
        if (length == 0 || !is_first_of_its_joint(exported, i, length)) continue;
        if (!any)
            fmu_text_add(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                             "<fmiTerminalsAndIcons fmiVersion=\"3.0\">\n  <Terminals>\n");
        any = true;
        put_terminal(to, exported, i, length);
    }
    if (any) fmu_text_add(to, "  </Terminals>\n</fmiTerminalsAndIcons>\n");
}

void describe_build(FmuText *to, const Exported *exported)
{
    if (exported->sources == NULL) return;
    fmu_text_add(
        to,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiBuildDescription fmiVersion=\"3.0\">\n"
        "  <BuildConfiguration modelIdentifier=\"%s\">\n    <SourceFileSet language=\"C17\">\n",
        exported->identifier);
    for (const char *const *file = exported->sources; *file != NULL; ++file)
        fmu_text_add(to, "      <SourceFile name=\"%s\"/>\n", *file);
    fmu_text_add(to, "      <PreprocessorDefinition name=\"_GNU_SOURCE\"/>\n      "
                     "<IncludeDirectory name=\".\"/>\n"
                     "    </SourceFileSet>\n    <Library name=\"m\"/>\n"
                     "  </BuildConfiguration>\n</fmiBuildDescription>\n");
}
