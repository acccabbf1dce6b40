#!/usr/bin/env bash
# Fits against what is done by hand: logs left out one by one, robots written as URDF, factors between units.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"

# Two logs of a block whose friction is not what the scene has: what a fit to the one says about the other.
for log in 1 2; do
    cat >truth$log.yaml <<END
title: A block on a table, pushed
step: 5e-3
stop: 3
inputs: {u: "12*sin(1.${log}*t) + 6*sin(4.${log}*t)"}
bodies: {block: {kind: point, mass: 2}}
elements:
  push:     {kind: force, on: block, value: u}
  friction: {kind: friction, on: block, model: coulomb, law: stribeck, level: 4, static: 6, stribeck_speed: 0.3, viscous: 3}
record: [block.x, u]
END
    code 0 run truth$log.yaml -o truth$log.csv -q
    awk -F, -v seed=$log 'BEGIN { srand(seed) } NR == 1 { print "t,x,u"; next }
        { printf "%s,%.9g,%s\n", $1, $2 + 0.002 * (rand() + rand() - 1), $3 }' truth$log.csv >log$log.csv
done
sed -e 's/law: stribeck, level: 4, static: 6, stribeck_speed: 0.3/level: 4/' truth1.yaml >block.yaml
fit() { code 0 fit block.yaml --map block.x=x --drive u=u -q -o fit.csv "$@"; }
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == name) n = i } NR == 2 { print $n }' fit.csv; }
free=friction.level=0:20,friction.viscous=0:20
fit --data log1.csv --data log2.csv --free $free --folds 2
reported=$(column "block.x cross-validated rms")
for log in 1 2; do
    fit --data log$log.csv --free $free
    level=$(column friction.level) viscous=$(column friction.viscous)
    fit --data log$((3 - log)).csv --free $free --evaluate --set "friction.level=$level" --set "friction.viscous=$viscous"
    column "block.x rms"
done >by_hand
awk -v reported="$reported" '{ sum += $1 * $1 } END { rms = sqrt(sum / NR); exit !((reported / rms - 1)^2 < 1e-4) }' by_hand ||
    fail "logs left out: rms $reported is reported, by hand $(tr '\n' ' ' <by_hand)"
# By pieces of time a model that is wrong predicts worse than it fits.
fit --data log1.csv --free $free --folds 4
awk -v a="$(column "block.x cross-validated rms")" -v b="$(column "block.x rms")" 'BEGIN { exit !(a > b && a < 10 * b) }' ||
    fail "left out $(column "block.x cross-validated rms"), fitted $(column "block.x rms")"

# A robot written as URDF has the same misfit as the scene that was fitted, to the last bit.
cat >arm.yaml <<'END'
title: An arm that is turned
step: 5e-3
stop: 3
gravity: [0, 0, -9.81]
inputs: {u: "2*sin(2.3*t) + cos(5*t)"}
bodies:
  arm:
    kind: robot
    links: [{name: upper, joint: shoulder, axis: [0, 1, 0], mass: 1.5, centre: [0, 0, -0.2], inertia: [0.03, 0.03, 0.001]}]
elements:
  motor: {kind: force, on: arm.shoulder, value: u}
  rub:   {kind: friction, on: arm.shoulder, model: coulomb, level: 0.2, viscous: 0.1}
record: [arm.shoulder.q, u]
END
code 0 run arm.yaml -o arm.csv -q
awk -F, 'BEGIN { srand(3) } NR == 1 { print "t,q,u"; next }
    { printf "%s,%.9g,%s\n", $1, $2 + 0.002 * (rand() + rand() - 1), $3 }' arm.csv >arm_log.csv
arm() { code 0 fit "$1" --data arm_log.csv --map arm.shoulder.q=q --drive u=u -q -o fit.csv --free "${@:2}"; }
arm arm.yaml arm.links.0.mass=0.5:3,rub.level=0:2,rub.viscous=0:2 --set arm.links.0.mass=1.2 --write-back fitted.urdf
fitted=$(column "arm.shoulder.q rms") level=$(column rub.level) viscous=$(column rub.viscous)
sed -e '/^    links:/d' -e 's/^    kind: robot/    {kind: robot, urdf: fitted.urdf}/' arm.yaml >written.yaml
arm written.yaml rub.level=0:2,rub.viscous=0:2 --set "rub.level=$level" --set "rub.viscous=$viscous" --evaluate
[ "$(column "arm.shoulder.q rms")" = "$fitted" ] || fail "the URDF has rms $(column "arm.shoulder.q rms"), the fit $fitted"
# Numbers of a model file have no place in the scene.
code 2 fit written.yaml --data arm_log.csv --map arm.shoulder.q=q --drive u=u --free arm.upper.mass=0.5:3 -o none.csv
says err "stiction import writes a model file as such a scene"
[ -e none.csv.progress ] && fail "a fit that failed left its progress"

# A factor between units is said, in what is measured and in what drives.
for column in 2 3; do
    for factor in 1000 0.001 57.3; do
        awk -F, -v OFS=, -v c=$column -v f=$factor 'NR > 1 { $c = sprintf("%.9g", f * $c) } { print }' log1.csv >units.csv
        code 0 fit block.yaml --data units.csv --map block.x=x --drive u=u --free friction.level=0:20 --starts 1
        [ $column$factor = 30.001 ] || says out "was measured about" # a push that never moves the block shows nothing
    done
done
code 0 fit block.yaml --data log1.csv --map block.x=x --drive u=u --free friction.level=0:20 --starts 1
grep -q "was measured about" out && fail "units are suspected without a reason"
finish
