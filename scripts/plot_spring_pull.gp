# The figure of the README: out/spring_pull.csv -> out/spring_pull.png
set terminal pngcairo size 1200,700 font "DejaVu Sans,13" background "#ffffff"
set output "out/spring_pull.png"
set datafile separator ","
set key at screen 0.5,0.025 center bottom horizontal samplen 3
set grid lc rgb "#dddddd"
set border 3 lc rgb "#555555"
set tics nomirror
set lmargin at screen 0.08
set rmargin at screen 0.97
# colours that remain apart for colour-blind people (Okabe and Ito)
set linetype 1 lc rgb "#000000" lw 3
set linetype 2 lc rgb "#D55E00" lw 2
set linetype 3 lc rgb "#9fd3f2" lw 1
set linetype 4 lc rgb "#009E73" lw 2 dt 2
set multiplot layout 2,1
set xrange [0:4]
set tmargin at screen 0.93
set bmargin at screen 0.58
unset key
set ylabel "velocity, m/s"
set title "A block pulled by a spring: the pull ends at 2 s, the block should stop and stay" font ",15"
plot "out/spring_pull.csv" using "t":"quinn.v" with lines lt 3, \
     "" using "t":"karnopp.v" with lines lt 2, \
     "" using "t":"elastic-coulomb.v" with lines lt 4, \
     "" using "t":"finite-time.v" with lines lt 1
unset title
set key
set xrange [1.9:4]
set yrange [-11:11]
set tmargin at screen 0.50
set bmargin at screen 0.16
set ylabel "friction, N"
set xlabel "t, s" offset 0,0.4
plot "out/spring_pull.csv" using "t":"quinn.force" with lines lt 3 title "Quinn (chatters)", \
     "" using "t":"karnopp.force" with lines lt 2 title "Karnopp (creeps)", \
     "" using "t":"elastic-coulomb.force" with lines lt 4 title "elastic Coulomb", \
     "" using "t":"finite-time.force" with lines lt 1 title "finite-time rule"
unset multiplot
