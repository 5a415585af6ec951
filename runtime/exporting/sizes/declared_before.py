"""The sizes of a program that has been exported before, as those of a capture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any, Protocol, runtime_checkable

from tsc.compiler.exir.exported_program import ExportedProgram
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.graph import GraphModule
from tsc.compiler.exir.symbolic_expressions import SymbolicExpression


class UnknownSizeError(Exception):
    """Something has to know a size that may change; it is told which."""


@runtime_checkable
class KnownSizes(Protocol):
    """Sizes whose symbols a program has already; `told` is what it tells of the node that is replayed now."""

    told: Any

    def of_sizes(self, told: Sequence[Any], sizes: Sequence[int]) -> list[Any]:
        """The sizes of an input as the program tells them."""
        ...

    def of_data(self, told: Sequence[Any], sizes: Sequence[int]) -> list[Any]:
        """The sizes of a result as the program tells them."""
        ...

    def number(self, told: Any, hint: Any, *, is_backed: bool = True) -> Any:
        """A number as the program tells it."""
        ...

    def note_inputs(self, recorder: Any) -> None:
        """Ask for all sizes of inputs in front of the program."""
        ...

    def with_sizes(self, known: FakeTensor, sizes: Sequence[Any]) -> FakeTensor:
        """A tensor of these sizes."""
        ...


def sizes_of_program(program: ExportedProgram) -> Any:
    """Sizes that may change, with the symbols and ranges of a program; None for one that has no symbols."""
    if not any(isinstance(each, SymbolicExpression) for each in _numbers(program.graph_module)):
        return None
    symbols = import_module("tsc.runtime.exporting.sizes.known_symbols")  # which needs SymPy
    return symbols.KnownSymbols(program)


def _numbers(module: GraphModule) -> Iterator[Any]:
    """All sizes and numbers that are known of nodes, in all graphs."""
    for node in module.graph.nodes:
        yield from _in_metadata(node.meta.get("val"))
    for each in module.modules.values():
        yield from _numbers(each)


def _in_metadata(value: Any) -> Iterator[Any]:
    if isinstance(value, FakeTensor):
        yield from value.size
    elif isinstance(value, tuple | list):
        for each in value:  # pyright: ignore[reportUnknownVariableType]
            yield from _in_metadata(each)
    else:
        yield value
