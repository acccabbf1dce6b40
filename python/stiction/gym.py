"""Environments for learning, in the manner of Gymnasium; works without it, and uses its spaces where it is there."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._errors import StepError
from ._names import expand
from ._scene import Scene

try:
    import gymnasium as _gymnasium
except ImportError:
    _gymnasium = None


class Box:
    """A box of numbers: what is used of gymnasium.spaces.Box where Gymnasium is not there."""

    def __init__(self, low: ArrayLike, high: ArrayLike, shape: tuple[int, ...]) -> None:
        self.low: NDArray[np.float64] = np.broadcast_to(np.asarray(low, dtype=float), shape).copy()
        self.high: NDArray[np.float64] = np.broadcast_to(np.asarray(high, dtype=float), shape).copy()
        self.shape: tuple[int, ...] = shape
        self.dtype: np.dtype[np.float64] = np.dtype(float)
        self._random = np.random.default_rng()

    def seed(self, seed: int | None = None) -> None:
        """Starts the random numbers anew."""
        self._random = np.random.default_rng(seed)

    def sample(self) -> NDArray[np.float64]:
        """Random numbers within the box; normal ones where it has no ends."""
        bounded = np.isfinite(self.low) & np.isfinite(self.high)
        low, high = np.where(bounded, self.low, 0.0), np.where(bounded, self.high, 1.0)
        return np.where(bounded, self._random.uniform(low, high), self._random.normal(size=self.shape))

    def contains(self, x: Any) -> bool:
        """Whether x is inside."""
        x = np.asarray(x)
        return x.shape == self.shape and bool(np.all(x >= self.low) and np.all(x <= self.high))


def _box(low: ArrayLike, high: ArrayLike, shape: tuple[int, ...]) -> Any:
    if _gymnasium is None:
        return Box(low, high, shape)
    return _gymnasium.spaces.Box(np.asarray(low), np.asarray(high), shape, dtype=np.float64)


class Env(*((_gymnasium.Env,) if _gymnasium is not None else ())):  # type: ignore[misc]
    """A scene as an environment: `observation, info = env.reset()`, then `env.step(action)`.

    action: inputs that are set from outside; observe: channels or patterns; reward: a function of (observation,
    action, sim). period: s between two actions (default: ten steps). stop: s of an episode (default: the scene's);
    done: a function of (observation, sim) that ends it earlier. low, high: of the actions. start: a function of
    (random generator, sim) that changes the state at a reset.
    """

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(
        self,
        scene: Scene,
        action: str | Sequence[str],
        observe: str | Sequence[str],
        reward: Callable[..., float],
        *,
        period: float | None = None,
        stop: float | None = None,
        done: Callable[..., bool] | None = None,
        low: ArrayLike = -1.0,
        high: ArrayLike = 1.0,
        start: Callable[..., None] | None = None,
        set: Mapping[str, float] | None = None,
    ) -> None:
        self.scene: Scene = scene
        self.sim = scene.start(set)
        self._first = self.sim.save()
        self.action_names = expand(action, scene.inputs, "input that is set from outside")
        self.observed_names = expand(observe, scene.channels)
        self._actions = [self.sim[name] for name in self.action_names]
        self._observed = [self.sim[name] for name in self.observed_names]
        self._reward, self._done, self._start = reward, done, start
        self._steps = 10 if period is None else scene._steps(period, "period")
        if self._steps < 1:
            raise ValueError(f"period = {period!r} s: one step or more is needed")
        self._end = scene._steps((scene.stop if stop is None else stop) - scene.start_time, "stop")
        self.action_space = _box(low, high, (len(self.action_names),))
        self.observation_space = _box(-np.inf, np.inf, (len(self.observed_names),))
        self._random = np.random.default_rng()

    def _observation(self) -> NDArray[np.float64]:
        return np.array([float(view) for view in self._observed])

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[NDArray[np.float64], dict[str, Any]]:
        """Back to the start; the same seed gives the same episode."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self.sim.restore(self._first)
        for view in self._actions:
            view[...] = 0.0
        if self._start is not None:
            self._start(self._random, self.sim)
        return self._observation(), {"t": self.sim.t}

    def step(self, action: ArrayLike) -> tuple[NDArray[np.float64], float, bool, bool, dict[str, Any]]:
        """Sets the inputs for one period. Returns observation, reward, terminated, truncated, info.

        A step that fails terminates the episode; info["error"] then says why.
        """
        values = np.asarray(action, dtype=float).reshape(-1)
        if values.shape != self.action_space.shape or not np.all(np.isfinite(values)):
            raise ValueError(f"action: {len(self._actions)} finite numbers are needed, not {action!r}")
        values = np.clip(values, self.action_space.low, self.action_space.high)
        for view, value in zip(self._actions, values):
            view[...] = value
        info: dict[str, Any] = {}
        try:
            self.sim.step(self._steps)
        except StepError as error:
            info["error"] = str(error)
        observation = self._observation()
        info["t"] = self.sim.t
        terminated = "error" in info or (self._done is not None and bool(self._done(observation, self.sim)))
        return observation, float(self._reward(observation, values, self.sim)), terminated, self.sim.k >= self._end, info

    def close(self) -> None:
        """Ends the Sim."""
        self.sim.close()


def register(name: str, scene: Scene, **options: Any) -> None:
    """Registers an environment with Gymnasium: `gymnasium.make(name)` then makes it."""
    if _gymnasium is None:
        raise ImportError("Gymnasium is not installed: make the environment itself, stiction.gym.Env(...)")
    _gymnasium.register(id=name, entry_point=Env, kwargs={"scene": scene, **options})
