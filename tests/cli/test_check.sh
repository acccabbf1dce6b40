#!/usr/bin/env bash
# What check tells; warnings and notes.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"

code 0 check scenes/spring.yaml
golden check_spring.txt
silent err
narrow
code 0 check scenes/loaded.yaml
golden check_loaded.txt
narrow
silent err
code 0 check scenes/diverges.yaml
says err "scenes/diverges.yaml:8:"
says err "warning:"
code 0 check scenes/spring.yaml --set friction.eps=1
says err "note:"
says err "'eps'"
code 0 check scenes/spring.yaml --set friction.eps=1 --quiet
silent out err
code 0 check scenes/measures.yaml
says out "16 expectations, 1 variant: wrong"
code 0 check scenes/measures.yaml --variant wrong
says out "5 expectations"
code 0 check scenes/grid.yaml
says out "a grid of 15 runs"
code 0 check scenes/stack.yaml
says out "pile             4 shapes against each other; up to 19 points"
says out "watch            1 shape against 1; up to 1 point"
narrow

# A variant is judged too.
sed 's/^stop: .*/&\nvariants: {odd: {set: {friction.model: karnop}}}/' scenes/spring.yaml >scenes/odd.yaml
code 2 check scenes/odd.yaml
says err "did you mean 'karnopp'"
# A force that reads positions and velocities listens to their body.
cat >feedback.yaml <<'END'
stop: 1
bodies: {m: {kind: point, mass: 1}}
elements: {push: {kind: force, on: m, value: "1 - m.x - m.v"}}
END
code 0 check feedback.yaml
says out "push             listens to m.position"
says out "push             listens to m.velocity"
finish
