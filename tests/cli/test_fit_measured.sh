#!/usr/bin/env bash
# Fits of measured logs, where they are there (shared/data beside the project): what is known of them comes out.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"
logs=$here/../../../shared/data
if [ ! -e "$logs/emps/log.csv" ]; then
    echo "there are no measured logs: skipped"
    exit 77
fi

cat >emps.yaml <<'SCENE'
title: A linear drive
step: 1e-3
stop: 24.84
parameters: {offset: 3}
inputs: {command: {unit: V, value: 0}}
bodies: {m: {kind: point, mass: 95}}
elements:
  motor:    {kind: force, on: m, value: "35.15065188*command + offset"}
  friction: {kind: friction, on: m, model: coulomb, level: 20, viscous: 200}
record: [m.x]
SCENE
rms() { awk '$1 == "m.x" { print $3 }' out; } # mm
below() { awk -v a="$(rms)" -v b="$1" 'BEGIN { exit !(a != "" && a <= b) }' || fail "rms $(rms) mm, not below $1: $2"; }
fit() # OPTIONS...
{
    "$stiction" fit emps.yaml --data "$logs/emps/log.csv" --map m.x=qm --drive command=vir \
        --free friction.level=0:100,friction.viscous=0:1000,m.mass=50:150,offset=-20:20 "$@" >out 2>&1 || fail "fit $*: $(cat out)"
}

# Of one viscous coefficient 2.54 mm are known to be reached; with the published values of an inverse model it is 6.8 mm.
fit
below 2.55 "Coulomb and viscous friction"
fit --models stribeck --starts 1
grep -q "stribeck_speed cannot be determined" out || fail "the Stribeck speed counts as determined"
finish
