#!/usr/bin/env bash
# One scene, several models.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"

code 0 compare scenes/spring.yaml --models finite-time,karnopp,elastic-coulomb -o out.csv \
    --set friction.stiffness=1e5 --set friction.damping=100
golden compare_spring.txt
narrow
says err "does not use 'stiffness'"
head -n 1 out.csv | tr , '\n' >columns
cat >wanted <<'END'
t
block.x@finite-time
block.v@finite-time
friction.force@finite-time
friction.stick@finite-time
block.x@karnopp
block.v@karnopp
friction.force@karnopp
friction.stick@karnopp
block.x@elastic-coulomb
block.v@elastic-coulomb
friction.force@elastic-coulomb
friction.stick@elastic-coulomb
END
diff wanted columns || fail "the columns"
[ "$(wc -l <out.csv)" -eq 4002 ] || fail "the rows"

# Bit for bit what run gives.
code 0 run scenes/spring.yaml -q -o finite.csv
cut -d, -f1-5 out.csv | tail -n +2 >compared
tail -n +2 finite.csv | cmp compared - || fail "compare and run differ for finite-time"
code 0 run scenes/spring.yaml -q -o karnopp.csv --set friction.model=karnopp
cut -d, -f1,6-9 out.csv | tail -n +2 >compared
tail -n +2 karnopp.csv | cmp compared - || fail "compare and run differ for karnopp"

# A channel that a model does not have is left out.
code 0 compare scenes/bristle.yaml --models dahl,finite-time -q -o dahl.csv
silent out err
[ "$(head -n 1 dahl.csv)" = t,block.v@dahl,friction.deflection@dahl,block.v@finite-time ] ||
    fail "finite-time has no deflection: $(head -n 1 dahl.csv)"
code 0 compare scenes/bristle.yaml --models dahl,finite-time
grep -qE '^  friction.deflection +[0-9.e-]+ +-$' out || fail "a missing channel is shown as -"

# Expectations are not looked at: they may name channels that a model does not have.
cat >>scenes/bristle.yaml <<'END'
expect:
  - {what: bent, channel: friction.deflection, at: 0.5, value: 0, tolerance: 1, from: chosen}
variants:
  stiffer:
    set: {friction.stiffness: 2e4}
    expect:
      - {what: bent, channel: friction.deflection, at: 0.5, value: 0, tolerance: 1, from: chosen}
END
code 0 compare scenes/bristle.yaml --models dahl,finite-time -q
code 0 compare scenes/bristle.yaml --variant stiffer --models dahl,finite-time -q
silent out err

code 0 compare scenes/spring.yaml --models karnopp,quinn --element friction -q
code 2 compare scenes/spring.yaml --models karnopp --element fricton
says err "did you mean friction?"
code 2 compare scenes/spring.yaml
says err "compare needs --models"
code 2 compare scenes/spring.yaml --models finite-tiem,karnopp
says err "did you mean finite-time?"
code 2 compare scenes/spring.yaml --models finite-time,
code 2 compare scenes/spring.yaml --models dahl
says err "stiffness"
code 0 compare scenes/spring.yaml --models finite-time,dahl -o one.csv # dahl has no stiffness there
says err "dahl is left out"
says err "stiffness"
head -1 one.csv | grep -q "@finite-time" || fail "the suitable model is not compared"
head -1 one.csv | grep -q "@dahl" && fail "the model that was left out has columns"
code 2 compare scenes/measures.yaml --models karnopp
says err "no friction element"
code 2 compare scenes/grid.yaml --models karnopp
says err "has a grid"
# A model that fails during the run is left out from there on, with its reason; the others go on, and are what run gives.
cat >runaway.yaml <<'END'
step: 1e-3
stop: 1
method: rk4
bodies:
  block: {kind: point, mass: 1e-3}
elements:
  friction: {kind: friction, on: block, model: elastic-coulomb, law: coulomb, level: 2, stiffness: 1e4, damping: 10, plain: true}
  push: {kind: force, on: block, value: "3*sin(9*t)"}
record: [block.x, block.v]
END
code 1 compare runaway.yaml --models lugre,elastic-coulomb -o runaway.csv
says err "under the model lugre, which is left out from here on"
grep -qE '^  failed at, s +0.00[0-9]+ +-$' out || fail "compare does not say when the model failed"
[ "$(wc -l <runaway.csv)" -eq 1002 ] || fail "the others did not go on"
code 0 run runaway.yaml -q -o whole.csv
cut -d, -f1,4,5 runaway.csv | tail -n +2 >compared
tail -n +2 whole.csv | cmp compared - || fail "compare and run differ beside a model that failed"
code 1 compare runaway.yaml --models lugre -o none.csv

finish
