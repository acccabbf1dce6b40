"""Many runs: judged by single ones, and by closed forms."""

import threading

import numpy as np
import pytest

import stiction as st
from conftest import BLOCK


def test_a_rollout_is_what_single_runs_are(pushed, random):
    forces = random.uniform(-20, 20, size=(9, 400))
    levels = random.uniform(0.5, 8, size=9)
    out = pushed.rollout(inputs={"u": forces}, set={"friction.level": levels}, record=["block.x", "friction.force"], threads=2)
    assert out.data.shape == (9, 400, 2)
    for i in range(9):
        run = pushed.start(set={"friction.level": levels[i]}).run(0.4, inputs={"u": forces[i]}, record=["block.x", "friction.force"])
        assert np.array_equal(out["block.x"][i], run["block.x"][1:])
        assert np.array_equal(out["friction.force"][i], run["friction.force"][1:])
    assert np.allclose(out.t, run.t[1:], atol=1e-12)


@pytest.mark.parametrize("record", [["block.x", "block.v"], ["block.x", "friction.force", "friction.stick"]])
def test_the_same_bits_for_any_number_of_threads(pushed, random, record):
    forces = random.uniform(-20, 20, size=(40, 200))
    levels = random.uniform(0.5, 8, size=40)
    outs = [pushed.rollout(inputs={"u": forces}, set={"friction.level": levels}, record=record, threads=n).data for n in (1, 2, 3, 8)]
    for other in outs[1:]:
        assert outs[0].tobytes() == other.tobytes()


def test_starts_and_shared_inputs(pushed, random):
    speeds = random.uniform(0.1, 2.0, size=20)
    out = pushed.rollout(inputs={"u": np.zeros(1000)}, start={"block.v": speeds}, record="block.*", threads=2)
    assert np.allclose(out["block.x"][:, -1], np.where(speeds * 2 / 3 <= 1, speeds**2 * 2 / (2 * 3), speeds - 0.75), atol=1e-12)
    saved = pushed.start()
    saved["block.v"] = 1.0
    one = pushed.rollout(duration=0.5, state=saved.save(), record="block.v")
    assert one["block.v"].shape == (1, 500) and abs(one["block.v"][0, -1] - 0.25) < 1e-12


def test_a_run_that_fails_is_named(pushed):
    levels = [1.0, -1.0, 2.0]
    with pytest.raises(st.RolloutError, match="run 1: friction.level") as caught:
        pushed.rollout(set={"friction.level": levels}, rows=10)
    assert list(caught.value.errors) == [1]
    out = pushed.rollout(set={"friction.level": levels}, rows=10, errors="keep", threads=2)
    assert np.isnan(out["block.x"][1]).all() and np.isfinite(out["block.x"][[0, 2]]).all()
    assert out.steps.tolist() == [10, 0, 10]


def test_the_plan_is_as_it_was(pushed):
    before = pushed.run(0.1, inputs={"u": 5.0}).data
    pushed.rollout(set={"friction.level": [1.0, 2.0]}, rows=5)
    assert pushed.parameters["friction.level"].value == 3.0
    assert np.array_equal(before, pushed.run(0.1, inputs={"u": 5.0}).data)


def test_shapes(pushed):
    with pytest.raises(ValueError, match="numbers of runs differ"):
        pushed.rollout(inputs={"u": np.zeros((3, 10))}, set={"friction.level": [1, 2]})
    with pytest.raises(ValueError, match="does not fit"):
        pushed.rollout(inputs={"u": np.zeros((3, 10))}, rows=11)
    with pytest.raises(ValueError, match="finite"):
        pushed.rollout(inputs={"u": [0.0, np.nan]})
    with pytest.raises(ValueError, match="dimensions"):
        pushed.rollout(inputs={"u": np.zeros((1, 2, 3))})
    with pytest.raises(st.UnknownName, match="did you mean 'u'|there is no input"):
        pushed.rollout(inputs={"w": [0.0]})
    with pytest.raises(st.UnknownName, match="friction.level"):
        pushed.rollout(set={"friction.levle": [1.0]})
    with pytest.raises(ValueError, match="threads"):
        pushed.rollout(rows=1, threads=0)
    assert pushed.rollout(rows=0)["block.x"].shape == (1, 0)
    with pytest.raises(st.RolloutError, match="state"):
        st.loads(BLOCK).rollout(rows=1, state=pushed.start().save())
    with pytest.raises(st.RolloutError, match="no number of the state"):
        pushed.rollout(rows=1, start={"friction.force": [1.0]})


def test_parameters_can_be_read_while_a_rollout_sets_them(pushed, random):
    seen, ended = [], threading.Event()

    def roll():
        pushed.rollout(set={"friction.level": random.uniform(1, 5, size=400)}, rows=20, threads=2)
        ended.set()

    thread = threading.Thread(target=roll)
    thread.start()
    while not ended.is_set():
        seen.append(pushed.parameters["friction.level"].value)
    thread.join()
    assert set(seen) <= {3.0} and pushed.parameters["friction.level"].value == 3.0
