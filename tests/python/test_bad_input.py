"""Whatever is handed in: an exception that says what is wrong, never a crash."""

import threading

import numpy as np
import pytest

import stiction as st
from stiction import _core


def test_names(block):
    sim = block.start()
    with pytest.raises(st.UnknownName, match="did you mean 'block.x'"):
        sim["blok.x"]
    with pytest.raises(KeyError):
        sim["nothing at all"]
    with pytest.raises(st.UnknownName, match="friction"):
        sim.memory("frction")
    with pytest.raises(st.UnknownName, match="friction.level"):
        sim.set("friction.levl", 1.0)
    with pytest.raises(st.UnknownName):
        sim.run(record="blok.*")
    with pytest.raises(st.UnknownName, match="block.x"):
        sim.run(0.01)["block.y"]
    with pytest.raises(st.UnknownName, match="no input"):
        sim.run(inputs={"u": 1.0})


def test_numbers(pushed):
    sim = pushed.start()
    for bad in (float("nan"), float("inf"), -float("inf")):
        with pytest.raises(ValueError):
            sim["block.x"] = bad
        with pytest.raises(ValueError):
            sim.run(inputs={"u": bad})
        with pytest.raises(ValueError):
            sim.run(bad)
        with pytest.raises(ValueError):
            sim.set("friction.level", bad)
    for call in (lambda: sim.run(-1.0), lambda: sim.run(0.0005), lambda: sim.run(0.1, every=0), lambda: sim.step(-1)):
        with pytest.raises(ValueError):
            call()
    with pytest.raises(TypeError):
        sim.run(1.0, until=2.0)
    with pytest.raises(ValueError, match="does not fit"):
        sim.run(0.1, inputs={"u": np.zeros(99)})
    with pytest.raises(ValueError, match="above 0|not be below|level"):
        sim.set("friction.level", -3.0)
    sim.step(1)


def test_values_that_no_scene_can_have(pushed):
    for bad in (float("nan"), [1.0, float("inf")], np.array([np.nan])):
        with pytest.raises(ValueError, match="finite"):
            pushed.change({"block.position": bad})
    with pytest.raises(TypeError):
        pushed.change({"block.mass": object()})
    assert pushed.change({"block.mass": np.float64(3), "block.position": np.array([0.5])}).start()["block.x"] == 0.5


def test_nan_in_the_state_is_a_failed_step(pushed):
    sim = pushed.start()
    sim.step(10)
    sim.positions("block")[0] = np.nan
    before = sim.k
    with pytest.raises(st.StepError) as caught:
        sim.step(5)
    assert caught.value.component == "block" and sim.k == before
    sim.positions("block")[0] = 0.0
    sim.step(5)


def test_nan_from_an_input_names_component_and_time(pushed):
    sim = pushed.start()
    sim.run(0.1)
    sim["u"][...] = np.nan  # a view is memory: it is the step that refuses
    good = sim.hash
    with pytest.raises(st.StepError) as caught:
        sim.run(0.1)
    assert caught.value.component and caught.value.t == pytest.approx(0.1) and caught.value.run is sim.last_run
    assert sim.hash == good


def test_a_run_that_runs_away_keeps_its_rows():
    scene = st.loads("title: x\nstop: 10\nstep: 0.1\nmethod: euler\nbodies: {b: {kind: point, mass: 1, velocity: [1]}}\n"
                     "elements: {s: {kind: spring-damper, on: b, stiffness: 4000}}\n")
    sim = scene.start()
    with pytest.raises(st.StepError, match="energy") as caught:
        sim.run()
    assert caught.value.component == "b" and len(caught.value.run.t) > 1 and not caught.value.run.complete


def test_use_after_close(block):
    sim = block.start()
    x = sim["block.x"]
    sim.close()
    sim.close()
    for call in (sim.step, lambda: sim.run(0.1), lambda: sim.restore(b""), lambda: sim.set("friction.level", 1.0), lambda: sim["spring.force"]):
        with pytest.raises(st.ClosedError):
            call()
    assert x == 0.0 and sim.t == 0.0 and sim.closed and isinstance(sim.save(), bytes)


def test_two_threads_on_one_sim(block):
    sim = block.start()
    seen = []
    started = threading.Event()

    def run():
        started.set()
        for _ in range(20):
            try:
                sim.run(0.2)
                seen.append("ran")
            except st.BusyError:
                seen.append("busy")

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert "ran" in seen and set(seen) <= {"ran", "busy"}
    assert sim.k == 200 * seen.count("ran")


