"""Record special functions to 17 digits, from mpmath: ``python -m tests.oracle.record_special_functions``.

mpmath comes with PyTorch (through SymPy). The answers let ``make test`` hold the approximations to their accuracy.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import mpmath

RECORDED = Path(__file__).parent.parent / "runtime" / "recorded" / "special_functions.json"
SIGNED = (-30.5, -7.25, -5.5, -3.3, -2.2, -1.0625, -0.75, -0.3, -1e-3, 1e-9, 1e-3, 0.2, 0.7, 0.99)
SIGNED += (
    1.0078125,
    1.5,
    1.9921875,
    2.05,
    2.5,
    3.6,
    4.75,
    6.5,
    7.9,
    8.1,
    12.25,
    25.75,
    60.5,
    100.0,
)
POSITIVE = tuple(x for x in SIGNED if x > 0)
INSIDE = (-0.9999999, -0.99, -0.8, -0.35, -1e-4, 1e-8, 0.05, 0.45, 0.75, 0.95, 0.999, 1 - 2**-40)
PROBABILITIES = (1e-300, 1e-60, 1e-25, 1e-9, 0.003, 0.1, 0.2, 0.4375, 0.625, 0.9, 0.99, 1 - 2**-30)
PAIRS = (
    *((0.001, 0.5), (0.25, 0.001), (0.5, 0.9), (0.5, 3.0), (1.0, 1.0), (2.5, 0.3), (2.5, 9.0)),
    *((15.0, 14.0), (30.0, 10.0), (30.0, 29.0), (30.0, 36.0), (150.0, 149.5), (400.0, 520.0)),
    *((5000.0, 4990.0),),
)
ZETA_PAIRS = (
    (1.125, 0.5),
    (2.0, 1.0),
    (3.0, 0.001),
    (4.5, 7.75),
    (20.0, 3.0),
    (3.0, -0.5),
    (2.0, 40.0),
)


def _log_ndtr(x: Any) -> Any:
    return mpmath.log(mpmath.ncdf(x)) if x < 0 else mpmath.log1p(-mpmath.ncdf(-x))


def _erfinv_of_probability(p: Any) -> Any:
    """The normal quantile, whose error function is inverted on the side where it is small."""
    if p > 0.25:
        return mpmath.sqrt(2) * mpmath.erfinv(2 * p - 1)
    guess = -mpmath.sqrt(-2 * mpmath.log(p))
    return mpmath.findroot(lambda x: mpmath.log(mpmath.ncdf(x)) - mpmath.log(p), guess)


FUNCTIONS: dict[str, tuple[Callable[..., Any], Iterable[Any]]] = {
    "erf": (mpmath.erf, SIGNED),
    "erfc": (mpmath.erfc, (x for x in SIGNED if x < 26)),
    "erfcx": (lambda x: mpmath.exp(x * x) * mpmath.erfc(x), (x for x in SIGNED if x > -26)),
    "ndtr": (mpmath.ncdf, SIGNED),
    "log_ndtr": (_log_ndtr, (x for x in SIGNED if x < 38)),
    "erfinv": (mpmath.erfinv, INSIDE),
    "ndtri": (_erfinv_of_probability, PROBABILITIES),
    "lgamma": (lambda x: mpmath.log(abs(mpmath.gamma(x))), (*SIGNED, 1 + 1e-7, 2 - 1e-7)),
    "digamma": (mpmath.digamma, SIGNED),
    "trigamma": (lambda x: mpmath.polygamma(1, x), POSITIVE),
    "polygamma_3": (lambda x: mpmath.polygamma(3, x), POSITIVE),
    "multigammaln_3": (
        lambda x: (
            1.5 * mpmath.log(mpmath.pi) + mpmath.fsum(mpmath.loggamma(x - k / 2) for k in range(3))
        ),
        (x for x in POSITIVE if x > 1),
    ),
    "hurwitz_zeta": (mpmath.zeta, ZETA_PAIRS),
    "igamma": (lambda a, x: mpmath.gammainc(a, 0, x, regularized=True), PAIRS),
    "igammac": (lambda a, x: mpmath.gammainc(a, x, regularized=True), PAIRS),
    "bessel_j0": (lambda x: mpmath.besselj(0, x), SIGNED),
    "bessel_j1": (lambda x: mpmath.besselj(1, x), SIGNED),
    "bessel_y0": (lambda x: mpmath.bessely(0, x), POSITIVE),
    "bessel_y1": (lambda x: mpmath.bessely(1, x), POSITIVE),
    "spherical_bessel_j0": (lambda x: mpmath.sin(x) / x, SIGNED),
    "i0": (lambda x: mpmath.besseli(0, x), SIGNED),
    "i0e": (lambda x: mpmath.besseli(0, x) * mpmath.exp(-abs(x)), SIGNED),
    "i1": (lambda x: mpmath.besseli(1, x), SIGNED),
    "i1e": (lambda x: mpmath.besseli(1, x) * mpmath.exp(-abs(x)), SIGNED),
    "k0": (lambda x: mpmath.besselk(0, x), POSITIVE),
    "k1": (lambda x: mpmath.besselk(1, x), POSITIVE),
    "scaled_k0": (lambda x: mpmath.besselk(0, x) * mpmath.exp(x), POSITIVE),
    "scaled_k1": (lambda x: mpmath.besselk(1, x) * mpmath.exp(x), POSITIVE),
    "airy_ai": (mpmath.airyai, SIGNED),
}


def main() -> None:
    mpmath.mp.dps = 60
    lines = []
    for name, (function, arguments) in FUNCTIONS.items():
        tuples = [each if isinstance(each, tuple) else (each,) for each in arguments]
        answers = [[*values, float(function(*map(mpmath.mpf, values)))] for values in tuples]
        lines.append(f"{json.dumps(name)}: {json.dumps(answers)}")
    RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
