"""The sizes of one capture that may change: those of arguments by declaration, those of results by shape rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from tsc.compiler.exir.arguments import Argument
from tsc.compiler.exir.exported_program import RangeConstraint
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.graph import GraphModule
from tsc.compiler.exir.guards import guard_text
from tsc.compiler.exir.symbols.arithmetic import compute
from tsc.compiler.exir.symbols.conversion import to_expression
from tsc.compiler.exir.symbols.data_dependence import DataDependentError
from tsc.compiler.exir.symbols.dynamic_shapes import DeclaredDims, by_argument, inside
from tsc.compiler.exir.symbols.environment import ShapeEnvironment
from tsc.compiler.exir.symbols.shapes import ShapeError, results
from tsc.compiler.exir.symbols.sym_values import SymValue, hint_of
from tsc.compiler.exir.symbols.violations import check_declared, unify_declared
from tsc.compiler.schema import Operator
from tsc.runtime.exporting.data_numbers import DataNumber, RecordedNumber
from tsc.runtime.exporting.sizes.computation import TARGETS, computed
from tsc.runtime.exporting.sizes.number_nodes import Find, Make, number_node
from tsc.runtime.exporting.sizes.probing import probed
from tsc.runtime.exporting.sizes.strides import symbolic_strides
from tsc.runtime.exporting.tensors import fake_tensor
from tsc.runtime.values.tensor import Tensor

if TYPE_CHECKING:
    from tsc.runtime.exporting.recorder import Recorder

Probe: TypeAlias = "Callable[[Sequence[Sequence[int]]], list[list[Any]] | None]"
"""Finds the sizes of results, given those of this run; None where it does not."""
_LATE: Final = re.compile(r"(u|zuf)\d+$")
"""Names of numbers that data decides."""


class SymbolicSizes:
    """Knows what users declare of the arguments `names`, of which some are `given`.

    Raises `UsageError` for what is declared of none.
    """

    def __init__(
        self, dynamic_shapes: Any, names: Sequence[str], given: Sequence[str] = ()
    ) -> None:
        self.environment = ShapeEnvironment()
        self.declared = DeclaredDims(self.environment)
        self._specs = by_argument(dynamic_shapes, names, given)
        self._inputs: list[Any] = []
        self._given: dict[int, tuple[Any, FakeTensor]] = {}
        """What was declared of tensors that are given, and what is known of them."""
        self._numbers: dict[int, tuple[DataNumber, Any]] = {}

    # -- Arguments -------------------------------------------------------------------------------

    def leaves(self, name: str, value: Any) -> Iterator[tuple[Any, str]]:
        """What is declared of each leaf of an argument, and PyTorch's name of its place, ``L['x'][0]``."""
        yield from _leaves(value, self._specs.get(name), f"L['{name}']")

    def of_input(self, tensor: Tensor, spec: Any, source: str) -> FakeTensor:
        """A tensor that is given, with symbols for the sizes that may change: the same ones if it is given twice."""
        declared, before = self._given.get(id(tensor), (None, None))
        if before is not None and declared == spec:
            return before
        concrete = fake_tensor(tensor)
        sizes = self.declared.sizes(list(concrete.size), spec, source)
        self._inputs.extend(sizes)
        known = self.with_sizes(concrete, sizes)
        for first, second in zip(before.size if before else (), known.size):
            self.equate(first, second)
        self._given[id(tensor)] = (spec, known)
        return known

    def begin(self) -> None:
        """All arguments are known. Raises `ConstraintViolationError` for those that are not as declared."""
        unify_declared(self.environment, self.declared.declared)

    def note_inputs(self, recorder: Recorder) -> None:
        """Ask for all sizes of inputs in front of the program, in their order; those that nobody reads go again."""
        for symbol in self.environment.backed_symbols:
            recorder.size_nodes.ask(symbol)
        self.environment.hear_computed = recorder.size_nodes.note_computed

    # -- Results ---------------------------------------------------------------------------------

    def with_sizes(self, known: FakeTensor, sizes: Sequence[Any]) -> FakeTensor:
        """The same tensor, of sizes that may be symbols; `known` has those of this run."""
        found = tuple(map(self.plain, sizes))
        stride = None
        if known.stride is not None:
            stride = symbolic_strides(known.size, known.stride, found)
        return replace(known, size=found, stride=stride)

    def plain(self, size: Any) -> Any:
        """An int, where a symbol is known by now."""
        if not isinstance(size, SymValue):
            return size
        return size if size.constant is None else size.constant

    def of_results(
        self,
        operator: str,
        arguments: Mapping[str, Any],
        concrete: Sequence[FakeTensor],
        probe: Probe = lambda shapes: None,
    ) -> list[FakeTensor]:
        """What an operator gives; without a rule for it, `probe` finds it from the shapes of this run.

        Where it finds nothing, the arguments are fixed to the sizes of this run.
        """
        shapes = [list(each.size) for each in concrete]
        try:
            found = results(operator, arguments, shapes, self.environment)
        except ShapeError as error:
            if self.has_late(list(arguments.values())):
                raise DataDependentError(str(error)) from None
            found = probe(shapes) or self._fixed(operator, arguments, shapes)
        return [self.with_sizes(each, sizes) for each, sizes in zip(concrete, found, strict=True)]

    def _fixed(self, operator: str, arguments: Mapping[str, Any], shapes: Any) -> Any:
        """The sizes of this run, which an operator is for from now on."""
        self.environment.fixing = operator
        try:
            self.fix(list(arguments.values()))
        finally:
            self.environment.fixing = None
        return shapes

    def fix(self, value: Any) -> Any:
        """A value with the numbers of this run in place of symbols; the program is for these from now on."""
        if isinstance(value, FakeTensor):
            return [self.environment.specialize(each) for each in value.size]
        if isinstance(value, list | tuple):
            parts = [self.fix(each) for each in cast("Sequence[Any]", value)]
            return parts if isinstance(value, list) else tuple(parts)
        return self.environment.specialize(value)

    def has_late(self, value: Any) -> bool:
        """Whether data decides something of a value."""
        if isinstance(value, FakeTensor):
            return self.has_late(value.size)
        if isinstance(value, list | tuple):
            return any(map(self.has_late, cast("Sequence[Any]", value)))
        return isinstance(value, SymValue) and not self.environment.is_backed(value)

    def equate(self, first: Any, second: Any) -> None:
        """Two sizes that have to be one."""
        self.environment.decide(compute("operator.eq", first, second))

    def may_differ(self, first: Any, second: Any) -> bool:
        """Whether two sizes differ in this run, or data decides whether they do."""
        if hint_of(first) != hint_of(second):
            return True
        if not self.has_late([first, second]):
            return False
        return not self.environment.known(compute("operator.eq", first, second))

    def joined(self, first: FakeTensor, second: FakeTensor, taken: FakeTensor) -> FakeTensor:
        """A tensor that is one of two, as data decides; `taken` has the sizes of this run."""
        triples = zip(first.size, second.size, taken.size, strict=True)
        return self.with_sizes(taken, [self._joined_size(*each) for each in triples])

    def _joined_size(self, first: Any, second: Any, taken: int) -> Any:
        """A size that two have, or a new one that lies between them."""
        environment = self.environment
        same = compute("operator.eq", first, second)
        if not self.has_late([first, second]) and hint_of(first) == hint_of(second):
            environment.decide(same)
            return first
        if environment.known(same):
            return first
        lower = min(map(environment.lower_bound, (first, second)))
        uppers = [environment.upper_bound(each) for each in (first, second)]
        known = [each for each in uppers if each is not None]
        return environment.unbacked_size(taken, max(known) if len(known) == 2 else None, lower)

    def of_call(
        self,
        operator: Operator,
        values: Sequence[Any],
        tensors: Sequence[Tensor],
        known: Callable[[Tensor], FakeTensor],
    ) -> list[FakeTensor]:
        """What a call gives, whose results in this run are `tensors`."""

        def form(value: Any) -> Any:
            if isinstance(value, list | tuple):
                return [form(each) for each in cast("Sequence[Any]", value)]
            if isinstance(value, Tensor):
                return known(value)
            return value.hint if isinstance(value, DataNumber | RecordedNumber) else value

        given = {
            each.name: form(value)
            for each, value in zip(operator.schema.arguments, values)
            if each.name != "index" or not isinstance(value, DataNumber | RecordedNumber)
        }  # an index that data decides says nothing of sizes: that of this run is one of many
        name = operator.qualified_name.partition(".")[0]

        def probe(shapes: Sequence[Sequence[int]]) -> list[list[Any]] | None:
            return probed(operator, values, known, shapes, self.environment)

        return self.of_results(name, given, list(map(fake_tensor, tensors)), probe)

    # -- Numbers ---------------------------------------------------------------------------------

    def computed(
        self, recorder: Recorder, kind: str, values: list[Any], *, is_recorded: bool
    ) -> Any:
        """What a node gives that reads sizes or computes with them: see `computation`."""
        return computed(self, recorder, kind, values, is_recorded=is_recorded)

    def number_node(self, value: SymValue, find: Find, make: Make) -> Argument:
        """A number as a node, or a plain one."""
        return self.node_of_expression(value.expression, find, make)

    def node_of_expression(self, expression: Any, find: Find, make: Make) -> Argument:
        """The same of what SymPy has."""
        return number_node(expression, find, make)

    def arithmetic(self, kind: str, *values: Any) -> Any:
        """What an operator on numbers (``aten::add``) gives for symbols."""
        return compute(TARGETS[kind], *values)

    def value_of(self, expression: Any) -> Any:
        """An expression with its value in this run."""
        return self.environment.value(expression, self.environment.hint_of(expression))

    def of_number(self, number: DataNumber) -> Any:
        """A symbol for a number out of a tensor, one for each."""
        if id(number) not in self._numbers:
            hint, environment = number.hint, self.environment
            is_int = isinstance(hint, int)
            found = environment.unbacked_int(hint) if is_int else environment.unbacked_float(hint)
            self._numbers[id(number)] = (number, found)
        return self._numbers[id(number)][1]

    def adopt(self, number: DataNumber, name: str) -> Any:
        """The same, for a number that had a name before there were symbols."""
        found = self.environment.adopt(name, number.hint)
        self._numbers[id(number)] = (number, found)
        return found

    # -- The end ---------------------------------------------------------------------------------

    def finish(self, recorder: Recorder, module: GraphModule) -> dict[str, RangeConstraint]:
        """Metadata with expressions in place of values of this run; the ranges of symbols.

        Raises `ConstraintViolationError` where the program is for fewer sizes than declared.
        """
        check_declared(self.environment, self.declared.declared)
        told = " ".join(self._finish(module))
        ranges = self.environment.range_constraints(self._inputs)
        return {
            name: each
            for name, each in ranges.items()
            if not _LATE.match(name) or re.search(rf"\b{name}\b", told)
        }

    def guards(self) -> list[str]:
        """Conditions on sizes of inputs that capture went by, and that ranges do not tell, in Python."""
        conditions = [each.condition for each in self.environment.unstated_guards()]
        return [guard_text(to_expression(each), self.sources()) for each in conditions]

    def sources(self) -> Mapping[str, str]:
        """The sizes of inputs that symbols stand for, in Python."""
        backed = self.environment.backed_symbols
        return {str(symbol): each.source for symbol, each in backed.items()}

    def _finish(self, module: GraphModule) -> Iterator[str]:
        """Give nodes what is known of them for all runs; what numbers are made of."""
        for node in module.graph.nodes:
            if "val" in node.meta:
                node.meta["val"] = self.environment.finished(node.meta["val"])
                yield from map(str, _sizes_in(node.meta["val"]))
        for each in module.modules.values():
            yield from self._finish(each)


def _sizes_in(value: Any) -> Iterator[Any]:
    if isinstance(value, FakeTensor):
        yield from value.size
    elif isinstance(value, list | tuple):
        for each in cast("Sequence[Any]", value):
            yield from _sizes_in(each)
    else:
        yield value


def _leaves(value: Any, spec: Any, source: str) -> Iterator[tuple[Any, str]]:
    if isinstance(value, list | tuple):
        for place, each in enumerate(cast("Sequence[Any]", value)):
            yield from _leaves(each, inside(spec, place, source), f"{source}[{place}]")
    elif isinstance(value, dict):
        for key, each in cast("dict[Any, Any]", value).items():
            yield from _leaves(each, inside(spec, key, source), f"{source}[{key!r}]")
    else:
        yield spec, source
