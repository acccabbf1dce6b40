"""Scenes that the tests share, and where things are."""

import os
import pathlib

import numpy as np
import pytest

import stiction as st

ROOT = pathlib.Path(__file__).resolve().parents[2]

BLOCK = """\
title: Spring-pulled mass
step: 1e-3
stop: 4
bodies:
  hand:  {kind: motion, x: "2*min(t, 2)", breaks: [2]}
  block: {kind: point, mass: 1}
elements:
  spring:   {kind: spring-damper, between: [hand, block], stiffness: 90}
  friction: {kind: friction, on: block, model: finite-time, level: 10}
record: [block.x, block.v, friction.force, friction.stick]
"""

PUSHED = """\
title: A mass that is pushed
step: 1e-3
stop: 1
inputs:
  u: {unit: N, value: 0}
bodies:
  block: {kind: point, mass: 2}
elements:
  push:     {kind: force, on: block, value: u}
  friction: {kind: friction, on: block, model: coulomb, level: 3}
record: [block.*, friction.force]
"""


@pytest.fixture
def block():
    return st.loads(BLOCK)


@pytest.fixture
def pushed():
    return st.loads(PUSHED)


@pytest.fixture
def arm():
    return st.load(ROOT / "examples" / "scene_in_a_loop.yaml")


@pytest.fixture
def random():
    return np.random.default_rng(20261118)


@pytest.fixture
def program():
    """The program stiction, where the tests know it."""
    path = os.environ.get("STICTION_PROGRAM")
    if not path:
        pytest.skip("STICTION_PROGRAM is not set")
    return path


def all_scenes():
    return sorted([*ROOT.glob("scenes/*/scene.yaml"), *ROOT.glob("papers/*/*/scene.yaml")])
