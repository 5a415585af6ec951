"""Graphs as a serialized program has them: the inverse of `graphs`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import zip_longest
from typing import Any, Final, cast

from tsc.compiler.exir.arguments import Argument
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.graph import GraphModule
from tsc.compiler.exir.node import Node, Op
from tsc.compiler.exir.serialized.called_names import (
    names_of_numbers,
    names_that_were_read,
    schema_of,
)
from tsc.compiler.exir.serialized.expressions import number_type
from tsc.compiler.exir.serialized.json_values import SerializedProgramError
from tsc.compiler.exir.serialized.tensor_meta import symbolic_json, tensor_json
from tsc.compiler.exir.serialized.written_arguments import ArgumentWriter
from tsc.compiler.exir.serialized.written_metadata import metadata_json
from tsc.compiler.exir.symbolic_expressions import SymbolicExpression
from tsc.compiler.exir.targets import GETITEM, Target
from tsc.compiler.schema import FunctionSchema, OperatorTable
from tsc.compiler.types import TENSOR, ListType, Type

_POSITIONAL, _KEYWORD = 1, 2
_KINDS: Final[Mapping[type, str]] = {int: "as_sym_int", float: "as_sym_float", bool: "as_sym_bool"}
_VALUES: Final[Mapping[str, str]] = {
    "as_tensor": "tensor_values",
    "as_sym_int": "sym_int_values",
    "as_sym_float": "sym_float_values",
    "as_sym_bool": "sym_bool_values",
}


def graph_json(module: GraphModule, operators: OperatorTable) -> dict[str, Any]:
    """A graph and those in it; `operators` tell what arguments are called.

    Raises `SerializedProgramError`, which names the node, for what a serialized program has no place for.
    """
    return _GraphWriter(module, operators).write()


class _GraphWriter:
    def __init__(self, module: GraphModule, operators: OperatorTable) -> None:
        self._module, self._operators = module, operators
        self._kinds: dict[str, str] = {}
        self._known: dict[str, dict[str, Any]] = {each: {} for each in _VALUES.values()}
        self._arguments = ArgumentWriter(self)

    def write(self) -> dict[str, Any]:
        graph = self._module.graph
        inputs = [self._at(each, self._input) for each in graph.placeholders]
        calls = [node for node in graph.nodes if node.op is Op.CALL_FUNCTION]
        nodes = [self._at(each, self._call) for each in calls if each.target != GETITEM]
        result = graph.output_node.args[0]
        is_single = isinstance(result, Node)
        results = result if isinstance(result, list | tuple) else (result,)
        outputs = [self._arguments.argument(each) for each in results]
        return {
            "inputs": inputs,
            "outputs": outputs,
            "nodes": nodes,
            **{each: self._known[each] for each in ("tensor_values", "sym_int_values")},
            "sym_bool_values": self._known["sym_bool_values"],
            "is_single_tensor_return": is_single,
            "custom_obj_values": {},
            "sym_float_values": self._known["sym_float_values"],
        }

    def _at(self, node: Node, write: Callable[[Node], dict[str, Any]]) -> dict[str, Any]:
        """What is written of a node; errors name it."""
        try:
            return write(node)
        except SerializedProgramError as error:
            raise SerializedProgramError(f"{node.name} ({node.target}): {error}") from None

    # -- What arguments refer to -------------------------------------------------------------------

    def kind(self, node: Node) -> str:
        if node.op is Op.GET_ATTR:
            return "as_graph"
        if node.name not in self._kinds:
            raise SerializedProgramError(f"{node.name} is no value that can be an argument")
        return self._kinds[node.name]

    def reference(self, node: Node) -> Any:
        kind = self.kind(node)
        if kind == "as_graph":
            inner = self._module.modules[str(node.target)]
            return {"name": node.target, "graph": graph_json(inner, self._operators)}
        return {"name" if kind == "as_tensor" else "as_name": node.name}

    # -- Nodes -------------------------------------------------------------------------------------

    def _input(self, node: Node) -> dict[str, Any]:
        value = node.meta.get("val")
        if isinstance(value, FakeTensor | SymbolicExpression):
            return self._value(node.name, value)
        return self._arguments.argument(value)

    def _call(self, node: Node) -> dict[str, Any]:
        target = cast("Target", node.target)
        schema = schema_of(target, self._operators)
        text = target.text
        is_single = isinstance(node.meta.get("val"), FakeTensor)
        return {
            "target": f"_{text}" if text.startswith("operator.") else text,
            "inputs": list(self._inputs(node, schema)),
            "outputs": self._outputs(node, schema),
            "metadata": metadata_json(node.meta),
            "is_hop_single_tensor_return": is_single if target.is_higher_order else None,
            "name": node.name,
        }

    def _inputs(self, node: Node, schema: FunctionSchema | None) -> Iterator[dict[str, Any]]:
        if schema is not None:
            yield from self._inputs_of_schema(node, schema)
            return
        names = self._names(node)
        for name, each in zip_longest(names, node.args, fillvalue=""):
            yield self._named(name, each, _POSITIONAL)
        for name, each in node.kwargs.items():
            yield self._named(name, each, _KEYWORD)

    def _names(self, node: Node) -> list[str]:
        """What positional arguments are called of which no schema tells it."""
        target = cast("Target", node.target)
        if target.is_higher_order or target.is_predispatch:
            return []
        names = names_that_were_read(node) if target.is_operator else names_of_numbers(target)
        if len(names) < len(node.args):
            raise SerializedProgramError("the schema of the operator is not known")
        return list(names[: len(node.args)])

    def _inputs_of_schema(self, node: Node, schema: FunctionSchema) -> Iterator[dict[str, Any]]:
        _check_names(node, schema)
        for place, argument in enumerate(schema.arguments):
            if argument.name in node.kwargs:
                given = node.kwargs[argument.name]
                yield self._named(argument.name, given, _KEYWORD, argument.type)
            elif place < len(node.args):
                yield self._named(argument.name, node.args[place], _POSITIONAL, argument.type)

    def _named(
        self, name: str, given: Argument, kind: int, wanted: Type | None = None
    ) -> dict[str, Any]:
        return {"name": name, "arg": self._arguments.argument(given, wanted), "kind": kind}

    # -- Results -----------------------------------------------------------------------------------

    def _outputs(self, node: Node, schema: FunctionSchema | None) -> list[dict[str, Any]]:
        value = node.meta.get("val")
        if schema is not None and not schema.returns:
            return []
        if not isinstance(value, tuple | list):
            if value is None and not _is_higher_order(node):
                return []
            return [self._output(node.name, value)]
        parts = cast("list[Any]", value)
        returns = None if schema is None else [each.type for each in schema.returns]
        is_list = isinstance(value, list) if returns is None else returns == [ListType(TENSOR)]
        elements = _elements(node)
        if is_list and not _is_higher_order(node):
            return [self._tensors(node, f"{node.name}_unused", elements, parts)]
        return [self._part(node, place, each, elements) for place, each in enumerate(parts)]

    def _part(
        self, node: Node, place: int, value: Any, elements: Mapping[int, Node]
    ) -> dict[str, Any]:
        """A result of several: a value, or a list of tensors."""
        name, found = f"{node.name}_unused_{place}", elements.get(place)
        if isinstance(value, tuple | list):
            inner = {} if found is None else _elements(found)
            return self._tensors(found or node, name, inner, cast("list[Any]", value))
        return self._output(name if found is None else found.name, value)

    def _tensors(
        self, node: Node, unused: str, elements: Mapping[int, Node], values: list[Any]
    ) -> dict[str, Any]:
        names = [
            elements[place].name if place in elements else f"{unused}_{place}"
            for place in range(len(values))
        ]
        written = [self._output(name, each) for name, each in zip(names, values)]
        if not all("as_tensor" in each for each in written):
            raise SerializedProgramError(f"{node.name} has a list of something else than tensors")
        return {"as_tensors": [each["as_tensor"] for each in written]}

    def _output(self, name: str, value: Any) -> dict[str, Any]:
        return {"as_none": True} if value is None else self._value(name, value)

    def _value(self, name: str, value: Any) -> dict[str, Any]:
        """A value that there is from here on, and what is known of it."""
        is_tensor = isinstance(value, FakeTensor)
        kind = "as_tensor" if is_tensor else _number_kind(value)
        if name in self._kinds:
            raise SerializedProgramError(f"there are two values of the name {name}")
        self._kinds[name] = kind
        known = tensor_json(value) if is_tensor else symbolic_json(value)
        self._known[_VALUES[kind]][name] = known
        return {kind: {"name" if is_tensor else "as_name": name}}


def _check_names(node: Node, schema: FunctionSchema) -> None:
    """Whether each argument has a place in the schema of its own."""
    names = [each.name for each in schema.arguments]
    if len(node.args) > len(names):
        raise SerializedProgramError(f"it has {len(node.args)} arguments, and takes {len(names)}")
    for each in node.kwargs:
        if each not in names[len(node.args) :]:
            raise SerializedProgramError(f"it takes no argument {each}, or has it already")


def _is_higher_order(node: Node) -> bool:
    return isinstance(node.target, Target) and node.target.is_higher_order


def _elements(node: Node) -> dict[int, Node]:
    """The nodes that take elements of a result, by their places; the first of several."""
    found: dict[int, Node] = {}
    for user in node.users:
        place = user.args[1] if user.target == GETITEM else None
        if type(place) is not int:
            raise SerializedProgramError(f"{user.name} takes several results as one")
        found.setdefault(place, user)
    return found


def _number_kind(value: Any) -> str:
    is_expression = isinstance(value, SymbolicExpression)
    kind = number_type(value) if is_expression else cast("type[object]", type(value))
    if kind not in _KINDS:
        raise SerializedProgramError(f"nothing is known of its value ({kind.__name__})")
    return _KINDS[kind]
