#!/usr/bin/env bash
# Reports as files: who writes them, what is refused, and that the same run gives the same bytes.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"

"$stiction" report --output x.html /dev/null 2>err
if grep -qF "built without its report page" err; then
    echo "the program has no page (npm): nothing was tested"
    exit 77
fi

code 0 run scenes/spring.yaml --report a.html -o a.csv
says out "wrote a.html: open it in a browser"
code 0 run scenes/spring.yaml --report b.html --quiet
silent out err
cmp a.html b.html || fail "two reports of one run differ"
absent a.html.partial
says a.html '"name":"friction.force"'
grep -qE '(src|href)="?https?:' a.html && fail "the page refers to the network"

code 0 run scenes/grid.yaml --report grid.html --quiet
says grid.html '"role":"swept"'
code 0 report a.csv -o c.html
says out "wrote c.html"
code 0 report a.csv a.csv -o d.html --quiet --full
silent out err
code 0 run scenes/spring.yaml --quiet -o a.h5
code 0 report a.h5 -o f.html
says f.html '"name":"block.v","unit":"m/s"'
code 0 reproduce alpha --root root --report papers.html
says out "wrote papers.html"
code 1 reproduce --root root --report papers.html --quiet
says papers.html '"holds":false'

code 2 report a.csv
says err "report needs -o FILE.html"
code 3 report missing.csv -o e.html
says err "cannot read missing.csv"
code 3 run scenes/spring.yaml --report nowhere/e.html --quiet
says err "cannot write nowhere/e.html"
code 3 run scenes/spring.yaml --report scenes --quiet
says err "cannot write scenes: Is a directory"
: >empty.csv
code 2 report empty.csv -o e.html
says err "empty.csv is empty"
printf '1,2\n3,4\n' >headless.csv
code 2 report headless.csv -o e.html
says err "headless.csv:1: the first line must name the columns"
printf 't,v\n0,1\n1,x\n' >words.csv
code 2 report words.csv -o e.html
says err "words.csv:3: 'x' in the column v is not a number"
printf 't,v\n0,1\n1\n' >short.csv
code 2 report short.csv -o e.html
says err "short.csv:3: the row has less than the 2 columns"
printf 't,v\n0,1,2\n' >wide.csv
code 2 report wide.csv -o e.html
says err "wide.csv:2: the row has more than the 2 columns"
printf 't,v\n' >rowless.csv
code 2 report rowless.csv -o e.html
says err "rowless.csv has no rows"
printf '\xef\xbb\xbft;v\r\n0;1\r\n1;\r\n' >sheet.csv
code 0 report sheet.csv -o sheet.html --quiet
says sheet.html '"over":"t"'
absent e.html e.html.partial
finish
