"""A region of a program as one function in LLVM's form: `PyObject *region(PyObject *self, PyObject **arguments, n)`.

The first argument is the address of a count of steps, the second what gives new ones (or None), then come the inputs.
Where a node fails, the function raises `Left` with the number of the place and what the node reads there; its own
kernel then raises the error. Nothing has been done twice, and nothing of the node has been done.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from llvmlite import ir

from tsc.compiler.ir import Block, Graph, LoopView, Node, Value, constant_value, is_constant, prim
from tsc.compiler.schema.scalar_expression import argument_names
from tsc.runtime.native.regions.attribute_names import ATTRIBUTES
from tsc.runtime.native.regions.called_kernels import symbols_of_called
from tsc.runtime.native.regions.dictionaries import Dictionaries
from tsc.runtime.native.regions.forms import (
    NOTHING,
    Form,
    ListForm,
    Native,
    OptionalForm,
    TupleForm,
)
from tsc.runtime.native.regions.llvm_types import BIT, POINTER, WORD, llvm_type
from tsc.runtime.native.regions.named_tuples import names_of_named_tuples
from tsc.runtime.native.regions.region_exits import ENTRY, Exit
from tsc.runtime.native.regions.region_forms import RegionForms
from tsc.runtime.native.regions.region_nodes import (
    CASTS,
    IDENTITY,
    is_last_resort,
    is_uninitialized,
    tuple_place,
)
from tsc.runtime.native.regions.tensor_forms import TensorForm
from tsc.runtime.native.regions.tensor_rules import SEEN


class RegionBuilder(Dictionaries):
    """Emits one region. Operators are given it to emit what they are."""

    def __init__(self, graph: Graph, forms: RegionForms) -> None:
        super().__init__(ir.Module("region"))
        self.forms = forms
        self.tuple_names = names_of_named_tuples(graph)
        self.called = symbols_of_called(graph)
        self.exits: list[Exit] = []
        self._graph = graph
        self._values: dict[Value, Native] = {}
        self._objects: dict[Value, Native] = {}
        self._node: Node | None = None
        self._scope: list[Value] = []
        self.function = ir.Function(
            self.module, ir.FunctionType(POINTER, [POINTER, POINTER, WORD]), ENTRY
        )

    def build(self) -> str:
        """The module's text."""
        self.builder = ir.IRBuilder(self.function.append_basic_block("entry"))
        self._left = self.function.append_basic_block("left")
        arguments = self.function.args[1]
        self.prepare_lists()
        self.prepare_tensors(self._graph)
        self.prepare_keys(self._graph)
        self.prepare_steps(*(self._argument(arguments, place) for place in range(2)))
        for place, value in enumerate(self._graph.inputs):
            self._take(value, self._argument(arguments, place + 2))
        occurred = self.call("PyErr_Occurred")
        self.leave_if(self.builder.icmp_unsigned("!=", occurred, ir.Constant(POINTER, None)))
        self.block(self._graph.block)
        self._return()
        self.builder.position_at_end(self._left)
        self._end()
        self.builder.ret(ir.Constant(POINTER, None))
        return str(self.module)

    def _take(self, value: Value, taken: Native) -> None:
        form = self.forms.of(value)
        if isinstance(form, TensorForm):
            self._objects[value] = taken
            self._values[value] = self.take_tensor(value, taken)
        else:
            self._values[value] = self.unbox_input(form, taken)

    def _argument(self, arguments: Native, place: int) -> Native:
        slot = self.builder.gep(arguments, [ir.Constant(WORD, place)], source_etype=POINTER)
        return self.builder.load(slot, typ=POINTER)

    def _return(self) -> None:
        outputs = self._graph.outputs
        boxed = [self._object_of(value) for value in outputs]
        result = boxed[0] if len(boxed) == 1 else self.tuple_of(boxed)
        self._end()
        self.builder.ret(result)

    def _object_of(self, value: Value) -> Native:
        """A new reference to an object, which is the same as was given for a tensor that was."""
        if value in self._objects:
            return self.owned(self._objects[value])
        return self.box(self.forms.of(value), self.value(value))

    def _end(self) -> None:
        self.release_steps()
        self.free_lists()
        self.release_tensors()
        self.release_keys()

    # -- Blocks ------------------------------------------------------------------------------

    def block(self, block: Block) -> None:
        before = len(self._scope)
        for node in block.nodes():
            self._node = node
            self._emit(node)
            self.renew_keys(node.outputs)
            self._scope += [each for each in node.outputs if each in self._values]
        del self._scope[before:]

    def _emit(self, node: Node) -> None:
        if node.kind in (prim.Constant, prim.Uninitialized):
            return
        structure = _STRUCTURE.get(node.kind)
        if structure is not None:
            structure(self, node)
            return
        if self.forms.reads_tensors(node):
            self._keep(node, self.of_tensors(node))
            return
        operands = [self.value(value) for value in node.inputs]
        self._keep(node, self._computed(node, operands))

    def _keep(self, node: Node, result: Any) -> None:
        """The results of a node: one value, or several."""
        if len(node.outputs) == 1:
            if result is not None:
                self._values[node.output] = result
        elif node.outputs:
            self._values.update(zip(node.outputs, result or ()))

    def _computed(self, node: Node, operands: list[Native]) -> Any:
        if node.kind in ATTRIBUTES:
            return self.of_attribute(node, operands)
        if node in self.called:
            return self.call_kernel(node, operands)
        operator = self.forms.operator_of(node)
        assert operator is not None
        if operator.lowering is not None:
            return operator.lowering(self, node, operands)
        assert operator.expression is not None
        names = argument_names(operator.text)
        return self.of_term(operator.expression.term, dict(zip(names, operands)))

    def value(self, value: Value) -> Native:
        """A value that was computed, or a constant."""
        form = self.forms.of(value)
        if is_uninitialized(value):
            return ir.Constant(llvm_type(form), None)
        if is_constant(value):
            return self.constant_of(form, constant_value(value))
        return self._values[value]

    # -- Control flow ------------------------------------------------------------------------

    def branch(self, node: Node) -> None:
        """A prim::If: its outputs are those of the block that ran."""
        builder = self.builder
        blocks = [builder.append_basic_block(name) for name in ("then", "else")]
        builder.cbranch(self.value(node.inputs[0]), *blocks)
        joined = builder.append_basic_block("joined")
        forms = [self.forms.of(output) for output in node.outputs]
        incoming: list[tuple[list[Native], Any]] = []
        for inner, start in zip(node.blocks, blocks):
            builder.position_at_end(start)
            if is_last_resort(inner):
                self._last_resort(inner)
                continue
            self.block(inner)
            made = [self.coerced(value, form) for value, form in zip(inner.outputs, forms)]
            incoming.append((made, builder.block))
            builder.branch(joined)
        builder.position_at_end(joined)
        if not incoming:
            builder.unreachable()
            builder.position_at_end(builder.append_basic_block("never"))
        for place, output in enumerate(node.outputs):
            self._values[output] = self._phi(
                forms[place], [(made[place], end) for made, end in incoming]
            )

    def _phi(self, form: Form, incoming: Sequence[tuple[Native, Any]]) -> Native:
        if not incoming:
            return ir.Constant(llvm_type(form), ir.Undefined)
        phi = self.builder.phi(llvm_type(form))
        for value, block in incoming:
            phi.add_incoming(value, block)
        return phi

    def loop(self, node: Node) -> None:
        """A prim::Loop, whose condition is asked at the end of a turn, and before the first."""
        builder, view = self.builder, LoopView(node)
        carried = view.body_carried_inputs
        forms = [self.forms.of(value) for value in carried]
        count = self.value(view.max_trip_count)
        initial = [self.coerced(*each) for each in zip(view.carried_inputs, forms)]
        zero = ir.Constant(WORD, 0)
        begins = builder.and_(
            builder.icmp_signed(">", count, zero), self.value(view.input_condition)
        )
        before = builder.block
        body, after = builder.append_basic_block("turn"), builder.append_basic_block("after")
        builder.cbranch(begins, body, after)
        builder.position_at_end(body)
        counter = builder.phi(WORD)
        phis = [builder.phi(llvm_type(form)) for form in forms]
        self._values[view.current_trip_count] = counter
        self._values.update(zip(carried, phis))
        self.take_step()
        self.renew_keys([view.current_trip_count, *carried])
        allocations, depth = self.allocations, len(self._scope)
        self._scope += carried
        self.block(view.body_block)
        del self._scope[depth:]
        self._node = node
        following = [self.coerced(*each) for each in zip(view.body_carried_outputs, forms)]
        counted = builder.add(counter, ir.Constant(WORD, 1))
        goes_on = builder.and_(
            builder.icmp_signed("<", counted, count), self.value(view.next_condition)
        )
        last = builder.block
        again = builder.append_basic_block("again")
        builder.cbranch(goes_on, again, after)
        builder.position_at_end(again)
        if self.allocations > allocations:
            around = [(self.forms.of(each), self._values[each]) for each in self._scope]
            self.collect_lists([*around, *zip(forms, following)])
        builder.branch(body)
        for phi, first, after_turn in zip(
            [counter, *phis], [zero, *initial], [counted, *following]
        ):
            phi.add_incoming(first, before)
            phi.add_incoming(after_turn, builder.block)
        builder.position_at_end(after)
        outputs = zip(node.outputs, forms, initial, following)
        for output, form, first, value in outputs:
            result = self._phi(form, [(first, before), (value, last)])
            self._values[output] = self._as(result, form, self.forms.of(output))

    # -- Leaving -----------------------------------------------------------------------------

    def leave_if(self, condition: Native) -> None:
        """Leave with an error that Python knows already."""
        following = self.builder.append_basic_block("on")
        self.builder.cbranch(condition, self._left, following)
        self.builder.position_at_end(following)

    def fail_if(self, condition: Native) -> None:
        assert self._node is not None
        with self.builder.if_then(condition, likely=False):
            self._leave([self._node], list(self._node.inputs))

    def _last_resort(self, block: Block) -> None:
        """What ends in an error is left to the interpreter as a whole."""
        nodes = [node for node in block.nodes() if node.kind != prim.Constant]
        inside = {output for node in nodes for output in node.outputs}
        read = dict.fromkeys(value for node in nodes for value in node.inputs)
        self._leave(nodes, [each for each in read if each not in inside])

    def _leave(self, nodes: Sequence[Node], read: Sequence[Value]) -> None:
        views, operands = self._seen_again(read)
        operands = [each for each in operands if not is_constant(each)]
        operands = [each for each in operands if not is_uninitialized(each)]
        number = self.call("PyLong_FromLongLong", ir.Constant(WORD, len(self.exits)))
        self.exits.append(Exit([*views, *nodes], operands))
        boxed = [self._object_of(value) for value in operands]
        told = self.tuple_of([number, *boxed])
        self.call("PyErr_SetObject", self.constant("left"), told)
        self.call("Py_DecRef", told)
        self.builder.branch(self._left)

    def _seen_again(self, read: Sequence[Value]) -> tuple[list[Node], list[Value]]:
        """The nodes that make the views among some values anew, and all that is read then."""
        views: dict[Node, None] = {}
        operands: dict[Value, None] = {}
        pending = [(value, False) for value in reversed(read)]
        while pending:
            value, is_ready = pending.pop()
            if is_ready:
                views[value.node] = None
            elif not self._is_seen(value):
                operands[value] = None
            elif value.node not in views:
                pending.append((value, True))
                pending += [(each, False) for each in value.node.inputs]
        return list(views), list(operands)

    def _is_seen(self, value: Value) -> bool:
        """Whether a value can be made anew: a view, or what is known of a tensor."""
        return value.node.kind in SEEN and self.forms.has(value) and not is_constant(value)

    # -- Structure ---------------------------------------------------------------------------

    def tuple_construct(self, node: Node) -> None:
        form = self.forms.of(node.output)
        assert isinstance(form, TupleForm)
        items = [self.coerced(*each) for each in zip(node.inputs, form.items)]
        self._values[node.output] = self.aggregate(form, items)

    def tuple_unpack(self, node: Node) -> None:
        value = self.value(node.inputs[0])
        for place, output in enumerate(node.outputs):
            self._values[output] = self.builder.extract_value(value, place)

    def tuple_index(self, node: Node) -> None:
        form = self.forms.of(node.inputs[0])
        assert isinstance(form, TupleForm)
        place = tuple_place(node, form)
        item = self.builder.extract_value(self.value(node.inputs[0]), place)
        self._values[node.output] = self._as(item, form.items[place], self.forms.of(node.output))

    def cast(self, node: Node) -> None:
        self._values[node.output] = self.coerced(node.inputs[0], self.forms.of(node.output))

    def is_none(self, node: Node) -> None:
        """``x is None``, or ``is not``."""
        one, two = (self.forms.of(value) for value in node.inputs)
        asked = node.inputs[1] if one is NOTHING else node.inputs[0]
        form = two if one is NOTHING else one
        if isinstance(form, OptionalForm):
            there = self.builder.extract_value(self.value(asked), 0)
        else:
            there = ir.Constant(BIT, 0 if form is NOTHING else 1)
        is_question = node.kind == "aten::__is__"
        self._values[node.output] = self.builder.not_(there) if is_question else there

    def list_construct(self, node: Node) -> None:
        form = self.forms.of(node.output)
        assert isinstance(form, ListForm)
        items = [self.coerced(value, form.element) for value in node.inputs]
        make = self.new_object_list if form.is_python else self.list_of
        self._values[node.output] = make(form, items)

    def dict_construct(self, node: Node) -> None:
        self._values[node.output] = self.new_dictionary(node)


_STRUCTURE: Final[dict[str, Callable[[RegionBuilder, Node], None]]] = {
    prim.If: RegionBuilder.branch,
    prim.Loop: RegionBuilder.loop,
    prim.TupleConstruct: RegionBuilder.tuple_construct,
    prim.TupleUnpack: RegionBuilder.tuple_unpack,
    prim.TupleIndex: RegionBuilder.tuple_index,
    prim.ListConstruct: RegionBuilder.list_construct,
    prim.DictConstruct: RegionBuilder.dict_construct,
    **dict.fromkeys(CASTS, RegionBuilder.cast),
    **dict.fromkeys(IDENTITY, RegionBuilder.is_none),
}
