"""From tensors to tensor records: which storages there are, and which tensor looks into which."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tsc.compiler.types.scalar_types import SCALAR_TYPE_BY_CODE, ScalarTypeInfo
from tsc.runtime.arrays.dtypes import CODE_OF_NUMPY
from tsc.runtime.arrays.storage import element_strides, storage_of
from tsc.runtime.serialization.records import (
    AnyTensorRecord,
    QuantizedTensorRecord,
    SparseTensorRecord,
    StorageRecord,
    TensorRecord,
)
from tsc.runtime.values.opaque_tensors import OpaqueTensor, QuantizedTensor, RawTensor, SparseTensor
from tsc.runtime.values.tensor import Tensor


@dataclass(slots=True)
class StorageTable:
    """The storages of the tensors that are saved, numbered in the order in which they are met.

    Views of one storage stay views of one: it is written once, and whole, as PyTorch does.
    """

    _tensors: dict[int, tuple[Tensor, AnyTensorRecord]] = field(default_factory=dict)
    _numbers: dict[int, int] = field(default_factory=dict)
    _storages: list[np.ndarray] = field(default_factory=list)

    def record(self, tensor: Tensor) -> AnyTensorRecord:
        """What the archive says of a tensor; the same record for the same tensor."""
        found = self._tensors.get(id(tensor))
        if found is None:
            make = self._opaque_record if isinstance(tensor, OpaqueTensor) else self._new_record
            found = self._tensors[id(tensor)] = (tensor, make(tensor))
        return found[1]

    def contents(self) -> list[memoryview]:
        """The bytes of each storage by its number, which is its key."""
        return [each.reshape(-1).view(np.uint8).data for each in self._storages]

    def _new_record(self, tensor: Tensor) -> TensorRecord:
        array = tensor.array
        storage = storage_of(array)
        if not _is_view(array, storage):
            storage = array = np.ascontiguousarray(array)
        info = SCALAR_TYPE_BY_CODE[CODE_OF_NUMPY[array.dtype]]
        return TensorRecord(
            self._storage_record(storage, info, array.itemsize),
            info,
            (_address(array) - _address(storage)) // array.itemsize if array.size else 0,
            array.shape,
            element_strides(array),
            tensor.requires_grad,
        )

    def _storage_record(
        self, storage: np.ndarray, info: ScalarTypeInfo, itemsize: int
    ) -> StorageRecord:
        number = self._numbers.setdefault(id(storage), len(self._storages))
        if number == len(self._storages):
            self._storages.append(storage)
        return StorageRecord(str(number), info, "cpu", storage.nbytes // itemsize)

    def _opaque_record(self, tensor: Tensor) -> AnyTensorRecord:
        if isinstance(tensor, SparseTensor):
            parts = tuple([self._new_record(each) for each in tensor.parts])
            return SparseTensorRecord(tensor.layout, tensor.shape, parts, tensor.requires_grad)
        if isinstance(tensor, QuantizedTensor):
            return self._quantized_record(tensor)
        assert isinstance(tensor, RawTensor)
        storage = self._storage_record(tensor.content, tensor.info, tensor.itemsize)
        return TensorRecord(storage, tensor.info, tensor.offset, tensor.shape, tensor.strides)

    def _quantized_record(self, tensor: QuantizedTensor) -> QuantizedTensorRecord:
        record, quantizer = self._new_record(tensor.integers), tensor.quantizer
        storage = replace(record.storage, dtype=tensor.info)
        record = replace(record, storage=storage, dtype=tensor.info)
        described: tuple[Any, ...] = (quantizer.scale, quantizer.zero_point)
        if isinstance(quantizer.scale, Tensor):
            described = (*map(self._new_record, described), quantizer.axis)
        return QuantizedTensorRecord(record, (quantizer.scheme, *described))


def _is_view(array: np.ndarray, storage: np.ndarray) -> bool:
    """Whether offset and strides count whole elements forwards, as PyTorch's do."""
    size = array.itemsize
    return (
        storage.flags.c_contiguous
        and storage.nbytes % size == 0
        and (_address(array) - _address(storage)) % size == 0
        and all(stride >= 0 and stride % size == 0 for stride in array.strides)
    )


def _address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]
