"""Runs in progress: live views, steps, recordings, saved states."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._controller import Controller
from ._errors import BusyError, ClosedError, StepError
from ._names import expand, unknown
from ._run import Energy, Run

if TYPE_CHECKING:
    from ._scene import Scene


class Sim:
    """A state that steps carry forward; made by `scene.start()`. One thread at a time.

    `sim["arm.elbow.q"]` is a live array of one number: it follows every step, and where it is a number of the state
    it can be written. Views stay valid as long as they are kept, after `close()` too.
    """

    def __init__(self, scene: "Scene", settings: Mapping[str, float]) -> None:
        #: the scene it runs
        self.scene: "Scene" = scene
        #: numbers that differ from the scene's
        self.settings: dict[str, float] = {}
        #: the last run, complete or not: rows are kept after Ctrl-C and failures
        self.last_run: Run | None = None
        checked = _settings(scene, settings)
        self._core = _core.Sim(_network(scene, checked))
        self.settings = checked
        self._inputs = np.asarray(self._core.inputs())
        self._views: dict[str, NDArray[np.float64]] = {}

    # ---- numbers ---------------------------------------------------------------------------------
    def __getitem__(self, name: str) -> NDArray[np.float64]:
        view = self._views.get(name)
        if view is None:
            view = self._views[name] = self._view(name)
        return view

    def _view(self, name: str) -> NDArray[np.float64]:
        if name in self.scene._inputs:
            place = self.scene._inputs[name][0]
            return self._inputs[place : place + 1].reshape(())
        if name not in self.scene._channels:
            raise unknown(str(name), {**self.scene._inputs, **self.scene._channels}, "channel or input")
        return np.asarray(self._core.channel(self.scene._channels[name][0]))

    def __setitem__(self, name: str, value: float) -> None:
        number = float(value)
        if not math.isfinite(number):
            raise ValueError(f"{name} = {value!r}: a finite number is needed")
        self[name][...] = number

    def positions(self, body: str) -> NDArray[np.float64]:
        """Live view of a body's positions, m or rad, as its kind orders them."""
        return self._part(body, "positions")

    def velocities(self, body: str) -> NDArray[np.float64]:
        """Live view of a body's velocities, m/s or rad/s."""
        return self._part(body, "velocities")

    def memory(self, element: str) -> NDArray[np.float64]:
        """Live view of an element's memory (deflections, ...)."""
        return self._part(element, "memory")

    def discrete(self, element: str) -> NDArray[np.float64]:
        """Live view of an element's discrete values (modes, samples)."""
        return self._part(element, "discrete")

    def _part(self, name: str, what: str) -> NDArray[np.float64]:
        names = [c.name for c in self.scene.components]
        if name not in names:
            raise unknown(str(name), names, "component")
        return np.asarray(self._core.part(name, what))

    @property
    def t(self) -> float:
        """Time, s."""
        return self._core.t

    @property
    def k(self) -> int:
        """Number of the step."""
        return self._core.k

    @property
    def hash(self) -> int:
        """Of the whole state: equal for the same bits."""
        return self._core.hash

    # ---- steps -----------------------------------------------------------------------------------
    def step(self, count: int = 1) -> None:
        """Takes so many steps with the inputs as they are, without recording. Raises StepError where one fails."""
        if count < 0:
            raise ValueError(f"count = {count!r}: 0 or more steps can be taken")
        self._core.step(count)

    def run(
        self,
        duration: float | None = None,
        *,
        until: float | None = None,
        record: str | Sequence[str] | None = None,
        every: int | None = None,
        inputs: Mapping[str, ArrayLike] | None = None,
        controllers: Controller | Iterable[Controller] = (),
    ) -> Run:
        """Runs for duration s (or until a time, s; default: the scene's stop) and returns what it recorded.

        record: names or patterns ("arm.*", "all"; default: the scene's). every: one row for so many steps. inputs: a
        number, or one for each step, by name. Ctrl-C ends it; rows so far are then in `last_run`, as after a
        StepError. No Python code runs per step but that of controllers.
        """
        scene = self.scene
        steps = self._steps(duration, until)
        names = expand(scene.record if record is None else record, scene._channels)
        every = scene.every if every is None else int(every)
        if every < 1:
            raise ValueError(f"every = {every!r}: 1 step or more is needed")
        channels = np.array([scene._channels[n][0] for n in names], dtype=np.intc)
        rows = _row_count(self.k, steps, every)
        t, data = np.empty(rows), np.empty((rows, len(names)))
        columns, given = self._given(inputs or {}, steps)
        listed = (controllers,) if isinstance(controllers, Controller) else tuple(controllers)
        called = self._listed(listed, inputs or {})
        figures: dict[str, float] = {}
        complete = False
        try:
            figures = self._core.run(steps, every, channels, t, data, columns, given, called)
            complete = True
        except (BusyError, ClosedError):
            raise
        except BaseException as error:  # Ctrl-C too: rows are kept
            run = self._kept(names, t, data, figures, complete)
            if isinstance(error, StepError):
                error.run = run
            raise
        return self._kept(names, t, data, figures, complete)

    def _kept(self, names: list[str], t: Any, data: Any, figures: Mapping[str, float], complete: bool) -> Run:
        rows = self._core.rows
        units = {n: self.scene._channels[n][1] for n in names}
        energy = Energy(*self._core.energy()) if complete else None
        self.last_run = Run(self.scene.title, t[:rows], data[:rows], units, energy, figures, complete)
        return self.last_run

    def _steps(self, duration: float | None, until: float | None) -> int:
        if duration is not None and until is not None:
            raise TypeError("duration or until, not both")
        if duration is not None:
            return self.scene._steps(float(duration))
        end = self.scene.stop if until is None else float(until)
        whole = self.scene._steps(end - self.scene.start_time, "until" if until is not None else "stop")
        if whole < self.k:
            raise ValueError(f"until = {end!r} s is before the time of this Sim, {self.t:g} s")
        return whole - self.k

    def _given(self, inputs: Mapping[str, ArrayLike], steps: int) -> tuple[Any, Any]:
        if not inputs:
            return None, None
        columns = np.array([self.scene._input_place(name) for name in inputs], dtype=np.intc)
        given = np.empty((steps, len(columns)))
        for i, (name, values) in enumerate(inputs.items()):
            given[:, i] = finite_array(name, values, (steps,))
        return columns, given

    def _listed(self, controllers: Sequence[Controller], inputs: Mapping[str, Any]) -> tuple[Any, ...]:
        taken = set(inputs)
        listed = []
        for c in controllers:
            if not isinstance(c, Controller):
                raise TypeError(f"{c!r} is no controller: make it one with @stiction.controller(...)")
            reads = np.array([self._channel_number(n) for n in c.reads], dtype=np.intc)
            writes = np.array([self.scene._input_place(n) for n in c.writes], dtype=np.intc)
            for name in c.writes:
                if name in taken:
                    raise ValueError(f"controller {c.name}: input {name!r} is set by something else, too")
                taken.add(name)
            every = self.scene._steps(c.period, f"controller {c.name}: period")
            listed.append((c.function, c.address, every, reads, writes, c.name))
        return tuple(listed)

    def _channel_number(self, name: str) -> int:
        if name not in self.scene._channels:
            raise unknown(str(name), self.scene._channels, "channel")
        return self.scene._channels[name][0]

    # ---- states and parameters -------------------------------------------------------------------
    def save(self) -> bytes:
        """The whole state; `restore` goes on from it with the same bits."""
        return self._core.save()

    def restore(self, saved: bytes) -> None:
        """Back to a saved state. ValueError where it does not fit: the state is then as it was."""
        self._core.restore(saved)

    def set(self, path: str | Mapping[str, float], value: float | None = None) -> None:
        """Other numbers from now on: `sim.set("friction.level", 6)`. The state goes on."""
        given = {path: value} if isinstance(path, str) else path
        settings = {**self.settings, **_settings(self.scene, given)}
        self._core.adopt(_network(self.scene, settings))
        self.settings = settings

    def copy(self) -> "Sim":
        """Another Sim at the same state, with the same inputs and settings."""
        other = Sim(self.scene, self.settings)
        other._inputs[:] = self._inputs
        other.restore(self.save())
        return other

    def close(self) -> None:
        """Ends it. Views keep their last numbers; steps raise ClosedError."""
        self._core.close()

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._core.closed

    def __enter__(self) -> "Sim":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __reduce__(self) -> Any:
        return _start_again, (self.scene, self.settings, self.save(), self._inputs.tolist())

    def __repr__(self) -> str:
        return f"<stiction.Sim {self.scene.title!r}: t = {self.t:g} s{', closed' if self.closed else ''}>"


