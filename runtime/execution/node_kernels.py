"""What a node runs: a Python callable that takes the node's inputs.

It returns the single output, a tuple for several outputs, or ``None``. Operators bring their
kernels; the node kinds that have no schema are here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from tsc.compiler.ir import Node
from tsc.compiler.ir.symbols import prim
from tsc.compiler.schema import FunctionSchema, Operator
from tsc.compiler.source import CompileError, codes
from tsc.compiler.types import (
    FLOAT,
    ClassType,
    DictType,
    TupleType,
    Type,
    match_type_variables,
    substitute_type_variables,
)
from tsc.runtime import operators
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.grad_mode import HOST_CLASSES
from tsc.runtime.context.hooks import differentiable_graphs, fusion_groups, native_code
from tsc.runtime.execution.tasks import AwaitableKernel, ForkKernel
from tsc.runtime.values.dictionary_keys import from_pairs
from tsc.runtime.values.objects import ScriptObject
from tsc.runtime.values.tuple_classes import tuple_class
from tsc.runtime.values.typed_containers import KEEP_TYPE, with_types
from tsc.runtime.values.value_types import has_type

Kernel = Callable[..., Any]


def kernel_of(node: Node) -> Kernel:
    """The kernel of a node. Raises CompileError if nothing here can run it."""
    operator = operator_of(node)
    if operator is not None and operator.kernel is not None:
        return operator.kernel(node) if operator.node_kernel else operator.kernel
    make = _MAKERS.get(node.kind)
    if make is None:
        raise CompileError(
            f"this runtime cannot execute {node.kind}", node.range, code=codes.NOT_EXECUTABLE
        )
    return make(node)


def has_kernel(node: Node) -> bool:
    """Whether `kernel_of` has an answer."""
    operator = operator_of(node)
    return node.kind in _MAKERS or (operator is not None and operator.kernel is not None)


def operator_of(node: Node) -> Operator | None:
    """The operator of a node; a node that the compiler made for itself may have to look for it."""
    if node.operator is not None or node.kind in _MAKERS:
        return node.operator
    overloads = operators.load().operators_for(node.kind)
    return next((overload for overload in overloads if _takes(overload.schema, node)), None)


def _takes(schema: FunctionSchema, node: Node) -> bool:
    """Whether an overload takes the inputs of a node as they are."""
    if schema.is_vararg or len(schema.arguments) != len(node.inputs):
        return schema.is_vararg
    bindings: dict[str, Type] = {}
    for argument, value in zip(schema.arguments, node.inputs):
        if match_type_variables(argument.type, value.type, bindings) is not None:
            return False
        wanted = substitute_type_variables(argument.type, bindings)
        if wanted is None or not value.type.is_subtype_of(wanted):
            return False
    return True


def make_list(*values: Any) -> list[Any]:
    return list(values)


def make_tuple(*values: Any) -> tuple[Any, ...]:
    return values


def make_dictionary(*values: Any) -> dict[Any, Any]:
    """From keys and values by turns."""
    return dict(zip(values[::2], values[1::2]))


def make_dictionary_of_floats(*values: Any) -> dict[Any, Any]:
    return from_pairs(zip(values[::2], values[1::2]))


def _list_construct(_node: Node) -> Kernel:
    return make_list


def _tuple_construct(node: Node) -> Kernel:
    type = node.output.type
    if isinstance(type, TupleType) and type.field_names is not None:
        make = tuple_class(type)
        return lambda *values: make(values)
    return make_tuple


def _dictionary_construct(node: Node) -> Kernel:
    type = node.output.type
    may_be_nan = isinstance(type, DictType) and type.key == FLOAT
    return make_dictionary_of_floats if may_be_nan else make_dictionary


def _list_unpack(node: Node) -> Kernel:
    """As many elements as the node has outputs; one alone is a single result."""
    count = len(node.outputs)

    def list_unpack(values: list[Any]) -> Any:
        if len(values) != count:
            message = f"Expected {count} elements in a list but found {len(values)}"
            raise ScriptError("RuntimeError", message)
        return values[0] if count == 1 else tuple(values)

    return list_unpack


def _tuple_slice(node: Node) -> Kernel:
    start, end = node.integer_attribute("beg"), node.integer_attribute("end")

    def tuple_slice(values: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(values[start:end])

    return tuple_slice


def _isinstance(node: Node) -> Kernel:
    types = cast("tuple[Type, ...]", tuple(cast(Any, node.attribute("types"))))

    def is_of_type(value: Any) -> bool:
        return has_type(value, types[0])

    def is_of_some_type(value: Any) -> bool:
        return any(has_type(value, type) for type in types)

    return is_of_type if len(types) == 1 else is_of_some_type


def _enter_context(context: Any) -> Any:
    return context.__enter__()


def _exit_context(context: Any) -> Any:
    return context.__exit__(None, None, None)


def _enter(_node: Node) -> Kernel:
    return _enter_context


def _exit(_node: Node) -> Kernel:
    return _exit_context


def _keep_type(node: Node) -> Kernel:
    retype = with_types(node.output.type)
    assert retype is not None
    return retype


def _create_object(node: Node) -> Kernel:
    type = node.output.type
    assert isinstance(type, ClassType)
    host_class = HOST_CLASSES.get(type.qualified_name)
    return host_class or (lambda: ScriptObject(type))


def _get_attribute(node: Node) -> Kernel:
    name = node.string_attribute("name")

    def get_attribute(owner: Any) -> Any:
        return owner.script_attributes[name]

    return get_attribute


def _set_attribute(node: Node) -> Kernel:
    name = node.string_attribute("name")

    def set_attribute(owner: Any, value: Any) -> None:
        owner.script_attributes[name] = value

    return set_attribute


def _left_to_python(node: Node) -> Kernel:
    """Of a function that ``@ignore`` leaves to a Python that is not there."""
    name = node.string_attribute("python_name")
    message = (
        f"'{name}' is left to Python, by @torch.jit.ignore or a cache, and cannot be called here"
    )

    def kernel(*_arguments: Any) -> Any:
        raise ScriptError("RuntimeError", message)

    return kernel


_MAKERS: dict[str, Callable[[Node], Kernel]] = {
    prim.ListConstruct: _list_construct,
    prim.TupleConstruct: _tuple_construct,
    prim.DictConstruct: _dictionary_construct,
    prim.ListUnpack: _list_unpack,
    prim.TupleSlice: _tuple_slice,
    prim.isinstance: _isinstance,
    KEEP_TYPE: _keep_type,
    prim.Enter: _enter,
    prim.Exit: _exit,
    prim.CreateObject: _create_object,
    prim.GetAttr: _get_attribute,
    prim.SetAttr: _set_attribute,
    prim.PythonOp: _left_to_python,
    prim.AutogradZero: lambda _node: lambda: None,
    prim.AutogradAnyNonZero: lambda _node: lambda *values: any(each is not None for each in values),
    prim.fork: ForkKernel,
    prim.DifferentiableGraph: lambda node: differentiable_graphs().differentiable_graph(node),
    prim.FusionGroup: lambda node: fusion_groups().fusion_group(node, recording=False),
    prim.NativeGroup: lambda node: native_code().native_group(node),
    prim.awaitable: AwaitableKernel,
}
