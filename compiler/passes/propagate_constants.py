"""Runs at compile time what depends on constants only, and follows the Ifs that this decides.

This is the form of the pass that needs no alias analysis: operators that take or return something
that can be written to (tensors, lists, dicts, objects) are left alone. What is known afterwards:

- an If with a constant condition gives way to the block it would run;
- a Loop that would not run gives way to its initial values;
- outputs of an If that are the same either way, and variables that a Loop carries around unchanged,
  are dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tsc.compiler.analysis.effects import has_side_effects
from tsc.compiler.analysis.mutable_types import is_mutable_type
from tsc.compiler.ir.block import Block
from tsc.compiler.ir.constants import NOT_CONSTANT, constant_value, is_constant
from tsc.compiler.ir.graph import Graph
from tsc.compiler.ir.node import Node
from tsc.compiler.ir.symbols import prim
from tsc.compiler.ir.value import Value
from tsc.compiler.ir.views import IfView, LoopView
from tsc.compiler.passes.constant_key import constant_key
from tsc.compiler.passes.eliminate_dead_code import eliminate_dead_code
from tsc.compiler.source.rewritings import may_rewrite
from tsc.compiler.types import NONE, TupleType, Type, TypeKind

Evaluate = Callable[[Node, list[object]], "list[object] | None"]
"""Runs one node on its inputs and returns its outputs; None where that cannot be done."""

ConstantType = Callable[[Value, object], "Type | None"]
"""The type of a constant that is to stand for a value; None where the constant tells it by itself."""

_NEVER_RUN: Final = frozenset(
    {
        *(prim.Constant, prim.Uninitialized, prim.unchecked_unwrap_optional),
        *(prim.fork, prim.awaitable, prim.awaitable_nowait),
    }
)
_DEVICE: Final = "aten::device"
_LARGE: Final = 1 << 16
"""For an int that may be the length of a string: longer ones are made when the program runs."""


def propagate_constants(graph: Graph, *, evaluate: Evaluate) -> bool:
    """Returns whether anything changed; if so, dead code is gone too."""
    return propagate(graph, evaluate, _has_no_mutable_value, _constant_type)


def propagate(
    graph: Graph, evaluate: Evaluate, is_settled: Callable[[Node], bool], type_of: ConstantType
) -> bool:
    """Runs the nodes of which ``is_settled`` says that nobody writes to what they take and return."""
    changed = _ConstantPropagation(evaluate, is_settled, type_of).visit_block(graph.block)
    if changed:
        eliminate_dead_code(graph)
    return changed


def _has_no_mutable_value(node: Node) -> bool:
    return not any(is_mutable_type(value.type) for value in (*node.inputs, *node.outputs))


class _ConstantPropagation:
    def __init__(
        self, evaluate: Evaluate, is_settled: Callable[[Node], bool], type_of: ConstantType
    ) -> None:
        self._evaluate = evaluate
        self._is_settled = is_settled
        self._type_of = type_of

    def visit_block(self, block: Block) -> bool:
        changed = False
        for node in block.nodes():
            if node.kind == prim.If:
                changed |= self._visit_if(node)
            elif node.kind == prim.Loop:
                changed |= self._visit_loop(node)
            elif (
                all(map(is_constant, node.inputs)) and _can_be_run(node) and self._is_settled(node)
            ):
                changed |= self._run(node)
            else:
                for nested in node.blocks:
                    changed |= self.visit_block(nested)
        return changed

    def _visit_if(self, node: Node) -> bool:
        condition = constant_value(node.inputs[0])
        if condition is not NOT_CONSTANT and may_rewrite("propagate_constants", node):
            chosen = node.blocks[0 if condition else 1]
            self.visit_block(chosen)
            _replace_by_block(node, chosen)
            return True
        changed = False
        for block in node.blocks:
            changed |= self.visit_block(block)
        return _drop_decided_outputs(node) or changed

    def _visit_loop(self, node: Node) -> bool:
        if _will_not_run(LoopView(node)) and may_rewrite("propagate_constants", node):
            for output, initial in zip(node.outputs, node.inputs[2:]):
                output.replace_all_uses_with(initial)
            node.destroy()
            return True
        changed = self.visit_block(node.blocks[0])
        return _drop_unchanged_variables(LoopView(node)) or changed

    def _run(self, node: Node) -> bool:
        inputs = [constant_value(value) for value in node.inputs]
        results = self._evaluate(node, inputs)
        if results is None and node.kind == prim.TupleConstruct:
            results = [tuple(inputs)]
        if results is None or not may_rewrite("propagate_constants", node):
            return False
        with node.graph.insert_at(node):
            for output, result in zip(tuple(node.outputs), results, strict=True):
                type = self._type_of(output, result)
                output.replace_all_uses_with(node.graph.insert_constant(result, type))
        return True


def _constant_type(output: Value, constant: object) -> Type | None:
    """What a constant does not tell by itself: the Optional it is None of, the names of a tuple."""
    is_named = isinstance(output.type, TupleType) and output.type.field_names is not None
    return output.type if constant is None or is_named else None


def _can_be_run(node: Node) -> bool:
    return (
        node.kind not in _NEVER_RUN
        and not node.blocks
        and not (node.schema is not None and node.schema.is_vararg)
        and not has_side_effects(node)
        and not _may_make_large_text(node)
        and not _is_device_with_index(node)
    )


def _is_device_with_index(node: Node) -> bool:
    """``torch.device("cuda", 0)``, which PyTorch evaluates when the program runs."""
    return node.kind == _DEVICE and len(node.inputs) == 2


def _may_make_large_text(node: Node) -> bool:
    if not any(output.type.kind is TypeKind.StringType for output in node.outputs):
        return False
    counts = map(constant_value, node.inputs)
    return any(isinstance(count, int) and abs(count) > _LARGE for count in counts)


def _replace_by_block(node: Node, block: Block) -> None:
    for inner in block.nodes():
        inner.move_before(node)
    for output, value in zip(node.outputs, block.outputs):
        output.replace_all_uses_with(value)
    node.destroy()


def _drop_decided_outputs(node: Node) -> bool:
    """Drops outputs that are the same value, or equal constants, in both branches."""
    branches = IfView(node)
    before = len(node.outputs)
    offset = 0
    while offset < len(node.outputs):
        value = _decided(node, branches.then_outputs[offset], branches.else_outputs[offset])
        if value is None:
            offset += 1
        else:
            node.outputs[offset].replace_all_uses_with(value)
            branches.erase_output(offset)
    return len(node.outputs) != before


def _decided(node: Node, then_value: Value, else_value: Value) -> Value | None:
    if then_value is else_value:
        return then_value
    if not _are_equal_constants(then_value, else_value):
        return None
    constant = constant_value(then_value)
    type = NONE if constant is None else then_value.type
    with node.graph.insert_at(node):
        return node.graph.insert_constant(constant, type)


def _are_equal_constants(a: Value, b: Value) -> bool:
    if not (is_constant(a) and is_constant(b)) or a.type.kind is TypeKind.FunctionType:
        return False
    return constant_key(a.node) == constant_key(b.node)


def _will_not_run(loop: LoopView) -> bool:
    trip_count = constant_value(loop.max_trip_count)
    if isinstance(trip_count, int) and trip_count <= 0:
        return True
    return constant_value(loop.input_condition) is False


def _drop_unchanged_variables(loop: LoopView) -> bool:
    before = len(loop.node.outputs)
    for offset in reversed(range(before)):
        variable = loop.body_block.inputs[offset + 1]
        if loop.body_block.outputs[offset + 1] is not variable:
            continue
        initial = loop.node.inputs[offset + 2]
        loop.node.outputs[offset].replace_all_uses_with(initial)
        variable.replace_all_uses_with(initial)
        loop.erase_carried(offset)
    return len(loop.node.outputs) != before
