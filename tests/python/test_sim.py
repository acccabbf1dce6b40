"""Live views, steps, saved states, settings."""

import copy
import gc
import pickle

import numpy as np
import pytest

import stiction as st
from conftest import BLOCK


def test_views_are_live_and_no_copies(block):
    sim = block.start()
    x, v = sim["block.x"], sim["block.v"]
    assert x.shape == () and x is sim["block.x"]
    sim.step(1000)
    assert x == sim.positions("block")[0] > 0.0
    assert np.shares_memory(x, sim.positions("block"))
    v[...] = 2.0
    assert sim.velocities("block")[0] == 2.0
    sim["block.x"] = 0.25
    assert sim.positions("block")[0] == 0.25


def test_what_is_computed_can_be_read_only(block):
    sim = block.start()
    force = sim["friction.force"]
    with pytest.raises(ValueError, match="read-only"):
        force[...] = 1.0
    sim.step(1500)
    assert abs(force) <= 10.0 and force != 0.0
    run = block.start().run(1.5)
    assert force == run["friction.force"][-1]


def test_views_outlive_their_sim(block):
    sim = block.start()
    x = sim["block.x"]
    sim.step(500)
    last = float(x)
    sim.close()
    assert x == last
    del sim
    gc.collect()
    assert x == last
    x[...] = 3.0  # its memory is still there
    assert x == 3.0


def test_steps_and_runs_come_to_the_same_bits(block):
    stepped, run = block.start(), block.start()
    for _ in range(700):
        stepped.step()
    run.run(0.7)
    assert stepped.hash == run.hash and stepped.t == run.t == pytest.approx(0.7)


@pytest.mark.parametrize("seed", range(6))
def test_a_restored_state_goes_on_with_the_same_bits(seed):
    random = np.random.default_rng(seed)
    scene = st.loads(BLOCK, set={"friction.model": ["coulomb", "finite-time"][seed % 2], "friction.level": float(random.uniform(1, 20))})
    sim = scene.start()
    sim.step(int(random.integers(1, 2000)))
    saved = sim.save()
    sim.step(500)
    first = sim.hash
    sim.restore(saved)
    sim.step(500)
    assert sim.hash == first
    for other in (pickle.loads(pickle.dumps(sim)), sim.copy(), copy.copy(sim)):
        assert other.hash == first and other is not sim
        other.step(10)
        assert sim.hash == first


def test_pickled_scenes_and_runs(block, tmp_path):
    again = pickle.loads(pickle.dumps(block))
    assert again.fingerprint == block.fingerprint
    run = block.run(0.1)
    kept = pickle.loads(pickle.dumps(run))
    assert np.array_equal(kept.data, run.data) and kept.units == run.units and kept.energy == run.energy
    path = tmp_path / "scene.yaml"
    path.write_text(BLOCK)
    bytes_ = pickle.dumps(st.load(path))
    path.write_text(BLOCK.replace("level: 10", "level: 11"))
    with pytest.raises(st.SceneError, match="changed"):
        pickle.loads(bytes_)


def test_settings_act_from_now_on(block):
    sim = block.start()
    x = sim["block.x"]
    sim.step(500)
    sim.set("friction.level", 2.0)
    sim.step(500)
    whole = block.start(set={"friction.level": 2.0})
    whole.step(1000)
    plain = block.start()
    plain.step(1000)
    assert x == sim["block.x"] and x not in (whole["block.x"], plain["block.x"])
    assert block.parameters["friction.level"].value == 10.0
    other = pickle.loads(pickle.dumps(sim))
    sim.step(100)
    other.step(100)
    assert sim.hash == other.hash


def test_rows(block):
    sim = block.start()
    run = sim.run(1.0, every=7, record=["block.*"])
    assert run.channels == ["block.x", "block.v"]
    assert list(np.rint(run.t * 1000).astype(int)) == [*range(0, 1000, 7), 1000]
    more = sim.run(until=1.5)
    assert more.t[0] == 1.0 and more.t[-1] == 1.5 and len(more.t) == 501
    assert sim.run(0.0).t.tolist() == [1.5]
    frame = more.to_pandas() if _has("pandas") else None
    if frame is not None:
        assert frame["block.x"].iloc[-1] == more["block.x"][-1]


def test_a_recording_as_csv(block, tmp_path):
    run = block.run(0.05)
    run.save(tmp_path / "rows.csv")
    rows = np.loadtxt(tmp_path / "rows.csv", delimiter=",", skiprows=1)
    assert np.array_equal(rows[:, 1:], run.data) and np.array_equal(rows[:, 0], run.t)


def _has(module):
    import importlib.util

    return importlib.util.find_spec(module) is not None
