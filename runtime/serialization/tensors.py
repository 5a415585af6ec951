"""From tensor records to tensors: views of storages, which are parts of the mapped file."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable

import numpy as np

from compiler.types.scalar_types import ScalarTypeInfo
from runtime.dtypes import DTYPE_OF_CODE, DType
from runtime.serialization.archive_reader import ArchiveReader, ByteOrder
from runtime.serialization.errors import DAMAGED, HOSTILE, ArchiveError
from runtime.serialization.records import QuantizedTensorRecord, StorageRecord, TensorRecord
from runtime.tensor import Tensor

_ALIGNMENT = 16
_LARGEST = 1 << 48


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

    def tensor(self, record: TensorRecord | QuantizedTensorRecord) -> Tensor:
        """The tensor that a record describes.

        Raises:
            ArchiveError: tsc does not compute with such tensors, or it lies outside of its storage.
        """
        if isinstance(record, QuantizedTensorRecord):
            raise ArchiveError(
                f"a quantized tensor ({record.tensor.dtype.torch_name}) cannot be used by tsc",
                hint="with PyTorch, save the model before it is quantized, or .dequantize() its tensors",
            )
        dtype = _known_dtype(record.dtype)
        array = self._viewed(record, dtype)
        tensor = Tensor(_with_math_bits(array, record))
        if record.requires_grad:
            if not (dtype.is_floating_point or dtype.is_complex):
                message = f"a tensor of {dtype!r} is said to require gradients"
                raise ArchiveError(message, hint=DAMAGED)
            tensor.requires_grad = True
        return tensor

    def _viewed(self, record: TensorRecord, dtype: DType) -> np.ndarray:
        storage = self._storage(record.storage, dtype)
        _check_bounds(record, dtype, storage.nbytes)
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


def _known_dtype(info: ScalarTypeInfo) -> DType:
    dtype = DTYPE_OF_CODE.get(info.code)
    if dtype is None:
        raise ArchiveError(
            f"a tensor of {info.torch_name} cannot be used by tsc",
            hint="with PyTorch, convert it to another dtype (.to(torch.float32)) and save again",
        )
    return dtype


def _check_bounds(record: TensorRecord, dtype: DType, available: int) -> None:
    """A view must lie in its storage, however its strides are."""
    count = 1
    for extent in record.sizes:
        count *= max(extent, 1)
    if max(count, *record.strides, 0) * dtype.itemsize > _LARGEST:
        raise ArchiveError(
            f"a tensor has the absurd sizes {list(record.sizes)} and strides {list(record.strides)}",
            hint=HOSTILE,
        )
    if 0 in record.sizes:
        return
    reach = sum((extent - 1) * step for extent, step in zip(record.sizes, record.strides))
    needed = (record.offset + reach + 1) * dtype.itemsize
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
