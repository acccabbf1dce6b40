#!/usr/bin/env bash
# Every command of README.md, docs and scenes ends well, as it is written there. SCENE stands for README's first scene.
# Left out: commands with other words to be filled in (FILE, [BODY], ...), mere names of commands, runs of an hour, and
# `reproduce` and the study of a belt, which are tests of their own.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"
root=$(cd "$here/../.." && pwd)
rm -rf scenes
ln -s "$root/papers" "$root/scenes" "$root/examples" .
cp examples/robots/{arm,quadruped}.xml . # model files of any name
cp examples/robots/two_link.urdf robot.urdf
cp examples/robots/arm.xml robot.xml
stiction() { "$stiction" "$@"; }

# In the order of the pages: lines that are indented, and words between backquotes.
commands() # PAGE...
{
    awk '/\\$/ { sub(/\\$/, ""); line = line $0; next } { print line $0; line = "" }' "$@" |
        sed -nE -e 's/ +# .*//' -e 's/^    (\$ |build\/)?(stiction .*)/\2/p;t' \
            -e 's/`stiction /\n&/g;s/^[^\n]*\n//;t spans' -e 'b' \
            -e ':spans' -e 's/`(stiction [^`]*)`[^\n]*/\1/g;p' |
        sed -e 's|build/stiction|stiction|g' -e 's/\bSCENE\b/block.yaml/'
}

is_left_out() # COMMAND
{
    [[ $1 =~ ^stiction\ (reproduce|[a-z]+$|[a-z]+\ --[a-z]+$) ]] && return
    [[ $1 == *"--stop 3600"* ]] && return
    [[ $1 == *"sweep belt-study"* ]] && return
    [[ $1 =~ [A-Z]{3,}|\.\.\.|\[|[A-Z]\.csv ]] && return
    [[ $1 == *plot* ]] && ! command -v gnuplot >/dev/null
}

follow() # COMMAND
{
    if [[ $1 == "stiction view"* ]]; then
        eval "timeout -s INT 1 \"\$stiction\" ${1#stiction}" >out 2>&1
        [ $? -eq 124 ] # it went on until then
    else
        eval "$1" >out 2>&1 </dev/null
    fi || grep -q "built without its report page" out
}

awk '/^```yaml$/ { on = 1; next } /^```/ { if (on) exit } on' "$root/README.md" >block.yaml
for file in run.h5 a.h5 b.h5; do code 0 run block.yaml --quiet -o $file; done # what docs/recording.md begins with
code 0 compare block.yaml --models finite-time,karnopp --quiet -o models.csv

# docs/fit.md: its first scene, and logs of such a drive.
awk '/^```yaml$/ { on = 1; next } /^```/ { if (on) exit } on' "$root/docs/fit.md" >drive.yaml
sed -e 's/^inputs:.*//' -e 's/35.15\*u/35.15*3*sin(3*t)/' -e '/^fit:/,$d' -e 's/^stop:.*/stop: 2/' drive.yaml >driven.yaml
measure() # LOG OPTIONS...
{
    code 0 run driven.yaml --quiet --set every=10 "${@:2}" -o measured.csv
    awk -F, '/^[#"]/ { next } /^t,/ { print "time,volts,position"; next } { printf "%s,%.17g,%s\n", $1, 3 * sin(3 * $1), $2 }' \
        measured.csv >"$1"
}
measure log.csv
measure log1.csv
measure log2.csv --set m.mass=120

declare -A seen
while IFS= read -r command; do
    is_left_out "$command" || [ -n "${seen[$command]-}" ] && continue
    seen[$command]=1
    follow "$command" && continue
    fail "$command"
    cat out
done < <(commands "$root"/README.md "$root"/docs/*.md "$root"/scenes/README.md "$root"/scenes/*/README.md)
[ ${#seen[@]} -ge 30 ] || fail "only ${#seen[@]} commands were found"
finish
