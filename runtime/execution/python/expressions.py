"""Nodes as expressions of Python: operators that Python has itself, calls of kernels for all others."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from tsc.compiler.ir import Graph, Node, Value, constant_value, is_constant
from tsc.compiler.ir.symbols import aten, prim
from tsc.compiler.types import STRING, ListType, TupleType
from tsc.runtime.arrays.integers import wrap
from tsc.runtime.execution.predicted_work import is_foreseen, predicted_seconds
from tsc.runtime.execution.python import syntax
from tsc.runtime.execution.python.integers import find_wrapping, ring_operator
from tsc.runtime.execution.python.meter import Meter
from tsc.runtime.execution.python.places import Places
from tsc.runtime.execution.python.syntax import Place

COMPACT: Final = 2**30 - 1
"""Up to here Python compares ints fastest; what is beyond is looked at by `wrap`."""
WIDE: Final = "wide integer"
"""A local variable that no program can have: a sum or product before it is wrapped."""
METER: Final = "step meter"
"""The first parameter of a function whose steps are counted."""
WRAP: Final = "64 bits"
"""A global variable, named so that no variable of a program is taken for it."""

CASTS: Final = frozenset({prim.unchecked_cast, prim.unchecked_unwrap_optional})

_python: Final[Any] = operator

_RING: Final[dict[str, ast.operator]] = {
    "add": syntax.ADD,
    "sub": syntax.SUB,
    "mul": syntax.MULT,
}
_BINARY: Final[dict[Any, ast.operator]] = {
    operator.add: syntax.ADD,
    operator.sub: syntax.SUB,
    operator.mul: syntax.MULT,
    _python.floordiv: ast.FloorDiv(),
    operator.mod: ast.Mod(),
    _python.truediv: ast.Div(),
    _python.and_: ast.BitAnd(),
    _python.or_: ast.BitOr(),
    _python.xor: ast.BitXor(),
}
_COMPARISONS: Final[dict[Any, ast.cmpop]] = {
    operator.lt: syntax.LT,
    operator.le: syntax.LE,
    operator.gt: syntax.GT,
    operator.ge: syntax.GE,
    operator.eq: syntax.EQ,
    operator.ne: syntax.NE,
    operator.is_: syntax.IS,
    operator.is_not: syntax.IS_NOT,
}
_APPEND: Final[Any] = cast("Any", list).append
_INLINE_CONSTANTS: Final = (bool, int, float, str)
_LONGEST_TEXT: Final = 200

Operand = Callable[[Value, Place], ast.expr]
Kernels = Callable[[Node], Callable[..., Any]]
"""What nodes run."""


class Expressions:
    """Makes the expressions of one function, and the global variables that they need."""

    def __init__(
        self,
        graph: Graph,
        places: Places,
        variables: dict[str, Any],
        kernels: Kernels,
        metered: bool,
    ) -> None:
        self.kernels = kernels
        self._metered = metered
        self.places = places
        self.variables = variables
        self.wrapping = find_wrapping(graph)
        self.variables[WRAP] = wrap
        self._globals: dict[int, str] = {}
        self._kept: list[Any] = []

    def of(self, node: Node, operands: Sequence[ast.expr]) -> ast.expr:
        """What a node computes of its inputs, but for the wrapping of ints."""
        place = self.places.of(node)
        ring = ring_operator(node) if len(operands) == 2 else None
        if ring is not None:
            return syntax.binary(place, _RING[ring], *operands)
        make = _MAKERS.get(node.kind)
        if make is not None:
            made = make(node, place, operands)
            if made is not None:
                return made
        return self._call(node, place, operands)

    def _call(self, node: Node, place: Place, operands: Sequence[ast.expr]) -> ast.expr:
        kernel = self.kernels(node)
        if len(operands) == 2:
            if kernel in _BINARY:
                return syntax.binary(place, _BINARY[kernel], *operands)
            if kernel in _COMPARISONS:
                return syntax.compare(place, _COMPARISONS[kernel], *operands)
            if kernel is operator.getitem and not isinstance(operands[0], ast.Constant):
                return syntax.subscript(place, *operands)
            if kernel is operator.contains and isinstance(operands[0], ast.Name):
                return syntax.compare(place, syntax.IN, operands[1], operands[0])
        if node.kind == aten.slice and not self._metered and _is_plain_slice(node):
            return syntax.part(place, *operands[:3])
        if kernel is operator.not_:
            return syntax.negation(place, operands[0])
        if kernel is _APPEND and place["lineno"] == place["end_lineno"]:
            append = syntax.attribute(place, operands[0], "append")
            return syntax.call(place, append, operands[1:])  # Python has an instruction for it
        if self._metered and is_foreseen(node.kind):
            kernel = _foreseen(node.kind, kernel)
            operands = [syntax.name(place, METER), *operands]
        name = self.constant_name(node.kind, kernel)
        return syntax.call(place, syntax.name(place, name), operands)

    def wrapped(self, place: Place, value: ast.expr) -> ast.expr:
        """An int of which only the lowest 64 bits are wanted."""
        wide = syntax.name(place, WIDE)
        named = syntax.made(ast.NamedExpr, place, target=syntax.target(place, WIDE), value=value)
        small = syntax.boolean(
            place,
            syntax.AND,
            syntax.compare(place, syntax.LE, named, syntax.constant(place, COMPACT)),
            syntax.compare(place, syntax.GE, wide, syntax.constant(place, -COMPACT)),
        )
        return syntax.conditional(place, small, wide, self.wrap_call(place, WIDE))

    @staticmethod
    def wrap_call(place: Place, variable: str) -> ast.expr:
        return syntax.call(place, syntax.name(place, WRAP), [syntax.name(place, variable)])

    def wrap_statement(self, place: Place, variable: str) -> ast.stmt:
        """Has a variable wrapped if it is large: cheaper than an expression."""
        large = syntax.boolean(
            place,
            syntax.OR,
            _against(place, variable, syntax.GT, COMPACT),
            _against(place, variable, syntax.LT, -COMPACT),
        )
        wrapped = syntax.assign_all(place, [variable], self.wrap_call(place, variable))
        return syntax.branch(place, large, [wrapped], [])

    def constant(self, value: Value, place: Place) -> ast.expr:
        """A constant of the graph: small ones stand in the code, others in global variables."""
        if value.node.kind == prim.Uninitialized:
            return syntax.constant(place, None)
        content = constant_value(value)
        if content is None or _is_plain(content):
            return syntax.constant(place, content)
        return syntax.name(place, self.constant_name("constant", content))

    def constant_name(self, kind: str, content: Any) -> str:
        """The global variable that holds a kernel or a constant."""
        known = self._globals.get(id(content))
        if known is None:
            known = self._globals[id(content)] = f"{kind} {len(self._globals)}"
            self.variables[known] = content
            self._kept.append(content)
        return known


def _foreseen(kind: str, kernel: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel of an operator that may take long, which asks the meter before it begins."""

    def run(meter: Meter, *inputs: Any) -> Any:
        meter.expect(predicted_seconds(kind, inputs))
        return kernel(*inputs)

    return run


