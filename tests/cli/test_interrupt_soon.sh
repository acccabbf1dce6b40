#!/usr/bin/env bash
# SIGINT and SIGTERM are heard within 0.2 s of processor time, wherever the program is: while it reads, compiles,
# steps, looks for events, compares, measures, writes pages. Processor time, because other work on the machine
# is not its delay.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"

children() # hundredths of a second that ended children have taken
{
    times >spent
    awk 'NR == 2 { for (i = 1; i <= 2; ++i) { split($i, m, /[ms]/); s += 60 * m[1] + m[2] } printf "%d\n", 100 * s }' spent
}

heard() # SIGNAL DELAY ARGUMENTS...
{
    local signal=$1 delay=$2 process before at code late
    shift 2
    before=$(children)
    "$stiction" "$@" >out 2>err &
    process=$!
    sleep "$delay"
    read -r at < <(awk '{ print $14 + $15 }' /proc/$process/stat 2>/dev/null)
    kill -s "$signal" $process 2>/dev/null || { fail "$* has ended before it could be interrupted"; return; }
    wait $process
    code=$?
    late=$(($(children) - before - ${at:-0}))
    [ $code -eq 130 ] || fail "$signal during $*: exit code $code, not 130"
    # two ticks of the clock, and what the tools of this test take
    [ "$late" -le 26 ] || fail "$signal during $* is heard after 0.$late s"
    grep -q interrupted err || fail "$signal during $*: not a word about it"
}

# What reads and compiles: many bodies, a long expression, a large table.
awk 'BEGIN { print "stop: 1"; print "bodies:"; for (i = 0; i < 120000; ++i) printf "  b%d: {kind: point, mass: 1}\n", i }' >large.yaml
awk 'BEGIN { print "t,f"; for (i = 0; i < 2000000; ++i) printf "%d,%d\n", i, i % 7 }' >large.csv
cat >table.yaml <<'END'
stop: 1
bodies: {b: {kind: point, mass: 1}}
elements: {f: {kind: force, on: b, value: {csv: large.csv, column: f}}}
END
heard TERM 0.3 check large.yaml
heard INT 0.3 run table.yaml
heard INT 0.2 plot large.csv -o large.svg

# Steps that take long each: a chain under the papers' solver with cubic cost, and places that touch.
cat >heavy.yaml <<'END'
stop: 10
gravity: [0, 0, -9.81]
solver: implicit
bodies:
  arm: {kind: robot, chain: {links: 300, length: 0.1, mass: 1, axis: [0, 1, 0], armature: 0.01}}
elements:
  friction: {kind: friction, on: arm.joints, model: coulomb, level: 2}
END
{
    echo 'stop: 10'
    echo 'gravity: [0, 0, -9.81]'
    echo 'bodies:'
    for i in $(seq 1 400); do
        echo "  b$i: {kind: rigid, mass: 1, shape: box, size: [0.2, 0.2, 0.2], position: [$((i % 7)).1e-1, 0, $((i / 7)).5e-1]}"
    done
    echo 'elements: {floor: {kind: contact, among: all, plane: {}, mu: 0.5}}'
} >heap.yaml
heard TERM 0.6 run heavy.yaml --quiet
heard TERM 0.6 run heap.yaml --quiet

# Inside a row under error control, in the commands that study a scene, in a grid, in a page.
sed 's/^step: .*/step: 10/; s/^title/method: {adaptive: dormand-prince, longest_step: 1e-6}\ntitle/' scenes/long.yaml >scenes/long_rows.yaml
sed 's/stop: 1e-3/stop: 0.1/; s/at: 1e-3/at: 0.1/; s/count: 3/count: 1000/; s/count: 5/count: 1000/' scenes/grid.yaml >scenes/long_grid.yaml
heard INT 0.3 run scenes/long_rows.yaml -o rows.csv
heard TERM 0.3 reference scenes/long_rows.yaml
heard INT 0.3 converge scenes/long.yaml --steps 1e-2,1e-3
heard TERM 0.3 compare scenes/long.yaml --models finite-time,karnopp -o models.csv
heard INT 0.3 run scenes/long_grid.yaml -o grid.csv
heard TERM 0.3 run scenes/long.yaml --report page.html --quiet
finish
