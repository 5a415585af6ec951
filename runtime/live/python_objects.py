"""Calls of objects of Python that are not compiled: functions with a gradient of their own, modules from around."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MethodType
from typing import TYPE_CHECKING, Any

from tsc.compiler.emit.protocols import Emitter, NamedValue, SugaredValue
from tsc.compiler.emit.sugared_values import SimpleValue
from tsc.compiler.ir import prim
from tsc.compiler.schema import Argument, FunctionSchema
from tsc.compiler.source import CompileError, SourceRange, codes
from tsc.compiler.types import NONE, TENSOR, TupleType
from tsc.runtime.autograd.function import Function, applied
from tsc.runtime.live.python_calls import PythonOperator, python_kernel

if TYPE_CHECKING:
    from tsc.runtime.live.protocols import LiveCompilation


class PythonObjectValue(SugaredValue):
    """What is called with whatever is given, and gives a tensor for each target of its call."""

    __slots__ = ("_compilation", "_function", "_name", "_takes_torch", "_type_name")

    def __init__(
        self,
        function: Callable[..., Any],
        name: str,
        type_name: str,
        compilation: LiveCompilation,
        *,
        takes_torch: bool,
    ) -> None:
        self._function, self._name, self._type_name = function, name, type_name
        self._compilation, self._takes_torch = compilation, takes_torch

    @property
    def is_independent(self) -> bool:
        return True

    @property
    def kind(self) -> str:
        return f"python value of type '{self._type_name}'"

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        """A node that calls it. Raises `CompileError` for arguments by keyword."""
        if kwargs:
            message = f"Keyword argument {kwargs[0].name} unknown"
            hint = "give the arguments of such a function by position"
            raise CompileError(message, range, code=codes.UNKNOWN_KEYWORD, hint=hint)
        inputs = [each.value for each in args]
        returned = TENSOR if binders == 1 else TupleType((TENSOR,) * binders) if binders else NONE
        function = self._function if binders else _without_result(self._function)
        node = emitter.graph.create(prim.PythonOp, inputs, range=range)
        node.set_attribute("python_name", self._name).set_attribute("scalar_arguments", "")
        node.output.set_type(returned)
        node.operator = PythonOperator(
            FunctionSchema(
                prim.PythonOp,
                "",
                tuple(Argument.of(f"a{place}", each.type) for place, each in enumerate(inputs)),
                (Argument.of("", returned),),
            ),
            python_kernel(function, self._name, returned, self._compilation, self._takes_torch),
        )
        return SimpleValue(emitter.graph.insert_node(node).output)


def _without_result(function: Callable[..., Any]) -> Callable[..., Any]:
    def run(*args: Any) -> None:
        function(*args)

    return run


class FunctionClassValue(SugaredValue):
    """A class with ``forward`` and ``backward``, of which programs call ``apply``."""

    __slots__ = ("_compilation", "_function")

    def __init__(self, function: type, compilation: LiveCompilation) -> None:
        self._function, self._compilation = function, compilation

    @property
    def is_independent(self) -> bool:
        return True

    @property
    def kind(self) -> str:
        return f"python value of type '{self._function.__name__}'"

    def attribute(self, range: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        if name == "apply":
            return apply_of(self._function, self._compilation)
        value = getattr(self._function, name)
        return self._compilation.meaning(value, name, emitter, range, closed=False)

    def has_attribute(self, range: SourceRange, emitter: Emitter, name: str) -> bool:
        return hasattr(self._function, name)


def apply_of(function: type, compilation: LiveCompilation) -> PythonObjectValue:
    """What ``apply`` of a class is in a program."""

    def run(*args: Any) -> Any:
        return applied(function, args)

    return PythonObjectValue(
        run, function.__name__, "builtin_function_or_method", compilation, takes_torch=False
    )


def is_function_class(value: Any) -> bool:
    """Whether a value is a class of functions with a gradient of their own, tsc's or PyTorch's."""
    return isinstance(value, type) and (
        issubclass(value, Function)
        or any(
            (base.__module__, base.__name__) == ("torch.autograd.function", "Function")
            for base in value.__mro__
        )
    )


def _module(module: Any, compilation: LiveCompilation) -> PythonObjectValue:
    """A module that is no submodule: PyTorch's get its tensors."""
    cls = type(module)
    is_of_torch = any(base.__module__.startswith("torch.nn.") for base in cls.__mro__)
    name = "<python_value>"
    return PythonObjectValue(module, name, cls.__name__, compilation, takes_torch=is_of_torch)


def object_value(value: Any, compilation: LiveCompilation) -> SugaredValue | None:
    """The sugared value of such an object; None for others."""
    if is_function_class(value):
        return FunctionClassValue(value, compilation)
    if isinstance(value, MethodType) and value.__name__ == "apply":
        owner: Any = value.__self__
        return apply_of(owner, compilation) if is_function_class(owner) else None
    if isinstance(value, type):
        return None
    if hasattr(value, "named_parameters") and hasattr(value, "forward") and callable(value):
        return _module(value, compilation)
    return None
