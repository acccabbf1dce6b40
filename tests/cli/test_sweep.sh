#!/usr/bin/env bash
# Sweeps: the same bytes for any number of threads, parts and interruptions; failed runs are rows.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"
scene=scenes/study.yaml

code 0 sweep $scene -o one.csv -j 1
says out "60 runs of 500 steps, 2 parameters varied, 2 measures"
says out "rank correlation"
for threads in 2 3 8; do
    code 0 sweep $scene -o many.csv -j $threads -q
    silent out err
    cmp one.csv many.csv || fail "$threads threads give other rows"
done

# Runs by setting parameters are what runs of the changed scene are, to the last bit.
while IFS=, read -r run _ level mass rest _; do
    [ "$run" -ge 0 ] 2>/dev/null && [ $((run % 20)) -eq 0 ] || continue
    code 0 run $scene --set friction.level="$level" --set block.mass="$mass" -q -o single.csv
    last=$(tail -n 1 single.csv | cut -d, -f2)
    [ "$last" = "$rest" ] || fail "run $run: x is $last alone, $rest in the sweep"
done <one.csv

# Under error control: a block that friction stops, beside the closed form v^2 m/(2 F) and v m/F.
cat >stops.yaml <<'END'
title: Stops
step: 0.01
stop: 1
method: {adaptive: dormand-prince, rtol: 1e-9, atol: 1e-11}
bodies: {block: {kind: point, mass: 1, velocity: 2}}
elements: {friction: {kind: friction, on: block, model: coulomb, level: 5}}
study:
  runs: 40
  parameters: {friction.level: {uniform: [4, 12]}, block.mass: {uniform: [0.5, 1.5]}}
  measures: {way: {channel: block.x, at: 1}, end: {when: block.v == 0}}
END
code 0 sweep stops.yaml -o stops1.csv -j 1
code 0 sweep stops.yaml -o stops2.csv -j 2 -q
cmp stops1.csv stops2.csv || fail "error control: two threads give other rows"
awk -F, '$1 ~ /^[0-9]+$/ { ++n; way = 2*$4/$3; end = 2*$4/$3
    if ($2 != 0 || ($5 - way)^2 > 1e-14 || ($6 - end)^2 > 1e-14) bad = 1 }
    END { exit bad || n != 40 }' stops1.csv || fail "error control: $(head -n 12 stops1.csv)"

# What cannot be set in the plan is set in the scene, with the same rows.
cat >by_name.yaml <<'END'
title: By a name
stop: 0.5
parameters: {level: 10, mass: 1}
bodies:
  hand:  {kind: motion, x: "2*min(t, 0.25)", breaks: [0.25]}
  block: {kind: point, mass: mass}
elements:
  spring:   {kind: spring-damper, between: [hand, block], stiffness: 90}
  friction: {kind: friction, on: block, model: finite-time, level: level}
END
code 0 sweep by_name.yaml --vary mass=values:1 --measure rest=block.x@0.5 \
    --sample grid --vary level=values:6:8:10 -o named.csv
says out "The scene is read again for each run"
code 0 sweep $scene --vary friction.level=values:6:8:10 --sample grid -o direct.csv
[ "$(cut -d, -f5 named.csv | tail -n 3)" = "$(cut -d, -f4 direct.csv | tail -n 3)" ] ||
    fail "a parameter by its name in the scene gives other rows"

# Parts.
for part in 1 2 3 4 5 6 7; do code 0 sweep $scene --shard $part/7 -o part$part.csv -q; done
code 0 merge part3.csv part1.csv part7.csv part2.csv part5.csv part4.csv part6.csv -o merged.csv
cmp one.csv merged.csv || fail "parts merge to other rows"
code 2 merge part3.csv part1.csv -o no.csv
says err "2 files were given"
code 2 merge part3.csv part3.csv part7.csv part2.csv part5.csv part4.csv part6.csv -o no.csv
says err "is there twice"
sed '$d' part2.csv >short.csv
code 2 merge part3.csv part1.csv part7.csv short.csv part5.csv part4.csv part6.csv -o no.csv
says err "has no row of run"
[ ! -e no.csv ] || fail "a merge that failed has left a file"

