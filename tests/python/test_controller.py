"""Controllers: judged by the same loop written out, and by a C program's numbers."""

import ctypes
import os
import shutil
import subprocess

import numpy as np
import pytest

import stiction as st


def loop(arm, steps, every):
    sim = arm.start()
    q, qd = sim["arm.shoulder.q"], sim["arm.shoulder.qd"]
    for k in range(steps):
        if k % every == 0:
            sim["volts"] = 30.0 * (0.5 - float(q)) - 2.0 * float(qd)
        sim.step()
    return sim


@pytest.mark.parametrize("every", [1, 2, 5])
def test_a_controller_is_a_loop(arm, every):
    @st.controller(period=every * 1e-3, reads=["arm.shoulder.q", "arm.shoulder.qd"], writes="volts")
    def pd(t, q, qd):
        return 30.0 * (0.5 - q) - 2.0 * qd

    sim = arm.start()
    run = sim.run(1.0, controllers=pd)
    assert sim.hash == loop(arm, 1000, every).hash
    assert run.complete and sim["arm.shoulder.q"] == run["arm.shoulder.q"][-1]


def test_controllers_read_forces_and_write_several(pushed):
    seen = []

    @st.controller(period=0.1, reads=["block.v", "friction.force"], writes=["u"])
    def push(t, v, force):
        seen.append((t, v, force))
        return [4.0 if t < 0.5 else 0.0]

    run = pushed.run(controllers=[push])
    assert [round(t, 9) for t, _, _ in seen] == [round(0.1 * i, 9) for i in range(10)]
    for t, v, force in seen[1:]:
        row = round(t / 1e-3)
        assert v == run["block.v"][row] and force == run["friction.force"][row]


def test_a_controller_that_raises_ends_the_run(pushed):
    @st.controller(period=1e-3, reads=[], writes="u")
    def fails(t):
        if t > 0.02:
            raise ZeroDivisionError("at last")
        return 5.0

    sim = pushed.start()
    with pytest.raises(ZeroDivisionError, match="at last"):
        sim.run(controllers=fails)
    assert sim.last_run is not None and not sim.last_run.complete and len(sim.last_run.t) == 22
    sim.run(0.01)  # it goes on


@pytest.mark.parametrize("answer", [float("nan"), float("inf"), "text", [1.0, 2.0], object()])
def test_answers_that_are_no_numbers(pushed, answer):
    sim = pushed.start()
    bad = st.Controller(lambda t: answer, 1e-3, [], "u")
    with pytest.raises((ValueError, TypeError)):
        sim.run(controllers=bad)


def test_none_leaves_inputs_alone(pushed):
    sim = pushed.start()
    sim["u"] = 7.0
    sim.run(0.01, controllers=st.Controller(lambda t: None, 1e-3, [], "u"))
    assert sim["u"] == 7.0


def test_a_controller_cannot_use_its_own_sim(pushed):
    sim = pushed.start()
    for call in (lambda t: sim.step(), lambda t: sim.run(0.1), lambda t: sim.restore(saved), lambda t: sim.close(), lambda t: sim.save()):
        saved = sim.save()
        with pytest.raises(st.BusyError):
            sim.run(0.1, controllers=st.Controller(call, 1e-3, [], "u"))


def test_wrong_names_and_periods(pushed):
    def run(**words):
        pushed.run(controllers=st.Controller(lambda *a: 0.0, **words))

    with pytest.raises(st.UnknownName, match="did you mean 'block"):
        run(period=1e-3, reads="block.w", writes="u")
    with pytest.raises(st.UnknownName, match="u"):
        run(period=1e-3, reads="block.v", writes="volts")
    with pytest.raises(ValueError, match="multiple"):
        run(period=1.5e-3, reads="block.v", writes="u")
    with pytest.raises(ValueError, match="period"):
        run(period=0.0, reads="block.v", writes="u")
    with pytest.raises(ValueError, match="something else"):
        pushed.run(inputs={"u": 1.0}, controllers=st.Controller(lambda t: 0.0, 1e-3, [], "u"))
    for nothing in ("text", b"bytes", None, 7, [1]):
        with pytest.raises(TypeError, match="a controller is a function"):
            st.Controller(nothing, 1e-3, [], "u")
    with pytest.raises(TypeError, match="no controller"):
        pushed.run(controllers=[lambda t: 0.0])


def test_a_compiled_function(arm, tmp_path):
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    source, library = tmp_path / "pd.c", tmp_path / "pd.so"
    source.write_text("void pd(double t, const double *r, double *w) { w[0] = 30.0 * (0.5 - r[0]) - 2.0 * r[1]; }")
    environment = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
    subprocess.run([compiler, "-ffp-contract=off", "-shared", "-fPIC", "-o", library, source], check=True, env=environment)
    pd = ctypes.CDLL(str(library)).pd
    sim = arm.start()
    sim.run(1.0, controllers=st.Controller(pd, 1e-3, ["arm.shoulder.q", "arm.shoulder.qd"], "volts"))
    assert sim.hash == loop(arm, 1000, 1).hash


def test_numba(arm):
    numba = pytest.importorskip("numba")

    @numba.cfunc(numba.void(numba.float64, numba.types.CPointer(numba.float64), numba.types.CPointer(numba.float64)))
    def pd(t, reads, writes):
        writes[0] = 30.0 * (0.5 - reads[0]) - 2.0 * reads[1]

    sim = arm.start()
    sim.run(1.0, controllers=st.Controller(pd, 1e-3, ["arm.shoulder.q", "arm.shoulder.qd"], "volts"))
    assert sim["arm.shoulder.q"] == pytest.approx(float(loop(arm, 1000, 1)["arm.shoulder.q"]), abs=1e-9)
