"""The graph's inputs get the types of given values, and all tensors in it what follows from them."""

from __future__ import annotations

from collections.abc import Sequence

from tsc.compiler.ir import Graph
from tsc.compiler.ir.errors import GraphError
from tsc.compiler.passes.known_values import Infer
from tsc.compiler.passes.propagate_input_shapes import propagate_input_shapes
from tsc.compiler.types import Type, with_requires_grad, without_shapes


def complete_shape_analysis(
    graph: Graph, *, infer: Infer, types: Sequence[Type], with_grad: bool = True
) -> bool:
    """Returns whether a type changed. ``types`` are those of the arguments, one for each input.

    Without ``with_grad`` nothing requires a gradient, whatever ``types`` say.

    Raises:
        GraphError: there are more or fewer types than inputs, or one is not of its input's type.
    """
    if len(types) != len(graph.inputs):
        raise GraphError(f"the graph has {len(graph.inputs)} inputs, not {len(types)}")
    before = [value.type for value in graph.inputs]
    for value, type in zip(graph.inputs, types, strict=True):
        if not type.is_subtype_of(without_shapes(value.type)):
            raise GraphError(f"%{value.debug_name} is a {value.type}, and cannot be a {type}")
        value.set_type(type if with_grad else with_requires_grad(type, False))
    given = [value.type for value in graph.inputs]
    return propagate_input_shapes(graph, infer=infer) or given != before
