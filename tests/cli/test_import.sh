#!/usr/bin/env bash
# Model files of other programs: as scenes, and in the place of scenes.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"
robots=$here/../../examples/robots

for model in two_link.urdf six_axis.urdf floating_base.urdf quadruped.xml arm.xml pendulum.sdf; do
    cp "$robots/$model" .
    code 0 import "$model" -o "$model.yaml"
    silent out
    says err "read: "
    [ -e "$model.yaml.partial" ] && fail "a partial file is left"
    # What runs is what import writes.
    code 0 run "$model" --stop 0.05 -o first.csv --quiet
    code 0 run "$model.yaml" --stop 0.05 -o second.csv --quiet
    cmp first.csv second.csv || fail "$model moves differently as a scene"
done
code 0 check quadruped.xml
says out "quadruped"
code 0 run quadruped.xml --variant home --stop 0.01 --quiet
code 0 run arm.xml --stop 0.01 --report page.html --quiet
[ -s page.html ] || fail "no page"
code 0 import arm.xml --quiet
silent err
says out "# read: MJCF, 6 links, 6 joints that move, 6 drives"
says out "pan_drive: {value: 0}"
says out "kind: friction, model: coulomb, on: [arm.pan, arm.lift, arm.elbow], level: 6, viscous: 2"

# What is wrong is said, and nothing is written.
code 3 import nothing.xml -o nothing.yaml
says err "cannot read nothing.xml"
[ -e nothing.yaml ] && fail "a scene without a model"
printf '<thing/>' >thing.xml
code 2 import thing.xml -o thing.yaml
says err "thing.xml:1:1: error: a model file is a <robot> (URDF), a <mujoco> (MJCF) or an <sdf>, but this is <thing>"
[ -e thing.yaml ] && fail "a scene of a broken model"

# Included files: relative to the model, each once, and within the folder that is allowed.
mkdir parts
printf '<mujoco><include file="parts/world.xml"/></mujoco>' >includes.xml
printf '<mujocoinclude><worldbody><body name="b"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><freejoint/></body></worldbody></mujocoinclude>' \
    >parts/world.xml
code 0 check includes.xml --quiet
code 2 check includes.xml --confine "$here" --quiet
says err "outside of the folder that files may be read from"
printf '<mujoco><include file="round.xml"/></mujoco>' >round.xml
code 2 check round.xml
says err "'round.xml' is included a second time"
printf '<!DOCTYPE a [<!ENTITY b "cccc"><!ENTITY d "&b;&b;&b;">]><mujoco model="&d;"/>' >bomb.xml
code 2 check bomb.xml
says err "<!DOCTYPE> is refused"

# SDF includes: the same as the model in its place; what is not there is said; no file outside the folder; no end without one.
mkdir -p worlds arm
sed -e 's/<model name="[^"]*">/<model name="arm">/' "$robots/pendulum.sdf" >arm/model.sdf
printf '<sdf version="1.9"><world name="w"><include><uri>model://sun</uri></include><include><uri>model://ground_plane</uri></include><include><name>left</name><pose>1 2 3 0 0 0.5</pose><uri>model://arm</uri></include><include><uri>model://nothing</uri></include></world></sdf>' >worlds/two.sdf
code 0 import worlds/two.sdf -o two.yaml
says err "left out: models that are included and cannot be read: model://nothing"
says err "read: a ground plane as the floor"
grep -q 'name: left' two.yaml || fail "the included model has not the name of the include"
grep -q 'at: \[1, 2, 3' two.yaml || grep -q '1, 2, 3' two.yaml || fail "the included model has not the pose of the include"
code 0 run worlds/two.sdf --stop 0.05 --quiet
code 2 check worlds/two.sdf --confine worlds --quiet
printf '<sdf version="1.9"><model name="a"><include><uri>model://round</uri></include></model></sdf>' >worlds/round.sdf
mkdir -p worlds/round
cp worlds/round.sdf worlds/round/model.sdf
code 2 check worlds/round.sdf
says err "included in each other more than 8 levels deep"
finish
