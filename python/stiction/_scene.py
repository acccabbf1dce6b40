"""Scenes: reading them, what they consist of, and many runs at once."""

from __future__ import annotations

import json
import math
import os
import tempfile
from os import PathLike
from typing import Any, Callable, Iterable, Mapping, NamedTuple, Sequence

from numpy.typing import ArrayLike

from . import _core
from ._document import plain
from ._errors import Message, SceneError
from ._names import unknown
from ._rollout import Rollout, roll
from ._sim import Sim
from ._sweep import Sweep, study_sets, sweep


class Parameter(NamedTuple):
    """A number of a scene that can be set by its path."""

    value: float
    unit: str
    meaning: str


class Component(NamedTuple):
    """A body, element or contact of a scene."""

    name: str
    role: str  #: "body", "impedance", "reaction" or "contact"
    kind: str
    positions: int
    velocities: int
    memory: int
    discrete: int


def setting_text(path: str, value: Any) -> str:
    """`path=value` as `--set` takes it: texts are YAML, numbers keep all digits."""
    return f"{path}={value if isinstance(value, str) else json.dumps(plain(value, path))}"


class Scene:
    """A scene that was read and compiled; made by `load`, `loads` or `Plan.scene()`.

    It never changes, and any number of Sims and threads can share it.
    """

    def __init__(self, path: str, text: str | None, sets: Mapping[str, Any], variant: str | None, confine: str | None) -> None:
        self._request = (path, text, dict(sets), variant, confine)
        words = [setting_text(key, value) for key, value in sets.items()]
        self._core = _core.Scene(path, text, words, variant, confine)
        facts = self._core.facts()
        self.path: str = path
        self.title: str = facts["title"] or ""
        self.description: str = facts["description"] or ""
        #: s
        self.start_time: float = facts["start"]
        #: when a run ends that says nothing else, s
        self.stop: float = facts["stop"]
        #: T, s
        self.step: float = facts["step"]
        #: rows are recorded at every so many steps
        self.every: int = facts["every"]
        #: the method that takes the steps, and why it was chosen (None: the scene names it)
        self.method: str = facts["method"]
        self.why_method: str | None = facts["why_method"]
        #: names of the channels that a run records
        self.record: tuple[str, ...] = facts["record"]
        #: of the problem: not of step, stop, method, and what is recorded
        self.fingerprint: int = facts["fingerprint"]
        self._channels: dict[str, tuple[int, str]] = self._core.channels()
        self._inputs: dict[str, tuple[int, str]] = self._core.inputs()

    @property
    def channels(self) -> dict[str, str]:
        """All that can be recorded: name to unit."""
        return {name: unit for name, (_, unit) in self._channels.items()}

    @property
    def inputs(self) -> dict[str, str]:
        """Inputs that are set from outside (`inputs: {u: {value: 0}}`): name to unit."""
        return {name: unit for name, (_, unit) in self._inputs.items()}

    @property
    def components(self) -> list[Component]:
        """Bodies, elements and contacts, in the network's own order."""
        return [Component(*c) for c in self._core.components()]

    @property
    def parameters(self) -> dict[str, Parameter]:
        """All numbers that can be set by a path: "friction.level", "block.mass", ..."""
        return {path: Parameter(value, unit or "", meaning or "") for path, (value, unit, meaning) in self._core.parameters().items()}

    @property
    def messages(self) -> tuple[Message, ...]:
        """Notes and warnings of reading."""
        return tuple(Message(*m) for m in self._core.messages())

    def start(self, set: Mapping[str, float] | None = None) -> Sim:
        """State and scratch of a new run, at the start values. set: other numbers, by path."""
        return Sim(self, set or {})

    def run(self, duration: float | None = None, **options: Any) -> Any:
        """A run from the start: `scene.start().run(...)`."""
        with self.start() as sim:
            return sim.run(duration, **options)

    def report(self, path: str | PathLike[str]) -> None:
        """Runs it and writes the page with replay, plots, friction and energy; needs the program stiction."""
        self._call_program("run", "--report", path)

    def export_fmu(
        self,
        path: str | PathLike[str],
        fmi: int = 2,
        inputs: Iterable[str] | None = None,
        outputs: Iterable[str] | None = None,
        tunable: Iterable[str] | None = None,
        sources: bool = False,
    ) -> None:
        """Writes it as an FMU of FMI 2 or 3 for other tools; needs the program stiction. Names and patterns (arm.*) choose
        what becomes an input, an output, a tunable parameter; sources: of C, too."""
        words: list[str | PathLike[str]] = ["--output", path, "--fmi", str(fmi)]
        for option, names in (("--inputs", inputs), ("--outputs", outputs), ("--tunable", tunable)):
            words += [option, ",".join(names)] if names is not None else []
        self._call_program("export", *words, *(["--sources"] if sources else []))

    def _call_program(self, command: str, *options: str | PathLike[str]) -> None:
        from ._page import call_program

        name, text, sets, variant, confine = self._request
        words = [word for key, value in sets.items() for word in ("--set", setting_text(key, value))]
        words += ["--variant", variant] if variant else []
        words += ["--confine", confine] if confine else []
        if text is None:
            return call_program(command, name, "--quiet", *words, *options)
        with tempfile.TemporaryDirectory(dir=os.path.dirname(name) or None) as folder:
            file = os.path.join(folder, "scene.yaml")
            with open(file, "w", encoding="utf-8") as scene:
                scene.write(text)
            call_program(command, file, "--quiet", *words, *options)

    def change(self, set: Mapping[str, Any], variant: str | None = None) -> "Scene":
        """The same scene, read again with other values; whatever a scene can say may be set."""
        path, text, sets, before, confine = self._request
        return Scene(path, text, {**sets, **set}, variant if variant is not None else before, confine)

    def rollout(
        self,
        inputs: Mapping[str, ArrayLike] | None = None,
        set: Mapping[str, ArrayLike] | None = None,
        start: Mapping[str, ArrayLike] | None = None,
        *,
        duration: float | None = None,
        rows: int | None = None,
        record: str | Sequence[str] | None = None,
        state: bytes | None = None,
        threads: int | None = None,
        errors: str = "raise",
    ) -> Rollout:
        """Many runs at once, on threads; the same bits for any number of them.

        inputs: an array of rows, or of runs x rows, for each name; set: a number for each run and path; start: a
        number of the state for each run ("block.x"); state: bytes of `Sim.save` that all runs start from. Scalars
        are for all runs. rows: steps of each run (default: as many as the inputs have, else duration, else the
        scene's stop). errors="keep": runs that fail have NaN rows and a text in `errors`.
        """
        return roll(self, inputs or {}, set or {}, start or {}, duration, rows, record, state, threads, errors)

    def sweep(
        self,
        vary: Mapping[str, Any] | None = None,
        measure: Mapping[str, Any] | None = None,
        *,
        runs: int | None = None,
        sample: str | None = None,
        seed: int | None = None,
        correlations: Sequence[Any] | None = None,
        threads: int | None = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> Sweep:
        """Many runs with varied parameters, as `stiction sweep` does them, to the last bit; docs/studies.md.

        What is not given is that of the scene's section study. vary: {"friction.level": {"uniform": [5, 15]}}, or a
        list of values for a grid; measure: {"rest": "block.x@4"}, or the keys of a measure; sample: grid, list,
        random, latin, sobol or saltelli; correlations: [[path, path, value]]. threads: None takes all cores.
        progress: called with the rows that are done, and all. Runs that fail are rows with a reason.
        """
        sets = {**self._request[2], **study_sets(vary, measure, runs, sample, seed, correlations)}
        return sweep(self, [setting_text(key, value) for key, value in sets.items()], threads, progress)

    def _steps(self, duration: float, what: str = "duration") -> int:
        steps = duration / self.step
        if not math.isfinite(steps) or steps < 0.0:
            raise ValueError(f"{what} = {duration!r}: a time of 0 s or more is needed")
        whole = round(steps)
        if abs(steps - whole) > 1e-6 * max(1.0, steps):
            raise ValueError(f"{what} = {duration!r} s is no multiple of the step, {self.step:g} s")
        return whole

    def _input_place(self, name: str) -> int:
        if name not in self._inputs:
            raise unknown(name, self._inputs, "input that is set from outside")
        return self._inputs[name][0]

    def __reduce__(self) -> Any:
        path, text, sets, variant, confine = self._request
        return _load_again, (os.path.abspath(path) if text is None else path, text, sets, variant, confine, self.fingerprint)

    def __repr__(self) -> str:
        return f"<stiction.Scene {self.title or self.path!r}: {len(self.components)} components, method {self.method}>"


def _load_again(path: str, text: str | None, sets: Any, variant: str | None, confine: str | None, fingerprint: int) -> Scene:
    scene = Scene(path, text, sets, variant, confine)
    if scene.fingerprint != fingerprint:
        raise SceneError([("error", path, 0, 0, "the file has changed since this scene was pickled")])
    return scene


def load(
    path: str | PathLike[str],
    set: Mapping[str, Any] | None = None,
    *,
    variant: str | None = None,
    confine: str | PathLike[str] | None = None,
) -> Scene:
    """Reads a scene file; a folder stands for the scene.yaml in it.

    set: values by path, as `--set` takes them: {"friction.model": "lugre", "friction.level": 3}. variant: one of the
    scene's own. confine: the scene may read files of this folder only. Raises SceneError with file, line, column.
    """
    name = os.fspath(path)
    if os.path.isdir(name):
        name = os.path.join(name, "scene.yaml")
    return Scene(name, None, set or {}, variant, os.fspath(confine) if confine is not None else None)


def loads(
    text: str,
    set: Mapping[str, Any] | None = None,
    *,
    path: str = "<text>",
    variant: str | None = None,
    confine: str | PathLike[str] | None = None,
) -> Scene:
    """Reads a scene from text; path is used in messages, and its folder for files that the scene names."""
    return Scene(path, text, set or {}, variant, os.fspath(confine) if confine is not None else None)
