"""A function in an archive is the ``forward`` of a module that has nothing else, as PyTorch writes it."""

from __future__ import annotations

from dataclasses import replace

from tsc.compiler.ir import Function
from tsc.compiler.schema import Argument
from tsc.compiler.types import BOOL, ClassAttribute, ClassType
from tsc.runtime.python_api.script_function import ScriptFunction
from tsc.runtime.python_api.script_module import ScriptModule, wrapped
from tsc.runtime.values.objects import ScriptObject

_NAME = "__torch__.PlaceholderModule"
_FORWARD = "forward"


def module_of_function(function: ScriptFunction) -> ScriptModule:
    """A module that does what a function does. Raises `CompileError` if that does not compile."""
    type = ClassType(_NAME, is_module=True)
    type.add_attribute(ClassAttribute("training", BOOL))
    graph = function.graph.copy()
    graph.insert_input(0, "self", type)
    arguments = (Argument.of("self", type), *function.schema.arguments)
    schema = replace(function.schema, name=_FORWARD, arguments=arguments)
    type.methods[_FORWARD] = Function(f"{_NAME}.{_FORWARD}", graph=graph, schema=schema)
    made = ScriptObject(type)
    made.script_attributes["training"] = True
    module = wrapped(made)
    assert isinstance(module, ScriptModule)
    return module
