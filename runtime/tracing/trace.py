"""``tsc.trace`` and ``tsc.trace_module``."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any, Final

import numpy as np

from tsc.compiler.ir import Function, Graph
from tsc.compiler.ir.graph_function import schema_of_graph
from tsc.compiler.outer_net import foreseen
from tsc.compiler.passes.normalize_ops import normalize_ops
from tsc.compiler.process_settings import deep_recursion, rare_garbage_collection
from tsc.runtime.context import trace_state
from tsc.runtime.live.names import qualified_name
from tsc.runtime.live.torch_tensors import is_torch_tensor
from tsc.runtime.python_api.script_function import ScriptFunction
from tsc.runtime.python_api.script_module import ScriptModule
from tsc.runtime.tracing import own_tensors
from tsc.runtime.tracing.checking import Check, check_trace_of
from tsc.runtime.tracing.errors import TracingError
from tsc.runtime.tracing.method_blocks import finish_function, finish_method
from tsc.runtime.tracing.modules import ModuleTree, is_module, scripted_by_pytorch
from tsc.runtime.tracing.nested_values import add_inputs, add_output
from tsc.runtime.tracing.recorder import Recorder
from tsc.runtime.tracing.tensor_library import TensorLibrary
from tsc.runtime.tracing.torch_tensors import TorchTensors, listening, torch_tensor
from tsc.runtime.values.tensor import Tensor, wrap
from tsc.runtime.values.tuple_classes import tuple_like

_FORWARD: Final = "forward"


def trace(
    func: Any,
    example_inputs: Any = None,
    optimize: Any = None,
    check_trace: bool = True,
    check_inputs: Sequence[Any] | None = None,
    check_tolerance: float = 1e-5,
    strict: bool = True,
    *,
    example_kwarg_inputs: Mapping[str, Any] | None = None,
) -> Any:
    """Run a function or a module with example inputs, and compile what it did with tensors.

    A function becomes a `ScriptFunction`, a module (or its ``forward``) a `ScriptModule`. Inputs and outputs are
    tensors, and tuples, lists and dictionaries of them. What Python decided by the values of tensors is
    decided for good: of that, `TracerWarning` tells. Functions and modules that were scripted keep their
    control flow. With `check_trace`, the result is compared with that of the function, on `check_inputs` or
    the examples.

    Raises:
        TracingError: an input, an output, or something the function does cannot be traced.
        TracingCheckError: a second run was recorded differently.
    """
    with foreseen(calls_user=True):
        _warn_of_optimize(optimize)
        if isinstance(func, ScriptModule):
            warnings.warn(
                "The input to trace is already a ScriptModule, and is returned as it is",
                stacklevel=2,
            )
            return func
        examples = _Examples.of(example_inputs, example_kwarg_inputs)
        owner = getattr(func, "__self__", None)
        if is_module(func) or (is_module(owner) and getattr(func, "__name__", "") == _FORWARD):
            module = func if is_module(func) else owner
            checks = None if check_inputs is None else [{_FORWARD: each} for each in check_inputs]
            return _traced_module(
                module, {_FORWARD: examples}, check_trace, checks, check_tolerance, strict
            )
        if is_module(owner):
            raise TracingError(
                "trace doesn't support compiling individual module's functions.\nPlease use trace_module"
            )
        if not callable(func):
            kind = type(func).__name__
            raise TracingError(
                f"a value of type '{kind}' cannot be traced\nhint: functions and modules can be"
            )
        function = _traced_function(func, examples, strict)
        traced = ScriptFunction(function)
        if check_trace:
            check = Check(func, traced, check_tolerance)
            for each in _inputs_to_check(examples, check_inputs):
                again = _traced_function(func, each.copied(), strict, quietly=True)
                check_trace_of(check, each, again)
        return traced


def trace_module(
    mod: Any,
    inputs: Mapping[str, Any],
    optimize: Any = None,
    check_trace: bool = True,
    check_inputs: Sequence[Mapping[str, Any]] | None = None,
    check_tolerance: float = 1e-5,
    strict: bool = True,
    *,
    example_inputs_is_kwarg: bool = False,
) -> ScriptModule:
    """Trace several methods of a module: `inputs` has example inputs by the names of methods.

    All of them become methods of one `ScriptModule`, whose parameters share the memory of the module's. See
    `trace`.
    """
    with foreseen(calls_user=True):
        _warn_of_optimize(optimize)
        if isinstance(mod, ScriptModule) or not is_module(mod):
            raise TracingError(
                f"expected a module as the first argument, not a value of type '{type(mod).__name__}'\n"
                "hint: trace takes functions"
            )
        if not isinstance(inputs, Mapping):
            raise TracingError("expected a dictionary of methods' names and their example inputs")
        examples = {
            name: _Examples.of(None, each)
            if example_inputs_is_kwarg and isinstance(each, dict)
            else _Examples.of(each, None)
            for name, each in inputs.items()
        }
        return _traced_module(mod, examples, check_trace, check_inputs, check_tolerance, strict)


def _warn_of_optimize(optimize: Any) -> None:
    if optimize is not None:
        warnings.warn("`optimize` is deprecated and has no effect.", FutureWarning, stacklevel=3)


# -- Example inputs ------------------------------------------------------------------------------


class _Examples:
    """Example inputs: positional ones, or named ones."""

    def __init__(self, values: Sequence[Any], names: Sequence[str] | None) -> None:
        self.values = list(values)
        self.names = names

    @staticmethod
    def of(inputs: Any, named: Any) -> _Examples:
        if named is not None:
            if not isinstance(named, Mapping):
                raise TracingError("example_kwarg_inputs should be a dict")
            return _Examples(list(named.values()), list(named))
        if inputs is None:
            raise TracingError(
                "example inputs are missing: trace runs the function with them\nhint: give a tuple of "
                "tensors as example_inputs, or a dictionary as example_kwarg_inputs"
            )
        if isinstance(inputs, Tensor | np.ndarray | dict) or is_torch_tensor(inputs):
            return _Examples([inputs], None)
        try:
            return _Examples(tuple(inputs), None)
        except TypeError:
            kind = type(inputs).__name__
            message = (
                f"example_inputs must be a tensor or a tuple of them, not a value of type '{kind}'"
            )
            raise TracingError(message) from None

    def copied(self) -> _Examples:
        return _Examples([_copied(each) for each in self.values], self.names)

    def call(self, function: Callable[..., Any], values: Sequence[Any] | None = None) -> Any:
        given = self.values if values is None else values
        if self.names is None:
            return function(*given)
        return function(**dict(zip(self.names, given)))

    def converted(self, uses_torch: bool) -> _Examples:
        return _Examples([_converted(each, uses_torch) for each in self.values], self.names)


def _copied(value: Any) -> Any:
    if isinstance(value, Tensor):
        made = Tensor(value.array.copy("K"))
        made.requires_grad = value.requires_grad
        return made
    if is_torch_tensor(value):
        return value.detach().clone().requires_grad_(value.requires_grad)
    if isinstance(value, np.ndarray):
        return value.copy()
    return _mapped(_copied, value)


def _converted(value: Any, uses_torch: bool) -> Any:
    """Arrays become tensors; where PyTorch runs the function, all tensors become PyTorch's."""
    if isinstance(value, np.ndarray):
        value = wrap(value)
    if uses_torch and isinstance(value, Tensor):
        return torch_tensor(value).requires_grad_(value.requires_grad)
    return _mapped(lambda each: _converted(each, uses_torch), value)


