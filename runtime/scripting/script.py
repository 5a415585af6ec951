"""Scripting: a module that exists becomes a `ScriptModule`."""

from __future__ import annotations

from compiler.compile import Toolchain
from runtime.construction.construct import Construction
from runtime.construction.values import ModuleInstance
from runtime.script_module import ScriptModule, wrapped
from runtime.scripting.concrete_types import ConcreteTypes
from runtime.scripting.evaluated_modules import EvaluatedModule
from runtime.scripting.module_source import ModuleSource
from runtime.toolchain import toolchain


def script_module(module: ModuleSource, using: Toolchain | None = None) -> ScriptModule:
    """Compile a module and all below it. Raises `CompileError`."""
    types = ConcreteTypes(using or toolchain())
    types.compile(types.type_of(module))
    made = wrapped(types.object_of(module))
    assert isinstance(made, ScriptModule)
    return made


def script_instance(instance: ModuleInstance, construction: Construction) -> ScriptModule:
    """The same for a module of an evaluated source file."""
    return script_module(EvaluatedModule(instance, construction), construction.evaluator.toolchain)
