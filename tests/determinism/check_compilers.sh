#!/bin/sh
# check_compilers.sh ROOT CMAKE: the states of every scene have the same bits from gcc and clang, optimised and not.
set -eu
root=$1
cmake=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    for level in 0 3; do
        build=$work/$compiler$level
        "$cmake" -S "$root" -B "$build" -D CMAKE_C_COMPILER=$compiler -D CMAKE_BUILD_TYPE=None \
            -D CMAKE_C_FLAGS=-O$level -D STI_ADAPTIVE=OFF -D STI_FORMATS=OFF -D STI_FUZZ=OFF \
            -D STI_EXAMPLES=OFF -D STI_BENCH=OFF >/dev/null
        "$cmake" --build "$build" --target scene_hashes -j 2 >/dev/null
        (cd "$root" && "$(find "$build" -name scene_hashes -type f)" \
            $(find papers scenes tests/golden -name '*.yaml' | sort)) >"$work/hashes.$compiler$level"
        diff "$work/hashes.gcc0" "$work/hashes.$compiler$level" ||
            { echo "FAIL: $compiler -O$level gives other bits than gcc -O0"; exit 1; }
    done
done
echo "$(wc -l <"$work/hashes.gcc0") scenes have the same bits"
