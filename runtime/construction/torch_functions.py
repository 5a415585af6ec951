"""Operators and library functions as the evaluator calls them."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from tsc.compiler.budget import allow_parameters
from tsc.compiler.emit.names import known_modules as known
from tsc.compiler.ir import MANGLED
from tsc.runtime.construction.values.functions import NativeFunction
from tsc.runtime.construction.values.protocol import MISSING, Evaluator
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.python_api import eager
from tsc.runtime.python_api.script_function import ScriptFunction
from tsc.runtime.values.tensor import Tensor


@functools.cache
def operator_function(name: str) -> NativeFunction:
    """The operator ``aten::name``."""

    def run(evaluator: Evaluator, *arguments: Any, **keywords: Any) -> Any:
        evaluator.charge_operator(f"aten::{name}", arguments)
        if name == "empty":
            _allow_parameter(evaluator, *arguments, **keywords)
        return run_operator(name, arguments, keywords)

    return NativeFunction(name.rpartition(".")[2], run, f"aten::{name}")


def _allow_parameter(evaluator: Evaluator, *sizes: Any, **keywords: Any) -> None:
    """What layers of the library hold is charged as the parameters of a model."""
    if evaluator.is_library_frame(_LAYERS) and sizes and isinstance(sizes[0], int | tuple):
        dtype = keywords.get("dtype")
        extents = (sizes[0],) if isinstance(sizes[0], int) else sizes[0]
        allow_parameters(math.prod(extents) * (4 if dtype is None else dtype.itemsize))


_LAYERS = "torch.nn.modules.layer"
"""The file that makes the parameters of layers."""


def run_operator(name: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """Run an operator; ``requires_grad``, where its schema has none, is about the result."""
    keywords = dict(keywords)
    requires_grad = keywords.pop("requires_grad", False)
    result = eager.call(name, *_listed(name, arguments), **keywords)
    if requires_grad and isinstance(result, Tensor):
        result.requires_grad = True
    return tuple(result) if type(result) is list and name in _TUPLES else result


def _listed(name: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """``meshgrid(x, y)``: Python takes tensors one by one, the operator takes a list of them."""
    fixed = _BEFORE_TENSORS.get(name)
    if fixed is None or len(arguments) <= fixed or not isinstance(arguments[fixed], Tensor):
        return arguments
    return (*arguments[:fixed], list(arguments[fixed:]))


_BEFORE_TENSORS = {
    "einsum": 1,
    **dict.fromkeys(
        ("meshgrid", "block_diag", "cartesian_prod", "broadcast_tensors", "chain_matmul"), 0
    ),
}
"""Functions that take any number of tensors, and how many arguments stand before them."""
_TUPLES = frozenset(
    (
        "broadcast_tensors",
        "chunk",
        "split",
        "unbind",
        "meshgrid",
        "tensor_split",
        "split_with_sizes",
    )
)


def tensor_method(value: Tensor, name: str) -> Any:
    """The operator that is the method of that name of a tensor, or `MISSING`."""
    if name.startswith("__") or not eager.has_operator(name):
        return MISSING

    def run(_evaluator: Evaluator, *arguments: Any, **keywords: Any) -> Any:
        return run_operator(name, (value, *arguments), keywords)

    return NativeFunction(name, run)


def library_function(evaluator: Evaluator, path: str) -> Any:
    """A function of the library by its path, with its overloads; or `MISSING`. It is always the same one."""
    return _library_function(evaluator.toolchain.library, path)


@functools.cache
def _library_function(library: Callable[[str], Any], path: str) -> Any:
    path = known.LIBRARY_ALIASES.get(path, path)
    if path in known.DISPATCHES:
        return _dispatch(library, known.DISPATCHES[path], path)
    if path.rpartition(".")[0] not in known.LIBRARY_MODULES:
        return MISSING
    functions = library_overloads(library, path)
    if not functions:
        return MISSING

    def run(_evaluator: Evaluator, *arguments: Any, **keywords: Any) -> Any:
        return _first_fitting(functions, arguments, keywords)

    return NativeFunction(path.rpartition(".")[2], run, path)


@functools.cache
def library_overloads(library: Callable[[str], Any], path: str) -> tuple[ScriptFunction, ...]:
    module, _, name = path.rpartition(".")
    found: list[ScriptFunction] = []
    function = library(f"__torch__.{path}")
    while function is not None:
        function.ensure_defined()
        found.append(ScriptFunction(function))
        function = library(f"__torch__.{module}.{MANGLED}{len(found) - 1}.{name}")
    return tuple(found)


def _first_fitting(
    functions: tuple[ScriptFunction, ...], arguments: tuple[Any, ...], keywords: dict[str, Any]
) -> Any:
    """The result of the first overload that takes the arguments."""
    *others, last = functions
    for function in others:
        try:
            return function(*arguments, **keywords)
        except ScriptError as error:
            if error.stack:
                raise
    return last(*arguments, **keywords)


def _dispatch(library: Callable[[str], Any], dispatch: known.Dispatch | str, path: str) -> Any:
    """One of two functions, as a flag says; `path` is what both are known by."""
    if isinstance(dispatch, str):
        return _library_function(library, dispatch)
    flag, position, if_true, if_false = dispatch
    chosen = _dispatch(library, if_true, path), _dispatch(library, if_false, path)

    def run(inner: Evaluator, *arguments: Any, **keywords: Any) -> Any:
        value = keywords.get(flag, False)
        if len(arguments) > position:
            value = arguments[position]
        return inner.call(chosen[0] if value else chosen[1], arguments, keywords)

    return NativeFunction(path.rpartition(".")[2], run, path)
