#!/usr/bin/env bash
# A run that meets Painleve's case after a while: exit code 1, the message names time and component, the
# rows until then are on disk, whole, the same as those of a run that ends before, and can be read.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"

rows() # FILE
{
    tail -n +2 "$1" | wc -l
}

meets() # NAME METHOD: which stops at t = 0.5 to 0.52 s, and has rows up to 0.44 s at least
{
    local last
    code 1 run scenes/parting_rods.yaml --set "method=$2" -o "$1.csv"
    says err "more than one solution here (stiction explain painleve), in rods: line1.load"
    grep -qE "stopped at t = 0\.5[01][0-9]* s" err || fail "$1: no time, or another: $(cat err)"
    says err "The rows so far ($(rows "$1.csv.partial"), up to t = "
    says err "are in $1.csv.partial"
    silent out
    absent "$1.csv"
    [ "$(rows "$1.csv.partial")" -gt 440 ] || fail "$1: rows are missing"
    awk -F, 'NF != 4 { exit 1 }' "$1.csv.partial" || fail "$1: rows are cut"
    [ "$(tail -c 1 "$1.csv.partial")" = "" ] || fail "$1: the last row is cut"
    last=$(tail -n 1 "$1.csv.partial" | cut -d, -f1)
    says err "up to t = $(printf '%g' "$last") s"
    code 0 run scenes/parting_rods.yaml --set "method=$2" --set stop=0.4 -o "$1_before.csv"
    if [ "$1" != events ]; then # there the length of steps depends on the end
        head -n "$(wc -l <"$1_before.csv")" "$1.csv.partial" | cmp -s - "$1_before.csv" ||
            fail "$1: the rows are not those of a run that ends before"
    fi
    code 0 report "$1.csv.partial" -o "$1.html"
    grep -q "rod.reaction" "$1.html" || fail "$1: the report does not show them"
}

meets rule rule
meets cut cut
meets events '{adaptive: dormand-prince}'

# Nowhere a solution: the state at the start is all there is.
cat >scenes/no_solution.yaml <<'END'
step: 1e-3
stop: 1
gravity: [0, -9.81, 0]
bodies:
  wheel:
    kind: linkage
    bodies:
      disc: {mass: 2, inertia: 0.32, position: [0.3, 0.8], velocity: [-8, 0]}
    joints:
      ground: {type: disc, on: disc, at: [-0.3, 0.2], radius: 1}
elements:
  friction: {kind: friction, on: ground, model: coulomb, mu: 1.2}
record: [disc.x, disc.vx]
END
for method in rule cut '{adaptive: dormand-prince}'; do
    rm -f out.csv.partial
    code 1 run scenes/no_solution.yaml --set "method=$method" -o out.csv
    says err "there is no solution here (stiction explain painleve), in wheel: ground.load"
    absent out.csv
    [ ! -e out.csv.partial ] || [ "$(rows out.csv.partial)" -le 1 ] || fail "$method: rows from nowhere"
done
finish
