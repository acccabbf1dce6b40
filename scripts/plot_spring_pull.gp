# The figure of the README: out/spring_pull.csv -> out/spring_pull.png
set terminal pngcairo size 1200,720 font "DejaVu Sans,13" background "#ffffff"
set output "out/spring_pull.png"
set datafile separator ","
set key outside right top samplen 2 spacing 1.2
set grid lc rgb "#dddddd"
set border 3 lc rgb "#555555"
set tics nomirror
# colours that remain apart for colour-blind people (Okabe and Ito)
set linetype 1 lc rgb "#000000" lw 3
set linetype 2 lc rgb "#D55E00" lw 2
set linetype 3 lc rgb "#56B4E9" lw 1
set linetype 4 lc rgb "#009E73" lw 2 dt 2
set multiplot layout 2,1
set xrange [0:4]
set ylabel "velocity, m/s"
set title "A spring-pulled block that stops at 2.02 s" font ",15"
plot "out/spring_pull.csv" using "t":"quinn.v" with lines lt 3 title "Quinn, eps 1e-4", \
     "" using "t":"karnopp.v" with lines lt 2 title "Karnopp, eps 1e-2", \
     "" using "t":"finite-time.v" with lines lt 1 title "finite-time rule", \
     "" using "t":"elastic-coulomb.v" with lines lt 4 title "elastic Coulomb"
unset title
set xrange [1.8:4]
set ylabel "friction, N"
set xlabel "t, s"
plot "out/spring_pull.csv" using "t":"quinn.force" with lines lt 3 notitle, \
     "" using "t":"karnopp.force" with lines lt 2 notitle, \
     "" using "t":"finite-time.force" with lines lt 1 notitle, \
     "" using "t":"elastic-coulomb.force" with lines lt 4 notitle
unset multiplot
