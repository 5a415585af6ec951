"""Functions of the program or the library, and other things of the program that can be called."""

from __future__ import annotations

from collections.abc import Sequence

from tsc.compiler.emit.calls.builtin_calls import emit_function_call
from tsc.compiler.emit.calls.schema_matching import match_schema
from tsc.compiler.emit.construction import insert_tuple
from tsc.compiler.emit.protocols import Emitter, NamedValue, SugaredValue
from tsc.compiler.emit.sugared_values.simple_value import SimpleValue
from tsc.compiler.ir import Function, Value, constant_value
from tsc.compiler.schema import NO_DEFAULT, Argument, FunctionSchema
from tsc.compiler.source import CompileError, SourceRange, codes
from tsc.compiler.types import TupleType


def no_function_value(kind: str, range: SourceRange) -> CompileError:
    """The error for a function where a value has to be."""
    return CompileError(
        f"{kind} cannot be used as a value",
        range,
        code=codes.NOT_A_VALUE,
        hint="a function can be called, or be given to a parameter annotated as Callable[...]; to "
        "choose one, call one or the other in an if statement",
    )


class FunctionValue(SugaredValue):
    """A function, or several that share a name as overloads."""

    __slots__ = ("functions",)

    def __init__(self, *functions: Function) -> None:
        self.functions = functions

    @property
    def is_independent(self) -> bool:
        return True

    @property
    def kind(self) -> str:
        return "function"

    def as_value(self, range: SourceRange, emitter: Emitter) -> Value:
        raise no_function_value(self.kind, range)

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        return SimpleValue(emit_function_call(range, emitter, self.functions, args, kwargs))


class BooleanDispatchValue(SugaredValue):
    """A library function that is one of two, depending on a flag known when compiling."""

    __slots__ = ("default", "flag", "if_false", "if_true", "position")

    def __init__(
        self,
        flag: str,
        position: int,
        if_true: SugaredValue,
        if_false: SugaredValue,
        default: bool = False,
    ) -> None:
        self.flag = flag
        self.position = position
        self.if_true = if_true
        self.if_false = if_false
        self.default = default

    @property
    def is_independent(self) -> bool:
        return True

    @property
    def kind(self) -> str:
        return "boolean dispatched function"

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        chosen = self.if_true if self._decide(range, args, kwargs) else self.if_false
        return chosen.call(range, emitter, args, kwargs, binders)

    def _decide(
        self, range: SourceRange, args: Sequence[NamedValue], kwargs: Sequence[NamedValue]
    ) -> bool:
        keyword = next((each for each in kwargs if each.name == self.flag), None)
        if self.position < len(args):
            flag = constant_value(args[self.position].value)
            which = f"Argument for boolean dispatch at position {self.position}"
        elif keyword is not None:
            flag = constant_value(keyword.value)
            which = f"Keyword argument '{self.flag}' for boolean dispatch"
        else:
            return self.default
        if not isinstance(flag, bool):
            raise self._refusal(
                range,
                f"{which} was not constant",
                code=codes.FLAG_NOT_CONSTANT,
                hint=f"write {self.flag}=True or {self.flag}=False: the result type depends on it",
            )
        return flag


class NamedTupleConstructor(SugaredValue):
    """A NamedTuple class, whose calls make tuples with named fields."""

    __slots__ = ("schema", "type")

    def __init__(self, type: TupleType) -> None:
        self.type = type
        self.schema = _constructor_schema(type)

    @property
    def is_independent(self) -> bool:
        return True

    @property
    def kind(self) -> str:
        return self.type.annotation

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        matched = match_schema(self.schema, range, emitter, args, kwargs)
        return SimpleValue(insert_tuple(emitter.graph, matched.inputs, self.type, range))


def _constructor_schema(type: TupleType) -> FunctionSchema:
    names = type.field_names or ()
    required = len(names) - len(type.defaults)
    defaults = [NO_DEFAULT] * required + list(type.defaults)
    fields = zip(names, type.elements, defaults, strict=True)
    arguments = tuple(Argument.of(*field) for field in fields)
    name = (type.name or "NamedTuple").rpartition(".")[2]
    return FunctionSchema(name, "", arguments, (Argument.of("", type),))


class ClosureValue(SugaredValue):
    """The body of a nested function or lambda: a ``prim::Closure`` node's value."""

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value

    @property
    def kind(self) -> str:
        return "closure"

    def as_value(self, range: SourceRange, emitter: Emitter) -> Value:
        return self.value
