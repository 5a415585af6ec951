"""Operators on rows in groups: which nodes are such, their rows, and the steps in which each is computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Final

from tsc.compiler.ir import Node, Value, is_constant
from tsc.compiler.schema import REDUCTIONS, Apply, Choice, Input, RowExpression, Term
from tsc.compiler.schema.scalar_terms import operators_in
from tsc.compiler.types import INT, ListType, OptionalType, TensorType, TypeKind
from tsc.runtime.arrays.array import Array
from tsc.runtime.arrays.dtypes import FLOAT
from tsc.runtime.native.expressions.expression_lowering import LOWERED, Operand, settled
from tsc.runtime.native.expressions.float_functions import FUNCTIONS
from tsc.runtime.native.expressions.instructions import Element, NotLowered
from tsc.runtime.native.fusion.operand_views import Broadcast, Groups, View
from tsc.runtime.native.fusion.recorded_group import RecordedGroup, is_within
from tsc.runtime.values.tensor import Tensor

_SIZES: Final = "normalized_shape"
"""The argument that tells the sizes of the last dimensions in place of their numbers."""
_GROUPS: Final = "num_groups"
"""The one that tells how many rows the channels of an image are divided into."""


def rows_of(node: Node) -> RowExpression | None:
    """What an operator computes of rows."""
    return None if node.operator is None else node.operator.rows


def is_on_rows(node: Node) -> bool:
    """Whether a node computes something of rows that are known before it runs."""
    rows = rows_of(node)
    if rows is None or len(node.outputs) != 1 or node.schema is None:
        return False
    if node.output.type.kind is not TypeKind.TensorType:
        return False
    if not operators_in(rows.term) <= LOWERED | REDUCTIONS:
        return False
    return all(
        is_constant(value) or value.type == ListType(INT) or may_be_tensor(value)
        for value in node.inputs
    )


def may_be_tensor(value: Value) -> bool:
    """Whether it is a tensor, or may be None in place of one: code is made for either."""
    type = value.type.element if isinstance(value.type, OptionalType) else value.type
    return isinstance(type, TensorType)


@dataclass(frozen=True, slots=True)
class Reduction:
    """A number of a row: what is summed up, or looked through; `level` is the number of passes before."""

    name: str
    operator: str
    term: Term
    level: int


class RowProgram:
    """The steps of a node for given arguments: `reductions` in the order of levels, then the `term` of results."""

    __slots__ = ("_groups", "axes", "is_reduced", "node", "reductions", "shape", "term")

    def __init__(self, node: Node, group: RecordedGroup) -> None:
        """Raises NotLowered for arguments without rows."""
        rows = rows_of(node)
        assert rows is not None
        self.node = node
        self.shape = group.array(node.inputs[0]).shape
        given: Any = group.value(node.named_input(rows.axes)) if rows.axes else None
        self._groups = Groups(self.shape, given) if rows.axes == _GROUPS else None
        if self._groups is None:
            self.axes = _axes(given, rows.axes, len(self.shape))
        else:
            self.shape, self.axes = self._groups.shape, (2, 3)
        self.reductions: dict[Apply, Reduction] = {}
        term = settled(rows.term, _placeholders(node, group))
        self.term = self._without_reductions(term)
        if not self.reductions:
            raise NotLowered
        self.is_reduced = not _mentions(self.term, [each.name for each in tensors_of(node, group)])

    @property
    def count(self) -> int:
        """The elements of a row."""
        return prod(self.shape[axis] for axis in self.axes)

    @property
    def passes(self) -> int:
        """How often a row is gone through."""
        levels = [each.level for each in self.reductions.values()]
        return max(levels) + 1 + (not self.is_reduced)

    def shared(self) -> Apply | None:
        """What takes long, and both the last pass that reduces a row and the result are made of."""
        last = list(self.reductions.values())[-1]
        of_both = _applications(self.term) & _applications(last.term)
        return next((each for each in of_both if each.operator in FUNCTIONS), None)

    def views(self, array: Array) -> tuple[View, ...]:
        """How an operand is seen."""
        if self._groups is not None:
            return self._groups.views(array)
        return () if array.shape == self.shape else (Broadcast(self.shape),)

    def strides_of_result(self, result: Array) -> list[int]:
        """Of the result along the dimensions of the operand: none along a row, if it has one number for it."""
        if not self.is_reduced:
            seen = result.reshape(self.shape)
            if not is_within(seen, result):
                raise NotLowered
            return list(seen.strides)
        keeps = result.ndim == len(self.shape)
        rest = iter(result.strides)
        found: list[int] = []
        for axis in range(len(self.shape)):
            is_row = axis in self.axes
            step = next(rest) if keeps or not is_row else 0
            found.append(0 if is_row else step)
        return found

    def _without_reductions(self, term: Term) -> Term:
        """A term with inputs in place of reductions, each of which is a step of its own."""
        match term:
            case Apply(operator, operands):
                inner = Apply(operator, tuple(map(self._without_reductions, operands)))
                return Input(self._step(inner).name) if operator in REDUCTIONS else inner
            case Choice(condition, chosen, other):
                return Choice(*map(self._without_reductions, (condition, chosen, other)))
            case _:
                return term

    def _step(self, applied: Apply) -> Reduction:
        found = self.reductions.get(applied)
        if found is None:
            before = [
                each.level for each in self.reductions.values() if _mentions(applied, [each.name])
            ]
            level = max(before, default=-1) + 1
            name = f"row {len(self.reductions)}"
            found = Reduction(name, applied.operator, applied.operands[0], level)
            self.reductions[applied] = found
        return found


def _placeholders(node: Node, group: RecordedGroup) -> dict[str, Operand]:
    """The arguments: those that are constants, None for absent ones, and something in place of the others."""
    assert node.schema is not None
    unknown = Element("", FLOAT)
    return {
        each.name: group.value(value)
        if is_constant(value) or group.value(value) is None
        else unknown
        for each, value in zip(node.schema.arguments, node.inputs)
    }


@dataclass(frozen=True, slots=True)
class NamedTensor:
    """An operand, by the name of the argument."""

    name: str
    value: Value


def tensors_of(node: Node, group: RecordedGroup) -> list[NamedTensor]:
    """The operands that are tensors."""
    assert node.schema is not None
    names = [each.name for each in node.schema.arguments]
    return [
        NamedTensor(name, value)
        for name, value in zip(names, node.inputs)
        if isinstance(group.value(value), Tensor)
    ]


def _axes(given: Any, name: str, rank: int) -> tuple[int, ...]:
    """The dimensions of a row, none of them negative."""
    if name == _SIZES:
        return tuple(range(rank - len(given), rank))
    if given is None or given == []:
        return tuple(range(rank))
    numbers = given if isinstance(given, list) else [given]
    if rank == 0:
        raise NotLowered
    return tuple(sorted(each % rank for each in numbers))


def replaced(term: Term, part: Term, name: str) -> Term:
    """A term with an input in place of a part of it."""
    if term == part:
        return Input(name)
    match term:
        case Apply(operator, operands):
            return Apply(operator, tuple(replaced(each, part, name) for each in operands))
        case Choice(condition, chosen, other):
            return Choice(*(replaced(each, part, name) for each in (condition, chosen, other)))
        case _:
            return term


def _applications(term: Term) -> set[Apply]:
    """The operators that a term applies, with their operands."""
    match term:
        case Apply(_, operands):
            return {term}.union(*map(_applications, operands))
        case Choice(condition, chosen, other):
            return _applications(condition) | _applications(chosen) | _applications(other)
        case _:
            return set()


def _mentions(term: Term, names: Sequence[str]) -> bool:
    """Whether a term has one of these inputs."""
    pending = [term]
    while pending:
        match pending.pop():
            case Input(name) if name in names:
                return True
            case Apply(_, operands):
                pending += operands
            case Choice(condition, chosen, other):
                pending += (condition, chosen, other)
            case _:
                pass
    return False
