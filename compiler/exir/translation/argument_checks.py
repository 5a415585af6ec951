"""Checks of arguments as nodes of a graph: ranks, sizes, and ranges of symbols, as `RangeConstraint` tells them.

A symbol is bound by the first size that tells it; other sizes have to be what is computed of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from tsc.compiler.exir.exported_program import ExportedProgram
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.guards import ArgumentGuard, parse_guard
from tsc.compiler.exir.symbolic_expressions import SymbolicError, SymbolicExpression
from tsc.compiler.exir.translation.scope import Scope, TranslationError
from tsc.compiler.exir.translation.size_functions import assert_true
from tsc.compiler.ir import Value
from tsc.compiler.types import BOOL, FLOAT, INT, STRING

_KINDS: Final = {
    "Add": "aten::add",
    "Mul": "aten::mul",
    "FloorDiv": "aten::floordiv",
    "CleanDiv": "aten::floordiv",
    "Mod": "aten::remainder",
    "PythonMod": "aten::remainder",
    "Max": "prim::max",
    "Min": "prim::min",
    "IntTrueDiv": "aten::div",
    "FloatTrueDiv": "aten::div",
    "FloatPow": "aten::pow",
    "Abs": "prim::abs",
    "ToFloat": "aten::Float",
    "TruncToInt": "aten::Int",
    "CeilToInt": "aten::ceil",
    "FloorToInt": "aten::floor",
    "OpaqueUnaryFn_sqrt": "aten::sqrt",
    "Equality": "aten::eq",
    "Unequality": "aten::ne",
    "StrictLessThan": "aten::lt",
    "LessThan": "aten::le",
    "StrictGreaterThan": "aten::gt",
    "GreaterThan": "aten::ge",
    "And": "aten::__and__",
    "Or": "aten::__or__",
    "Not": "aten::__not__",
}
"""Operators on numbers and truth values that compute what expressions tell."""
_CONSTANTS: Final = (BOOL, FLOAT, INT, STRING)
"""Types of arguments that a program may be made for one value of."""
_PLACE: Final = re.compile(r"(.*?)(?:\.(size|stride|storage_offset)\(\)(?:\[(\d+)\])?)?", re.DOTALL)
"""What guards are about."""


def guards_of(program: ExportedProgram) -> list[ArgumentGuard]:
    """The conditions on arguments that a program was exported under, by the names of leaves.

    Raises `TranslationError` for one that is not known.
    """
    names = program.call_spec.leaf_names()
    flat = {f"L['flat_args'][{place}]": f"L['{name}']" for place, name in enumerate(names)}
    found: list[ArgumentGuard] = []
    for guard in program.guards:
        text = re.sub(r"L\['flat_args'\]\[\d+\]", lambda each: flat.get(each[0], each[0]), guard)
        try:
            found.append(parse_guard(text))
        except SymbolicError as error:
            raise TranslationError(str(error)) from None
    return found


def check_arguments(
    scope: Scope, program: ExportedProgram, given: Iterable[tuple[str, Value, Any]]
) -> None:
    """Have the graph raise for arguments that do not fit: each has a name, a value, and what is known of it."""
    checks = _Checks(scope, program)
    for name, value, known in given:
        checks.add(name, value, known)
    checks.finish()


class _Checks:
    def __init__(self, scope: Scope, program: ExportedProgram) -> None:
        self._scope, self._ranges = scope, program.range_constraints
        self._symbols: dict[str, Value] = {}
        self._later: list[tuple[str, SymbolicExpression, Value]] = []
        self._guards = guards_of(program)
        self._arguments: dict[str, Value] = {}

    def add(self, name: str, value: Value, known: Any) -> None:
        """Check what stands alone, and bind symbols."""
        self._arguments[name] = value
        if isinstance(known, FakeTensor):
            self._tensor(name, value, known)
        elif isinstance(known, SymbolicExpression):
            if value.type == INT:
                self._symbolic(name, known, value)
        elif value.type in _CONSTANTS:
            self._equal(name, value, known)

    def finish(self) -> None:
        """Check sizes that follow from others."""
        for name, expression, found in self._later:
            expected = self._computed(expression)
            if expected is not None:
                self._require(f"{name} == {expression}", "aten::eq", found, expected)
        for guard in self._guards:
            self._symbols = {each: self._at(each) for each in guard.places}
            holds = self._computed(guard.condition)
            if holds is None:
                raise TranslationError(f"the guard {guard.text} cannot be computed of arguments")
            assert_true(self._scope, holds, f"Guard failed: {guard.text}")

    def _at(self, place: str) -> Value:
        """What a guard is about: a size or stride of an argument, or an argument that is a number."""
        name, read, dim = _PLACE.fullmatch(place).groups()  # type: ignore[union-attr]
        if name not in self._arguments:
            raise TranslationError(f"a guard is about {place}, which is no argument")
        value = self._arguments[name]
        if read is None:
            return value
        return self._scope.insert(f"aten::{read}", value, *([] if dim is None else [int(dim)]))

    def _tensor(self, name: str, value: Value, known: FakeTensor) -> None:
        rank = self._scope.insert("aten::dim", value)
        self._equal(f"{name}.dim()", rank, len(known.size))
        for number, size in enumerate(known.size):
            found = self._scope.insert("aten::size", value, number)
            place = f"{name}.size()[{number}]"
            if isinstance(size, SymbolicExpression):
                self._symbolic(place, size, found)
            else:
                self._equal(place, found, size)

    def _symbolic(self, place: str, expression: SymbolicExpression, found: Value) -> None:
        self._range(place, str(expression), found)
        if expression.symbol is None:
            self._solve(place, expression, found)
        elif expression.symbol not in self._symbols:
            self._symbols[expression.symbol] = found
            return
        self._later.append((place, expression, found))

    def _solve(self, place: str, expression: SymbolicExpression, found: Value) -> None:
        """Bind the only symbol of a sum of one symbol and numbers, or of a multiple of one."""
        zero, one = expression.solved(0), expression.solved(1)
        if zero is None or one is None or zero[0] in self._symbols:
            return
        symbol = zero[0]
        bound = self._inverse(expression, found)
        self._symbols[symbol] = bound
        self._range(place, symbol, bound)

    def _inverse(self, expression: SymbolicExpression, found: Value) -> Value:
        """What the symbol is, if the expression is `found`, rounded down."""
        if expression.symbol is not None:
            return found
        kind = "aten::sub" if expression.function == "Add" else "aten::floordiv"
        unknown = expression
        for each in expression.parts:
            if each.function == "Integer":
                found = self._scope.insert(kind, found, int(str(each.arguments[0])))
            else:
                unknown = each
        return self._inverse(unknown, found)

    def _computed(self, expression: SymbolicExpression) -> Value | None:
        """The value of an expression; None where a symbol is not known, or a function."""
        if expression.symbol is not None:
            return self._symbols.get(expression.symbol)
        if expression.function == "Integer":
            return self._scope.graph.insert_constant(int(str(expression.arguments[0])))
        parts = [self._computed(each) for each in expression.parts]
        if expression.function not in _KINDS or not parts or None in parts:
            return None
        result = parts[0]
        for each in parts[1:]:
            result = self._scope.insert(_KINDS[expression.function], result, each)
        return result

    # -- Assertions --------------------------------------------------------------------------------

    def _range(self, place: str, name: str, found: Value) -> None:
        constraint = self._ranges.get(name)
        if constraint is None:
            return
        for sign, kind, bound in (
            (">=", "aten::ge", constraint.checked_lower),
            ("<=", "aten::le", constraint.upper),
        ):
            if bound is not None:
                self._require(f"{place} {sign} {bound}", kind, found, bound)

    def _equal(self, place: str, found: Value, expected: Any) -> None:
        self._require(f"{place} == {expected!r}", "aten::eq", found, expected)

    def _require(self, guard: str, kind: str, found: Value, expected: Any) -> None:
        holds = self._scope.insert(kind, found, expected)
        assert_true(self._scope, holds, f"Guard failed: {guard}")
