"""Many runs at once."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._errors import StictionError
from ._names import expand, unknown
from ._sim import finite_array

if TYPE_CHECKING:
    from ._scene import Scene


class RolloutError(StictionError, RuntimeError):
    """Some runs failed; errors holds a text for each, rollout all that there is."""

    def __init__(self, text: str, rollout: "Rollout") -> None:
        super().__init__(text)
        self.rollout: Rollout = rollout
        self.errors: dict[int, str] = rollout.errors


class Rollout:
    """What many runs recorded: `out["block.x"]` has the shape (runs, rows), `out.t` the times of the rows.

    Row i is what the step i + 1 ended with; the start is no row.
    """

    def __init__(self, t: NDArray[np.float64], data: NDArray[np.float64], names: Sequence[str], steps: NDArray[np.int64], errors: dict[int, str]) -> None:
        #: s
        self.t: NDArray[np.float64] = t
        #: runs x rows x channels
        self.data: NDArray[np.float64] = data
        #: steps that each run has done
        self.steps: NDArray[np.int64] = steps
        #: why runs failed, by number
        self.errors: dict[int, str] = errors
        self._columns = {name: i for i, name in enumerate(names)}

    @property
    def channels(self) -> list[str]:
        """Names of the recorded channels."""
        return list(self._columns)

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        if name not in self._columns:
            raise unknown(str(name), self._columns, "recorded channel")
        return self.data[:, :, self._columns[name]]

    def __len__(self) -> int:
        return len(self.data)

    def __repr__(self) -> str:
        runs, rows, channels = self.data.shape
        return f"<stiction.Rollout: {runs} runs of {rows} rows, {channels} channels, {len(self.errors)} failed>"


def _run_count(settings: Mapping[str, Any], starts: Mapping[str, Any], inputs: Mapping[str, Any]) -> int:
    counts = {name: len(a) for name, a in {**settings, **starts}.items() if a.ndim == 1}
    counts.update({name: len(a) for name, a in inputs.items() if a.ndim == 2})
    if len(set(counts.values())) > 1:
        raise ValueError("the numbers of runs differ: " + ", ".join(f"{n}: {c}" for n, c in counts.items()))
    return next(iter(counts.values()), 1)


def _arrays(given: Mapping[str, ArrayLike], most: int, what: str) -> dict[str, NDArray[np.float64]]:
    arrays = {name: np.asarray(values, dtype=float) for name, values in given.items()}
    for name, array in arrays.items():
        if array.ndim > most:
            raise ValueError(f"{what} {name}: at most {most} dimensions, not {array.ndim}")
    return arrays


def _table(arrays: Mapping[str, NDArray[np.float64]], runs: int) -> NDArray[np.float64]:
    table = np.empty((runs, len(arrays)))
    for i, (name, array) in enumerate(arrays.items()):
        table[:, i] = finite_array(name, array, (runs,))
    return table


def _inputs(scene: "Scene", arrays: Mapping[str, NDArray[np.float64]], runs: int, rows: int) -> tuple[Any, bool]:
    """Numbers for all steps of all inputs; shared: the same for all runs."""
    if not arrays:
        return None, True
    shared = all(a.ndim < 2 for a in arrays.values())
    with scene.start() as sim:
        usual = sim._inputs.copy()
    table = np.empty((1 if shared else runs, rows, len(usual)))
    table[:] = usual
    for name, array in arrays.items():
        table[:, :, scene._input_place(name)] = finite_array(name, array, table.shape[:2])
    return table, shared


def roll(
    scene: "Scene",
    inputs: Mapping[str, ArrayLike],
    settings: Mapping[str, ArrayLike],
    start: Mapping[str, ArrayLike],
    duration: float | None,
    rows: int | None,
    record: str | Sequence[str] | None,
    state: bytes | None,
    threads: int | None,
    errors: str,
) -> Rollout:
    """See Scene.rollout."""
    if errors not in ("raise", "keep"):
        raise ValueError(f"errors = {errors!r}: 'raise' or 'keep'")
    if threads is not None and threads < 1:
        raise ValueError(f"threads = {threads!r}: 1 or more")
    given = _arrays(inputs, 2, "input")
    sets, starts = _arrays(settings, 1, "set"), _arrays(start, 1, "start")
    known = scene.parameters if sets else {}
    for path in sets:
        if path not in known:
            raise unknown(path, known, "parameter")
    runs = _run_count(sets, starts, given)
    if rows is None:
        lengths = {a.shape[-1] for a in given.values() if a.ndim > 0}
        if duration is None and lengths:
            rows = max(lengths)
        else:
            rows = scene._steps(duration if duration is not None else scene.stop - scene.start_time)
    names = expand(scene.record if record is None else record, scene._channels)
    channels = np.array([scene._channels[n][0] for n in names], dtype=np.intc)
    table, shared = _inputs(scene, given, runs, rows)
    places = np.array([scene._channels[n][0] for n in expand(starts, scene._channels)], dtype=np.intc)
    data = np.empty((runs, rows, len(names)))
    status, done = np.full(runs, -1, dtype=np.intc), np.zeros(runs, dtype=np.int64)
    workers = min(threads if threads is not None else os.cpu_count() or 1, max(runs, 1))
    texts = _core.rollout(
        scene._core, rows, workers, channels, data, status, done, table, shared, list(sets), _table(sets, runs), places, _table(starts, runs), state
    )
    t = scene.start_time + scene.step * np.arange(1, rows + 1)
    out = Rollout(t, data, names, done, texts)
    if texts and errors == "raise":
        first = min(texts)
        raise RolloutError(f"{len(texts)} of {runs} runs failed; run {first}: {texts[first]}", out)
    return out
