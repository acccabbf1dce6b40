"""Friction models: judged by their equations written out, and by scenes that move the same way."""

import json

import numpy as np
import pytest

import stiction as st
from stiction import models

PARAMETERS = {
    "viscous-approximation": dict(level=2.0, eps=0.05),
    "dahl": dict(level=2.0, stiffness=1e3),
    "lugre": dict(level=1.0, static=1.3, stribeck_speed=0.05, stiffness=1e3, damping=1.0, viscous=0.5),
    "elastoplastic": dict(level=2.0, stiffness=1e3, damping=1.0, viscous=0.5, breakaway=0.6),
    "elastic-coulomb": dict(level=2.0, stiffness=1e3, damping=3.0),
    "maxwell-slip": dict(level=[0.5, 1.0, 0.5], stiffness=[500.0, 300.0, 100.0]),
    "leuven": dict(level=2.0, stiffness=[500.0, 300.0], bank_level=[1.0, 1.5], exponent=2.0, damping=1.0, viscous=0.5),
    "gms": dict(level=2.0, stiffness=[500.0, 300.0], share=[0.4, 0.6], rate=5.0, viscous=0.5),
    "linear-continuous": dict(level=2.0, stiffness=1e3, damping=3.0, mass=0.0),
    "bouc-wen": dict(level=2.0, stiffness=1e3, viscous=0.5),
    "rate-and-state": dict(level=2.0),
    "coulomb": dict(level=2.0, static=2.5),
    "finite-time": dict(level=2.0),
    "karnopp": dict(level=2.0, eps=0.01),
    "quinn": dict(level=2.0, eps=0.01),
}


def test_all_models_are_here():
    assert set(PARAMETERS) <= set(models.kinds())
    for name, kind in models.kinds().items():
        function = getattr(models, name.replace("-", "_"))
        assert kind.summary[1:20] in function.__doc__ and "level" in str(function.__doc__)
    assert {"coulomb", "viscous", "stribeck", "tanh", "gear", "directional", "table"} <= set(models.laws())


@pytest.mark.parametrize("name", [n for n in PARAMETERS if not models.kinds()[n].reaction])
def test_stepping_is_what_a_scene_does(name):
    """A body whose motion is given, by the rule of one evaluation per step."""
    keys = ", ".join(f"{k}: {json.dumps(v)}" for k, v in PARAMETERS[name].items())
    elements = ", elements: %d" % len(PARAMETERS[name]["stiffness"]) if isinstance(PARAMETERS[name].get("stiffness"), list) else ""
    scene = st.loads(f"title: x\nstep: 1e-3\nstop: 2\nmethod: euler\nbodies:\n  hand: {{kind: motion, x: '0.05*sin(4*t) + 0.01*sin(31*t)'}}\n"
                     f"elements:\n  f: {{kind: friction, on: hand, model: {name}, {keys}{elements}}}\nrecord: [hand.v, f.force]\n")
    run = scene.run()
    model = models.Model(name, **PARAMETERS[name])
    forces = np.array([model.step(v, 1e-3) for v in run["hand.v"][:-1]])
    assert np.allclose(forces, run["f.force"][1:], rtol=1e-9, atol=1e-9)
    model.reset()
    assert model.step(run["hand.v"][0], 1e-3) == forces[0]


@pytest.mark.parametrize("name", [n for n in PARAMETERS if models.kinds()[n].reaction])
@pytest.mark.parametrize("seed", range(3))
def test_masses_move_as_in_a_scene(name, seed):
    random = np.random.default_rng(seed)
    push, mass, start = 4.0 * random.normal(size=400).cumsum() / 20, random.uniform(0.3, 3), random.normal() / 3
    keys = ", ".join(f"{k}: {v}" for k, v in PARAMETERS[name].items())
    scene = st.loads(f"title: x\nstep: 1e-3\nstop: 1\nmethod: rule\nsolver: sweeps\ninputs: {{u: {{value: 0}}}}\n"
                     f"bodies: {{b: {{kind: point, mass: {mass!r}, velocity: [{start!r}]}}}}\n"
                     f"elements:\n  push: {{kind: force, on: b, value: u}}\n  f: {{kind: friction, on: b, model: {name}, {keys}}}\n")
    run = scene.run(0.4, inputs={"u": push}, record=["b.v", "f.force"])
    model = models.Model(name, **PARAMETERS[name])
    if len(model.discrete):
        model.discrete[0] = 1.0  # what moves at the start slips
    v, seen = start, []
    for force in push:
        f, v = model.step(v, 1e-3, force=force, mass=mass)
        seen.append((v, f))
    assert np.allclose(np.array(seen), run.data[1:], rtol=1e-9, atol=1e-10)


