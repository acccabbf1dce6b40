#!/usr/bin/env python3
"""check_description.py FMU...: modelDescription.xml and what stands beside it against the rules of the published
schemas and of the text of FMI 2.0 and 3.0, stated here once more: elements and their order, attributes and their
types, combinations of causality, variability and initial, indices, units, structure."""

import re
import sys
import xml.etree.ElementTree as ET
import zipfile

BOOL = r"true|false|0|1"
REAL = r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?|-?INF|NaN"
UINT = r"\d+"
INTS = r"(\d+( \d+)*)?"
TEXT = r"(?s).*"
IDENTIFIER = r"[A-Za-z_][A-Za-z0-9_]*"
KINDS = r"((dependent|constant|fixed|tunable|discrete)( (dependent|constant|fixed|tunable|discrete))*)?"

COMMON2 = {"modelIdentifier": IDENTIFIER, "needsExecutionTool": BOOL, "canBeInstantiatedOnlyOncePerProcess": BOOL,
           "canNotUseMemoryManagementFunctions": BOOL, "canGetAndSetFMUstate": BOOL, "canSerializeFMUstate": BOOL,
           "providesDirectionalDerivative": BOOL}
COMMON3 = {"modelIdentifier": IDENTIFIER, "needsExecutionTool": BOOL, "canBeInstantiatedOnlyOncePerProcess": BOOL,
           "canGetAndSetFMUState": BOOL, "canSerializeFMUState": BOOL, "providesDirectionalDerivatives": BOOL,
           "providesAdjointDerivatives": BOOL, "providesPerElementDependencies": BOOL}
BASE = {name: r"-?\d+" for name in ("kg", "m", "s", "A", "K", "mol", "cd", "rad")} | {"factor": REAL, "offset": REAL}

