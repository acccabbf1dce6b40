#!/usr/bin/env bash
# SIGKILL at random moments: never a file that looks complete; what is kept are whole rows, but for
# the end of the last one.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"

RANDOM=12345
for i in $(seq 20); do
    rm -f out.csv out.csv.partial
    "$stiction" run scenes/long.yaml --quiet -o out.csv 2>/dev/null &
    process=$!
    sleep "0.$(printf %03d $((RANDOM % 300)))"
    kill -KILL $process
    wait $process 2>/dev/null
    absent out.csv
    [ -e out.csv.partial ] || continue
    sed '$d' out.csv.partial | awk -F, 'NF != 3 { exit 1 }' || fail "kill $i: a row is cut"
done

# Rows are flushed by the clock: the first is there long before a hundred of them (a second each) fill a buffer.
"$stiction" run scenes/long.yaml --quiet --set every=1000000 -o slow.csv &
process=$!
first_row_is_there() { [ "$(sed -n 2p slow.csv.partial 2>/dev/null)" = "0,0,0" ]; }
eventually first_row_is_there || fail "the first row does not reach the disk"
kill -KILL $process
wait $process 2>/dev/null
finish
