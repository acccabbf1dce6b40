# shellcheck shell=bash
# Sourced by all test_*.sh: test_NAME.sh PROGRAM. Works in a folder of its own that holds copies of
# the scenes; STI_UPDATE=1 writes the expected texts anew.
set -u
stiction=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$here/scenes" "$here/root" "$work"
cd "$work" || exit 1
unset NO_COLOR
failures=0

fail()
{
    echo "FAIL: $*"
    failures=$((failures + 1))
}

# code N ARGUMENTS...: runs the program, keeps what it prints in out and err, wants exit code N.
code()
{
    local wanted=$1 got
    shift
    "$stiction" "$@" >out 2>err
    got=$?
    [ "$got" -eq "$wanted" ] && return
    fail "stiction $* ended with $got, not $wanted"
    cat out err
}

# says FILE TEXT: the text stands in the file, as it is.
says()
{
    grep -qF -e "$2" "$1" && return
    fail "$1 does not say '$2', but:"
    cat "$1"
}

# eventually COMMAND...: it succeeds within a minute; other programs may take the machine meanwhile.
eventually()
{
    local patience=1200
    until "$@"; do
        patience=$((patience - 1))
        [ "$patience" -gt 0 ] || return 1
        sleep 0.05
    done
}

silent() # FILE...
{
    local file
    for file in "$@"; do
        [ -s "$file" ] || continue
        fail "$file is not empty:"
        cat "$file"
    done
}

absent() # FILE...
{
    local file
    for file in "$@"; do
        [ -e "$file" ] && fail "there is a file $file"
    done
}

# golden NAME: out is expected/NAME, apart from times and from what is only rounding.
golden()
{
    local expected=$here/expected/$1
    sed -E -e 's/in [0-9.e+-]+ s \([0-9.e+-]+ us per step\)/in TIME/' \
        -e 's/ in [0-9.e+-]+ s(:|$)/ in TIME\1/' -e 's/^(  us per step) .*/\1 TIME/' \
        -e 's/ +-?[0-9.]+e-1[0-9]/ ROUNDING/g' -e 's/^(    residual) .*/\1/' out >plain
    if [ "${STI_UPDATE-}" = 1 ]; then cp plain "$expected"; fi
    diff -u "$expected" plain || fail "the output differs from $1"
}

narrow() # no line of out is longer than a terminal
{
    awk 'length > 80 { print; bad = 1 } END { exit bad }' out || fail "lines beyond column 80"
}

finish()
{
    [ "$failures" -eq 0 ] || echo "$failures failed"
    [ "$failures" -eq 0 ]
    exit
}
