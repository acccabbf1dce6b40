"""Fits: parameters from measured logs, and how well they are known."""

from __future__ import annotations

import os
import tempfile
from os import PathLike
from typing import TYPE_CHECKING, Any, Iterator, Mapping, NamedTuple, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._errors import Message, StictionError
from ._names import unknown

if TYPE_CHECKING:
    from ._scene import Scene


class FitError(StictionError, RuntimeError):
    """Nothing was found: no simulation succeeded, or a model cannot be fitted."""


class Fitted(NamedTuple):
    """A parameter that was looked for; low and high are its interval of 95 %."""

    name: str
    unit: str
    value: float
    deviation: float
    low: float
    high: float
    profile_low: float
    profile_high: float
    determined: bool
    at_bound: bool


class ChannelError(NamedTuple):
    """Measured less simulated, over all logs; cross_validated: rms on parts that were left out."""

    channel: str
    unit: str
    rms: float
    mean_absolute: float
    largest: float
    cross_validated: float


class Series(NamedTuple):
    """A measured channel in a log, and what the fitted scene does."""

    channel: str
    log: str
    t: NDArray[np.float64]
    measured: NDArray[np.float64]
    simulated: NDArray[np.float64]


def _numbers(data: bytes) -> NDArray[np.float64]:
    return np.frombuffer(data, dtype=np.float64)


class Fit(Mapping[str, float]):
    """One fitted model: `fit["friction.level"]` is a value; intervals are in `parameters`."""

    def __init__(self, plain: Mapping[str, Any]) -> None:
        self.model: str = plain["model"]
        #: by name, in their order
        self.parameters: dict[str, Fitted] = {p[0]: Fitted(*p) for p in plain["parameters"]}
        self.errors: dict[str, ChannelError] = {e[0]: ChannelError(*e) for e in plain["errors"]}
        self.series: tuple[Series, ...] = tuple(
            Series(channel, log, _numbers(t), _numbers(measured), _numbers(simulated))
            for channel, log, t, measured, simulated in plain["series"])
        #: sentences: what the logs do not tell
        self.undetermined: tuple[str, ...] = tuple(plain["undetermined"])
        #: why simulations inside the search failed, and how many
        self.rejected: dict[str, int] = dict(plain["rejected"])
        count = len(self.parameters)
        correlations = _numbers(plain["correlations"])
        self.correlations: NDArray[np.float64] = correlations.reshape(count, count) if correlations.size else np.eye(count)
        self.aic: float = plain["aic"]
        self.bic: float = plain["bic"]
        #: what the rows are worth, as residuals depend on each other
        self.effective_rows: float = plain["effective_rows"]
        self.simulations: int = plain["simulations"]
        #: the fitted scene: `stiction.load(path, set=fit.settings)`
        self.settings: dict[str, str] = dict(one.split("=", 1) for one in plain["sets"])

    def __getitem__(self, name: str) -> float:
        if name not in self.parameters:
            raise unknown(str(name), self.parameters, "fitted parameter")
        return self.parameters[name].value

    def __iter__(self) -> Iterator[str]:
        return iter(self.parameters)

    def __len__(self) -> int:
        return len(self.parameters)

    def __repr__(self) -> str:
        errors = ", ".join(f"{e.channel} rms {e.rms:.3g} {e.unit}" for e in self.errors.values())
        return f"<stiction.Fit {self.model or 'of the scene'}: {len(self)} parameters, {errors}>"


class Fits(Mapping[str, Fit]):
    """Several models, by name, with what was said about the logs."""

    def __init__(self, fits: Sequence[Fit], messages: Sequence[Message]) -> None:
        self._fits = {one.model: one for one in fits}
        self.messages: tuple[Message, ...] = tuple(messages)

    def __getitem__(self, name: str) -> Fit:
        if name not in self._fits:
            raise unknown(str(name), self._fits, "model")
        return self._fits[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fits)

    def __len__(self) -> int:
        return len(self._fits)


def _log_files(data: Any, folder: str) -> list[Any]:
    """Logs that are columns in memory become files in folder."""
    logs = data if isinstance(data, (list, tuple)) else [data]
    files: list[Any] = []
    for log in logs:
        if isinstance(log, Mapping) and "file" not in log:
            name = os.path.join(folder, f"log{len(files)}.csv")
            columns: dict[str, ArrayLike] = dict(log)
            np.savetxt(name, np.column_stack([np.asarray(c, dtype=np.float64) for c in columns.values()]), fmt="%.17g",
                       delimiter=",", header=",".join(columns), comments="")
            files.append(name)
        elif isinstance(log, Mapping):
            files.append({**log, "file": os.path.abspath(log["file"])})
        else:
            files.append(os.path.abspath(os.fspath(log)))
    return files


def fit_scene(scene: Scene, section: Mapping[str, Any], data: Any, threads: int | None, evaluate: bool) -> Fits:
    """What Scene.fit does; section: keys of the scene's section fit, None where it is not given."""
    from ._scene import setting_text

    path, text, sets, variant, confine = scene._request
    settings = dict(sets)
    with tempfile.TemporaryDirectory() as folder:
        if data is not None:
            settings["fit.data"] = _log_files(data, folder)
        settings.update({f"fit.{key}": value for key, value in section.items() if value is not None})
        if text is not None:
            path = os.path.join(folder, "scene.yaml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        words = [setting_text(key, value) for key, value in settings.items()]
        messages, plain = _core.fit(path, words, variant, confine, threads or 0, evaluate)
    for one in plain:
        if one["status"] != 0:
            raise FitError(f"{one['model']}: {one['reason']}" if one["model"] else one["reason"])
    return Fits([Fit(one) for one in plain], [Message(*m) for m in messages])


def fit(
    scene: str | PathLike[str] | Scene,
    data: Any = None,
    map: Mapping[str, Any] | None = None,
    drive: Mapping[str, str] | None = None,
    free: Mapping[str, Any] | Sequence[str] | None = None,
    *,
    models: Mapping[str, Any] | Sequence[str] | None = None,
    start: Mapping[str, Any] | None = None,
    window: float | None = None,
    starts: int | None = None,
    seed: int | None = None,
    folds: int | None = None,
    profile: bool | None = None,
    threads: int | None = None,
    evaluate: bool = False,
) -> Fit | Fits:
    """Finds parameters of a scene from measured logs, as `stiction fit` does; docs/fit.md.

    data: CSV files, or columns {"t": ..., "x": ...}, or a list of them. map: {"block.x": "x"}; drive: {"u": "volts"};
    free: {"friction.level": [0, 20]}, or paths. What is not given is that of the scene's section fit. A Fit, or with
    models Fits by their names. Raises SceneError where logs or paths are wrong, FitError where nothing is found.
    """
    from ._scene import Scene, load

    loaded = scene if isinstance(scene, Scene) else load(scene)
    named = {path: "free" for path in free} if free is not None and not isinstance(free, Mapping) else free
    section = {"map": map, "drive": drive, "free": named, "models": models, "start": start, "window": window,
               "starts": starts, "seed": seed, "folds": folds, "profile": profile}
    fits = fit_scene(loaded, section, data, threads, evaluate)
    return fits if models is not None or len(fits) > 1 else next(iter(fits.values()))
