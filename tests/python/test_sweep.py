"""Sweeps: judged by single runs, by the program's own rows, and by closed forms."""

import signal
import subprocess
import threading
import time

import numpy as np
import pytest

import stiction as st
from conftest import ROOT

SLIDE = """
step: 1e-3
stop: 1
bodies:
  block: {kind: point, mass: 1, velocity: [1]}
elements:
  friction: {kind: friction, on: block, model: finite-time, level: 10}
"""


@pytest.fixture
def slide():
    return st.loads(SLIDE)


def test_stopping_distances_are_those_of_the_closed_form(slide):
    table = slide.sweep({"friction.level": {"uniform": [5, 15]}, "block.mass": {"normal": [1, 0.1]}}, {"rest": "block.x@1"}, runs=64, seed=3)
    assert table.runs == 64 and table.parameters == ("friction.level", "block.mass") and table.measures == ("rest",)
    assert np.allclose(table["rest"], table["block.mass"] / (2 * table["friction.level"]), rtol=1e-9)
    assert not table.reasons and not table.status.any()
    assert 5 <= table["friction.level"].min() and table["friction.level"].max() <= 15


def test_rows_are_those_of_the_program(program, tmp_path):
    scene = st.load(ROOT / "scenes" / "gripper-study")
    table = scene.sweep(runs=40, threads=2)
    path = tmp_path / "runs.csv"
    subprocess.run([program, "sweep", ROOT / "scenes" / "gripper-study", "--runs", "40", "--quiet", "-o", path], check=False)
    rows = [line.split(",") for line in path.read_text().splitlines() if not line.startswith("#")]
    for i, name in enumerate(rows[0]):
        if name in table:
            assert [float(row[i]) for row in rows[1:]] == table[name].tolist(), name


def test_the_same_bits_for_any_number_of_threads(slide):
    tables = [slide.sweep({"friction.level": {"log": [0.5, 50]}}, {"rest": "block.x@1"}, runs=50, threads=n) for n in (1, 2, 5)]
    for table in tables[1:]:
        assert table["rest"].tobytes() == tables[0]["rest"].tobytes()


def test_lists_are_grids(slide):
    table = slide.sweep({"friction.level": [5, 10], "block.mass": np.array([1.0, 2.0, 4.0])}, {"rest": {"channel": "block.x", "at": 1}})
    assert table["friction.level"].tolist() == [5, 5, 5, 10, 10, 10] and table["block.mass"].tolist() == [1, 2, 4, 1, 2, 4]
    paired = slide.sweep({"friction.level": [5, 10], "block.mass": [1, 2]}, {"rest": "block.x@1"}, sample="list")
    assert np.allclose(paired["rest"], 0.1)


def test_runs_that_fail_are_rows_with_a_reason(slide):
    table = slide.sweep({"block.mass": [1, -1, 2]}, {"rest": "block.x@1"})
    assert table.status.astype(bool).tolist() == [False, True, False]
    assert list(table.reasons) == [1] and "mass" in table.reasons[1]
    assert np.isnan(table["rest"][1]) and np.isfinite(table["rest"][[0, 2]]).all()


def test_as_a_table_and_a_file(slide, tmp_path):
    table = slide.sweep({"block.mass": [1, -1]}, {"rest": "block.x@1"})
    assert list(table) == ["block.mass", "rest"] and len(table) == 2 and "2 runs" in repr(table) and "1 failed" in repr(table)
    table.save(tmp_path / "runs.csv")
    lines = (tmp_path / "runs.csv").read_text().splitlines()
    assert lines[0] == "run,status,block.mass,rest,reason" and float(lines[1].split(",")[3]) == table["rest"][0] and len(lines) == 3
    with pytest.raises(st.UnknownName, match="rest"):
        table["rst"]
    pandas = pytest.importorskip("pandas")
    frame = table.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == ["status", "block.mass", "rest", "reason"]
    assert "<table" in table._repr_html_()


@pytest.mark.parametrize(
    "vary, measure, options, text",
    [
        ({"friction.levl": {"uniform": [1, 2]}}, {"rest": "block.x@1"}, {"runs": 4}, "friction.levl"),
        ({"friction.level": {"uniform": [2, 1]}}, {"rest": "block.x@1"}, {"runs": 4}, "from below to"),
        ({"friction.level": {"uniform": [1, 2]}}, {"rest": "block.y@1"}, {"runs": 4}, "block.y"),
        ({"friction.level": {"uniform": [1, 2]}}, {"rest": "block.x@1"}, {"runs": 10**12}, "runs"),
        ({"friction.level": {"uniform": [1, 2]}}, None, {"runs": 4}, "measure"),
        (None, {"rest": "block.x@1"}, {}, "parameters"),
    ],
)
def test_bad_studies(slide, vary, measure, options, text):
    with pytest.raises(st.SceneError, match=text):
        slide.sweep(vary, measure, **options)


def test_bad_arguments(slide):
    with pytest.raises(ValueError, match="threads"):
        slide.sweep({"friction.level": [1]}, {"rest": "block.x@1"}, threads=0)
    with pytest.raises(ValueError, match="CHANNEL@TIME"):
        slide.sweep({"friction.level": [1]}, {"rest": "block.x"})
    with pytest.raises(ValueError, match="finite"):
        slide.sweep({"friction.level": [float("nan")]}, {"rest": "block.x@1"})


def test_progress_and_its_exceptions(slide):
    seen = []
    slide.sweep({"friction.level": {"uniform": [1, 20]}}, {"rest": "block.x@1"}, runs=500, progress=lambda done, runs: seen.append((done, runs)))
    assert seen and all(0 <= done <= 500 and runs == 500 for done, runs in seen)

    def refuse(done, runs):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        slide.sweep({"friction.level": {"uniform": [1, 20]}}, {"rest": "block.x@1"}, runs=100000, progress=refuse)


def test_an_interrupt_ends_it_soon(slide):
    begin = []

    def interrupt():
        begin.append(time.monotonic())
        signal.raise_signal(signal.SIGINT)

    timer = threading.Timer(0.3, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        slide.sweep({"friction.level": {"uniform": [1, 20]}}, {"rest": "block.x@1"}, runs=10**7)
    assert time.monotonic() - begin[0] < 2.0


def test_a_plan_can_be_swept():
    plan = st.Plan(step=1e-3, stop=1)
    block = plan.point("block", mass=1, velocity=[1])
    plan.friction("friction", on=block, model="finite-time", level=10)
    table = plan.scene().sweep({"friction.level": [5, 20]}, {"rest": "block.x@1"})
    assert np.allclose(table["rest"], [0.1, 0.025], rtol=1e-9)
