#!/usr/bin/env bash
# Each kind of expectation, right and wrong.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"

code 0 run scenes/measures.yaml -o out.csv
[ "$(grep -c ' ok$' out)" -eq 16 ] || fail "not all hold"
[ "$(wc -l <out.csv)" -eq 5 ] || fail "every: 3 leaves rows 0, 3, 6 and the last"
code 1 run scenes/measures.yaml --variant wrong
[ "$(grep -c ' FAIL$' out)" -eq 5 ] || fail "not all fail"
golden run_wrong.txt
finish