def _mapped(convert: Callable[[Any], Any], value: Any) -> Any:
    if isinstance(value, tuple):
        items = [convert(each) for each in value]
        return tuple_like(value, items)
    if isinstance(value, list):
        return [convert(each) for each in value]
    if isinstance(value, dict):
        return {key: convert(each) for key, each in value.items()}
    return value


def _inputs_to_check(examples: _Examples, given: Sequence[Any] | None) -> list[_Examples]:
    if given is None:
        return [examples]
    return [
        _Examples.of(None, each) if examples.names is not None else _Examples.of(each, None)
        for each in given
    ]


def _holds_torch_tensor(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_holds_torch_tensor, value))
    if isinstance(value, dict):
        return any(map(_holds_torch_tensor, value.values()))
    return is_torch_tensor(value)


# -- Recording -----------------------------------------------------------------------------------


def _traced_function(
    func: Callable[..., Any], examples: _Examples, strict: bool, *, quietly: bool = False
) -> Function:
    uses_torch = _holds_torch_tensor(examples.values)
    recorder = Recorder(_library(uses_torch), strict=strict)
    names = examples.names or _argument_names(func)
    _run(recorder, func, examples.converted(uses_torch), names, {}, uses_torch, quietly)
    graph = recorder.graph
    with deep_recursion(), rare_garbage_collection():
        finish_function(graph)
        _normalize(graph, recorder)
    name = _name_of(func)
    schema = schema_of_graph(graph, name.rpartition(".")[2])
    return Function(name, graph=graph, schema=schema)


def _normalize(graph: Graph, recorder: Recorder) -> None:
    normalize_ops(graph, operators=recorder.operators)


