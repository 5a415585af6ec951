"""Symbolic differentiation: from a graph to one that also gives what its gradients need, and one of the gradients.

The formulas are those of the tape. In the backward graph, what one formula computes stands in the block of
a `prim::GradOf`, and `prim::AutogradAdd` adds up what comes from several uses: both know that gradients may be
undefined.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tsc.compiler.ir import Graph, Node, Value, prim
from tsc.compiler.ir.clone import clone_node
from tsc.compiler.ir.inline import insert_graph
from tsc.compiler.passes.eliminate_dead_code import eliminate_dead_code
from tsc.compiler.passes.operator_calls import insert_call
from tsc.compiler.source import UsageError
from tsc.compiler.types import TENSOR, ListType, OptionalType, TensorType
from tsc.runtime.autograd.formulas import Group, formula_of
from tsc.runtime.autograd.operator_steps import OperatorStep, step_of
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


def is_differentiable(node: Node) -> bool:
    """Whether a gradient of the node can be written down: its operator has formulas, and writes nothing."""
    if node.kind == prim.ConstantChunk:
        return True
    operator = node.operator
    if operator is None or operator.schema.is_mutable or len(node.outputs) != 1:
        return False
    formula = formula_of(operator)
    if formula is None or not formula.groups or not isinstance(node.output.type, TensorType):
        return False
    return not step_of(operator).lists and all(
        formula.group_of(step_of(operator).arguments[k].name) is not None
        for k in step_of(operator).tensors
    )


def differentiate(graph: Graph) -> Gradient:
    """The gradient of a graph without control flow. Inputs require gradients unless their types say otherwise.

    Raises:
        UsageError: a node through which gradients go has none that could be written down.
    """
    return _Differentiation(graph.copy()).run()


class _Differentiation:
    """`values` maps values of the forward graph to those of the backward graph, `gradients` to their gradients."""

    def __init__(self, forward: Graph) -> None:
        self.forward = forward
        self.backward = Graph(forward.operators)
        self.requiring = _requiring(forward)
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

    # -- One node ----------------------------------------------------------------------------------

    def _go_through(self, node: Node) -> None:
        if node.kind == prim.ConstantChunk:
            self._go_through_chunks(node)
            return
        incoming = self.gradients.get(node.output)
        operator = node.operator
        if incoming is None or operator is None:
            return
        step = step_of(operator)
        places = [k for k in step.tensors if node.inputs[k] in self.requiring]
        sizes = {k: self._size_to_sum_to(node, k) for k in places if _may_broadcast(step)}
        marked = self.backward.create(prim.GradOf, [incoming], 0)
        marked.set_attribute("name", node.kind)
        self.backward.insert_node(marked)
        block = marked.add_block()
        with self.backward.insert_at(block):
            for k, found in self._formulas(node, step, places, incoming):
                summed = found if k not in sizes else self._summed(found, sizes[k])
                block.register_output(summed)
        for k in places:
            self._add(node.inputs[k], marked.add_output(TENSOR))

    def _go_through_chunks(self, node: Node) -> None:
        """The gradients of chunks are joined; each is expanded to its size, for an undefined one becomes a zero."""
        gradients = [(value, self.gradients.get(value)) for value in node.outputs]
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
        inputs: list[Value] = []
        for name in parameters:
            if name.startswith("needs_"):
                known = name.removeprefix("needs_") in wanted
                inputs.append(self.backward.insert_constant(known))
            elif name == "grad":
                inputs.append(incoming)
            else:
                inputs.append(self._value(node.output if name == "result" else named[name]))
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
        call, table = insert_call, load()
        with self.forward.insert_at(node.next):
            own = call(self.forward, table, "aten::size", [node.inputs[place]])
            whole = call(self.forward, table, "aten::size", [node.output])
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


def _nothing(value: Value) -> Value:
    raise AssertionError("a constant has no inputs")


def _requiring(graph: Graph) -> set[Value]:
    """The values that may require gradients."""
    found = {value for value in graph.inputs if _may_require(value)}
    for node in graph.nodes():
        if node.kind != prim.Constant and any(value in found for value in node.inputs):
            found.update(value for value in node.outputs if _may_require(value))
    return found


def _may_require(value: Value) -> bool:
    type = value.type.element if isinstance(value.type, OptionalType) else value.type
    if not isinstance(type, TensorType) or type.requires_grad is False:
        return False
    return type.dtype is None or type.dtype in _FLOATING


def _may_broadcast(step: OperatorStep) -> bool:
    """Whether the result of an operator may be larger than an operand: one operand is so in few."""
    if len(step.tensors) > 1:
        return True
    is_view = any(each.alias_info is not None for each in step.operator.schema.returns)
    return step.operator.name in _EXPANDING if is_view else step.operator.expression is None


_EXPANDING = frozenset(("aten::expand", "aten::expand_as", "aten::broadcast_to"))
_FLOATING = frozenset(
    ("Half", "BFloat16", "Float", "Double", "ComplexHalf", "ComplexFloat", "ComplexDouble")
)
__all__ = ["Gradient", "differentiate", "is_differentiable"]
