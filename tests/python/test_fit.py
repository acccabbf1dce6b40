"""Fits from Python: the same code, the same numbers as on the command line."""

import numpy as np
import pytest

import stiction as st

TEXT = """
title: A block, pushed
step: 5e-3
stop: 3
inputs: {u: "12*sin(1.7*t) + 6*sin(4.1*t)"}
bodies: {block: {kind: point, mass: 2}}
elements:
  push: {kind: force, on: block, value: u}
  friction: {kind: friction, on: block, model: coulomb, level: 4, viscous: 3}
record: [block.x, u]
"""


@pytest.fixture(scope="module")
def log():
    run = st.loads(TEXT).run()
    noise = 1e-3 * np.random.default_rng(3).standard_normal(run.t.size)
    return {"t": run.t, "x": run["block.x"] + noise, "u": run["u"]}


def fit(log, **more):
    scene = st.loads(TEXT, set={"friction.level": 9})
    return st.fit(scene, log, {"block.x": "x"}, {"u": "u"}, {"friction.level": [0, 20], "friction.viscous": [0, 20]}, starts=1, **more)


def test_true_values_are_inside(log):
    found = fit(log)
    assert isinstance(found, st.Fit)
    for name, truth in {"friction.level": 4.0, "friction.viscous": 3.0}.items():
        one = found.parameters[name]
        assert one.low < truth < one.high and one.determined
        assert abs(found[name] - truth) < 0.1
    assert 0.8e-3 < found.errors["block.x"].rms < 1.2e-3
    assert found.series[0].measured.shape == found.series[0].simulated.shape == log["t"].shape
    assert found.correlations.shape == (2, 2)


def test_settings_reproduce_the_misfit(log):
    found = fit(log)
    again = st.fit(st.loads(TEXT, set=found.settings), log, {"block.x": "x"}, {"u": "u"}, ["friction.level"], evaluate=True)
    assert again.errors["block.x"].rms == found.errors["block.x"].rms


def test_threads_do_not_matter(log):
    assert dict(fit(log, threads=1)) == dict(fit(log, threads=3))


def test_models_by_name(log):
    fits = fit(log, models=["coulomb", "stribeck"], folds=0)
    assert list(fits) == ["coulomb", "stribeck"]
    assert "friction.static" in fits["stribeck"].parameters


def test_bad_logs(log):
    with pytest.raises(st.SceneError, match="there is no column 'y'"):
        st.fit(st.loads(TEXT), log, {"block.x": "y"}, {"u": "u"}, ["friction.level"])
    broken = {**log, "x": np.where(log["t"] > 1, np.nan, log["x"])}
    with pytest.raises(st.SceneError, match="not finite"):
        fit(broken)
    with pytest.raises(st.FitError, match="no key 'leve'"):
        st.fit(st.loads(TEXT), log, {"block.x": "x"}, {"u": "u"}, {"friction.leve": [0, 20]})
