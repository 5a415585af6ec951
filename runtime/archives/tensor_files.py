"""Tensors of files that hold no program: state_dicts and checkpoints of ``torch.save``."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import IO, Any, cast

from tsc.compiler.compile import deep_recursion
from tsc.compiler.outer_net import foreseen
from tsc.compiler.types import Device
from tsc.runtime.arrays.dtypes import DTYPE_OF_CODE
from tsc.runtime.serialization.archive_writer import write_tensor_file
from tsc.runtime.serialization.errors import ArchiveError
from tsc.runtime.serialization.records import (
    AnyTensorRecord,
    ClassReference,
    ContainerRecord,
    EnumRecord,
    ObjectRecord,
    QuantizedTensorRecord,
    RecordValue,
    ScalarTypeInfo,
    SizeRecord,
    SparseTensorRecord,
    StorageRecord,
    TensorRecord,
)
from tsc.runtime.serialization.saved_values import read_saved_values
from tsc.runtime.serialization.storage_table import StorageTable
from tsc.runtime.serialization.tensors import Storages
from tsc.runtime.serialization.zip_reader import FileLike
from tsc.runtime.values.tensor import Tensor

_TENSORS = (TensorRecord, QuantizedTensorRecord, SparseTensorRecord)
_NO_DATA = (ClassReference, ObjectRecord, EnumRecord, ContainerRecord, StorageRecord)
_WITHOUT_STORAGES = ("uint16", "uint32", "uint64")
_PLAIN = (type(None), bool, int, float, complex, str, bytes)


@foreseen()
def load_tensors(f: FileLike) -> Any:
    """The value that ``torch.save`` wrote: a state_dict, or any containers of tensors, numbers and texts.

    Takes a path, an open binary file, or bytes. Nothing in the file is imported or called, and tensors are parts of
    the mapped file. Tensors of one storage share its memory.

    Raises:
        ArchiveError: the file is damaged, holds objects of Python, or is something else.
    """
    saved = read_saved_values(f)
    with deep_recursion():
        return _Values(saved.storages).value(saved.value)


def save_tensors(obj: Any, f: str | os.PathLike[str] | IO[bytes]) -> None:
    """Write a value as ``torch.save`` does: a state_dict of a module or an optimizer, any dicts, lists and tuples of
    tensors, numbers and texts. ``torch.load`` and `load_tensors` read it.

    Raises:
        ArchiveError: something else is in it, or the file cannot be written.
    """
    storages = StorageTable()
    with deep_recursion():
        data = _record(obj, storages)
    write_tensor_file(f, data, storages.contents())


def _record(value: Any, storages: StorageTable) -> Any:
    if isinstance(value, Tensor):
        return _loadable(storages.record(value))
    if isinstance(value, dict):
        entries = cast("dict[Any, Any]", value).items()
        return {_record(key, storages): _record(each, storages) for key, each in entries}
    if isinstance(value, list | tuple):
        records = [_record(each, storages) for each in cast("list[Any]", value)]
        return records if isinstance(value, list) else tuple(records)
    if type(value) in (*_PLAIN, Device) and type(value) is not bytes:
        return value
    kind = type(value).__name__
    hint = (
        "save tensors, numbers, texts, and dicts, lists and tuples of them; tsc.save saves modules"
    )
    raise ArchiveError(f"a value of type {kind!r} cannot be saved", hint=hint)


def _loadable(record: AnyTensorRecord) -> AnyTensorRecord:
    """``torch.load`` has classes of storages for the older dtypes alone; those of others are bytes."""
    if not isinstance(record, TensorRecord) or record.dtype.name not in _WITHOUT_STORAGES:
        return record
    storage = replace(record.storage, dtype=None, count=record.storage.nbytes)
    return replace(record, storage=storage)


class _Values:
    """Makes values of records; what the file has once is made once."""

    def __init__(self, storages: Storages) -> None:
        self._storages = storages
        self._made: dict[int, tuple[Any, Any]] = {}

    def value(self, record: Any) -> Any:
        if isinstance(record, _PLAIN):
            return record
        known = self._made.get(id(record))
        if known is None:
            known = self._made[id(record)] = (record, self._new(record))
        return known[1]

    def _new(self, record: RecordValue) -> Any:
        if isinstance(record, _TENSORS):
            return self._storages.tensor(record)
        if isinstance(record, dict):
            return {self.value(key): self.value(each) for key, each in record.items()}
        if isinstance(record, list | tuple | set | frozenset):
            return type(record)([self.value(each) for each in record])
        if isinstance(record, SizeRecord):
            return record.extents
        if isinstance(record, ScalarTypeInfo) and record.code in DTYPE_OF_CODE:
            return DTYPE_OF_CODE[record.code]
        if isinstance(record, _NO_DATA):
            kind = type(record).__name__.removesuffix("Record").lower()
            hint = "tsc.inspect tells what is in it"
            raise ArchiveError(f"the file holds something else than tensors: {kind}", hint=hint)
        return record
