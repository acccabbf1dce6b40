#!/usr/bin/env bash
# Fits: parameters are found again from logs of our own scenes; bad logs are refused with their places.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"

cat >block.yaml <<'END'
title: A block on a table, pushed
step: 5e-3
stop: 4
inputs: {u: "12*sin(1.7*t) + 6*sin(4.1*t)"}
bodies:
  block: {kind: point, mass: 2}
  other: {kind: point, mass: 1}
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
says out "block.x  rms 996 um"
near "$(value friction.level out)" 4 0.02 level
near "$(value friction.viscous out)" 3 0.05 viscous
near "$(value block.mass out)" 2 0.02 mass
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

# Written back, the scene has the misfit that was reported, to the last bit; comments stay. A sensor's delay, too.
sed -i 's/^stop: 4/stop: 4   # seconds/; s/block.x: x/block.x: {column: x, delay: free}/' section.yaml
code 0 fit section.yaml --starts 1 -o fit.csv --write-back fitted.yaml -q
silent out err
says fitted.yaml "stop: 4   # seconds"
code 0 fit fitted.yaml --evaluate -o again.csv -q
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == name) n = i } NR == 2 { print $n }' "$2"; }
[ -n "$(column "block.x rms" fit.csv)" ] || fail "no rms in the table"
[ "$(column "block.x rms" fit.csv)" = "$(column "block.x rms" again.csv)" ] ||
    fail "the fitted scene has rms $(column "block.x rms" again.csv), not $(column "block.x rms" fit.csv)"
cp section.yaml own.yaml
code 0 fit own.yaml --starts 1 --write-back -q
cmp -s own.yaml section.yaml && fail "nothing was written back"

# Interrupted or killed, and gone on with: the same bytes as without an interruption, for any moment.
code 0 fit section.yaml --starts 3 --folds 2 -o whole.csv -q
[ -e whole.csv.progress ] && fail "a fit that ended leaves its progress"
for signal in INT KILL; do
    for entries in 2 6; do
        rm -f cut.csv*
        "$stiction" fit section.yaml --starts 3 --folds 2 -o cut.csv >out 2>err &
        process=$!
        found() { [ "$(wc -l <cut.csv.progress 2>/dev/null || echo 0)" -gt $entries ] || [ -e cut.csv ]; }
        eventually found || fail "nothing was found"
        kill -$signal $process 2>/dev/null
        wait $process
        ended=$?
        [ -e cut.csv ] && continue # it was faster than the signal
        [ $ended -eq 130 ] || [ $signal = KILL ] || fail "an interrupted fit does not end with 130"
        [ $signal = KILL ] || says err "--resume goes on with it"
        [ $signal = INT ] || printf '0 4 1.5 2' >>cut.csv.progress # half a line
        code 2 fit section.yaml --starts 3 --folds 2 -o cut.csv -q
        says err "has what a fit found that did not end"
        code 2 fit section.yaml --starts 3 --folds 3 -o cut.csv -q --resume
        says err "is of another fit"
        code 0 fit section.yaml --starts 3 --folds 2 -o cut.csv -q --resume
        cmp whole.csv cut.csv || fail "resumed after $entries entries and $signal, the result is another"
        [ -e cut.csv.progress ] && fail "the progress is still there"
    done
done
code 2 fit section.yaml --resume
says err "name it with -o"

# What the logs do not tell is named.
code 0 fit block.yaml --data log.csv --map block.x=x --drive u=u --free friction.level=0:20,other.mass=0.5:2 --starts 1
says out "other.mass has no influence"

# Bad logs, each with its place.
bad() # TEXT: of the error; the log is bad.csv
{
    code 2 fit block.yaml --data bad.csv --map "${map:-block.x=x}" --drive u=u --free friction.level=0:20
    says err "$1"
}
sed '100s/,[^,]*,/,nan,/' log.csv >bad.csv && bad "bad.csv:100:"
says err "column x is not finite here"
sed '100s/,[^,]*,/,,/' log.csv >bad.csv && bad "column x has no value here"
sed '100,300d' log.csv >bad.csv && bad "a gap of"
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
