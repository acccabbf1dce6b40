"""Plans: what is wrong is said at the call."""

import inspect
import json

import numpy as np
import pytest

import stiction as st
from conftest import ROOT


def test_every_kind_and_key_is_there():
    schema = json.loads((ROOT / "docs/scene.schema.json").read_text())
    kinds = {n.split("-", 1)[1]: d for n, d in schema["definitions"].items() if n.startswith(("body-", "element-"))}
    assert len(kinds) > 10
    for kind, definition in kinds.items():
        method = getattr(st.Plan, kind.replace("-", "_"))
        words = [w.rstrip("_") for w in inspect.signature(method).parameters]
        assert set(definition["properties"]) - {"kind"} == set(words) - {"self", "name"}
        for key in set(definition["properties"]) - {"kind"}:
            assert key in method.__doc__


def test_errors_name_the_call():
    plan = st.Plan(step=1e-3, stop=1)
    block = plan.point("block", mass=1)
    plan.friction("f", on=block, model="finite-tim", level=1)  # the line that is wrong
    with pytest.raises(st.SceneError, match=r"friction\('f'\): there is no friction model 'finite-tim'; did you mean 'finite-time'") as caught:
        plan.scene()
    lines = open(__file__).read().splitlines()
    assert caught.value.file == __file__ and "the line that is wrong" in lines[caught.value.line - 1]


def test_calls_that_cannot_be():
    plan = st.Plan(step=1e-3)
    plan.point("block", mass=1)
    with pytest.raises(TypeError):
        plan.point("b", mas=1)
    with pytest.raises(ValueError, match="finite"):
        plan.point("b", mass=float("nan"))
    with pytest.raises(ValueError, match="already"):
        plan.point("block", mass=1)
    with pytest.raises(TypeError):
        plan.point("b", mass=object())
    with pytest.raises(TypeError):
        plan.point("", mass=1)
    with pytest.raises(TypeError):
        st.Plan(stepp=1)


def test_numbers_keep_all_digits(random, tmp_path):
    for _ in range(20):
        mass, level, speed = (float(x) for x in 10.0 ** random.uniform(-8, 8, size=3))
        plan = st.Plan(step=np.float64(1e-3), stop=1)
        block = plan.point("block", mass=np.float64(mass), velocity=np.array([speed]))
        plan.friction("friction", on=block, model="coulomb", level=level)
        scene = plan.scene()
        assert scene.parameters["block.mass"].value == mass
        assert scene.parameters["friction.level"].value == level
        assert scene.start()["block.v"] == speed
    plan.save(tmp_path / "plan.yaml")
    assert st.load(tmp_path / "plan.yaml").fingerprint == scene.fingerprint


def test_inputs_and_parameters():
    plan = st.Plan(step=1e-3, stop=0.1)
    force, level = plan.input("force", 3.0, unit="N"), plan.parameter("mu_level", 1.5)
    block = plan.point("block", mass=1)
    plan.force("push", on=block, value=force)
    plan.friction("friction", on=block, model="coulomb", level=level)
    scene = plan.scene()
    assert scene.inputs == {"force": "N"} and scene.parameters["friction.level"].value == 1.5
    assert scene.run(record="block.v")["block.v"][-1] == pytest.approx(0.15, abs=1e-12)


def test_without_a_stop_it_can_be_run_all_the_same():
    plan = st.Plan(step=1e-2)
    plan.point("block", mass=1, velocity=[1])
    assert plan.run(3.0)["block.x"][-1] == pytest.approx(3.0, abs=1e-12)
