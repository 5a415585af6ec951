"""The tensors of a `.pt2` file: one record for each storage, and a table that says which tensor looks where."""

from __future__ import annotations

from typing import Any

from tsc.compiler.exir.arguments import TorchConstant
from tsc.compiler.exir.fake_tensor import FakeTensor
from tsc.compiler.exir.serialized.json_values import JsonObject, SerializedProgramError, read_json
from tsc.compiler.exir.serialized.tensor_meta import tensor_json, tensor_of
from tsc.compiler.types.scalar_types import SCALAR_TYPES
from tsc.runtime.archives.tensor_files import load_tensors
from tsc.runtime.serialization.archive_reader import ArchiveReader
from tsc.runtime.serialization.errors import ArchiveError
from tsc.runtime.serialization.records import AnyTensorRecord, StorageRecord, TensorRecord
from tsc.runtime.serialization.tensors import Storages
from tsc.runtime.values.tensor import Tensor

_DTYPES = {each.name: each for each in SCALAR_TYPES}


def read_tensors(archive: ArchiveReader, folder: str, config: str) -> dict[str, Tensor]:
    """The tensors of a folder by their paths in the module; those of one storage share its memory.

    `config` is the record that says where they are.
    Raises `ArchiveError` for one that lies outside of its storage, and for objects of C++.
    """
    storages = Storages(lambda key: archive.view(f"{folder}/{key}"), byte_order=archive.byte_order)
    return {
        path: _pickled(archive, record) if isinstance(record, str) else storages.tensor(record)
        for path, record in tensor_records(archive, folder, config).items()
    }


def tensor_records(
    archive: ArchiveReader, folder: str, config: str
) -> dict[str, TensorRecord | str]:
    """The tensors of a folder, none of them read; of a pickled one, the name of its record."""
    if config not in archive:
        return {}
    payloads = read_json(archive.text(config), config).mapped("config")
    return {path: _record(archive, folder, payload) for path, payload in payloads.items()}


def _record(archive: ArchiveReader, folder: str, payload: JsonObject) -> TensorRecord | str:
    name = payload.text("path_name")
    record = f"{folder}/{name}"
    if record not in archive:
        raise SerializedProgramError(f"{payload.place}: there is no record {record}")
    if payload.flag("use_pickle"):
        return record
    known = tensor_of(payload.object("tensor_meta"))
    storage = StorageRecord(name, None, "cpu", archive.size(record))
    return _view_of(storage, known, payload)


def _pickled(archive: ArchiveReader, record: str) -> Tensor:
    """A tensor in a file of ``torch.save``, which our own reader of pickles reads."""
    found = load_tensors(archive.read(record))
    if not isinstance(found, Tensor):
        raise ArchiveError(f"{record} holds something else than a tensor")
    return found


def _view_of(storage: StorageRecord, known: FakeTensor, payload: JsonObject) -> TensorRecord:
    sizes, strides = _numbers(known.size, payload), _numbers(known.stride or (), payload)
    if len(sizes) != len(strides) or known.layout.name != "strided":
        raise SerializedProgramError(f"{payload.place} is no strided tensor")
    (offset,) = _numbers((known.storage_offset,), payload)
    requires_grad = known.requires_grad and payload.flag("is_param")
    dtype = _DTYPES[known.dtype.name]
    return TensorRecord(storage, dtype, offset, sizes, strides, requires_grad)


def _numbers(values: tuple[Any, ...], payload: JsonObject) -> tuple[int, ...]:
    for each in values:
        if type(each) is not int or each < 0:
            raise SerializedProgramError(f"{payload.place}: {each} is no size of a tensor")
    return values


def payload_json(
    path: str, record: AnyTensorRecord, prefix: str, *, is_parameter: bool
) -> dict[str, Any]:
    """What the table says of a tensor. Raises `ArchiveError` for sparse and quantized ones."""
    if not isinstance(record, TensorRecord):
        raise ArchiveError(
            f"{path} is no strided tensor",
            hint="convert it (.dequantize(), .to_dense()) and save again",
        )
    known = FakeTensor(
        record.sizes,
        TorchConstant(record.dtype.name),
        record.strides,
        requires_grad=record.requires_grad,
        storage_offset=record.offset,
    )
    return {
        "path_name": f"{prefix}{record.storage.key}",
        "is_param": is_parameter,
        "use_pickle": False,
        "tensor_meta": tensor_json(known),
    }
