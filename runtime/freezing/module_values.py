"""Which modules the values of a method's graph are, as long as that is known before it runs."""

from __future__ import annotations

from typing import Final

from tsc.compiler.ir import Graph, Node, Value, prim
from tsc.runtime.execution.run_pass import find_pass
from tsc.runtime.values.objects import ScriptObject

Path = tuple[str, ...]
"""The names of attributes that lead from the frozen module to something in it."""

_ATTRIBUTE: Final = (prim.GetAttr, prim.SetAttr)


def is_module(value: object) -> bool:
    return isinstance(value, ScriptObject) and value.script_type.is_module


class ModuleValues:
    """The modules that are read from the first input of a graph, attribute by attribute."""

    def __init__(self, graph: Graph, root: ScriptObject) -> None:
        self.paths: dict[Value, Path] = {graph.inputs[0]: ()}
        self.modules: dict[Value, ScriptObject] = {graph.inputs[0]: root}
        for node in graph.all_nodes():
            if node.kind == prim.GetAttr and node.inputs[0] in self.modules:
                self._note(node)

    def _note(self, node: Node) -> None:
        name = node.string_attribute("name")
        value = self.modules[node.inputs[0]].script_attributes[name]
        self.paths[node.output] = (*self.paths[node.inputs[0]], name)
        if isinstance(value, ScriptObject) and value.script_type.is_module:
            self.modules[node.output] = value

    def owner(self, node: Node) -> ScriptObject | None:
        """The module whose attribute a node reads or sets; None for any other node."""
        return self.modules.get(node.inputs[0]) if node.kind in _ATTRIBUTE else None

    def escaping(self) -> list[ScriptObject]:
        """The modules that are used for something else than their attributes: anything may be done to them."""
        return [
            module
            for value, module in self.modules.items()
            if any(use.node.kind not in _ATTRIBUTE or use.offset != 0 for use in value.uses)
        ]


def inlined_method(graph: Graph, root: ScriptObject) -> Graph:
    """A copy in which no method of a module is called: an interface gives way to the module that is there."""
    made = graph.copy()
    inline = find_pass("inline")
    while True:
        for value, module in ModuleValues(made, root).modules.items():
            value.set_type(module.script_type)
        if not inline.run(made):
            return made
