"""FMUs from Python: written by the program, with the names that were chosen."""

import zipfile
from xml.etree import ElementTree

import pytest

import stiction as st
from stiction._page import program

SCENE = """
stop: 1
inputs: {u: {unit: N, value: 0}}
bodies: {block: {kind: point, mass: 2}}
elements:
  push:     {kind: force, on: block, value: u}
  friction: {kind: friction, on: block, model: coulomb, level: 3}
"""

needs_program = pytest.mark.skipif(program() is None, reason="the program stiction is not there")


@needs_program
@pytest.mark.parametrize("version", [2, 3])
def test_export(tmp_path, version):
    path = tmp_path / "block.fmu"
    scene = st.loads(SCENE, set={"friction.level": 4})
    scene.export_fmu(path, fmi=version, inputs=["u"], outputs=["block.*"], tunable=["friction.level"])
    archive = zipfile.ZipFile(path)
    root = ElementTree.fromstring(archive.read("modelDescription.xml"))
    assert root.get("fmiVersion") == f"{version}.0"
    variables = {v.get("name"): v for v in root.find("ModelVariables")}
    level = variables["friction.level"]
    assert level.get("variability") == "tunable"
    assert float((level if version == 3 else level[0]).get("start")) == 4
    assert variables["u"].get("causality") == "input"
    assert variables["block.x"].get("causality") == "output"
    assert "friction.force" not in variables


@needs_program
def test_mistakes(tmp_path):
    scene = st.loads(SCENE)
    with pytest.raises(RuntimeError, match="there is no such channel"):
        scene.export_fmu(tmp_path / "x.fmu", outputs=["nothing"])
    assert not (tmp_path / "x.fmu").exists()
