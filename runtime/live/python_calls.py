"""Calls of functions that ``@ignore`` leaves to Python: programs call back into the interpreter."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from tsc.compiler.emit.sugared_values.python_function import (
    IgnoredFunctionValue,
    PythonFunctionValue,
)
from tsc.compiler.ir import prim
from tsc.compiler.schema import Argument, Effects, FunctionSchema, Operator
from tsc.compiler.source import UNKNOWN_RANGE, Error
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.grad_mode import is_grad_enabled
from tsc.runtime.live.torch_tensors import for_torch
from tsc.runtime.live.values import program_value
from tsc.runtime.python_api.ivalue import Mismatch, converter
from tsc.runtime.python_api.script_module import wrapped
from tsc.runtime.values.tensor import Tensor

if TYPE_CHECKING:
    from tsc.compiler.frontend.tree_views import Decl, Expr
    from tsc.compiler.ir import Node, Value
    from tsc.compiler.types import Type
    from tsc.runtime.live.protocols import LiveCompilation


class PythonOperator(Operator):
    """An operator that calls a function of Python; it is in no table."""

    __slots__ = ("_own_schema",)

    def __init__(self, schema: FunctionSchema, kernel: Callable[..., Any]) -> None:
        super().__init__(f"{schema.name}()", kernel, effects=Effects.SIDE_EFFECT)
        self._own_schema = schema

    @property
    def schema(self) -> FunctionSchema:
        return self._own_schema


class PythonCallValue(IgnoredFunctionValue):
    """A function of the running interpreter. A method is called with the module that the program holds."""

    __slots__ = ("compilation", "function")

    def __init__(
        self,
        function: FunctionType,
        decl: Decl,
        parse_type: Callable[[Expr], Type],
        compilation: LiveCompilation,
        self_value: Value | None = None,
    ) -> None:
        super().__init__(function.__name__, decl, parse_type, self_value)
        self.function = function
        self.compilation = compilation

    def bound_to(self, owner: Value) -> PythonFunctionValue:
        return PythonCallValue(self.function, self.decl, self.parse_type, self.compilation, owner)

    def bind(self, node: Node, schema: FunctionSchema) -> None:
        owner = [] if self.self_value is None else [self.self_value]
        function = self.function
        kernel = python_kernel(
            function,
            function.__name__,
            node.output.type,
            self.compilation,
            takes_torch=_is_of_pytorch(function),
        )
        node.operator = PythonOperator(_schema_of_node(schema, owner), kernel)


def _schema_of_node(schema: FunctionSchema, owner: Sequence[Value]) -> FunctionSchema:
    """The schema of the function as that of the node, which is given the module of a method first."""
    arguments = (*(Argument.of("self", each.type) for each in owner), *schema.arguments)
    return replace(schema, name=prim.PythonOp, arguments=arguments)


def python_kernel(
    function: Callable[..., Any],
    name: str,
    returned: Type,
    compilation: LiveCompilation,
    takes_torch: bool,
) -> Callable[..., Any]:
    """What calls Python with the values of a program, PyTorch's tensors if it wants those."""
    convert = converter(returned)

    def kernel(*args: Any) -> Any:
        try:
            given = [_for_python(each, takes_torch) for each in args]
            with _recording(takes_torch):
                result = function(*given)
            return convert(program_value(result, compilation, UNKNOWN_RANGE))
        except Error:
            raise
        except Mismatch as reason:
            message = f"the Python function '{name}' returned: {reason}"
            raise ScriptError("RuntimeError", message) from None
        except Exception as error:
            raise ScriptError(type(error).__name__, str(error)) from error

    return kernel


def _is_of_pytorch(function: FunctionType) -> bool:
    """Whether a function works with PyTorch's tensors: its module has imported PyTorch."""
    modules = [each for each in function.__globals__.values() if isinstance(each, ModuleType)]
    return any(each.__name__.partition(".")[0] == "torch" for each in modules)


def _for_python(value: Any, takes_torch: bool) -> Any:
    if isinstance(value, Tensor) and takes_torch:
        return for_torch(value)
    if isinstance(value, list | tuple) and type(value) in (list, tuple):
        return type(value)(_for_python(each, takes_torch) for each in value)
    return wrapped(value)


def _recording(takes_torch: bool) -> AbstractContextManager[Any]:
    """PyTorch records what it computes where that is recorded here."""
    if not takes_torch:
        return nullcontext()
    return sys.modules["torch"].set_grad_enabled(is_grad_enabled())
