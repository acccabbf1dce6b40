#!/usr/bin/env bash
# test_mpi.sh PROGRAM MPI-PROGRAM: sweeps over processes write the bytes of sweeps over threads, whatever dies on the way.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"
parallel=${2-}
[ -x "$parallel" ] && command -v mpirun >/dev/null || exit 77
scene=scenes/study.yaml
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

ranks() # N ARGUMENTS...
{
    local count=$1
    shift
    mpirun --oversubscribe -n "$count" "$parallel" sweep "$@" >out 2>err
}

code 0 sweep $scene -q -o threads.csv
for count in 2 3 4; do
    ranks $count $scene -q -o ranks.csv || fail "$count ranks ended with $?"
    cmp threads.csv ranks.csv || fail "$count ranks give other rows"
done
ranks 3 $scene --shard 1/2 -q -o part1.csv || fail "a part over ranks"
code 0 sweep $scene --shard 2/2 -q -o part2.csv
code 0 merge part1.csv part2.csv -o merged.csv
cmp threads.csv merged.csv || fail "parts of ranks and of threads do not fit together"

# A rank that dies ends the job; the file can be resumed, by ranks or by threads.
code 0 sweep $scene --step 2e-6 -q -o whole.csv
for victim in 0 1; do
    mpirun --oversubscribe -n 3 "$parallel" sweep $scene --step 2e-6 -q -o killed.csv >out 2>err &
    job=$!
    eventually test -s killed.csv.partial
    sleep 0.7
    mapfile -t pids < <(pgrep -f "^$parallel sweep $scene --step 2e-6" | sort -n)
    kill -KILL "${pids[$victim]}" 2>/dev/null
    wait $job && [ ! -e killed.csv ] && fail "a dead rank was not noticed"
    if [ -e killed.csv.partial ]; then
        if [ $victim -eq 0 ]; then
            ranks 4 $scene --step 2e-6 -q -o killed.csv --resume || fail "resumed by ranks: $?"
        else
            code 0 sweep $scene --step 2e-6 -q -o killed.csv --resume
        fi
    fi
    cmp whole.csv killed.csv || fail "after a dead rank the rows differ"
    rm -f killed.csv
done

# What is wrong is said once, and nobody waits.
ranks 3 $scene --vary friction.levl=uniform:1:2 && fail "a wrong name was accepted"
[ "$(grep -c "did you mean 'level'" err)" -eq 1 ] || fail "the message: $(cat err)"
mpirun -n 1 "$parallel" sweep $scene >out 2>err && fail "a single rank cannot write and compute"
says err "N - 1 compute"

# How it grows, for people; times are not judged.
for count in 1 2; do
    "$stiction" sweep $scene --step 1e-4 -j $count | sed -n "s/.*(\(.*\) runs per second).*/$count threads: \1 runs per second/p"
    mpirun --oversubscribe -n $((count + 1)) "$parallel" sweep $scene --step 1e-4 2>/dev/null |
        sed -n "s/.*(\(.*\) runs per second).*/$count computing ranks: \1 runs per second/p"
done
finish
