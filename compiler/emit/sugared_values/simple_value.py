"""First-class values, and the builtin functions that are their methods."""

from __future__ import annotations

from collections.abc import Sequence

from tsc.compiler.emit.calls.builtin_calls import (
    emit_builtin_call,
    emit_builtin_values,
    emit_function_call,
)
from tsc.compiler.emit.calls.call_hints import variable_name
from tsc.compiler.emit.calls.missing_annotations import missing_annotation, type_error
from tsc.compiler.emit.construction import insert_operator, unpack_list, unpack_tuple
from tsc.compiler.emit.protocols import Emitter, NamedValue, SugaredValue
from tsc.compiler.emit.sugared_values import objects
from tsc.compiler.emit.sugared_values.builtin_methods import (
    attribute_hint,
    none_hint,
    takes_self,
    type_with_method,
)
from tsc.compiler.emit.sugared_values.special_forms import BoundFormValue
from tsc.compiler.emit.sugared_values.tensor_attributes import CAST_METHODS, attribute_operator
from tsc.compiler.emit.sugared_values.tuple_value import TupleValue
from tsc.compiler.ir import Function, Value, aten, prim
from tsc.compiler.source import SourceRange, codes, extensions
from tsc.compiler.types import (
    INT,
    TENSOR,
    AnyTupleType,
    AwaitType,
    ClassType,
    DictType,
    EnumType,
    InterfaceType,
    ListType,
    MethodSchema,
    NamedFunction,
    OptionalType,
    StringType,
    TensorType,
    TupleType,
    Type,
)

_TENSOR_FORMS = {"tolist": prim.tolist, "__getitem__": aten.getitem}


class BuiltinFunction(SugaredValue):
    """An operator by name, ``aten::relu``; as a method it comes with its ``self``."""

    __slots__ = ("name", "self_argument")

    def __init__(self, name: str, self_argument: NamedValue | None = None) -> None:
        self.name = name
        self.self_argument = self_argument

    @property
    def is_independent(self) -> bool:
        return self.self_argument is None

    @property
    def kind(self) -> str:
        return "builtin"

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        value = emit_builtin_call(range, emitter, self.name, args, kwargs, self.self_argument)
        return SimpleValue(value)

    @staticmethod
    def try_create(
        emitter: Emitter, name: str, self_argument: NamedValue
    ) -> BuiltinFunction | None:
        """The builtin as a method, if an overload of it can take that ``self``."""
        is_method = takes_self(emitter, name, self_argument.value.type)
        return BuiltinFunction(name, self_argument) if is_method else None


