# Figures of a run: gnuplot -e "folder='bench/results'" bench/peers/figures.gp
set datafile separator ","
set terminal svg size 760,480 font "sans,13" background rgb "white"
set key outside right
set grid back linecolor rgb "#dddddd"
short(a, b) = a . " " . b

set output folder . "/chain.svg"
set title "Chain with joint friction and two contacts"
set xlabel "links"
set ylabel "microseconds per step"
set logscale xy
array sizes[9] = [1, 2, 3, 5, 10, 20, 30, 50, 100]
file = folder . "/chain.csv"
rows = int(system("tail -n +2 " . file . " | wc -l"))
name(i) = system(sprintf("tail -n +%d %s | head -1 | cut -d, -f1,2 | tr , ' '", i + 1, file))
cost(i, j) = real(system(sprintf("tail -n +%d %s | head -1 | cut -d, -f%d", i + 1, file, j + 2)))
plot for [i=1:rows] sizes using (sizes[$1]):(cost(i, int($1))) with linespoints \
    linewidth (name(i)[1:8] eq "stiction" ? 4 : 1.5) title name(i)

set output folder . "/drift.svg"
set title "What should stand still: two-link arm under dither, 6 to 20 s"
unset logscale
set logscale x
set format x "10^{%T}"
unset key
set xlabel "drift, rad (bars at 1e-18: exactly zero)"
unset ylabel
set style fill solid 0.8
file = folder . "/two_link.csv"
rows = int(system("tail -n +2 " . file . " | wc -l"))
drift(i) = real(system(sprintf("tail -n +%d %s | head -1 | cut -d, -f3", i + 1, file)))
set xrange [1e-18:10]
set yrange [rows + 0.5:0.5] 
set ytics ()
do for [i=1:rows] { set ytics add (name(i) i) }
set lmargin 20
plot for [i=1:rows] "+" using (1e-18):(i):(1e-18):(drift(i) > 1e-18 ? drift(i) : 1.5e-18):(i - 0.35):(i + 0.35) every ::0::0 \
    with boxxyerror linecolor rgb (name(i)[1:8] eq "stiction" ? "#1f77b4" : "#999999")

set output folder . "/precision_two_link.svg"
set title "Two-link arm: error of the angles at 6 s against processor time"
set key outside right
unset lmargin
unset ytics
set ytics
set xrange [*:*]
set yrange [*:*]
set logscale xy
set format y "10^{%T}"
set xlabel "s of processor"
set ylabel "error, rad"
file = folder . "/precision_two_link.csv"
set key autotitle columnhead
stats file using 2 nooutput
plot for [i=0:STATS_blocks - 2] file index i using 2:3 with linespoints linewidth (i < 3 ? 4 : 1.5)

set output folder . "/precision_spring_pull.svg"
set title "Spring pull: error of place and speed at 4 s against processor time"
set ylabel "error, m"
file = folder . "/precision_spring_pull.csv"
stats file using 2 nooutput
plot for [i=0:STATS_blocks - 2] file index i using 2:3 with linespoints linewidth (i < 3 ? 4 : 1.5)
