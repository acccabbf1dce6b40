"""Controllers: functions that are called while a run goes on."""

from __future__ import annotations

from typing import Any, Callable, Sequence


def _is_compiled(function: Any) -> bool:
    """numba's cfunc; whatever else has an address is none of a function."""
    return all(hasattr(function, name) for name in ("address", "ctypes", "native_name"))


class Controller:
    """A function that reads channels and sets inputs at a period of its own; made by `controller`."""

    def __init__(
        self, function: Callable[..., Any], period: float, reads: str | Sequence[str], writes: str | Sequence[str]
    ) -> None:
        if not callable(function) and not _is_compiled(function):
            raise TypeError(f"a controller is a function, not {function!r}")
        self.function: Callable[..., Any] = function
        #: s
        self.period: float = float(period)
        if not self.period > 0.0:
            raise ValueError(f"period = {period!r}: a time above 0, s, is needed")
        self.reads: tuple[str, ...] = (reads,) if isinstance(reads, str) else tuple(reads)
        self.writes: tuple[str, ...] = (writes,) if isinstance(writes, str) else tuple(writes)
        if not self.writes:
            raise ValueError("writes: a controller sets at least one input")
        self.name: str = getattr(function, "__name__", type(function).__name__)
        self.__doc__ = getattr(function, "__doc__", None)

    @property
    def address(self) -> int:
        """Of a compiled function `void f(double t, const double *reads, double *writes)`; 0: a Python function."""
        if _is_compiled(self.function):
            return int(self.function.address)  # type: ignore[attr-defined]
        import ctypes

        try:
            return ctypes.cast(self.function, ctypes.c_void_p).value or 0  # type: ignore[arg-type]
        except (ctypes.ArgumentError, TypeError):
            return 0

    def __call__(self, *arguments: Any) -> Any:
        return self.function(*arguments)

    def __repr__(self) -> str:
        return f"<stiction.Controller {self.name}: every {self.period:g} s, {', '.join(self.reads)} -> {', '.join(self.writes)}>"


def controller(
    period: float, reads: str | Sequence[str], writes: str | Sequence[str]
) -> Callable[[Callable[..., Any]], Controller]:
    """Makes a function a controller: called every `period` s (a multiple of the step) with t and the channels that it
    reads, as floats; what it returns (one number, or one for each) is set until the next call. None: all stays.

    A compiled function (numba's `cfunc`, a ctypes function pointer) of the form
    `void f(double t, const double *reads, double *writes)` runs without the interpreter.

    >>> import stiction as st
    >>> @st.controller(period=1e-3, reads=["arm.elbow.q", "arm.elbow.qd"], writes="volts")
    ... def pd(t, q, qd):
    ...     return 20 * (0.3 - q) - qd
    >>> pd(0.0, 0.3, 1.0)
    -1.0
    """
    return lambda function: Controller(function, period, reads, writes)
