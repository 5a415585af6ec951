"""Attributes of modules that nobody writes to, as constants in graphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, cast

from tsc.compiler.analysis.alias_db import AliasDb
from tsc.compiler.ir import Graph, Node, Value, prim
from tsc.compiler.types import Device, EnumMember, OptionalType, Type
from tsc.runtime.arrays.storage import storage_of
from tsc.runtime.execution.shape_inference import known_tensor_type
from tsc.runtime.freezing.module_values import ModuleValues, is_module
from tsc.runtime.values.objects import ScriptObject
from tsc.runtime.values.tensor import Tensor

Attribute = tuple[int, str]
"""A module, by its id, and the name of an attribute."""

_PLAIN = (bool, int, float, complex, str, Device, EnumMember, type(None))


class MutableAttributes:
    """The attributes that must stay, since a method sets them, writes to them, or hands out their module."""

    def __init__(self) -> None:
        self._attributes: set[Attribute] = set()
        self.whole: dict[int, ScriptObject] = {}
        self._storages: dict[int, object] = {}

    def add_set(self, graph: Graph, root: ScriptObject) -> None:
        """Find what a method sets, in which nothing is called any more."""
        values = ModuleValues(graph, root)
        for module in values.escaping():
            self.keep_whole(module)
        for node in graph.all_nodes():
            owner = values.owner(node)
            if owner is not None and node.kind == prim.SetAttr:
                self.keep(owner, node.string_attribute("name"))

    def add_written(self, graph: Graph, root: ScriptObject) -> None:
        """Find what a method writes to. As constants, attributes are apart from each other and from what comes in."""
        tried = graph.copy()
        read = insert_constants(tried, root, self)
        alias_db = AliasDb(tried)
        for value, (module, name) in read.items():
            if alias_db.has_writers_within(value):
                self.keep(module, name)

    def keep(self, module: ScriptObject, name: str) -> None:
        """Have an attribute stay, with all that shares its memory."""
        self._attributes.add((id(module), name))
        for tensor in tensors_in(module.script_attributes[name]):
            storage = storage_of(tensor.array)
            self._storages[id(storage)] = storage

    def keep_whole(self, module: ScriptObject) -> None:
        """Have a module stay as it is."""
        for each in modules_below(module):
            self.whole[id(each)] = each
            for name in each.script_attributes:
                self.keep(each, name)

    def holds(self, module: ScriptObject, name: str) -> bool:
        """Whether an attribute must stay an attribute."""
        value = module.script_attributes[name]
        return (
            (id(module), name) in self._attributes
            or not _can_be_constant(value)
            or any(map(self._shares_memory, tensors_in(value)))
        )

    def _shares_memory(self, tensor: Tensor) -> bool:
        return id(storage_of(tensor.array)) in self._storages


def insert_constants(
    graph: Graph, root: ScriptObject, kept: MutableAttributes, *, plain_only: bool = False
) -> dict[Value, tuple[ScriptObject, str]]:
    """Puts constants in the place of what is read from modules; returns what they stand for.

    With ``plain_only`` these are numbers, texts and the like, to which nobody can write.
    """
    values = ModuleValues(graph, root)
    made: dict[Attribute, Value] = {}
    found: dict[Value, tuple[ScriptObject, str]] = {}
    for node in list(graph.all_nodes()):
        owner = values.owner(node)
        if owner is None or node.kind != prim.GetAttr or node.output in values.modules:
            continue
        name = node.string_attribute("name")
        value = owner.script_attributes[name]
        if kept.holds(owner, name) or (plain_only and not isinstance(value, _PLAIN)):
            continue
        key = (id(owner), name)
        if key not in made:
            made[key] = _constant(graph, _detached(value), node)
            made[key].set_debug_name(".".join(("self", *values.paths[node.output])))
            found[made[key]] = owner, name
        node.output.replace_all_uses_with(made[key])
        node.destroy()
    return found


def _constant(graph: Graph, value: Any, node: Node) -> Value:
    type: Type | None = known_tensor_type(value) or node.output.type
    if isinstance(type, OptionalType):
        type = None if value is None else type.element
    first = next(graph.nodes())
    with graph.insert_at(first):
        return graph.insert_constant(value, type)


def _detached(value: Any) -> Any:
    """The same value without gradients; tensors share their memory with it."""
    if isinstance(value, Tensor):
        return Tensor(value.array)
    if isinstance(value, list | tuple):
        members = [_detached(each) for each in cast("list[Any]", value)]
        return members if isinstance(value, list) else tuple(members)
    return value


def _can_be_constant(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return all(map(_can_be_constant, cast("list[Any]", value)))
    return isinstance(value, _PLAIN) or (isinstance(value, Tensor) and value.has_array)


def tensors_in(value: Any) -> Iterator[Tensor]:
    """The tensors that a value of a program is or holds, those of modules in it left aside."""
    if isinstance(value, Tensor) and value.has_array:
        yield value
    elif isinstance(value, list | tuple):
        for each in cast("list[Any]", value):
            yield from tensors_in(each)
    elif isinstance(value, dict):
        yield from tensors_in(list(cast("dict[Any, Any]", value).values()))
    elif isinstance(value, ScriptObject) and not is_module(value):
        yield from tensors_in(list(value.script_attributes.values()))


def modules_below(module: ScriptObject) -> Iterable[ScriptObject]:
    """A module and all modules in it, each once."""
    found = {id(module): module}
    pending = [module]
    while pending:
        for value in pending.pop().script_attributes.values():
            if is_module(value) and id(value) not in found:
                found[id(value)] = value
                pending.append(value)
    return found.values()
