"""What remains of modules when most of their attributes are constants: objects of new classes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tsc.compiler.ir import MANGLED, Graph
from tsc.compiler.types import ClassType
from tsc.runtime.freezing.constant_attributes import MutableAttributes
from tsc.runtime.freezing.module_values import ModuleValues
from tsc.runtime.values.objects import ScriptObject


class KeptModules:
    """Makes the modules anew, with the attributes that are still used and the modules on the way to those."""

    def __init__(self, root: ScriptObject, mutable: MutableAttributes) -> None:
        self._root = root
        self._mutable = mutable
        self._names: dict[int, tuple[ScriptObject, dict[str, None]]] = {}
        self._made: dict[int, ScriptObject] = {}
        self._class_names: set[str] = set()

    def keep_used(self, graph: Graph) -> None:
        """Have all that a graph reads and sets stay."""
        values = ModuleValues(graph, self._root)
        for node in graph.all_nodes():
            owner = values.owner(node)
            if owner is not None:
                self.keep(owner, node.string_attribute("name"))

    def keep(self, module: ScriptObject, name: str) -> None:
        """Have an attribute of a module stay."""
        self._names.setdefault(id(module), (module, {}))[1].setdefault(name)

    def made(self, module: ScriptObject) -> ScriptObject:
        """The module that takes the place of one that was there: itself if it stays whole."""
        known = self._made.get(id(module))
        if known is not None:
            return known
        if module is not self._root and id(module) in self._mutable.whole:
            return module
        if not self._made:
            whole = self._mutable.whole.values()
            self._class_names.update(each.script_type.qualified_name for each in whole)
        type = ClassType(self._class_name(module.script_type.qualified_name), is_module=True)
        made = self._made[id(module)] = ScriptObject(type)
        _module, names = self._names.get(id(module), (module, {}))
        self._fill(made, module, [each for each in module.script_type.attributes if each in names])
        return made

    def _fill(self, made: ScriptObject, module: ScriptObject, names: Iterable[str]) -> None:
        for name in names:
            value = module.script_attributes[name]
            attribute = module.script_type.attributes[name]
            if isinstance(value, ScriptObject) and value.script_type.is_module:
                value = self.made(value)
                attribute = replace(attribute, type=value.script_type)
            made.script_type.add_attribute(attribute)
            made.script_attributes[name] = value

    def _class_name(self, wanted: str) -> str:
        """Each module has a class of its own, each class a name of its own."""
        path, _, last = wanted.rpartition(".")
        name, number = wanted, 0
        while name in self._class_names:
            name = f"{path}.{MANGLED}{number}.{last}"
            number += 1
        self._class_names.add(name)
        return name

    def retype(self, graph: Graph) -> None:
        """Give the modules in a graph the classes that they have now."""
        for value, module in ModuleValues(graph, self._root).modules.items():
            value.set_type(self.made(module).script_type)
