# Error against CPU time of all cases of papers/order: FOLDER/CASE.csv of stiction converge, into FIGURE.
cases = "stick sliding reversals forced two-masses two-link spring-pull zero-crossing two-grounds pile planar-stop"
titles = "'stick' 'sliding' 'reversals' 'forced' 'two masses' 'two-link arm' 'spring-pull, rigid' \
'zero crossing, rigid' 'two grounds, rigid' 'pile of ten, rigid' 'planar stop, rigid'"
methods = "euler rk4 rule rk4-split ark3 ark4 cut bogacki-shampine dormand-prince verner bdf"
names = "'Euler' 'RK4 of the paper' 'finite-time rule' 'rk4-split' 'ark3' 'ark4' 'cut' 'Bogacki-Shampine' 'Dormand-Prince' \
'Verner' 'BDF'"
set terminal pngcairo size 1800,1400 font 'DejaVu Sans,13' linewidth 1.6 background '#ffffff' noenhanced
set output figure
set datafile separator ','
set datafile missing ''
# Okabe and Ito's colours; adaptive methods are dashed.
set linetype 1 lc rgb '#999999' dt 1 pt 1
set linetype 2 lc rgb '#D55E00' dt 1 pt 2
set linetype 3 lc rgb '#000000' dt 1 pt 3
set linetype 4 lc rgb '#56B4E9' dt 1 pt 4
set linetype 5 lc rgb '#E69F00' dt 1 pt 8
set linetype 6 lc rgb '#0072B2' dt 1 pt 7
set linetype 7 lc rgb '#009E73' dt 1 pt 5
set linetype 8 lc rgb '#CC79A7' dt 2 pt 6
set linetype 9 lc rgb '#0072B2' dt 2 pt 12
set linetype 10 lc rgb '#009E73' dt 2 pt 10
set linetype 11 lc rgb '#D55E00' dt 2 pt 14
set logscale xy
set format x '1e%T'
set format y '1e%T'
set grid lc rgb '#d8d8d8' lw 0.6 dt 1
set border 3 lc rgb '#444444' lw 0.6
set tics nomirror
set xtics 10
set ytics 1e3
set yrange [1e-16:1]
unset key
set multiplot layout 3,4 margins 0.055,0.985,0.06,0.93 spacing 0.045,0.085 \
    title "Error at the end against CPU time of the steps, s" font 'DejaVu Sans,16'
do for [i = 1:words(cases)] {
    set title word(titles, i) offset 0,-0.6
    # exact to the last digit: shown at 1e-16
    plot for [m = 1:words(methods)] folder.'/'.word(cases, i).'.csv' \
        using (stringcolumn(2) eq word(methods, m) ? $8 : NaN):(($5 > 1e-16) ? $5 : 1e-16) \
        with linespoints lt m ps 1.1
}
unset title
unset border
unset tics
unset grid
unset logscale
set yrange [0:1]
set xrange [0:1]
set key at graph 0.95, graph 1 right top spacing 1.6 samplen 4
plot for [m = 1:words(methods)] NaN with linespoints lt m ps 1.1 title word(names, m)
unset multiplot
unset output
