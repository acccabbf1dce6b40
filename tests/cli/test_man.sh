#!/usr/bin/env bash
# The man page is sound and names every command and option of --help.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"
page=$here/../../cli/stiction.1

if command -v mandoc >/dev/null; then
    mandoc -T lint -W warning "$page" || fail "mandoc"
elif command -v groff >/dev/null; then
    groff -man -ww -z -T utf8 "$page" 2>lint || fail "groff"
    silent lint
elif command -v man >/dev/null; then
    LC_ALL=C MANROFFSEQ='' man --warnings -l "$page" >/dev/null 2>lint || fail "man"
    silent lint
else
    echo "neither mandoc nor groff nor man: the page was not linted"
fi
version=$("$stiction" --version)
grep -q "\"$version\"" "$page" || fail "the page is not of $version"
commands=$("$stiction" --help | awk '/^  [a-z]+  +/ && !/^  [0-9]/ && $1 != "stiction" { print $1 }')
[ "$(wc -w <<<"$commands")" -ge 17 ] || fail "--help names only: $commands"
for command in $commands; do
    grep -qE "^\.B (stiction )?$command\$" "$page" || fail "the page does not have $command"
    code 0 $command --help
    grep -oE -- '--[a-z]+(-[a-z]+)*' out | sort -u | while read -r option; do
        grep -qF -- "${option//-/\\-}" "$page" || echo "$option"
    done >missing
    silent missing
done
for number in 0 1 2 3 130; do grep -qx "\.B $number" "$page" || fail "exit code $number"; done
finish
