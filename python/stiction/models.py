"""Friction models without a scene: vectorised functions, and objects that a controller steps.

Every friction model of the library is here under its name, with `_` for `-`, and so is every law. Words of parameters
are those of scenes; what they mean and their units are in each function's help.

A model with a memory (`lugre`, `dahl`, `elastic_coulomb`, ...) gives force and rate of its memory; one that is resolved
with the inertia behind it (`coulomb`, `finite_time`, `karnopp`, `quinn`) gives the resistance over a step, and the
velocity at its end:

>>> from stiction import models
>>> f, zdot = models.lugre([0.0, 0.1], z=[1e-5, 1e-5], level=1.0, stiffness=1e5)
>>> f
array([1., 1.])
>>> f, v = models.coulomb([1.0, 0.001], force=0.0, mass=1.0, T=1e-3, level=5.0)
>>> v
array([0.995, 0.   ])

In a loop, `Model` keeps the memory:

>>> friction = models.Model("lugre", level=1.0, stiffness=1e5, damping=300.0)
>>> for _ in range(1000):
...     force = friction.step(0.01, 1e-3)
>>> round(force, 9)
1.0
"""

from __future__ import annotations

import inspect
import math
from typing import Any, Callable, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._names import unknown

__all__ = ["Field", "Kind", "Model", "kinds", "laws", "level"]


class Field(NamedTuple):
    """A parameter of a model or a law."""

    name: str
    unit: str
    meaning: str
    usual: float
    type: str  #: "number", "numbers", "axes", "count" or "switch"
    asks: bool  #: of a law: a scene that gives it means this law


class Kind(NamedTuple):
    """A friction model or a law, as the registry has it."""

    name: str
    summary: str
    equations: str
    use: str
    source: str
    reaction: bool  #: resolved with the inertia behind it
    holds: bool  #: claims that what is stuck does not drift
    fields: tuple[Field, ...]


def _kinds(entries: list[Any]) -> dict[str, Kind]:
    return {e[0]: Kind(e[0], e[1], e[2], e[3], e[4], e[5], e[6], tuple(Field(*f) for f in e[7])) for e in entries}


_MODELS, _LAWS = _kinds(_core.models()), _kinds(_core.laws())


def kinds() -> dict[str, Kind]:
    """All friction models."""
    return dict(_MODELS)


def laws() -> dict[str, Kind]:
    """All laws: the level of friction as a function of speed."""
    return dict(_LAWS)


def _has_law(kind: Kind) -> bool:
    return any(f.type == "law" for f in kind.fields)


def _law_of(kind: Kind, given: dict[str, Any], law: str | None) -> str:
    """The law that is named, or that the parameters ask for, as in a scene: the one that knows most of them."""
    if law is None:
        words = set(given) - {f.name for f in kind.fields}
        asked = [k for k in _LAWS.values() if any(f.asks and f.name in words for f in k.fields)]
        asked.sort(key=lambda k: -len(words & {f.name for f in k.fields}))
        law = "table" if "table" in given else asked[0].name if asked else "coulomb"
    if law not in _LAWS:
        raise unknown(law, _LAWS, "law")
    return law


def _known(kind: Kind, law: str | None) -> dict[str, Field]:
    known = {f.name: f for f in kind.fields if f.type not in ("law", "parts") and f.name not in ("dim", "elements")}
    if law is not None:
        known.update({f.name: f for f in _LAWS[law].fields if f.name not in known})
        known.setdefault("table", Field("table", "", "points [[speed, level], ...] of a law", 0.0, "table", True))
        known.setdefault("mu", Field("mu", "1", "in place of level: a coefficient, times the load", 0.0, "number", False))
    return known


def _prepare(name: str, law: str | None, given: dict[str, Any]) -> tuple[Any, bool]:
    kind = _MODELS[name]
    chosen = _law_of(kind, given, law) if _has_law(kind) else None
    known = _known(kind, chosen)
    for word in given:
        if word not in known:
            raise TypeError(unknown(word, known, f"parameter of {name}").text)
    numbers = {k: _number(k, v) for k, v in given.items()}
    own = {f.name for f in kind.fields}
    of_law = {f.name for f in _LAWS[chosen].fields} if chosen is not None else set()
    of_law -= own - {"static"}  # as scenes have it: the model's word, but for the static level of a curve
    law_numbers = {k: v for k, v in numbers.items() if k in of_law}
    if "table" in numbers:
        law_numbers["table"] = [float(x) for x in np.asarray(numbers["table"], dtype=float).T.reshape(-1)]
    if "mu" in numbers:
        if "level" in numbers:
            raise TypeError("level or mu, not both")
        law_numbers.update(level=numbers["mu"], times_load=True)
    for word, like in (("static", "level"), ("level_backward", "level"), ("viscous_backward", "viscous")):
        if word in of_law and like in law_numbers:
            law_numbers.setdefault(word, law_numbers[like])
    if "level" in of_law and "level" not in law_numbers:
        raise TypeError(f"{name} needs a level (N) or mu")
    model = _core.Model(name, chosen or "", {k: v for k, v in numbers.items() if k in own - of_law}, law_numbers)
    return model, "mu" in numbers


