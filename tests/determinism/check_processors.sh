#!/bin/sh
# check_processors.sh ROOT PROGRAM: the states of every scene of the repository have the same bits where the C
# library is told that the processor has no fused multiply-add and no AVX2.
set -eu
cd "$1"
program=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
scenes=$(find papers scenes tests/golden -name '*.yaml' | sort)
# shellcheck disable=SC2086
"$program" $scenes >"$work/here"
# shellcheck disable=SC2086
GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-AVX2,-FMA4,-AVX512F "$program" $scenes >"$work/there"
ran=$(grep -cv 'not read$' "$work/here")
[ "$ran" -ge 50 ] || { echo "FAIL: only $ran scenes ran"; exit 1; }
diff "$work/here" "$work/there" || { echo "FAIL: bits depend on the processor"; exit 1; }
echo "$ran scenes have the same bits"
