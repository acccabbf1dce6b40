#!/usr/bin/env bash
# A robot of a scene becomes URDF, and the scene with that URDF moves in the same way.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"

code 0 urdf scenes/robots.yaml arm
silent err
golden arm.urdf
code 0 urdf scenes/robots.yaml arm -o scenes/arm.urdf
silent out err
diff "$here/expected/arm.urdf" scenes/arm.urdf || fail "the file is not what is printed"

# The same scene with the robot from the file; once more exported it is the same text.
awk '/^    links:/ { print "    urdf: arm.urdf"; skip = 1; next }
     /^    joints:/ { skip = 0; print "    joints: {shoulder: {position: 0.3}, slide: {velocity: -0.1}}"; next }
     !skip' scenes/robots.yaml >scenes/again.yaml
code 0 urdf scenes/again.yaml arm --quiet
code 0 run scenes/robots.yaml -o first.csv
code 0 run scenes/again.yaml -o second.csv
cmp first.csv second.csv || fail "the exported robot moves differently"

code 0 urdf scenes/robots.yaml whip --set bodies.whip.chain.links=2
[ "$(grep -c '<joint ' out)" -eq 2 ] || fail "--set"
code 2 urdf scenes/robots.yaml
says err "which robot? scenes/robots.yaml has arm and whip"
code 2 urdf scenes/robots.yaml leg
says err "there is no robot 'leg' in scenes/robots.yaml, but arm and whip"
code 2 urdf scenes/plain.yaml
says err "scenes/plain.yaml has no robot"
code 3 urdf scenes/robots.yaml arm -o nowhere/arm.urdf
says err "cannot write nowhere/arm.urdf: No such file"
code 3 urdf nothing.yaml
finish