def _number(name: str, value: Any) -> Any:
    array = np.asarray(value, dtype=float)
    if not np.all(np.isfinite(array)):
        raise ValueError(f"{name} = {value!r}: finite numbers are needed")
    return bool(value) if isinstance(value, (bool, np.bool_)) else array.tolist()


def _time(name: str, value: float, least: float = 0.0) -> float:
    number = float(value)
    if not math.isfinite(number) or number < least or (least == 0.0 and name != "tau" and number == 0.0):
        raise ValueError(f"{name} = {value!r}: a time above 0 s is needed")
    return number


class Model:
    """A friction model with its numbers, and a memory that `step` carries forward.

    law: the level as a function of speed (default: what the parameters ask for). load: with mu, N.
    """

    def __init__(self, name: str, *, law: str | None = None, **parameters: Any) -> None:
        word = name.replace("_", "-")
        if word not in _MODELS:
            raise unknown(name, _MODELS, "friction model")
        #: what the registry says of it
        self.kind: Kind = _MODELS[word]
        self.parameters: dict[str, Any] = dict(parameters)
        self._core, self._loaded = _prepare(word, law, parameters)
        memory, discrete = self._core.state()
        #: deflections, live and writable
        self.memory: NDArray[np.float64] = np.asarray(memory)
        #: modes, live
        self.discrete: NDArray[np.float64] = np.asarray(discrete)
        self._sizes = self._core.sizes()

    def step(self, v: float, T: float, *, force: float | None = None, mass: float | None = None, load: float = 1.0) -> Any:
        """One step T (s) at the velocity v (m/s): the resistance, N; the memory goes on.

        With models that are resolved with inertia: force on the mass (N, without friction) and mass (kg); returns the
        resistance and the velocity at the end of the step.
        """
        if not self.kind.reaction:
            if mass is not None or force is not None:
                raise TypeError(f"{self.kind.name} needs no mass and no force")
            return self._core.step(T, v, load)
        if mass is None or not mass > 0.0:
            raise ValueError(f"{self.kind.name} is resolved with a mass: mass = {mass!r}, above 0 kg is needed")
        return self._core.step_mass(T, v, 0.0 if force is None else force, mass, load)

    def reset(self) -> None:
        """Back to the start, unloaded."""
        self._core.reset()

    def __repr__(self) -> str:
        words = "".join(f", {k}={v!r}" for k, v in self.parameters.items())
        return f"stiction.models.Model({self.kind.name!r}{words})"

    # ---- arrays: nothing is kept -------------------------------------------------------------------
    def rates(self, v: ArrayLike, z: ArrayLike | None = None, *, tau: float = 0.0, load: ArrayLike = 1.0) -> Any:
        """Forces at velocities v and memories z: f, or (f, rate of z). tau: the step that a rate will be carried over."""
        memory, discrete, signals, _ = self._sizes
        tau = _time("tau", tau)
        v_, load_ = np.asarray(v, dtype=float), np.asarray(load, dtype=float)
        many = memory > 1
        z_ = np.zeros(memory if many else ()) if z is None else np.asarray(z, dtype=float)
        lead = z_.shape[:-1] if many else z_.shape
        if many and z_.shape[-1] != memory:
            raise ValueError(f"z: the last axis has {z_.shape[-1]} numbers, the memory of {self.kind.name} {memory}")
        shape = np.broadcast_shapes(v_.shape, load_.shape, lead if memory else ())
        n = int(np.prod(shape))
        y = np.empty((n, memory))
        y[:] = np.broadcast_to(z_ if many else z_[..., None], (*shape, memory)).reshape(n, memory) if memory else 0.0
        f, ydot = np.empty(n), np.empty((n, memory))
        self._core.evaluate(tau, _flat(v_, shape), self._signals(load_, shape, n, signals), y, np.zeros((n, discrete)), f, ydot)
        force = f.reshape(shape)[()]
        if memory == 0:
            return force
        return force, (ydot.reshape((*shape, memory)) if many else ydot.reshape(shape)[()])

    def resolve(self, v: ArrayLike, force: ArrayLike = 0.0, *, mass: ArrayLike, T: float, load: ArrayLike = 1.0) -> Any:
        """Masses for one step T, from velocities v under forces: (resistance, velocity at the end). What rests, sticks."""
        _, discrete, signals, _ = self._sizes
        T = _time("T", T)
        v_, force_, mass_, load_ = (np.asarray(x, dtype=float) for x in (v, force, mass, load))
        if not np.all(mass_ > 0.0):
            raise ValueError("mass: numbers above 0 kg are needed")
        shape = np.broadcast_shapes(v_.shape, force_.shape, mass_.shape, load_.shape)
        n = int(np.prod(shape))
        s = np.zeros((n, discrete))
        if discrete:
            s[:, 0] = _flat(v_, shape) != 0.0
        f, end = np.empty(n), np.empty(n)
        self._core.resolve(T, _flat(v_, shape), _flat(force_, shape), _flat(mass_, shape), self._signals(load_, shape, n, signals), s, f, end)
        return f.reshape(shape)[()], end.reshape(shape)[()]

    def level(self, speed: ArrayLike, *, direction: ArrayLike = 1.0, load: ArrayLike = 1.0) -> Any:
        """The level of the model's law at speeds of 0 and more, N."""
        speed_, direction_, load_ = (np.asarray(x, dtype=float) for x in (speed, direction, load))
        shape = np.broadcast_shapes(speed_.shape, direction_.shape, load_.shape)
        out = np.empty(int(np.prod(shape)))
        self._core.level(_flat(speed_, shape), _flat(direction_, shape), _flat(load_, shape), out)
        return out.reshape(shape)[()]

    def _signals(self, load: NDArray[np.float64], shape: tuple[int, ...], n: int, signals: int) -> NDArray[np.float64]:
        table = np.zeros((n, signals))
        if signals:
            table[:, 0] = _flat(load, shape)
        return table


