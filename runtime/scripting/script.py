"""Scripting: a module that exists becomes a `ScriptModule`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tsc.compiler.budget import charging
from tsc.compiler.compile import Toolchain
from tsc.compiler.emit.sugared_values.concrete_module_types import ConcreteModuleType
from tsc.compiler.source import Stage
from tsc.runtime.construction.construct import Construction
from tsc.runtime.construction.values.modules import ModuleInstance
from tsc.runtime.execution.toolchain import toolchain
from tsc.runtime.python_api.script_module import ScriptModule, wrapped
from tsc.runtime.scripting.concrete_types import ConcreteTypes
from tsc.runtime.scripting.evaluated_modules import EvaluatedModule
from tsc.runtime.scripting.module_source import ModuleSource
from tsc.runtime.values.objects import ScriptObject


def script_module(module: ModuleSource, using: Toolchain | None = None) -> ScriptModule:
    """Compile a module and all below it. Raises `CompileError`."""
    types = ConcreteTypes(using or toolchain())
    return _made(module, types, types.type_of, types.object_of)


def script_instance(instance: ModuleInstance, construction: Construction) -> ScriptModule:
    """The same for a module of an evaluated source file."""
    types = ConcreteTypes(construction.evaluator.toolchain)
    module = EvaluatedModule(instance, construction)
    return _made(module, types, partial(evaluated_type, types), partial(_evaluated_object, types))


def evaluated_type(types: ConcreteTypes, module: EvaluatedModule) -> ConcreteModuleType:
    """The type of a module that a source file made. What it holds may be made to cost: a budget pays."""
    with charging():
        return types.type_of(module)


def _evaluated_object(types: ConcreteTypes, module: EvaluatedModule) -> ScriptObject:
    """The object of such a module, which has one for every way that leads to a shared submodule."""
    with charging():
        return types.object_of(module)


def _made(
    module: ModuleSource,
    types: ConcreteTypes,
    type_of: Callable[[Any], ConcreteModuleType],
    object_of: Callable[[Any], ScriptObject],
) -> ScriptModule:
    with Stage("scripting", f"module '{module.qualified_name}'"):
        types.compile(type_of(module))
        made = wrapped(object_of(module))
    assert isinstance(made, ScriptModule)
    return made
