#!/usr/bin/env bash
# Files that cannot be read or written: exit code 3, and nothing that looks complete.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"

code 3 run nowhere.yaml
says err "cannot read nowhere.yaml: No such file or directory"
code 3 check nowhere.yaml
mkdir empty
code 3 run empty
says err "cannot read empty/scene.yaml"
code 3 run scenes/plain.yaml -o nowhere/out.csv
says err "cannot write nowhere/out.csv: No such file or directory"
silent out
mkdir taken.csv
code 3 run scenes/plain.yaml -o taken.csv
says err "cannot write taken.csv: Is a directory"
code 3 compare scenes/plain.yaml --models coulomb -o taken.csv
code 3 run scenes/grid.yaml -o taken.csv
absent taken.csv.partial

mkdir locked
chmod a-w locked
target=locked
[ "$(id -u)" -eq 0 ] && target=/sys # root may write anywhere but there
for command in "run scenes/plain.yaml" "run scenes/grid.yaml" "compare scenes/plain.yaml --models coulomb"; do
    # shellcheck disable=SC2086 # words
    code 3 $command -o "$target/out.csv"
    says err "cannot write $target/out.csv: Permission denied"
done
code 3 reproduce alpha --root root --out "$target/out"
absent "$target/out.csv" "$target/out.csv.partial"

# No room: an error of the write, not a signal.
for command in "run scenes/spring.yaml" "run scenes/grid.yaml" "compare scenes/spring.yaml --models karnopp"; do
    # shellcheck disable=SC2086 # words
    (
        ulimit -f 0
        "$stiction" $command -o full.csv >/dev/null 2>/dev/null
        [ $? -eq 3 ]
    ) || fail "no room does not give 3: $command"
    absent full.csv
done

# A link in the place of the draft is left alone: what it points to is not ours.
echo precious >precious.txt
ln -s precious.txt linked.csv.partial
code 0 run scenes/plain.yaml -o linked.csv
[ "$(cat precious.txt)" = precious ] || fail "a link at the preliminary name was followed"
[ -L linked.csv.partial ] || fail "the link is gone"
[ "$(head -n 1 linked.csv)" = t,block.x,block.v ] || fail "nothing was written beside the link"

# What a killed run left is replaced.
echo old >again.csv.partial
code 0 run scenes/plain.yaml -o again.csv
absent again.csv.partial

# Two runs into one file: each writes its own, the last to end wins, no row is torn.
for ending in csv h5 mcap; do
    "$stiction" run scenes/spring.yaml --quiet -o alone.$ending || fail "alone"
    "$stiction" run scenes/spring.yaml --quiet -o both.$ending &
    first=$!
    "$stiction" run scenes/spring.yaml --quiet -o both.$ending || fail "the second run"
    wait $first || fail "the first run"
    cmp alone.$ending both.$ending || fail "two runs into one .$ending"
    absent both.$ending.partial both.$ending.2.partial
done

# urdf and converge take their final name when they are complete, too.
code 0 urdf scenes/robots.yaml arm -o robot.urdf
absent robot.urdf.partial

# A closed standard error must not become a recording.
"$stiction" run scenes/spring.yaml -o deaf.csv 2>&- >/dev/null || fail "closed standard error"
cmp alone.csv deaf.csv || fail "messages in the recording"
"$stiction" run scenes/spring.yaml -o mute.csv >&- 2>err
[ $? -eq 3 ] || fail "a closed standard output is no error"
cmp alone.csv mute.csv || fail "the summary in the recording"

# An earlier recording stays until the new one is complete.
echo earlier >kept.csv
code 1 run scenes/diverges.yaml -o kept.csv
[ "$(cat kept.csv)" = earlier ] || fail "the earlier recording is gone"
code 0 run scenes/plain.yaml -o kept.csv
[ "$(head -n 1 kept.csv)" = t,block.x,block.v ] || fail "the new recording did not replace it"
finish