def _start_again(scene: "Scene", settings: Mapping[str, float], saved: bytes, inputs: Sequence[float]) -> Sim:
    sim = Sim(scene, settings)
    sim._inputs[:] = inputs
    sim.restore(saved)
    return sim


def _settings(scene: "Scene", given: Mapping[str, Any]) -> dict[str, float]:
    known = scene.parameters if given else {}
    settings = {}
    for path, value in given.items():
        if path not in known:
            raise unknown(str(path), known, "parameter")
        settings[path] = float(value)
        if not math.isfinite(settings[path]):
            raise ValueError(f"{path} = {value!r}: a finite number is needed")
    return settings


def _network(scene: "Scene", settings: Mapping[str, float]) -> Any:
    return scene._core.network(list(settings), np.array(list(settings.values()), dtype=float))


def _row_count(k: int, steps: int, every: int) -> int:
    """The start, every k that `every` divides, and the end."""
    between = (k + steps) // every - k // every
    last = 1 if steps > 0 and (k + steps) % every != 0 else 0
    return 1 + between + last


def finite_array(name: str, values: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Numbers broadcast to a shape; ValueError says what does not fit."""
    array = np.asarray(values, dtype=float)
    if not np.all(np.isfinite(array)):
        raise ValueError(f"{name}: all numbers must be finite")
    try:
        return np.broadcast_to(array, shape)
    except ValueError:
        raise ValueError(f"{name}: an array of shape {array.shape} does not fit to {shape}") from None
