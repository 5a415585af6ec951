"""PyTorch's names for Python, without PyTorch: ``tsc.relu(x)``, ``tsc.nn.functional.gelu(x)``, ``tsc.linalg.norm(x)``.

They are what the same names are in compiled code: operators, functions of the library, and constants.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tsc.compiler.emit.names import known_modules as known
from tsc.compiler.emit.names.absent_names import absent_member
from tsc.runtime.arrays.dtypes import DTYPE_OF_NAME
from tsc.runtime.construction.torch_functions import library_overloads, run_operator
from tsc.runtime.context import trace_state
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.execution.toolchain import toolchain
from tsc.runtime.python_api import eager
from tsc.runtime.python_api.script_function import ScriptFunction, converted_arguments

_ROOT = "torch"


class TorchFunction:
    """A function by its path in PyTorch. Compiled code knows it by that, too."""

    __slots__ = ("__name__", "_call", "path")

    def __init__(self, path: str, call: Callable[..., Any]) -> None:
        self.path = path
        self.__name__ = path.rpartition(".")[2]
        self._call = call

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._call(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<function {self.path}>"


class TorchNamespace:
    """A module by its path in PyTorch."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        value = member(self.path, name)
        vars(self)[name] = value
        return value

    def __repr__(self) -> str:
        return f"<namespace {self.path}>"


def member(module: str, name: str) -> Any:
    """What a name in a module of PyTorch is here. Raises AttributeError."""
    path = f"{module}.{name}"
    if path in known.MODULES:
        return TorchNamespace(path)
    if module == _ROOT and name in DTYPE_OF_NAME:
        return DTYPE_OF_NAME[name]
    if path in known.CONSTANTS:
        return known.CONSTANTS[path]
    call = _function(path)
    if call is None:
        facade = path.replace(_ROOT, "tsc", 1).rpartition(".")[0]
        absence = absent_member(module, name)
        reason = "" if absence is None else f". {absence}"
        raise AttributeError(f"module '{facade}' has no attribute {name!r}{reason}")
    return TorchFunction(path, call)


def function_at(path: str) -> Callable[..., Any] | None:
    """The function of that path, or None if there is none."""
    return _function(path)


def _function(path: str) -> Callable[..., Any] | None:
    module, _, name = path.rpartition(".")
    if path in known.OPERATORS:
        return _operator(known.OPERATORS[path])
    path = known.LIBRARY_ALIASES.get(path, path)
    if path in known.DISPATCHES:
        return _dispatch(known.DISPATCHES[path])
    if path.rpartition(".")[0] in known.LIBRARY_MODULES:
        functions = library_overloads(toolchain().library, path)
        if functions:
            return lambda *args, **kwargs: _first_fitting(functions, args, kwargs)
    prefix = known.OPERATOR_PREFIXES.get(module)
    return None if prefix is None else _operator(prefix + name)


def _operator(kind: str) -> Callable[..., Any] | None:
    namespace, _, name = kind.partition("::")
    if namespace != "aten" or not eager.has_operator(name):
        return None
    return lambda *args, **kwargs: run_operator(name, args, kwargs)


def _dispatch(dispatch: known.Dispatch | str) -> Callable[..., Any] | None:
    """One of two functions, as a flag says."""
    if isinstance(dispatch, str):
        return _function(dispatch)
    flag, position, *paths = dispatch
    chosen = [_dispatch(path) for path in paths]

    def call(*args: Any, **kwargs: Any) -> Any:
        is_set = args[position] if len(args) > position else kwargs.get(flag, False)
        function = chosen[0] if is_set else chosen[1]
        assert function is not None
        return function(*args, **kwargs)

    return call


def _first_fitting(
    functions: Sequence[ScriptFunction], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Any:
    """The result of the first overload that takes the arguments."""
    *others, last = functions
    for function in others:
        try:
            return _called(function, args, kwargs)
        except ScriptError as error:
            if error.stack:
                raise
    return _called(last, args, kwargs)


def _called(function: ScriptFunction, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    if trace_state.running and (recorder := trace_state.current()) is not None:
        given = converted_arguments(function, args, dict(kwargs))
        return recorder.call_library(function.function, given)
    return function(*args, **kwargs)
