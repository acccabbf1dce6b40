#!/usr/bin/env bash
# MCAP files, as @mcap/core reads them: the numbers of the CSV file bit for bit, whole and cut.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"
readers=$here/../formats
if ! "$here/../../scripts/fetch-npm" "$readers"; then
    echo "npm or its packages are missing: skipped"
    exit 77
fi
same() { node "$readers/read_mcap.js" "$@" || fail "$*"; }

record() # NAME ARGUMENTS...: the same run into NAME.csv and NAME.mcap
{
    local name=$1
    shift
    code 0 "$@" --quiet -o "$name.csv"
    code 0 "$@" --quiet -o "$name.mcap"
    silent out err
    absent "$name.mcap.partial"
}

record spring run scenes/spring.yaml # more than one chunk
same spring.mcap spring.csv
record arm run scenes/arm.yaml
same arm.mcap arm.csv
node "$readers/read_mcap.js" arm.mcap spring.csv 2>/dev/null && fail "other numbers pass"
record models compare scenes/spring.yaml --models karnopp,quinn --set every=10
same models.mcap models.csv
code 2 run scenes/grid.yaml -o grid.mcap
says err "a table of runs has no time"

# Cut by SIGKILL and anywhere at all.
code 0 run scenes/long.yaml --quiet --stop 2000 --set every=100 -o long.csv
"$stiction" run scenes/long.yaml --quiet --set every=100 -o cut.mcap &
process=$!
sleep 0.8
kill -KILL $process
wait $process 2>/dev/null
absent cut.mcap
head -c 300000 cut.mcap.partial >short.mcap # the CSV file is long enough for these
same short.mcap long.csv --cut
[ "$(stat -c %s cut.mcap.partial)" -gt 10000 ] || fail "nothing reached the disk"
head -c 500001 spring.mcap >short.mcap
same short.mcap spring.csv --cut 100

(
    ulimit -f 400
    "$stiction" run scenes/long.yaml --quiet -o full.mcap 2>err
    [ $? -eq 3 ]
) || fail "a full disk does not give 3"
says err "cannot write full.mcap: File too large"
absent full.mcap
(
    ulimit -f 0
    "$stiction" run scenes/spring.yaml --quiet -o none.mcap 2>/dev/null
    [ $? -eq 3 ]
) || fail "no room does not give 3"
absent none.mcap
code 2 run scenes/spring.yaml -o out.xyz
says err "must end in one of these"
says err ".mcap"
absent out.xyz out.xyz.partial
finish
