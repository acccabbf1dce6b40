#!/usr/bin/env bash
# A servo with a pendulum, eight measured logs: friction that depends on the load predicts logs that were left out better
# than Coulomb and viscous friction does. Where the logs are not there: skipped.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"
logs=$here/../../../shared/data/servo
if [ ! -e "$logs/kp100_sin_sin.csv" ]; then
    echo "there are no measured logs: skipped"
    exit 77
fi

cat >servo.yaml <<'SCENE'
title: A servo with a pendulum
step: 5e-3
stop: 6
parameters: {kt: 0.38, R: 4, armature: 0.0018, q_offset: 0.03, kp: 100, base: 0.01, extra: 0, share: 0, motor_share: 0,
  load_share: 0, motor_stribeck: 0, load_stribeck: 0, motor_quadratic: 0, load_quadratic: 0, speed: 2.5, exponent: 0.8, viscous: 0.004}
inputs:
  goal: {unit: rad, value: 0}
  enabled: {value: 1}
bodies: {arm: {kind: point, mass: "0.49*0.1*0.1 + armature"}}
elements:
  motor:
    kind: force
    on: arm
    value: "enabled*(kt/R*7.4*min(1, max(-1, kp*(goal - arm.x)*4096/(2*pi)/(256*885))) - kt*kt/R*arm.v)"
  weight: {kind: force, on: arm, value: "-0.49*9.81*0.1*sin(arm.x + q_offset)"}
  friction:
    {kind: friction, on: arm, model: coulomb, law: gear-load, motor: motor, external: weight, level: base, static: "base + extra",
     viscous: viscous, stribeck_speed: speed, stribeck_exponent: exponent,
     motor_share: "motor_share + share", load_share: "load_share + share", motor_share_stribeck: motor_stribeck,
     load_share_stribeck: load_stribeck, motor_quadratic: motor_quadratic, load_quadratic: load_quadratic}
record: [arm.x]
fit:
  map: {arm.x: position}
  drive: {goal: goal, enabled: enabled}
  hold: sample
  folds: 8
  free: {kt: [0.2, 0.8], R: [1, 10], armature: [0.0002, 0.01], q_offset: [-0.2, 0.2], base: [0, 0.1], viscous: [0, 0.02]}
  models:
    m1: {}
    m2: {free: {extra: [0, 0.1], speed: [0.01, 10], exponent: [0.3, 3]}}
    m3: {free: {share: [0, 0.5]}}
    m4:
      set: {friction.motor_share_stribeck: load_stribeck}
      free: {extra: [0, 0.1], speed: [0.01, 10], exponent: [0.3, 3], share: [0, 0.5], load_stribeck: [0, 0.5]}
    m5:
      free: {extra: [0, 0.1], speed: [0.01, 10], exponent: [0.3, 3], motor_share: [0, 0.6], load_share: [0, 0.6],
             motor_stribeck: [0, 0.6], load_stribeck: [0, 0.6]}
    m6:
      free: {extra: [0, 0.1], speed: [0.01, 10], exponent: [0.3, 3], motor_share: [0, 0.6], load_share: [0, 0.6],
             motor_stribeck: [0, 0.6], load_stribeck: [0, 0.6], motor_quadratic: [0, 5], load_quadratic: [0, 5]}
  data:
SCENE
for log in "$logs"/kp*.csv; do
    kp=$(basename "$log" | cut -c3-5)
    echo "    - {file: $log, set: {kp: $kp}}" >>servo.yaml
done

"$stiction" fit servo.yaml --starts 1 >out 2>err || fail "the fit ended with $?: $(cat err)"
grep -A 7 "mean absolute  " out
error() { awk -v model="$1" -v column="$2" '$1 == model && NF > 5 { print $column }' out; } # mm, of arm.x in rad
for law in m3 m4 m5 m6; do
    for column in 5 7; do # in the fit, and left out
        awk -v a="$(error $law $column)" -v b="$(error m1 $column)" 'BEGIN { exit !(a != "" && a < 0.85 * b) }' ||
            fail "$law is $(error $law $column), m1 $(error m1 $column)"
    done
done
finish
