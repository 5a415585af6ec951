"""Functions as Python sees them: called with Python's values, and asked for their graph, code and
schema.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import tsc.compiler.printing  # noqa: F401  graphs have texts from then on
from tsc.compiler.ir import Function, Graph
from tsc.compiler.outer_net import foreseen
from tsc.compiler.schema import NOT_GIVEN, Argument, Binder, FunctionSchema, default_value
from tsc.compiler.schema.call_errors import (
    given_twice,
    missing_value,
    too_many_arguments,
    unknown_keyword,
    wrong_type,
)
from tsc.compiler.types import TensorType, Type, TypeKind
from tsc.runtime.context import trace_state
from tsc.runtime.context.errors import ScriptError
from tsc.runtime.context.hooks import saving
from tsc.runtime.execution.graph_executor import GraphExecutor, executor_of
from tsc.runtime.python_api.ivalue import Convert, Mismatch, converter, exact_type
from tsc.runtime.values.typed_containers import without_types
from tsc.runtime.values.undefined_tensor import UNDEFINED

_OPEN_TYPES = (
    TypeKind.AnyType,
    TypeKind.UnionType,
    TypeKind.AnyListType,
    TypeKind.AnyTupleType,
)


def _may_hold_anything(type: Type) -> bool:
    """Whether an argument whose type was found out may be in a result of this type."""
    return type.kind in _OPEN_TYPES or any(map(_may_hold_anything, type.contained))


def _argument_converter(argument: Argument, typed: bool) -> Convert:
    """A number for a list of fixed length, ``int[2]``, stands for all of its elements.

    A Tensor whose default is None may be left out, or given as None.
    """
    convert = converter(argument.type, typed=typed)
    if _may_be_undefined(argument):
        return lambda value: UNDEFINED if value is None else convert(value)
    length = argument.list_size
    if length is None:
        return convert
    return lambda value: convert([value] * length if type(value) in (int, float) else value)


def _may_be_undefined(argument: Argument) -> bool:
    return argument.default is None and isinstance(argument.type, TensorType)


def _refuse_surplus(
    schema: FunctionSchema, args: Sequence[Any], kwargs: Mapping[str, Any], binder: Binder[Any]
) -> None:
    """Raise `ScriptError` for what a call has too much."""
    for name in binder.left_over:
        complain = unknown_keyword if schema.argument_index(name) is None else given_twice
        raise ScriptError("RuntimeError", complain(schema, name))
    complaint = too_many_arguments(schema, len(args), len(kwargs))
    if complaint is not None:
        raise ScriptError("RuntimeError", complaint)


class ScriptFunction:
    """A compiled function. Calling it runs it; a wrong argument raises ScriptError with the schema
    in the message.
    """

    __slots__ = (
        "__dict__",
        "__weakref__",
        "_converters",
        "_exact_types",
        "_executor",
        "_fit",
        "_run",
        "function",
    )

    def __init__(self, function: Function) -> None:
        self.function = function
        self._executor: GraphExecutor = executor_of(function)
        self._run = self._executor.run
        self._converters: tuple[Convert, ...] | None = None
        self._exact_types: tuple[type | None, ...] | None = None
        self._fit: int | None = None  # how many arguments, all positional, need no arranging

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if trace_state.running and (recorder := trace_state.current()) is not None:
            return self._call_in_trace(recorder, args, kwargs)
        if (
            self._exact_types is not None
            and not kwargs
            and tuple(map(type, args)) == self._exact_types
        ):
            return self._run(args)
        if kwargs or len(args) != self._fit:
            args = self._arranged(args, kwargs)
        try:
            inputs = [convert(value) for convert, value in zip(self._prepare(), args)]
        except (Mismatch, RecursionError):
            raise self._wrong_argument(args) from None
        return self._run(inputs)

    def _call_in_trace(self, recorder: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call that is recorded as one, with what is to be known of the values it takes and gives."""
        given = self._arranged(args, kwargs)
        return recorder.call_program(self.function, given, self)

    def check_arguments(self, *args: Any, **kwargs: Any) -> None:
        """Raise `ScriptError` if a call with these arguments would be refused before anything runs."""
        converted_arguments(self, args, kwargs)

    def _prepare(self) -> tuple[Convert, ...]:
        """What converts the arguments; and the types of those that need no conversion."""
        if self._converters is None:
            arguments = self.schema.arguments
            typed = self._executor.keeps_types
            converters = tuple(_argument_converter(each, typed) for each in arguments)
            if typed or any(_may_hold_anything(each.type) for each in self.schema.returns):
                self._run = self._run_for_plain_result
            if any(map(_may_be_undefined, arguments)):
                self._run = self._run_with_undefined
            if not any(argument.kwarg_only for argument in arguments):
                exact = tuple(exact_type(argument.type) for argument in arguments)
                self._exact_types = None if None in exact else exact
                self._fit = len(arguments)
            self._converters = converters  # last: other threads take it for a sign
        return self._converters

    def _run_for_plain_result(self, inputs: Sequence[Any]) -> Any:
        return without_types(self._executor.run(inputs))

    def _run_with_undefined(self, inputs: Sequence[Any]) -> Any:
        result = self._run_for_plain_result(inputs)
        return None if result is UNDEFINED else result

    def _arranged(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        """The arguments in the order of the schema, defaults filled in."""
        schema = self.schema
        binder = Binder(schema, args, kwargs)
        values: list[Any] = []
        missing: Argument | None = None
        for argument in schema.arguments:
            value = binder.take(argument)
            if value is NOT_GIVEN:
                value = argument.default
                if isinstance(value, tuple):
                    value = default_value(value, argument.type)
                missing = missing if argument.has_default else missing or argument
            values.append(value)
        if not binder.is_used_up:
            _refuse_surplus(schema, args, kwargs, binder)
        if missing is not None:
            raise ScriptError("RuntimeError", missing_value(schema, missing))
        return tuple(values)

    def _wrong_argument(self, args: Sequence[Any]) -> ScriptError:
        """The error for the first argument that has not the type it should have."""
        for index, (convert, value) in enumerate(zip(self._prepare(), args)):
            try:
                convert(value)
            except (Mismatch, RecursionError) as reason:
                text = wrong_type(self.schema, index, type(value).__name__, repr(value))
                details = reason if isinstance(reason, Mismatch) else "it is nested too deeply"
                return ScriptError("RuntimeError", f"{text}\nCast error details: {details}")
        raise AssertionError("an argument that was refused is now accepted")

    def __copy__(self) -> ScriptFunction:
        return self

    def __deepcopy__(self, _memo: dict[int, Any]) -> ScriptFunction:
        return self

    # -- What it is ----------------------------------------------------------------------------

    @property
    def name(self) -> str:
        return self.function.name

    @property
    def qualified_name(self) -> str:
        return self.function.qualified_name

    @property
    @foreseen()
    def schema(self) -> FunctionSchema:
        return self.function.schema

    @property
    @foreseen()
    def graph(self) -> Graph:
        """The graph as the compiler made it."""
        return self.function.graph

    @property
    @foreseen()
    def inlined_graph(self) -> Graph:
        """A copy of the graph with the bodies of the called functions in the place of the calls."""
        return self._executor.inlined_graph()

    @property
    @foreseen()
    def optimized_graph(self) -> Graph:
        """The graph that runs."""
        return self._executor.optimized_graph

    def graph_for(self, *args: Any, **kwargs: Any) -> Graph:
        """The graph that runs for these arguments."""
        self(*args, **kwargs)
        return self._executor.executed_graph

    @property
    @foreseen()
    def code(self) -> str:
        """The function as Python source, in PyTorch's serialized form."""
        from tsc.compiler.printing.python_printer import print_python

        return print_python(self.function)

    @property
    @foreseen()
    def bytecode(self) -> str:
        """The instructions and tables of the function that runs."""
        return str(self._executor.code)

    def save(self, f: Any, _extra_files: Any = None) -> None:
        """Write the function to a TorchScript archive, as a module; see `tsc.save`."""
        saving().save(self, f, _extra_files)

    def __repr__(self) -> str:
        return f"<ScriptFunction {self.schema}>"


def converted_arguments(
    function: ScriptFunction, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> list[Any]:
    """The arguments of a call as the program takes them. Raises `ScriptError` for a wrong one."""
    given = function._arranged(args, kwargs)
    try:
        return [convert(value) for convert, value in zip(function._prepare(), given)]
    except (Mismatch, RecursionError):
        raise function._wrong_argument(given) from None
