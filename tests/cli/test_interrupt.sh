#!/usr/bin/env bash
# SIGINT and SIGTERM: exit code 130, complete rows under .partial, and a word about it.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"

interrupt() # SIGNAL COLUMNS ARGUMENTS...
{
    local signal=$1 columns=$2 process
    shift 2
    rm -f out.csv out.csv.partial
    "$stiction" "$@" -o out.csv >out 2>err &
    process=$!
    eventually [ -s out.csv.partial ]
    sleep 0.1
    kill -s "$signal" $process
    wait $process
    [ $? -eq 130 ] || fail "$signal during $* does not give 130"
    says err "interrupted"
    says err "are in out.csv.partial"
    absent out.csv
    [ "$(wc -l <out.csv.partial)" -gt 2 ] || fail "no rows are kept"
    awk -F, -v n="$columns" 'NF != n { exit 1 }' out.csv.partial || fail "rows are cut"
    [ "$(tail -c 1 out.csv.partial)" = "" ] || fail "the last row is cut"
    silent out
}

interrupt INT 3 run scenes/long.yaml
interrupt TERM 3 run scenes/long.yaml
interrupt INT 3 run scenes/long.yaml --quiet
interrupt INT 5 compare scenes/long.yaml --models finite-time,karnopp
sed -i 's/stop: 1e-3/stop: 0.1/; s/at: 1e-3/at: 0.1/; s/count: 3/count: 1000/; s/count: 5/count: 1000/' scenes/grid.yaml
interrupt INT 4 run scenes/grid.yaml

# One row of an adaptive run that lasts for minutes: the flag is looked at within it.
sed 's/^step: .*/step: 10/; s/^title/method: {adaptive: dormand-prince, longest_step: 1e-6}\ntitle/' scenes/long.yaml >scenes/long_rows.yaml
rm -f out.csv out.csv.partial
"$stiction" run scenes/long_rows.yaml -o out.csv >out 2>err &
process=$!
eventually [ -e out.csv.partial ]
sleep 0.1
kill -s TERM $process
wait $process
[ $? -eq 130 ] || fail "TERM within a row does not give 130"
says err "interrupted at t = 0 s"
says err "are in out.csv.partial"
awk -F, 'NF != 3 { exit 1 }' out.csv.partial || fail "rows are cut"

# So it is where no table is written row by row.
for command in "reference scenes/long_rows.yaml" "converge scenes/long.yaml --steps 1e-2,1e-3"; do
    # shellcheck disable=SC2086
    "$stiction" $command >out 2>err &
    process=$!
    sleep 0.3
    kill -s TERM $process
    wait $process
    [ $? -eq 130 ] || fail "TERM during $command does not give 130"
    says err "interrupted at t = "
done

# So are readers, and what compiles: at once, there is nothing to finish.
awk 'BEGIN { print "stop: 1"; print "bodies:"; for (i = 0; i < 150000; ++i) printf "  b%d: {kind: point, mass: 1}\n", i }' >large.yaml
for delay in 0.5; do
    "$stiction" check large.yaml >out 2>err &
    process=$!
    sleep $delay
    kill -s TERM $process 2>/dev/null || continue
    before=$(date +%s%N)
    wait $process
    [ $? -eq 130 ] || fail "TERM while a scene is read does not give 130"
    [ $(($(date +%s%N) - before)) -lt 2000000000 ] || fail "TERM while a scene is read is heard late"
    says err "interrupted"
done
finish
