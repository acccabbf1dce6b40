#!/usr/bin/env bash
# stiction export: archives and descriptions by the rules of the standard, mistakes with what would be right.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"
check=$here/../fmi/check_description.py
python=/usr/bin/python3
[ -x $python ] || python=python3

cat >driven.yaml <<'YAML'
title: A block <driven> & "held"
stop: 1
inputs: {u: {value: 0.5, unit: N}, idle: {value: 0}}
bodies: {block: {kind: point, mass: 1}}
elements:
  push: {kind: force, on: block, value: u}
  rest: {kind: force, on: block, value: idle}
  friction: {kind: friction, on: block, model: finite-time, level: 1}
record: [block.x, block.v, friction.force, friction.stick, energy.stored, u]
YAML
for version in 2 3; do
    code 0 export driven.yaml -o driven$version.fmu --fmi $version
    grep -q "2 inputs, 4 outputs" out || fail "what was exported: $(cat out)"
    $python "$check" driven$version.fmu || fail "description of FMI $version"
    code 0 export driven.yaml -o again.fmu --fmi $version --quiet
    silent out
done
cmp again.fmu driven3.fmu >/dev/null && fail "the name of the model is in it"
cp driven3.fmu first.fmu
code 0 export driven.yaml -o driven3.fmu --fmi 3 --quiet
cmp first.fmu driven3.fmu || fail "the same export gives the same bytes"

# A choice of variables.
code 0 export driven.yaml -o some.fmu --inputs u --outputs 'block.*' --tunable friction.level
grep -q "1 inputs, [0-9]* outputs, [0-9]* parameters (1 of them tunable)" out || fail "choice: $(cat out)"
$python "$check" some.fmu || fail "description of a choice"

# All scenes: with files, robots, linkages, loops, error control.
root=$(cd "$here/../.." && pwd)
for version in 2 3; do
    number=0
    for scene in "$root"/scenes/*/scene.yaml "$root"/papers/*/*/scene.yaml "$root"/examples/robots/*.xml; do
        number=$((number + 1))
        code 0 export "$scene" -o m$number.fmu --fmi $version --quiet
    done
    $python "$check" m*.fmu || fail "descriptions of scenes, FMI $version"
    rm m*.fmu
done
code 0 export "$root/scenes/six-axis-arm" -o arm.fmu --quiet
[ "$(stat -c %s arm.fmu)" -lt 2000000 ] || fail "more than 2 MB"

# The scene in it runs as it is.
rm -rf unpacked
$python -m zipfile -e driven2.fmu unpacked
code 0 run unpacked/resources/scene.yaml -o inside.csv --quiet
code 0 run driven.yaml -o outside.csv --quiet
cut -d, -f1-5 outside.csv >a
cut -d, -f1-5 inside.csv >b
cmp a b || fail "the scene in the FMU is another one"

# Mistakes.
code 2 export driven.yaml
code 2 export driven.yaml -o x.fmu --fmi 4
grep -q "2 or 3" err || fail "version: $(cat err)"
code 2 export driven.yaml -o x.fmu --inputs nothing
grep -q "there is no such input" err || fail "input: $(cat err)"
code 2 export driven.yaml -o x.fmu --outputs energy.stored
code 2 export driven.yaml -o x.fmu --tunable friction.lvl
code 3 export nothing.yaml -o x.fmu
code 3 export driven.yaml -o nowhere/x.fmu
mkdir -p far
cp "$here/../../examples/robots/two_link.urdf" far/
cat >absolute.yaml <<YAML
stop: 1
bodies: {arm: {kind: robot, urdf: $PWD/far/two_link.urdf}}
YAML
code 2 export absolute.yaml -o x.fmu
grep -q "an FMU travels" err || fail "from the root: $(cat err)"
[ ! -e x.fmu ] && [ ! -e x.fmu.partial ] || fail "something is left"
finish