def _flat(array: NDArray[np.float64], shape: tuple[int, ...]) -> NDArray[np.float64]:
    return np.ascontiguousarray(np.broadcast_to(array, shape)).reshape(-1)


def level(law: str, speed: ArrayLike, *, direction: ArrayLike = 1.0, load: ArrayLike = 1.0, **parameters: Any) -> Any:
    """The level of a law at speeds of 0 and more, N: `level("stribeck", v, level=1, static=2, stribeck_speed=0.1)`."""
    return Model("coulomb", law=law, **parameters).level(speed, direction=direction, load=load)


# ---- one function for each model ---------------------------------------------------------------------
def _documented(kind: Kind) -> str:
    lines = [f"{kind.summary[:1].upper()}{kind.summary[1:]}.", ""]
    lines += [kind.equations.rstrip(), ""] if kind.equations else []
    for f in kind.fields:
        if f.type == "law":
            lines.append("law and its parameters (level, static, viscous, stribeck_speed, ...): stiction.models.laws()")
        elif f.name not in ("dim", "elements"):
            usual = f"; usually {f.usual:g}" if f.usual else ""
            lines.append(f"{f.name}: {f.meaning}{f' [{f.unit}]' if f.unit else ''}{usual}")
    return "\n".join([*lines, "", kind.use, kind.source]).rstrip()


def _function(kind: Kind) -> Callable[..., Any]:
    word = inspect.Parameter
    own = [word(f.name, word.KEYWORD_ONLY, default=f.usual or None) for f in _known(kind, "coulomb" if _has_law(kind) else None).values()]

    def vectorised(v: ArrayLike, z: ArrayLike | None = None, *, law: str | None = None, tau: float = 0.0, load: ArrayLike = 1.0, **numbers: Any) -> Any:
        return Model(kind.name, law=law, **numbers).rates(v, z, tau=tau, load=load)

    def resolved(v: ArrayLike, force: ArrayLike = 0.0, *, mass: ArrayLike, T: float, law: str | None = None, load: ArrayLike = 1.0, **numbers: Any) -> Any:
        return Model(kind.name, law=law, **numbers).resolve(v, force, mass=mass, T=T, load=load)

    function: Any = resolved if kind.reaction else vectorised
    plain = [p for p in inspect.signature(function).parameters.values() if p.kind is not word.VAR_KEYWORD]
    taken = {p.name for p in plain}
    rest = [p for p in own if p.name not in taken]
    function.__signature__ = inspect.Signature([*plain, *rest, word("parameters", word.VAR_KEYWORD)])
    function.__name__ = function.__qualname__ = kind.name.replace("-", "_")
    function.__doc__ = _documented(kind)
    return function  # type: ignore[no-any-return]


_FUNCTIONS = {kind.name.replace("-", "_"): _function(kind) for kind in _MODELS.values()}


def __getattr__(name: str) -> Callable[..., Any]:
    if name in _FUNCTIONS:
        return _FUNCTIONS[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_FUNCTIONS])