# name of an element: (attributes that it may have, those that it must have, children in their order)
RULES2 = {
    "fmiModelDescription": ({"fmiVersion": r"2\.0", "modelName": r".+", "guid": r".+", "description": TEXT, "author": TEXT,
                             "version": TEXT, "copyright": TEXT, "license": TEXT, "generationTool": TEXT,
                             "generationDateAndTime": TEXT, "variableNamingConvention": "flat|structured",
                             "numberOfEventIndicators": UINT},
                            {"fmiVersion", "modelName", "guid"},
                            ["ModelExchange?", "CoSimulation?", "UnitDefinitions?", "TypeDefinitions?", "LogCategories?",
                             "DefaultExperiment?", "VendorAnnotations?", "ModelVariables", "ModelStructure"]),
    "ModelExchange": (COMMON2 | {"completedIntegratorStepNotNeeded": BOOL}, {"modelIdentifier"}, ["SourceFiles?"]),
    "CoSimulation": (COMMON2 | {"canHandleVariableCommunicationStepSize": BOOL, "canInterpolateInputs": BOOL,
                                "maxOutputDerivativeOrder": UINT, "canRunAsynchronuously": BOOL},
                     {"modelIdentifier"}, ["SourceFiles?"]),
    "SourceFiles": ({}, set(), ["File*"]),
    "File": ({"name": r".+"}, {"name"}, []),
    "UnitDefinitions": ({}, set(), ["Unit*"]),
    "Unit": ({"name": r".+"}, {"name"}, ["BaseUnit?", "DisplayUnit*"]),
    "BaseUnit": (BASE, set(), []),
    "LogCategories": ({}, set(), ["Category*"]),
    "Category": ({"name": r".+", "description": TEXT}, {"name"}, []),
    "DefaultExperiment": ({"startTime": REAL, "stopTime": REAL, "tolerance": REAL, "stepSize": REAL}, set(), []),
    "ModelVariables": ({}, set(), ["ScalarVariable*"]),
    "ScalarVariable": ({"name": r"[^\n]+", "valueReference": UINT, "description": TEXT,
                        "causality": "parameter|calculatedParameter|input|output|local|independent",
                        "variability": "constant|fixed|tunable|discrete|continuous",
                        "initial": "exact|approx|calculated", "canHandleMultipleSetPerTimeInstant": BOOL},
                       {"name", "valueReference"}, ["Real", "Annotations?"]),
    "Real": ({"declaredType": TEXT, "quantity": TEXT, "unit": r".+", "displayUnit": TEXT, "relativeQuantity": BOOL,
              "min": REAL, "max": REAL, "nominal": REAL, "unbounded": BOOL, "start": REAL, "derivative": r"[1-9]\d*",
              "reinit": BOOL}, set(), []),
    "ModelStructure": ({}, set(), ["Outputs?", "Derivatives?", "DiscreteStates?", "InitialUnknowns?"]),
    "Outputs": ({}, set(), ["Unknown+"]),
    "Derivatives": ({}, set(), ["Unknown+"]),
    "InitialUnknowns": ({}, set(), ["Unknown+"]),
    "Unknown": ({"index": r"[1-9]\d*", "dependencies": INTS, "dependenciesKind": KINDS}, {"index"}, []),
}
UNKNOWN3 = ({"valueReference": UINT, "dependencies": INTS, "dependenciesKind": KINDS}, {"valueReference"}, [])
RULES3 = {name: RULES2[name] for name in ("UnitDefinitions", "Unit", "BaseUnit", "LogCategories", "Category",
                                          "DefaultExperiment")} | {
    "fmiModelDescription": ({"fmiVersion": r"3\.0(\.\d+)?", "modelName": r".+", "instantiationToken": r".+",
                             "description": TEXT, "author": TEXT, "version": TEXT, "copyright": TEXT, "license": TEXT,
                             "generationTool": TEXT, "generationDateAndTime": TEXT,
                             "variableNamingConvention": "flat|structured"},
                            {"fmiVersion", "modelName", "instantiationToken"},
                            ["ModelExchange?", "CoSimulation?", "ScheduledExecution?", "UnitDefinitions?",
                             "TypeDefinitions?", "LogCategories?", "DefaultExperiment?", "ModelVariables",
                             "ModelStructure", "Annotations?"]),
    "ModelExchange": (COMMON3 | {"needsCompletedIntegratorStep": BOOL, "providesEvaluateDiscreteStates": BOOL},
                      {"modelIdentifier"}, []),
    "CoSimulation": (COMMON3 | {"canHandleVariableCommunicationStepSize": BOOL, "fixedInternalStepSize": REAL,
                                "maxOutputDerivativeOrder": UINT, "recommendedIntermediateInputSmoothness": r"-?\d+",
                                "providesIntermediateUpdate": BOOL, "mightReturnEarlyFromDoStep": BOOL,
                                "canReturnEarlyAfterIntermediateUpdate": BOOL, "hasEventMode": BOOL,
                                "providesEvaluateDiscreteStates": BOOL}, {"modelIdentifier"}, []),
    "ModelVariables": ({}, set(), ["Float64*"]),
    "Float64": ({"name": r"[^\n]+", "valueReference": UINT, "description": TEXT,
                 "causality": "structuralParameter|parameter|calculatedParameter|input|output|local|independent",
                 "variability": "constant|fixed|tunable|discrete|continuous", "initial": "exact|approx|calculated",
                 "canHandleMultipleSetPerTimeInstant": BOOL, "intermediateUpdate": BOOL, "previous": UINT,
                 "clocks": TEXT, "declaredType": TEXT, "quantity": TEXT, "unit": r".+", "displayUnit": TEXT,
                 "relativeQuantity": BOOL, "unbounded": BOOL, "min": REAL, "max": REAL, "nominal": REAL,
                 "start": REAL, "derivative": UINT, "reinit": BOOL}, {"name", "valueReference"}, ["Dimension*"]),
    "Dimension": ({"start": UINT, "valueReference": UINT}, set(), []),
    "ModelStructure": ({}, set(), ["Output*", "ContinuousStateDerivative*", "ClockedState*", "InitialUnknown*",
                                   "EventIndicator*"]),
    "Output": UNKNOWN3, "ContinuousStateDerivative": UNKNOWN3, "InitialUnknown": UNKNOWN3, "EventIndicator": UNKNOWN3,
}
RULES_TERMINALS = {
    "fmiTerminalsAndIcons": ({"fmiVersion": r"3\.0(\.\d+)?"}, {"fmiVersion"}, ["GraphicalRepresentation?", "Terminals?"]),
    "Terminals": ({}, set(), ["Terminal+"]),
    "Terminal": ({"name": r".+", "matchingRule": "plug|bus|sequence|.+", "terminalKind": TEXT, "description": TEXT},
                 {"name", "matchingRule"}, ["TerminalMemberVariable*", "TerminalStreamMemberVariable*", "Terminal*"]),
    "TerminalMemberVariable": ({"variableName": r".+", "memberName": r".+", "variableKind": r".+", "description": TEXT},
                               {"variableName", "variableKind"}, []),
}
RULES_BUILD = {
    "fmiBuildDescription": ({"fmiVersion": r"3\.0(\.\d+)?"}, {"fmiVersion"}, ["BuildConfiguration+"]),
    "BuildConfiguration": ({"modelIdentifier": IDENTIFIER, "platform": TEXT, "description": TEXT}, {"modelIdentifier"},
                           ["SourceFileSet*", "Library*"]),
    "SourceFileSet": ({"name": TEXT, "language": TEXT, "compiler": TEXT, "compilerOptions": TEXT}, set(),
                      ["SourceFile*", "PreprocessorDefinition*", "IncludeDirectory*"]),
    "SourceFile": ({"name": r".+"}, {"name"}, []),
    "PreprocessorDefinition": ({"name": r".+", "value": TEXT, "optional": BOOL, "description": TEXT}, {"name"}, []),
    "IncludeDirectory": ({"name": r".+"}, {"name"}, []),
    "Library": ({"name": r".+", "version": TEXT, "external": BOOL, "description": TEXT}, {"name"}, []),
}
# causality, variability, initial that go together (2.2.7 of FMI 2.0, 2.4.7.5 of FMI 3.0), and whether start is needed
COMBINATIONS = {("parameter", "fixed", "exact"): True, ("parameter", "tunable", "exact"): True,
                ("input", "continuous", None): True, ("input", "discrete", None): True,
                ("output", "continuous", "calculated"): False, ("output", "discrete", "calculated"): False,
                ("local", "continuous", "calculated"): False, ("independent", "continuous", None): False}


