#!/usr/bin/env bash
# Help for people, and exit code 2 with the nearest word for misspelt ones.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"

code 0 --help
narrow
golden help.txt
silent err
code 0 help
golden help.txt
for command in run check list explain reproduce compare report view plot import export urdf; do
    code 0 "$command" --help
    says out "Usage: stiction $command"
    says out "130  interrupted"
    narrow
    silent err
    cp out first
    code 0 help "$command"
    diff first out || fail "help $command and $command --help differ"
    code 0 "$command" -h
    diff first out || fail "$command -h and $command --help differ"
done
code 0 --version
grep -qE '^stiction [0-9]+\.[0-9]+\.[0-9]+(-dev)?$' out || fail "--version"

code 2
says err "a command is needed"
code 2 rnu
says err "did you mean run?"
code 2 frobnicate
says err "see stiction --help"
code 2 help rum
says err "did you mean run?"
code 2 run scenes/spring.yaml --quite
says err "did you mean --quiet?"
code 2 run scenes/spring.yaml --mdoels=a
says err "run has no option --mdoels"
code 2 run scenes/spring.yaml -x
says err "run has no option -x"
code 2 run scenes/spring.yaml -o
says err "-o needs a value: -o FILE"
code 2 run scenes/spring.yaml --quiet=yes
says err "--quiet takes no value"
code 2 run
says err "run needs SCENE"
code 2 run scenes/spring.yaml scenes/plain.yaml
says err "not 'scenes/plain.yaml' too"
code 2 list modles
says err "did you mean models?"
code 2 explain karnop
says err "did you mean karnopp?"
silent out
code 0 run --quiet -- scenes/plain.yaml

"$stiction" --help >/dev/full 2>err
[ $? -eq 3 ] || fail "a full disk behind --help is not noticed"
says err "cannot write to standard output"
finish
