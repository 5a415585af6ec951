"""Scripting: a module that exists becomes a `ScriptModule`."""

from __future__ import annotations

from tsc.compiler.compile import Toolchain
from tsc.compiler.source import Stage
from tsc.runtime.construction.construct import Construction
from tsc.runtime.construction.values.modules import ModuleInstance
from tsc.runtime.execution.toolchain import toolchain
from tsc.runtime.python_api.script_module import ScriptModule, wrapped
from tsc.runtime.scripting.concrete_types import ConcreteTypes
from tsc.runtime.scripting.evaluated_modules import EvaluatedModule
from tsc.runtime.scripting.module_source import ModuleSource


def script_module(module: ModuleSource, using: Toolchain | None = None) -> ScriptModule:
    """Compile a module and all below it. Raises `CompileError`."""
    with Stage("scripting", f"module '{module.qualified_name}'"):
        types = ConcreteTypes(using or toolchain())
        types.compile(types.type_of(module))
        made = wrapped(types.object_of(module))
    assert isinstance(made, ScriptModule)
    return made


def script_instance(instance: ModuleInstance, construction: Construction) -> ScriptModule:
    """The same for a module of an evaluated source file."""
    return script_module(EvaluatedModule(instance, construction), construction.evaluator.toolchain)
