#!/bin/sh
# The figures of the READMEs: scenes/figures.sh [PROGRAM]. Needs gnuplot; the same scenes give the same files.
set -eu
cd "$(dirname "$0")"
stiction=${1:-stiction}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run NAME SCENE [options]: a recording whose name is the legend.
run() {
    name=$1
    scene=$2
    shift 2
    "$stiction" run "$scene" --quiet -o "$work/$name.h5" "$@" >/dev/null
}

# plot SCENE[/FIGURE] NAMES... -- [options]: recordings over each other.
plot() {
    case $1 in
    */*) figure=$1.svg ;;
    *) figure=$1/figure.svg ;;
    esac
    shift
    files=
    while [ "$1" != -- ]; do
        files="$files $work/$1.h5"
        shift
    done
    shift
    # shellcheck disable=SC2086
    "$stiction" plot $files --quiet -o "$figure" "$@"
    echo "scenes/$figure"
}

run with_friction slider-crank --set every=80
run without_friction slider-crank --variant frictionless --set every=80
plot slider-crank with_friction without_friction -- --x main.q --range 6.2832:12.5664 \
    --y motor.effort --y engine.loss --title "Slider-crank: torque of the motor over a turn, power lost in the joints"

run with_friction four-bar --set every=8
run without_friction four-bar --variant frictionless --set every=8
plot four-bar with_friction without_friction -- --x a.q --range 7.854:14.137 \
    --y motor.effort --y mechanism.loss --title "Four-bar: torque of the motor over a turn, power lost in the joints"

run mu_0.15_holds wedge --set stop=0.2 --set every=1
run mu_0.02_slides wedge --variant slippery --set every=1
plot wedge mu_0.15_holds mu_0.02_slides -- --y wedge.x --y base.friction \
    --title "Wedge under 1000 N: it holds, or slides out"

run with_friction toggle-press --set stop=0.04 --set every=10
run without_friction toggle-press --variant frictionless --set stop=0.04 --set every=10
plot toggle-press with_friction without_friction -- --y work.force --y upper.angle \
    --title "Toggle press: a push of 100 N at the knee, and the force at the workpiece"

leans='grid={lean: {from: 0.08, to: 0.3, count: 23}}'
run with_friction toggle-press --set "$leans" --set stop=0.1 --set 'expect=[]'
run without_friction toggle-press --variant frictionless --set "$leans" --set stop=0.2 --set 'expect=[]'
plot toggle-press/gain with_friction without_friction -- --x lean --y work.force \
    --title "Toggle press: force at rest over the angle from the dead centre, push 100 N"

run arm two-link-arm --set every=400
plot two-link-arm arm -- --y arm.joint0.q,arm.joint1.q --y arm.joint0.pin,arm.joint1.pin \
    --y energy.stored,energy.dissipated --title "Two-link arm: swing, pin friction, energy"

run arm six-axis-arm --set every=24
plot six-axis-arm arm -- --y arm.turn.q,arm.lift.q,arm.elbow.q --y turn_friction.force,elbow_friction.force \
    --title "Six-axis arm: the way of three joints, friction of two"

run walker floating-base --set every=20
plot floating-base walker -- --y 'walker.*_hip.q,walker.*_knee.q' --y 'walker.base.qx,walker.base.qy,walker.base.qz' \
    --title "Floating walker: its joints stop, its trunk has turned"

run jack screw-jack --set every=10
plot screw-jack jack -- --y table.v --y thread.force,thread.friction.force --title "Screw jack: holds, then lifts"

run train drive-train --set every=10
run overload drive-train --variant overload --set every=10
plot drive-train train overload -- --y left.qd --y ring.qd --title "Drive train: the weak output turns, or the ring slips"