class Wrong(Exception):
    pass


def check_element(element, rules):
    if element.tag not in rules:
        raise Wrong(f"<{element.tag}> is not known")
    attributes, needed, order = rules[element.tag]
    for name, value in element.attrib.items():
        if name not in attributes:
            raise Wrong(f"<{element.tag} {name}> is not known")
        if not re.fullmatch(attributes[name], value):
            raise Wrong(f'<{element.tag} {name}="{value}">')
    missing = needed - set(element.attrib)
    if missing:
        raise Wrong(f"<{element.tag}> lacks {missing}")
    text = "".join(child.tag + " " for child in element)
    pattern = "".join(f"({word.rstrip('?*+')} ){word[-1] if word[-1] in '?*+' else ''}" for word in order)
    if not re.fullmatch(pattern, text):
        raise Wrong(f"children of <{element.tag}>: {text[:200]}")
    for child in element:
        check_element(child, rules)


def check_variables(variables, root, two):
    """variables: (attributes of the variable, attributes of its type), in their order."""
    names = [v["name"] for v, _ in variables]
    references = [v["valueReference"] for v, _ in variables]
    if len(set(names)) != len(names):
        raise Wrong(f"a name stands twice: {[n for n in names if names.count(n) > 1][0]}")
    if len(set(references)) != len(references):
        raise Wrong("a value reference stands twice")
    units = {unit.get("name") for unit in root.iter("Unit")}
    for v, t in variables:
        kind = (v.get("causality", "local"), v.get("variability", "continuous"), v.get("initial"))
        if kind not in COMBINATIONS:
            raise Wrong(f"{v['name']}: {kind} do not go together")
        if ("start" in t) != COMBINATIONS[kind]:
            raise Wrong(f"{v['name']}: start is needed, or must not be there")
        if "unit" in t and t["unit"] not in units:
            raise Wrong(f"{v['name']}: the unit {t['unit']} is not defined")
        if "derivative" in t:
            index = int(t["derivative"])
            state = variables[index - 1] if two else variables[references.index(str(index))]
            if state[1].get("reinit") != "true":
                raise Wrong(f"{v['name']}: its state cannot be set at events")
    if sum(v.get("causality") == "independent" for v, _ in variables) != 1:
        raise Wrong("there is not one independent variable")


