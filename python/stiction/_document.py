"""Documents: what a Plan collects, written as a scene with one component on each line."""

from __future__ import annotations

import json
import math
import sys
from typing import Any, Mapping, NamedTuple

import numpy as np

from ._errors import Message, SceneError


class Name(str):
    """The name of a body, element or input of a plan: a str, which other components and expressions can use."""


class Call(NamedTuple):
    """Where in a program something was said."""

    file: str
    line: int
    text: str


def plain(value: Any, where: str) -> Any:
    """What JSON can say: numpy's numbers and arrays become numbers and lists; NaN is refused."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    elif isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return str(value) if isinstance(value, str) else value
    if isinstance(value, (int, float)):
        if not math.isfinite(value):
            raise ValueError(f"{where} = {value!r}: a finite number is needed")
        return value
    if isinstance(value, Mapping):
        return {str(k): plain(v, f"{where}.{k}") for k, v in value.items()}
    if isinstance(value, (list, tuple, range)):
        return [plain(v, f"{where}[{i}]") for i, v in enumerate(value)]
    raise TypeError(f"{where}: a {type(value).__name__} cannot be a part of a scene")


def _caller(text: str) -> Call:
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("stiction."):
        frame = frame.f_back
    return Call(frame.f_code.co_filename, frame.f_lineno, text)


class Document:
    """Collects what is said, and where."""

    def __init__(self) -> None:
        self._top: dict[str, Any] = {}
        self._sections: dict[str, dict[str, Any]] = {"parameters": {}, "inputs": {}, "bodies": {}, "elements": {}}
        self._calls: dict[tuple[str, str], Call] = {}

    def _take(self, section: str, name: str, value: Any, call: Call) -> Name:
        if not isinstance(name, str) or not name:
            raise TypeError(f"{call.text}: a name is a str that is not empty")
        for other, names in self._sections.items():
            if name in names:
                raise ValueError(f"{call.text}: there is {name!r} already, among the {other}")
        self._sections[section][name] = value
        self._calls[section, name] = call
        return Name(name)

    def _add(self, section: str, kind: str, name: str, given: Mapping[str, Any]) -> Name:
        call = _caller(f"{kind.replace('-', '_')}({name!r})")
        value = {"kind": kind, **{k: plain(v, f"{name}.{k}") for k, v in given.items() if v is not None}}
        return self._take(section, name, value, call)

    def _set(self, given: Mapping[str, Any]) -> None:
        for key, value in given.items():
            if value is not None:
                self._top[key] = plain(value, key)
                self._calls[key, ""] = _caller(f"{key}={self._top[key]!r}")

    def input(self, name: str, value: float | str | Mapping[str, Any] = 0.0, *, unit: str | None = None) -> Name:
        """An input. A number: set from outside, step by step (`sim[name] = ...`); a text or map: a function of time.

        unit: for recordings.
        """
        number = not isinstance(value, (str, Mapping))
        said = {"value": value, **({"unit": unit} if unit else {})} if number else value
        return self._take("inputs", name, plain(said, name), _caller(f"input({name!r})"))

    def parameter(self, name: str, value: float) -> Name:
        """A number with a name, which expressions can use."""
        return self._take("parameters", name, plain(value, name), _caller(f"parameter({name!r})"))

    def to_yaml(self) -> str:
        """The scene as a file that `load` and the program read."""
        return "\n".join(line for line, _ in self._lines()) + "\n"

    def _lines(self) -> list[tuple[str, Call | None]]:
        lines: list[tuple[str, Call | None]] = []
        for key, value in self._top.items():
            lines.append((f"{key}: {json.dumps(value, ensure_ascii=False)}", self._calls[key, ""]))
        if "stop" not in self._top:  # whoever runs it says how long
            lines.append((f"stop: {json.dumps(self._usual_stop())}", None))
        for section, names in self._sections.items():
            if not names:
                continue
            lines.append((f"{section}:", None))
            for name, value in names.items():
                text = f"  {json.dumps(name, ensure_ascii=False)}: {json.dumps(value, ensure_ascii=False)}"
                lines.append((text, self._calls[section, name]))
        return lines

    def _usual_stop(self) -> float:
        """A thousand steps."""
        step, start = self._top.get("step", 1e-3), self._top.get("start", 0.0)
        return start + 1000.0 * step if isinstance(step, (int, float)) and isinstance(start, (int, float)) else 1.0

    def _at_call(self, error: SceneError, path: str) -> SceneError:
        """The same error, with the place in the program in place of a line of the document."""
        lines = self._lines()
        messages = []
        for m in error.messages:
            call = lines[m.line - 1][1] if m.file == path and 0 < m.line <= len(lines) else None
            messages.append(m if call is None else Message(m.severity, call.file, call.line, 1, f"{call.text}: {m.text}"))
        return SceneError(messages)
