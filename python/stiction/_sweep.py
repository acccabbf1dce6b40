"""Studies: many runs with varied parameters, what was measured in each."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._document import plain
from ._names import unknown

if TYPE_CHECKING:
    from ._scene import Scene


class Sweep(Mapping[str, NDArray[np.float64]]):
    """A table with a row for each run: `table["friction.level"]` is a varied parameter, `table["rest"]` a measure.

    Runs that failed have NaN measures, a status that is not 0, and a reason.
    """

    def __init__(
        self,
        parameters: Sequence[str],
        measures: Sequence[str],
        values: NDArray[np.float64],
        measured: NDArray[np.float64],
        status: NDArray[np.intc],
        reasons: Mapping[int, str],
    ) -> None:
        #: names of the varied parameters, and of the measures
        self.parameters: tuple[str, ...] = tuple(parameters)
        self.measures: tuple[str, ...] = tuple(measures)
        #: of each run; 0: good
        self.status: NDArray[np.intc] = status
        #: why runs failed, by number
        self.reasons: dict[int, str] = dict(reasons)
        self._values, self._measured = values, measured

    @property
    def runs(self) -> int:
        """How many rows there are."""
        return len(self.status)

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        if name in self.measures:
            return self._measured[:, self.measures.index(name)]
        if name in self.parameters:
            return self._values[:, self.parameters.index(name)]
        raise unknown(str(name), dict.fromkeys((*self.parameters, *self.measures)), "parameter or measure")

    def __iter__(self) -> Iterator[str]:
        yield from self.parameters
        yield from (name for name in self.measures if name not in self.parameters)

    def __len__(self) -> int:
        return len(tuple(iter(self)))

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def to_pandas(self) -> Any:
        """A pandas DataFrame with the runs as index: status, parameters, measures, reason; needs pandas."""
        import pandas

        columns: dict[str, Any] = {"status": self.status, **{name: self[name] for name in self}}
        columns["reason"] = [self.reasons.get(i, "") for i in range(self.runs)]
        return pandas.DataFrame(columns, index=pandas.RangeIndex(self.runs, name="run"))

    def save(self, path: str | PathLike[str]) -> None:
        """Writes a CSV file: run, status, parameters and measures with all digits, reason."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(",".join(["run", "status", *map(_quoted, self), "reason"]) + "\n")
            for i, row in enumerate(zip(*(self[name] for name in self))):
                words = [str(i), str(int(self.status[i])), *(f"{x:.17g}" for x in row), _quoted(self.reasons.get(i, ""))]
                file.write(",".join(words) + "\n")

    def _repr_html_(self) -> str:
        try:
            return str(self.to_pandas()._repr_html_())
        except ImportError:
            from html import escape

            return f"<pre>{escape(repr(self))}</pre>"

    def __repr__(self) -> str:
        return f"<stiction.Sweep: {self.runs} runs, {len(self.parameters)} parameters, {len(self.measures)} measures, {len(self.reasons)} failed>"


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"' if any(c in word for c in ',"\n') else word


def _spread(path: str, given: Any) -> Any:
    """A list stands for values of a grid or list."""
    return given if isinstance(given, Mapping) else {"values": np.atleast_1d(np.asarray(given, dtype=float)).tolist()}


def _measure(name: str, given: Any) -> Any:
    if isinstance(given, Mapping):
        return given
    channel, at, time = str(given).rpartition("@")
    if not at or not channel:
        raise ValueError(f"measure {name} = {given!r}: 'CHANNEL@TIME' or {{'channel': ..., 'during': [0, 4], 'measure': 'max'}}")
    return {"channel": channel, "at": float(time)}


def study_sets(
    vary: Mapping[str, Any] | None,
    measure: Mapping[str, Any] | None,
    runs: int | None,
    sample: str | None,
    seed: int | None,
    correlations: Sequence[Any] | None,
) -> dict[str, Any]:
    """The section study as settings of a scene; what is None stays as the scene has it."""
    spreads = {path: _spread(path, given) for path, given in (vary or {}).items()}
    if sample is None and spreads and all("values" in s or "from" in s for s in spreads.values()):
        sample = "grid"
    sets: dict[str, Any] = {}
    if sample is not None:
        sets["study.sample"] = sample
    if runs is not None or sample in ("grid", "list"):
        sets["study.runs"] = runs
    if seed is not None:
        sets["study.seed"] = seed
    if vary is not None:
        sets["study.parameters"] = spreads
        sets["study.correlations"] = None
    if correlations is not None:
        sets["study.correlations"] = list(correlations)
    if measure is not None:
        sets["study.measures"] = {name: _measure(name, given) for name, given in measure.items()}
    return {path: plain(value, path) for path, value in sets.items()}


def sweep(scene: "Scene", words: Sequence[str], threads: int | None, progress: Callable[[int, int], object] | None) -> Sweep:
    """See Scene.sweep."""
    if threads is not None and threads < 1:
        raise ValueError(f"threads = {threads!r}: 1 or more")
    path, text, _, variant, confine = scene._request
    study = _core.Study(path, text, words, variant, confine)
    facts = study.facts()
    runs, parameters, measures = facts["runs"], facts["parameters"], facts["measures"]
    values, measured = np.empty((runs, len(parameters))), np.empty((runs, len(measures)))
    status = np.empty(runs, dtype=np.intc)
    told = None if progress is None else lambda done: progress(done, runs)
    reasons = study.run(threads or 0, values, measured, status, told)
    return Sweep(parameters, measures, values, measured, status, reasons)
