"""Constants of a module: assignments outside of functions whose value is known without running.

A source file is never executed, so such an assignment counts only if its right side is made of
literals, other constants, arithmetic, and a few calls without effect.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Sequence
from typing import Final, cast

from tsc.compiler.emit.construction import insert_list, insert_tuple
from tsc.compiler.emit.names.known_modules import OPERATORS
from tsc.compiler.frontend.tree_views import (
    Apply,
    BinOp,
    Const,
    DictLiteral,
    Expr,
    FalseLiteral,
    ListLiteral,
    NoneLiteral,
    Select,
    StringLiteral,
    TrueLiteral,
    TupleLiteral,
    UnaryOp,
    Var,
)
from tsc.compiler.ir import Graph, Value, prim
from tsc.compiler.source import CompileError, SourceRange, codes
from tsc.compiler.types import TENSOR, Device, DictType, ListType, OptionalType, Type, unify_all


class NotConstant(Exception):
    """An expression is not known without running the program; ``range`` is what is to blame."""

    def __init__(self, range: SourceRange) -> None:
        super().__init__()
        self.range = range


Lookup = Callable[[Expr], object]
"""Gives the constant that a name, dotted or not, stands for, or raises NotConstant."""

_BINARY: Final[dict[str, Callable[[object, object], object]]] = {
    kind: getattr(operator, name)
    for kind, name in {
        "+": "add",
        "-": "sub",
        "*": "mul",
        "/": "truediv",
        "floordiv": "floordiv",
        "%": "mod",
        "pow operator": "pow",
        "<<": "lshift",
        ">>": "rshift",
        "&": "and_",
        "|": "or_",
        "^": "xor",
    }.items()
}
_UNARY: Final[dict[str, Callable[[object], object]]] = {
    kind: getattr(operator, name)
    for kind, name in {
        "unary minus": "neg",
        "unary plus": "pos",
        "~": "invert",
        "not": "not_",
    }.items()
}
_CALLS: Final[dict[str, Callable[..., object]]] = {
    "float": float,
    "int": int,
    "bool": bool,
    "str": str,
    "complex": complex,
    "len": len,
    "torch.device": Device.parse,
    **{
        path: getattr(math, path.removeprefix("math."))
        for path in OPERATORS
        if path.startswith("math.") and hasattr(math, path.removeprefix("math."))
    },
}
_LITERALS: Final[dict[type[Expr], object]] = {TrueLiteral: True, FalseLiteral: False}
_LARGEST_SHIFT: Final = 4096
_LARGEST_ARGUMENT: Final = 1000
_MOST_BITS: Final = 1 << 13  # as many as Python writes in digits
_LONGEST: Final = 1 << 18  # letters of a text, elements of a list
_HEAVIEST: Final = 1 << 16  # beside the letters that it is written with
_LETTERS: Final = 16  # weigh as much as an element
_WIDE: Final = re.compile(r"\d{4}|\*")
_ARITHMETIC_ERRORS = (ArithmeticError, TypeError, ValueError, KeyError)


def evaluate_constant(tree: Expr, lookup: Lookup, path_of: Callable[[Expr], str | None]) -> object:
    """The value of a constant expression; ``path_of`` gives the full path of what is called."""

    def evaluate(tree: Expr) -> object:
        if isinstance(tree, Const):
            return tree.value
        if isinstance(tree, StringLiteral):
            return tree.text
        if isinstance(tree, TrueLiteral | FalseLiteral):
            return _LITERALS[type(tree)]
        if isinstance(tree, NoneLiteral):
            return None
        if isinstance(tree, Var | Select):
            return lookup(tree)
        if isinstance(tree, TupleLiteral):
            return tuple(map(evaluate, tree.inputs))
        if isinstance(tree, ListLiteral):
            return list(map(evaluate, tree.inputs))
        if isinstance(tree, DictLiteral):
            return dict(zip(map(evaluate, tree.key_inputs), map(evaluate, tree.value_inputs)))
        return _computed(tree, evaluate, path_of)

    try:
        value = evaluate(tree)
    except _ARITHMETIC_ERRORS:
        raise NotConstant(tree.range) from None
    if _is_heavier(value, _HEAVIEST + tree.range.end - tree.range.start):
        raise NotConstant(tree.range)
    return value


def _computed(
    tree: Expr, evaluate: Callable[[Expr], object], path_of: Callable[[Expr], str | None]
) -> object:
    if isinstance(tree, UnaryOp) and tree.operator in _UNARY:
        return _UNARY[tree.operator](evaluate(tree.expr))
    if isinstance(tree, BinOp) and tree.operator in _BINARY:
        return _binary(tree, evaluate)
    if isinstance(tree, Apply) and not tree.attributes:
        function = _CALLS.get(path_of(tree.callee) or "")
        arguments = list(map(evaluate, tree.inputs))
        if function is math.factorial and _is_large(arguments):
            raise NotConstant(tree.range)
        if function is not None:
            return function(*arguments)
    raise NotConstant(tree.range)


def _binary(tree: BinOp, evaluate: Callable[[Expr], object]) -> object:
    """A chain ``a + b + c`` may be long, so it is walked, not recursed into."""
    chain: list[BinOp] = []
    left: Expr = tree
    while isinstance(left, BinOp) and left.operator in _BINARY:
        chain.append(left)
        left = left.lhs
    result = evaluate(left)
    for node in reversed(chain):
        right = evaluate(node.rhs)
        if _is_huge(node.operator, result, right):
            raise NotConstant(node.range)
        result = _BINARY[node.operator](result, right)
    return result


def _is_large(arguments: Sequence[object]) -> bool:
    return any(isinstance(each, int) and each > _LARGEST_ARGUMENT for each in arguments)


def _length(value: object) -> int:
    return len(cast("Sequence[object]", value)) if isinstance(value, str | list | tuple) else 0


def _is_huge(kind: str, left: object, right: object) -> bool:
    """Whether a result is larger than anything that is worth to be made when a program is compiled."""
    if isinstance(left, int) and isinstance(right, int):
        if kind == "pow operator":
            return right > _LARGEST_SHIFT or left.bit_length() * right > _MOST_BITS
        if kind == "<<":
            return right > _LARGEST_SHIFT or left.bit_length() + right > _MOST_BITS
        return left.bit_length() + right.bit_length() > _MOST_BITS
    if kind == "%":
        return isinstance(left, str) and _is_huge_format(left, right)
    times = next((each for each in (left, right) if isinstance(each, int)), 1)
    length = _length(left) + _length(right)
    return kind in ("+", "*") and length * max(times, 1) > _LONGEST


def _is_huge_format(text: str, values: object) -> bool:
    most = _LONGEST // (_LETTERS * max(text.count("%"), 1))
    return _is_heavier(values, most) or _WIDE.search(text) is not None


def _is_heavier(value: object, most: int) -> bool:
    """Whether a constant has more elements, when each is written out, shared ones too."""
    weight = 0
    pending = [value]
    while pending and weight <= most:
        part = pending.pop()
        if isinstance(part, str):
            weight += len(part) // _LETTERS
            continue
        items: Sequence[object] = ()
        if isinstance(part, dict):
            items = [each for item in cast("dict[object, object]", part).items() for each in item]
        elif isinstance(part, tuple | list):
            items = cast("Sequence[object]", part)
        weight += len(items)
        if weight <= most:
            pending.extend(items)
    return weight > most


def insert_module_constant(
    graph: Graph, constant: object, range: SourceRange, type: Type | None = None
) -> Value:
    """Insert a constant; lists and dicts are made anew, since a program may change them."""
    if isinstance(type, OptionalType):
        type = type.element
    if isinstance(constant, tuple):
        items = cast("tuple[object, ...]", constant)
        values = [insert_module_constant(graph, item, range) for item in items]
        return insert_tuple(graph, values, range=range)
    if isinstance(constant, list):
        return _insert_list(graph, cast("list[object]", constant), range, type)
    if isinstance(constant, dict):
        return _insert_dict(graph, cast("dict[object, object]", constant), range, type)
    return graph.insert_constant(constant, range=range)


def _insert_list(graph: Graph, items: list[object], range: SourceRange, type: Type | None) -> Value:
    element = type.element if isinstance(type, ListType) else None
    values = [insert_module_constant(graph, item, range, element) for item in items]
    return insert_list(graph, element or _common_type(values, range), values, range)


def _insert_dict(
    graph: Graph, items: dict[object, object], range: SourceRange, type: Type | None
) -> Value:
    value_type = type.value if isinstance(type, DictType) else None
    keys = [insert_module_constant(graph, key, range) for key in items]
    values = [insert_module_constant(graph, item, range, value_type) for item in items.values()]
    if not isinstance(type, DictType):
        type = DictType(_common_type(keys, range), _common_type(values, range))
    pairs = [value for pair in zip(keys, values, strict=True) for value in pair]
    node = graph.insert_node(graph.create(prim.DictConstruct, pairs, range=range))
    return node.output.set_type(type)


def _common_type(values: list[Value], range: SourceRange) -> Type:
    """What the elements have in common; an empty list holds tensors, as everywhere."""
    if not values:
        return TENSOR
    common = unify_all([value.type for value in values])
    if isinstance(common, Type):
        return common
    raise CompileError(
        "The elements of a constant list or dict must have the same type",
        range,
        code=codes.MIXED_ELEMENTS,
        hint="annotate the constant, or use a tuple",
    )


def closed_over(constant: object) -> str:
    """The refusal of a constant of the module, by a compiler that has none."""
    return (
        f"python value of type '{type(constant).__name__}' cannot be used as a value. Perhaps it "
        "is a closed over global variable? If so, please consider passing it in as an argument "
        "or use a local variable instead."
    )
