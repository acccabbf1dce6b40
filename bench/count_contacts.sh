#!/bin/sh
# Instructions per step of `rule` and `cut` with contacts, and their ratio, counted by callgrind: the same on
# a busy machine. Usage: bench/count_contacts.sh [build/bench/bench_contacts] [case ...]
set -e
program=${1:-build/bench/bench_contacts}
[ $# -gt 0 ] && shift
steps=200

count() { # case, method, steps
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$1" "$2" "$3" 2>&1 |
        awk '/Collected/ { print $4 }'
}
per_step() { echo $((($(count "$1" "$2" $((2 * steps))) - $(count "$1" "$2" $steps)) / steps)); }

printf '%-16s %8s %8s %8s\n' instructions rule cut ratio
if [ $# -gt 0 ]; then printf '%s\n' "$@"; else "$program" names; fi | while read -r name; do
    rule=$(per_step "$name" rule)
    cut=$(per_step "$name" cut)
    printf '%-16s %8d %8d %8s\n' "$name" "$rule" "$cut" "$(echo "scale=2; $cut / $rule" | bc)"
done