def test_many_threads_share_a_scene(block):
    hashes = [None] * 6

    def run(i):
        with block.start() as sim:
            for _ in range(10):
                sim.run(0.1)
            hashes[i] = sim.hash

    threads = [threading.Thread(target=run, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    whole = block.start()
    whole.step(1000)
    assert set(hashes) == {whole.hash}


def test_other_threads_run_meanwhile(block):
    sim = block.start()
    counted = [0, 0]
    thread = threading.Thread(target=lambda: sim.run(40.0, every=10**6))
    thread.start()
    while thread.is_alive():
        counted[0] += 1
        counted[1] = max(counted[1], sim.k)  # the state can be looked at
    assert counted[0] > 100 and sim.k == 40_000


def test_damaged_states(block, pushed, random):
    sim = block.start()
    sim.step(100)
    saved, good = sim.save(), sim.hash
    for bad in (b"", saved[:-1], saved + b"x", pushed.start().save(), bytes(len(saved))):
        with pytest.raises(ValueError):
            sim.restore(bad)
    for _ in range(50):
        flipped = bytearray(saved)
        flipped[random.integers(len(saved))] ^= 1 << random.integers(8)
        with pytest.raises(ValueError):
            sim.restore(bytes(flipped))
    assert sim.hash == good
    with pytest.raises(TypeError):
        sim.restore("text")


def test_the_extension_itself_refuses_nonsense(pushed):
    core = pushed.start()._core
    none = np.zeros(0, dtype=np.intc)
    ints, numbers = np.zeros(1, dtype=np.intc), np.zeros(4)
    calls = [
        lambda: _core.Scene(), lambda: _core.Scene(1, 2, 3, 4, 5), lambda: _core.Scene("x", None, "text", None, None),
        lambda: _core.Scene("x", None, [1], None, None), lambda: _core.Scene("x\0y", None, [], None, None),
        lambda: _core.Sim(), lambda: _core.Sim(None), lambda: _core.View(), lambda: _core.Network(),
        lambda: core.channel(-1), lambda: core.channel(10**6), lambda: core.channel("x"), lambda: core.part("x", "y"),
        lambda: core.run(1, 1, ints + 99, numbers, numbers, None, None, ()),
        lambda: core.run(1, 1, numbers, numbers, numbers, None, None, ()),
        lambda: core.run(1, 1, ints, numbers, numbers[:1], None, None, ()),
        lambda: core.run(1, 0, ints, numbers, numbers, None, None, ()),
        lambda: core.run(-1, 1, ints, numbers, numbers, None, None, ()),
        lambda: core.run(9, 1, ints, numbers, numbers, ints, numbers, ()),
        lambda: core.run(1, 1, ints, numbers, numbers, ints + 5, numbers, ()),
        lambda: core.run(1, 1, ints, numbers, numbers, None, None, ((None, 0, 1, none, none, "c"),)),
        lambda: core.run(1, 1, ints, numbers, numbers, None, None, ((print, 0, 0, none, none, "c"),)),
        lambda: core.run(1, 1, ints, numbers, numbers, None, None, ((print, 0, 1, ints + 99, none, "c"),)),
        lambda: core.run(1, 1, ints, numbers[::2], numbers, None, None, ()),
        lambda: core.adopt(None), lambda: core.restore(None), lambda: core.step("x"),
        lambda: _core.rollout(pushed._core, 5, 1, ints, numbers[:1], ints, np.zeros(1, dtype=np.int64), None, True, [], numbers, none, numbers, None),
        lambda: _core.rollout(pushed._core, 1, 1, ints + 99, numbers, ints, np.zeros(1, dtype=np.int64), None, True, [], numbers, none, numbers, None),
        lambda: _core.rollout(None, 1, 1, ints, numbers, ints, ints, None, True, [], numbers, none, numbers, None),
    ]
    for i, call in enumerate(calls):
        with pytest.raises(Exception) as caught:
            call()
        assert not isinstance(caught.value, SystemError), f"call {i}: {caught.value}"


@pytest.mark.slow  # the sanitizer keeps freed memory back
def test_nothing_leaks(pushed):
    import resource

    def work():
        for _ in range(60):
            sim = pushed.start(set={"friction.level": 2.0})
            sim.run(0.01, controllers=st.Controller(lambda t: 1.0, 1e-3, [], "u"))
            sim.save()
            try:
                st.loads("stop: x")
            except st.SceneError:
                pass
            pushed.rollout(set={"friction.level": [1.0, 2.0]}, rows=5, threads=2)

    work()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(4):
        work()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 6000  # kB
