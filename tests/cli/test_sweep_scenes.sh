#!/usr/bin/env bash
# The studies of scenes/ against closed forms, run by run.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"
scenes=$here/../../scenes

# Does a block that has just broken loose come back to the speed of the belt? Slip is a damped oscillation.
code 0 sweep "$scenes/belt-study/scene.yaml" --step 4e-3 -q -o belt.csv
awk -F, '/^[0-9]/ {
    V = $3; k = $4; m = 1; c = 1; drop = 8 - 5
    a = c/(2*m); w = sqrt(k/m - a*a); B = (a*V - drop/m)/w
    most = 0
    for (i = 100; i <= 20000; ++i) {
        t = 2*atan2(0, -1)/w*i/20000
        v = exp(-a*t)*(V*cos(w*t) + B*sin(w*t))
        if (v > most) most = v
    }
    sticks = most > V
    if (sticks != ($5 == 1)) { print "speed " V ", stiffness " k ": sticks " $5; bad = 1 }
    ++count[sticks]
} END { exit bad || count[0] < 30 || count[1] < 30 }' belt.csv || fail "the boundary of stick and slip"

# A part slips where its weight and inertia exceed what both fingers can hold.
code 0 sweep "$scenes/gripper-study/scene.yaml" -q -o gripper.csv
awk -F, '/^[0-9]/ {
    hold = 30*($3 + $4); need = $5*(9.81 + 0.05*(2*atan2(0, -1))^2)
    if ((need > hold) != ($6 < -1e-6)) { print; bad = 1 }
    ++count[need > hold]
} END { exit bad || count[0] < 100 || count[1] < 30 }' gripper.csv || fail "the runs in which the part slips"
finish
