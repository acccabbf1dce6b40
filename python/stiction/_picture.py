"""Pictures of runs, where matplotlib is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

if TYPE_CHECKING:
    from ._run import Run


def draw(run: "Run", channels: Sequence[str], axes: Any = None) -> Any:
    """One set of axes for each unit, over a common time axis."""
    import matplotlib.pyplot as plt

    units: dict[str, list[str]] = {}
    for name in channels:
        units.setdefault(run.units[name], []).append(name)
    if axes is None:
        figure, axes = plt.subplots(len(units), 1, sharex=True, squeeze=False, figsize=(7.0, 1.2 + 1.9 * len(units)))
        axes = axes[:, 0]
        figure.suptitle(run.title)
    elif not hasattr(axes, "__len__"):
        axes = [axes]
    if len(axes) < len(units):
        raise ValueError(f"{len(units)} axes are needed, one for each unit; there are {len(axes)}")
    for place, (unit, names) in zip(axes, units.items()):
        for name in names:
            place.plot(run.t, run[name], label=name, linewidth=1.0)
        place.set_ylabel(unit or "1")
        place.legend(loc="best", fontsize="small")
        place.grid(alpha=0.3)
    axes[len(units) - 1].set_xlabel("t / s")
    figure = axes[0].figure
    figure.tight_layout()
    return figure