def check_structure(numbers, variables, outputs, derivatives, initial):
    """numbers: of each variable, as the structure counts them."""
    by_number = dict(zip(numbers, variables))

    def listed(elements, key):
        return [int(e.get(key)) for e in elements]

    key = "index" if outputs and "index" in outputs[0].attrib or initial and "index" in initial[0].attrib else "valueReference"
    expected = [n for n, (v, _) in by_number.items() if v.get("causality") == "output"]
    if listed(outputs, key) != expected:
        raise Wrong("the outputs of the structure are not the outputs, in their order")
    expected_derivatives = [n for n, (_, t) in by_number.items() if "derivative" in t]
    if listed(derivatives, key) != expected_derivatives:
        raise Wrong("the derivatives of the structure are not the derivatives")
    states = {n for n, (_, t) in by_number.items() if t.get("reinit") == "true"}
    expected_initial = sorted(set(expected) | set(expected_derivatives) | states)
    if listed(initial, key) != expected_initial:
        raise Wrong("the initial unknowns are not all that is calculated, rising")
    knowns = states | {n for n, (v, _) in by_number.items() if v.get("causality") in ("input", "independent")}
    for e in outputs + derivatives:
        dependencies = [int(n) for n in e.get("dependencies", "").split()]
        if not set(dependencies) <= knowns:
            raise Wrong(f"unknown {e.get(key)} depends on what is not known")
        if "dependenciesKind" in e.attrib and len(e.get("dependenciesKind").split()) != len(dependencies):
            raise Wrong("as many kinds as dependencies are needed")
    return len(states)


def check_archive(path):
    archive = zipfile.ZipFile(path)
    if archive.testzip() is not None:
        raise Wrong("the archive is damaged")
    members = set(archive.namelist())
    root = ET.fromstring(archive.read("modelDescription.xml"))
    two = root.get("fmiVersion") == "2.0"
    check_element(root, RULES2 if two else RULES3)
    kinds = [e for e in root if e.tag in ("ModelExchange", "CoSimulation")]
    for kind in kinds:
        folder = "linux64" if two else "x86_64-linux"
        if f"binaries/{folder}/{kind.get('modelIdentifier')}.so" not in members:
            raise Wrong("there is no binary of that name")
    elements = list(root.find("ModelVariables"))
    variables = [(e.attrib, e[0].attrib if two else e.attrib) for e in elements]
    check_variables(variables, root, two)
    structure = root.find("ModelStructure")
    if two:
        lists = [list(structure.find(name) if structure.find(name) is not None else []) for name in
                 ("Outputs", "Derivatives", "InitialUnknowns")]
        numbers = list(range(1, len(variables) + 1))
    else:
        lists = [structure.findall(name) for name in ("Output", "ContinuousStateDerivative", "InitialUnknown")]
        numbers = [int(v["valueReference"]) for v, _ in variables]
        indicators = {int(e.get("valueReference")) for e in structure.findall("EventIndicator")}
        if not indicators <= set(numbers):
            raise Wrong("an event indicator is no variable")
    states = check_structure(numbers, variables, *lists)
    if states != len(lists[1]):
        raise Wrong("there are not as many states as derivatives")
    if (states > 0) != any(k.tag == "ModelExchange" for k in kinds):
        raise Wrong("states and model exchange go together")
    if "terminalsAndIcons/terminalsAndIcons.xml" in members:
        terminals = ET.fromstring(archive.read("terminalsAndIcons/terminalsAndIcons.xml"))
        check_element(terminals, RULES_TERMINALS)
        names = {v["name"] for v, _ in variables}
        for member in terminals.iter("TerminalMemberVariable"):
            if member.get("variableName") not in names:
                raise Wrong(f"terminal: {member.get('variableName')} is no variable")
    if "sources/buildDescription.xml" in members:
        build = ET.fromstring(archive.read("sources/buildDescription.xml"))
        check_element(build, RULES_BUILD)
        for file in build.iter("SourceFile"):
            if "sources/" + file.get("name") not in members:
                raise Wrong(f"the source {file.get('name')} is missing")
    for file in root.iter("File"):
        if "sources/" + file.get("name") not in members:
            raise Wrong(f"the source {file.get('name')} is missing")
    ET.fromstring(archive.read("documentation/index.html").replace(b'<meta charset="utf-8">', b"").split(b"\n", 1)[1])


def main():
    failed = 0
    for path in sys.argv[1:]:
        try:
            check_archive(path)
        except (Wrong, KeyError, ET.ParseError) as wrong:
            print(f"{path}: {wrong}")
            failed += 1
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
