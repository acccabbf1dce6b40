"""Elementary functions of decimal.Decimal, good to the precision of the context: the tables of src/base/math
and the reference values of its tests are made with them. Nothing but the standard library."""
from decimal import Decimal as D, getcontext, localcontext


def precise(function):
    """Evaluates with 20 more digits than asked for."""
    def inner(*arguments):
        with localcontext() as context:
            context.prec += 20
            value = function(*arguments)
        return +value
    return inner


@precise
def arctan_inverse(n):
    """atan(1/n) of a whole number."""
    power, total, k = D(1) / n, D(0), 0
    while abs(power) > D(10) ** -getcontext().prec:
        total += (power if k % 2 == 0 else -power) / (2 * k + 1)
        power /= n * n
        k += 1
    return total


PI = {}


def pi():
    digits = getcontext().prec
    if digits not in PI:
        PI[digits] = 4 * (4 * arctan_inverse(5) - arctan_inverse(239))  # Machin
    return PI[digits]


def series(x, first, k, sign):
    """first + first x^2/(k (k+1)) sign + ...: sine, cosine and their hyperbolic relatives."""
    term, total = first, D(0)
    while term != 0 and abs(term) > abs(total) * D(10) ** (-getcontext().prec - 2):
        total += term
        term = sign * term * x * x / (k * (k + 1))
        k += 2
    return total


def reduced(x):
    """x - n pi/2 and n modulo 4, with digits enough that the remainder is good to the precision."""
    with localcontext() as context:
        context.prec += 40 + max(0, x.adjusted())
        n = (x / (pi() / 2)).to_integral_value()
        remainder = x - n * (pi() / 2)
    return remainder, int(n) % 4


@precise
def sin(x):
    r, n = reduced(x)
    value = series(r, r, 2, -1) if n % 2 == 0 else series(r, D(1), 1, -1)
    return value if n in (0, 1) else -value


def cos(x):
    with localcontext() as context:
        context.prec += 40 + max(0, x.adjusted(), -x.adjusted())
        shifted = x + pi() / 2
    return sin(shifted)


@precise
def tan(x):
    return sin(x) / cos(x)


@precise
def exp(x):
    return x.exp()


@precise
def expm1(x):
    return sum_of_powers(x) if abs(x) < D("0.1") else x.exp() - 1


def sum_of_powers(x):
    term, total, k = x, D(0), 1
    while term != 0 and abs(term) > abs(total) * D(10) ** (-getcontext().prec - 2):
        total += term
        k += 1
        term = term * x / k
    return total


@precise
def log(x):
    return x.ln()


@precise
def log1p(x):
    with localcontext() as context:
        context.prec += max(0, -x.adjusted())
        return (1 + x).ln()


@precise
def log10(x):
    return x.log10()


@precise
def power(x, y):
    if x < 0:
        return power(-x, y) * (1 if y % 2 == 0 else -1)
    return (y * x.ln()).exp()


@precise
def sinh(x):
    return series(x, x, 2, 1) if abs(x) < 1 else (x.exp() - (-x).exp()) / 2


@precise
def cosh(x):
    return (x.exp() + (-x).exp()) / 2


@precise
def tanh(x):
    double = expm1(2 * x) if x < 100 else D("Infinity")
    return double / (double + 2) if x < 100 else 1 - 2 * (-2 * x).exp()


@precise
def cbrt(x):
    if x < 0:
        return -cbrt(-x)
    return (x.ln() / 3).exp()


@precise
def hypot(x, y):
    return (x * x + y * y).sqrt()


@precise
def atan(x):
    """Halves the angle until the series is quick."""
    if abs(x) > 1:
        return (pi() / 2).copy_sign(x) - atan(1 / x)
    halvings = 0
    while abs(x) > D("0.05"):
        x = x / (1 + (1 + x * x).sqrt())
        halvings += 1
    term, total, k = x, D(0), 0
    while term != 0 and abs(term) > abs(total) * D(10) ** (-getcontext().prec - 2):
        total += term / (2 * k + 1) if k % 2 == 0 else -term / (2 * k + 1)
        term = term * x * x
        k += 1
    return total * 2 ** halvings


@precise
def asin(x):
    return (pi() / 2).copy_sign(x) if abs(x) == 1 else atan(x / ((1 - x) * (1 + x)).sqrt())


@precise
def acos(x):
    if x == 1:
        return D(0)
    return 2 * atan(((1 - x) / (1 + x)).sqrt()) if x != -1 else pi()


@precise
def atan2(y, x):
    if x > 0:
        return atan(y / x)
    if x == 0:
        return (pi() / 2).copy_sign(y)
    return atan(y / x) + pi().copy_sign(y)
