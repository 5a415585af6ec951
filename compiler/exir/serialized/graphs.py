"""Graphs of a serialized program: nodes with their arguments, what is known of their values, and graphs in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tsc.compiler.exir.arguments import Argument
from tsc.compiler.exir.graph import Graph, GraphModule
from tsc.compiler.exir.node import Node
from tsc.compiler.exir.serialized.arguments import ArgumentReader, constant_of, name_in
from tsc.compiler.exir.serialized.json_values import (
    JsonObject,
    SerializedProgramError,
    array,
)
from tsc.compiler.exir.serialized.tensor_meta import symbolic, tensor_of
from tsc.compiler.exir.targets import GETITEM, Target

_MOST_NESTED: Final = 50
_KEYWORD: Final = 2
_PYTHON_OPERATORS: Final = "_operator."
_SYMBOLS: Final = ("sym_int_values", "sym_float_values", "sym_bool_values")


def read_graph(
    value: JsonObject, input_names: Sequence[str | None] = (), depth: int = 0
) -> GraphModule:
    """A graph and those in it. `input_names` are those of inputs that are constants, None for others."""
    if depth > _MOST_NESTED:
        raise SerializedProgramError(f"{value.place} is nested too deep")
    return _GraphReader(value, depth).read(input_names)


class _GraphReader:
    def __init__(self, value: JsonObject, depth: int) -> None:
        self._value, self._depth = value, depth
        self._module = GraphModule(Graph())
        self._graph = self._module.graph
        self._nodes: dict[str, Node] = {}
        self._metadata: dict[str, Any] = {}  # of the node that is read
        self._arguments = ArgumentReader(self)
        self._tensors: Mapping[str, JsonObject] = value.mapped("tensor_values")
        self._numbers: dict[str, JsonObject] = {}
        for name in _SYMBOLS:
            self._numbers |= value.mapped(name)

    def read(self, input_names: Sequence[str | None]) -> GraphModule:
        for number, each in enumerate(self._value.objects("inputs")):
            constant = input_names[number] if number < len(input_names) else None
            self._input(each, constant)
        for each in self._value.objects("nodes"):
            self._node(each)
        results = [self._arguments.argument(each) for each in self._value.objects("outputs")]
        is_single = self._value.has("is_single_tensor_return") and self._value.flag(
            "is_single_tensor_return"
        )
        if is_single and not (len(results) == 1 and isinstance(results[0], Node)):
            raise SerializedProgramError(f"{self._value.place} does not return a single tensor")
        self._graph.output(results[0] if is_single else tuple(results))
        return self._module

    # -- What arguments refer to -------------------------------------------------------------------

    def node(self, name: str, place: str) -> Node:
        if name not in self._nodes:
            raise SerializedProgramError(f"{place}: there is no node {name!r} before this one")
        return self._nodes[name]

    def graph(self, value: JsonObject) -> Node:
        name = value.text("name")
        inner = read_graph(value.object("graph"), depth=self._depth + 1)
        node = self._graph.get_attr(name)
        node.meta |= self._metadata
        self._module.modules[node.name] = inner
        node.target = node.name
        return node

    # -- Nodes -------------------------------------------------------------------------------------

    def _input(self, value: JsonObject, constant_name: str | None) -> None:
        name = name_in(value)
        if name is None:
            node = self._graph.placeholder(constant_name or "constant")
            node.meta["val"] = constant_of(value)
        else:
            node = self._named(self._graph.placeholder(name), name, value.place)
            node.meta["val"] = self._known_value(name)
            if node.meta["val"] is None:
                raise SerializedProgramError(f"{value.place}: nothing tells what {name!r} is")
        self._nodes[node.name] = node

    def _node(self, value: JsonObject) -> None:
        self._metadata = _metadata(value)
        args: list[Argument] = []
        names: list[str] = []
        kwargs: dict[str, Argument] = {}
        for each in value.objects("inputs"):
            argument = self._arguments.argument(each.object("arg"))
            if each.has("kind") and each.integer("kind") == _KEYWORD:
                kwargs[each.text("name")] = argument
            else:
                args.append(argument)
                names.append(each.text("name") if each.has("name") else "")
        target = value.text("target")
        if target.startswith(_PYTHON_OPERATORS):
            target = target[1:]
        outputs = value.objects("outputs")
        name = self._name_of(value, outputs)
        node = self._graph.call_function(Target(target), args, kwargs, name)
        node.meta |= self._metadata | {"argument_names": tuple(names)}
        if name is not None:
            self._named(node, name, value.place)
            self._nodes[name] = node
        self._results(node, value, outputs)

    def _named(self, node: Node, name: str, place: str) -> Node:
        if node.name != name:
            raise SerializedProgramError(f"{place}: {name!r} is no name that a node can have here")
        return node

    def _name_of(self, value: JsonObject, outputs: Sequence[JsonObject]) -> str | None:
        """The name of the call itself, which is that of its result if there is only one."""
        if _is_single(value, outputs):
            return name_in(outputs[0])
        return value.text("name") if value.has("name") else None

    def _results(self, node: Node, value: JsonObject, outputs: Sequence[JsonObject]) -> None:
        """What the call returns: its value, or a node for each part of it."""
        if _is_single(value, outputs):
            node.meta["val"] = self._known_value(node.name)
            return
        parts = [self._part(value.place, each) for each in outputs]
        if len(parts) == 1 and isinstance(parts[0], list):
            node.meta["val"] = self._elements(node, parts[0], value.place)
        else:
            node.meta["val"] = tuple(self._elements(node, parts, value.place)) or None

    def _part(self, place: str, value: JsonObject) -> str | list[Any] | None:
        """The name of a result, or those of a list; None for what is none."""
        kind, found = value.choice()
        if kind != "as_tensors":
            return name_in(value)
        return [JsonObject.of(each, place).text("name") for each in array(found, place)]

    def _elements(self, node: Node, parts: Sequence[Any], place: str) -> list[Any]:
        """A node for each of several results; their values."""
        return [
            None if part is None else self._element(node, number, part, place)
            for number, part in enumerate(parts)
        ]

    def _element(self, node: Node, number: int, part: str | list[Any], place: str) -> Any:
        """The node of one of several results, and those of its own elements; its value."""
        name = part if isinstance(part, str) else None
        found = self._graph.call_function(GETITEM, (node, number), name=name)
        found.meta |= self._metadata
        if isinstance(part, list):
            value = self._elements(found, part, place)
        else:
            self._nodes[part] = self._named(found, part, place)
            value = self._known_value(part)
        found.meta["val"] = value
        return value

    def _known_value(self, name: str) -> Any:
        if name in self._tensors:
            return tensor_of(self._tensors[name])
        return symbolic(self._numbers[name]) if name in self._numbers else None


def _is_single(value: JsonObject, outputs: Sequence[JsonObject]) -> bool:
    """Whether the call returns what its one output is, and not a list or a tuple of it."""
    if len(outputs) != 1 or outputs[0].choice()[0] == "as_tensors" or name_in(outputs[0]) is None:
        return False
    if not Target(value.text("target")).is_higher_order:
        return True
    name = "is_hop_single_tensor_return"
    return not value.has(name) or value.flag(name)


def _metadata(value: JsonObject) -> dict[str, Any]:
    """Where a node comes from; what else is told of it stays a text."""
    found = value.object("metadata") if value.has("metadata") else JsonObject({}, value.place)
    meta: dict[str, Any] = {key: found.text(key) for key in found.fields}
    if "nn_module_stack" in meta:
        meta["nn_module_stack"] = _module_stack(meta["nn_module_stack"])
    if "source_fn_stack" in meta:
        entries = _entries(meta["source_fn_stack"])
        meta["source_fn_stack"] = [each.partition(",")[::2] for each in entries]
    return meta


def _entries(text: str) -> list[str]:
    return [each for each in text.split(";") if each]


def _module_stack(text: str) -> dict[str, tuple[str, str]]:
    """Paths and classes of modules by keys: "key,path,class;…"."""
    stack: dict[str, tuple[str, str]] = {}
    for each in _entries(text):
        key, _, rest = each.partition(",")
        path, _, module_class = rest.rpartition(",")
        stack[key] = (path, module_class)
    return stack
