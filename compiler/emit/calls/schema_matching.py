"""Bind the arguments of a call to the schema of what is called, and choose among overloads.

Overloads are tried in the order of their table, first without implicit conversions, then with
them; the first that fits is taken. Nodes that an attempt inserted are removed when it fails.
The reasons for failures are worked out only once it is certain that nothing fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from tsc.compiler.emit.calls import match_messages as messages
from tsc.compiler.emit.calls.call_hints import Mismatch
from tsc.compiler.emit.calls.conversions import (
    convertible_to_list,
    try_convert_to_type,
    unwrap_optional,
)
from tsc.compiler.emit.calls.match_failures import (
    Call,
    Failure,
    no_variant_fits,
    schema_does_not_fit,
)
from tsc.compiler.emit.construction import insert_list
from tsc.compiler.emit.protocols import Emitter, NamedValue
from tsc.compiler.ir import Graph, Node, Value
from tsc.compiler.schema import Argument, FunctionSchema
from tsc.compiler.source import Code, SourceRange, codes
from tsc.compiler.types import (
    FLOAT,
    INT,
    ListType,
    Type,
    VarType,
    match_type_variables,
    substitute_type_variables,
)

# Integers and dtypes have the same type, so these could never be told apart from `x.view(1)` etc.
_NEVER_CHOSEN = {
    ("aten::view", "dtype"),
    ("aten::max", "unary_out"),
    ("aten::min", "unary_out"),
}


@dataclass(frozen=True, slots=True)
class MatchedSchema:
    """A schema and the inputs of a call to it: one value per formal argument, then any varargs."""

    schema: FunctionSchema
    inputs: list[Value]
    return_types: list[Type]

    @property
    def return_field_names(self) -> tuple[str, ...] | None:
        """The names of the results when every one of them has a name."""
        names = tuple(result.name or "" for result in self.schema.returns)
        return names if all(names) else None


def match_schema(
    schema: FunctionSchema,
    range: SourceRange,
    emitter: Emitter,
    args: Sequence[NamedValue],
    kwargs: Sequence[NamedValue],
    self_argument: NamedValue | None = None,
) -> MatchedSchema:
    """Bind a call to the only schema there is, or say what does not fit."""
    call = Call(range, emitter, args, kwargs, self_argument)
    matched = _Attempt(schema, call, allow_conversions=True).run()
    if matched is not None:
        return matched
    raise schema_does_not_fit(_explained(schema, call), call)


def match_schemas(
    schemas: Sequence[FunctionSchema],
    range: SourceRange,
    emitter: Emitter,
    args: Sequence[NamedValue],
    kwargs: Sequence[NamedValue],
    self_argument: NamedValue | None = None,
) -> tuple[int, MatchedSchema]:
    """The position of the first schema that a call fits, and the call bound to it."""
    if len(schemas) == 1:
        return 0, match_schema(schemas[0], range, emitter, args, kwargs, self_argument)
    call = Call(range, emitter, args, kwargs, self_argument)
    for allow_conversions in (False, True):
        for index, schema in enumerate(schemas):
            matched = _Attempt(schema, call, allow_conversions).run()
            if matched is not None:
                return index, matched
    raise no_variant_fits([_explained(schema, call) for schema in schemas], call)


def find_input_with_name(name: str, kwargs: Sequence[NamedValue], is_aten: bool) -> int | None:
    """The keyword argument for a formal argument; ``input`` is what Python calls ``self``."""
    for index, kwarg in enumerate(kwargs):
        if kwarg.name == name or (is_aten and name == "self" and kwarg.name == "input"):
            return index
    return None


class _Attempt:
    """One try to bind a call to a schema.

    ``explain`` collects the reason for a failure; ``fitting`` counts the given arguments that fit.
    """

    __slots__ = (
        "allow_conversions",
        "bindings",
        "call",
        "code",
        "explain",
        "fitting",
        "graph",
        "inputs",
        "mismatch",
        "reason",
        "schema",
        "self_argument",
        "used_args",
        "used_kwargs",
    )

    def __init__(
        self, schema: FunctionSchema, call: Call, allow_conversions: bool, explain: bool = False
    ) -> None:
        self.schema = schema
        self.call = call
        self.graph: Graph = call.emitter.graph
        self.allow_conversions = allow_conversions
        self.explain = explain
        self.reason = ""
        self.code = codes.WRONG_ARGUMENT
        self.fitting = 0
        self.mismatch: Mismatch | None = None
        self.self_argument = call.self_argument
        self.bindings: dict[str, Type] = {}
        self.inputs: list[Value] = []
        self.used_args = 0
        self.used_kwargs: set[int] = set()

    def run(self) -> MatchedSchema | None:
        """The bound call, or None with the graph as it was."""
        if (self.schema.name, self.schema.overload_name) in _NEVER_CHOSEN:
            return None
        before = _last_inserted(self.graph)
        if self._bind_all() and self._nothing_left_over():
            return MatchedSchema(self.schema, self.inputs, self._return_types())
        while (node := _last_inserted(self.graph)) is not before:
            node.destroy()
        return None

    def _fail(self, reason: str, code: Code = codes.WRONG_ARGUMENT) -> None:
        if self.explain and not self.reason:
            self.reason = f"\n{self.schema}:\n{reason}"
            self.code = code

    def _bind_all(self) -> bool:
        arguments = self.schema.arguments
        return all(self._bind(index, argument) for index, argument in enumerate(arguments))

    def _bind(self, index: int, argument: Argument) -> bool:
        if self._rest_makes_a_list(index, argument):
            return self._bind_rest_as_list(argument)
        given = self._given_argument(argument)
        if given is None:
            return self._bind_default(argument)
        value = self._match_argument(argument, given.value)
        if value is None:
            self.mismatch = Mismatch(given, argument)
            return False
        self.fitting += 1
        self.inputs.append(value)
        return True

    def _bind_default(self, argument: Argument) -> bool:
        value = self._default(argument)
        if value is not None:
            value = self._match_argument(argument, value)
        else:
            self._fail(messages.not_provided(argument), codes.MISSING_ARGUMENT)
        if value is None:
            return False
        self.inputs.append(value)
        return True

    def _takes_self(self, argument: Argument) -> bool:
        return argument.name == "self" and self.self_argument is not None

    def _takes_positional(self, argument: Argument) -> bool:
        return not argument.kwarg_only and self.used_args < len(self.call.args)

    def _given_argument(self, argument: Argument) -> NamedValue | None:
        if self._takes_self(argument):
            assert self.self_argument is not None
            given = self.self_argument
            self.self_argument = None
            return given
        if self._takes_positional(argument):
            self.used_args += 1
            return self.call.args[self.used_args - 1]
        is_aten = self.schema.name.startswith("aten::")
        keyword = find_input_with_name(argument.name, self.call.kwargs, is_aten)
        if keyword is None:
            return None
        self.used_kwargs.add(keyword)
        return self.call.kwargs[keyword]

    def _default(self, argument: Argument) -> Value | None:
        if not argument.has_default:
            return None
        default = argument.default
        type = unwrap_optional(argument.type)
        if isinstance(default, tuple) and isinstance(type, ListType):
            return self.graph.insert_constant(list(cast("tuple[object]", default)), type)
        is_container = isinstance(default, (list, dict))  # an empty one does not tell its type
        return self.graph.insert_constant(argument.default, type if is_container else None)

    def _rest_makes_a_list(self, index: int, argument: Argument) -> bool:
        """Whether the remaining positional arguments are the items of the last, a list."""
        if not self.allow_conversions or self._takes_self(argument):
            return False
        if not self._takes_positional(argument) or not _collects_varargs(self.schema, index):
            return False
        actual = self.call.args[self.used_args].value.type
        return not isinstance(actual, ListType) and not convertible_to_list(actual, argument.type)

    def _bind_rest_as_list(self, argument: Argument) -> bool:
        assert isinstance(argument.type, ListType)
        element = Argument.of("<varargs>", argument.type.element)
        items: list[Value] = []
        for actual in self.call.args[self.used_args :]:
            item = self._match_argument(element, actual.value)
            if item is None:
                is_only = len(self.call.args) == self.used_args + 1
                self.mismatch = Mismatch(actual, argument if is_only else element)
                return False
            self.fitting += 1
            items.append(item)
        self.used_args = len(self.call.args)
        self.inputs.append(insert_list(self.graph, argument.type.element, items))
        return True

    def _match_argument(self, argument: Argument, value: Value) -> Value | None:
        if argument.list_size is not None and _is_number_used_as_list(value.type, argument):
            value = insert_list(self.graph, value.type, [value] * argument.list_size)
        mismatch = match_type_variables(argument.type, value.type, self.bindings)
        if mismatch is not None:
            if self.explain:
                self._fail(messages.variable_mismatch(argument, value.type, mismatch))
            return None
        wanted = substitute_type_variables(argument.type, self.bindings)
        if wanted is None:
            self._fail(messages.unbound_variables(argument, value.type))
            return None
        return self._converted(argument, wanted, value)

    def _converted(self, argument: Argument, wanted: Type, value: Value) -> Value | None:
        value = try_convert_to_type(
            self.call.range,
            self.call.emitter,
            wanted,
            value,
            allow_conversions=self.allow_conversions,
        )
        if value.type.is_subtype_of(wanted):
            return value
        if self.explain:
            self._fail(messages.type_mismatch(argument, wanted, value.type))
        return None

    def _nothing_left_over(self) -> bool:
        args, kwargs = self.call.args, self.call.kwargs
        if self.self_argument is not None:
            self._fail("Provided self argument not used in schema.")
            return False
        if self.schema.is_vararg:
            self.inputs.extend(argument.value for argument in args[self.used_args :])
        elif self.used_args < len(args):
            reason = messages.too_many_arguments(self.used_args, len(args))
            self._fail(reason, codes.TOO_MANY_ARGUMENTS)
            return False
        unused = [kwarg for index, kwarg in enumerate(kwargs) if index not in self.used_kwargs]
        if unused:
            reason = messages.unknown_keyword(self.schema, unused[0].name or "")
            self._fail(reason, codes.UNKNOWN_KEYWORD)
        return not unused

    def _return_types(self) -> list[Type]:
        types: list[Type] = []
        for result in self.schema.returns:
            type = substitute_type_variables(result.type, self.bindings)
            assert type is not None, f"{result.type} has unbound type variables"
            types.append(type)
        return types


def _last_inserted(graph: Graph) -> Node:
    return graph.insertion_point.previous


def _collects_varargs(schema: FunctionSchema, index: int) -> bool:
    """Whether an argument is the last positional one and a plain list of a known type."""
    arguments = schema.arguments
    type = arguments[index].type
    if not isinstance(type, ListType) or arguments[index].list_size is not None:
        return False
    is_last = index + 1 == len(arguments) or arguments[index + 1].kwarg_only
    return is_last and not isinstance(type.element, VarType)


def _is_number_used_as_list(type: Type, argument: Argument) -> bool:
    if type not in (INT, FLOAT):
        return False
    wanted = unwrap_optional(argument.type)
    return isinstance(wanted, ListType) and wanted.element == type


def _explained(schema: FunctionSchema, call: Call) -> Failure:
    attempt = _Attempt(schema, call, allow_conversions=True, explain=True)
    attempt.run()
    return Failure(schema, attempt.reason, attempt.code, attempt.mismatch, attempt.fitting)
