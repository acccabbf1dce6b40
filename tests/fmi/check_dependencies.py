#!/usr/bin/env python3
"""check_dependencies.py PROGRAM SCENE...: what an FMU says a derivative does not depend on, it does not: by directional
derivatives of the FMU itself, at states beside those of the start."""

import ctypes
import pathlib
import random
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
import zipfile

MOST_STATES = 40


def opened(folder, root):
    library = ctypes.CDLL(str(next((folder / "binaries/linux64").glob("*.so"))))
    library.fmi2Instantiate.restype = ctypes.c_void_p
    callbacks = (ctypes.c_void_p * 5)()
    token, resources = root.get("guid").encode(), str(folder / "resources").encode()
    component = ctypes.c_void_p(library.fmi2Instantiate(b"one", 0, token, resources, callbacks, 0, 0))
    start = ctypes.c_double(float(root.find("DefaultExperiment").get("startTime")))
    zero = ctypes.c_double(0.0)
    info = (ctypes.c_double * 8)()  # larger than fmi2EventInfo
    good = library.fmi2SetupExperiment(component, 0, zero, start, 0, zero) == 0
    good = good and library.fmi2EnterInitializationMode(component) == 0
    good = good and library.fmi2ExitInitializationMode(component) == 0
    good = good and library.fmi2NewDiscreteStates(component, info) == 0
    assert good and library.fmi2EnterContinuousTimeMode(component) == 0
    return library, component


def unsaid(folder, root, unknowns):
    """Pairs that answer, although the description says that they do not."""
    variables = list(root.find("ModelVariables"))
    states = [int(v[0].get("derivative")) for v in variables if v[0].get("derivative")]
    library, component = opened(folder, root)
    values = (ctypes.c_double * len(states))()
    library.fmi2GetContinuousStates(component, values, len(states))
    for i in range(len(states)):
        values[i] += random.uniform(-0.1, 0.1)
    library.fmi2SetContinuousStates(component, values, len(states))
    one, answer = (ctypes.c_double * 1)(1.0), (ctypes.c_double * 1)()
    for unknown in unknowns:
        said = {int(number) for number in unknown.get("dependencies").split()}
        number = int(unknown.get("index"))
        for state in set(states) - said:
            pair = (ctypes.c_uint * 1)(number - 1), (ctypes.c_uint * 1)(state - 1)
            status = library.fmi2GetDirectionalDerivative(component, pair[0], 1, pair[1], 1, one, answer)
            if status == 0 and abs(answer[0]) > 1e-6:
                yield variables[number - 1].get("name"), variables[state - 1].get("name"), answer[0]
    library.fmi2FreeInstance(component)


def main():
    program, looked, wrong = sys.argv[1], 0, 0
    random.seed(1)
    with tempfile.TemporaryDirectory() as work:
        for number, scene in enumerate(sys.argv[2:]):
            folder, archive = pathlib.Path(work, f"m{number}"), pathlib.Path(work, f"m{number}.fmu")
            subprocess.run([program, "export", scene, "--quiet", "-o", str(archive)], check=True)
            zipfile.ZipFile(archive).extractall(folder)
            root = ET.parse(folder / "modelDescription.xml").getroot()
            unknowns = root.findall("ModelStructure/Derivatives/Unknown")
            if not unknowns or "dependencies" not in unknowns[0].attrib or len(unknowns) > MOST_STATES:
                continue
            looked += 1
            for pair in unsaid(folder, root, unknowns):
                print(scene, *pair)
                wrong += 1
    print(f"{looked} FMUs with dependencies, {wrong} pairs wrong")
    return wrong > 0 or looked < 10


if __name__ == "__main__":
    sys.exit(main())
