"""Sizes with the symbols that a program has already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from tsc.compiler.exir.exported_program import ExportedProgram, RangeConstraint
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.graph import GraphModule
from tsc.compiler.exir.symbolic_expressions import SymbolicExpression
from tsc.compiler.exir.symbols.conversion import from_expression
from tsc.compiler.exir.symbols.environment import Guard
from tsc.runtime.exporting.sizes.guards import note_guard
from tsc.runtime.exporting.sizes.symbolic_sizes import SymbolicSizes

if TYPE_CHECKING:
    from tsc.runtime.exporting.recorder import Recorder

_ANY = RangeConstraint(None, None)


class KnownSymbols(SymbolicSizes):
    """Of a program that is replayed: nothing is declared, and nothing new is asked of inputs.

    `told` is what the program tells of the node that is replayed now.
    """

    def __init__(self, program: ExportedProgram) -> None:
        super().__init__({}, ())
        self._ranges = program.range_constraints
        self.told: Any = None
        self._asked: list[Guard] = []

    def of_sizes(self, told: Sequence[Any], sizes: Sequence[int]) -> list[Any]:
        """The sizes of an input as the program tells them, with `sizes`, those of this run."""
        return [self.number(each, size) for each, size in zip(told, sizes, strict=True)]

    def number(self, told: Any, hint: Any, *, is_backed: bool = True) -> Any:
        """A number as the program tells it; the plain one of this run, if that has no symbols."""
        if not isinstance(told, SymbolicExpression):
            return hint
        expression = from_expression(told)
        solved = None if isinstance(hint, float) else told.solved(hint)
        for each in expression.free_symbols:
            own = solved[1] if solved is not None and solved[0] == each.name else hint
            known = self._ranges.get(each.name, _ANY)
            self.environment.know(each, own, known.lower, known.upper, is_backed=is_backed)
        return self.environment.value(expression, hint)

    def fix(self, value: Any) -> Any:
        """As in a capture. What operators ask of sizes they check themselves; this the program has to check."""
        before = len(self.environment.guards)
        found = super().fix(value)
        self._asked += self.environment.guards[before:]
        return found

    def of_results(
        self, operator: str, arguments: Mapping[str, Any], concrete: Sequence[FakeTensor]
    ) -> list[FakeTensor]:
        """As the shape rules say; sizes that data decides are those that the program tells of its node."""
        told = self._told_tensors()
        if len(told) == len(concrete) and any(map(self._is_new, told)):
            return [
                self.with_sizes(each, self._of_data(own.size, each.size))
                for own, each in zip(told, concrete, strict=True)
            ]
        found = super().of_results(operator, arguments, concrete)
        self.environment.requirements.clear()  # the program checks them
        self.environment.new_sizes.clear()
        return found

    def _told_tensors(self) -> list[FakeTensor]:
        told = self.told if isinstance(self.told, tuple | list) else [self.told]
        return [each for each in cast("Sequence[Any]", told) if isinstance(each, FakeTensor)]

    def _is_new(self, known: FakeTensor) -> bool:
        """Whether sizes have symbols that nothing before has."""
        found = [
            from_expression(each) for each in known.size if isinstance(each, SymbolicExpression)
        ]
        hints = self.environment.knowledge.hints | self.environment.unbacked_hints
        return any(symbol not in hints for each in found for symbol in each.free_symbols)

    def _of_data(self, told: Sequence[Any], sizes: Sequence[int]) -> list[Any]:
        return [self.number(a, b, is_backed=False) for a, b in zip(told, sizes, strict=True)]

    def finish(self, recorder: Recorder, module: GraphModule) -> dict[str, RangeConstraint]:
        """Metadata with expressions; the ranges are those of the program, and what is asked besides is checked."""
        for each in self.environment.unstated_guards():
            if each in self._asked:
                note_guard(self.environment, recorder, each)
        for _ in self._finish(module):
            pass
        return dict(self._ranges)
