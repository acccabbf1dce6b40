// A four-bar linkage that a torque swings to and fro, with friction in all of its pins.
#ifndef STICTION_TESTS_SCENES_PUSHED_FOUR_BAR_H
#define STICTION_TESTS_SCENES_PUSHED_FOUR_BAR_H

static const char pushed_four_bar[] =
    "step: 1e-3\n"
    "stop: 4\n"
    "bodies:\n"
    "  mechanism:\n"
    "    kind: linkage\n"
    "    bodies:\n"
    "      crank: {mass: 0.5, inertia: 0.002, position: [0, 0.05], angle: pi/2}\n"
    "      coupler: {mass: 1, inertia: 0.02, position: [0.2, 0.15], angle: 0.3}\n"
    "      rocker: {mass: 0.8, inertia: 0.01, position: [0.4, 0.1], angle: pi/2}\n"
    "    joints:\n"
    "      a: {type: revolute, on: crank, at: [-0.05, 0], radius: 0.01}\n"
    "      b: {type: revolute, between: [coupler, crank], at: [[-0.2, 0], [0.05, 0]], radius: "
    "0.01}\n"
    "      c: {type: revolute, between: [rocker, coupler], at: [[0.125, 0], [0.2, 0]], radius: "
    "0.01}\n"
    "      d: {type: revolute, on: rocker, at: [-0.125, 0], anchor: [0.4, 0], radius: 0.01}\n"
    "elements:\n"
    "  push: {kind: force, on: a, value: 1.5*sin(pi*t)}\n"
    "  preload: {kind: spring-damper, on: d, stiffness: 8, rest: 1.2}\n"
    "  friction: {kind: friction, on: [a, b, c, d], model: coulomb, mu: 0.2}\n";

#endif
