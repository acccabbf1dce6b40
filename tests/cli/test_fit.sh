#!/usr/bin/env bash
# Fits: parameters are found again from logs of our own scenes; bad logs are refused with their places.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"

cat >block.yaml <<'END'
title: A block on a table, pushed
step: 2e-3
stop: 8
inputs: {u: "12*sin(1.7*t) + 6*sin(4.1*t)"}
bodies:
  block: {kind: point, mass: 2}
elements:
  push:     {kind: force, on: block, value: u}
  friction: {kind: friction, on: block, model: coulomb, level: 4, viscous: 3}
record: [block.x, u]
END
code 0 run block.yaml -o truth.csv -q
# Noise of 1 mm, the same every time.
awk -F, 'BEGIN { srand(7) } NR == 1 { print "t,x,u"; next }
    { g = 0; for (i = 0; i < 12; ++i) g += rand(); printf "%s,%.9g,%s\n", $1, $2 + 0.001 * (g - 6), $3 }' truth.csv >log.csv
free=friction.level=0:20,friction.viscous=0:20,block.mass

# value NAME FILE: the fitted value of a parameter, as it was printed.
value() { awk -v name="$1" '$1 == name { print $2 }' "$2"; }
near() # VALUE TRUTH SHARE WHAT
{
    awk -v a="$1" -v b="$2" -v s="$3" 'BEGIN { exit !(a != "" && (a - b)^2 <= (s * b)^2) }' || fail "$4 is $1, not $2"
}

code 0 fit block.yaml --data log.csv --map block.x=x --drive u=u --free $free --set friction.level=9 --set block.mass=5
silent err
says out "block.x  rms 1.0"
near "$(value friction.level out)" 4 0.01 level
near "$(value friction.viscous out)" 3 0.02 viscous
near "$(value block.mass out)" 2 0.01 mass
cp out two
sed -i '/simulations/d' two

# The same for any number of threads; the scene's own section says the same as the options.
code 0 fit block.yaml --data log.csv --map block.x=x --drive u=u --free $free --set friction.level=9 \
    --set block.mass=5 -j 1
sed '/simulations/d' out | cmp - two || fail "one thread gives another result"
cat block.yaml - >section.yaml <<'END'
fit:
  data: log.csv
  map: {block.x: x}
  drive: {u: u}
  free: {friction.level: [0, 20], friction.viscous: [0, 20], block.mass: free}
END
code 0 fit section.yaml --set friction.level=9 --set block.mass=5 -j 3
sed '/simulations/d' out | cmp - two || fail "the section says something else than the options"

# What the logs do not tell is named.
code 0 fit block.yaml --data log.csv --map block.x=x --drive u=u --free friction.level=0:20,block.position=-1:1
says out "block.position has no influence"

# Bad logs, each with its place.
bad() # TEXT: of the error; the log is bad.csv
{
    code 2 fit block.yaml --data bad.csv --map "${map:-block.x=x}" --drive u=u --free friction.level=0:20
    says err "$1"
}
sed '100s/,[^,]*,/,nan,/' log.csv >bad.csv && bad "bad.csv:100:"
says err "column x is not finite here"
sed '100s/,[^,]*,/,,/' log.csv >bad.csv && bad "column x has no value here"
sed '100,400d' log.csv >bad.csv && bad "a gap of"
{ cat log.csv; sed 1d log.csv; } >bad.csv && bad "time goes back here"
head -4 log.csv >bad.csv && bad "the log has 3 rows"
sed 1d log.csv >bad.csv && bad "the first line must name the columns"
: >bad.csv && bad "the log is empty"
cp log.csv bad.csv
map=block.x=xx bad "there is no column 'xx'; did you mean 'x'?"
map=block.y=x bad "there is no channel 'block.y'; did you mean 'block.x'?"
code 2 fit block.yaml --data no.csv --map block.x=x --free friction.level=0:20
says err "no.csv: error: No such file"
code 2 fit block.yaml --data log.csv --map block.x=x --drive u=u --free friction.leve=0:20
says err "no key 'leve'; did you mean 'level'?"
code 2 fit block.yaml --data log.csv --map block.x=x --drive u=u
says err "nothing is free"
code 2 fit block.yaml
says err "no section fit"
awk -F, 'NR == 1 { print; next } { printf "%s,%.9g,%s\n", $1, 1e4 * $2, $3 }' log.csv >bad.csv
code 0 fit block.yaml --data bad.csv --map block.x=x --drive u=u --free friction.level=0:20 --starts 1
says err "Is the column in mm?"
finish
