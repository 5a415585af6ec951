"""Sizes with the symbols that a program has already."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from tsc.compiler.exir.exported_program import ExportedProgram, RangeConstraint
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.graph import GraphModule
from tsc.compiler.exir.guards import solved_source, source_of
from tsc.compiler.exir.signature import InputKind
from tsc.compiler.exir.symbolic_expressions import SymbolicExpression
from tsc.compiler.exir.symbols.conversion import from_expression
from tsc.compiler.exir.symbols.environment import ShapeEnvironment
from tsc.compiler.exir.symbols.sym_values import SymValue
from tsc.compiler.exir.symbols.sympy_module import sympy
from tsc.runtime.exporting.sizes.declared_before import UnknownSizeError
from tsc.runtime.exporting.sizes.symbolic_sizes import Probe, SymbolicSizes

if TYPE_CHECKING:
    from tsc.runtime.exporting.recorder import Recorder

_ANY = RangeConstraint(None, None)


class KnownSymbols(SymbolicSizes):
    """Of a program that is replayed: nothing is declared, and nothing new is asked of inputs.

    `told` is what the program tells of the node that is replayed now.
    """

    def __init__(self, program: ExportedProgram) -> None:
        super().__init__({}, ())
        self.environment = _SettledEnvironment()
        self._ranges = program.range_constraints
        self._sources = dict(_sources(program))
        self.told: Any = None

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
        """The value, if it has no symbols. Raises `UnknownSizeError` for one that may change."""
        for each in _numbers(value):
            if isinstance(each, SymValue) and each.constant is None:
                raise UnknownSizeError(str(each))
        return super().fix(value)

    def of_results(
        self,
        operator: str,
        arguments: Mapping[str, Any],
        concrete: Sequence[FakeTensor],
        probe: Probe = lambda shapes: None,
    ) -> list[FakeTensor]:
        """As the shape rules say; sizes that data decides are those that the program tells of its node."""
        told = self._told_tensors()
        if len(told) == len(concrete) and any(map(self._is_new, told)):
            return [
                self.with_sizes(each, self.of_data(own.size, each.size))
                for own, each in zip(told, concrete, strict=True)
            ]
        found = super().of_results(operator, arguments, concrete, probe)
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

    def of_data(self, told: Sequence[Any], sizes: Sequence[int]) -> list[Any]:
        """The sizes of a result as the program tells them: new symbols are what data decides."""
        return [self.number(a, b, is_backed=False) for a, b in zip(told, sizes, strict=True)]

    def finish(self, recorder: Recorder, module: GraphModule) -> dict[str, RangeConstraint]:
        """Metadata with expressions; the ranges are those of the program."""
        for _ in self._finish(module):
            pass
        return dict(self._ranges)

    def sources(self) -> Mapping[str, str]:
        """The sizes of inputs that symbols stand for, in Python."""
        return self._sources


class _SettledEnvironment(ShapeEnvironment):
    """Of a program that has its symbols already: none of them becomes a number."""

    def before_guard(self, condition: Any) -> None:
        """Raises `UnknownSizeError` for a condition that one size alone fulfils."""
        if not isinstance(condition, sympy.Eq):
            return
        whole = sympy.expand(condition.lhs - condition.rhs)
        symbols = whole.free_symbols
        if len(symbols) == 1 and whole.is_polynomial(*symbols):
            raise UnknownSizeError(str(*symbols))


def _sources(program: ExportedProgram) -> Iterator[tuple[str, str]]:
    """For each symbol in the sizes of inputs, what tells it: ``L['x'].size()[0]``, or computed of that."""
    specs = zip(program.graph.placeholders, program.graph_signature.input_specs)
    given = [node for node, spec in specs if spec.kind is InputKind.USER_INPUT]
    for node, name in zip(given, program.call_spec.leaf_names()):
        known, argument = node.meta.get("val"), source_of(name)
        if not isinstance(known, FakeTensor):
            sizes = {argument: known}
        else:
            sizes = {f"{argument}.size()[{dim}]": each for dim, each in enumerate(known.size)}
        for source, size in sizes.items():
            yield from _solved(source, size)


def _solved(source: str, size: Any) -> Iterator[tuple[str, str]]:
    """The only symbol of a size that is a multiple of it and a number more."""
    if not isinstance(size, SymbolicExpression):
        return
    symbol, whole = size.symbol, from_expression(size)
    if symbol is not None:
        yield symbol, source
    elif len(whole.free_symbols) == 1:
        (each,) = whole.free_symbols
        rest, factor = whole.subs(each, 0), whole.coeff(each)
        if whole == factor * each + rest and factor.is_Integer and rest.is_Integer:
            yield str(each), solved_source(source, int(factor), int(rest))


def _numbers(value: Any) -> Iterator[Any]:
    """The sizes and numbers in what an operator is given."""
    if isinstance(value, FakeTensor):
        yield from value.size
    elif isinstance(value, tuple | list):
        for each in cast("Sequence[Any]", value):
            yield from _numbers(each)
    else:
        yield value