def _traced_module(
    module: Any,
    inputs: Mapping[str, _Examples],
    check_trace: bool,
    check_inputs: Sequence[Mapping[str, Any]] | None,
    check_tolerance: float,
    strict: bool,
) -> ScriptModule:
    if hasattr(module, "_c"):
        warnings.warn(
            "The input to trace is already a ScriptModule, and is returned as it is",
            stacklevel=3,
        )
        return scripted_by_pytorch(module)
    tree = ModuleTree(module)
    for name, examples in inputs.items():
        _trace_method(tree, module, name, examples, strict)
        if not check_trace:
            continue
        check = Check(_called(module, name), getattr(tree.script_module, name), check_tolerance)
        for given in [inputs] if check_inputs is None else check_inputs:
            if name not in given:
                raise TracingError(f"check_inputs have none for the method '{name}'")
            runs = {each: _examples_like(inputs[each], data) for each, data in given.items()}
            again = ModuleTree(module)
            traced = {
                each: _trace_method(again, module, each, data.copied(), strict, quietly=True)
                for each, data in runs.items()
            }
            check_trace_of(check, runs[name], traced[name], getattr(again.script_module, name))
    return tree.script_module


def _examples_like(first: _Examples, data: Any) -> _Examples:
    """Other inputs of a method, given in the way in which the first ones were."""
    if isinstance(data, _Examples):
        return data
    return _Examples.of(data, None) if first.names is None else _Examples.of(None, data)


def _trace_method(
    tree: ModuleTree,
    module: Any,
    name: str,
    examples: _Examples,
    strict: bool,
    *,
    quietly: bool = False,
) -> Function:
    uses_torch = _is_of_torch(module) or _holds_torch_tensor(examples.values)
    recorder = Recorder(_library(uses_torch), strict=strict)
    method = getattr(module, name, None)
    if method is None:
        raise TracingError(f"the module '{type(module).__name__}' has no method '{name}'")
    names = examples.names or _argument_names(method)
    _check_names(examples, _argument_names(method))
    tree.begin(recorder)
    func = _called(module, name)
    converted = examples.converted(uses_torch)
    _run(recorder, func, converted, names, tree.paths, uses_torch, quietly)
    graph = recorder.graph
    with deep_recursion(), rare_garbage_collection():
        finish_method(graph, tree.types)
        _normalize(graph, recorder)
    owner = tree.made.script_type
    function = Function(
        f"{owner.qualified_name}.{name}", graph=graph, schema=schema_of_graph(graph, name)
    )
    owner.methods[name] = function
    return function


def _called(module: Any, name: str) -> Callable[..., Any]:
    """``forward`` is called with the hooks around it."""
    return module if name == _FORWARD else getattr(module, name)


def _check_names(examples: _Examples, known: Sequence[str]) -> None:
    for name in examples.names or ():
        if known and name not in known:
            raise TracingError(
                f"'{name}' is not in forward() method's arguments, valid arguments name are "
                f"[{','.join(known)}]"
            )


def _run(
    recorder: Recorder,
    func: Callable[..., Any],
    examples: _Examples,
    names: Sequence[str],
    paths: Mapping[Any, str],
    uses_torch: bool,
    quietly: bool,
) -> None:
    """Run the function, and record what it does."""
    if trace_state.current() is not None:
        raise TracingError("Tracing can't be nested")
    received = add_inputs(recorder, examples.values, names)
    with warnings.catch_warnings() if quietly else nullcontext():
        if quietly:
            warnings.simplefilter("ignore")
        with trace_state.recording(recorder):
            with _listening(recorder, paths, uses_torch):
                result = examples.call(func, received)
            add_output(recorder, result)


def _listening(recorder: Recorder, paths: Mapping[Any, str], uses_torch: bool) -> Any:
    if not uses_torch:
        recorder.bindings = own_tensors.bindings(recorder)
        return nullcontext()
    return listening(recorder, paths)


def _library(uses_torch: bool) -> TensorLibrary:
    if not uses_torch:
        return own_tensors.OwnTensors()
    return TorchTensors()


def _is_of_torch(module: Any) -> bool:
    return any(each.__module__.startswith("torch.nn") for each in type(module).__mro__)


# -- Names ---------------------------------------------------------------------------------------


def _argument_names(func: Callable[..., Any]) -> list[str]:
    try:
        parameters = inspect.signature(func).parameters.values()
    except (TypeError, ValueError):
        return []
    return [each.name for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD]


def _name_of(func: Any) -> str:
    if hasattr(func, "__name__") and hasattr(func, "__module__"):
        return qualified_name(func)
    return f"__torch__.{type(func).__name__}"
