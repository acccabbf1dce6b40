#!/usr/bin/env bash
# Names, one line each; explanations of all of them.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"

code 0 list
silent err
awk '{ print $1 }' out >lists
for what in models laws methods solvers; do
    grep -qx $what lists || fail "list does not show $what"
    code 0 list $what
    silent err
    awk '!/^[a-z0-9-]+ +[^ ]/ { exit 1 }' out || fail "list $what: not a name and a line"
    awk '{ print $1 }' out >names
    while read -r name; do
        code 0 explain "$name"
        silent err
        says out "$name ("
        says out "Equations"
        says out "From"
        narrow
    done <names
done
for what in joints shapes wires; do
    code 0 list $what
    silent err
    awk '{ print $1 }' out >names
    while read -r name; do
        code 0 explain "$name"
        says out "$name (${what%s})"
        narrow
    done <names
done
for what in bodies elements; do # the kinds that the reader knows, with their keys
    code 0 list $what
    silent err
    awk '{ print $1 }' out >names
    while read -r name; do
        code 0 explain "$name"
        silent err
        says out "$name (kind of"
        says out "Keys"
        narrow
    done <names
done
code 0 explain spring-damper
says out "stiffness"
code 0 explain elastic-coulomb
golden explain_elastic_coulomb.txt
code 0 explain coulomb # a model and a law
says out "coulomb (friction model)"
says out "coulomb (law)"

for subject in methods adaptive painleve; do
    code 0 explain $subject
    silent err
    says out "$subject ("
    narrow
done

code 0 list scenes --root root
sort out >sorted
cat >wanted <<'END'
root/papers/alpha/rest/scene.yaml  A block comes to rest
root/papers/alpha/still/scene.yaml  A block that is not pushed enough
root/papers/beta/wrong/scene.yaml  An expectation that fails
root/scenes/own.yaml  A scene of one's own
END
diff wanted sorted || fail "list scenes"
cd root || exit 1
"$stiction" list scenes >../out || fail "list scenes in the present folder"
cd .. || exit 1
says out "papers/alpha/rest/scene.yaml  A block"
cd root || exit 1 # scenes that come with the program go by their names
"$stiction" run alpha/still >../out || fail "run alpha/still"
"$stiction" run still >../out || fail "run still"
"$stiction" check scenes/own >../out || fail "check scenes/own"
"$stiction" run stil >../out 2>../err && fail "run stil"
cd .. || exit 1
says err "cannot read stil"
code 3 list scenes --root nowhere
says err "there is no papers/ and no scenes/ in nowhere"
finish
