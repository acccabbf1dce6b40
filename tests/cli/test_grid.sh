#!/usr/bin/env bash
# A grid: one row for each run, the last name varies fastest; expectations hold in each run.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"

code 0 run scenes/grid.yaml -o out.csv
golden run_grid.txt
[ "$(head -n 1 out.csv)" = block.velocity,push.value,block.v,friction.force ] || fail "the header"
[ "$(wc -l <out.csv)" -eq 16 ] || fail "15 runs"
cut -d, -f1,2 out.csv | sed -n '2,4p;16p' | tr '\n' ' ' >swept
[ "$(cat swept)" = "-0.02,-20 -0.02,-10 -0.02,0 0.02,20 " ] || fail "the swept values: $(cat swept)"

# The finite-time rule, [fixed-step] (13): vbar = v + T h/M; stuck where |vbar| <= T F/M = 0.01.
awk -F, 'NR > 1 {
    vbar = $1 + 0.001*$2
    stuck = vbar <= 0.0100000001 && vbar >= -0.0100000001
    f = stuck ? 1000*vbar : vbar > 0 ? 10 : -10
    if ($4 - f > 1e-9 || f - $4 > 1e-9 || (stuck && $3 != 0)) { print; bad = 1 }
} END { exit bad }' out.csv || fail "these runs are not the finite-time rule"

code 0 run scenes/grid.yaml --quiet
silent out err
sed -i 's/under: 10,/under: 9,/' scenes/grid.yaml
code 1 run scenes/grid.yaml # one run out of fifteen is enough
says out "FAIL"
finish
