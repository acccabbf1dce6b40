#!/usr/bin/env bash
# check_layers.sh ROOT OBJECT...: each room of src/ includes, and calls, only rooms that come before it;
# nobody asks whether a kind is a certain one, for which it has fields and verbs; and the registry has all kinds.
set -u
cd "$1" || exit 1
shift
failed=0

fail()
{
    echo "FAIL: $*"
    failed=$((failed + 1))
}

order="base algebra shape law impedance reaction robot linkage admittance wire assembly method network cone contact
    scratch rows evaluate events continuous solver cut step record lanes registry adaptive formats"

# FILE ROOM: a file that may know a later room.
# network/solver.c is the registry of solvers, from which a plan chooses: it points to their tables.
allowed="network/solver solver"

declare -A rank
count=0
for room in $order; do
    rank[$room]=$((count += 1))
done
for folder in src/*/; do
    folder=$(basename "$folder")
    [ -n "${rank[$folder]:-}" ] || fail "src/$folder has no place in the order"
done

# FILE OTHER WHAT, where FILE and OTHER are paths below src/.
judge()
{
    local from=${1%%/*} to=${2%%/*}
    uses=$((uses + 1))
    [ "${rank[$to]:-99}" -le "${rank[$from]:-0}" ] || grep -qxF "${1%.*} $to" <<<"$allowed" ||
        fail "src/$1 $3: $to comes after $from"
}

uses=0
while IFS=: read -r file line; do
    name=${line#*\"}
    name=${name%%\"*}
    [[ $name == stiction/* ]] || judge "${file#src/}" "$name" "includes $name"
done < <(grep -rE '^ *# *include "' src)
[ $uses -ge 300 ] || fail "only $uses includes were found"

# Undefined symbols, and where they are defined.
symbols() { nm -A "$@" | sed -E 's|^.*/src/||; s|\.c\.[a-z]+:| |' | awk '{ print $(NF - 1), $NF, $1 }'; }
uses=0
while read -r file other symbol; do
    judge "$file" "$other" "needs $symbol of src/$other.c"
done < <(symbols "$@" | awk '$1 ~ /^[TDBRVWC]$/ { home[$2] = $3 }
    $1 == "U" { needed[++n] = $3 " " $2 }
    END {
        for (i = 1; i <= n; ++i) {
            split(needed[i], part, " ")
            if (part[2] in home && home[part[2]] != part[1]) print part[1], home[part[2]], part[2]
        }
    }')
[ $uses -ge 500 ] || fail "only $uses calls were found"

while read -r file room; do
    grep -qE "sti_${room}_" "src/$file.c" || fail "the exception of src/$file.c is not needed any more"
done <<<"$allowed"

while read -r line; do
    fail "a kind is compared: $line"
done < <(grep -rnE '[!=]= *&sti_|&sti_[a-z_0-9]+ *[!=]=' src scene cli)

# Every kind has its line in the registry.
kinds=0
while read -r name; do
    kinds=$((kinds + 1))
    grep -qF "($name)" src/registry/kinds.h || fail "$name is missing in src/registry/kinds.h"
done < <(grep -rhoE '^const Sti(Impedance|Reaction|Admittance|Law|Shape|Wire)Kind sti_[a-z_0-9]+' src |
    sed -E 's/.*(sti_kind|sti_law_kind|sti_shape_kind|sti_wire_kind)_//')
[ $kinds -ge 50 ] || fail "only $kinds kinds were found"

[ $failed -eq 0 ] && echo "rooms include and call only what comes before them"
exit $((failed > 0))
