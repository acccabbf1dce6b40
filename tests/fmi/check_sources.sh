#!/usr/bin/env bash
# check_sources.sh PROGRAM SCENE COMPILER: the sources in an FMU build with a C compiler alone, without a warning of its
# usual ones, and show what the binary in the FMU shows.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for version in 2 3; do
    "$1" export "$2" --sources --fmi $version --quiet -o model.fmu
    python3 -m zipfile -e model.fmu model$version
    cd model$version/sources
    sed -n 's/.*<\(File\|SourceFile\) name="\([^"]*\)".*/\2/p' ../modelDescription.xml ./*.xml 2>/dev/null | sort -u >../list
    [ "$(wc -l <../list)" -gt 300 ]
    xargs -P 2 -n 16 sh -c 'for f; do '"$3"' -O0 -fPIC -Wall -fvisibility=hidden -I. -c "$f" -o "$f.o" || exit 255; done' sh <../list
    $3 -shared -Wl,--no-undefined -o ../built.so $(sed 's/$/.o/' ../list) -lm
    cd ..
    nm -D --defined-only built.so | awk '{ print $3 }' | grep "^fmi$version" | sort >a
    nm -D --defined-only binaries/*/model.so | awk '{ print $3 }' | grep "^fmi$version" | sort >b
    cmp a b
    cd ..
done
echo "sources build and show $(wc -l <model3/a) functions of FMI 3, $(wc -l <model2/a) of FMI 2"
