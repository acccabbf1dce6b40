#!/usr/bin/env bash
# Files that cannot be read or written: exit code 3, and nothing that looks complete.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"

code 3 run nowhere.yaml
says err "cannot read nowhere.yaml: No such file or directory"
code 3 check nowhere.yaml
mkdir empty
code 3 run empty
says err "cannot read empty/scene.yaml"
code 3 run scenes/plain.yaml -o nowhere/out.csv
says err "cannot write nowhere/out.csv: No such file or directory"
silent out
mkdir taken.csv
code 3 run scenes/plain.yaml -o taken.csv
says err "cannot write taken.csv: Is a directory"
code 3 compare scenes/plain.yaml --models coulomb -o taken.csv
code 3 run scenes/grid.yaml -o taken.csv
absent taken.csv.partial

mkdir locked
chmod a-w locked
target=locked
[ "$(id -u)" -eq 0 ] && target=/sys # root may write anywhere but there
for command in "run scenes/plain.yaml" "run scenes/grid.yaml" "compare scenes/plain.yaml --models coulomb"; do
    # shellcheck disable=SC2086 # words
    code 3 $command -o "$target/out.csv"
    says err "cannot write $target/out.csv: Permission denied"
done
code 3 reproduce alpha --root root --out "$target/out"
absent "$target/out.csv" "$target/out.csv.partial"

# A disk that is full.
ln -s /dev/full full.csv.partial
for command in "run scenes/spring.yaml" "run scenes/grid.yaml" "compare scenes/spring.yaml --models karnopp"; do
    # shellcheck disable=SC2086 # words
    code 3 $command -o full.csv
    says err "cannot write full.csv: No space left on device"
    absent full.csv
done

# An earlier recording stays until the new one is complete.
echo earlier >kept.csv
code 1 run scenes/diverges.yaml -o kept.csv
[ "$(cat kept.csv)" = earlier ] || fail "the earlier recording is gone"
code 0 run scenes/plain.yaml -o kept.csv
[ "$(head -n 1 kept.csv)" = t,block.x,block.v ] || fail "the new recording did not replace it"
finish
