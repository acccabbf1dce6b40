#!/usr/bin/env bash
# The completion for bash offers what the program has.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"
file=$here/../../cli/stiction.bash
bash -n "$file" || fail "syntax"
# shellcheck source=/dev/null
. "$file" || fail "it cannot be sourced"

# offers WORDS...: what is offered for the last word.
offers()
{
    COMP_WORDS=("$stiction" "$@")
    COMP_CWORD=$#
    COMPREPLY=()
    _stiction
    printf '%s\n' "${COMPREPLY[@]}" >offered
}

complete -p stiction >/dev/null || fail "nothing is registered"
offers repr
[ "$(cat offered)" = reproduce ] || fail "commands: $(cat offered)"
"$stiction" --help | awk '/^Usage/ { on = 1 } /^Exit/ { exit } on && /^  [a-z]+  / { print $1 }' | sort >a
offers ""
grep -vxE -e "help|--help|--version" offered | sort >b
[ "$(wc -l <a)" -ge 12 ] && diff a b || fail "all commands"
offers list m
[ "$(sort offered | tr '\n' ' ')" = "methods models " ] || fail "list: $(cat offered)"
offers explain elastic
[ "$(cat offered)" = elastic-coulomb ] || fail "explain: $(cat offered)"
offers compare scenes/spring.yaml --models karnopp,qu
[ "$(cat offered)" = karnopp,quinn ] || fail "models: $(cat offered)"
offers run scenes/spr
[ "$(cat offered)" = scenes/spring.yaml ] || fail "scenes: $(cat offered)"
cd root || exit 1
stiction=$(realpath "$OLDPWD/$stiction" 2>/dev/null || echo "$stiction")
offers reproduce alpha/s
[ "$(cat offered)" = alpha/still ] || fail "reproduce: $(cat offered)"

# Every option of --help is offered.
for command in run check list explain reproduce compare report view plot import export urdf reference converge; do
    offers $command --
    sort offered >a
    "$stiction" $command --help | grep -oE '^  ..(, |  )--[a-z-]+' | grep -oE -- '--[a-z-]+' | sort >b
    diff a b || fail "options of $command"
done
finish