# Killed again and again, resumed to the same bytes. Steps are many, so that kills come in between.
code 0 sweep $scene --step 4e-6 -o whole.csv -q
kills=${STI_TEST_KILLS:-8}
for ((i = 1; i <= kills; ++i)); do
    "$stiction" sweep $scene --step 4e-6 -o killed.csv -q --resume -j 2 >/dev/null 2>err &
    pid=$!
    sleep "0.$((RANDOM % 3 + 1))"
    if [ $((i % 2)) -eq 0 ]; then kill -TERM $pid; else kill -KILL $pid; fi
    wait $pid 2>/dev/null
    [ -e killed.csv ] && rm killed.csv
done
[ -e killed.csv.partial ] && { code 3 sweep $scene --step 4e-6 -o killed.csv -q; says err "--resume"; }
code 0 sweep $scene --step 4e-6 -o killed.csv -q --resume
cmp whole.csv killed.csv || fail "a resumed sweep has other rows"

# A resumed sweep must be the same study.
head -n 20 whole.csv >other.csv.partial
code 2 sweep $scene --step 4e-6 --set friction.level=11 --set study.seed=8 -o other.csv --resume
says err "belongs to another study"
[ "$(wc -l <other.csv.partial)" -eq 20 ] || fail "a file of another study was changed"

# A torn row is done again.
head -c -20 whole.csv >torn.csv.partial
code 0 sweep $scene --step 4e-6 -o torn.csv --resume
cmp whole.csv torn.csv || fail "a torn row was not done again"

# HDF5 has the same numbers.
code 0 sweep $scene -o rows.h5 -q
if /usr/bin/python3 -c 'import h5py' 2>/dev/null; then
    /usr/bin/python3 - <<'END' || fail "the .h5 file has other numbers"
import csv, h5py
rows = list(csv.reader(open("one.csv")))[1:]
file = h5py.File("rows.h5", "r")["channels"]
for i, name in enumerate(rows[0][:-1]):
    assert [float(row[i]) for row in rows[1:]] == list(file[name]), name
END
fi

# Runs that fail are rows: a block that is too light for its damping, a level that is not allowed.
code 1 sweep $scene --vary friction.level=values:5:-1:7 --sample grid -o failed.csv
says out "1 of 3 runs failed"
grep -q '^1,[1-9].*"$' failed.csv || fail "a failed run has no status and reason"
grep -q '^2,0,' failed.csv || fail "the run after a failed one is missing"
code 1 sweep $scene --vary friction.level=values:5:-1:7 --sample grid -o failed.h5 -q
if /usr/bin/python3 -c 'import h5py' 2>/dev/null; then
    /usr/bin/python3 -c 'import h5py; assert h5py.File("failed.h5", "r").attrs["reasons"].startswith("run 1: friction.level")' ||
        fail "the .h5 file does not say why a run failed"
fi
code 0 plot failed.csv --x run --y rest -o figure.svg -q

# Bad input.
code 2 sweep $scene --vary friction.levl=uniform:1:2
says err "friction"
code 2 sweep $scene --vary friction.level=uniform:15:5
says err "needs from below to"
code 2 sweep $scene --runs 1e12
says err "whole number from 1 to 1e+09"
code 2 sweep $scene --vary friction.level=uniform
says err "write PATH=uniform:5:15"
code 2 sweep $scene --measure rest=blok.x@0.5
says err "block.x"
code 2 sweep $scene --shard 5/4
says err "--shard takes"
code 2 sweep $scene -j 0
says err "--jobs takes"
code 2 sweep $scene --sample sobl
says err "sobol"
code 2 sweep scenes/grid.yaml
says err "no section study"
code 2 sweep $scene -o rows.mcap
says err "rows"
code 2 sweep $scene --set 'study.correlations=[[friction.level, block.mass, 1.5]]'
says err "between -1 and 1"
code 3 sweep $scene -o /dev/null/x.csv

# A disk that fills: an error, and nothing that looks complete.
(
    ulimit -f 1
    "$stiction" sweep $scene -o filled.csv -q >out 2>err
)
[ $? -eq 3 ] || fail "a file that cannot grow ended with another code: $(cat err)"
says err "cannot be written"
[ ! -e filled.csv ] || fail "a file that could not be written looks complete"
finish
