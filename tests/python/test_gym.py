"""Environments: an episode is what a Sim does."""

import numpy as np
import pytest

import stiction as st


def make(pushed, **options):
    return st.gym.Env(pushed, action="u", observe="block.*", reward=lambda o, a, sim: -abs(o[0] - 0.1), low=-10, high=10, **options)


def test_an_episode(pushed, random):
    env = make(pushed, period=0.02)
    actions = random.uniform(-10, 10, size=50)
    first, info = env.reset(seed=1)
    assert first.tolist() == [0.0, 0.0] and info["t"] == 0.0
    seen = [env.step([a]) for a in actions]
    assert seen[-1][3] and not seen[-2][3] and not any(s[2] for s in seen)
    run = pushed.run(1.0, inputs={"u": np.repeat(actions, 20)}, record="block.*")
    assert np.array_equal(np.array([s[0] for s in seen]), run.data[20::20])
    assert seen[10][1] == -abs(seen[10][0][0] - 0.1)
    env.reset()
    assert np.array_equal(env.step([actions[0]])[0], seen[0][0])
    env.close()


def test_starts_are_seeded(pushed):
    def start(random, sim):
        sim["block.v"] = random.uniform(-1, 1)

    env = make(pushed, start=start, done=lambda o, sim: abs(o[1]) < 1e-9)
    one, two, three = (env.reset(seed=s)[0][1] for s in (4, 4, 5))
    assert one == two != three
    while not (end := env.step([0.0]))[2]:
        assert not end[3]
    assert end[0][1] == 0.0


def test_bad_actions(pushed):
    env = make(pushed)
    env.reset()
    for bad in ([1.0, 2.0], [np.nan], []):
        with pytest.raises(ValueError):
            env.step(bad)
    with pytest.raises(st.UnknownName):
        st.gym.Env(pushed, action="w", observe="block.x", reward=lambda *a: 0.0)
    assert env.action_space.contains(env.action_space.sample())
