"""What can go wrong, as exceptions."""

from __future__ import annotations

from typing import Any, NamedTuple, Sequence


class Message(NamedTuple):
    """A message about a place in a scene. line and column count from 1; 0 where there is none."""

    severity: str  #: "note", "warning" or "error"
    file: str
    line: int
    column: int
    text: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line > 0 else self.file
        return f"{place}: {self.severity}: {self.text}" if place else f"{self.severity}: {self.text}"


class StictionError(Exception):
    """The base of all exceptions of this package."""


class SceneError(StictionError, ValueError):
    """A scene cannot be read. file, line and column are those of the first error, messages holds all."""

    def __init__(self, messages: Sequence[Any]) -> None:
        self.messages: tuple[Message, ...] = tuple(Message(*m) for m in messages)
        errors = [m for m in self.messages if m.severity == "error"] or list(self.messages)
        first = errors[0] if errors else Message("error", "", 0, 0, "the scene cannot be read")
        self.file: str = first.file
        self.line: int = first.line
        self.column: int = first.column
        self.text: str = first.text
        super().__init__("\n".join(str(m) for m in errors) or str(first))

    def __reduce__(self) -> Any:
        return type(self), (self.messages,)


class StepError(StictionError, RuntimeError):
    """A step failed; the state is that of the last good one.

    component and what name the place, t (s) and k the time; run holds the rows so far where a run was under way.
    """

    def __init__(self, status: int, text: str, component: str | None, what: str | None, t: float, k: int) -> None:
        self.status: int = status
        self.text: str = text
        self.component: str = component or ""
        self.what: str = what or ""
        self.t: float = t
        self.k: int = k
        self.run: Any = None
        place = f", in {self.component}" if self.component else ""
        detail = f": {self.what}" if self.what else ""
        super().__init__(f"stopped at t = {t:.9g} s (step {k}): {text}{place}{detail}")

    def __reduce__(self) -> Any:
        return type(self), (self.status, self.text, self.component, self.what, self.t, self.k)


class UnknownName(StictionError, KeyError):
    """There is nothing of that name; the message has the nearest names that there are."""

    def __init__(self, text: str) -> None:
        self.text: str = text
        super().__init__(text)

    def __str__(self) -> str:
        return self.text


class ClosedError(StictionError, RuntimeError):
    """The Sim was closed."""


class BusyError(StictionError, RuntimeError):
    """The Sim is in use by another thread, or by the call that this one comes from."""
