#!/usr/bin/env bash
# References, and errors against them.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"

code 0 reference scenes/spring.yaml --stop 3 -o ref.csv
says out "wrote ref.csv: 3001 rows"
grep -q "checked by: {adaptive: verner" ref.csv.txt || fail "how the reference was made"
end=$(tail -n 1 ref.csv | cut -d, -f2)
awk -v x="$end" 'BEGIN { exit !(x - 3.973261817376106 < 1e-11 && 3.973261817376106 - x < 1e-11) }' ||
    fail "the exact place of rest: $end"

code 0 converge scenes/spring.yaml --stop 3 --steps 4e-3,1e-3 --methods "euler,cut,bdf,{adaptive: verner, rtol: 1e-10}" -o table.csv
says out "as it stands"
[ -s table.csv.gp ] || fail "a plot"
# The rule of one evaluation is of order 2 here at best, the method that cuts of order 4 (METHODS 6).
awk -F, '$2 == "\"cut\"" && $3 == "1e-3" { good = $5 > 3.7 && $4 < 1e-9 } END { exit !good }' table.csv ||
    fail "order of cut: $(cat table.csv)"
awk -F, '$2 == "\"euler\"" && $3 == "1e-3" { good = $5 < 2.5 && $4 > 1e-6 } END { exit !good }' table.csv ||
    fail "order of euler: $(cat table.csv)"

code 2 converge scenes/spring.yaml
says err "converge needs --steps"
code 2 reference scenes/spring.yaml --set friction.model=karnopp --set friction.eps=1e-2 -o no.csv
says err "made for a fixed step"
finish
