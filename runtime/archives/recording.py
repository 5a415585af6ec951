"""From values of a program to the records of ``data.pkl``, each written as its declared type says."""

from __future__ import annotations

from typing import Any

from tsc.compiler.ir import Function
from tsc.compiler.types import (
    ClassType,
    DictType,
    EnumMember,
    InterfaceType,
    ListType,
    OptionalType,
    TupleType,
    Type,
)
from tsc.runtime.serialization.errors import ArchiveError
from tsc.runtime.serialization.records import ContainerRecord, EnumRecord, ObjectRecord
from tsc.runtime.serialization.storage_table import StorageTable
from tsc.runtime.values.ivalue import IValue
from tsc.runtime.values.objects import ScriptObject, call_method
from tsc.runtime.values.tensor import Tensor
from tsc.runtime.values.value_types import type_of

_GET_STATE = "__getstate__"


class Recorder:
    """Makes records of values; what two places share, two places of the records share.

    `classes` grows by the class of each object, in the order in which they are met.
    """

    def __init__(self) -> None:
        self.storages = StorageTable()
        self.classes: dict[ClassType, None] = {}
        self._made: dict[int, tuple[Any, Any]] = {}

    def record(self, value: IValue, declared: Type) -> Any:
        """The record of a value that is declared to be of a type.

        Raises:
            ArchiveError: it is of a kind that archives do not hold.
        """
        if isinstance(declared, OptionalType):
            return None if value is None else self.record(value, declared.element)
        if isinstance(value, Tensor):
            return self.storages.record(value)
        if isinstance(value, ScriptObject):
            return self._object(value)
        if isinstance(value, EnumMember):
            type = value.script_type
            return self._once(value) or self._keep(
                value, EnumRecord(str(type.qualified_name), value.value)
            )
        if isinstance(value, list | dict):
            return self._once(value) or self._container(value, declared)
        if isinstance(value, tuple):
            return self._tuple(value, declared)
        if isinstance(declared, ClassType | InterfaceType):
            message = f"{value!r:.60} is no object of the class '{declared.annotation}'"
            raise ArchiveError(message)
        return value

    def _once(self, value: Any) -> Any:
        known = self._made.get(id(value))
        return None if known is None else known[1]

    def _keep(self, value: Any, record: Any) -> Any:
        """Remember a record; the value is kept for its id."""
        self._made[id(value)] = (value, record)
        return record

    def _tuple(self, value: tuple[Any, ...], declared: Type) -> Any:
        if not isinstance(declared, TupleType):
            declared = type_of(value)
        elements = declared.elements if isinstance(declared, TupleType) else ()
        return tuple([self.record(each, type) for each, type in zip(value, elements, strict=True)])

    def _container(self, value: list[Any] | dict[Any, Any], declared: Type) -> Any:
        if not isinstance(declared, ListType | DictType):
            declared = type_of(value)
        if isinstance(value, list):
            assert isinstance(declared, ListType)
            items: list[Any] = []
            record = self._keep(value, ContainerRecord(items, declared.annotation))
            items += [self.record(each, declared.element) for each in value]
            return record
        assert isinstance(declared, DictType)
        entries: dict[Any, Any] = {}
        record = self._keep(value, ContainerRecord(entries, declared.annotation))
        for key, item in value.items():
            entries[self.record(key, declared.key)] = self.record(item, declared.value)
        return record

    def _object(self, value: ScriptObject) -> Any:
        known = self._once(value)
        if known is not None:
            return known
        type = value.script_type
        self.classes.setdefault(type)
        record = self._keep(value, ObjectRecord(type.qualified_name, has_state=True))
        method = type.methods.get(_GET_STATE)
        if isinstance(method, Function):
            record.state = self.record(
                call_method(value, _GET_STATE), method.schema.returns[0].type
            )
        else:
            record.state = {
                name: self.record(value.script_attributes[name], attribute.type)
                for name, attribute in type.attributes.items()
            }
        return record
