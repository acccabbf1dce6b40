#!/usr/bin/env bash
# check_pages.sh ROOT: links of all pages lead somewhere, headings included, and so do the numbers of sections
# in comments.
set -u
cd "$1" || exit 1
failed=0

fail()
{
    echo "FAIL: $*"
    failed=$((failed + 1))
}

tree() { find . \( -name 'build*' -o -name node_modules -o -name .git -o -name out \) -prune -o -type f "$@" -print; }

# The names under which headings can be linked.
headings() # PAGE
{
    sed -nE 's/^#+ (.*)/\1/p' "$1" | tr '[:upper:]' '[:lower:]' | tr -cd 'a-z0-9_ \n-' | tr ' ' '-'
}

links=0
while IFS=: read -r page link; do
    link=${link#*(}
    link=${link%)}
    [[ $link == http* ]] && continue
    links=$((links + 1))
    target=${link%%#*}
    [ -n "$target" ] && target=$(dirname "$page")/$target || target=$page
    [ -e "$target" ] || { fail "$page: $link is not there"; continue; }
    [[ $link != *#* ]] || headings "$target" | grep -qxF -e "${link#*#}" || fail "$page: $link has no such heading"
done < <(tree -name '*.md' | xargs grep -oE '\]\([^) ]+\)')
[ $links -ge 50 ] || fail "only $links links were found"

# Numbers in the first column of the tables of docs/equations.md, and sections of docs/methods.md.
known=$(awk -F '|' '/^\| (EQUATIONS|METHODS|COUPLED) \|/ { name = $2; gsub(/ /, "", name); next }
    !/^\|/ { name = "" }
    name != "" { count = split($2, numbers, ","); for (i = 1; i <= count; ++i) { sub(/^ +/, "", numbers[i]); sub(/ +$/, "", numbers[i]); print name " " numbers[i] } }' \
    docs/equations.md
    sed -nE 's/^## ([0-9]+)\. .*/METHODS \1/p' docs/methods.md
    printf 'METHODS %s\n' 3.1 3.3)
numbers=0
while read -r name number; do
    numbers=$((numbers + 1))
    grep -qxF "$name $number" <<<"$known" || fail "nobody can tell what $name $number is"
done < <(tree \( -name '*.[ch]' -o -name '*.md' -o -name '*.sh' \) |
    xargs grep -hoE '\b(EQUATIONS|METHODS|COUPLED)(, pitfall)? [0-9]+(\.[0-9]+)*' | sed 's/, pitfall/ pitfall/' | sort -u)
[ $numbers -ge 30 ] || fail "only $numbers numbers of sections were found"
exit $((failed > 0))
