"""Scenes of the repository, run from Python: judged by the program, and by a Plan that says the same."""

import subprocess

import numpy as np
import pytest
import yaml

import stiction as st
from conftest import ROOT, all_scenes

STEPS = 60


def name_of(path):
    return path.parent.name


@pytest.mark.parametrize("path", all_scenes(), ids=name_of)
def test_rows_are_those_of_the_program(path, program, tmp_path):
    scene = st.load(path)
    steps = min(STEPS, round((scene.stop - scene.start_time) / scene.step))
    short = {"stop": scene.start_time + steps * scene.step, "every": 1, "expect": [], "variants": {}}
    if "figures:" in path.read_text():
        short["figures"] = []  # they may draw variants
    if "study:" in path.read_text():
        short = {"every": 1}  # its measures look at the whole run
    run = scene.change(short).run()
    out = tmp_path / "rows.csv"
    words = [word for key, value in short.items() for word in ("--set", f"{key}={value!r}")]
    subprocess.run([program, "run", path, "--quiet", *words, "-o", out], capture_output=True)
    with open(out) as file:
        names = file.readline().strip().split(",")
    if names[0] != "t":
        pytest.skip("a grid: its rows are runs")
    rows = np.loadtxt(out, delimiter=",", skiprows=1, ndmin=2)
    assert names[1:] == run.channels
    assert np.array_equal(rows[:, 0], run.t)
    assert np.array_equal(rows[:, 1:], run.data, equal_nan=True)


def as_scenes_read(value):
    """Plain texts of YAML as the scene reader takes them: on is a word, 1e-3 a number."""
    if isinstance(value, dict):
        return {k: as_scenes_read(v) for k, v in value.items()}
    if isinstance(value, list):
        return [as_scenes_read(v) for v in value]
    if value in ("true", "false"):
        return value == "true"
    try:
        return float(value)
    except ValueError:
        return value


def said_again(document):
    """The same scene, said by calls."""
    top = {k: v for k, v in document.items() if k not in ("parameters", "inputs", "bodies", "elements")}
    plan = st.Plan(**top)
    for name, value in (document.get("parameters") or {}).items():
        plan.parameter(name, value)
    for name, value in (document.get("inputs") or {}).items():
        if isinstance(value, dict) and "value" in value:
            plan.input(name, value["value"], unit=value.get("unit"))
        else:
            plan.input(name, value if isinstance(value, (str, dict)) else str(value))
    for section in ("bodies", "elements"):
        for name, keys in (document.get(section) or {}).items():
            words = {(k + "_" if k in ("from", "in") else k): v for k, v in keys.items() if k != "kind"}
            getattr(plan, keys["kind"].replace("-", "_"))(name, **words)
    return plan


@pytest.mark.parametrize("path", all_scenes(), ids=name_of)
def test_a_plan_says_what_yaml_says(path):
    document = as_scenes_read(yaml.load(path.read_text(), yaml.BaseLoader))
    plan = said_again(document)
    scene = plan.scene(folder=path.parent)
    other = st.load(path)
    assert scene.parameters == other.parameters
    assert scene.record == other.record
    one, two = scene.start(), other.start()
    one.step(20)
    two.step(20)
    assert one.hash == two.hash


@pytest.mark.parametrize("path", all_scenes(), ids=name_of)
def test_a_view_shows_what_a_row_shows(path):
    sim = st.load(path).start()
    run = sim.run(min(20, round((sim.scene.stop - sim.scene.start_time) / sim.scene.step)) * sim.scene.step, record="all")
    for name in run:
        view = sim[name]
        assert np.array_equal(view, run[name][-1], equal_nan=True), name


def test_the_readme_block(block):
    run = block.run()
    assert f"{run['block.x'][-1]:.6f}" == "3.973262"
    assert run["block.v"][-1] == 0.0
    assert run.units == {"block.x": "m", "block.v": "m/s", "friction.force": "N", "friction.stick": "1"}
    assert abs(run.energy.residual) < 1e-11
    assert run.figures["fallbacks"] == 0


def test_what_a_scene_consists_of(pushed):
    assert pushed.inputs == {"u": "N"}
    assert pushed.channels["block.v"] == "m/s"
    assert pushed.parameters["friction.level"].value == 3.0
    assert {c.name: c.role for c in pushed.components} == {"block": "body", "push": "impedance", "friction": "reaction"}
    assert pushed.method == "cut" and pushed.why_method


def test_errors_have_a_place():
    with pytest.raises(st.SceneError) as caught:
        st.loads("title: x\nstop: 1\nbodies:\n  b: {kind: point, mass: 1}\nelements:\n  f: {kind: friction, on: b, model: finite-tim, level: 1}\n")
    error = caught.value
    assert (error.file, error.line) == ("<text>", 6) and error.column > 1
    assert "did you mean 'finite-time'" in str(error)
    with pytest.raises(st.SceneError, match="nowhere.yaml"):
        st.load(ROOT / "nowhere.yaml")
    with pytest.raises(st.SceneError):
        st.loads("")


def test_set_and_variants():
    scene = st.load(ROOT / "papers/fixed-step/spring-pull", set={"step": 2e-3})
    assert scene.step == 2e-3
    again = scene.change({"stop": 0.01, "expect": []})
    assert again.stop == 0.01 and again.step == 2e-3


def test_error_control_runs_too():
    text = "title: x\nstop: 0.5\nstep: 1e-2\nmethod: {adaptive: dormand-prince, rtol: 1e-10, atol: 1e-12}\n" \
           "bodies: {b: {kind: point, mass: 1, velocity: [1]}}\nelements: {s: {kind: spring-damper, on: b, stiffness: 100}}\n"
    scene = st.loads(text)
    run = scene.run(record="b.*")
    assert abs(run["b.x"][-1] - np.sin(10 * 0.5) / 10) < 1e-8
    out = scene.rollout(record="b.x", start={"b.v": [1.0, 2.0]}, threads=2)
    assert np.array_equal(out["b.x"][0], run["b.x"][1:])
    beyond = scene.start().run(1.0, record="b.x")
    assert abs(beyond["b.x"][-1] - np.sin(10 * 1.0) / 10) < 1e-8
    assert np.allclose(out["b.x"][1], 2 * run["b.x"][1:], atol=1e-8)
