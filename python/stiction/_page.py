"""Pages: the report of the program stiction where it is there, a small picture of our own elsewhere."""

from __future__ import annotations

import html
import os
import shutil
import subprocess
import tempfile
from os import PathLike
from typing import TYPE_CHECKING, Sequence

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ._run import Run

MOST_ROWS = 20000  # of a page inside a notebook


def program() -> str | None:
    """The program stiction: STICTION_PROGRAM, or the one in PATH."""
    return os.environ.get("STICTION_PROGRAM") or shutil.which("stiction")


def call_program(*words: str | PathLike[str]) -> None:
    """Calls the program; RuntimeError with its own words where it fails."""
    name = program()
    if name is None:
        raise RuntimeError("pages and FMUs are made by the program stiction, which is not in PATH: install it (make install), "
                           "or set STICTION_PROGRAM")
    done = subprocess.run([name, *(os.fspath(word) for word in words)], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError((done.stderr or done.stdout).strip() or f"{name} failed")


def write_page(runs: Sequence["Run"], path: str | PathLike[str]) -> None:
    """One page of these runs, over each other."""
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for i, run in enumerate(runs):
            files.append(os.path.join(folder, "run.csv" if len(runs) == 1 else f"run{i + 1}.csv"))
            run.save(files[-1])
        call_program("report", *files, "-o", path)


def inline_page(run: "Run") -> str:
    """HTML for a notebook: the page in a frame, or a table with small curves."""
    if program() is not None and 0 < len(run.t) <= MOST_ROWS:
        try:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "page.html")
                write_page([run], path)
                with open(path, encoding="utf-8") as file:
                    page = file.read()
            return f'<iframe srcdoc="{html.escape(page)}" style="width:100%;height:640px;border:0"></iframe>'
        except RuntimeError:
            pass  # a program without its page
    return _table(run)


def _curve(t: NDArray[np.float64], y: NDArray[np.float64], width: int = 260, height: int = 36) -> str:
    """A polyline; least and greatest of each pixel are kept."""
    good = np.isfinite(y)
    if good.sum() < 2 or t[-1] <= t[0]:
        return ""
    low, high = float(y[good].min()), float(y[good].max())
    span = high - low or 1.0
    parts = np.array_split(np.flatnonzero(good), min(width, int(good.sum())))
    chosen = sorted({int(i) for part in parts if len(part) for i in (part[np.argmin(y[part])], part[np.argmax(y[part])])})
    points = " ".join(f"{width * (t[i] - t[0]) / (t[-1] - t[0]):.1f},{(height - 2) * (high - y[i]) / span + 1:.1f}" for i in chosen)
    return f'<svg width="{width}" height="{height}"><polyline points="{points}" fill="none" stroke="#2266aa"/></svg>'


def _table(run: "Run") -> str:
    rows = []
    for name in run.channels:
        y = run[name]
        numbers = "".join(f"<td>{value:.6g}</td>" for value in ((y.min(), y.max(), y[-1]) if len(y) else ()))
        rows.append(f"<tr><td>{html.escape(name)}</td><td>{html.escape(run.units[name])}</td>{numbers}<td>{_curve(run.t, y)}</td></tr>")
    head = "<tr><th>channel</th><th>unit</th><th>least</th><th>greatest</th><th>end</th><th></th></tr>"
    return f"<div><b>{html.escape(run.title)}</b>: {html.escape(repr(run)[1:-1])}<table>{head}{''.join(rows)}</table></div>"
