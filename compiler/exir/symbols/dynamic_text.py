"""``x: {0: batch=1..64, 1: _}, y: {0: 2*batch}``: which sizes may change, as a command line says it."""

from __future__ import annotations

import re
from typing import Final

from tsc.compiler.exir.symbols.dims import DerivedDim, Dim, DimHint, DimSpec
from tsc.compiler.source import UsageError

_TOKEN: Final = re.compile(r"\s*(\.\.|\d+|[A-Za-z_]\w*|[{}:,=*+-])")
_HINTS: Final[dict[str, DimHint]] = {
    "_": DimHint.AUTO,
    "auto": DimHint.AUTO,
    "dynamic": DimHint.DYNAMIC,
    "static": DimHint.STATIC,
}
_EXAMPLE: Final = "x: {0: batch=1..64, 1: _}, y: {0: 2*batch}"


def parse_dynamic_shapes(text: str) -> dict[str, dict[int, DimSpec]]:
    """By argument and dimension. ``_`` is `Dim.AUTO`; ``dynamic`` and ``static`` are the other wishes.

    Raises `UsageError` that shows the place.
    """
    return _Parser(text).arguments()


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._dims: dict[str, Dim] = {}

    def arguments(self) -> dict[str, dict[int, DimSpec]]:
        found: dict[str, dict[int, DimSpec]] = {}
        while True:
            name = self._name()
            self._expect(":")
            if name in found:
                raise self._error(f"{name} is there twice")
            found[name] = self._dimensions()
            if not self._skip(","):
                break
        if self._text[self._at :].strip():
            raise self._error("expected a comma")
        return found

    def _dimensions(self) -> dict[int, DimSpec]:
        self._expect("{")
        found: dict[int, DimSpec] = {}
        while not self._skip("}"):
            if found:
                self._expect(",")
            number = self._number()
            self._expect(":")
            found[number] = self._size()
        return found

    def _size(self) -> DimSpec:
        token = self._peek()
        if token.isdigit():
            factor = self._number()
            if not self._skip("*"):
                return factor
            return self._offset(self._dim(self._name()) * factor)
        name = self._name()
        if name in _HINTS:
            return _HINTS[name]
        return self._offset(self._dim(name))

    def _dim(self, name: str) -> Dim:
        if not self._skip("="):
            return self._dims.setdefault(name, Dim(name))
        least = self._number()
        self._expect("..")
        most = self._number() if self._peek().isdigit() else None
        if name in self._dims:
            raise self._error(f"the range of {name} stands where {name} is named first")
        return self._dims.setdefault(name, Dim(name, min=least, max=most))

    def _offset(self, dim: Dim | DerivedDim) -> DimSpec:
        if self._skip("+"):
            return dim + self._number()
        return dim - self._number() if self._skip("-") else dim

    # -- Tokens ------------------------------------------------------------------------------------

    def _peek(self) -> str:
        match = _TOKEN.match(self._text, self._at)
        return match[1] if match else ""

    def _skip(self, token: str) -> bool:
        match = _TOKEN.match(self._text, self._at)
        if match is None or match[1] != token:
            return False
        self._at = match.end()
        return True

    def _expect(self, token: str) -> None:
        if not self._skip(token):
            raise self._error(f"expected {token!r}")

    def _name(self) -> str:
        token = self._peek()
        if not token.isidentifier() or not self._skip(token):
            raise self._error("expected a name")
        return token

    def _number(self) -> int:
        token = self._peek()
        if not token.isdigit() or len(token) > 18 or not self._skip(token):
            raise self._error("expected a number")
        return int(token)

    def _error(self, what: str) -> UsageError:
        return UsageError(
            f"dynamic sizes: {what} at letter {self._at + 1} of {self._text!r}; write {_EXAMPLE!r}"
        )
