#!/usr/bin/env bash
# The table, the choice of simulations, exit codes, recordings.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"

code 0 reproduce alpha --root root
golden reproduce_alpha.txt
narrow
silent err
code 1 reproduce --root root
golden reproduce_all.txt
code 1 reproduce beta/wrong --root root
code 0 reproduce alpha/still --root root
says out "1 simulation, 1 run in"
code 0 reproduce alpha --root root --quiet
silent out err
code 1 reproduce --root root --quiet
golden reproduce_quiet.txt

code 0 reproduce alpha --root root --out recordings
for file in alpha-rest alpha-rest-double alpha-rest-unjudged alpha-still; do
    [ -s recordings/$file.csv ] || fail "there is no recordings/$file.csv"
done
[ "$(find recordings -type f | wc -l)" -eq 4 ] || fail "other files than these: $(ls recordings)"

code 2 reproduce alhpa --root root
says err "did you mean alpha?"
code 2 reproduce alpha/stil --root root
says err "did you mean alpha/still?"
code 3 reproduce --root nowhere

# A scene with errors, and one that fails on the way, do not stop the others.
mkdir -p root/papers/gamma/{broken,diverges}
cp scenes/broken.yaml root/papers/gamma/broken/scene.yaml
cp scenes/diverges.yaml root/papers/gamma/diverges/scene.yaml
cat >>root/papers/gamma/diverges/scene.yaml <<'END'
expect:
  - {what: x, channel: block.x, at: 2, value: 0, tolerance: 0, from: exact}
END
code 2 reproduce --root root
says out "it does not move"
says out "2 could not be run to the end"
says err "in gamma/diverges"
code 1 reproduce gamma/diverges --root root
finish
