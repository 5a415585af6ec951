"""The compiler's own doors for users: IR text, operators and passes of their own."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import tsc.compiler.analysis.alias_db  # graphs tell their aliases from then on
import tsc.compiler.printing  # have texts
import tsc.runtime.execution.toolchain  # noqa: F401  and take calls by hand
from tsc.compiler.ir import Graph, Node
from tsc.compiler.ir.ir_parser import parse_ir as parse_ir_text
from tsc.compiler.outer_net import foreseen
from tsc.compiler.schema import (
    Argument,
    Effects,
    FunctionSchema,
    Operator,
    SchemaError,
    parse_schema,
)
from tsc.compiler.source import Error, UsageError
from tsc.compiler.types import ANY
from tsc.compiler.types.unshaped import unshaped
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.operators import load
from tsc.runtime.python_api.ivalue import Convert, Mismatch, converter


def new_graph() -> Graph:
    """An empty graph to be built by hand: `add_input`, `insert`, `register_output`."""
    return Graph(load())


@foreseen()
def parse_ir(text: str) -> Graph:
    """The graph that an IR text spells; printing it gives the text back. Raises `CompileError`."""
    return parse_ir_text(text, load())


def register_operator(
    schema: str,
    function: Callable[..., Any],
    *,
    effects: str = "side effect",
    node_kernel: bool = False,
) -> Operator:
    """Make `function` an operator: ``register_operator("mine::twice(Tensor x) -> Tensor", twice)``.

    It is called with one positional argument per argument of the schema, and programs call it as
    ``torch.ops.mine.twice(x)``. What it raises is an error of the program, and so is a result of
    another type than the schema says. Raises `Error` if the schema is wrong or already declared.

    The schema may have type variables, ``mine::first(t[] xs) -> t``: what is returned must be of the type that they
    stand for in the call. With `node_kernel`, `function` is called with each node of a graph that calls the operator
    (None for a call from Python), of which it may read the attributes, and returns what is to be called when it runs.

    Its calls run as often as the program says, unless `effects` tells that less will do: "pure" (the
    same arguments give the same results, and nothing else happens) or "random".
    """
    parsed = parse_schema(schema)
    _check_parameters(parsed, function, node_kernel)
    has_variables = any(each.type.has_type_variables for each in parsed.returns)
    if not has_variables and not node_kernel:
        kernel = _kernel(parsed, function, parsed.returns)
        return load().declare(schema, kernel, effects=_effects(effects))

    def kernel_of_node(node: Node | None) -> Callable[..., Any]:
        made = _made_for(node, function, parsed) if node_kernel else function
        return _kernel(parsed, made, _returns_of(node, parsed))

    return load().declare(schema, kernel_of_node, effects=_effects(effects), node_kernel=True)


_EFFECTS = {each.value: each for each in (Effects.PURE, Effects.RANDOM, Effects.SIDE_EFFECT)}


def _effects(name: str) -> Effects:
    if name not in _EFFECTS:
        known = ", ".join(map(repr, _EFFECTS))
        raise UsageError(f"effects are one of {known}, not {name!r}")
    return _EFFECTS[name]


def _returns_of(node: Node | None, schema: FunctionSchema) -> Sequence[Argument]:
    """What a call returns, where type variables stand for something; from Python they may be anything."""
    if node is None:
        types = [ANY if each.type.has_type_variables else each.type for each in schema.returns]
    else:
        types = [unshaped(output.type) for output in node.outputs]
    return [replace(each, type=type) for each, type in zip(schema.returns, types)]


def _made_for(
    node: Node | None, function: Callable[..., Any], schema: FunctionSchema
) -> Callable[..., Any]:
    try:
        return function(node)
    except Exception as error:
        message = f"{schema.name} cannot be run: {type(error).__name__}: {error}"
        raise ScriptError("RuntimeError", message) from error


def _check_parameters(
    schema: FunctionSchema, function: Callable[..., Any], node_kernel: bool
) -> None:
    """Raises `SchemaError` if `function` cannot be called with the arguments of `schema`, or with a node."""
    if not callable(function):
        raise SchemaError("an operator needs a function to run", str(schema), 0)
    try:
        signature = inspect.signature(function)
    except ValueError:  # not all that is built in tells its parameters
        return
    try:
        signature.bind(*((None,) if node_kernel else schema.arguments))
    except TypeError as error:
        raise SchemaError(
            f"the function does not fit the schema: {error}", str(schema), 0
        ) from None


def _kernel(
    schema: FunctionSchema, function: Callable[..., Any], returns: Sequence[Argument]
) -> Callable[..., Any]:
    """A function of the user as one that can be trusted like those of tsc."""
    converters = [_result_converter(each) for each in returns]

    def kernel(*args: Any) -> Any:
        try:
            result = function(*args)
            if not converters:
                return None
            if len(converters) == 1:
                return converters[0](result)
            return tuple(convert(each) for convert, each in zip(converters, result, strict=True))
        except Error:
            raise
        except Mismatch as reason:
            raise ScriptError("RuntimeError", f"{schema.name} returned: {reason}") from None
        except Exception as error:
            message = f"{schema.name} raised {type(error).__name__}: {error}"
            raise ScriptError("RuntimeError", message) from error

    return kernel


def _result_converter(result: Argument) -> Convert:
    """Arrays become tensors and so on; what aliases an argument must stay the object it is."""
    return converter(result.type) if result.alias_info is None else lambda value: value
