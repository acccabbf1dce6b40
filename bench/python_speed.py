"""python_speed.py PROGRAM: what Python costs. The processor's time of a run against the program's, of a controller in
Python, of calls and views, and of a rollout on one and two threads. Best of several, because others use the machine."""

import os
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np

import stiction as st

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LOOP = os.path.join(ROOT, "examples/scene_in_a_loop.yaml")
STEPS = 1_000_000


def best(function, times=5):
    """Least processor time of this process, s."""
    seen = []
    for _ in range(times):
        began = time.process_time()
        function()
        seen.append(time.process_time() - began)
    return min(seen)


def of_program(program, path, steps, times=3):
    def user():
        return resource.getrusage(resource.RUSAGE_CHILDREN)

    seen = []
    for _ in range(times):
        before = user()
        subprocess.run([program, "run", path, "--quiet", "--no-plot"], check=True)
        after = user()
        seen.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(seen)


def long_run(program):
    text = ("title: x\nstep: 1e-3\nstop: {stop}\nbodies:\n  hand: {{kind: motion, x: '0.5*sin(t)'}}\n  block: {{kind: point, mass: 1}}\n"
            "elements:\n  spring: {{kind: spring-damper, between: [hand, block], stiffness: 90, damping: 1}}\n"
            "  friction: {{kind: friction, on: block, model: finite-time, level: 10}}\nrecord: [block.x, block.v]\nevery: 1000\n")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "scene.yaml")
        with open(path, "w") as file:
            file.write(text.format(stop=STEPS // 1000))
        scene = st.load(path)
        pairs = []
        for _ in range(5):  # side by side: the machine's mood changes
            pairs.append((best(lambda: scene.run(), 1), of_program(program, path, STEPS, 1)))
    ours, theirs = min(p[0] for p in pairs), min(p[1] for p in pairs)
    ratio = sorted(a / b for a, b in pairs)[len(pairs) // 2]
    print(f"1e6 steps of the block: Python {ours:.3f} s, program {theirs:.3f} s, median ratio {ratio:.3f} (aim below 1.03)")


def controllers():
    scene = st.load(LOOP)
    reads = ["arm.shoulder.q", "arm.shoulder.qd"]

    def pd(t, q, qd):
        return 30.0 * (0.5 - q) - 2.0 * qd

    def nothing(t, q, qd):
        return 0.0

    steps = 200_000
    plain = best(lambda: scene.start().run(steps * 1e-3, every=1000))
    for name, function in (("that does nothing", nothing), ("PD", pd)):
        control = st.Controller(function, 1e-3, reads, "volts")
        # what the motor then does costs time of its own: the same voltages, given beforehand
        volts = []
        sim = scene.start()
        sim.run(steps * 1e-3, every=1000, controllers=st.Controller(lambda *a: volts.append(function(*a)) or volts[-1], 1e-3, reads, "volts"))
        given = best(lambda: scene.start().run(steps * 1e-3, every=1000, inputs={"volts": np.array(volts)}))
        called = best(lambda: scene.start().run(steps * 1e-3, every=1000, controllers=control))
        print(f"controller {name}: {(called - given) / steps * 1e6:.2f} us a call (aim below 1); a step without: {plain / steps * 1e6:.2f} us")


def calls():
    sim = st.load(LOOP).start()
    q, n = sim["arm.shoulder.q"], 200_000

    def steps():
        for _ in range(n):
            sim.step()

    def views():
        for _ in range(n):
            float(q)

    whole = best(lambda: sim.step(n))
    print(f"sim.step(): {best(steps) / n * 1e6:.2f} us, {whole / n * 1e6:.2f} us of it the step itself; a view read: {best(views) / n * 1e6:.2f} us")
    model = st.models.Model("lugre", level=1.0, stiffness=1e5, damping=300.0)

    def lugre():
        for _ in range(n):
            model.step(0.01, 1e-3)

    print(f"models.Model('lugre').step: {best(lugre) / n * 1e6:.2f} us")


def two_link_arm():
    """The arm of case 10 of bench/RESULTS.md: two rods of 1 kg and 0.5 m in the horizontal plane."""
    plan = st.Plan(step=1e-3)
    inertia = [2e-4, 0.5**2 / 12, 0.5**2 / 12]
    rod = dict(axis=[0, 0, 1], mass=1, centre=[0.25, 0, 0], inertia=inertia)
    plan.robot("arm", links=[dict(joint="shoulder", **rod), dict(joint="elbow", at=[0.5, 0, 0], **rod)])
    for joint in ("shoulder", "elbow"):
        plan.force(f"push_{joint}", on=f"arm.{joint}", value=plan.input(f"torque_{joint}"))
        plan.friction(f"friction_{joint}", on=f"arm.{joint}", model="coulomb", level=0.5)
    return plan.scene()


def rollouts(runs=1000, rows=2200):
    scene = two_link_arm()
    torque = np.minimum(0.52, 0.3 * scene.step * np.arange(rows))  # it moves from 1.67 s on
    inputs = {"torque_shoulder": torque, "torque_elbow": torque}
    starts = {"arm.elbow.q": np.linspace(0.0, 0.5, runs)}

    def taken(threads):
        began, used = time.perf_counter(), time.process_time()
        scene.rollout(inputs, start=starts, record=["arm.shoulder.q", "arm.elbow.q"], threads=threads)
        return time.perf_counter() - began, time.process_time() - used

    seen = [(taken(1), taken(2)) for _ in range(2)]
    one, two = min(s[0][0] for s in seen), min(s[1][0] for s in seen)
    used, used_by_two = min(s[0][1] for s in seen), min(s[1][1] for s in seen)
    print(f"rollout of {runs} two-link arms ({scene.method}), {rows} steps each: {one:.2f} s on one thread, {two:.2f} s on two: {one / two:.2f} times "
          f"(aim 1.8); by processor time two free cores give {2 * used / used_by_two:.2f}")
    print(f"a step of the arm: {used / runs / rows * 1e6:.3f} us of one core (case 10 of bench/RESULTS.md has the loops in C: MuJoCo's, ours)")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        long_run(sys.argv[1])
    controllers()
    calls()
    rollouts()
