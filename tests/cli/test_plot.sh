#!/usr/bin/env bash
# Figures: all formats, panels by unit, legends of several files, and clear errors. Needs gnuplot.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"
code 0 run scenes/spring.yaml --quiet -o spring.csv
code 0 run scenes/spring.yaml --quiet -o spring.h5
code 0 run scenes/spring.yaml --quiet --set friction.level=20 -o more.h5
code 0 compare scenes/spring.yaml --models karnopp,quinn --quiet -o models.csv

PATH=/nowhere code 3 plot spring.csv -o fig.svg
says err "gnuplot-nox"
if ! command -v gnuplot >/dev/null; then
    echo "gnuplot is missing: skipped"
    exit 77
fi

shown() # TEXT...: stands in the figure
{
    local text
    for text in "$@"; do
        grep -qF ">$text</text>" fig.svg || grep -qF "<text>$text" fig.svg || fail "no '$text' in the figure"
    done
}
panels() { [ "$(grep -c '<g id="gnuplot_plot_1' fig.svg)" -eq "$1" ] || fail "not $1 panels: $*"; }
curves() { [ "$(grep -c '<g id="gnuplot_plot_' fig.svg)" -eq "$1" ] || fail "not $1 curves: $*"; }

code 0 plot spring.h5 -o fig.svg
says out "wrote fig.svg"
silent err
shown "block.x, m" "block.v, m/s" "friction.force, N" "t, s" slip stick
panels 4
curves 4
absent fig.svg.partial
cp fig.svg first.svg
code 0 plot spring.h5 -o fig.svg
cmp -s first.svg fig.svg || fail "the same data, another figure"
code 0 plot spring.csv -o fig.svg --quiet
silent out err
shown block.x block.v friction.force "t, s"
code 0 plot more.h5 -o fig.svg
cmp -s first.svg fig.svg && fail "other data, the same figure"
code 0 plot spring.h5 --x block.v --y friction.force -o fig.svg
shown "block.v, m/s" "friction.force, N"
curves 1
code 0 plot spring.h5 more.h5 --y block.v --y friction.force --range 1.9: --title "It's a title_1" -o fig.svg
shown "It's a title_1" spring more 2 3
panels 2
curves 4
code 0 plot models.csv --y 'block.v@*' -o fig.svg
shown block.v karnopp quinn
curves 2
code 0 plot models.csv -o fig.svg
panels 4

code 0 plot spring.h5 -o fig.png
[ "$(head -c 8 fig.png | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ] || fail "no PNG"
code 0 plot spring.h5 -o fig.pdf
[ "$(head -c 5 fig.pdf)" = %PDF- ] || fail "no PDF"

# A run that was killed can be drawn, too.
"$stiction" run scenes/long.yaml --quiet -o cut.h5 &
process=$!
for _ in $(seq 100); do
    [ "$(stat -c %s cut.h5.partial 2>/dev/null || echo 0)" -gt 100000 ] && break
    sleep 0.05
done
sleep 0.6 # a flush comes at least that often
kill -KILL $process
wait $process 2>/dev/null
code 0 plot cut.h5.partial -o fig.svg

code 2 plot spring.csv
says err "plot needs -o"
code 2 plot spring.csv -o fig.jpeg
says err "must end in .svg, .png or .pdf"
code 2 plot spring.h5 --y friction.forc -o bad.svg
says err "spring.h5 has no column 'friction.forc'; did you mean friction.force?"
code 2 plot spring.h5 --x nothing-like-it -o bad.svg
says err "friction.stick"
code 2 plot spring.h5 --range 1 -o bad.svg
says err "FROM:TO"
code 2 plot spring.mcap -o bad.svg
code 3 plot nowhere.h5 -o bad.svg
says err "cannot read nowhere.h5: No such file or directory"
code 3 plot nowhere.csv -o bad.svg
cp spring.csv wrong.h5
code 3 plot wrong.h5 -o bad.svg
says err "it is no HDF5 recording"
code 3 plot spring.h5 -o nowhere/fig.svg
says err "cannot write nowhere/fig.svg: No such file or directory"
absent bad.svg bad.svg.partial
finish