class SimpleValue(SugaredValue):
    """A ``Value`` of the graph."""

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value

    @property
    def kind(self) -> str:
        return f"value of type '{self.value.type.annotation}'"

    def as_value(self, range: SourceRange, emitter: Emitter) -> Value:
        return self.value

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        type, name = self.value.type, variable_name(self.value)
        if isinstance(type, ClassType) and not type.is_module:
            caller = self._member(range, emitter, type, "__call__")
            return caller.call(range, emitter, args, kwargs, binders)
        if isinstance(type, ClassType | InterfaceType) and type.is_module:
            objects.note_module_call(range, emitter, type)
            forward = self._member(range, emitter, type, "forward")
            return forward.call(range, emitter, args, kwargs, binders)
        hint = None
        if isinstance(type, TensorType) and type.inferred and range.text == name:
            hint = (
                f"{name} has no annotation, so it is a Tensor; a parameter that takes a function is "
                f"annotated, as in `{name}: Callable[[int], int]`"
            )
        raise self._refusal(range, f"cannot call a {self.kind}", hint=hint, code=codes.NOT_CALLABLE)

    def attribute(self, range: SourceRange, emitter: Emitter, name: str) -> SugaredValue:
        if isinstance(self.value.type, AwaitType):
            argument = NamedValue(self.value, range)
            waited = emit_builtin_call(range, emitter, prim.awaitable_wait, [argument])
            return SimpleValue(waited).attribute(range, emitter, name)
        if isinstance(self.value.type, ClassType | InterfaceType):
            return self._member(range, emitter, self.value.type, name)
        found = (
            self._cast_method(range, name)
            or self._property(range, emitter, name)
            or self._field(range, emitter, name)
            or self._part_of_enum(range, emitter, name)
            or self._method(range, emitter, name)
        )
        if found is not None:
            return found
        owner = type_with_method(emitter, name)
        is_optional = isinstance(self.value.type, OptionalType)
        raise type_error(
            f"'{self.value.type.message_text}' object has no attribute or method '{name}'.",
            range,
            emitter,
            None if owner is None else missing_annotation(self.value, owner),
            code=codes.UNCHECKED_OPTIONAL if is_optional else codes.UNKNOWN_ATTRIBUTE,
            hint=attribute_hint(emitter, self.value.type, name),
        )

    def _member(
        self, range: SourceRange, emitter: Emitter, type: ClassType | InterfaceType, name: str
    ) -> SugaredValue:
        """An attribute or a method of an object."""
        if isinstance(type, ClassType):
            value = objects.find_attribute(range, emitter, self.value, type, name)
            if value is not None:
                return SimpleValue(value)
        method = objects.find_method(type, name)
        if method is not None:
            return MethodValue(self.value, method)
        if isinstance(type, ClassType) and name in type.static_methods:
            refusal = objects.unknown_attribute(range, type, name).message
            emitter.acceptance.use(extensions.INSTANCE_STATIC_METHODS, range, refusal)
            return StaticMethodValue(type.static_methods[name])
        raise objects.unknown_attribute(range, type, name)

    def has_attribute(self, range: SourceRange, emitter: Emitter, name: str) -> bool:
        type = self.value.type
        if isinstance(type, ClassType):
            return objects.has_attribute(type, name)
        if isinstance(type, TupleType) and type.field_names is not None:
            return name in type.field_names
        raise self._refusal(
            range,
            f"hasattr's first argument must be an object or NamedTuple, "
            f"got {type.message_text} instead",
            code=codes.WRONG_SPECIAL_CALL,
        )

    def set_attribute(self, range: SourceRange, emitter: Emitter, name: str, value: Value) -> None:
        if isinstance(self.value.type, ClassType):
            objects.set_attribute(range, emitter, self.value, name, value)
            return
        type = self.value.type.message_text
        raise self._refusal(
            range,
            f"Tried to set an attribute: {name} on a non-class: {type}",
            code=codes.NO_ATTRIBUTE_ASSIGNMENT,
        )

    def as_tuple(
        self, range: SourceRange, emitter: Emitter, size_hint: int | None = None
    ) -> list[SugaredValue]:
        type = self.value.type
        if isinstance(type, TupleType):
            return [SimpleValue(value) for value in unpack_tuple(emitter.graph, self.value)]
        if isinstance(type, ListType):
            return self._unpacked_list(range, emitter, size_hint)
        if isinstance(type, AnyTupleType):
            raise self._refusal(
                range,
                "Provided tuple is not fully defined/refined: annotate the types of its elements, "
                "as in Tuple[int, int]",
                code=codes.NOT_A_TUPLE,
            )
        hint = "take its slices with .unbind()" if type.is_subtype_of(TENSOR) else none_hint(type)
        raise self._refusal(
            range, f"{type.message_text} cannot be used as a tuple", hint, code=codes.NOT_A_TUPLE
        )

    def as_tuple_value(self, range: SourceRange, emitter: Emitter) -> SugaredValue:
        return TupleValue(self.as_tuple(range, emitter))

    def length(self, range: SourceRange, emitter: Emitter) -> Value:
        type = self.value.type
        if isinstance(type, ListType | StringType) or type.is_subtype_of(TENSOR):
            return emit_builtin_values(range, emitter, aten.len, [self.value])
        raise self._refusal(
            range, f"'{type.message_text}' object is not iterable", code=codes.NOT_ITERABLE
        )

    def get_item(
        self, range: SourceRange, emitter: Emitter, index: Value, type_hint: Type | None = None
    ) -> SugaredValue:
        type = self.value.type
        if isinstance(type, ClassType) and type.is_module and isinstance(type_hint, InterfaceType):
            return SimpleValue(objects.index_modules(range, emitter, self.value, index, type_hint))
        if isinstance(type, ClassType):
            arguments = [NamedValue(self.value, range), NamedValue(index, range)]
            item = objects.call_magic_method(range, emitter, "__getitem__", arguments)
            assert item is not None
            return SimpleValue(item)
        if isinstance(type, ListType | StringType | DictType):
            values = [self.value, index]
            return SimpleValue(emit_builtin_values(range, emitter, aten.getitem, values))
        if type.is_subtype_of(TENSOR):
            values = [self.value, emitter.graph.insert_constant(0), index]
            return SimpleValue(emit_builtin_values(range, emitter, aten.select, values))
        raise self._refusal(
            range,
            f"'{type.message_text}' object is not subscriptable",
            none_hint(type),
            code=codes.NOT_SUBSCRIPTABLE,
        )

    def iterator(self, range: SourceRange, emitter: Emitter) -> SugaredValue:
        type = self.value.type
        if isinstance(type, ListType | StringType) or type.is_subtype_of(TENSOR):
            return self
        if isinstance(type, DictType):
            return SimpleValue(emit_builtin_values(range, emitter, aten.keys, [self.value]))
        if isinstance(type, TupleType):
            return TupleValue(self.as_tuple(range, emitter))
        hint = "range(n) counts up to n" if type == INT else none_hint(type)
        raise self._refusal(
            range, f"'{type.message_text}' object is not iterable", hint, code=codes.NOT_ITERABLE
        )

    def _cast_method(self, range: SourceRange, name: str) -> SugaredValue | None:
        if name not in CAST_METHODS or not self.value.type.is_subtype_of(TENSOR):
            return None
        return TensorCastValue(CAST_METHODS[name], NamedValue(self.value, range, "self"))

    def _property(self, range: SourceRange, emitter: Emitter, name: str) -> SugaredValue | None:
        operator = attribute_operator(self.value.type, name)
        if operator is None:
            return None
        return SimpleValue(emit_builtin_values(range, emitter, operator, [self.value]))

    def _field(self, range: SourceRange, emitter: Emitter, name: str) -> SugaredValue | None:
        type = self.value.type
        if not isinstance(type, TupleType) or name not in (type.field_names or ()):
            return None
        assert type.field_names is not None
        position = type.field_names.index(name)
        graph = emitter.graph
        index = graph.insert_constant(position)
        node = graph.create(prim.TupleIndex, [self.value, index], range=range)
        return SimpleValue(graph.insert_node(node).output.set_type(type.elements[position]))

    def _part_of_enum(self, range: SourceRange, emitter: Emitter, name: str) -> SugaredValue | None:
        """``.name`` and ``.value`` of a member of an enum."""
        type = self.value.type
        if not isinstance(type, EnumType) or name not in ("name", "value"):
            return None
        kind = prim.EnumName if name == "name" else prim.EnumValue
        overload = "" if name == "name" else str(type.value_type)
        return SimpleValue(insert_operator(emitter, range, kind, overload, [self.value]))

    def _method(self, range: SourceRange, emitter: Emitter, name: str) -> SugaredValue | None:
        self_argument = NamedValue(self.value, range, "self")
        names = ("aten::to", "aten::type") if name == "type" else (f"aten::{name}",)
        for operator in names:
            method = BuiltinFunction.try_create(emitter, operator, self_argument)
            if method is not None:
                return method
        if name in _TENSOR_FORMS and self.value.type.is_subtype_of(TENSOR):
            return BoundFormValue(_TENSOR_FORMS[name], self.value)
        return None

    def _unpacked_list(
        self, range: SourceRange, emitter: Emitter, size_hint: int | None
    ) -> list[SugaredValue]:
        if size_hint is None:
            raise self._refusal(
                range,
                "cannot statically infer the expected size of a list in this context",
                "the number of items must be known when the program is compiled",
                code=codes.NOT_A_TUPLE,
            )
        values = unpack_list(emitter.graph, self.value, size_hint, range)
        return [SimpleValue(value) for value in values]