def test_equations(random):
    v, z = random.normal(size=(2, 50)) * [[0.3], [1e-3]]
    F, K, B, S = 2.0, 1e3, 1.5, 0.7
    f, zdot = models.lugre(v, z, level=F, stiffness=K, damping=B, viscous=S)
    expected = v - K * np.abs(v) * z / F
    assert np.allclose(zdot, expected, rtol=1e-13) and np.allclose(f, K * z + B * expected + S * v, rtol=1e-12)
    f, zdot = models.dahl(v, z, level=F, stiffness=K)
    assert np.allclose(f, K * z) and np.allclose(zdot, v * (1 - K * z * np.sign(v) / F), rtol=1e-12)
    tau = 1e-3
    f, edot = models.elastic_coulomb(v, z, level=F, stiffness=K, damping=B, tau=tau)
    asked = (B + tau * K) * v + K * z
    assert np.allclose(f, np.clip(asked, -F, F), rtol=1e-13) and np.allclose(edot, (f - K * z) / (B + tau * K), rtol=1e-11, atol=1e-12)
    assert np.allclose(models.viscous_approximation(v, level=F, eps=0.05), np.clip(F * v / 0.05, -F, F), rtol=1e-13)
    mass, force, T = random.uniform(0.1, 3, size=50), 5 * random.normal(size=50), 1e-2
    f, end = models.coulomb(v, force, mass=mass, T=T, level=F)
    free = v + T * force / mass
    assert np.allclose(f, np.clip(mass * free / T, -F, F), rtol=1e-12)
    assert np.allclose(end, free - T / mass * np.clip(mass * free / T, -F, F), atol=1e-14)
    assert np.all((end == 0.0) == (np.abs(mass * free / T) <= F))


def test_laws(random):
    v = random.uniform(0, 2, size=40)
    assert np.allclose(models.level("stribeck", v, level=1.0, static=2.0, stribeck_speed=0.1, stribeck_exponent=2.0, viscous=0.3),
                       1 + np.exp(-((v / 0.1) ** 2)) + 0.3 * v, rtol=1e-14)
    assert np.allclose(models.level("table", v, table=[[0, 2], [1, 1], [2, 4]]), np.interp(v, [0, 1, 2], [2, 1, 4]))
    assert np.allclose(models.level("coulomb", v, mu=0.3, load=7.0), 2.1)
    assert models.level("directional", 1.0, direction=[1, -1], level=1.0, level_backward=2.0).tolist() == [1.0, 2.0]


def test_shapes(random):
    v = random.normal(size=(3, 1))
    f, zdot = models.lugre(v, np.zeros(4), level=1.0, stiffness=1e3)
    assert f.shape == zdot.shape == (3, 4)
    f, zdot = models.maxwell_slip(v[:, 0], np.zeros((3, 2)), level=[1.0, 2.0], stiffness=[1e3, 1e3])
    assert f.shape == (3,) and zdot.shape == (3, 2)
    f, zdot = models.lugre(0.1, level=1.0, stiffness=1e3)
    assert np.isscalar(f) or f.shape == ()


def test_bad_input():
    for call, error in [
        (lambda: models.Model("lugr", level=1), KeyError),
        (lambda: models.Model("lugre", levl=1.0), TypeError),
        (lambda: models.Model("lugre", level=-1.0, stiffness=1e3), ValueError),
        (lambda: models.Model("lugre", level=1.0, stiffness=float("nan")), ValueError),
        (lambda: models.Model("lugre", level=1.0, stiffness=1e3, law="stribek"), KeyError),
        (lambda: models.Model("lugre", level=1.0, mu=1.0, stiffness=1e3), TypeError),
        (lambda: models.Model("maxwell-slip", level=[1.0], stiffness=[1.0, 2.0]), ValueError),
        (lambda: models.Model("gms", level=1.0, stiffness=[1.0, 2.0], share=[0.5], rate=1.0), ValueError),
        (lambda: models.Model("gms", level=1.0, stiffness=[1.0], share=[0.5, 0.5], rate=1.0), ValueError),
        (lambda: models.Model("leuven", level=1.0, stiffness=[1.0] * 4, bank_level=[2.0], exponent=1.0), ValueError),
        (lambda: models.Model("lugre", level=[1.0, 2.0], stiffness=1e3), (TypeError, ValueError)),
        (lambda: models.Model("maxwell-slip", level=[1.0]), ValueError),
        (lambda: models.Model("maxwell-slip"), ValueError),
        (lambda: models.Model("lugre", stiffness=1e3), TypeError),
        (lambda: models.Model("gms", level=1.0, elements=3), TypeError),
        (lambda: models.coulomb(1.0, mass=0.0, T=1e-3, level=1.0), ValueError),
        (lambda: models.coulomb(1.0, mass=1.0, T=0.0, level=1.0), ValueError),
        (lambda: models.Model("coulomb", level=1.0).step(1.0, 1e-3), ValueError),
        (lambda: models.Model("lugre", level=1.0, stiffness=1e3).step(1.0, 1e-3, mass=1.0), TypeError),
        (lambda: models.maxwell_slip(1.0, np.zeros(3), level=[1.0, 2.0], stiffness=[1.0, 1.0]), ValueError),
        (lambda: models.lugre(np.zeros(3), np.zeros(4), level=1.0, stiffness=1e3), ValueError),
        (lambda: models.nothing, AttributeError),
    ]:
        with pytest.raises(error):
            call()