def _is_plain(content: Any) -> bool:
    """Whether Python's compiler takes a constant as it is."""
    if type(content) not in _INLINE_CONSTANTS:
        return False
    return not isinstance(content, str) or len(content) <= _LONGEST_TEXT


def _is_plain_slice(node: Node) -> bool:
    """Whether it is one of a list or string, without a step."""
    type = node.inputs[0].type
    return constant_value(node.inputs[3]) == 1 and (type == STRING or isinstance(type, ListType))


def _against(place: Place, variable: str, question: ast.cmpop, number: int) -> ast.expr:
    return syntax.compare(
        place, question, syntax.name(place, variable), syntax.constant(place, number)
    )


# -- Nodes that are no calls -------------------------------------------------------------------


_Operands = Sequence[ast.expr]


def _tuple(node: Node, place: Place, operands: _Operands) -> ast.expr | None:
    type = node.output.type
    is_named = isinstance(type, TupleType) and type.field_names is not None
    return None if is_named else syntax.tuple_of(place, operands)


def _list(_node: Node, place: Place, operands: _Operands) -> ast.expr:
    return syntax.list_of(place, operands)


def _cast(_node: Node, _place: Place, operands: _Operands) -> ast.expr:
    return operands[0]


def _attributes(owner: ast.expr, place: Place) -> ast.expr:
    return syntax.attribute(place, owner, "script_attributes")


def _get_attribute(node: Node, place: Place, operands: _Operands) -> ast.expr:
    name = syntax.constant(place, node.string_attribute("name"))
    return syntax.subscript(place, _attributes(operands[0], place), name)


def _is(node: Node, place: Place, operands: _Operands) -> ast.expr | None:
    """Whether something is None; what else may be the same, its kernel knows."""
    constants = [constant_value(value) for value in node.inputs if is_constant(value)]
    if constants != [None]:
        return None
    question = syntax.IS if node.kind == aten.is_ else syntax.IS_NOT
    return syntax.compare(place, question, *operands)


_MAKERS: Final[dict[str, Callable[[Node, Place, _Operands], ast.expr | None]]] = {
    prim.TupleConstruct: _tuple,
    prim.ListConstruct: _list,
    prim.unchecked_cast: _cast,
    prim.unchecked_unwrap_optional: _cast,
    prim.GetAttr: _get_attribute,
    aten.is_: _is,
    aten.isnot: _is,
}
