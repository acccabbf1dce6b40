#!/usr/bin/env bash
# check_elementary.sh OBJECT...: nobody calls those functions of the C library whose bits depend on the processor;
# stiction/elementary.h has them.
set -u
forbidden='sin|cos|sincos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|exp|exp2|expm1|log|log2|log10'
forbidden+='|log1p|pow|cbrt|hypot|erf|erfc|tgamma|lgamma|fma'
calls=$(nm -A -u "$@" | grep -E " U ($forbidden)[fl]?(@.*)?$")
seen=$(nm -A -u "$@" | grep -c ' U sti_')
[ "$seen" -ge 100 ] || { echo "FAIL: only $seen calls were seen"; exit 1; }
[ -z "$calls" ] || { echo "$calls"; echo "FAIL: take these from stiction/elementary.h"; exit 1; }
