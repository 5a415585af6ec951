"""From tensor records to tensors: views of storages, which are parts of the mapped file."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from tsc.runtime.arrays.dtypes import DTYPE_OF_CODE, DType, int8, int32, uint8
from tsc.runtime.serialization.archive_reader import ArchiveReader, ByteOrder
from tsc.runtime.serialization.errors import DAMAGED, HOSTILE, ArchiveError
from tsc.runtime.serialization.records import (
    AnyTensorRecord,
    QuantizedTensorRecord,
    SparseTensorRecord,
    StorageRecord,
    TensorRecord,
)
from tsc.runtime.values.opaque_tensors import (
    SPARSE_COO,
    QuantizedTensor,
    Quantizer,
    RawTensor,
    SparseTensor,
)
from tsc.runtime.values.tensor import Tensor

_ALIGNMENT = 16
_LARGEST = 1 << 48
_PER_CHANNEL = ("per_channel_affine", "per_channel_affine_float_qparams")
_INTEGERS_OF = {"qint8": int8, "quint8": uint8, "qint32": int32}
"""What the quantized dtypes are stored as; those of half bytes are kept as they are."""


class Storages:
    """The storages of one archive, each loaded when the first tensor over it is asked for.

    `read` gives the bytes of a storage by its key. Tensors of the same storage share its memory, and what
    a program writes into them stays in memory: the file never changes. Several threads may ask at once.
    """

    def __init__(
        self, read: Callable[[str], memoryview], *, byte_order: ByteOrder = "little"
    ) -> None:
        self._read = read
        self._is_foreign = byte_order != sys.byteorder
        self._loaded: dict[tuple[str, int], np.ndarray] = {}
        self._lock = threading.Lock()

    def tensor(self, record: AnyTensorRecord) -> Tensor:
        """The tensor that a record describes. One that tsc does not compute with is an `OpaqueTensor`.

        Raises:
            ArchiveError: it lies outside of its storage, or is not described as its kind is.
        """
        if isinstance(record, QuantizedTensorRecord):
            return self._quantized(record)
        if isinstance(record, SparseTensorRecord):
            tensor = _sparse(record, [self.tensor(each) for each in record.parts])
            tensor.requires_grad = record.requires_grad
            return tensor
        dtype = DTYPE_OF_CODE.get(record.dtype.code)
        if dtype is None:
            return self._raw(record)
        array = self._viewed(record, dtype)
        tensor = Tensor(_with_math_bits(array, record))
        if record.requires_grad:
            if not (dtype.is_floating_point or dtype.is_complex):
                message = f"a tensor of {dtype!r} is said to require gradients"
                raise ArchiveError(message, hint=DAMAGED)
            tensor.requires_grad = True
        return tensor

    def _quantized(self, record: QuantizedTensorRecord) -> Tensor:
        integers = _INTEGERS_OF.get(record.tensor.dtype.name)
        if integers is None:
            raise ArchiveError(
                f"a quantized tensor of {record.tensor.dtype.torch_name} cannot be loaded",
                hint="PyTorch does not load it either; .dequantize() it and save again",
            )
        array = self._viewed(record.tensor, integers)
        return QuantizedTensor(Tensor(array), record.tensor.dtype, self._quantizer(record))

    def _quantizer(self, record: QuantizedTensorRecord) -> Quantizer:
        parts: list[Any] = [
            self.tensor(each) if isinstance(each, TensorRecord) else each
            for each in record.quantizer
        ]
        kinds = tuple(map(type, parts))
        if kinds == (str, float, int) and parts[0] == "per_tensor_affine":
            return Quantizer(*parts)
        if kinds == (str, Tensor, Tensor, int) and parts[0] in _PER_CHANNEL:
            sizes = record.tensor.sizes
            if -1 < parts[3] < len(sizes) and parts[1].shape == parts[2].shape == (
                sizes[parts[3]],
            ):
                return Quantizer(*parts)
        raise ArchiveError("a quantized tensor is described wrongly", hint=DAMAGED)

    def _raw(self, record: TensorRecord) -> Tensor:
        """Its bytes are checked to be there, and are nothing but kept."""
        if self._is_foreign:
            raise ArchiveError(
                f"a tensor of {record.dtype.torch_name} is in the other byte order",
                hint="with PyTorch, convert it to another dtype (.to(torch.float32)) and save again",
            )
        content = self._storage(record.storage, uint8)
        width = max(1, record.storage.nbytes // max(1, record.storage.count))
        _check_bounds(record, width, content.nbytes)
        return RawTensor(content, record.dtype, record.sizes, record.strides, record.offset, width)

    def _viewed(self, record: TensorRecord, dtype: DType) -> np.ndarray:
        storage = self._storage(record.storage, dtype)
        _check_bounds(record, dtype.itemsize, storage.nbytes)
        strides = tuple(stride * dtype.itemsize for stride in record.strides)
        if 0 in record.sizes:
            return np.ndarray(record.sizes, dtype.numpy)
        offset = record.offset * dtype.itemsize
        return np.ndarray(record.sizes, dtype.numpy, storage, offset, strides)

    def _storage(self, record: StorageRecord, dtype: DType) -> np.ndarray:
        """The bytes of a storage. Foreign ones are swapped, so views of each width have their own."""
        width = dtype.itemsize if self._is_foreign else 0
        with self._lock:
            found = self._loaded.get((record.key, width))
            if found is None:
                found = self._loaded[record.key, width] = self._load(record, dtype)
            return found

    def _load(self, record: StorageRecord, dtype: DType) -> np.ndarray:
        if record.count == 0:
            return np.empty(0, np.uint8)
        view = self._read(record.key)
        if len(view) != record.nbytes:
            raise ArchiveError(
                f"the storage {record.key} has {len(view)} bytes, and {record.nbytes} are expected",
                hint=DAMAGED,
            )
        return self._usable(np.frombuffer(view, np.uint8), dtype)

    def _usable(self, storage: np.ndarray, dtype: DType) -> np.ndarray:
        """The storage in this machine's order, aligned, writable, and with booleans that are ones."""
        if self._is_foreign and dtype.itemsize > 1:
            return _swapped(storage, dtype)
        if storage.ctypes.data % _ALIGNMENT or not storage.flags.writeable:
            storage = storage.copy()
        if dtype.numpy == np.bool_ and storage.max(initial=0) > 1:
            storage = (storage != 0).view(np.uint8)
        return storage


