// modelDescription.xml of FMI 2.0.
#include <string.h>

#include <stiction/version.h>

#include "export/describe.h"

static const char abilities[] = " canBeInstantiatedOnlyOncePerProcess=\"false\""
                                " canNotUseMemoryManagementFunctions=\"true\""
                                " canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\"";

static void put_sources(FmuText *to, const Exported *exported, const char *element)
{
    if (exported->sources == NULL) {
        fmu_text_add(to, "/>\n");
        return;
    }
    fmu_text_add(to, ">\n    <SourceFiles>\n");
    for (const char *const *file = exported->sources; *file != NULL; ++file)
        fmu_text_add(to, "      <File name=\"%s\"/>\n", *file);
    fmu_text_add(to, "    </SourceFiles>\n  </%s>\n", element);
}

static void put_head(FmuText *to, const Exported *exported)
{
    fmu_text_add(
        to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"2.0\"");
    describe_attribute(to, "modelName", exported->title);
    describe_attribute(to, "guid", exported->description->token);
    describe_attribute(to, "description", exported->about);
    fmu_text_add(to, " generationTool=\"stiction %s\" variableNamingConvention=\"flat\"",
                 STI_VERSION);
    fmu_text_add(to, " numberOfEventIndicators=\"%d\">\n", exported->variables->indicator_count);
    if (exported->exchange) {
        fmu_text_add(
            to, "  <ModelExchange modelIdentifier=\"%s\"%s providesDirectionalDerivative=\"true\"",
            exported->identifier, abilities);
        put_sources(to, exported, "ModelExchange");
    }
    fmu_text_add(
        to,
        "  <CoSimulation modelIdentifier=\"%s\" canHandleVariableCommunicationStepSize=\"true\"%s"
        " providesDirectionalDerivative=\"false\"",
        exported->identifier, abilities);
    put_sources(to, exported, "CoSimulation");
}

static void put_variable(FmuText *to, const Exported *exported, int number)
{
    const Variable *variable = &exported->variables->items[number];
    fmu_text_add(to, "    <!-- %d -->\n    <ScalarVariable", number + 1);
    describe_attribute(to, "name", variable->name);
    fmu_text_add(to, " valueReference=\"%d\"", number);
    describe_attribute(to, "description", variable->meaning);
    describe_attribute(to, "causality", describe_causality(variable));
    describe_attribute(to, "variability", describe_variability(variable));
    describe_attribute(to, "initial", describe_initial(variable));
    fmu_text_add(to, ">\n      <Real");
    describe_attribute(to, "unit", variable->unit);
    if (variable->role == VARIABLE_INPUT || variable->role == VARIABLE_PARAMETER) {
        fmu_text_add(to, " start=\"");
        fmu_text_number(to, describe_start(exported, variable));
        fmu_text_add(to, "\"");
    }
    if (variable->role == VARIABLE_DERIVATIVE)
        fmu_text_add(to, " derivative=\"%d\"",
                     exported->variables->state_variables[variable->state] + 1);
    else if (variable->state >= 0)
        fmu_text_add(to, " reinit=\"true\"");
    fmu_text_add(to, "/>\n    </ScalarVariable>\n");
}

static void put_unknowns(FmuText *to, const Exported *exported, VariableRole role,
                         const char *element)
{
    bool any = false;
    for (int i = 0; i < exported->variables->count; ++i) {
        const Variable *variable = &exported->variables->items[i];
        if (variable->role != role) continue;
        if (!any) fmu_text_add(to, "    <%s>\n", element);
        any = true;
        fmu_text_add(to, "      <Unknown index=\"%d\"", i + 1);
        describe_dependencies(to, exported, variable, 1);
        fmu_text_add(to, "/>\n");
    }
    if (any) fmu_text_add(to, "    </%s>\n", element);
}

// All that is computed when a run begins: outputs, states, derivatives.
static void put_initial_unknowns(FmuText *to, const Exported *exported)
{
    bool any = false;
    for (int i = 0; i < exported->variables->count; ++i) {
        const VariableRole role = exported->variables->items[i].role;
        if (role != VARIABLE_OUTPUT && role != VARIABLE_STATE && role != VARIABLE_DERIVATIVE)
            continue;
        if (!any) fmu_text_add(to, "    <InitialUnknowns>\n");
        any = true;
        fmu_text_add(to, "      <Unknown index=\"%d\"/>\n", i + 1);
    }
    if (any) fmu_text_add(to, "    </InitialUnknowns>\n");
}

void describe_fmi2(FmuText *to, const Exported *exported)
{
    put_head(to, exported);
    describe_units(to, exported);
    describe_log(to);
    describe_experiment(to, exported);
    fmu_text_add(to, "  <ModelVariables>\n");
    for (int i = 0; i < exported->variables->scalar_count; ++i)
        if (exported->variables->items[i].role != VARIABLE_INDICATOR) put_variable(to, exported, i);
    fmu_text_add(to, "  </ModelVariables>\n  <ModelStructure>\n");
    put_unknowns(to, exported, VARIABLE_OUTPUT, "Outputs");
    put_unknowns(to, exported, VARIABLE_DERIVATIVE, "Derivatives");
    put_initial_unknowns(to, exported);
    fmu_text_add(to, "  </ModelStructure>\n</fmiModelDescription>\n");
}
