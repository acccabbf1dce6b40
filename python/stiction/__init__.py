"""Friction-true simulation of mechanical systems.

>>> import stiction as st
>>> plan = st.Plan(step=1e-3, stop=4)
>>> hand = plan.motion("hand", x="2*min(t, 2)", breaks=[2])
>>> block = plan.point("block", mass=1)
>>> spring = plan.spring_damper("spring", between=[hand, block], stiffness=90)
>>> friction = plan.friction("friction", on=block, model="finite-time", level=10)
>>> run = plan.scene().run()
>>> print(f"x = {run['block.x'][-1]:.6f} m, v = {run['block.v'][-1]:g} m/s")
x = 3.973262 m, v = 0 m/s
"""

from __future__ import annotations

from . import _core, gym, models
from ._controller import Controller, controller
from ._errors import BusyError, ClosedError, Message, SceneError, StepError, StictionError, UnknownName
from ._fit import ChannelError, Fit, FitError, Fits, Fitted, Series, fit
from ._plan import Name, Plan
from ._rollout import Rollout, RolloutError
from ._run import Energy, Run
from ._scene import Component, Parameter, Scene, load, loads
from ._sim import Sim
from ._sweep import Sweep

__version__: str = _core.version

__all__ = [
    "BusyError", "ChannelError", "ClosedError", "Component", "Controller", "Energy", "Fit", "FitError", "Fits", "Fitted", "Message", "Name", "Parameter", "Plan", "Rollout",
    "RolloutError", "Run", "Scene", "SceneError", "Series", "Sim", "StepError", "StictionError", "Sweep", "UnknownName",
    "controller", "fit", "gym", "load", "loads", "models",
]
