"""What a run has recorded."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import Any, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from ._names import expand, unknown


@dataclass(frozen=True)
class Energy:
    """The energy ledger of a run, J."""

    work: float  #: by force and motion sources
    stored: float  #: at the end, in bodies and elements
    stored_start: float
    dissipated: float  #: by all elements
    numerical: float  #: gained by the integration of the bodies; 0 for an exact method
    residual: float  #: work + numerical - (stored - stored_start) - dissipated: rounding, or a bug


class Run(Mapping[str, NDArray[np.float64]]):
    """Rows of a run: `run["block.x"]` is a column, `run.t` the times, `run.units["block.x"]` its unit.

    Row 0 is the start; each other row holds the state at its time and the forces of the step that ended there.
    """

    def __init__(
        self,
        title: str,
        t: NDArray[np.float64],
        data: NDArray[np.float64],
        units: Mapping[str, str],
        energy: Energy | None,
        figures: Mapping[str, float],
        complete: bool = True,
    ) -> None:
        self.title: str = title
        #: times of the rows, s
        self.t: NDArray[np.float64] = t
        #: rows x channels
        self.data: NDArray[np.float64] = data
        #: of each channel; "" where it has none
        self.units: dict[str, str] = dict(units)
        #: the energy ledger; None where the run did not come to its end
        self.energy: Energy | None = energy
        #: steps, substeps, events (changes of stick and slip), fallbacks, and what solvers had to give up
        self.figures: dict[str, float] = dict(figures)
        #: False: it was interrupted, or a step failed
        self.complete: bool = complete
        self._columns = {name: i for i, name in enumerate(self.units)}

    @property
    def channels(self) -> list[str]:
        """Names of the recorded channels."""
        return list(self._columns)

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        if name == "t":
            return self.t
        if name not in self._columns:
            raise unknown(str(name), self._columns, "recorded channel")
        return self.data[:, self._columns[name]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    def to_pandas(self) -> Any:
        """A pandas DataFrame over t; needs pandas."""
        import pandas

        return pandas.DataFrame(self.data, index=pandas.Index(self.t, name="t"), columns=self.channels)

    def save(self, path: str | PathLike[str]) -> None:
        """Writes a CSV file: t, then the channels, with all digits."""
        header = ",".join(["t", *self.channels])
        rows = np.column_stack([self.t, self.data])
        np.savetxt(path, rows, fmt="%.17g", delimiter=",", header=header, comments="")

    def plot(self, *channels: str, axes: Any = None) -> Any:
        """Curves over time, one picture for each unit; patterns such as "arm.*" are allowed. Needs matplotlib.

        Returns the figure.
        """
        from ._picture import draw

        return draw(self, expand(channels or self.channels, self._columns, "recorded channel"), axes)

    def report(self, path: str | PathLike[str]) -> None:
        """Writes a page with plots that opens in any browser; needs the program stiction."""
        from ._page import write_page

        write_page([self], path)

    def _repr_html_(self) -> str:
        from ._page import inline_page

        return inline_page(self)

    def __repr__(self) -> str:
        end = "" if self.complete else ", not complete"
        span = f"{self.t[0]:g} to {self.t[-1]:g} s" if len(self.t) else "nothing"
        return f"<stiction.Run {self.title!r}: {len(self.t)} rows, {span}, {len(self)} channels{end}>"
