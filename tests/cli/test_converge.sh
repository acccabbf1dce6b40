#!/usr/bin/env bash
# References, and errors against them.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"

# column NAME: its number in table.csv
column()
{
    grep -v '^#' table.csv | head -n 1 | tr ',' '\n' | grep -nx "$1" | cut -d: -f1
}

# value METHOD STEP COLUMN: of table.csv
value()
{
    awk -F, -v method="\"$1\"" -v step="$2" -v wanted="$(column "$3")" -v steps="$(column step)" \
        '$2 == method && $steps == step { print $wanted }' table.csv
}

# holds EXPRESSION: of numbers
holds() { awk "BEGIN { exit !($1) }" || fail "$1"; }

# A reference stands beside its scene, and says how it was made.
mkdir case && cp scenes/spring.yaml case/scene.yaml
code 0 reference case --stop 3
says out "wrote case/reference.csv: 3001 rows"
says case/reference.csv "# checked by: {adaptive: verner"
grep -qE '^# fingerprint: [0-9a-f]{16}$' case/reference.csv || fail "no fingerprint"
end=$(tail -n 1 case/reference.csv | cut -d, -f2)
holds "$end - 3.973261817376106 < 1e-11 && 3.973261817376106 - $end < 1e-11"
absent case/reference.csv.partial

# It is used as long as the problem is the same: step, method and records are not the problem.
code 0 converge case --stop 3 --set every=10 --steps 4e-3,1e-3 \
    --methods "euler,cut,dormand-prince,{adaptive: verner, rtol: 1e-10}" --tolerances 1e-4,1e-8 -o table.csv
says out "reference: case/reference.csv"
says out "as it stands"
silent err
# The rule of one evaluation is of order 2 here at best, the method that cuts of order 4 (METHODS 6).
holds "$(value cut 0.001 order) > 3.7 && $(value cut 0.001 error) < 1e-9"
holds "$(value euler 0.001 order) < 2.5 && $(value euler 0.001 error) > 1e-6"
holds "$(value cut 0.001 greatest_error) >= $(value cut 0.001 error)"
[ "$(grep -c dormand-prince table.csv)" -eq 2 ] || fail "a row for each tolerance"
holds "$(grep 'dormand-prince",,1e-08' table.csv | cut -d, -f5) < 1e-6"

# Velocities count less with a larger scale; the greatest error is one of velocity.
all=$(value euler 0.001 greatest_error)
code 0 converge case --stop 3 --steps 1e-3 --methods euler --scale inf -o table.csv
narrow
holds "$(value euler 0.001 greatest_error) < $all"

# Another problem: not used, or refused where it was named.
code 0 converge case --stop 3 --set friction.level=9 --steps 1e-3 --methods cut -o table.csv
says err "case/reference.csv is of another problem: the reference is computed anew"
says out "reference: computed"
holds "$(value cut 0.001 error) < 1e-8"
code 0 converge case --stop 4 --steps 1e-3 --methods cut
says err "case/reference.csv ends too early"
code 2 converge case --set friction.level=9 --steps 1e-3 --reference case/reference.csv
says err "case/reference.csv is of another problem; stiction reference makes a new one"
code 2 converge case --steps 1e-3 --reference case/scene.yaml
code 3 converge case --steps 1e-3 --reference none.csv

# A model has its own reference, unless it is one for fixed steps.
code 0 converge case --stop 3 --set friction.eps=1e-2 --set friction.stiffness=1e4 --set friction.damping=20 \
    --steps 2e-3,1e-3 --methods cut --models elastic-coulomb,finite-time -o table.csv
holds "$(grep -c elastic-coulomb table.csv) == 2"
awk -F, '$1 == "elastic-coulomb" && $3 == "0.001" { good = $5 < 1e-7 && $7 > 3 } END { exit !good }' table.csv ||
    fail "the elastic model against its own reference: $(cat table.csv)"
code 2 converge case --steps 1e-3 --models finite-time --element frictoin
says err "there is no friction element 'frictoin'; did you mean friction?"
code 0 converge case --stop 3 --set friction.eps=1e-2 --steps 1e-3 --methods euler --models karnopp --element friction
says out "karnopp is made for a fixed step"

# A table that is held against the scene.
cat >claims.csv <<'CSV'
# what is claimed
variant,method,step,scale,error,order,over
,cut,1e-3,10,2.6e-10,4.00,
,cut,4e-3,10,<1e-6,,
,euler,1e-3,10,1.4e-5,2.0,4
CSV
code 0 converge case --stop 3 --check claims.csv
says out "3 of 3 rows hold"
sed -i 's/2.6e-10,4.00/2.6e-11,3.00/' claims.csv
code 1 converge case --stop 3 --check claims.csv
says out "2 of 3 rows hold"
echo "1,2" >>claims.csv
code 2 converge case --check claims.csv
says err "claims.csv:6: must be variant,method,step,scale,error,order,over"

if command -v gnuplot >/dev/null; then
    code 0 converge case --stop 3 --steps 2e-3,1e-3 --methods "euler,cut,bdf" --tolerances 1e-5 --plot order.svg \
        --work work.png --title "It's a title" --quiet
    silent out err
    says order.svg "<svg"
    says order.svg "step, s"
    [ -s work.png ] || fail "no work.png"
    absent order.svg.partial work.png.partial
    code 2 converge case --steps 1e-3 --plot order.txt
fi

code 2 converge case
says err "converge needs --steps"
code 2 converge case --steps 1e-3,x
says err "--steps wants numbers above 0"
code 2 converge case --steps 1e-3 --scale 0
says err "--scale wants a number above 0"
code 2 converge case --steps 1e-3 --methods nothing
code 2 reference scenes/spring.yaml --set friction.model=karnopp --set friction.eps=1e-2 -o no.csv
says err "made for a fixed step"
absent no.csv
finish
