"""Scenes without YAML."""

from __future__ import annotations

import os
from os import PathLike
from typing import Any, Mapping

from ._document import Name
from ._errors import SceneError
from ._kinds import Kinds
from ._scene import Scene

__all__ = ["Name", "Plan"]


class Plan(Kinds):
    """A scene that is built in Python: whatever a scene file can say.

    Keyword arguments are those of `Plan.set`: step, stop, gravity, ... Each kind of body and element is a method that
    takes its name and its keys, and returns the name for others to refer to. Words of kinds and keys are those of
    scene files, with `_` for `-`, and with `_` at the end where Python has the word itself. Without `stop` a plan
    that is run for no given time takes a thousand steps.

    >>> plan = Plan(step=1e-3, stop=1)
    >>> block = plan.point("block", mass=2, velocity=[1])
    >>> _ = plan.friction("friction", on=block, model="coulomb", level=10)
    >>> print(f"{plan.scene().run()['block.x'][-1]:.6f} m")
    0.100000 m
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__()
        self.set(**settings)

    def scene(self, set: Mapping[str, Any] | None = None, *, variant: str | None = None, folder: str | PathLike[str] | None = None) -> Scene:
        """Reads and compiles it. Errors are those of a scene file, with the place of the call that said it.

        folder: where files that the plan names (CSV, URDF) are.
        """
        path = "<plan>" if folder is None else os.path.join(os.fspath(folder), "<plan>")
        try:
            return Scene(path, self.to_yaml(), set or {}, variant, None)
        except SceneError as error:
            raise self._at_call(error, path) from None

    def run(self, duration: float | None = None, **options: Any) -> Any:
        """A run from the start: `plan.scene().run(...)`."""
        return self.scene().run(duration, **options)

    def save(self, path: str | PathLike[str]) -> None:
        """Writes it as a scene file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.to_yaml())

    def __repr__(self) -> str:
        return f"<stiction.Plan: {len(self._sections['bodies'])} bodies, {len(self._sections['elements'])} elements>"
