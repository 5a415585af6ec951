"""The forms in which an operator of the database is called: function, method, in-place, operator."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Operator:
    """What the database says about an operator, by names only.

    `function` is its qualified name (``torch.add``) or None; `method`, `in_place` (``add_``) and
    `symbol` (``add`` as the module `operator` calls it) likewise.
    """

    name: str
    function: str | None = None
    method: str | None = None
    in_place: str | None = None
    in_place_flag: bool = False
    symbol: str | None = None
    in_place_symbol: str | None = None


@dataclass(frozen=True)
class Written:
    """The parts of a sample as TorchScript text."""

    input: str
    args: tuple[str, ...]
    kwargs: dict[str, str]
    input_is_tensor: bool = True

    def call(self, callee: str, *first: str) -> str:
        """A call with `first` and then all but the input."""
        named = [f"{name}={value}" for name, value in self.kwargs.items()]
        return f"{callee}({', '.join([*first, *self.args, *named])})"


_BINARY = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "and_": "&", "or_": "|", "xor": "^", "lshift": "<<", "rshift": ">>", "matmul": "@", "eq": "==",
    "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
}  # fmt: skip
_UNARY = {"neg": "-{}", "invert": "~{}", "abs": "abs({})"}
_IN_PLACE = {
    "iadd": "+=", "isub": "-=", "imul": "*=", "imod": "%=", "ipow": "**=", "iand": "&=",
    "ior": "|=", "ixor": "^=", "ilshift": "<<=", "irshift": ">>=",
}  # fmt: skip
_REFLECTED = {
    "__radd__": "+", "__rsub__": "-", "__rmul__": "*", "__rdiv__": "/", "__rmod__": "%",
    "__rpow__": "**", "__rmatmul__": "@", "__rand__": "&", "__ror__": "|", "__rxor__": "^",
}  # fmt: skip

# The database binds symbols to few operators; these have one too.
_MORE_SYMBOLS = {"div": "truediv", "true_divide": "truediv", "floor_divide": "floordiv"}


def forms_of(operator: Operator, written: Written) -> Iterator[str]:
    """The bodies of functions that call `operator`, each once."""
    if operator.name in SPECIAL:
        yield f"return {SPECIAL[operator.name](written)}"
        return
    if operator.name in _REFLECTED:
        yield f"return {written.args[0]} {_REFLECTED[operator.name]} {written.input}"
        return
    yield from dict.fromkeys([*_calls(operator, written), *_symbols(operator, written)])


def _calls(operator: Operator, written: Written) -> Iterator[str]:
    if operator.function is not None:
        yield f"return {written.call(operator.function, written.input)}"
        if operator.in_place_flag:
            flagged = Written(written.input, written.args, written.kwargs | {"inplace": "True"})
            yield f"return {flagged.call(operator.function, written.input)}"
    for method in (operator.method, operator.in_place):
        if method is not None and written.input_is_tensor:
            yield f"return {written.call(f'{written.input}.{method}')}"


def _symbols(operator: Operator, written: Written) -> Iterator[str]:
    symbol = operator.symbol or _MORE_SYMBOLS.get(operator.name)
    if written.kwargs or len(written.args) > 1:
        return
    if symbol in _UNARY and not written.args:
        yield f"return {_UNARY[symbol].format(written.input)}"
    if symbol in _BINARY and written.args:
        yield f"return {written.input} {_BINARY[symbol]} {written.args[0]}"
    if operator.in_place_symbol in _IN_PLACE and written.args:
        sign = _IN_PLACE[operator.in_place_symbol]
        yield f"{written.input} {sign} {written.args[0]}\n    return {written.input}"


def _swapped(function: str) -> Callable[[Written], str]:
    """A call with the first argument before the input."""

    def write(written: Written) -> str:
        rest = Written(written.input, written.args[1:], written.kwargs)
        return rest.call(function, written.args[0], written.input)

    return write


def _attribute(name: str) -> Callable[[Written], str]:
    return lambda written: f"{written.input}.{name}"


def _low_rank(function: str) -> Callable[[Written], str]:
    """The database gives the two factors of a matrix of low rank."""

    def write(written: Written) -> str:
        rest = Written(written.input, written.args[1:], written.kwargs)
        return rest.call(function, f"{written.input} @ {written.args[0]}.mT")

    return write


def _index(written: Written) -> str:
    index = written.args[0]
    inner = index[1:-1].removesuffix(",") if index.startswith("(") else index
    return f"{written.input}[{inner}]"


# Operators that the database calls through a wrapper with other arguments.
SPECIAL: dict[str, Callable[[Written], str]] = {
    "__getitem__": _index,
    "T": _attribute("T"),
    "H": _attribute("H"),
    "mT": _attribute("mT"),
    "mH": _attribute("mH"),
    "einsum": _swapped("torch.einsum"),
    "polygamma": _swapped("torch.polygamma"),
    "special.polygamma": _swapped("torch.special.polygamma"),
    "where": _swapped("torch.where"),
    "nn.functional.embedding": _swapped("torch.nn.functional.embedding"),
    "svd_lowrank": _low_rank("torch.svd_lowrank"),
    "pca_lowrank": _low_rank("torch.pca_lowrank"),
}
