"""Ctrl-C ends what takes long, within 0.2 s, and keeps the rows."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from conftest import BLOCK

PROGRAMS = {
    "run": "sim.run(1e4)",
    "step": "sim.step(10**9)",
    "rollout": "scene.rollout(duration=1e4, set={'friction.level': [1.0, 2.0, 3.0]}, record='block.x', threads=2)",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_ctrl_c(name):
    source = textwrap.dedent(f"""
        import stiction as st, sys, time
        scene = st.loads({BLOCK!r})
        sim = scene.start()
        print("ready", flush=True)
        try:
            {PROGRAMS[name]}
        except KeyboardInterrupt:
            now = time.monotonic()
            rows = len(sim.last_run.t) if sim.last_run is not None else -1
            sim.step(3)
            print(now, rows, sim.k, flush=True)
    """)
    process = subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, text=True, env=dict(os.environ))
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.4)
    sent = time.monotonic()
    process.send_signal(signal.SIGINT)
    text, _ = process.communicate(timeout=20)
    came, rows, k = text.split()
    assert process.returncode == 0
    assert float(came) - sent < 0.2 * (5 if os.environ.get("STICTION_SLOW") else 1)
    if name == "run":
        assert int(rows) > 100 and int(k) == int(rows) - 1 + 3
