"""Running `prim::FusionGroup` nodes: native code where it pays, operator by operator otherwise.

A group runs operator by operator until it has taken about as long as it takes to make code. So it does for arguments
that there is no code for, and where an operator refuses its arguments: that tells the error as the program would.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final

from tsc.compiler.budget import NO_LIMITS, current_limits
from tsc.compiler.ir import Node, prim
from tsc.compiler.ir.graph_function import function_of_graph
from tsc.compiler.passes.erase_shape_information import erase_shape_information
from tsc.compiler.passes.fuse_graph import fuse_graph
from tsc.compiler.passes.subgraphs import size_of, subgraph_of
from tsc.compiler.types import INT, ListType, TypeKind
from tsc.runtime.context.grad_mode import is_grad_enabled
from tsc.runtime.context.gradient_state import leaves, watched
from tsc.runtime.context.hooks import group_launches
from tsc.runtime.execution.executor_mode import MODE
from tsc.runtime.execution.fast_kernels import fast_kernel
from tsc.runtime.execution.graph_executor import executor_of
from tsc.runtime.execution.plan_keys import PlanKey
from tsc.runtime.execution.recording_kernels import kernels_for
from tsc.runtime.execution.straight_line import FIRST_CALLS, StraightLine
from tsc.runtime.native.code.background import BACKGROUND, Making
from tsc.runtime.native.expressions.expression_lowering import has_lowering
from tsc.runtime.native.expressions.pointwise_nodes import expression_of
from tsc.runtime.native.fusion.copies import joins
from tsc.runtime.native.fusion.memory_steps import memory_step
from tsc.runtime.native.fusion.row_operators import is_on_rows
from tsc.runtime.values.tensor import Tensor

_NUMBERS: Final = frozenset({TypeKind.IntType, TypeKind.FloatType})
_SECONDS_OF_NODE: Final = 0.7e-6
_NODES_OF_STEP: Final = 8
"""A product or convolution takes as long as so many more pointwise operators, even of small tensors."""
_SECONDS_OF_ELEMENT: Final = 0.5e-9
_WORTH_COMPILING: Final = 0.02
"""Seconds in operators after which code is made: that takes about as long."""
_MOST_KINDS: Final = 64
"""Kinds of arguments of one group that are remembered."""


def is_fusible(node: Node) -> bool:
    """Whether a node computes a new tensor, and can be native code for some dtypes and shapes."""
    if memory_step(node) is not None:
        return all(_is_operand(each) or each.type == ListType(INT) for each in node.inputs)
    return joins(node) or _is_in_loops(node)


def _is_in_loops(node: Node) -> bool:
    return is_on_rows(node) or is_pointwise(node)


def _has_own_step(node: Node) -> bool:
    return memory_step(node) is not None or joins(node)


def is_pointwise(node: Node) -> bool:
    """Whether it is computed element by element."""
    expression = expression_of(node)
    if expression is None or len(node.outputs) != 1 or node.schema is None:
        return False
    if node.schema.is_mutable or node.output.type.kind is not TypeKind.TensorType:
        return False
    if any(each.alias_info is not None for each in node.schema.returns):
        return False
    return has_lowering(expression) and all(map(_is_operand, node.inputs))


def _is_operand(value: Any) -> bool:
    kind = value.type.kind
    return value.node.kind == prim.Constant or kind is TypeKind.TensorType or kind in _NUMBERS


def fusion_group(node: Node, *, recording: bool) -> Callable[..., Any]:
    """What runs a group; with `recording`, operator by operator where gradients are asked for."""
    return FusionGroup(node, recording=recording).run


class FusionGroup:
    """A group, and the native code for the kinds of arguments that it was called with."""

    __slots__ = (
        *("_first_calls", "_graph", "_launch", "_launches", "_nodes", "_plain", "_recording"),
        *("_spent", "_straight"),
    )

    def __init__(self, node: Node, *, recording: bool) -> None:
        self._graph = subgraph_of(node).copy()
        erase_shape_information(self._graph)
        self._recording = recording
        steps = sum(memory_step(each) is not None for each in self._graph.nodes())
        self._nodes = size_of(node) + steps * _NODES_OF_STEP
        self._plain: Any = None
        self._straight: dict[PlanKey, StraightLine] = {}
        self._first_calls = FIRST_CALLS
        self._launch: Any = None
        self._launches: dict[Any, Any] = {}
        self._spent: dict[Any, float] = {}

    def run(self, *inputs: Any) -> Any:
        """The single output, or a tuple of several."""
        launch = self._launch
        if launch is not None:
            found = launch.results(inputs)
            if found is not None:
                return found
        return self._otherwise(inputs)

    def _otherwise(self, inputs: tuple[Any, ...]) -> Any:
        """By the code for another kind of arguments, or operator by operator."""
        kind = _kind_of(inputs)
        if kind is None or (self._recording and _are_noted(inputs)):
            return self._by_operators(inputs)
        launch: Any = self._launches.get(kind)
        if launch is None and self._pays(kind, inputs):
            launch = self._launches[kind] = self._begun(inputs)
        if isinstance(launch, Making) and launch.is_over:
            launch = self._launches[kind] = self._known(launch.made)
        if launch and not isinstance(launch, Making):
            self._launch = launch
            found = launch.results(inputs)
            if found is not None:
                return found
        return self._by_operators(inputs)

    def _pays(self, kind: Any, inputs: Sequence[Any]) -> bool:
        if kind in self._launches:
            return False
        if len(self._spent) > _MOST_KINDS:
            self._spent.clear()
            self._launches.clear()
        elements = max(each.array.size for each in inputs if isinstance(each, Tensor))
        cost = self._nodes * (_SECONDS_OF_NODE + _SECONDS_OF_ELEMENT * elements)
        spent = self._spent[kind] = self._spent.get(kind, 0.0) + cost
        return elements > 0 and (spent >= _WORTH_COMPILING or MODE.plan == "native")

    def _begun(self, inputs: Sequence[Any]) -> Making[Any]:
        """Have code made for arguments such as these, which the program may change meanwhile."""
        alike = [Tensor(each.array) if isinstance(each, Tensor) else each for each in inputs]
        launch_of = group_launches().launch_of
        make = partial(launch_of, self._graph, alike, recording=self._recording)
        return BACKGROUND.begin(make, at_once=MODE.plan == "native")

    def _known(self, launch: Any) -> Any:
        """The code; False if there is none."""
        if launch is None:
            self._divide()
        return launch or False

    def _divide(self) -> None:
        """Smaller groups, without what there may be no code for, are to run in place of operators."""
        if any(map(_has_own_step, self._graph.nodes())):
            is_left = _is_in_loops
        elif any(map(is_on_rows, self._graph.nodes())):
            is_left = is_pointwise
        else:
            return
        smaller = self._graph.copy()
        fuse_graph(smaller, is_fusible=is_left)
        self._plain = executor_of(function_of_graph(smaller, "fused"))

    def _by_operators(self, inputs: Sequence[Any]) -> Any:
        recording = self._recording and bool(leaves) and bool(watched or is_grad_enabled())
        key = PlanKey(recording=recording, optimized=False)
        if self._first_calls > 0 and current_limits() is NO_LIMITS and sys.gettrace() is None:
            self._first_calls -= 1
            with suppress(Exception):  # the plan tells where it fails
                return self._in_turn(key).run(inputs)
        if self._plain is None:
            self._plain = executor_of(function_of_graph(self._graph, "fused"))
        return self._plain.plan(key).run(inputs)

    def _in_turn(self, key: PlanKey) -> StraightLine:
        """The operators of the group, for the first calls."""
        known = self._straight.get(key)
        if known is None:
            known = StraightLine(self._graph, kernels_for(key, fast_kernel))
            self._straight[key] = known
        return known


def _kind_of(inputs: Sequence[Any]) -> tuple[Any, ...] | None:
    """What code is made for: dtypes, shapes and strides; None where there is a tensor of another kind."""
    kind: list[Any] = []
    for each in inputs:
        if each.__class__ is Tensor:
            a = each.array
            kind.append((a.dtype, a.shape, a.strides))
        elif isinstance(each, int | float):
            kind.append(each.__class__)
        else:
            return None
    return tuple(kind)


def _are_noted(inputs: Sequence[Any]) -> bool:
    """Whether a tensor among the inputs has to do with gradients."""
    return any(isinstance(each, Tensor) and each.autograd is not None for each in inputs)
