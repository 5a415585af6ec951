"""Exported programs: a graph, what its inputs and outputs are, how users call it, and what its symbols may be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tsc.compiler.exir.graph import Graph, GraphModule
from tsc.compiler.exir.python_code import readable_code
from tsc.compiler.exir.pytrees import TreeSpec
from tsc.compiler.exir.signature import ExportGraphSignature


@dataclass(frozen=True, slots=True)
class CallSpec:
    """How arguments (a tuple of positional ones and a dict) and the result are nested."""

    in_spec: TreeSpec
    out_spec: TreeSpec
    argument_names: tuple[str, ...] = ()
    """Of `forward`, if they are known."""

    def leaf_names(self) -> list[str]:
        """What the leaves of arguments are called in Python: ``x``, ``d['k'][0]``."""
        positional, named = self.in_spec.children
        names = self.argument_names
        roots = [
            names[number] if number < len(names) else f"args[{number}]"
            for number in range(len(positional.children))
        ]
        roots += map(str, named.context)
        children = (*positional.children, *named.children)
        return [f"{root}{path}" for root, child in zip(roots, children) for path in child.paths()]

    def __str__(self) -> str:
        return f"CallSpec(in_spec={self.in_spec}, out_spec={self.out_spec})"


@dataclass(frozen=True, slots=True)
class RangeConstraint:
    """The least and the greatest value of a symbol; None is without bound."""

    lower: int | None
    upper: int | None

    @property
    def checked_lower(self) -> int | None:
        """The least size of an argument; None where 0 and 1 are let through, as PyTorch does it below ranges from 2."""
        return None if self.lower is None or self.lower <= 2 else self.lower

    def allows(self, size: int) -> bool:
        """Whether a dimension of an argument may have this size."""
        above = self.checked_lower is None or self.checked_lower <= size
        return above and (self.upper is None or size <= self.upper)

    def __str__(self) -> str:
        lower = "-int_oo" if self.lower is None else self.lower
        upper = "int_oo" if self.upper is None else self.upper
        return f"VR[{lower}, {upper}]"


@dataclass(frozen=True, slots=True)
class InputDim:
    """A dimension of an input."""

    input_name: str
    dim: int


@dataclass(slots=True)
class ExportedProgram:
    """A program as a graph of operators.

    `state_dict` holds parameters and persistent buffers by path, `constants` all other tensors and objects that
    inputs are lifted from; this room does not look into them. `range_constraints` are by the text of a symbol
    or expression; `equality_constraints` are dimensions of inputs that have one size. `guards` are conditions on
    inputs in Python (``L['x'].size()[0] != 1``), `module_paths` those of the modules that the program was made of.
    `size_names` are the names that users gave to sizes, by their symbols; files have no place for them.
    """

    graph_module: GraphModule
    graph_signature: ExportGraphSignature
    call_spec: CallSpec
    state_dict: Mapping[str, Any] = field(default_factory=dict[Any, Any])
    range_constraints: Mapping[str, RangeConstraint] = field(default_factory=dict[Any, Any])
    equality_constraints: Sequence[tuple[InputDim, InputDim]] = ()
    constants: Mapping[str, Any] = field(default_factory=dict[Any, Any])
    dialect: str = "ATEN"
    guards: Sequence[str] = ()
    module_paths: Sequence[str] = ()
    size_names: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def graph(self) -> Graph:
        return self.graph_module.graph

    @property
    def undelegated(self) -> ExportedProgram:
        """The program itself, or the one that was given to a backend: other forms have no place for its parts."""
        return self

    def __str__(self) -> str:
        code = _indented(readable_code(self.graph_module))
        ranges = ", ".join(f"{key}: {each}" for key, each in self.range_constraints.items())
        signature = f"Graph signature: {_indented(str(self.graph_signature))}"
        return f"ExportedProgram:\n    {code}\n{signature}\nRange constraints: {{{ranges}}}\n"


def _indented(text: str) -> str:
    """All lines but the first, empty ones too, as PyTorch writes them."""
    return text.replace("\n", "\n    ")
