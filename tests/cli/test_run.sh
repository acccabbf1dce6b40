#!/usr/bin/env bash
# Runs, their summaries and recordings.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"

code 0 run scenes/spring.yaml -o out.csv
golden run_spring.txt
narrow
silent err
absent out.csv.partial
[ "$(head -n 1 out.csv)" = t,block.x,block.v,friction.force,friction.stick ] || fail "the header"
[ "$(wc -l <out.csv)" -eq 4002 ] || fail "4000 steps give 4001 rows"
tail -n 1 out.csv | grep -qE '^4,3\.97[0-9]*,0,2\.40[0-9]*,1$' || fail "the last row"

code 0 run scenes/plain.yaml --output=plain.csv --stop 0.1 --step 1e-2
[ "$(wc -l <plain.csv)" -eq 12 ] || fail "--step and --stop"
mkdir folder
cp scenes/plain.yaml folder/scene.yaml
code 0 run folder -oplain.csv
code 0 run folder/ -oplain.csv
[ "$(wc -l <plain.csv)" -eq 1002 ] || fail "a folder stands for its scene.yaml"

# Quiet means silent, and the same recording.
code 0 run scenes/spring.yaml --quiet -o quiet.csv
silent out err
cmp out.csv quiet.csv || fail "recordings differ"

# An input that is set from outside, from a log: the impulse under it is (1 + 2)/4 + (2 + 0)/4 = 1.25 N s.
cat >outside.yaml <<'END'
stop: 1
inputs: {u: {unit: N, value: 0}}
bodies: {m: {kind: point, mass: 1}}
elements: {push: {kind: force, on: m, value: u}}
record: [m.v]
END
printf 't,u\n0,1\n0.5,2\n1,0\n' >log.csv
code 0 run outside.yaml --quiet -o still.csv
tail -n 1 still.csv | grep -qx '1,0' || fail "an input keeps its value"
code 0 run outside.yaml --quiet --set "inputs.u={csv: log.csv, column: u}" -o pushed.csv
tail -n 1 pushed.csv | awk -F, '{ exit !($2 > 1.25 - 1e-12 && $2 < 1.25 + 1e-12) }' || fail "an input from a log"

# Several --set; a later one wins. A changed scene is not judged.
code 0 run scenes/spring.yaml --set pull=3 --set friction.level=3 --set friction.level=5 -o set.csv
grep -qE ' off$' out || fail "what does not hold is not shown"
grep -qF FAIL out && fail "a changed scene was judged"
says out "the scene was changed"
code 0 run scenes/spring.yaml --set pull=3 --set friction.level=5 -q -o again.csv
silent out err
cmp set.csv again.csv || fail "the order of --set"
code 0 run scenes/spring.yaml --set friction.model=karnopp -q
silent out err

# Expectations that a changed scene cannot meet any more (times, channels) do not stand in its way.
code 0 run scenes/spring.yaml --stop 1 -o short.csv
[ "$(wc -l <short.csv)" -eq 1002 ] || fail "--stop in spite of later expectations"
says err "do not fit the changed scene"
code 0 run scenes/spring.yaml --stop 1 -q
silent out err
code 2 run scenes/spring.yaml --stop 1 --set friction.levle=3
says err "friction.levle"
code 0 run root/papers/alpha/rest --variant double --stop 0.1 -q

# every: first and last row always.
code 0 run scenes/spring.yaml -q --set every=1500 -o thin.csv
[ "$(cut -d, -f1 thin.csv | tr '\n' ' ')" = "t 0 1.5 3 4 " ] || fail "every"

# Expectations decide about the exit code of a scene as it stands.
code 0 run root/papers/alpha/rest --variant double
says out "(double)"
code 1 run root/papers/beta/wrong
says out "FAIL"
says out "off by 0.1"
code 1 run root/papers/beta/wrong --quiet
silent out
says err "1 of 2 expectations failed"

# A step that fails: why, where, when; the rows so far are kept.
code 1 run scenes/diverges.yaml -o bad.csv
says err "stopped at t ="
says err "in block: energy"
says err "are in bad.csv.partial"
absent bad.csv
[ "$(wc -l <bad.csv.partial)" -gt 10 ] || fail "no rows in bad.csv.partial"
awk -F, 'NF != 2 { exit 1 }' bad.csv.partial || fail "rows are cut"

# Friction on several places is listed, and counted, once at each.
cat >pair.yaml <<'END'
stop: 0.2
bodies: {a: {kind: point, mass: 1, velocity: 1}, b: {kind: rotor, inertia: 1, velocity: 1}}
elements: {friction: {kind: friction, on: [a, b], model: coulomb, level: [20, 10]}}
END
code 0 run pair.yaml
[ "$(grep -c '1 change, stuck at the end' out)" -eq 2 ] || fail "changes are not listed once"
finish
