"""What the verifier expects of nodes by their kind: inputs, outputs, blocks, attributes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeGuard, cast

from tsc.compiler.ir.block import Block
from tsc.compiler.ir.constants import OpaqueConstant
from tsc.compiler.ir.errors import GraphError
from tsc.compiler.ir.symbols import prim
from tsc.compiler.types import (
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    INT,
    NONE,
    NUMBER,
    STRING,
    Device,
    DictType,
    FunctionType,
    ListType,
    OptionalType,
    TensorType,
    TupleType,
    Type,
)
from tsc.compiler.types.unshaped import unshaped

if TYPE_CHECKING:
    from tsc.compiler.ir.graph import Graph
    from tsc.compiler.ir.node import Node
    from tsc.compiler.ir.value import Value


class Broken(GraphError):
    """An invariant that does not hold; the verifier adds the place."""


def check_kind(node: Node) -> None:
    check = _CHECKS.get(node.kind)
    if check is not None:
        check(node)


# -- Control flow ----------------------------------------------------------------------------


def _check_if(node: Node) -> None:
    _expect_inputs(node, [BOOL])
    _expect_blocks(node, 2)
    for name, block in zip(("true", "false"), node.blocks):
        if block.inputs:
            raise Broken(f"the {name} block of prim::If must not have inputs")
        _expect_matching(f"the {name} block of prim::If", "outputs", block.outputs, node.outputs)


def _check_loop(node: Node) -> None:
    if len(node.blocks) == 2:
        _check_loop_with_condition_block(node)
        return
    if len(node.inputs) < 2:
        raise Broken("prim::Loop needs a trip count and a condition")
    _expect_type(node, 0, INT)
    _expect_type(node, 1, BOOL)
    _expect_blocks(node, 1)
    body = node.blocks[0]
    if not body.inputs or body.inputs[0].type != INT:
        raise Broken("the body of prim::Loop must have a trip counter of type int")
    if not body.outputs or not body.outputs[0].type.is_subtype_of(BOOL):
        raise Broken("the body of prim::Loop must end in a condition of type bool")
    carried = node.inputs[2:]
    _expect_matching("prim::Loop", "carried inputs", carried, body.inputs[1:])
    _expect_matching("the body of prim::Loop", "outputs", body.outputs[1:], body.inputs[1:])
    _expect_matching("prim::Loop", "carried outputs", body.outputs[1:], node.outputs)


def _check_loop_with_condition_block(node: Node) -> None:
    """The form before SSA: the second block computes the condition, the first time as well."""
    body, condition = node.blocks
    if not node.inputs or not body.inputs:
        raise Broken("prim::Loop needs a trip count, and its body a trip counter")
    _expect_type(node, 0, INT)
    if len(condition.outputs) != 1 or condition.outputs[0].type != BOOL:
        raise Broken("the condition block of prim::Loop must have one output of type bool")
    carried = node.inputs[1:]
    _expect_matching("prim::Loop", "carried inputs", carried, body.inputs[1:])
    _expect_matching("the body of prim::Loop", "outputs", body.outputs, body.inputs[1:])
    _expect_matching("prim::Loop", "carried outputs", body.outputs, node.outputs)


def _check_with(node: Node) -> None:
    _expect_blocks(node, 2)


def _check_closure(node: Node) -> None:
    if not node.has_attribute("Subgraph"):
        _expect_blocks(node, 1)


def _check_return(node: Node) -> None:
    if node.blocks:
        raise Broken("a return node must not have blocks")


# -- Variables -------------------------------------------------------------------------------


def _check_store(node: Node) -> None:
    _expect_count(node, "inputs", node.inputs, 1)
    _expect_count(node, "outputs", node.outputs, 0)
    _expect_string(node, "name")


def _check_load(node: Node) -> None:
    _expect_count(node, "inputs", node.inputs, 0)
    _expect_count(node, "outputs", node.outputs, 1)
    _expect_string(node, "name")


# -- Containers ------------------------------------------------------------------------------


def _check_tuple_construct(node: Node) -> None:
    _expect_count(node, "outputs", node.outputs, 1)
    type = node.output.type
    if not isinstance(type, TupleType):
        raise Broken(f"prim::TupleConstruct cannot make a {type}")
    # In traces, a tuple knows shapes that the methods which gave its tensors do not tell.
    _expect_inputs(node, [unshaped(element) for element in type.elements])


def _check_tuple_unpack(node: Node) -> None:
    _expect_count(node, "inputs", node.inputs, 1)
    type = node.input.type
    if not isinstance(type, TupleType):
        raise Broken(f"prim::TupleUnpack cannot unpack a {type}")
    _expect_count(node, "outputs", node.outputs, len(type.elements))


def _check_list_construct(node: Node) -> None:
    _expect_count(node, "outputs", node.outputs, 1)
    type = node.output.type
    if not isinstance(type, ListType):
        raise Broken(f"prim::ListConstruct cannot make a {type}")
    _expect_inputs(node, [type.element] * len(node.inputs))


def _check_list_unpack(node: Node) -> None:
    _expect_count(node, "inputs", node.inputs, 1)
    if not isinstance(node.input.type, ListType):
        raise Broken(f"prim::ListUnpack cannot unpack a {node.input.type}")


def _check_dict_construct(node: Node) -> None:
    _expect_count(node, "outputs", node.outputs, 1)
    type = node.output.type
    if not isinstance(type, DictType):
        raise Broken(f"prim::DictConstruct cannot make a {type}")
    if len(node.inputs) % 2:
        raise Broken("prim::DictConstruct needs a value for every key")
    _expect_inputs(node, [type.key, type.value] * (len(node.inputs) // 2))


# -- Constants and attributes ----------------------------------------------------------------


def _check_constant(node: Node) -> None:
    _expect_count(node, "inputs", node.inputs, 0)
    _expect_count(node, "outputs", node.outputs, 1)
    type = node.output.type
    if isinstance(type, FunctionType):
        _expect_string(node, "name")
        return
    constant = node.attribute("value") if node.has_attribute("value") else None
    if not may_hold(type, constant):
        raise Broken(f"a constant of type {type} cannot hold {constant!r}")


def may_hold(type: Type, constant: object) -> bool:
    """Whether ``constant`` is a value of ``type``, as far as the compiler can tell."""
    if isinstance(type, OptionalType):
        return constant is None or may_hold(type.element, constant)
    if isinstance(type, ListType):
        return isinstance(constant, list) and _all_held(
            type.element, cast("list[object]", constant)
        )
    if isinstance(type, TupleType):
        return isinstance(constant, tuple) and _each_held(
            type.elements, cast("tuple[object, ...]", constant)
        )
    if isinstance(type, DictType):
        items = cast("dict[object, object]", constant)
        return (
            isinstance(constant, dict)
            and _all_held(type.key, items.keys())
            and _all_held(type.value, items.values())
        )
    if isinstance(type, TensorType):
        return constant.__class__ not in _PLAIN
    expected = _PYTHON_TYPES.get(type)
    return expected is None or constant.__class__ in expected


def _all_held(type: Type, constants: Iterable[object]) -> bool:
    return all(may_hold(type, constant) for constant in constants)


def _each_held(types: Sequence[Type], constants: Sequence[object]) -> bool:
    return len(types) == len(constants) and all(map(may_hold, types, constants))


_PYTHON_TYPES: dict[Type, tuple[type, ...]] = {
    INT: (int,),
    FLOAT: (float,),
    COMPLEX: (complex,),
    BOOL: (bool,),
    STRING: (str,),
    NUMBER: (int, float, complex),
    NONE: (type(None),),
    DEVICE: (Device,),
}

_PLAIN = (int, float, complex, bool, str, type(None), Device, list, tuple, dict)


def check_attributes(node: Node) -> None:
    """Attributes hold only the kinds of value that a graph can print."""
    for name, value in node.attributes.items():
        if not _is_attribute(value):
            raise Broken(f"attribute '{name}' of {node.kind} is of no kind an attribute can have")


def _is_attribute(value: object) -> bool:
    if isinstance(value, list | tuple):
        return all(map(_is_attribute, cast("Sequence[object]", value)))
    if isinstance(value, dict):
        items = cast("dict[object, object]", value)
        return all(map(_is_attribute, items)) and all(map(_is_attribute, items.values()))
    return (
        value.__class__ in _PLAIN or isinstance(value, Type | OpaqueConstant) or is_subgraph(value)
    )


# -- Subgraphs -------------------------------------------------------------------------------


def is_subgraph(value: object) -> TypeGuard[Graph]:
    """Whether ``value`` is a Graph, whose module stands above this one."""
    return isinstance(getattr(value, "block", None), Block)


def _check_subgraph(node: Node) -> None:
    subgraph = node.attribute("Subgraph") if node.has_attribute("Subgraph") else None
    if not is_subgraph(subgraph):
        raise Broken(f"{node.kind} needs a graph as its attribute 'Subgraph'")
    _expect_count(node, "inputs", node.inputs, len(subgraph.inputs))
    if len(node.outputs) > len(subgraph.outputs):
        raise Broken(f"{node.kind} has more outputs than its subgraph")


# -- Expectations ----------------------------------------------------------------------------


def _expect_count(node: Node, what: str, values: Sequence[Value], count: int) -> None:
    if len(values) != count:
        raise Broken(f"{node.kind} must have {count} {what}, not {len(values)}")


def _expect_blocks(node: Node, count: int) -> None:
    if len(node.blocks) != count:
        raise Broken(f"{node.kind} must have {count} blocks, not {len(node.blocks)}")


def _expect_type(node: Node, offset: int, type: Type) -> None:
    value = node.inputs[offset]
    if not value.type.is_subtype_of(type):
        raise Broken(
            f"input {offset} of {node.kind} must be of type {type},"
            f" but %{value.debug_name} is of type {value.type}"
        )


def _expect_inputs(node: Node, types: Sequence[Type]) -> None:
    _expect_count(node, "inputs", node.inputs, len(types))
    for offset, type in enumerate(types):
        _expect_type(node, offset, type)


def _expect_string(node: Node, attribute: str) -> None:
    if not node.has_attribute(attribute) or not isinstance(node.attribute(attribute), str):
        raise Broken(f"{node.kind} needs a string as its attribute '{attribute}'")


def _expect_matching(
    whose: str, what: str, given: Sequence[Value], wanted: Sequence[Value]
) -> None:
    """As many values as wanted, each of a type that may stand for the wanted one's."""
    if len(given) != len(wanted):
        raise Broken(f"{whose} must have {len(wanted)} {what}, not {len(given)}")
    for mine, theirs in zip(given, wanted):
        if not mine.type.is_subtype_of(theirs.type):
            raise Broken(
                f"among the {what} of {whose}, %{mine.debug_name} is of type {mine.type},"
                f" which is no {theirs.type} as %{theirs.debug_name} is"
            )


_CHECKS: dict[str, Callable[[Node], None]] = {
    prim.Return: _check_return,
    prim.Constant: _check_constant,
    prim.If: _check_if,
    prim.Loop: _check_loop,
    prim.With: _check_with,
    prim.Closure: _check_closure,
    prim.Store: _check_store,
    prim.Load: _check_load,
    prim.TupleConstruct: _check_tuple_construct,
    prim.TupleUnpack: _check_tuple_unpack,
    prim.ListConstruct: _check_list_construct,
    prim.ListUnpack: _check_list_unpack,
    prim.DictConstruct: _check_dict_construct,
    prim.fork: _check_subgraph,
    prim.DifferentiableGraph: _check_subgraph,
    prim.FusionGroup: _check_subgraph,
    prim.FunctionalGraph: _check_subgraph,
    prim.TensorExprGroup: _check_subgraph,
}
