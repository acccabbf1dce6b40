#!/usr/bin/env bash
# Scenes with errors: all of them, with their places; nothing is run, nothing is written.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"

for command in run check compare; do
    extra=
    [ "$command" = compare ] && extra="--models dahl,lugre"
    [ "$command" = check ] || extra="$extra -o out.csv"
    # shellcheck disable=SC2086 # words
    code 2 "$command" scenes/broken.yaml $extra
    grep -qE '^scenes/broken\.yaml:4:[0-9]+: error: .*mass' err || fail "$command: the first error"
    grep -qE '^scenes/broken\.yaml:6:[0-9]+: error: .*block' err || fail "$command: the second error"
    says err "errors; nothing was run"
    silent out
    absent out.csv out.csv.partial
done
code 2 run scenes/broken.yaml --quiet
says err "error:"

code 2 run scenes/spring.yaml --set friction.levle=1 -o out.csv
says err "--set friction.levle=1: error:"
says err "level"
code 2 run scenes/spring.yaml --set frction.level=1 -o out.csv
says err "friction"
code 2 run scenes/spring.yaml --set friction.level -o out.csv
code 2 run scenes/spring.yaml --set friction.model=karnop -o out.csv
says err "karnopp"
code 2 run scenes/spring.yaml --step -1 -o out.csv
code 2 run scenes/spring.yaml --stop soon -o out.csv
code 2 run scenes/measures.yaml --variant wrogn -o out.csv
says err "wrogn"
absent out.csv out.csv.partial
printf 'a: [1, 2\n' >syntax.yaml
code 2 run syntax.yaml
grep -qE '^syntax\.yaml:[0-9]+:[0-9]+: error:' err || fail "syntax errors have a place"
: >empty.yaml
code 2 check empty.yaml
finish
