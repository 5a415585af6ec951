"""The equations of ``einsum``: PyTorch's checks, then a form NumPy reads."""

from __future__ import annotations

from collections.abc import Sequence

from tsc.runtime.context.errors import ScriptError


def parse_equation(equation: str, shapes: Sequence[tuple[int, ...]]) -> str:
    """`equation` checked against the operands' shapes."""
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    if len(terms) != len(shapes):
        fewer = "fewer" if len(terms) > len(shapes) else "more"
        raise ScriptError(
            "RuntimeError",
            f"einsum(): {fewer} operands were provided than the equation has terms: {len(shapes)} "
            f"for {len(terms)}",
        )
    _check_terms(terms, shapes)
    if not arrow:
        return left
    _check_output(right, left)
    return f"{left}->{right}"


def _check_terms(terms: list[str], shapes: Sequence[tuple[int, ...]]) -> None:
    sizes: dict[str, int] = {}
    for position, (term, shape) in enumerate(zip(terms, shapes)):
        letters = term.replace("...", "")
        for letter in letters:
            if not letter.isalpha():
                raise ScriptError(
                    "RuntimeError",
                    f"einsum(): invalid subscript {letter!r} at index {term.index(letter)} of "
                    f"{term!r}: subscripts are letters from a to z and A to Z",
                )
        _check_rank(term, letters, shape, position)
        _check_sizes(term, shape, sizes, position)


def _check_rank(term: str, letters: str, shape: tuple[int, ...], position: int) -> None:
    fits = len(letters) <= len(shape) if "..." in term else len(letters) == len(shape)
    if not fits:
        raise ScriptError(
            "RuntimeError",
            f"einsum(): the number of subscripts in {term!r} ({len(letters)}) does not match the "
            f"number of dimensions ({len(shape)}) of operand {position}"
            + ("" if "..." in term else "; an ellipsis (...) stands for those not named"),
        )


def _check_sizes(term: str, shape: tuple[int, ...], sizes: dict[str, int], position: int) -> None:
    before, _, after = term.partition("...")
    own: dict[str, int] = {}
    known = [*zip(before, shape), *zip(reversed(after), reversed(shape))]
    for letter, extent in known:
        if extent != own.setdefault(letter, extent):
            raise ScriptError(
                "RuntimeError",
                f"einsum(): subscript {letter} is repeated for operand {position} but the sizes don't match, {extent}"
                f" != {own[letter]}",
            )
        previous = sizes.setdefault(letter, extent)
        if previous == 1:
            sizes[letter] = extent
        elif extent not in (1, previous):
            raise ScriptError(
                "RuntimeError",
                f"einsum(): subscript {letter} has size {extent} in operand {position}, which "
                f"does not broadcast with its size {previous} in an operand before",
            )


def _check_output(right: str, left: str) -> None:
    letters = right.replace("...", "")
    for letter in letters:
        if letters.count(letter) > 1:
            raise ScriptError(
                "RuntimeError",
                f"einsum(): output subscript {letter} appears more than once in the output",
            )
        if letter not in left:
            raise ScriptError(
                "RuntimeError",
                f"einsum(): output subscript {letter} does not appear in any input: {left!r}",
            )
