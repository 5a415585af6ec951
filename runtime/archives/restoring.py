"""From the records of ``data.pkl`` to values of the program: objects, tensors, containers of known types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from tsc.compiler.budget import charging
from tsc.compiler.emit.resolvers.archive_resolver import ArchiveResolver
from tsc.compiler.frontend.annotations import ScriptTypeParser
from tsc.compiler.frontend.parser import parse_expression
from tsc.compiler.ir import Function
from tsc.compiler.source import UNKNOWN_RANGE, Source
from tsc.compiler.types import (
    ANY,
    BOOL,
    FLOAT,
    INT,
    STRING,
    ClassType,
    DictType,
    EnumType,
    InterfaceType,
    ListType,
    OptionalType,
    TupleType,
    Type,
)
from tsc.runtime.python_api.ivalue import Mismatch, converter
from tsc.runtime.serialization.errors import DAMAGED, HOSTILE, ArchiveError
from tsc.runtime.serialization.records import (
    AnyTensorRecord,
    ContainerRecord,
    EnumRecord,
    ObjectRecord,
    QuantizedTensorRecord,
    RecordValue,
    SizeRecord,
    SparseTensorRecord,
    TensorRecord,
)
from tsc.runtime.serialization.short_texts import shortly
from tsc.runtime.serialization.tensors import Storages
from tsc.runtime.values.objects import ScriptObject, call_method
from tsc.runtime.values.opaque_tensors import OpaqueTensor
from tsc.runtime.values.tuple_classes import tuple_class
from tsc.runtime.values.typed_containers import with_types

_SET_STATE = "__setstate__"
_MOST_UNFOLDED = 1_000_000
"""Elements of a tuple and those in it, each counted wherever it stands: so are tuples compared, hashed and printed."""


class Restorer:
    """Makes values of records. What two places of a pickle share, two places of the values share."""

    def __init__(self, program: ArchiveResolver, storages: Storages) -> None:
        self._program = program
        self._storages = storages
        self._types = ScriptTypeParser(program.resolve_type)
        self._made: dict[int, tuple[Any, Any]] = {}
        self._tuples: dict[tuple[int, int], tuple[Any, ...]] = {}
        self._unfolded: dict[int, int] = {}

    def value(self, record: RecordValue, wanted: Type) -> Any:
        """The value of a record where one of the type `wanted` belongs.

        Raises:
            ArchiveError: it is of another type, or of a class that the archive's code has not.
            CompileError: the code of its class is wrong.
        """
        if isinstance(wanted, OptionalType):
            return None if record is None else self.value(record, wanted.element)
        make = self._MAKERS.get(type(record))
        if make is not None:
            return self._once(record, lambda: make(self, record, wanted))
        if isinstance(record, tuple):
            return self._shared_tuple(record, wanted)
        if isinstance(record, list | dict):
            return self._once(record, lambda: self._container(record, wanted))
        return _checked(record, wanted)

    def _once(self, record: Any, make: Callable[[], Any]) -> Any:
        """What was made of a record before, or is made of it now; the record is kept for its id."""
        known = self._made.get(id(record))
        if known is None:
            known = self._made[id(record)] = (record, make())
        return known[1]

    # -- Tensors and containers ------------------------------------------------------------------

    def _tensor(self, record: AnyTensorRecord, wanted: Type) -> Any:
        return _checked(self._storages.tensor(record), wanted)

    def _shared_tuple(self, record: tuple[Any, ...], wanted: Type) -> Any:
        """One tuple may stand in two places as values of two types."""
        key = (id(record), id(wanted))
        known = self._tuples.get(key)
        if known is None:
            self._check_unfolded(record)
            known = self._tuples[key] = (record, wanted, self._tuple(record, wanted))
        return known[2]

    def _check_unfolded(self, record: tuple[Any, ...]) -> None:
        """Tuples are known by their elements: one made of shared ones again and again would be endless."""
        pending = [record]
        while pending:
            current = pending[-1]
            inner: list[tuple[Any, ...]] = [
                each for each in current if type(each) is tuple and each
            ]
            unknown = [each for each in inner if id(each) not in self._unfolded]
            if unknown:
                pending += unknown
                continue
            pending.pop()
            size = 1 + len(current) + sum(self._unfolded[id(each)] for each in inner)
            if size > _MOST_UNFOLDED:
                raise ArchiveError("a tuple holds others again and again", hint=HOSTILE)
            self._unfolded[id(current)] = size

    def _tuple(self, record: tuple[Any, ...], wanted: Type) -> Any:
        if not isinstance(wanted, TupleType):
            values = tuple([self.value(each, ANY) for each in record])
            return values if isinstance(wanted, ListType) else _checked(values, wanted)
        if len(record) != len(wanted.elements):
            raise _unfit(f"a tuple of {len(record)}", wanted)
        items = [self.value(each, type) for each, type in zip(record, wanted.elements)]
        return tuple_class(wanted)(items)

    def _typed_container(self, record: ContainerRecord, wanted: Type) -> Any:
        if isinstance(wanted, ListType | DictType):
            return self._container(record.value, wanted)
        text = Source(record.type_text, "<data.pkl>")
        declared = self._types.parse_type(parse_expression(text, 0, len(text.text)))
        if not declared.is_subtype_of(wanted):
            raise _unfit(f"a value of type {record.type_text}", wanted)
        value = self._container(record.value, declared)
        retype = with_types(declared)
        return value if retype is None else retype(value)

    def _container(self, record: list[Any] | dict[Any, Any], wanted: Type) -> Any:
        if isinstance(record, list):
            if not isinstance(wanted, ListType) and wanted != ANY:
                raise _unfit("a list", wanted)
            element = wanted.element if isinstance(wanted, ListType) else ANY
            if element.kind in _PLAIN:
                return _plain_list(record, element)
            return [self.value(each, element) for each in record]
        if not isinstance(wanted, DictType) and wanted != ANY:
            raise _unfit("a dict", wanted)
        key, item = (wanted.key, wanted.value) if isinstance(wanted, DictType) else (ANY, ANY)
        return {self.value(k, key): self.value(v, item) for k, v in record.items()}

    def _size(self, record: SizeRecord, wanted: Type) -> Any:
        return _checked(list(record.extents), wanted)

    def _enum(self, record: EnumRecord, wanted: Type) -> Any:
        type = self._type(record.class_name)
        if not isinstance(type, EnumType):
            raise ArchiveError(f"'{record.class_name}' is no enum", hint=DAMAGED)
        for name, value in type.members:
            if value == record.value:
                return _checked(type.member(name), wanted)
        message = f"the enum '{record.class_name}' has no member {shortly(record.value)}"
        raise ArchiveError(message, hint=DAMAGED)

    # -- Objects ---------------------------------------------------------------------------------

    def _object(self, record: ObjectRecord, wanted: Type) -> ScriptObject:
        """An object before its state is known may already be in that state."""
        type = self.class_named(record)
        if not type.is_subtype_of(wanted):
            raise _unfit(f"an object of the class '{type.qualified_name}'", wanted)
        made = ScriptObject(type)
        self._made[id(record)] = (record, made)
        method = type.methods.get(_SET_STATE)
        if isinstance(method, Function):
            if len(method.schema.arguments) != 2:
                message = f"{_SET_STATE} of '{type.qualified_name}' does not take a state"
                raise ArchiveError(message, hint=DAMAGED)
            state = self.value(record.state, method.schema.arguments[1].type)
            with charging():
                call_method(made, _SET_STATE, state)
        else:
            self._fill(made, record)
        return made

    def class_named(self, record: ObjectRecord) -> ClassType:
        """The class of an object. Raises `ArchiveError` if there is none that can be used."""
        type = self._type(record.class_name)
        if not isinstance(type, ClassType):
            raise ArchiveError(f"'{record.class_name}' is no class of objects", hint=DAMAGED)
        return type

    def _type(self, name: str) -> Type:
        found = self._program.type_named(name, UNKNOWN_RANGE)
        if found is None:
            message = f"the archive has no code of the class '{name}'"
            raise ArchiveError(message, hint=DAMAGED)
        return found

    def _fill(self, made: ScriptObject, record: ObjectRecord) -> None:
        type = made.script_type
        state = _attributes_of(record)
        for name in state:
            if name not in type.attributes:
                message = f"the class '{type.qualified_name}' has no attribute {name!r}"
                raise ArchiveError(message, hint=DAMAGED)
        for name, attribute in type.attributes.items():
            try:
                value = self.value(state.get(name), attribute.type)
            except ArchiveError as error:
                raise error.within(f"{type.name}.{name}") from None
            if isinstance(value, OpaqueTensor):
                value.name = value.name or f"{type.name}.{name}"
            made.script_attributes[name] = value

    _MAKERS: ClassVar[dict[type[Any], Callable[[Restorer, Any, Type], Any]]] = {
        TensorRecord: _tensor,
        QuantizedTensorRecord: _tensor,
        SparseTensorRecord: _tensor,
        ContainerRecord: _typed_container,
        SizeRecord: _size,
        EnumRecord: _enum,
        ObjectRecord: _object,
    }


def _attributes_of(record: ObjectRecord) -> dict[Any, Any]:
    """The attributes that the pickle sets, by name."""
    state: RecordValue = record.state
    if state is None:
        return {}
    if isinstance(state, dict):
        return state
    message = f"an object of '{record.class_name}' has a state that is no dict"
    raise ArchiveError(message, hint=DAMAGED)


_PLAIN = frozenset({INT.kind, FLOAT.kind, BOOL.kind, STRING.kind})
"""What no record stands for; long lists are of these."""


def _plain_list(record: list[Any], element: Type) -> list[Any]:
    convert = converter(element)
    try:
        return [convert(each) for each in record]
    except Mismatch:
        return [_checked(each, element) for each in record]


def _checked(value: Any, wanted: Type) -> Any:
    """A value that is no container, as the program has it."""
    if isinstance(wanted, ClassType | InterfaceType):
        raise _unfit(f"{shortly(value)}", wanted)
    try:
        return converter(wanted)(value)
    except Mismatch:
        raise _unfit(f"{shortly(value)}", wanted) from None


def _unfit(what: str, wanted: Type) -> ArchiveError:
    message = f"there is {what} where a value of type {wanted.annotation} belongs"
    return ArchiveError(message, hint=DAMAGED)
