"""Symbolic differentiation: from a graph to one that also gives what its gradients need, and one of the gradients.

The formulas are those of the tape. In the backward graph, what one formula computes stands in the block of
a `prim::GradOf`, and `prim::AutogradAdd` adds up what comes from several uses: both know that gradients may be
undefined.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tsc.compiler.ir import Graph, Node, Value, prim
from tsc.compiler.ir.clone import clone_node
from tsc.compiler.ir.inline import insert_graph
from tsc.compiler.passes.eliminate_dead_code import eliminate_dead_code
from tsc.compiler.passes.operator_calls import insert_call
from tsc.compiler.source import UsageError
from tsc.compiler.types import TENSOR, ListType, OptionalType
from tsc.runtime.autograd.formulas import Group
from tsc.runtime.autograd.operator_steps import OperatorStep, step_of
from tsc.runtime.context.hooks import gradient_functions
from tsc.runtime.execution.differentiable_nodes import (
    graph_of_body,
    is_differentiable,
    may_broadcast,
    operands_of,
    requiring_values,
)
from tsc.runtime.operators import load


@dataclass(slots=True)
class Gradient:
    """What differentiation makes of a graph, in the terms of PyTorch.

    `f` gives the real outputs, and then what is captured. `df` takes gradients of outputs of `f`, by their numbers in
    `df_input_vjps`, then inputs and outputs of `f` by theirs; it gives the gradients of the inputs `df_output_vjps`.
    """

    f: Graph
    df: Graph
    f_real_outputs: int
    df_input_vjps: list[int] = field(default_factory=list[int])
    df_input_captured_inputs: list[int] = field(default_factory=list[int])
    df_input_captured_outputs: list[int] = field(default_factory=list[int])
    df_output_vjps: list[int] = field(default_factory=list[int])


def differentiate(graph: Graph) -> Gradient:
    """The gradient of a graph without control flow. Inputs require gradients unless their types say otherwise.

    Raises:
        UsageError: a node through which gradients go has none that could be written down.
    """
    return _Differentiation(graph.copy()).run()


class _Differentiation:
    """`values` maps values of the forward graph to those of the backward graph, `gradients` to their gradients."""

    def __init__(self, forward: Graph) -> None:
        _write_out_bodies(forward)
        self.forward = forward
        self.backward = Graph(forward.operators)
        self.requiring = requiring_values(forward)
        self.values: dict[Value, Value] = {}
        self.gradients: dict[Value, Value] = {}
        self.real = list(forward.outputs)

    def run(self) -> Gradient:
        """Gradients come in for the outputs; captured ones get theirs when it is known which these are."""
        nodes = [node for node in self.forward.nodes() if self._passes_gradients(node)]
        incoming = [k for k, value in enumerate(self.real) if value in self.requiring]
        for k in incoming:
            self._add(self.real[k], self.backward.add_input().copy_metadata(self.real[k]))
        for node in reversed(nodes):
            self._go_through(node)
        made = Gradient(self.forward, self.backward, len(self.real), incoming)
        for k, value in enumerate(self.forward.inputs):
            if value in self.requiring and value in self.gradients:
                self.backward.register_output(self.gradients[value])
                made.df_output_vjps.append(k)
        eliminate_dead_code(self.backward)
        self._capture(made)
        return made

    def _passes_gradients(self, node: Node) -> bool:
        if not any(output in self.requiring for output in node.outputs):
            return False
        if is_differentiable(node):
            return True
        message = f"differentiation of {node.kind} is not supported"
        raise UsageError(f"{message}, or what it gives is not known to be a tensor")

    def _add(self, value: Value, gradient: Value) -> None:
        known = self.gradients.get(value)
        if known is not None:
            both = self.backward.create(prim.AutogradAdd, [known, gradient], 1)
            gradient = self.backward.insert_node(both).output.set_type(TENSOR)
        self.gradients[value] = gradient

    def _incoming(self, value: Value) -> Value | None:
        """Its gradient, as far as it is known: that of what the backward graph reads may come late."""
        known = self.gradients.get(value)
        if known is None and value in self.values and value in self.requiring:
            known = self.gradients[value] = self._undefined()
        return known

    # -- One node ----------------------------------------------------------------------------------

    def _go_through(self, node: Node) -> None:
        if node.kind == prim.ConstantChunk:
            self._go_through_chunks(node)
            return
        incoming = self._incoming(node.outputs[0])
        operator = node.operator
        if incoming is None or operator is None:
            return
        step = step_of(operator)
        places = [k for k in operands_of(node, step) if node.inputs[k] in self.requiring]
        tensors = places if may_broadcast(step) else []
        sizes = {k: self._size_to_sum_to(node, k) for k in tensors if k in step.tensors}
        marked = self.backward.create(prim.GradOf, [incoming], 0)
        marked.set_attribute("name", node.kind)
        self.backward.insert_node(marked)
        block = marked.add_block()
        with self.backward.insert_at(block):
            for k, found in self._formulas(node, step, places, incoming):
                summed = found if k not in sizes else self._summed(found, sizes[k])
                block.register_output(summed)
        for k in places:
            type = node.inputs[k].type
            made = marked.add_output(type if isinstance(type, ListType) else TENSOR)
            self._add(node.inputs[k], made)

    def _go_through_chunks(self, node: Node) -> None:
        """The gradients of chunks are joined; each is expanded to its size, for an undefined one becomes a zero."""
        gradients = [(value, self._incoming(value)) for value in node.outputs]
        if all(each is None for _, each in gradients):
            return
        given = [self._undefined() if each is None else each for _, each in gradients]
        sizes = [self._value(self._size(node, value)) for value, _ in gradients]
        marked = self.backward.create(prim.GradOf, given, 1)
        marked.set_attribute("name", node.kind)
        self.backward.insert_node(marked).output.set_type(TENSOR)
        block = marked.add_block()
        call, table = insert_call, load()
        with self.backward.insert_at(block):
            no = self.backward.insert_constant(False)
            parts = [
                call(self.backward, table, "aten::expand", [each, size, no])
                for each, size in zip(given, sizes)
            ]
            joined = self.backward.create(prim.ListConstruct, parts, 1)
            self.backward.insert_node(joined).output.set_type(ListType(TENSOR))
            dim = self.backward.insert_constant(node.integer_attribute("dim"))
            block.register_output(call(self.backward, table, "aten::cat", [joined.output, dim]))
        self._add(node.inputs[0], marked.output)

    def _undefined(self) -> Value:
        zero = self.backward.create(prim.AutogradZero, [], 1)
        return self.backward.insert_node(zero).output.set_type(TENSOR)

    def _size(self, node: Node, value: Value) -> Value:
        """The sizes of a result of a node, in the forward graph."""
        with self.forward.insert_at(node.next):
            return insert_call(self.forward, load(), "aten::size", [value])

    def _formulas(
        self, node: Node, step: OperatorStep, places: Sequence[int], incoming: Value
    ) -> list[tuple[int, Value]]:
        """The gradients of the inputs at these places, inserted in the backward graph."""
        assert step.formula is not None
        wanted = {step.arguments[k].name: k for k in places}
        found: dict[int, Value] = {}
        for group in step.formula.groups:
            if not any(name in wanted for name in group.names):
                continue
            results = self._inserted(node, step, group, wanted, incoming)
            found.update(
                {wanted[name]: each for name, each in zip(group.names, results) if name in wanted}
            )
        return [(k, found[k]) for k in places]

    def _inserted(
        self, node: Node, step: OperatorStep, group: Group, wanted: dict[str, int], incoming: Value
    ) -> Sequence[Value]:
        function, parameters = step.function(group)
        named = {each.name: value for each, value in zip(step.arguments, node.inputs)}
        named.update(zip(step.results, node.outputs))
        inputs: list[Value] = []
        for name in parameters:
            if name.startswith("needs_"):
                known = name.removeprefix("needs_") in wanted
                inputs.append(self.backward.insert_constant(known))
            elif name == "grad":
                inputs.append(incoming)
            else:
                inputs.append(self._value(named[name]))
        (result,) = insert_graph(self.backward, function.inlined_graph, inputs)
        if len(group.names) == 1:
            return [result]
        unpacked = self.backward.create(prim.TupleUnpack, [result], len(group.names))
        return self.backward.insert_node(unpacked).outputs

    def _value(self, value: Value) -> Value:
        """A value of the forward graph in the backward graph; what it is there is decided in the end."""
        if value.node.kind == prim.Constant:
            return self.backward.insert_node(clone_node(value.node, self.backward, _nothing)).output
        if value not in self.values:
            self.values[value] = self.backward.add_input().copy_metadata(value)
        return self.values[value]

    # -- Broadcasting ------------------------------------------------------------------------------

    def _size_to_sum_to(self, node: Node, place: int) -> Value:
        """What the gradient of an input is to be summed up to, None if it was not broadcast."""
        call, table, operand = insert_call, load(), node.inputs[place]
        with self.forward.insert_at(node.next):
            if isinstance(operand.type, OptionalType):
                inputs = [operand, node.outputs[0]]
                return insert_graph(self.forward, _size_of_optional().inlined_graph, inputs)[0]
            own = call(self.forward, table, "aten::size", [operand])
            whole = call(self.forward, table, "aten::size", [node.outputs[0]])
            return call(self.forward, table, "aten::_size_if_not_equal", [own, whole])

    def _summed(self, gradient: Value, size: Value) -> Value:
        inputs = [gradient, self._value(size)]
        return insert_call(self.backward, load(), "aten::_grad_sum_to_size", inputs)

    # -- Captures ----------------------------------------------------------------------------------

    def _capture(self, made: Gradient) -> None:
        """Order the inputs of the backward graph: gradients first, those of captured outputs last among them."""
        inputs = {value: k for k, value in enumerate(self.forward.inputs)}
        used = {value: mine for value, mine in self.values.items() if mine.has_uses}
        captured = [value for value in used if value not in inputs]
        for value in captured:
            if value not in self.forward.outputs:
                self.forward.register_output(value)
        outputs = {value: k for k, value in enumerate(self.forward.outputs)}
        made.df_input_captured_inputs = sorted(inputs[value] for value in used if value in inputs)
        made.df_input_captured_outputs = sorted(outputs[value] for value in captured)
        for k in made.df_input_captured_outputs:
            if k >= len(self.real) and self.forward.outputs[k] in self.requiring:
                self._add_late(self.forward.outputs[k])
                made.df_input_vjps.append(k)
        order = [self.forward.inputs[k] for k in made.df_input_captured_inputs]
        order += [self.forward.outputs[k] for k in made.df_input_captured_outputs]
        for value in order:
            used[value].replace_all_uses_with(self.backward.add_input().copy_metadata(value))
        for offset in reversed(range(len(self.backward.inputs))):
            if self.backward.inputs[offset] in self.values.values():
                self.backward.erase_input(offset)

    def _add_late(self, value: Value) -> None:
        """A captured value may have a gradient of its own: that of what the backward graph gives."""
        known = self.gradients[value]
        both = self.backward.create(prim.AutogradAdd, [known, known], 1)
        both.insert_after(known.node)
        known.replace_all_uses_with(both.output.set_type(TENSOR))
        both.replace_input(0, known)
        both.replace_input(1, self.backward.add_input().copy_metadata(value))


def _size_of_optional() -> Any:
    """What sums up the gradient of an operand that may be missing."""
    parameters = [("operand", "Optional[Tensor]"), ("whole", "Tensor")]
    sizes = "torch.ops.aten._size_if_not_equal(operand.size(), whole.size())"
    return gradient_functions().compiled(
        "optional", parameters, f"{sizes} if operand is not None else None"
    )


def _write_out_bodies(graph: Graph) -> None:
    """Where an operator's gradient is that of other operators, those take its place."""
    for node in list(graph.nodes()):
        body = None if node.operator is None else graph_of_body(node.operator)
        if body is None:
            continue
        with graph.insert_at(node):
            results = insert_graph(graph, body, list(node.inputs))
        for old, new in zip(node.outputs, results, strict=True):
            old.replace_all_uses_with(new)
        node.destroy()


def _nothing(value: Value) -> Value:
    raise AssertionError("a constant has no inputs")
