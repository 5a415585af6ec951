"""What the codes of problems mean: the one table behind ``--explain``, SARIF rules and the docs.

The codes themselves stand in ``compiler.source.codes``. A room of texts, which is entered only when
somebody asks; may import ``source``. ``python -m tsc.compiler.explanations`` writes ``docs/diagnostics.md``.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from tsc.compiler.explanations.explanation import Explanation
from tsc.compiler.source import Code, codes

__all__ = ["CATEGORIES", "Explanation", "all_codes", "explanation_of", "explanations", "name_of"]

CATEGORIES = {
    "TS1": "Syntax",
    "TS2": "Names",
    "TS3": "Types",
    "TS4": "Python that TorchScript has not",
    "TS5": "Calls, operators, subscripts and iteration",
    "TS6": "Limits, IR texts, what cannot be executed",
    "TS9": "Warnings",
}
"""What the first digit of a code says."""

_MODULES = {
    "TS1": ("syntax",),
    "TS2": ("names",),
    "TS3": ("types",),
    "TS4": ("unsupported_expressions", "unsupported_statements"),
    "TS5": ("calls",),
    "TS6": ("limits",),
    "TS9": ("warnings",),
}


def all_codes() -> list[Code]:
    """Every code there is, in order."""
    return sorted(_names())


def name_of(code: str) -> str:
    """The name of a code in words: "undefined-name" for TS201."""
    return _names()[Code(code)].lower().replace("_", "-")


def explanation_of(code: str) -> Explanation | None:
    """What there is to say about a code, or None if there is no such code."""
    if code not in _names():
        return None
    found = (each for each in _of_category(code[:3]) if each.code == code)
    return next(found, None)


def explanations() -> Iterator[Explanation]:
    """All of them, in the order of the codes."""
    for category in _MODULES:
        yield from _of_category(category)


def _of_category(category: str) -> list[Explanation]:
    modules = (import_module(f"{__name__}.{name}") for name in _MODULES[category])
    found = [explanation for module in modules for explanation in module.EXPLANATIONS]
    return sorted(found, key=lambda each: each.code)


def _names() -> dict[Code, str]:
    """The name of the constant for each code."""
    return {Code(value): name for name, value in vars(codes).items() if name.isupper()}
