"""Bind the arguments of a call to the schema of what is called, and choose among overloads.

Overloads are tried in the order of their table, first without implicit conversions, then with
them; the first that fits is taken. Nodes that an attempt inserted are removed when it fails.
The reasons for failures are worked out only once it is certain that nothing fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from tsc.compiler.emit.calls import match_messages as messages
from tsc.compiler.emit.calls.call_hints import Mismatch
from tsc.compiler.emit.calls.conversions import (
    convertible_to_list,
    try_convert_to_type,
    unwrap_optional,
)
from tsc.compiler.emit.calls.known_fits import key_of, known_fit, remember_fit
from tsc.compiler.emit.calls.match_failures import (
    Call,
    Failure,
    no_variant_fits,
    schema_does_not_fit,
)
from tsc.compiler.emit.construction import insert_list
from tsc.compiler.emit.inserter import Inserter
from tsc.compiler.emit.names.module_constants import insert_module_constant
from tsc.compiler.emit.protocols import NamedValue
from tsc.compiler.ir import Graph, Node, Value
from tsc.compiler.schema import NOT_GIVEN, Argument, Binder, FunctionSchema, default_value
from tsc.compiler.schema.binding import NO_OTHER_NAMES
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
from tsc.compiler.value_classes import value_class

# Integers and dtypes have the same type, so these could never be told apart from `x.view(1)` etc.
_NEVER_CHOSEN = {
    ("aten::view", "dtype"),
    ("aten::max", "unary_out"),
    ("aten::min", "unary_out"),
}


@value_class
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
    emitter: Inserter,
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
    emitter: Inserter,
    args: Sequence[NamedValue],
    kwargs: Sequence[NamedValue],
    self_argument: NamedValue | None = None,
) -> tuple[int, MatchedSchema]:
    """The position of the first schema that a call fits, and the call bound to it."""
    if len(schemas) == 1:
        return 0, match_schema(schemas[0], range, emitter, args, kwargs, self_argument)
    call = Call(range, emitter, args, kwargs, self_argument)
    key = None if kwargs or self_argument is not None else key_of(schemas, args)
    known = None if key is None else known_fit(key, schemas)
    if known is not None:
        matched = _Attempt(schemas[known], call, allow_conversions=False).run()
        assert matched is not None
        return known, matched
    for allow_conversions in (False, True):
        for index, schema in enumerate(schemas):
            matched = _Attempt(schema, call, allow_conversions).run()
            if matched is None:
                continue
            if key is not None and not allow_conversions:
                remember_fit(key, schemas, index)
            return index, matched
    raise no_variant_fits([_explained(schema, call) for schema in schemas], call)


_OTHER_NAMES: Final = {"self": ("input",)}
"""What calls of operators may call ``self``."""


class _Attempt:
    """One try to bind a call to a schema.

    ``explain`` collects the reason for a failure; ``fitting`` counts the given arguments that fit.
    """

    __slots__ = (
        "allow_conversions",
        "binder",
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
        self.binder = Binder(
            schema,
            call.args,
            {kwarg.name or "": kwarg for kwarg in call.kwargs},
            NOT_GIVEN if call.self_argument is None else call.self_argument,
            _OTHER_NAMES if schema.name.startswith("aten::") else NO_OTHER_NAMES,
        )
        self.bindings: dict[str, Type] = {}
        self.inputs: list[Value] = []

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
        given = self.binder.take(argument)
        if given is NOT_GIVEN:
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

    def _default(self, argument: Argument) -> Value | None:
        if not argument.has_default:
            return None
        default = argument.default
        type = unwrap_optional(argument.type)
        if isinstance(default, tuple) and not self.schema.is_of_operator:
            value = default_value(cast("object", default), argument.type)
            return insert_module_constant(self.graph, value, self.call.range, argument.type)
        if isinstance(default, tuple) and isinstance(type, ListType):
            return self.graph.insert_constant(list(cast("tuple[object]", default)), type)
        is_container = isinstance(default, (list, dict))  # an empty one does not tell its type
        return self.graph.insert_constant(argument.default, type if is_container else None)

    def _rest_makes_a_list(self, index: int, argument: Argument) -> bool:
        """Whether the remaining positional arguments are the items of the last, a list."""
        if not self.allow_conversions or not self.binder.may_take_place(argument):
            return False
        if not _collects_varargs(self.schema, index):
            return False
        actual = self.binder.surplus[0].value.type
        return not isinstance(actual, ListType) and not convertible_to_list(actual, argument.type)

    def _bind_rest_as_list(self, argument: Argument) -> bool:
        assert isinstance(argument.type, ListType)
        element = Argument.of("<varargs>", argument.type.element)
        items: list[Value] = []
        rest = self.binder.take_rest()
        for actual in rest:
            item = self._match_argument(element, actual.value)
            if item is None:
                self.mismatch = Mismatch(actual, argument if len(rest) == 1 else element)
                return False
            self.fitting += 1
            items.append(item)
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
        if self.binder.owner is not NOT_GIVEN:
            self._fail("Provided self argument not used in schema.")
            return False
        surplus = self.binder.surplus
        if self.schema.is_vararg:
            self.inputs.extend(argument.value for argument in surplus)
        elif surplus:
            given = len(self.call.args)
            reason = messages.too_many_arguments(given - len(surplus), given)
            self._fail(reason, codes.TOO_MANY_ARGUMENTS)
            return False
        unused = next(iter(self.binder.left_over), None)
        if unused is not None:
            self._fail(messages.unknown_keyword(self.schema, unused), codes.UNKNOWN_KEYWORD)
        return unused is None

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
    given = [] if call.self_argument is None else [call.self_argument]
    given.extend(call.args)
    receiver = given[0].value.type if given and schema.arguments else None
    return Failure(
        schema, attempt.reason, attempt.code, attempt.mismatch, attempt.fitting, receiver
    )