class MethodValue(SugaredValue):
    """A method of an object of a class or of an interface, or several that share a name as overloads."""

    __slots__ = ("methods", "owner")

    def __init__(self, owner: Value, *methods: NamedFunction | MethodSchema) -> None:
        self.owner = owner
        self.methods = methods

    @property
    def kind(self) -> str:
        return "method"

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        called = objects.call_first_fitting_method(
            range, emitter, self.owner, self.methods, args, kwargs
        )
        return SimpleValue(called)


class StaticMethodValue(SugaredValue):
    """A static method, looked up on an object."""

    __slots__ = ("function",)

    def __init__(self, function: NamedFunction) -> None:
        self.function = function

    @property
    def kind(self) -> str:
        return "static method"

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        assert isinstance(self.function, Function)
        called = emit_function_call(range, emitter, [self.function], args, kwargs)
        return SimpleValue(called)


class TensorCastValue(SugaredValue):
    """``x.float()`` and its like: ``x.to(dtype)`` with the dtype in the name."""

    __slots__ = ("dtype", "self_argument")

    def __init__(self, dtype: int, self_argument: NamedValue) -> None:
        self.dtype = dtype
        self.self_argument = self_argument

    @property
    def kind(self) -> str:
        return "Cast"

    def call(
        self,
        range: SourceRange,
        emitter: Emitter,
        args: Sequence[NamedValue],
        kwargs: Sequence[NamedValue],
        binders: int,
    ) -> SugaredValue:
        if args or kwargs:
            raise self._refusal(
                range,
                f"Expected at most 0 arguments but found {len(args) + len(kwargs)}",
                code=codes.TOO_MANY_ARGUMENTS,
                hint="`.to(dtype=..., ...)` takes further arguments",
            )
        dtype = emitter.graph.insert_constant(self.dtype, range=range)
        arguments = [self.self_argument, NamedValue(dtype, range, "dtype")]
        return SimpleValue(emit_builtin_call(range, emitter, "aten::to", [], arguments))
