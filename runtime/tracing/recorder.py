"""The graph of a trace while it is recorded: which value each tensor is, and a node for each operator."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from tsc.compiler.ir import Function, Node, Value, insert_function_constant, prim
from tsc.compiler.schema import Argument, Operator
from tsc.compiler.types import (
    INT,
    TENSOR,
    ClassType,
    DictType,
    ListType,
    OptionalType,
    TensorType,
    TupleType,
    Type,
    TypeKind,
)
from tsc.runtime.context import trace_state
from tsc.runtime.operators import load
from tsc.runtime.python_api import eager
from tsc.runtime.tracing.errors import ITERATION, TracingError, user_frame, warn
from tsc.runtime.tracing.graph_writer import GraphWriter
from tsc.runtime.tracing.tensor_library import TensorLibrary
from tsc.runtime.values.tensor import Tensor

Mark = tuple[Node, dict[int, tuple[Any, Value]]]
TRACED_ATTRIBUTE = "prim::TracedAttr"
"""A parameter, a buffer or a submodule by its path, until it is read from the module it is in."""
_TENSOR_LIST = ListType(TENSOR)
_OPTIONAL_TENSORS = ListType(OptionalType(TENSOR))
_NUMBER = TensorType(dtype="Long", sizes=(), strides=(), device="cpu")
_FROM_TENSOR = {TypeKind.IntType: "aten::Int", TypeKind.FloatType: "aten::Float"}


class Recorder(GraphWriter):
    """`strict` refuses containers that could change as outputs. Tensors are known by identity, and kept."""

    def __init__(self, library: TensorLibrary, *, strict: bool = True) -> None:
        super().__init__(load())
        self.library = library
        self.strict = strict
        self.bindings: Any = None
        """What hears calls by PyTorch's names; set by whoever listens."""
        self._names: Iterable[tuple[str, Any]] | None = None
        self._known: dict[int, tuple[Any, Value]] = {}
        self._numbers: dict[Any, Tensor] = {}

    # -- Which value a tensor is -----------------------------------------------------------------

    def knows(self, thing: Any) -> bool:
        return id(thing) in self._known

    def remember(self, thing: Any, value: Value) -> None:
        """From now on a tensor, or a module, is this value."""
        self._known[id(thing)] = (thing, value)

    def value_of(self, tensor: Any) -> Value:
        """What computes a tensor; one that the trace has not seen is a constant."""
        known = self._known.get(id(tensor))
        if known is None:
            return self._constant_tensor(tensor)
        value = known[1]
        if not value.has_debug_name:
            name = self._name_of(tensor)
            if name:
                value.set_debug_name(name)
        return value

    def _name_of(self, tensor: Any) -> str:
        """The local variable that holds a tensor, of the function that runs the line."""
        known = user_frame().f_locals.items() if self._names is None else self._names
        for name, value in known:
            if value is tensor and name.isidentifier():
                return "" if name == "self" else name
        return ""

    @contextmanager
    def local_names(self, names: Iterable[tuple[str, Any]]) -> Iterator[None]:
        """The variables of a function that stands for one of Python."""
        before, self._names = self._names, names
        try:
            yield
        finally:
            self._names = before

    def use_again(self, tensor: Any) -> None:
        """A tensor that has a value already is found once more: as in PyTorch, that counts as its use."""
        value = self._known[id(tensor)][1]
        sizes = [self.constant(size) for size in self.library.describe(tensor).sizes or ()]
        self.insert(
            "aten::view", [value, self.list_of(sizes, ListType(INT))]
        ).operator = self.operators.find("aten::view", "")

    # -- Taking back -----------------------------------------------------------------------------

    def mark(self) -> Mark:
        """Where the trace is."""
        return self.graph.insertion_point.previous, dict(self._known)

    def forget_since(self, mark: Mark) -> None:
        """Take back what was recorded since a mark."""
        last, self._known = mark
        while (node := self.graph.insertion_point.previous) is not last:
            node.destroy()

    def _constant_tensor(self, tensor: Any) -> Value:
        type = self.library.describe(tensor)
        if type.requires_grad:
            raise TracingError(
                "Cannot insert a Tensor that requires grad as a constant. Consider making it a "
                f"parameter or input, or detaching the gradient\nTensor:\n{tensor}"
            )
        constant = self._shared_constant(self.library.as_constant(tensor))
        value = self.constant(constant, type)
        self.remember(tensor, value)
        return value

    def _shared_constant(self, tensor: Tensor) -> Tensor:
        """Equal numbers are one constant."""
        if tensor.array.ndim > 0:
            return tensor
        return self._numbers.setdefault((tensor.dtype, tensor.array.tobytes()), tensor)

    def known_value(self, tensor: Any, number: int) -> Value:
        """The value of a tensor that is returned."""
        known = self._known.get(id(tensor))
        if known is None:
            raise TracingError(
                f"output {number} ({tensor}) of traced region did not have observable data dependence "
                "with trace inputs; this probably indicates your program cannot be understood by the "
                "tracer.\nhint: return what is computed from the inputs by operators on tensors"
            )
        return known[1]

    def any_value(self, value: Any) -> Value:
        """An argument of a function of the program: tensors, containers of them, constants."""
        if self.library.is_tensor(value):
            return self.value_of(value)
        if isinstance(value, list) and value and all(map(self.library.is_tensor, value)):
            return self.list_of([self.value_of(each) for each in value], _TENSOR_LIST)
        if isinstance(value, tuple) and not hasattr(value, "script_type"):
            return self.tuple_of([self.any_value(each) for each in value])
        if id(value) in self._known:
            return self._known[id(value)][1]
        if hasattr(value, "script_attributes"):
            raise TracingError(
                f"Tried to trace {value!r} but it is not part of the active trace. Modules that are "
                "called during a trace must be registered as submodules of the thing being traced."
            )
        return self.constant(value)

    # -- What Python does with tensors --------------------------------------------------------------

    def hear(self, name: str, *args: Any, run: Callable[[], Any] | None = None) -> Any:
        """A call of one of PyTorch's names. `run` runs it."""
        assert self.bindings is not None

        def run_paused() -> Any:
            with trace_state.paused():
                return None if run is None else run()

        return self.bindings.hear(name, args, {}, run_paused)

    def hear_operator(self, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """A call of ``aten::<name>`` with tsc's tensors."""
        values = [Tensor(each) if isinstance(each, np.ndarray) else each for each in args]
        if name == "numel" and len(values) == 1:
            return self.number_of_elements(values[0], values[0].array.size)

        def run() -> Any:
            with trace_state.paused():
                return eager.call(name, *values, **kwargs)

        return self.bindings.hear(name, values, kwargs, run)

    def sizes(self, tensor: Any) -> tuple[Any, ...]:
        """The shape, each extent a tensor."""
        with trace_state.paused():
            extents = tuple(tensor.shape)
        return tuple([self.size(tensor, dim, extent) for dim, extent in enumerate(extents)])

    def rows(self, tensor: Any) -> Sequence[Any]:
        """What a loop over a tensor goes through."""
        warn(ITERATION)
        return self.call("unbind", tensor, 0, overload="int")

    # -- Operators -------------------------------------------------------------------------------

    def record(
        self, operator: Operator, values: Sequence[Any], run: Callable[[], Any] | None = None
    ) -> Any:
        """Run an operator, and record that it ran."""
        node = self.create(operator, outputs=0)
        for argument, value in zip(operator.schema.arguments, values, strict=True):
            node.add_input(self._argument(argument, value))
        self.graph.insert_node(node)
        try:
            with trace_state.paused():
                result = self.library.run(operator, values) if run is None else run()
        except BaseException:
            node.destroy()
            raise
        self.library.note_result(operator, values, result)
        self._set_outputs(node, operator, result)
        return result

    def call(self, name: str, *values: Any, overload: str | None = None) -> Any:
        """Run and record ``aten::<name>``, given all arguments of the overload."""
        kind = f"aten::{name}"
        found = self.operators.find(kind, overload or "")
        assert found is not None, kind
        return self.record(found, values)

    def _set_outputs(self, node: Node, operator: Operator, result: Any) -> None:
        returns = operator.schema.returns
        outputs = [node.add_output(_plain(returned.type)) for returned in returns]
        for value, each in zip(outputs, result if len(returns) > 1 else (result,)):
            if isinstance(value.type, ListType):
                self.unpack(value, each)
            elif each is not None:
                value.set_type(self.library.describe(each))
                self.remember(each, value)

    def unpack(self, value: Value, results: Sequence[Any]) -> None:
        """The elements of a list are these tensors, or containers of them."""
        assert isinstance(value.type, ListType)
        node = self.insert(prim.ListUnpack, [value], len(results))
        for output, each in zip(node.outputs, results):
            self.set_result(output.set_type(value.type.element), each)

    def set_result(self, value: Value, result: Any) -> None:
        """The value of a call is this result, which may be nested."""
        type = value.type
        if self.library.is_tensor(result):
            value.set_type(self.library.describe(result))
            self.remember(result, value)
        elif isinstance(type, ListType) and isinstance(result, list):
            self.unpack(value, result)
        elif isinstance(type, TupleType):
            node = self.insert(prim.TupleUnpack, [value], len(type.elements))
            for output, element, each in zip(node.outputs, type.elements, result):
                self.set_result(output.set_type(element), each)
        elif isinstance(type, DictType) and isinstance(result, dict):
            self._set_items(value, type, result)
        elif result is not None:
            raise TracingError(
                f"Tracer cannot set value trace for type {type.annotation}. Supported types are "
                "tensor, tensor list, and tuple of tensors.\nhint: let the scripted function return "
                "tensors, or do with the number inside of it what depends on it"
            )

    def _set_items(self, value: Value, type: DictType, result: dict[Any, Any]) -> None:
        if type.key.kind is TypeKind.TensorType:
            keys = self.insert_operator("aten::keys", "Tensor", [value]).output
            self.unpack(keys.set_type(ListType(type.key)), list(result))
        values = self.insert("aten::values", [value]).output.set_type(ListType(type.value))
        values.node.operator = self.operators.find("aten::values", _overload_of_key(type.key))
        self.unpack(values, list(result.values()))

    # -- Arguments -------------------------------------------------------------------------------

    def _argument(self, argument: Argument, value: Any) -> Value:
        type = argument.type
        inner = type.element if isinstance(type, OptionalType) else type
        if value is None:
            return self.none()
        if isinstance(inner, ListType):
            return self._list_argument(inner, value)
        if inner.kind is TypeKind.TensorType:
            return self.value_of(value)
        if self.library.is_tensor(value):
            return self._number_of(value, inner)
        return self.constant(value)

    def _list_argument(self, type: ListType, value: Sequence[Any]) -> Value:
        element = type.element
        if element.kind is TypeKind.TensorType:
            return self.list_of([self.value_of(each) for each in value], _TENSOR_LIST)
        if isinstance(element, OptionalType):
            items = [self.none() if each is None else self.value_of(each) for each in value]
            return self.list_of(items, _OPTIONAL_TENSORS)
        items = [
            self._number_of(each, element) if self.library.is_tensor(each) else self.constant(each)
            for each in value
        ]
        return self.list_of(items, type)

    def _number_of(self, tensor: Any, type: Type) -> Value:
        """The number in a tensor of one element, right behind what computes it."""
        value = self.value_of(tensor)
        kind = _FROM_TENSOR.get(type.kind, "aten::ScalarImplicit")
        maker = value.node
        first = maker.owning_block.return_node.next
        with self.graph.insert_at(first if maker.kind == prim.Param else maker.next):
            return self.insert_operator(
                kind, "" if kind == "aten::ScalarImplicit" else "Tensor", [value]
            ).output

    # -- Sizes -----------------------------------------------------------------------------------

    def size(self, tensor: Any, dim: int, extent: int) -> Any:
        """One extent, as a tensor, so that what is computed from it is recorded."""
        inputs = [self.value_of(tensor), self.constant(dim)]
        return self._as_tensor(self.insert_operator("aten::size", "int", inputs), extent)

    def number_of_elements(self, tensor: Any, count: int) -> Any:
        node = self.insert_operator("aten::numel", "", [self.value_of(tensor)])
        return self._as_tensor(node, count)

    def _as_tensor(self, node: Node, number: int) -> Any:
        node.output.set_type(INT)
        value = self.insert_operator("prim::NumToTensor", "Scalar", [node.output]).output
        made = self.library.number(number)
        self.remember(made, value.set_type(_NUMBER))
        return made

    # -- Calls of the program's functions --------------------------------------------------------

    def call_library(self, function: Function, arguments: Sequence[Any]) -> Any:
        """A call of a function of the library, which is recorded by the operators that it runs."""
        return self.bindings.call_library(function, arguments)

    def fork(self, function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        """The future of a function that is to run as a task; here it runs at once."""
        return self.bindings.fork(function, args, kwargs)

    def call_program(self, function: Function, arguments: Sequence[Any], call: Any) -> Any:
        """A call of a compiled function, or of a method of a module."""
        owner = getattr(arguments[0], "script_type", None) if arguments else None
        is_method = isinstance(owner, ClassType) and owner.methods.get(function.name) is function
        record = self.call_method if is_method else self.call_function
        return record(function, arguments, lambda values: call(*values))

    def call_function(
        self, function: Function, arguments: Sequence[Any], run: Callable[[Sequence[Any]], Any]
    ) -> Any:
        """A call of a compiled function, which stays one. `run` gets the arguments as programs take them."""
        inputs = [self.any_value(each) for each in arguments]
        callee = insert_function_constant(self.graph, function)
        node = self.insert(prim.CallFunction, [callee, *inputs])
        return self._called(node, function, arguments, run)

    def call_method(
        self, function: Function, arguments: Sequence[Any], run: Callable[[Sequence[Any]], Any]
    ) -> Any:
        inputs = [self.any_value(each) for each in arguments]
        node = self.insert(prim.CallMethod, inputs).set_attribute("name", function.name)
        return self._called(node, function, arguments, run)

    def _called(
        self,
        node: Node,
        function: Function,
        arguments: Sequence[Any],
        run: Callable[[Sequence[Any]], Any],
    ) -> Any:
        node.output.set_type(function.schema.returns[0].type)
        with trace_state.paused():
            found = run([self.library.program_value(each) for each in arguments])
            needs = any(self._requires_grad(each) for each in arguments)
            result = self.library.from_program(found, requires_grad=needs)
        self.set_result(node.output, result)
        return result

    def _requires_grad(self, value: Any) -> bool:
        if isinstance(value, list | tuple):
            return any(map(self._requires_grad, value))
        return self.library.is_tensor(value) and bool(self.library.describe(value).requires_grad)


def _plain(type: Type) -> Type:
    return _TENSOR_LIST if isinstance(type, ListType) else TENSOR


def _overload_of_key(key: Type) -> str:
    return {TypeKind.TensorType: "Tensor", TypeKind.IntType: "int"}.get(key.kind, "str")
