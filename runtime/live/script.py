"""``tsc.script``: live functions, classes and modules, compiled."""

from __future__ import annotations

import inspect
import sys
from types import FrameType, FunctionType, MethodType
from typing import Any, Final
from weakref import WeakKeyDictionary

from tsc.compiler.ir import Graph
from tsc.compiler.ir.graph_function import check_constants, function_of_graph
from tsc.compiler.outer_net import foreseen
from tsc.compiler.source import UNKNOWN_RANGE, Error
from tsc.runtime.live.compilation import compilation
from tsc.runtime.live.markers import modifier_of
from tsc.runtime.python_api.script_function import ScriptFunction
from tsc.runtime.python_api.script_module import ScriptModule

_FORWARDED: Final = ("__doc__", "__module__", "__name__", "__qualname__")
"""What a compiled function has of the one that it was made of; not the function itself, which may go."""

_SCRIPTED: WeakKeyDictionary[FunctionType, ScriptFunction] = WeakKeyDictionary()


def script(obj: Any) -> Any:
    """Compile a function, a class or a module of Python; what it uses is compiled with it.

    A function becomes a `ScriptFunction`, a module (``torch.nn.Module``) a `ScriptModule`. A class
    stays the class it is: functions that are compiled may use it, and its objects may be passed.
    A `Graph`, built by hand or read by `tsc.parse_ir`, becomes a function that does what it does now.
    Raises `CompileError` with the place in the user's file, or `Error` for what is none of these.
    """
    with foreseen(calls_user=True):
        return _scripted(obj, sys._getframe(1))


def _scripted(obj: Any, caller: FrameType) -> Any:
    obj = inspect.getattr_static(obj, "_torchdynamo_inline", obj)  # what torch.jit compiled
    if isinstance(obj, ScriptFunction | ScriptModule):
        return obj
    if isinstance(obj, Graph):
        check_constants(obj)
        return ScriptFunction(function_of_graph(obj, "graph"))
    if isinstance(obj, type):
        return _scripted_class(obj, caller.f_locals)
    if isinstance(obj, FunctionType):
        return _scripted_function(obj)
    if hasattr(obj, "named_parameters") and hasattr(obj, "_modules"):
        from tsc.runtime.live.modules import scripted_module

        return scripted_module(obj)
    raise Error(_not_compiled(obj))


def _scripted_function(function: FunctionType) -> Any:
    if modifier_of(function) == "ignore":
        return function
    known = _SCRIPTED.get(function)
    if known is None:
        compiled = compilation().function(function)
        compiled.ensure_defined()
        known = _SCRIPTED[function] = ScriptFunction(compiled)
        known.__dict__.update({name: getattr(function, name) for name in _FORWARDED})
        known.__dict__["__signature__"] = inspect.signature(function)
    return known


def _scripted_class(cls: type, around: dict[str, Any]) -> type:
    if hasattr(cls, "named_parameters"):
        raise Error(
            f"the class '{cls.__name__}' is an nn.Module: what a module is made of is known only "
            "when there is one\nhint: script an instance, tsc.script(Model())"
        )
    found = compilation().classes.compiled(cls, UNKNOWN_RANGE, around)
    if found is None:
        raise Error(
            f"the class '{cls.__qualname__}' cannot be compiled: it is not written in Python"
        )
    return cls


def _not_compiled(obj: Any) -> str:
    kind = type(obj).__name__
    if isinstance(obj, MethodType):
        hint = "script the module that it belongs to, or a function"
    elif callable(obj):
        hint = "script a function that calls it"
    else:
        hint = "functions, classes and modules can be scripted"
    return f"an object of type '{kind}' cannot be scripted\nhint: {hint}"
