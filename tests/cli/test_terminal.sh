#!/usr/bin/env bash
# On a terminal: colours (unless NO_COLOR), a bar with the time left. Needs script(1).
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"
if ! script -qec true /dev/null >/dev/null 2>&1; then
    echo "script(1) is missing or of another kind: skipped"
    exit 77
fi
escape=$(printf '\033')

on_terminal() { TERM=xterm script -qec "$*" /dev/null </dev/null >out 2>&1; }

on_terminal "$stiction" run scenes/broken.yaml
says out "${escape}[1;31merror:"
NO_COLOR=1 on_terminal "$stiction" run scenes/broken.yaml
grep -qF "${escape}[1;31m" out && fail "colours in spite of NO_COLOR"
on_terminal "$stiction" reproduce --root root
says out "${escape}[32mok"
says out "${escape}[1;31mFAIL"
for attempt in 1 2 3; do # script may close before it has read the last line
    on_terminal timeout -s INT 1 "$stiction" run scenes/long.yaml
    grep -qF "interrupted at t =" out && break
done
says out "] "
says out "%"
says out " left"
says out "interrupted at t ="
on_terminal timeout -s INT 1 "$stiction" run scenes/long.yaml --quiet
grep -qF " left" out && fail "a bar in spite of --quiet"
code 2 run scenes/broken.yaml # into a file
grep -qF "$escape" err && fail "colours outside a terminal"
finish