def _sparse(record: SparseTensorRecord, parts: list[Tensor]) -> Tensor:
    """Raises `ArchiveError` if indices and values do not fit each other."""
    *indices, values = parts
    fits = all(type(each) is Tensor for each in parts) and all(
        each.array.dtype.kind == "i" for each in indices
    )
    count = values.shape[:1] if fits else ()
    if fits and record.layout == SPARSE_COO:
        index = indices[0].shape
        fits = len(index) == 2 and index[1:] == count
        fits = fits and len(record.sizes) == index[0] + values.ndim - 1
        fits = fits and record.sizes[index[0] :] == values.shape[1:]
    elif fits:
        rows, columns = (each.shape for each in indices)
        fits = len(record.sizes) == 2 and rows == (record.sizes[0] + 1,) and columns == count
    if not fits:
        raise ArchiveError("a sparse tensor is described wrongly", hint=DAMAGED)
    return SparseTensor(record.sizes, record.layout, tuple(parts))


def _check_bounds(record: TensorRecord, width: int, available: int) -> None:
    """A view must lie in its storage, however its strides are."""
    count = 1
    for extent in record.sizes:
        count *= max(extent, 1)
    if max(count, *record.strides, 0) * width > _LARGEST:
        raise ArchiveError(
            f"a tensor has the absurd sizes {list(record.sizes)} and strides {list(record.strides)}",
            hint=HOSTILE,
        )
    if 0 in record.sizes:
        return
    reach = sum((extent - 1) * step for extent, step in zip(record.sizes, record.strides))
    needed = (record.offset + reach + 1) * width
    if needed > available:
        raise ArchiveError(
            f"a tensor of sizes {list(record.sizes)} needs {needed} bytes of the storage "
            f"{record.storage.key}, which has {available}",
            hint=HOSTILE,
        )


def _with_math_bits(array: np.ndarray, record: TensorRecord) -> np.ndarray:
    """PyTorch conjugates and negates lazily; here it is done at once, in memory of its own."""
    if not (record.is_conjugated or record.is_negated):
        return array
    if array.size > record.storage.count:
        raise ArchiveError("an expanded tensor is said to be conjugated", hint=HOSTILE)
    if record.is_negated and array.dtype == np.bool_:
        raise ArchiveError("a tensor of bools is said to be negated", hint=HOSTILE)
    changed = np.conjugate(array) if record.is_conjugated else array
    return np.asarray(-changed if record.is_negated else changed)


def _swapped(storage: np.ndarray, dtype: DType) -> np.ndarray:
    """Numbers of the other byte order; the parts of complex ones are swapped on their own."""
    width = dtype.itemsize // 2 if dtype.is_complex else dtype.itemsize
    whole = storage[: len(storage) // width * width]
    return whole.reshape(-1, width)[:, ::-1].reshape(-1).copy()


def archive_storages(archive: ArchiveReader, folder: str = "data") -> Storages:
    """The storages of ``data.pkl``; with the folder "constants", those of ``constants.pkl``."""

    def read(key: str) -> memoryview:
        return archive.storage(key, folder)

    return Storages(read, byte_order=archive.byte_order)
